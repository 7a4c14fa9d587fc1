//! `holm audit`: what can these tools reach, and is that what somebody agreed to?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use serde_json::json;

use super::build::write;
use super::session::Session;
use super::{ExitStatus, Global, Printer};
use crate::audit::{self, Change, Direction, Inputs, Lock, Report, Severity, Used};
use crate::config::{Config, HttpGrant, Principal};
use crate::diagnostic::{Diagnostic, Place};
use crate::files;
use crate::limits::LimitOverrides;
use crate::policy::ToolPolicy;
use crate::registry::{Registry, scan, scan_files};
use crate::visible;

/// Bytes of a component or an audit log that are read.
const LARGEST: u64 = 256 << 20;

/// Audits tools.
#[derive(Debug, clap::Args)]
pub(super) struct Audit {
    /// Tool files or components; without any, everything that is mounted
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write holm.lock, beside the configuration, after saying what changes
    #[arg(long, conflicts_with_all = ["locked", "files"])]
    lock: bool,
    /// Fail with exit code 3 if anything is not as holm.lock has it
    #[arg(long, conflicts_with = "files")]
    locked: bool,
    /// Fail with exit code 1 if a finding is this severe
    #[arg(long, value_name = "SEVERITY")]
    fail_on: Option<Severity>,
    /// An audit log, to say which grants were used
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Say what this skill can call: a name under `[skills]`, or a skill file
    #[arg(long, value_name = "SKILL", conflicts_with_all = ["lock", "locked"])]
    skill: Option<String>,
}

/// Forms of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people at a terminal
    Text,
    /// For programs; `--json` is the same
    Json,
    /// For a pull request
    Markdown,
    /// For code hosts
    Sarif,
}

impl Audit {
    /// Runs the command.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let is_component = |file: &PathBuf| file.extension().is_some_and(|e| e == "wasm");
        let (components, tools): (Vec<_>, Vec<_>) =
            self.files.iter().cloned().partition(is_component);
        if !components.is_empty() {
            if !tools.is_empty() {
                let message = "components and tool files are audited separately";
                return Err(vec![Diagnostic::error(message)]);
            }
            return self.components(global, printer, &components);
        }
        let session = Session::open(global, printer)?;
        let registry = session.load(match self.files.is_empty() {
            true => scan(&session.config.mounts, &[]),
            false => scan_files(&session.config.mounts, &self.files),
        });
        let mut failed = false;
        for problem in registry.diagnostics() {
            failed |= problem.is_error();
            printer.diagnostic(problem);
        }
        let used = self.log.as_deref().map(read_log).transpose()?;
        let policy = match &self.skill {
            Some(skill) => session.policy(&registry, Some(skill), printer)?,
            None => Arc::new(session.whole_policy(&registry)),
        };
        let skill = self.skill.as_deref();
        let report = report(&session, &registry, (skill, &policy), used.as_ref())?;
        let now = Lock::of(
            &report,
            skills(&session, &registry)?,
            principals(&session.config),
        );
        let lock_file = session.lock_file();
        let before = match (self.lock, self.locked) {
            (false, false) => None,
            _ => read_lock(&lock_file)?,
        };
        if self.locked && before.is_none() {
            return Err(vec![
                Diagnostic::error("there is no lock file")
                    .place(Place::file(lock_file.display().to_string()))
                    .hint("`holm audit --lock` writes it"),
            ]);
        }
        let changes = before.as_ref().map(|before| before.changes(&now));
        self.show(global, printer, &report, changes.as_deref());
        if self.lock && !failed {
            let text = now
                .text()
                .map_err(|e| vec![Diagnostic::error(e.to_string())])?;
            write(&lock_file, text.as_bytes())?;
            printer.note(&format!("wrote {}", lock_file.display()));
        }
        let severe = |severity| report.findings.iter().any(|f| f.severity >= severity);
        Ok(if failed {
            ExitStatus::ToolError
        } else if self.locked && changes.is_some_and(|changes| !changes.is_empty()) {
            ExitStatus::Refused
        } else if self.fail_on.is_some_and(severe) {
            ExitStatus::ToolError
        } else {
            ExitStatus::Success
        })
    }

    fn show(
        &self,
        global: &Global,
        printer: &Printer,
        report: &Report,
        changes: Option<&[Change]>,
    ) {
        match self.format {
            Format::Markdown => printer.data(audit::markdown(report, changes).trim_end()),
            Format::Sarif => printer.json(&audit::sarif(report)),
            Format::Text if !global.json => {
                printer.data(&audit::text(report));
                if let Some(changes) = changes {
                    told(printer, changes);
                }
            }
            Format::Text | Format::Json => {
                printer.json(&json!({ "report": report, "changes": changes }));
            }
        }
    }

    fn components(
        &self,
        global: &Global,
        printer: &Printer,
        files: &[PathBuf],
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let mut status = ExitStatus::Success;
        let mut all = Vec::new();
        for file in files {
            let bytes = read(file)?;
            match audit::component(&bytes) {
                Ok(component) => {
                    let severe =
                        |severity| component.imports.iter().any(|i| i.severity >= severity);
                    if self.fail_on.is_some_and(severe) {
                        status = ExitStatus::ToolError;
                    }
                    all.push((file, component));
                }
                Err(reason) => {
                    printer.diagnostic(&problem(file, reason));
                    status = ExitStatus::ToolError;
                }
            }
        }
        if global.json || self.format == Format::Json {
            let all: Vec<_> = all
                .iter()
                .map(|(file, component)| {
                    json!({ "file": file.display().to_string(), "component": component })
                })
                .collect();
            printer.json(&json!({ "components": all }));
            return Ok(status);
        }
        for (file, component) in &all {
            let mut lines = vec![format!(
                "{}  {} bytes  sha256 {}",
                visible::line(&file.display().to_string()),
                component.bytes,
                component.sha256.get(..16).unwrap_or_default()
            )];
            for import in &component.imports {
                lines.push(format!(
                    "  imports {}: {}",
                    visible::line(&import.interface),
                    import.allows
                ));
            }
            if component.imports.is_empty() {
                lines.push("  imports nothing: it reaches nothing".to_owned());
            }
            for export in &component.exports {
                lines.push(format!("  exports {}", visible::line(export)));
            }
            if let Some(manifest) = &component.manifest {
                lines.push(format!(
                    "  says that it was built from {} (sha256 {})",
                    visible::line(&manifest.file),
                    visible::line(manifest.source_sha256.get(..16).unwrap_or_default())
                ));
            }
            printer.data(&lines.join("\n"));
        }
        Ok(status)
    }
}

/// Changes on stderr, and what they come to.
fn told(printer: &Printer, changes: &[Change]) {
    if changes.is_empty() {
        printer.note("nothing changed since holm.lock");
        return;
    }
    printer.note(audit::changes(changes).trim_end());
    let grew = changes
        .iter()
        .filter(|change| change.direction == Direction::Grew)
        .count();
    printer.note(&format!(
        "{} changes since holm.lock, {grew} of them reach further",
        changes.len()
    ));
}

/// What a lock file written now would say.
pub(super) fn lock(session: &Session, registry: &Registry) -> Result<Lock, Vec<Diagnostic>> {
    // What a skill leaves out today may be called tomorrow.
    let policy = session.whole_policy(registry);
    let report = report(session, registry, (None, &policy), None)?;
    let skills = skills(session, registry)?;
    Ok(Lock::of(&report, skills, principals(&session.config)))
}

/// Every skill of the configuration, with the tools that it lets be called.
fn skills(
    session: &Session,
    registry: &Registry,
) -> Result<BTreeMap<String, Vec<String>>, Vec<Diagnostic>> {
    let config = &session.config;
    let mut skills = BTreeMap::new();
    for named in &config.skills {
        let skill = session
            .skill(&named.name)
            .map_err(|problem| vec![problem])?;
        let policy = registry.policy_before_hooks(config, &config.user.name, Some(&skill));
        let tools = policy.names().map(str::to_owned).collect();
        skills.insert(named.name.clone(), tools);
    }
    Ok(skills)
}

/// Every principal of the configuration, with what it is given of its own.
fn principals(config: &Config) -> BTreeMap<String, Vec<String>> {
    let given = |principal: &Principal| {
        // Without a skill nothing narrows what it may call, so losing one is growth.
        let skill = match &principal.skill {
            Some(skill) => format!("skill {skill}"),
            None => "no skill, so every tool".to_owned(),
        };
        let skill = std::iter::once(skill);
        let http = principal.http.iter().flat_map(|entry| match &entry.value {
            HttpGrant::TrustDeclared => vec![format!("{} trusts its declaration", entry.path)],
            HttpGrant::Prefixes(rules) => rules
                .iter()
                .map(|rule| {
                    let methods: Vec<&str> = rule.methods().into_iter().flatten().collect();
                    let methods = methods.join(",");
                    let reach = format!("{methods} {rule}");
                    format!("{} may reach {}", entry.path, reach.trim_start())
                })
                .collect(),
        });
        let env = principal.env.iter().flat_map(|entry| {
            let path = &entry.path;
            let names = entry.value.iter();
            names
                .map(move |name| format!("{path} sees {name}"))
                .collect::<Vec<_>>()
        });
        let limits = (principal.limits != LimitOverrides::default())
            .then(|| format!("limits {:?}", principal.limits));
        let mut all: Vec<String> = skill.chain(http).chain(env).chain(limits).collect();
        all.sort();
        all
    };
    let all = config.principals.iter();
    all.map(|principal| (principal.name.clone(), given(principal)))
        .collect()
}

/// The report of everything in a registry.
fn report(
    session: &Session,
    registry: &Registry,
    (skill, policy): (Option<&str>, &ToolPolicy),
    used: Option<&Used>,
) -> Result<Report, Vec<Diagnostic>> {
    let inputs = Inputs {
        config: &session.config,
        skill,
        callable: &|tool| policy.permits(&tool.name),
        used,
    };
    audit::audit(registry, inputs).map_err(|reason| vec![Diagnostic::error(reason)])
}

/// The lock file, if there is one.
pub(super) fn read_lock(path: &Path) -> Result<Option<Lock>, Vec<Diagnostic>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(vec![problem(path, format!("cannot be read: {error}"))]),
    };
    match Lock::parse(&text) {
        Ok(lock) => Ok(Some(lock)),
        Err(error) => {
            Err(vec![problem(path, error).hint(
                "`holm audit --lock` writes a new one, after a review",
            )])
        }
    }
}

fn read_log(path: &Path) -> Result<Used, Vec<Diagnostic>> {
    let bytes = read(path)?;
    Ok(Used::read(&String::from_utf8_lossy(&bytes)))
}

fn read(path: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let read = files::open_regular(path)
        .and_then(|file| files::read_bytes(file, LARGEST, "a component or a log"));
    read.map_err(|reason| vec![problem(path, reason)])
}

fn problem(path: &Path, reason: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(reason.to_string()).place(Place::file(path.display().to_string()))
}
