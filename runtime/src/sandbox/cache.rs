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
//!    following a link, and it is that open file whose checksum is taken and which is then
//!    mapped: no other file can come between check and use;
//! 3. the contents end with their length and their CRC-32, so a damaged or half-written file is
//!    seen; files are written aside and renamed and never changed in place, so a reader never
//!    meets half of one, and what is mapped stays what it was for as long as the process lives.
//!    Only this user could change the file under the mapping, and has this process's rights anyway;
//! 4. the name is a hash of the guest, the capabilities, this code and everything that
//!    wasmtime calls relevant for compatibility (its version, target, flags and
//!    features); wasmtime checks the latter again in the file itself.
//!
//! A digest, or a hash keyed with a secret, would add nothing but time: the key would lie beside the
//! files, and someone who can write one there can write the other, and has this user's rights
//! already. Anything that fails a check is as good as no file: holm compiles again.
//! Where files have no Unix owner the cache is off, since 1 cannot be checked.

use crate::files::private;
use crate::hex;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use wasmtime::Engine;
use wasmtime::component::Component;

/// Marks the format of a file: changed when the layout below changes.
const MAGIC: &[u8; 16] = b"holm compiled 3\n";
/// Length and CRC-32 of what stands before them, four zeros, and the magic. They stand at the end, since
/// wasmtime maps a file from its start.
const FOOTER: usize = 8 + 4 + 4 + MAGIC.len();

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
    feed.write(MAGIC);
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
        let Some(mut file) = private::open(&path).map_err(error)? else {
            return Ok(None);
        };
        match is_whole(&mut file) {
            Ok(true) => {}
            Ok(false) => return Err(error("damaged".to_owned())),
            Err(problem) => return Err(error(problem.to_string())),
        }
        mapped(engine, &file)
            .or_else(|| Some(copied(engine, &mut file)))
            .transpose()
            .map_err(|e| error(e.to_string()))
    }

    /// Keeps a component under `key`.
    pub(super) fn put(&self, key: &str, component: &Component) -> Result<(), CacheError> {
        let path = self.path(key);
        let error = |reason: String| CacheError {
            path: path.clone(),
            reason,
        };
        let code = component.serialize().map_err(|e| error(e.to_string()))?;
        let footer = footer(code.len() as u64, crc32fast::hash(&code));
        private::write(&path, &[&code, &footer]).map_err(error)
    }
}

/// What stands at the end of a file.
fn footer(length: u64, sum: u32) -> Vec<u8> {
    [
        &length.to_le_bytes()[..],
        &sum.to_le_bytes(),
        &[0; 4],
        MAGIC,
    ]
    .concat()
}

/// Whether the checksum of a file holds.
fn is_whole(file: &mut File) -> io::Result<bool> {
    let length = file.metadata()?.len();
    let Some(code) = length.checked_sub(FOOTER as u64) else {
        return Ok(false);
    };
    let mut sum = crc32fast::Hasher::new();
    let mut piece = vec![0; 64 << 10];
    let mut rest = Read::by_ref(file).take(code);
    loop {
        match rest.read(&mut piece)? {
            0 => break,
            n => sum.update(piece.get(..n).unwrap_or_default()),
        }
    }
    let mut end = [0; FOOTER];
    file.read_exact(&mut end)?;
    Ok(end[..] == footer(code, sum.finalize()))
}

/// The component in an open file, mapped: nothing is copied, and what is not touched is not read.
/// `None` where the system has no name for an open file.
fn mapped(engine: &Engine, file: &File) -> Option<wasmtime::Result<Component>> {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        if Path::new(&path).exists() {
            #[expect(unsafe_code, reason = "wasmtime has no other way")]
            // SAFETY: see the module's documentation: only this user can have written the
            // file, it is what `Component::serialize` gave, and nobody changes it in place.
            return Some(unsafe { Component::deserialize_file(engine, path) });
        }
    }
    let _ = (engine, file);
    None
}

/// The component in an open file, read into memory.
fn copied(engine: &Engine, file: &mut File) -> wasmtime::Result<Component> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    #[expect(unsafe_code, reason = "wasmtime has no other way")]
    // SAFETY: see the module's documentation: only this user can have written the
    // bytes, and they are what `Component::serialize` gave.
    unsafe {
        Component::deserialize(engine, bytes)
    }
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
        let mut file = private::open(&cache.path("k")).unwrap().unwrap();
        assert!(copied(&engine, &mut file).is_ok());
        #[cfg(target_os = "linux")]
        assert!(mapped(&engine, &file).unwrap().is_ok());
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
            good[..FOOTER].to_vec(),
            good[..good.len() - 1].to_vec(),
            good[1..].to_vec(),
        ];
        for at in [0, good.len() / 2, good.len() - FOOTER, good.len() - 1] {
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
