//! From folders and files to sources with virtual paths.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component as Part, Path, PathBuf};
use std::sync::Arc;

use crate::config::{COMMAND_LINE, Mount};
use crate::diagnostic::{Diagnostic, Place};
use crate::files;
use crate::sandbox::Provided;
use crate::signing;

/// The ending that makes a file a tool file.
pub const EXTENSION: &str = "scm";
/// The ending of a tool file that is a component, as `holm build` makes it.
pub const COMPONENT_EXTENSION: &str = "wasm";

/// Bytes of one tool file: a hundred times the largest one known, and small enough
/// that a thousand of them are no burden.
pub const LARGEST_SOURCE: u64 = 1 << 20;
/// Bytes of one component: ten times what `holm build` makes.
pub const LARGEST_COMPONENT: u64 = 32 << 20;

/// Folders below a mount, one in the other: deeper than any sensible tree.
pub(super) const DEEPEST: usize = 32;

/// The text of one tool file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its virtual path, which grants and limits go by.
    pub path: String,
    /// The file on this machine, as messages call it.
    pub origin: String,
    /// Its text; empty when it is a component.
    pub text: String,
    /// The component, if it is one.
    pub component: Option<Component>,
}

/// A tool file that is a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// The component.
    pub provided: Arc<Provided>,
    /// The text of the signature beside it, if there is one.
    pub signature: Option<String>,
}

impl Source {
    /// What is in the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.component {
            Some(component) => component.provided.bytes(),
            None => self.text.as_bytes(),
        }
    }
}

/// What was found, and what could not be used.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The tool files, in the order in which they get to define tools.
    pub sources: Vec<Source>,
    /// What was left out, and why.
    pub diagnostics: Vec<Diagnostic>,
    /// Virtual paths of files and folders that are there and could not be read.
    pub unread: Vec<String>,
    /// Whether a folder or a file that the operator named is not there.
    pub missing: bool,
    /// Whether this is everything that is mounted, and not only some files.
    pub complete: bool,
}

/// Reads `files` alone. A file that is inside a mounted folder has the mount's path.
#[must_use]
pub fn scan_files(mounts: &[Mount], files: &[PathBuf]) -> Found {
    let mut scan = Scan::default();
    for (path, file) in scan.named(mounts, files) {
        scan.read_named(path, &file);
    }
    scan.found
}

/// Reads everything in `mounts`, `/tools/shared` before `/tools/home`, `/tools/flocks` and
/// the rest, each sorted by path, and then `files`, in their order: a file that somebody is only
/// trying out never takes the name of a mounted tool.
///
/// A file of `files` that is inside a mounted folder has the mount's path and is not read twice.
#[must_use]
pub fn scan(mounts: &[Mount], files: &[PathBuf]) -> Found {
    let mut scan = Scan::default();
    scan.found.complete = true;
    let named = scan.named(mounts, files);
    let mut mounted = BTreeMap::new();
    for mount in mounts {
        scan.mount(mount, &mut mounted);
    }
    for ((_, path), file) in &mounted {
        scan.read(path.clone(), file);
    }
    for (path, file) in named {
        match mounted.get(&(rank(&path), path.clone())) {
            None => scan.read_named(path, &file),
            Some(there) if same_file(there, &file) => {}
            Some(there) => {
                scan.found.missing = true;
                scan.leave_out(
                    &file,
                    format!("the mounted file {} has its path `{path}`", shown(there)),
                );
            }
        }
    }
    scan.found
}

/// Order of the zones.
fn rank(path: &str) -> u8 {
    ["/tools/shared/", "/tools/home/", "/tools/flocks/"]
        .iter()
        .position(|zone| path.starts_with(zone))
        .and_then(|index| u8::try_from(index).ok())
        .unwrap_or(3)
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

#[derive(Default)]
struct Scan {
    found: Found,
}

impl Scan {
    /// Notes a file that is not used.
    fn leave_out(&mut self, file: &Path, message: String) {
        let diagnostic = Diagnostic::error(message).place(Place::file(shown(file)));
        self.found.diagnostics.push(diagnostic);
    }

    /// The files from the command line with their virtual paths.
    fn named(&mut self, mounts: &[Mount], files: &[PathBuf]) -> Vec<(String, PathBuf)> {
        let mut named: Vec<(String, PathBuf)> = Vec::new();
        for file in files {
            let Some(path) = self.path_of(mounts, file) else {
                self.found.missing = true;
                continue;
            };
            if named.iter().any(|(known, _)| *known == path) {
                self.leave_out(file, format!("`{path}` is given twice on the command line"));
            } else {
                named.push((path, file.clone()));
            }
        }
        named
    }

    /// The virtual path of a file from the command line.
    fn path_of(&mut self, mounts: &[Mount], file: &Path) -> Option<String> {
        let Ok(canonical) = file.canonicalize() else {
            // Reading it says what is wrong.
            self.read(String::new(), file);
            return None;
        };
        let mounted = mounts.iter().find_map(|mount| {
            let inside = canonical
                .strip_prefix(mount.folder.canonicalize().ok()?)
                .ok()?;
            Some((mount.path.as_str(), inside.to_owned()))
        });
        let (folder, inside) = match mounted {
            Some((folder, inside)) => (folder, inside),
            None => match canonical.file_name() {
                Some(name) => (COMMAND_LINE, PathBuf::from(name)),
                None => {
                    self.leave_out(file, "is a folder".to_owned());
                    return None;
                }
            },
        };
        match virtual_path(folder, &inside) {
            Ok(path) => Some(path),
            Err(message) => {
                self.leave_out(file, message);
                None
            }
        }
    }

    /// Collects the tool files of a mount.
    fn mount(&mut self, mount: &Mount, files: &mut BTreeMap<(u8, String), PathBuf>) {
        let root = match mount.folder.canonicalize() {
            Ok(root) if root.is_dir() => root,
            Ok(_) => return self.missing_mount(mount, "is not a folder"),
            Err(error) => return self.missing_mount(mount, &format!("cannot be read: {error}")),
        };
        self.folder(mount, &root, &mount.folder, 0, files);
    }

    fn missing_mount(&mut self, mount: &Mount, what: &str) {
        self.found.missing = true;
        self.found.unread.push(mount.path.clone());
        let message = format!(
            "the folder of mount `{}`, {}, {what}",
            mount.path,
            mount.folder.display()
        );
        let diagnostic = Diagnostic::error(message).place(mount.place.clone());
        self.found.diagnostics.push(diagnostic);
    }

    /// Collects the tool files of a folder in the mount whose canonical folder is `root`.
    fn folder(
        &mut self,
        mount: &Mount,
        root: &Path,
        folder: &Path,
        depth: usize,
        files: &mut BTreeMap<(u8, String), PathBuf>,
    ) {
        if depth > DEEPEST {
            return self.leave_out(folder, format!("more than {DEEPEST} folders deep"));
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                let inside = folder.strip_prefix(&mount.folder).unwrap_or(folder);
                let unread = virtual_path(&mount.path, inside);
                self.found.unread.extend(unread);
                return self.leave_out(folder, format!("the folder cannot be read: {error}"));
            }
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.leave_out(folder, format!("the folder cannot be read: {error}"));
                    continue;
                }
            };
            // A name that starts with a dot is an editor's or a tool's own.
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let file = entry.path();
            let is_tool = file.extension().is_some_and(|extension| {
                extension == EXTENSION || extension == COMPONENT_EXTENSION
            });
            let kind = match entry.file_type() {
                Ok(kind) => kind,
                Err(error) => {
                    self.leave_out(&file, format!("cannot be read: {error}"));
                    continue;
                }
            };
            if kind.is_symlink() {
                // A link to a folder could lead in circles, and one out of the mount would
                // lend the mount's grants to whatever is there.
                let inside = file
                    .canonicalize()
                    .is_ok_and(|target| target.starts_with(root) && target.is_file());
                if is_tool && !inside {
                    self.leave_out(
                        &file,
                        "a symbolic link that does not lead to a file of this mount".to_owned(),
                    );
                }
                if !(is_tool && inside) {
                    continue;
                }
            } else if kind.is_dir() {
                self.folder(mount, root, &file, depth + 1, files);
                continue;
            } else if !(is_tool && kind.is_file()) {
                continue;
            }
            let inside = file.strip_prefix(&mount.folder).unwrap_or(&file);
            match virtual_path(&mount.path, inside) {
                Ok(path) => {
                    files.insert((rank(&path), path), file);
                }
                Err(message) => self.leave_out(&file, message),
            }
        }
    }

    /// Reads a tool file from the command line.
    fn read_named(&mut self, path: String, file: &Path) {
        let before = self.found.sources.len();
        self.read(path, file);
        if self.found.sources.len() == before {
            self.found.missing = true;
        }
    }

    /// Reads one tool file.
    fn read(&mut self, path: String, file: &Path) {
        match read_source(file) {
            Ok((text, component)) => self.found.sources.push(Source {
                path,
                origin: shown(file),
                text,
                component,
            }),
            Err(message) => {
                // A file that is not there at all has no path.
                if !path.is_empty() {
                    self.found.unread.push(path);
                }
                self.leave_out(file, message);
            }
        }
    }
}

/// A file as messages call it: relative to the working directory where it is below it.
#[must_use]
pub fn shown(file: &Path) -> String {
    // Taking the components apart drops a `.` between them.
    let file: PathBuf = file.components().collect();
    let here = std::env::current_dir().ok();
    let short = here.as_ref().and_then(|here| file.strip_prefix(here).ok());
    short.unwrap_or(&file).display().to_string()
}

/// The text of a tool file or its component, or what is wrong with it.
fn read_source(file: &Path) -> Result<(String, Option<Component>), String> {
    let open = files::open_regular(file)?;
    if file.extension().is_none_or(|e| e != COMPONENT_EXTENSION) {
        return Ok((files::read_text(open, LARGEST_SOURCE, "a tool file")?, None));
    }
    let wasm = files::read_bytes(open, LARGEST_COMPONENT, "a component")?;
    let provided = Provided::new(wasm).map_err(|reason| format!("not a component: {reason}"))?;
    let signature = signing::file_of(file);
    let signature = match signature.exists() {
        false => None,
        true => {
            let open = files::open_regular(&signature);
            let text = open.and_then(|o| files::read_text(o, signing::LARGEST_FILE, "a signature"));
            Some(text.map_err(|reason| format!("its signature {reason}"))?)
        }
    };
    let component = Component {
        provided: Arc::new(provided),
        signature,
    };
    Ok((String::new(), Some(component)))
}

/// `inside` below the virtual `folder`.
fn virtual_path(folder: &str, inside: &Path) -> Result<String, String> {
    let mut path = folder.to_owned();
    for component in inside.components() {
        let Part::Normal(name) = component else {
            return Err("the path has parts that are no names".to_owned());
        };
        match name.to_str() {
            Some(name)
                if !name
                    .chars()
                    .any(|character| character.is_control() || character == '\\') =>
            {
                path.push('/');
                path.push_str(name);
            }
            _ => return Err("the name has characters that a virtual path cannot have".to_owned()),
        }
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder =
                std::env::temp_dir().join(format!("holm-scan-{name}-{}", std::process::id()));
            drop(fs::remove_dir_all(&folder));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
            let file = self.0.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, bytes).unwrap();
            file
        }

        fn mount(&self, path: &str, folder: &str) -> Mount {
            Mount {
                path: path.to_owned(),
                folder: self.0.join(folder),
                place: Place::at("holm.toml", 2, 1),
            }
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            drop(fs::remove_dir_all(&self.0));
        }
    }

    fn paths(found: &Found) -> Vec<&str> {
        found
            .sources
            .iter()
            .map(|source| source.path.as_str())
            .collect()
    }

    #[test]
    fn mounts_are_read_recursively_in_a_fixed_order() {
        let folder = Folder::new("order");
        for name in [
            "shared/b.scm",
            "shared/a.scm",
            "shared/sub/c.scm",
            "shared/notes.txt",
            "shared/.#a.scm",
            "shared/.git/x.scm",
            "home/a.scm",
            "zoo/a.scm",
        ] {
            folder.write(name, b"()");
        }
        let mounts = [
            folder.mount("/tools/animals", "zoo"),
            folder.mount("/tools/home/ada", "home"),
            folder.mount("/tools/shared", "shared"),
        ];
        let found = scan(&mounts, &[]);
        assert_eq!(
            paths(&found),
            [
                "/tools/shared/a.scm",
                "/tools/shared/b.scm",
                "/tools/shared/sub/c.scm",
                "/tools/home/ada/a.scm",
                "/tools/animals/a.scm",
            ]
        );
        assert!(found.diagnostics.is_empty());
    }

    #[test]
    fn a_named_file_comes_last_and_is_read_once() {
        let folder = Folder::new("named");
        folder.write("tools/a.scm", b"()");
        let b = folder.write("tools/b.scm", b"()");
        let outside = folder.write("elsewhere/x.scm", b"()");
        let found = scan(
            &[folder.mount("/tools/home/ada", "tools")],
            &[b.clone(), outside, b],
        );
        assert_eq!(
            paths(&found),
            [
                "/tools/home/ada/a.scm",
                "/tools/home/ada/b.scm",
                "/tools/command-line/x.scm"
            ]
        );
        assert_eq!(found.diagnostics.len(), 1);
        assert!(!found.missing);
    }

    #[test]
    fn what_cannot_be_used_is_reported_and_hides_nothing() {
        let folder = Folder::new("bad");
        folder.write("tools/a.scm", b"()");
        folder.write("tools/latin.scm", b"(\xff)");
        folder.write(
            "tools/large.scm",
            &vec![b' '; usize::try_from(LARGEST_SOURCE).unwrap() + 1],
        );
        let mounts = [
            folder.mount("/tools/home", "missing"),
            folder.mount("/tools/shared", "tools"),
        ];
        let found = scan(&mounts, &[folder.0.join("nothing.scm")]);
        assert_eq!(paths(&found), ["/tools/shared/a.scm"]);
        assert!(found.missing);
        let messages: Vec<_> = found.diagnostics.iter().map(ToString::to_string).collect();
        assert_eq!(messages.len(), 4, "{messages:#?}");
        assert!(messages.iter().any(|message| {
            message.starts_with("holm.toml:2:1: the folder of mount `/tools/home`")
        }));
        assert!(
            messages
                .iter()
                .any(|message| message.contains("not UTF-8: the byte at offset 1"))
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_mount_are_not_followed() {
        use std::os::unix::fs::symlink;
        let folder = Folder::new("links");
        let outside = folder.write("secret/x.scm", b"()");
        let inside = folder.write("tools/a.scm", b"()");
        symlink(outside, folder.0.join("tools/out.scm")).unwrap();
        symlink(inside, folder.0.join("tools/in.scm")).unwrap();
        symlink(folder.0.join("secret"), folder.0.join("tools/folder")).unwrap();
        symlink("..", folder.0.join("tools/circle")).unwrap();
        let found = scan(&[folder.mount("/tools/shared", "tools")], &[]);
        assert_eq!(
            paths(&found),
            ["/tools/shared/a.scm", "/tools/shared/in.scm"]
        );
        assert_eq!(found.diagnostics.len(), 1, "{:?}", found.diagnostics);
    }
}
