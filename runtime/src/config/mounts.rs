//! `[mount]`: folders of this machine, and the virtual paths they appear under.

use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::document::{Key, Reader};
use super::paths::read_map;
use crate::diagnostic::Place;

/// A mounted folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// The virtual path, without a slash at its end.
    pub path: String,
    /// The folder.
    pub folder: PathBuf,
    /// Where the mount is written down.
    pub place: Place,
}

/// Reads `[mount]`. Whether a folder is there is seen when it is read: a mount whose
/// folder is missing must not keep the others from working.
pub(super) fn read(
    reader: &mut Reader<'_>,
    at: &Key,
    table: &DeTable<'_>,
    base: &Path,
) -> Vec<Mount> {
    let folders = read_map(reader, at, table, |reader, key, value| {
        let folder = reader.string(key, value, "the path of a folder, relative to this file")?;
        if folder.is_empty() {
            reader.error(
                &value.span(),
                key,
                "the path is empty",
                "write \".\" for the folder of this file",
            );
            return None;
        }
        Some(base.join(folder))
    });
    let mounts: Vec<Mount> = folders
        .iter()
        .map(|entry| Mount {
            path: entry.path.trim_end_matches('/').to_owned(),
            folder: entry.value.clone(),
            place: entry.place.clone(),
        })
        .collect();
    for (name, _) in table {
        let path = name.get_ref().trim_end_matches('/');
        let key = at.child(name.get_ref());
        if path != "/tools" && !path.starts_with("/tools/") {
            reader.error(
                &name.span(),
                &key,
                "tool files live under `/tools`",
                "mount the folder under \"/tools/shared\", for example",
            );
        }
        // One virtual path must name one file.
        let inside = |mount: &&Mount| {
            path.strip_prefix(mount.path.as_str())
                .is_some_and(|rest| rest.starts_with('/'))
        };
        if let Some(outer) = mounts.iter().find(inside) {
            reader.error(
                &name.span(),
                &key,
                format!("this path is inside the mount `{}`", outer.path),
                "choose paths that do not contain each other",
            );
        }
    }
    mounts
}
