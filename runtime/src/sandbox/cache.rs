//! Compiled code on disk, so that only the first run on a machine compiles.
//!
//! # Why the `unsafe` here is sound
//!
//! Deserialising runs whatever code the file holds, with this process's rights. So a
//! file counts only if nobody but this user can have written it, and only the bytes
//! that were checked are used:
//!
//! 1. the folder and the file belong to the effective user and no one else has any
//!    right to them (0700 and 0600), so only this user, or root, wrote them;
//! 2. owner and mode are read from the *opened* file, which is opened without
//!    following a link, and its contents are read once into memory: there is no
//!    moment between check and use;
//! 3. the contents start with their own SHA-256, so a damaged or half-written file is
//!    seen; files are written aside and renamed, so a reader never meets half of one;
//! 4. the name is a hash of the guest, the capabilities, this code and everything that
//!    wasmtime calls relevant for compatibility (its version, target, flags and
//!    features); wasmtime checks the latter again in the file itself.
//!
//! A hash keyed with a secret would add nothing: the key would lie beside the files,
//! and someone who can write one there can write the other, and has this user's rights
//! already. Anything that fails a check is as good as no file: holm compiles again.
//! Where files have no Unix owner the cache is off, since 1 cannot be checked.

use crate::files::private;
use crate::hex;
use sha2::{Digest, Sha256};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use wasmtime::Engine;
use wasmtime::component::Component;

/// Marks the format of a file: changed when the layout below changes.
const MAGIC: &[u8; 16] = b"holm compiled 1\n";
/// Magic and SHA-256.
const HEADER: usize = MAGIC.len() + 32;

/// A folder of compiled components.
#[derive(Debug, Clone)]
pub(super) struct Cache {
    folder: PathBuf,
}

/// Why a cache is not used or not written. The call works all the same.
#[derive(Debug)]
pub(super) struct CacheError {
    path: PathBuf,
    reason: String,
}

impl std::fmt::Display for CacheError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

/// Where compiled code goes when the configuration does not say: `holm` below
/// `$XDG_CACHE_HOME`, or below `~/.cache`. `None` without a home.
pub(super) fn default_folder() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(base.join("holm"))
}

/// A name for what `parts` and the engine compile to.
pub(super) fn key(engine: &Engine, parts: &[&[u8]]) -> String {
    struct Feed(Sha256);
    impl Hasher for Feed {
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
        fn finish(&self) -> u64 {
            0 // never asked: the digest is taken instead
        }
    }
    let mut feed = Feed(Sha256::new());
    for part in parts {
        (part.len() as u64).hash(&mut feed);
        feed.write(part);
    }
    engine.precompile_compatibility_hash().hash(&mut feed);
    hex::encode(&feed.0.finalize())
}

impl Cache {
    /// A cache in a folder of its own below `base`, created if need be.
    pub(super) fn open(base: &Path) -> Result<Self, CacheError> {
        let folder = base.join("compiled");
        private::folder(&folder).map_err(|reason| CacheError {
            path: folder.clone(),
            reason,
        })?;
        Ok(Self { folder })
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.bin"))
    }

    /// The component kept under `key`; `Ok(None)` when there is none.
    pub(super) fn get(&self, engine: &Engine, key: &str) -> Result<Option<Component>, CacheError> {
        let path = self.path(key);
        let error = |reason: String| CacheError {
            path: path.clone(),
            reason,
        };
        let Some(bytes) = private::read(&path).map_err(error)? else {
            return Ok(None);
        };
        let code = verified(&bytes).ok_or_else(|| error("damaged".to_owned()))?;
        #[expect(unsafe_code, reason = "wasmtime has no other way")]
        // SAFETY: see the module's documentation: only this user can have written the
        // bytes, they are what `Component::serialize` gave, and they are in memory.
        let component = unsafe { Component::deserialize(engine, code) };
        component.map(Some).map_err(|e| error(e.to_string()))
    }

    /// Keeps a component under `key`.
    pub(super) fn put(&self, key: &str, component: &Component) -> Result<(), CacheError> {
        let path = self.path(key);
        let error = |reason: String| CacheError {
            path: path.clone(),
            reason,
        };
        let code = component.serialize().map_err(|e| error(e.to_string()))?;
        private::write(&path, &[MAGIC, &Sha256::digest(&code), &code]).map_err(error)
    }
}

/// The code of a file whose checksum holds.
fn verified(bytes: &[u8]) -> Option<&[u8]> {
    let (header, code) = bytes.split_at_checked(HEADER)?;
    let (magic, sum) = header.split_at_checked(MAGIC.len())?;
    (magic == MAGIC && sum == Sha256::digest(code).as_slice()).then_some(code)
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)] // clippy knows only a plain `cfg(test)` as a test
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// An empty folder of this test's own, gone afterwards.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("holm-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    fn engine_and_component() -> (Engine, Component) {
        let engine = Engine::default();
        // The smallest component: a header and nothing in it.
        let component = Component::from_binary(&engine, b"\0asm\x0d\0\x01\0").unwrap();
        (engine, component)
    }

    #[test]
    fn what_was_kept_comes_back() {
        let scratch = Scratch::new("round-trip");
        let (engine, component) = engine_and_component();
        let cache = Cache::open(&scratch.0.join("new/folder")).unwrap();
        assert!(cache.get(&engine, "k").unwrap().is_none());
        cache.put("k", &component).unwrap();
        assert!(cache.get(&engine, "k").unwrap().is_some());
        // Over what is there already, as another process would.
        cache.put("k", &component).unwrap();
        let modes = [&cache.folder, &cache.path("k")]
            .map(|path| fs::metadata(path).unwrap().permissions().mode() & 0o777);
        assert_eq!(modes, [0o700, 0o600]);
        assert_eq!(fs::read_dir(&cache.folder).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_another_user_could_have_written_is_not_used() {
        let scratch = Scratch::new("modes");
        let (engine, component) = engine_and_component();
        let cache = Cache::open(&scratch.0).unwrap();
        cache.put("k", &component).unwrap();
        for mode in [0o620, 0o602, 0o640, 0o666] {
            set_mode(&cache.path("k"), mode);
            assert!(cache.get(&engine, "k").is_err(), "{mode:o}");
        }
        set_mode(&cache.path("k"), 0o600);
        assert!(cache.get(&engine, "k").unwrap().is_some());
        for mode in [0o770, 0o707, 0o755] {
            set_mode(&cache.folder, mode);
            assert!(Cache::open(&scratch.0).is_err(), "{mode:o}");
        }
    }

    #[test]
    fn a_link_is_not_followed() {
        let scratch = Scratch::new("links");
        let (engine, component) = engine_and_component();
        let cache = Cache::open(&scratch.0).unwrap();
        cache.put("real", &component).unwrap();
        symlink(cache.path("real"), cache.path("link")).unwrap();
        assert!(cache.get(&engine, "link").is_err());
        let base = scratch.0.join("elsewhere");
        fs::create_dir(&base).unwrap();
        symlink(&cache.folder, base.join("compiled")).unwrap();
        assert!(Cache::open(&base).is_err());
    }

    #[test]
    fn damage_is_seen_before_the_code_is_touched() {
        let scratch = Scratch::new("damage");
        let (engine, component) = engine_and_component();
        let cache = Cache::open(&scratch.0).unwrap();
        cache.put("k", &component).unwrap();
        let good = fs::read(cache.path("k")).unwrap();
        let mut cases = vec![
            Vec::new(),
            good[..HEADER].to_vec(),
            good[..good.len() - 1].to_vec(),
        ];
        for at in [0, MAGIC.len(), HEADER, good.len() - 1] {
            let mut bad = good.clone();
            bad[at] ^= 1;
            cases.push(bad);
        }
        for bad in cases {
            fs::write(cache.path("k"), &bad).unwrap();
            assert!(cache.get(&engine, "k").is_err());
        }
        fs::write(cache.path("k"), &good).unwrap();
        assert!(cache.get(&engine, "k").unwrap().is_some());
    }

    #[test]
    fn a_key_names_its_parts_and_the_engine() {
        let engine = Engine::default();
        let key_of = |parts: &[&str]| {
            key(
                &engine,
                &parts.iter().map(|part| part.as_bytes()).collect::<Vec<_>>(),
            )
        };
        assert_eq!(key_of(&["a", "b"]), key_of(&["a", "b"]));
        assert_ne!(key_of(&["a", "b"]), key_of(&["ab", ""]));
        let mut config = wasmtime::Config::new();
        config.epoch_interruption(true);
        let other = Engine::new(&config).unwrap();
        assert_ne!(key(&engine, &[b"a"]), key(&other, &[b"a"]));
    }
}
