//! `holm.lock`: what somebody agreed to, and what has changed since.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::report::{Engine, FileReport, Grant, LimitsReport, Report};
use crate::grants::Rule;
use crate::permissions::Usual;

/// The file's name, beside the configuration.
pub const FILE_NAME: &str = "holm.lock";
const VERSION: u32 = 1;
const HEAD: &str = "\
# What every tool file here may reach. Written by `holm audit --lock`, checked by `holm audit --locked` and, with
# `[audit] require-lock = true`, before every call. Review a change of this file like a change of code.
";

/// A lock file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Lock {
    version: u32,
    engine: Engine,
    private_ranges: Vec<String>,
    /// Each skill and the tools that it lets be called.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    skills: BTreeMap<String, Vec<String>>,
    /// Each principal and what it is given in place of what the files are given for all.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    principals: BTreeMap<String, Vec<String>>,
    #[serde(default, rename = "file")]
    files: Vec<LockedFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LockedFile {
    path: String,
    sha256: String,
    tier: u8,
    state: String,
    hooks: Vec<String>,
    imports: Vec<String>,
    declared: Vec<String>,
    environment: Vec<String>,
    limits: LimitsReport,
    #[serde(default)]
    tools: Vec<LockedTool>,
    #[serde(default)]
    http: Vec<Grant>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LockedTool {
    name: String,
    category: String,
    permission: Usual,
    callable: bool,
}

/// Why a lock file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockError(String);

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LockError {}

/// Which way something went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// More may be reached than before.
    Grew,
    /// Something runs that nobody has agreed to: its text, its engine, what it says.
    Review,
    /// Less may be reached than before.
    Shrank,
}

impl Direction {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Grew => "grew",
            Self::Review => "review",
            Self::Shrank => "shrank",
        }
    }
}

/// One difference from a lock file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Change {
    /// Which way.
    pub direction: Direction,
    /// The file that it is about; `None` for what all of them share.
    pub path: Option<String>,
    /// What changed, from what to what.
    pub message: String,
}

impl Lock {
    /// The lock of an audit. `skills` are all of them, with the tools that each lets be called, and
    /// `principals` what each is given of its own, a sentence each.
    #[must_use]
    pub fn of(
        report: &Report,
        skills: BTreeMap<String, Vec<String>>,
        principals: BTreeMap<String, Vec<String>>,
    ) -> Self {
        let mut files: Vec<LockedFile> = report.files.iter().map(LockedFile::of).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self {
            version: VERSION,
            engine: report.engine.clone(),
            private_ranges: sorted(&report.private_ranges),
            skills,
            principals,
            files,
        }
    }

    /// Reads a lock file.
    ///
    /// # Errors
    /// It is not one, or is one for a later holm.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let lock: Self = toml::from_str(text)
            .map_err(|error| LockError(format!("it cannot be read: {error}")))?;
        if lock.version != VERSION {
            return Err(LockError(format!(
                "it has version {}, and this holm knows {VERSION}",
                lock.version
            )));
        }
        Ok(lock)
    }

    /// The lock file's text.
    ///
    /// # Errors
    /// Never in practice: everything in it has a TOML form.
    pub fn text(&self) -> Result<String, LockError> {
        let body = toml::to_string(self).map_err(|error| LockError(error.to_string()))?;
        Ok(format!("{HEAD}{body}"))
    }

    /// What changed from this lock to `now`, what grew first.
    #[must_use]
    pub fn changes(&self, now: &Self) -> Vec<Change> {
        let mut changes = Changes::default();
        for (what, before, after) in [
            ("holm", &self.engine.holm, &now.engine.holm),
            (
                "the guest",
                &self.engine.guest_sha256,
                &now.engine.guest_sha256,
            ),
            ("wasmtime", &self.engine.wasmtime, &now.engine.wasmtime),
        ] {
            changes.replaced(what, before, after);
        }
        changes.set(
            "the private range",
            &self.private_ranges,
            &now.private_ranges,
        );
        for (skill, after) in &now.skills {
            match self.skills.get(skill) {
                Some(before) => {
                    let what = format!("skill {skill}: the tool");
                    changes.set(&what, before, after);
                }
                None => changes.add(
                    Direction::Grew,
                    format!("skill {skill} is new, with {}", list(after)),
                ),
            }
        }
        for skill in self.skills.keys().filter(|s| !now.skills.contains_key(*s)) {
            changes.add(Direction::Shrank, format!("skill {skill} is gone"));
        }
        for (name, after) in &now.principals {
            let before = self.principals.get(name);
            if before.is_none() {
                changes.add(Direction::Grew, format!("principal {name} is new"));
            }
            let none = Vec::new();
            changes.set(
                &format!("principal {name}:"),
                before.unwrap_or(&none),
                after,
            );
        }
        let gone = |name: &&String| !now.principals.contains_key(*name);
        for name in self.principals.keys().filter(gone) {
            changes.add(Direction::Shrank, format!("principal {name} is gone"));
        }
        let before: BTreeMap<&str, &LockedFile> =
            self.files.iter().map(|f| (f.path.as_str(), f)).collect();
        let after: BTreeMap<&str, &LockedFile> =
            now.files.iter().map(|f| (f.path.as_str(), f)).collect();
        for (path, file) in &after {
            changes.path = Some((*path).to_owned());
            match before.get(path) {
                Some(before) => before.changes(file, &mut changes),
                None => file.appeared(&mut changes),
            }
        }
        for path in before.keys().filter(|path| !after.contains_key(*path)) {
            changes.path = Some((*path).to_owned());
            changes.add(Direction::Shrank, "the file is gone".to_owned());
        }
        changes.all.sort();
        changes.all
    }
}

impl LockedFile {
    fn of(file: &FileReport) -> Self {
        let mut tools: Vec<LockedTool> = file
            .tools
            .iter()
            .map(|tool| LockedTool {
                name: tool.name.clone(),
                category: tool.category.clone(),
                permission: tool.permission,
                callable: tool.callable,
            })
            .collect();
        tools.sort_by(|a, b| a.name.cmp(&b.name));
        let mut http = file.http.granted.clone();
        http.sort_by(|a, b| (&a.prefix, &a.methods).cmp(&(&b.prefix, &b.methods)));
        Self {
            path: file.path.clone(),
            sha256: file.sha256.clone(),
            tier: file.tier,
            state: file.state.clone(),
            hooks: sorted(&file.hooks.active),
            imports: file.imports.keys().cloned().collect(),
            declared: sorted(&file.http.declared),
            environment: sorted(&file.environment.granted),
            limits: file.limits.clone(),
            tools,
            http,
        }
    }

    /// What a file brings that was not there.
    fn appeared(&self, changes: &mut Changes) {
        let tools: Vec<String> = self.tools.iter().map(|tool| tool.name.clone()).collect();
        changes.add(
            Direction::Grew,
            format!("the file is new, with {}", list(&tools)),
        );
        for grant in &self.http {
            changes.add(Direction::Grew, format!("it may reach {}", shown(grant)));
        }
        for name in &self.environment {
            changes.add(Direction::Grew, format!("it sees the variable {name}"));
        }
    }

    fn changes(&self, now: &Self, changes: &mut Changes) {
        changes.replaced("its text", &self.sha256, &now.sha256);
        if self.tier != now.tier {
            let direction = match now.tier > self.tier {
                true => Direction::Grew,
                false => Direction::Shrank,
            };
            let message = format!("its tier was {} and is {}", self.tier, now.tier);
            changes.add(direction, message);
        }
        if self.state != now.state {
            let direction = match now.state == "fresh" {
                true => Direction::Shrank,
                false => Direction::Grew,
            };
            let message = format!("its state was {} and is {}", self.state, now.state);
            changes.add(direction, message);
        }
        changes.set("its hook", &self.hooks, &now.hooks);
        changes.set("its import", &self.imports, &now.imports);
        changes.set("the variable", &self.environment, &now.environment);
        changes.grants(&self.http, &now.http);
        changes.limits(&self.limits, &now.limits);
        if self.declared != now.declared {
            changes.add(
                Direction::Review,
                format!(
                    "it declared {} and declares {}",
                    list(&self.declared),
                    list(&now.declared)
                ),
            );
        }
        self.tool_changes(now, changes);
    }

    fn tool_changes(&self, now: &Self, changes: &mut Changes) {
        for after in &now.tools {
            let Some(before) = self.tools.iter().find(|tool| tool.name == after.name) else {
                changes.add(Direction::Grew, format!("the tool {} is new", after.name));
                continue;
            };
            let name = &after.name;
            if before.category != after.category {
                changes.add(
                    Direction::Review,
                    format!(
                        "the category of {name} was {} and is {}",
                        before.category, after.category
                    ),
                );
            }
            let (old, new) = (before.permission, after.permission);
            if old != new {
                let direction = match new > old {
                    true => Direction::Grew,
                    false => Direction::Shrank,
                };
                let (old, new) = (old.word(), new.word());
                let message = format!("the permission of {name} was {old} and is {new}");
                changes.add(direction, message);
            }
            match (before.callable, after.callable) {
                (false, true) => changes.add(Direction::Grew, format!("{name} can be called now")),
                (true, false) => {
                    changes.add(Direction::Shrank, format!("{name} can no longer be called"));
                }
                _ => {}
            }
        }
        for before in &self.tools {
            if !now.tools.iter().any(|tool| tool.name == before.name) {
                let message = format!("the tool {} is gone", before.name);
                changes.add(Direction::Shrank, message);
            }
        }
    }
}

#[derive(Default)]
struct Changes {
    path: Option<String>,
    all: Vec<Change>,
}

impl Changes {
    fn add(&mut self, direction: Direction, message: String) {
        self.all.push(Change {
            direction,
            path: self.path.clone(),
            message,
        });
    }

    fn replaced(&mut self, what: &str, before: &str, after: &str) {
        if before != after {
            let message = format!("{what} was {} and is {}", short(before), short(after));
            self.add(Direction::Review, message);
        }
    }

    fn set(&mut self, what: &str, before: &[String], after: &[String]) {
        let (old, new): (BTreeSet<_>, BTreeSet<_>) =
            (before.iter().collect(), after.iter().collect());
        for name in new.difference(&old) {
            self.add(Direction::Grew, format!("{what} {name} is new"));
        }
        for name in old.difference(&new) {
            self.add(Direction::Shrank, format!("{what} {name} is gone"));
        }
    }

    /// A grant that an older one contains is not new, and the other way round.
    fn grants(&mut self, before: &[Grant], after: &[Grant]) {
        for grant in after.iter().filter(|grant| !before.contains(grant)) {
            let direction = match within(grant, before) {
                true => Direction::Shrank,
                false => Direction::Grew,
            };
            self.add(direction, format!("it may reach {}", shown(grant)));
        }
        for grant in before.iter().filter(|grant| !after.contains(grant)) {
            // What replaced it has been said.
            if !within(grant, after) {
                let message = format!("it may no longer reach all of {}", shown(grant));
                self.add(Direction::Shrank, message);
            }
        }
    }

    fn limits(&mut self, before: &LimitsReport, after: &LimitsReport) {
        // No limit is more than any.
        let steps = |limits: &LimitsReport| limits.steps.unwrap_or(u64::MAX);
        for (what, before, after) in [
            ("wall clock (ms)", before.wall_ms, after.wall_ms),
            ("CPU (ms)", before.cpu_ms, after.cpu_ms),
            ("steps", steps(before), steps(after)),
            ("memory (bytes)", before.memory, after.memory),
            ("output (bytes)", before.output, after.output),
            ("response body (bytes)", before.http_body, after.http_body),
            ("request bodies (bytes)", before.http_send, after.http_send),
            (
                "requests",
                before.http_requests.into(),
                after.http_requests.into(),
            ),
        ] {
            if before != after {
                let direction = match after > before {
                    true => Direction::Grew,
                    false => Direction::Shrank,
                };
                let number = |n: u64| match n {
                    u64::MAX => "none".to_owned(),
                    n => n.to_string(),
                };
                let message = format!(
                    "its limit of {what} was {} and is {}",
                    number(before),
                    number(after)
                );
                self.add(direction, message);
            }
        }
    }
}

/// Whether some grant of `all` contains this one. What cannot be read is contained by nothing.
fn within(grant: &Grant, all: &[Grant]) -> bool {
    let rule = |grant: &Grant| {
        let rule = Rule::parse(&grant.prefix).ok()?;
        match &grant.methods {
            Some(methods) => rule.with_methods(methods).ok(),
            None => Some(rule),
        }
    };
    let Some(narrow) = rule(grant) else {
        return false;
    };
    all.iter()
        .filter_map(rule)
        .any(|wide| wide.contains(&narrow))
}

fn shown(grant: &Grant) -> String {
    match &grant.methods {
        Some(methods) => format!("{} {}", methods.join(","), grant.prefix),
        None => grant.prefix.clone(),
    }
}

fn list(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        names => names.join(", "),
    }
}

/// The beginning of a digest; versions as they are.
fn short(text: &str) -> &str {
    match text.len() {
        64 => text.get(..12).unwrap_or(text),
        _ => text,
    }
}

fn sorted(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> LockedFile {
        LockedFile {
            path: "/tools/a.scm".to_owned(),
            sha256: "0".repeat(64),
            tier: 1,
            state: "fresh".to_owned(),
            hooks: Vec::new(),
            imports: vec!["wasi:random/random@0.2.12".to_owned()],
            declared: Vec::new(),
            environment: vec!["KEY".to_owned()],
            limits: LimitsReport {
                wall_ms: 30_000,
                cpu_ms: 5_000,
                steps: Some(10),
                memory: 1,
                output: 1,
                http_body: 1,
                http_send: 1,
                http_requests: 1,
            },
            tools: vec![LockedTool {
                name: "a".to_owned(),
                category: "network".to_owned(),
                permission: Usual::Ask,
                callable: true,
            }],
            http: vec![grant("https://a.example/v1/", None)],
        }
    }

    fn grant(prefix: &str, methods: Option<&[&str]>) -> Grant {
        Grant {
            prefix: prefix.to_owned(),
            methods: methods.map(|m| m.iter().map(|m| (*m).to_owned()).collect()),
            whole_origin: false,
            wildcard_host: false,
        }
    }

    fn lock(file: LockedFile) -> Lock {
        Lock {
            version: VERSION,
            engine: Engine {
                holm: "0.1.0".to_owned(),
                guest_sha256: "1".repeat(64),
                wasmtime: "48.0.8".to_owned(),
            },
            private_ranges: Vec::new(),
            skills: BTreeMap::from([("s".to_owned(), vec!["a".to_owned()])]),
            principals: BTreeMap::from([("p".to_owned(), vec!["skill s".to_owned()])]),
            files: vec![file],
        }
    }

    /// The changes that a change of the lock makes, a line each.
    fn after(change: impl FnOnce(&mut Lock)) -> Vec<String> {
        let before = lock(file());
        let mut now = before.clone();
        change(&mut now);
        let line = |change: &Change| format!("{} {}", change.direction.word(), change.message);
        before.changes(&now).iter().map(line).collect()
    }

    #[test]
    fn every_change_is_named_with_its_direction() {
        type Edit = fn(&mut Lock);
        let cases: [(Edit, &[&str]); 27] = [
            (|_| {}, &[]),
            (
                |l| l.files[0].http.push(grant("https://b.example/", None)),
                &["grew it may reach https://b.example/"],
            ),
            (
                |l| l.files[0].http[0] = grant("https://a.example/", None),
                &["grew it may reach https://a.example/"],
            ),
            (
                |l| l.files[0].http[0] = grant("https://a.example/v1/x/", None),
                &[
                    "shrank it may no longer reach all of https://a.example/v1/",
                    "shrank it may reach https://a.example/v1/x/",
                ],
            ),
            (
                |l| l.files[0].http[0] = grant("https://a.example/v1/", Some(&["GET"])),
                &[
                    "shrank it may no longer reach all of https://a.example/v1/",
                    "shrank it may reach GET https://a.example/v1/",
                ],
            ),
            (
                |l| l.files[0].http.clear(),
                &["shrank it may no longer reach all of https://a.example/v1/"],
            ),
            (
                |l| l.files[0].sha256 = "2".repeat(64),
                &["review its text was 000000000000 and is 222222222222"],
            ),
            (
                |l| l.files[0].declared.push("https://a.example/".to_owned()),
                &["review it declared nothing and declares https://a.example/"],
            ),
            (
                |l| l.engine.guest_sha256 = "3".repeat(64),
                &["review the guest was 111111111111 and is 333333333333"],
            ),
            (
                |l| l.engine.wasmtime = "48.0.9".to_owned(),
                &["review wasmtime was 48.0.8 and is 48.0.9"],
            ),
            (|l| l.files[0].tier = 2, &["grew its tier was 1 and is 2"]),
            (
                |l| l.files[0].state = "context".to_owned(),
                &["grew its state was fresh and is context"],
            ),
            (
                |l| l.files[0].environment.push("B".to_owned()),
                &["grew the variable B is new"],
            ),
            (
                |l| l.files[0].environment.clear(),
                &["shrank the variable KEY is gone"],
            ),
            (
                |l| l.files[0].imports.push("wasi:http/types@0.2.12".to_owned()),
                &["grew its import wasi:http/types@0.2.12 is new"],
            ),
            (
                |l| l.files[0].hooks.push("pre_tool".to_owned()),
                &["grew its hook pre_tool is new"],
            ),
            (
                |l| l.files[0].limits.steps = None,
                &["grew its limit of steps was 10 and is none"],
            ),
            (
                |l| l.files[0].limits.memory = 0,
                &["shrank its limit of memory (bytes) was 1 and is 0"],
            ),
            (
                |l| l.files[0].tools[0].permission = Usual::Allow,
                &["grew the permission of a was ask and is allow"],
            ),
            (
                |l| l.files[0].tools[0].callable = false,
                &["shrank a can no longer be called"],
            ),
            (
                |l| l.files[0].tools[0].category = "vfs".to_owned(),
                &["review the category of a was network and is vfs"],
            ),
            (
                |l| l.private_ranges.push("10.0.0.0/8".to_owned()),
                &["grew the private range 10.0.0.0/8 is new"],
            ),
            (
                |l| l.skills.get_mut("s").unwrap().push("b".to_owned()),
                &["grew skill s: the tool b is new"],
            ),
            (
                |l| l.principals.get_mut("p").unwrap().clear(),
                &["shrank principal p: skill s is gone"],
            ),
            (
                |l| {
                    drop(
                        l.principals
                            .insert("q".to_owned(), vec!["skill s".to_owned()]),
                    )
                },
                &[
                    "grew principal q is new",
                    "grew principal q: skill s is new",
                ],
            ),
            (|l| l.principals.clear(), &["shrank principal p is gone"]),
            (|l| l.files.clear(), &["shrank the file is gone"]),
        ];
        for (edit, expected) in cases {
            assert_eq!(after(edit), expected);
        }
        let mut other = file();
        other.path = "/tools/b.scm".to_owned();
        assert_eq!(
            after(|l| l.files.push(other)),
            [
                "grew it may reach https://a.example/v1/",
                "grew it sees the variable KEY",
                "grew the file is new, with a",
            ]
        );
    }

    #[test]
    fn a_lock_reads_as_it_was_written() {
        let lock = lock(file());
        let text = lock.text().unwrap();
        assert_eq!(Lock::parse(&text), Ok(lock.clone()));
        for wrong in [
            "".to_owned(),
            "version = 1".to_owned(),
            text.replace("version = 1", "version = 2"),
            text.replace("tier = 1", "tier = \"1\""),
            text.replace("[[file]]", "unknown = 1\n[[file]]"),
        ] {
            assert!(Lock::parse(&wrong).is_err(), "{wrong}");
        }
    }
}
