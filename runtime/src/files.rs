//! Opening files that somebody else may have put there, and keeping files that nobody
//! else may touch.

#![forbid(unsafe_code)]

use std::fs::{File, Metadata, OpenOptions};
use std::io::Read as _;
use std::path::Path;

/// Opens a regular file to read it. A device or a pipe is refused without waiting for
/// it: reading one may never end, or take from somebody else.
pub(crate) fn open_regular(path: &Path) -> Result<File, String> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // Without it, opening a pipe waits until someone writes to it.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let cannot = |error| format!("cannot be read: {error}");
    let file = options.open(path).map_err(cannot)?;
    let kind = file.metadata().map_err(cannot)?.file_type();
    if kind.is_file() {
        Ok(file)
    } else if kind.is_dir() {
        Err("is a folder".to_owned())
    } else {
        Err("is not a regular file".to_owned())
    }
}

/// The contents of an open file of at most `most` bytes.
pub(crate) fn read_bytes(file: File, most: u64, what: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot be read: {error}"))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > most) {
        return Err(format!("larger than {most} bytes, the most of {what}"));
    }
    Ok(bytes)
}

/// The text of an open file of at most `most` bytes.
pub(crate) fn read_text(file: File, most: u64, what: &str) -> Result<String, String> {
    String::from_utf8(read_bytes(file, most, what)?).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        format!("not UTF-8: the byte at offset {good} does not belong to a character")
    })
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    crate::hex::encode(&sha2::Sha256::digest(bytes))
}

/// Why this file may be the work of another user; `None` when only this user and root can write it.
#[cfg(unix)]
pub(crate) fn foreign(metadata: &Metadata) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt as _;
    let owner = metadata.uid();
    if owner != 0 && owner != rustix::process::geteuid().as_raw() {
        return Some("belongs to another user");
    }
    if metadata.mode() & 0o002 != 0 {
        return Some("can be written by every user");
    }
    // Where every user has a group of their own, files are often open to it; its number is
    // then that of the user.
    if metadata.mode() & 0o020 != 0 && metadata.gid() != owner {
        return Some("can be written by its group");
    }
    None
}

/// Owners are not known here.
#[cfg(not(unix))]
pub(crate) fn foreign(_: &Metadata) -> Option<&'static str> {
    None
}

/// Files and folders that only this user can touch.
#[cfg(unix)]
pub(crate) mod private {
    use rustix::fs::OFlags;
    use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
    use std::io::{ErrorKind, Read, Write};
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
    use std::path::Path;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Says what is wrong when someone else could have written this.
    fn check(metadata: &Metadata) -> Result<(), String> {
        if metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err("belongs to another user".to_owned());
        }
        let mode = metadata.mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(format!("is open to other users (mode {mode:03o})"));
        }
        Ok(())
    }

    pub(crate) fn folder(path: &Path) -> Result<(), String> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|e| e.to_string())?;
        }
        match DirBuilder::new().mode(0o700).create(path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.to_string()),
            _ => {}
        }
        // Not `metadata`: a link to a good folder is someone's, and not a folder.
        let metadata = fs::symlink_metadata(path).map_err(|e| e.to_string())?;
        if !metadata.is_dir() {
            return Err("is not a folder".to_owned());
        }
        check(&metadata)
    }

    fn no_follow() -> i32 {
        OFlags::NOFOLLOW.bits().cast_signed()
    }

    /// Opens a file that only this user can have written; `None` when there is none.
    pub(crate) fn open(path: &Path) -> Result<Option<File>, String> {
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags(no_follow())
            .open(path);
        let file = match opened {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let metadata = file.metadata().map_err(|e| e.to_string())?;
        if !metadata.is_file() {
            return Err("is not a file".to_owned());
        }
        check(&metadata)?;
        Ok(Some(file))
    }

    pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
        let Some(mut file) = open(path)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        Ok(Some(bytes))
    }

    pub(crate) fn write(path: &Path, parts: &[&[u8]]) -> Result<(), String> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let aside = path.with_extension(format!(
            "{}-{}.tmp",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        ));
        let written = create(&aside).and_then(|mut file| {
            parts.iter().try_for_each(|part| file.write_all(part))?;
            fs::rename(&aside, path)
        });
        if written.is_err() {
            // Nothing more can be done about it, and a rest does no harm.
            let _ = fs::remove_file(&aside);
        }
        written.map_err(|e| e.to_string())
    }

    fn create(path: &Path) -> std::io::Result<File> {
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .custom_flags(no_follow())
            .open(path)
    }
}

#[cfg(not(unix))]
pub(crate) mod private {
    use std::path::Path;

    const OFF: &str = "compiled code is kept on Unix only";

    pub(crate) fn folder(_: &Path) -> Result<(), String> {
        Err(OFF.to_owned())
    }

    pub(crate) fn open(_: &Path) -> Result<Option<std::fs::File>, String> {
        Err(OFF.to_owned())
    }

    pub(crate) fn read(_: &Path) -> Result<Option<Vec<u8>>, String> {
        Err(OFF.to_owned())
    }

    pub(crate) fn write(_: &Path, _: &[&[u8]]) -> Result<(), String> {
        Err(OFF.to_owned())
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)] // clippy knows only a plain `cfg(test)` as a test
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn only_regular_files_are_opened() {
        let folder = std::env::temp_dir().join(format!("holm-files-{}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        fs::create_dir(&folder).unwrap();
        let file = folder.join("file");
        fs::write(&file, "text").unwrap();
        assert_eq!(
            read_text(open_regular(&file).unwrap(), 4, "a test").unwrap(),
            "text"
        );
        assert!(read_text(open_regular(&file).unwrap(), 3, "a test").is_err());
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap();
        assert!(made.success());
        for (wrong, message) in [
            (pipe.as_path(), "is not a regular file"),
            (Path::new("/dev/zero"), "is not a regular file"),
            (folder.as_path(), "is a folder"),
            (&folder.join("none"), "cannot be read: "),
        ] {
            let refused = open_regular(wrong).map(drop).unwrap_err();
            assert!(
                refused.starts_with(message),
                "{}: {refused}",
                wrong.display()
            );
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_others_can_write_is_foreign() {
        let file = std::env::temp_dir().join(format!("holm-foreign-{}", std::process::id()));
        fs::write(&file, "").unwrap();
        for (mode, expected) in [
            (0o600, None),
            (0o644, None),
            (0o646, Some("can be written by every user")),
            (0o666, Some("can be written by every user")),
        ] {
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            assert_eq!(foreign(&fs::metadata(&file).unwrap()), expected, "{mode:o}");
        }
        fs::remove_file(&file).unwrap();
    }
}
