//! `[mount]`: folders of this machine, and the virtual paths they appear under.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::DeValue;

use super::document::{Key, Reader};
use super::paths::{COMMAND_LINE, is_at_or_below, read_map};
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
    value: &Spanned<DeValue<'_>>,
    base: &Path,
) -> Vec<Mount> {
    let Some(table) = reader.table(at, value) else {
        return Vec::new();
    };
    let folders = read_map(reader, at, table, |reader, key, value| {
        reader.path(key, value, base, "write \".\" for the folder of this file")
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
        if is_at_or_below(path, COMMAND_LINE) {
            reader.error(
                &name.span(),
                &key,
                format!("`{COMMAND_LINE}` is for files from the command line"),
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
