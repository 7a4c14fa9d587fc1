//! What `call`, `list` and `check` have in common: configuration, sandbox, registry.

use std::path::Path;
use std::sync::Arc;

use tokio::runtime::Runtime;

use super::{Global, Printer};
use crate::audit::LOCK_FILE;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, Place};
use crate::grants::Consent;
use crate::registry::{Found, Registry};
use crate::sandbox::{Progress, Sandbox, SandboxOptions};

/// A configuration, and a sandbox to run tools in.
pub(super) struct Session {
    pub(super) config: Config,
    pub(super) runtime: Runtime,
    sandbox: Sandbox,
}

impl Session {
    /// Reads the configuration and starts the sandbox.
    ///
    /// # Errors
    ///
    /// What is wrong with the configuration or this machine.
    pub(super) fn open(global: &Global, printer: &Printer) -> Result<Self, Vec<Diagnostic>> {
        let folder = std::env::current_dir().map_err(|error| {
            vec![Diagnostic::error(format!(
                "the working directory cannot be read: {error}"
            ))]
        })?;
        let config = Config::load(global.config.as_deref(), &folder)?;
        for warning in &config.warnings {
            printer.brief(warning);
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|error| {
                vec![Diagnostic::error(format!(
                    "no threads to work with: {error}"
                ))]
            })?;
        let progress = printer.clone();
        let sandbox = Sandbox::new(SandboxOptions {
            cache_dir: config.cache_dir.clone(),
            consent: Arc::new(Consent::new(config.private.clone())),
            progress: Some(Arc::new(move |step| tell(&progress, &step))),
            ..SandboxOptions::default()
        })
        .map_err(|error| vec![Diagnostic::error(error.to_string())])?;
        Ok(Self {
            config,
            runtime,
            sandbox,
        })
    }

    /// Where the lock file is: beside the configuration.
    pub(super) fn lock_file(&self) -> std::path::PathBuf {
        let folder = self.config.file.as_deref().and_then(Path::parent);
        folder.map_or_else(|| LOCK_FILE.into(), |folder| folder.join(LOCK_FILE))
    }

    /// Refuses tools that are not as the lock file has them, where the configuration requires one.
    ///
    /// # Errors
    ///
    /// What differs, of the files in `registry` and of what all files share.
    pub(super) fn require_lock(&self, registry: &Registry) -> Result<(), Vec<Diagnostic>> {
        if !self.config.audit.require_lock {
            return Ok(());
        }
        let file = self.lock_file();
        let place = Place::file(file.display().to_string());
        let Some(lock) = super::audit::read_lock(&file)? else {
            let problem =
                Diagnostic::error("`audit.require-lock` is set and there is no lock file")
                    .place(place)
                    .hint("`holm audit --lock` writes it, after a review");
            return Err(vec![problem]);
        };
        let now = super::audit::lock(self, registry)?;
        let loaded = |path: &str| registry.files().iter().any(|f| f.source.path == path);
        let mut changes = lock.changes(&now);
        changes.retain(|change| change.path.as_deref().is_none_or(loaded));
        if changes.is_empty() {
            return Ok(());
        }
        Err(changes
            .iter()
            .map(|change| {
                let path = change.path.as_deref().unwrap_or("all files");
                let message = format!("{path}: {}", change.message);
                Diagnostic::error(message)
                    .place(place.clone())
                    .hint("review it with `holm audit --locked`, agree with `holm audit --lock`")
            })
            .collect())
    }

    /// Loads tool files.
    pub(super) fn load(&self, found: Found) -> Arc<Registry> {
        let registry = Registry::load(&self.config, found, self.sandbox.clone());
        Arc::new(self.runtime.block_on(registry))
    }
}

/// Shows what the sandbox is busy with.
fn tell(printer: &Printer, step: &Progress) {
    match step {
        Progress::Compiling(capabilities) => {
            printer.progress(&format!(
                "compiling the guest ({capabilities}), once on this machine"
            ));
        }
        Progress::CacheUnused(reason) => {
            let warning = Diagnostic::warning(format!("compiled code is not kept: {reason}"));
            printer.brief(&warning.hint("name another folder with `[cache] dir`"));
        }
        _ => {}
    }
}
