//! What `call`, `list` and `check` have in common: configuration, sandbox, registry.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::runtime::Runtime;

use super::{Global, Printer};
use crate::audit::LOCK_FILE;
use crate::call_log::CallLog;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, Place};
use crate::egress::Client;
use crate::grants::Consent;
use crate::permissions::Approvals;
use crate::policy::{self, Skill, ToolPolicy};
use crate::registry::{Found, LiveRegistry, Registry, scan};
use crate::sandbox::{Progress, Sandbox, SandboxOptions};

/// A configuration, and a sandbox to run tools in.
pub(super) struct Session {
    pub(super) config: Arc<Config>,
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
        let mut config = configuration(global, printer)?;
        // One call, and files that load side by side: the rest of a server's places would only take time to reserve.
        let workers = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let places = u32::try_from(workers).unwrap_or(u32::MAX);
        config.concurrency.in_all = config.concurrency.in_all.min(places.max(2));
        Self::with(config, printer)
    }

    /// The same for a command that serves many calls at a time.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub(super) fn open_server(global: &Global, printer: &Printer) -> Result<Self, Vec<Diagnostic>> {
        Self::with(configuration(global, printer)?, printer)
    }

    fn with(config: Config, printer: &Printer) -> Result<Self, Vec<Diagnostic>> {
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
            concurrency: config.concurrency,
            consent: Arc::new(Consent::new(config.private.clone())),
            client: client(&config)?,
            progress: Some(Arc::new(move |step| tell(&progress, &step))),
        })
        .map_err(|error| vec![Diagnostic::error(error.to_string())])?;
        Ok(Self {
            config: Arc::new(config),
            runtime,
            sandbox,
        })
    }

    /// The tools of the configuration and of `files`, and what `skill` sees of them.
    ///
    /// # Errors
    ///
    /// As [`Self::open`], [`Self::require_lock`] and [`Self::policy`].
    pub(super) fn tools(
        global: &Global,
        printer: &Printer,
        files: &[PathBuf],
        skill: Option<&str>,
    ) -> Result<(Arc<Registry>, Arc<ToolPolicy>), Vec<Diagnostic>> {
        let session = Self::open(global, printer)?;
        let registry = session.load(scan(&session.config.mounts, files));
        session.require_lock(&registry)?;
        let policy = session.policy(&registry, skill, printer)?;
        session.tell_count(&registry, &policy, printer);
        Ok((registry, policy))
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

    /// What whoever runs the command may reach: as `[user]` says, narrowed by a skill.
    ///
    /// # Errors
    ///
    /// There is no such skill, or its file cannot be read.
    pub(super) fn policy(
        &self,
        registry: &Registry,
        skill: Option<&str>,
        printer: &Printer,
    ) -> Result<Arc<ToolPolicy>, Vec<Diagnostic>> {
        let skill = self.skill_in_force(skill)?;
        let policy = self.compute(registry, skill.as_ref());
        if let Some(skill) = &skill {
            for warning in policy.warnings() {
                let message = format!("skill `{}`: {warning}", skill.name);
                let place = Place::file(&skill.origin);
                printer.brief(&Diagnostic::warning(message).place(place));
            }
        }
        Ok(Arc::new(policy))
    }

    /// As [`Self::policy`], for a registry that has only some of the files: that a skill names a
    /// tool of another file is nothing to say.
    pub(super) fn policy_of_some(
        &self,
        registry: &Registry,
        skill: Option<&str>,
    ) -> Result<ToolPolicy, Vec<Diagnostic>> {
        let skill = self.skill_in_force(skill)?;
        Ok(self.compute(registry, skill.as_ref()))
    }

    /// What whoever runs the command may reach with no skill in force and no hook asked: what
    /// does not change from one moment to the next.
    pub(super) fn whole_policy(&self, registry: &Registry) -> ToolPolicy {
        registry.policy_before_hooks(&self.config, &self.config.user.name, None)
    }

    /// Tells how many of the tools a policy leaves, when a skill is in force.
    pub(super) fn tell_count(&self, registry: &Registry, policy: &ToolPolicy, printer: &Printer) {
        if policy.is_under_skill() {
            let all = self.whole_policy(registry);
            let (some, all) = (policy.names().len(), all.names().len());
            printer.note(&format!("the skill sees {some} of {all} tools"));
        }
    }

    fn compute(&self, registry: &Registry, skill: Option<&Skill>) -> ToolPolicy {
        let who = &self.config.user.name;
        self.runtime
            .block_on(registry.policy(&self.config, who, skill))
    }

    /// The skill that was named, or else that of `[user]`.
    fn skill_in_force(&self, named: Option<&str>) -> Result<Option<Skill>, Vec<Diagnostic>> {
        named
            .or(self.config.user.skill.as_deref())
            .map(|name| self.skill(name))
            .transpose()
            .map_err(|problem| vec![problem])
    }

    /// A skill by its name in the configuration, or by the path of its file.
    pub(super) fn skill(&self, name: &str) -> Result<Skill, Diagnostic> {
        let file = Path::new(name);
        let is_file = file
            .extension()
            .is_some_and(|ending| ["json", "md"].iter().any(|known| ending == *known));
        if !is_file || self.config.skills.iter().any(|skill| skill.name == name) {
            return Skill::of_config(&self.config, name);
        }
        match policy::read(file) {
            Ok(builder) => Ok(Skill {
                name: name.to_owned(),
                origin: name.to_owned(),
                selection: builder.build(),
            }),
            Err(message) => {
                Err(Diagnostic::error(format!("this is no skill: {message}"))
                    .place(Place::file(name)))
            }
        }
    }

    /// The log of calls: the file that was named, or else that of `[audit]`.
    ///
    /// # Errors
    ///
    /// It cannot be opened.
    pub(super) fn call_log(&self, named: Option<&Path>) -> Result<CallLog, Vec<Diagnostic>> {
        let Some(file) = named.or(self.config.audit.log.as_deref()) else {
            return Ok(CallLog::none());
        };
        CallLog::open(file).map_err(|error| {
            let message = format!("the log of calls cannot be opened: {error}");
            let place = Place::file(file.display().to_string());
            let hint = "name another file with `[audit] log`: no call runs without its record";
            vec![Diagnostic::error(message).place(place).hint(hint)]
        })
    }

    /// Loads tool files, to be followed as they change.
    pub(super) fn load_live(&self, files: Vec<PathBuf>) -> Arc<LiveRegistry> {
        let config = Arc::clone(&self.config);
        self.runtime
            .block_on(LiveRegistry::load(config, files, self.sandbox.clone()))
    }

    /// Loads tool files.
    pub(super) fn load(&self, found: Found) -> Arc<Registry> {
        let registry = Registry::load(&self.config, found, self.sandbox.clone());
        Arc::new(self.runtime.block_on(registry))
    }
}

/// Reads the configuration and tells its warnings.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn configuration(global: &Global, printer: &Printer) -> Result<Config, Vec<Diagnostic>> {
    let folder = std::env::current_dir().map_err(|error| {
        vec![Diagnostic::error(format!(
            "the working directory cannot be read: {error}"
        ))]
    })?;
    let config = Config::load(global.config.as_deref(), &folder)?;
    for warning in &config.warnings {
        printer.brief(warning);
    }
    Ok(config)
}

/// What was always approved under a configuration, or without one in the working directory.
pub(super) fn approvals(config: &Config) -> Option<Arc<Approvals>> {
    let under = config.file.clone().unwrap_or_else(|| PathBuf::from("."));
    Approvals::open(&under).map(Arc::new)
}

/// The HTTP client, where the configuration asks for another than the usual one.
fn client(config: &Config) -> Result<Option<Client>, Vec<Diagnostic>> {
    if config.extra_ca.is_empty() {
        return Ok(None);
    }
    let refuse = |file: &Path, reason: String| {
        vec![
            Diagnostic::error(format!("`network.extra-ca`: {}: {reason}", file.display()))
                .place(Place::file(config.name()))
                .hint("name a file of certificates in PEM, as `-----BEGIN CERTIFICATE-----`"),
        ]
    };
    let mut all = Vec::new();
    for file in &config.extra_ca {
        let pem = std::fs::read(file).map_err(|error| refuse(file, error.to_string()))?;
        // Each by itself, so that the error is of the right file.
        Client::with_extra_roots(&pem).map_err(|error| refuse(file, error.to_string()))?;
        if pem.is_empty() {
            return Err(refuse(file, "it is empty".to_owned()));
        }
        all.extend_from_slice(&pem);
        all.push(b'\n');
    }
    let client = Client::with_extra_roots(&all)
        .map_err(|error| vec![Diagnostic::error(error.to_string())])?;
    Ok(Some(client))
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
