//! A folder with tools, and the real command in it.

use super::Failed;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A project of its own, gone when it is dropped.
pub(crate) struct Project {
    folder: PathBuf,
    cache: PathBuf,
}

impl Project {
    /// A folder whose `tools` are mounted at `/tools/shared`; compiled code is kept in `cache`.
    pub(crate) fn new(tools: &[(&str, &str)], cache: &Path) -> Result<Self, Failed> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!(
            "bench-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(folder.join("tools"))?;
        std::fs::write(
            folder.join("holm.toml"),
            "[mount]\n\"/tools/shared\" = \"tools\"\n",
        )?;
        for (name, body) in tools {
            let text = format!("(define-tool {name} {body})\n");
            std::fs::write(folder.join("tools").join(format!("{name}.scm")), text)?;
        }
        Ok(Self {
            folder,
            cache: cache.to_owned(),
        })
    }

    /// `holm` in this folder, with nobody's configuration but its own.
    pub(crate) fn holm(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_holm"));
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env("XDG_CACHE_HOME", &self.cache)
            .env("XDG_CONFIG_HOME", self.folder.join("config"))
            .env("XDG_STATE_HOME", self.folder.join("state"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

/// Where the benchmarks keep compiled code from one run to the next.
pub(crate) fn kept_cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-cache")
}
