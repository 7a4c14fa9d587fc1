//! Which entry of a table keyed by tool path applies to a tool file.
//!
//! `tiers`, `http.allow`, `env`, `state` and `limits` all resolve through [`resolve`].
//!
//! | key | covers |
//! |---|---|
//! | `/tools/shared` | everything under that folder, or exactly that file |
//! | `/tools/shared/` | everything under that folder |
//! | `/tools/shared/a.scm` | that file |
//! | `/` | every file |
//!
//! Whole components are compared, with regard to case: `/tools/shared/a` does not cover
//! `/tools/shared/abc.scm`. The longest key wins, so an exact file beats its folder. A key or
//! a path that is not absolute, or that has an empty, `.` or `..` component, matches
//! nothing: it may name another file than it shows.
//!
//! ```
//! use holm::grants::resolve;
//!
//! let tiers = [("/tools", 1), ("/tools/shared/", 2), ("/tools/shared/a.scm", 3)];
//! let tier = |path| resolve(tiers.iter().map(|(key, tier)| (*key, tier)), path);
//! assert_eq!(tier("/tools/x.scm"), Some(("/tools", &1)));
//! assert_eq!(tier("/tools/shared/b.scm"), Some(("/tools/shared/", &2)));
//! assert_eq!(tier("/tools/shared/a.scm"), Some(("/tools/shared/a.scm", &3)));
//! assert_eq!(tier("/toolsets/x.scm"), None);
//! ```

/// The entry whose key is the longest that covers `path`, with that key.
///
/// Two spellings of one key (`/tools` and `/tools/`) should not both be in a table; if
/// they are, the first of them applies. [`canonical_key`] finds them.
pub fn resolve<'a, T: ?Sized>(
    map: impl IntoIterator<Item = (&'a str, &'a T)>,
    path: &str,
) -> Option<(&'a str, &'a T)> {
    let path = components(path.strip_prefix('/')?)?;
    let mut best: Option<(usize, (&'a str, &'a T))> = None;
    for (key, value) in map {
        let Some(length) = covered(key, &path) else {
            continue;
        };
        if best.as_ref().is_none_or(|(longest, _)| length > *longest) {
            best = Some((length, (key, value)));
        }
    }
    best.map(|(_, entry)| entry)
}

/// The keys that cover `path`, longest first, in each spelling that a folder can have: what to look for in a
/// table that is sorted or hashed, in place of asking [`resolve`] about all of it.
///
/// ```
/// use holm::grants::covering_keys;
///
/// let keys: Vec<&str> = covering_keys("/tools/a.scm").collect();
/// assert_eq!(keys, ["/tools/a.scm", "/tools", "/tools/", "/"]);
/// assert_eq!(covering_keys("/tools/../a.scm").count(), 0);
/// ```
pub fn covering_keys(path: &str) -> impl Iterator<Item = &str> {
    let good = path.strip_prefix('/').and_then(components).is_some();
    let path = if good { path } else { "" };
    let folders = path.rmatch_indices('/').flat_map(move |(at, _)| {
        // The root has one spelling.
        let bare = (at > 0).then(|| &path[..at]);
        bare.into_iter().chain([&path[..=at]])
    });
    good.then_some(path).into_iter().chain(folders)
}

/// A key in the spelling in which two keys for the same files are equal; `None` if the
/// key covers nothing.
pub fn canonical_key(key: &str) -> Option<&str> {
    if key == "/" {
        return Some(key);
    }
    let canonical = key.strip_suffix('/').unwrap_or(key);
    components(canonical.strip_prefix('/')?).map(|_| canonical)
}

/// The number of components of `key`, if it covers `path`.
fn covered(key: &str, path: &[&str]) -> Option<usize> {
    if key == "/" {
        return Some(0);
    }
    let (folder, only_folder) = match key.strip_suffix('/') {
        Some(folder) => (folder, true),
        None => (key, false),
    };
    let folder = components(folder.strip_prefix('/')?)?;
    let covers = path.starts_with(&folder) && !(only_folder && folder.len() == path.len());
    covers.then_some(folder.len())
}

fn components(text: &str) -> Option<Vec<&str>> {
    text.split('/')
        .map(|component| (!matches!(component, "" | "." | "..")).then_some(component))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key<'a>(keys: &'a [&'a str], path: &str) -> Option<&'a str> {
        resolve(keys.iter().map(|key| (*key, key)), path).map(|(key, _)| key)
    }

    #[test]
    fn the_longest_key_of_whole_components_applies() {
        let keys = [
            "/tools/shared/a",
            "/",
            "/tools/",
            "/tools/shared",
            "/tools/shared/x.scm",
        ];
        for (path, expected) in [
            ("/tools/shared/abc.scm", Some("/tools/shared")),
            ("/tools/shared/a/b.scm", Some("/tools/shared/a")),
            ("/tools/shared/a", Some("/tools/shared/a")),
            ("/tools/shared/x.scm", Some("/tools/shared/x.scm")),
            ("/tools/y.scm", Some("/tools/")),
            ("/tools", Some("/")),
            ("/toolsy/z.scm", Some("/")),
            ("/Tools/y.scm", Some("/")),
        ] {
            assert_eq!(key(&keys, path), expected, "{path}");
        }
    }

    #[test]
    fn what_may_name_another_file_matches_nothing() {
        for path in [
            "",
            "/",
            "tools/a.scm",
            "/tools/../a.scm",
            "/tools//a.scm",
            "/tools/./a.scm",
            "/tools/a.scm/",
        ] {
            assert_eq!(key(&["/", "/tools"], path), None, "{path:?}");
        }
        for bad in ["", "tools", "//", "/tools//", "/tools/../", "/./"] {
            assert_eq!(key(&[bad], "/tools/a.scm"), None, "{bad:?}");
            assert_eq!(canonical_key(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn two_spellings_of_a_key_are_found() {
        assert_eq!(canonical_key("/tools/"), canonical_key("/tools"));
        assert_eq!(canonical_key("/"), Some("/"));
    }
}
