//! Which files make up the configuration, and what each of them may decide.
//!
//! | there is | in force |
//! |---|---|
//! | `--config FILE` | that file alone, wherever it is and whoever wrote it: the user named it |
//! | the user's own file, `holm/holm.toml` in the folder for configurations | that file, with the next one as a local one over it |
//! | a `holm.toml` in this folder or one above it, and no file of the user's own | that file alone |
//!
//! A file that nobody named counts only if no other user can have written it. A local file
//! comes with whatever project one happens to be in, so it cannot give anything:
//!
//! | key of a local file | effect |
//! |---|---|
//! | `tools.include` | replaces the user's own list, but adds nothing to it |
//! | `tools.exclude`, `tools.exclude-categories` | added to the user's own lists |
//! | `mount` at or below `/tools/local` | added; no key above `/tools/local` reaches these files |
//! | everything else | none, with a warning |

use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::document::Key;
use super::paths::{LOCAL, is_at_or_below};
use super::{Config, FILE_NAME};
use crate::diagnostic::{Diagnostic, Place};
use crate::files;

/// Bytes of a configuration.
const LARGEST: u64 = 4 << 20;

/// Where the user's own configuration would be.
pub(super) fn users_own() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(base.join("holm").join(FILE_NAME))
}

/// Reads the files and puts them together.
pub(super) fn load(
    named: Option<&Path>,
    own: Option<&Path>,
    folder: &Path,
) -> Result<Config, Vec<Diagnostic>> {
    if let Some(file) = named {
        let text = read(file, &folder.join(file), true)?;
        return parse(file, &text, folder);
    }
    let own = own.filter(|file| file.exists());
    let found = find(folder).filter(|found| {
        own.is_none_or(|own| {
            let same = (own.canonicalize(), folder.join(found).canonicalize());
            !matches!(same, (Ok(own), Ok(found)) if own == found)
        })
    });
    match (own, found) {
        (None, None) => Ok(Config::default()),
        (Some(file), None) => parse(file, &read(file, file, false)?, folder),
        (None, Some(file)) => parse(&file, &read(&file, &folder.join(&file), false)?, folder),
        (Some(own), Some(local)) => {
            let mut config = parse(own, &read(own, own, false)?, folder)?;
            let text = read(&local, &folder.join(&local), false)?;
            let over = parse(&local, &text, folder)?;
            lay(&mut config, over, &local, &text);
            Ok(config)
        }
    }
}

fn parse(file: &Path, text: &str, folder: &Path) -> Result<Config, Vec<Diagnostic>> {
    // The folder of a path without one is the working directory.
    let base = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .map_or_else(|| folder.to_owned(), |parent| folder.join(parent));
    let mut config = Config::parse(&file.display().to_string(), text, &base)?;
    config.file = Some(file.to_owned());
    Ok(config)
}

/// The text of a configuration. One that the user did not name may be a stranger's.
fn read(shown: &Path, file: &Path, named: bool) -> Result<String, Vec<Diagnostic>> {
    let name = shown.display().to_string();
    let refuse = |message: String, hint: String| {
        vec![
            Diagnostic::error(message)
                .place(Place::file(&name))
                .hint(hint),
        ]
    };
    let unreadable = |reason: String| {
        let hint = "`holm init` writes a commented one";
        refuse(format!("the configuration {reason}"), hint.to_owned())
    };
    let open = files::open_regular(file).map_err(unreadable)?;
    if !named {
        let metadata = open
            .metadata()
            .map_err(|error| unreadable(format!("cannot be read: {error}")))?;
        if let Some(reason) = files::foreign(&metadata) {
            let hint = format!(
                "if you trust it, name it: `--config {name}`; else make it yours (`chown`, `chmod go-w`)"
            );
            return Err(refuse(
                format!("the configuration {reason}, and decides what tools may reach"),
                hint,
            ));
        }
    }
    files::read_text(open, LARGEST, "a configuration").map_err(unreadable)
}

/// The nearest configuration at `folder` or above it.
fn find(folder: &Path) -> Option<PathBuf> {
    let found = folder
        .ancestors()
        .map(|ancestor| ancestor.join(FILE_NAME))
        .find(|candidate| candidate.exists())?;
    // The shorter name reads better in every message.
    match found.strip_prefix(folder) {
        Ok(short) => Some(short.to_owned()),
        Err(_) => Some(found),
    }
}

/// Lays a local configuration over `config`.
fn lay(config: &mut Config, local: Config, file: &Path, text: &str) {
    let own = config.name();
    let name = file.display().to_string();
    config.warnings.extend(local.warnings);
    for (key, place) in powerless(text, &name) {
        config.warnings.push(
            Diagnostic::warning(format!(
                "`{key}`: a local configuration does not decide this"
            ))
            .place(place)
            .hint(format!(
                "write it into {own}, or take this file alone: `--config {name}`"
            )),
        );
    }
    for mount in local.mounts {
        let inside = is_at_or_below(&mount.path, LOCAL);
        let taken = config.mounts.iter().any(|other| {
            is_at_or_below(&other.path, &mount.path) || is_at_or_below(&mount.path, &other.path)
        });
        if inside && !taken {
            config.mounts.push(mount);
            continue;
        }
        let why = if inside {
            format!("{own} has that path already")
        } else {
            format!("a local configuration mounts below `{LOCAL}` only")
        };
        config.warnings.push(
            Diagnostic::warning(format!("the mount `{}` is left out: {why}", mount.path))
                .place(mount.place)
                .hint(format!("mount the folder at \"{LOCAL}\"")),
        );
    }
    config.mounts.sort_by(|a, b| a.path.cmp(&b.path));
    let filter = &mut config.tools.filter;
    if let Some(mut names) = local.tools.filter.include {
        if let Some(included) = &filter.include {
            names.retain(|name| included.contains(name));
            for named in &local.tools.named {
                let listed = named.key == "tools.include";
                if listed && !included.contains(&named.text) {
                    config.warnings.push(
                        Diagnostic::warning(format!(
                            "`{}`: {own} does not include `{}`",
                            named.key, named.text
                        ))
                        .place(named.place.clone()),
                    );
                }
            }
        }
        filter.include = Some(names);
        config
            .tools
            .named
            .retain(|named| named.key != "tools.include");
    }
    config.tools.named.extend(local.tools.named);
    for name in local.tools.filter.exclude {
        if !filter.exclude.contains(&name) {
            filter.exclude.push(name);
        }
    }
    for category in local.tools.filter.exclude_categories {
        if !filter.exclude_categories.contains(&category) {
            filter.exclude_categories.push(category);
        }
    }
}

/// The keys of a local configuration that have no effect, with their places.
fn powerless(text: &str, name: &str) -> Vec<(String, Place)> {
    let (document, _) = DeTable::parse_recoverable(text);
    let root = Key::root();
    let mut keys = Vec::new();
    for (top, value) in document.get_ref() {
        let key = root.child(top.get_ref());
        let place = |start: usize| Place::of_offset(name, text, start);
        match (top.get_ref().as_ref(), value.get_ref()) {
            ("mount", _) => {}
            ("tools", DeValue::Table(table)) => {
                for (inner, _) in table {
                    let effective = matches!(
                        inner.get_ref().as_ref(),
                        "include" | "exclude" | "exclude-categories" | "exclude_categories"
                    );
                    if !effective {
                        let key = key.child(inner.get_ref());
                        keys.push((key.as_str().to_owned(), place(inner.span().start)));
                    }
                }
            }
            _ => keys.push((key.as_str().to_owned(), place(top.span().start))),
        }
    }
    keys.sort_by_key(|(_, place)| place.position);
    keys
}
