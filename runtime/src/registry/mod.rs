//! Which tools there are, and the one way to call them.
//!
//! From mounted folders and named files to tools by name. A file that cannot be read or
//! loaded is a diagnostic and hides nothing else. When two files define a tool of one
//! name, the first keeps it and the other is left out with a diagnostic: a tool cannot be
//! replaced by adding a file that sorts later.
//!
//! Every call goes through [`Registry::call`], from the command line and from another
//! tool alike: what the caller's [`ToolPolicy`] does not permit does not exist, the permission gate is
//! asked, and the instance gets what the tool's own file is given, never what the caller has.

#![forbid(unsafe_code)]

mod answer;
mod call;
mod evaluate;
mod hints;
mod hooks;
mod live;
mod load;
mod principal;
mod record;
mod resolution;
mod scan;
pub mod secret;
mod state;
mod unused;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::config::Config;
use crate::diagnostic::{Diagnostic, Place};
use crate::permissions::{Category, Permissions};
use crate::policy::{self, Candidate, HookFilter, Rules, Skill, ToolPolicy};
use crate::sandbox::{Failure, Loaded, Sandbox};
use crate::schema;

pub use answer::Answer;
use answer::refused;
pub use call::{Call, CallError, MAX_NESTED};
pub use evaluate::{Evaluated, Evaluator};
pub use hooks::Narrowing;
pub use live::{LiveRegistry, Reload, WATCH_INTERVAL};
pub use principal::Principal;
pub use record::{Audit, CallRecord, Ending};
pub use resolution::{FileGrants, HttpSource, OwnGrants, Written};
pub use scan::{
    COMPONENT_EXTENSION, Component, EXTENSION, Found, LARGEST_COMPONENT, LARGEST_SOURCE, Source,
    scan, scan_files, shown,
};
pub use secret::{Secret, redact};
pub use state::MAX_KEPT;

/// The tools of a configuration, ready to be called.
pub struct Registry {
    sandbox: Sandbox,
    /// How messages call the configuration.
    configuration: String,
    permissions: Permissions,
    states: Arc<state::States>,
    files: Vec<Arc<ToolFile>>,
    /// Those with hooks that count: few, and looked at several times in every call.
    hook_files: Vec<Arc<ToolFile>>,
    tools: Vec<Tool>,
    by_name: BTreeMap<String, usize>,
    diagnostics: Vec<Diagnostic>,
    missing: bool,
}

/// A tool file that loaded.
#[derive(Debug, Clone)]
pub struct ToolFile {
    /// The file and its text.
    pub source: Source,
    /// SHA-256 of the text, in hexadecimal digits.
    pub digest: String,
    /// What it is given.
    pub grants: FileGrants,
    /// [`FileGrants::digest`] of them.
    pub grants_digest: String,
    /// What the load found out about it.
    pub loaded: Loaded,
    /// What its author or the operator should look at.
    warnings: Vec<Diagnostic>,
}

impl ToolFile {
    /// What the file is given for a principal with these grants of its own.
    #[must_use]
    pub fn grants_of(&self, own: Option<&OwnGrants>) -> Cow<'_, FileGrants> {
        match own {
            None => Cow::Borrowed(&self.grants),
            Some(own) => {
                let declared = &self.loaded.manifest.http_allow;
                Cow::Owned(self.grants.for_principal(own, &self.source.path, declared))
            }
        }
    }
}

/// A tool.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Its name, unique in the registry.
    pub name: String,
    /// What it does, in its author's words.
    pub description: String,
    /// JSON Schema of its arguments, as its author has it.
    pub parameters: Value,
    /// The same, made valid: what models are told, and what arguments are checked against.
    pub schema: Arc<Map<String, Value>>,
    /// What kind of tool it says it is.
    pub category: Category,
    /// Names of the arguments that make up its summary.
    pub summary_params: Vec<String>,
    /// Index of its file.
    file: usize,
}

impl Tool {
    /// What whoever lists tools sees of it.
    fn shown(&self) -> (&str, &str, &Value, Category) {
        (
            &self.name,
            &self.description,
            &self.parameters,
            self.category,
        )
    }
}

/// The most characters of a tool's name.
const LONGEST_NAME: usize = 64;

/// Whether clients and people can tell the name from every other one: an odd name could
/// look like another tool's in a prompt, or like a part of the prompt.
fn is_plain_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(plain)
}

/// Why there is no tool of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// No file defines it.
    Unknown,
    /// The configuration leaves it out for this principal.
    Excluded,
    /// A skill is in force, and it is not one of the skill's tools, whether or not it exists.
    NotPermitted,
}

impl Registry {
    /// Loads tool files, each with what the configuration gives it. What goes wrong with
    /// one of them is in [`Self::diagnostics`].
    pub async fn load(config: &Config, found: Found, sandbox: Sandbox) -> Self {
        let mut registry = Self {
            sandbox: sandbox.clone(),
            configuration: config.name(),
            permissions: config.permissions.clone(),
            states: Arc::default(),
            files: Vec::new(),
            hook_files: Vec::new(),
            tools: Vec::new(),
            by_name: BTreeMap::new(),
            diagnostics: found.diagnostics,
            missing: found.missing,
        };
        let paths: Vec<String> = found
            .sources
            .iter()
            .map(|source| source.path.clone())
            .collect();
        for (_, file) in load::all(config, found.sources, &sandbox).await {
            registry.diagnostics.extend(file.diagnostics);
            if let Some(file) = file.loaded {
                registry.add(Arc::new(file), |_| None);
            }
        }
        if found.complete {
            let unused = unused::warnings(config, &paths, &registry.tools);
            registry.diagnostics.extend(unused);
        }
        registry
    }

    /// A registry without files, in the place of this one.
    fn successor(&self, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            sandbox: self.sandbox.clone(),
            configuration: self.configuration.clone(),
            permissions: self.permissions.clone(),
            states: Arc::clone(&self.states),
            files: Vec::new(),
            hook_files: Vec::new(),
            tools: Vec::new(),
            by_name: BTreeMap::new(),
            diagnostics,
            missing: false,
        }
    }

    /// Takes in files, where a name that a file has in `before` stays that file's for as
    /// long as it defines it.
    fn add_all(&mut self, files: Vec<Arc<ToolFile>>, before: &Self) {
        let defines = |path: &str, name: &str| {
            files.iter().any(|file| {
                let tools = &file.loaded.manifest.tools;
                file.source.path == path && tools.iter().any(|tool| tool.name == name)
            })
        };
        let mut owners = BTreeMap::new();
        for tool in &before.tools {
            if let Some(file) = before.file_of(tool)
                && defines(&file.source.path, &tool.name)
            {
                owners.insert(tool.name.as_str(), &file.source);
            }
        }
        for file in &files {
            self.add(Arc::clone(file), |name| owners.get(name).copied());
        }
    }

    /// Takes in a file that loaded. `owner` says which file a name belongs to already, if to any.
    fn add<'a>(&mut self, file: Arc<ToolFile>, owner: impl Fn(&str) -> Option<&'a Source>) {
        let place = Place::file(&file.source.origin);
        for tool in &file.loaded.manifest.tools {
            if !is_plain_name(&tool.name) {
                let name = crate::visible::short_line(&tool.name, LONGEST_NAME);
                let message = format!("`{name}` is not accepted as the name of a tool");
                let diagnostic = Diagnostic::error(message).place(place.clone());
                self.diagnostics.push(diagnostic.hint(
                    "use letters, digits, `_` and `-`, at most 64: every client accepts these, \
                     and nothing else can be taken for them",
                ));
                continue;
            }
            let owner = owner(&tool.name).filter(|owner| owner.path != file.source.path);
            let earlier = owner.map(|owner| owner.origin.as_str());
            if let Some(earlier) = earlier.or_else(|| self.origin_of(&tool.name)) {
                let message = format!("the tool `{}` is defined by {earlier} already", tool.name);
                let diagnostic = Diagnostic::error(message).place(place.clone());
                self.diagnostics
                    .push(diagnostic.hint("rename one of the two"));
                continue;
            }
            if policy::RESERVED.contains(&tool.name.as_str()) {
                let message = format!(
                    "a skill cannot name the tool `{}`: in its list the word means every tool",
                    tool.name
                );
                self.diagnostics.push(
                    Diagnostic::warning(message)
                        .place(place.clone())
                        .hint("give the tool another name"),
                );
            }
            let parameters = match serde_json::from_str(&tool.parameters) {
                Ok(parameters) => parameters,
                Err(error) => {
                    let message =
                        format!("the parameters of `{}` are not JSON: {error}", tool.name);
                    self.diagnostics
                        .push(Diagnostic::error(message).place(place.clone()));
                    continue;
                }
            };
            self.by_name.insert(tool.name.clone(), self.tools.len());
            self.tools.push(Tool {
                name: tool.name.clone(),
                description: tool.description.clone(),
                schema: Arc::new(schema::normalise(&parameters)),
                parameters,
                category: Category::declared(&tool.category),
                summary_params: tool.summary_params.clone(),
                file: self.files.len(),
            });
        }
        if !file.grants.hooks.is_empty() && !file.loaded.manifest.hooks.is_empty() {
            self.hook_files.push(Arc::clone(&file));
        }
        self.files.push(file);
    }

    /// The file that defines the tool `name`, as messages call it.
    fn origin_of(&self, name: &str) -> Option<&str> {
        let tool = self.tools.get(*self.by_name.get(name)?)?;
        Some(&self.file_of(tool)?.source.origin)
    }

    /// Which of the tools the principal of this name may reach, under a skill or none. The hooks
    /// of `pre_api_tools` are asked once.
    pub async fn policy(&self, config: &Config, who: &str, skill: Option<&Skill>) -> ToolPolicy {
        let before = self.policy_before_hooks(config, who, skill);
        let call = Call::new(Principal::new(who), Arc::new(before.clone()));
        let mut hooks = HookFilter::default();
        for Narrowing { include, exclude } in self.pre_api_tools(&call, self.tools(&before)).await {
            hooks.add(include, exclude);
        }
        if hooks == HookFilter::default() {
            return before;
        }
        self.compute(config, who, &hooks, skill)
    }

    /// As [`Self::policy`], as far as it is decided without running anything.
    #[must_use]
    pub fn policy_before_hooks(
        &self,
        config: &Config,
        who: &str,
        skill: Option<&Skill>,
    ) -> ToolPolicy {
        self.compute(config, who, &HookFilter::default(), skill)
    }

    fn compute(
        &self,
        config: &Config,
        who: &str,
        hooks: &HookFilter,
        skill: Option<&Skill>,
    ) -> ToolPolicy {
        let candidates = self.tools.iter().map(|tool| Candidate {
            name: &tool.name,
            category: tool.category,
            path: self
                .file_of(tool)
                .map(|file| file.source.path.as_str())
                .unwrap_or_default(),
        });
        let rules = Rules {
            config,
            who,
            hooks,
            skill,
        };
        ToolPolicy::compute(candidates, rules)
    }

    /// The tools that a policy permits, in the order of their files.
    pub fn tools<'a>(&'a self, policy: &'a ToolPolicy) -> impl Iterator<Item = &'a Tool> {
        self.tools.iter().filter(|tool| policy.permits(&tool.name))
    }

    /// Every tool that was loaded, whether or not anybody may reach it.
    pub fn all_tools(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter()
    }

    /// The tools of the file at `index` in [`Self::files`], whether or not the configuration leaves them out.
    pub fn tools_of(&self, index: usize) -> impl Iterator<Item = &Tool> {
        self.tools.iter().filter(move |tool| tool.file == index)
    }

    /// Every file that loaded.
    #[must_use]
    pub fn files(&self) -> &[Arc<ToolFile>] {
        &self.files
    }

    /// The file that defines a tool of this registry.
    #[must_use]
    pub fn file_of(&self, tool: &Tool) -> Option<&ToolFile> {
        self.files.get(tool.file).map(Arc::as_ref)
    }

    /// What went wrong or looks wrong, file by file.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether a folder or a file that the operator named is not there.
    #[must_use]
    pub fn is_missing_something(&self) -> bool {
        self.missing
    }

    /// A failed call of `tool`, told to the operator.
    #[must_use]
    pub fn explain(&self, tool: &Tool, failure: &Failure) -> Diagnostic {
        match self.file_of(tool) {
            Some(file) => {
                let mut diagnostic = load::failed(&file.source, failure);
                let secrets = file.grants.read_environment();
                diagnostic.map_text(|text| redact(text, &secrets));
                diagnostic
            }
            None => Diagnostic::error(failure.to_string()),
        }
    }

    /// A tool by its exact name, if the policy permits it.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn find(&self, policy: &ToolPolicy, name: &str) -> Result<&Tool, Missing> {
        let tool = self
            .by_name
            .get(name)
            .and_then(|index| self.tools.get(*index));
        match tool {
            Some(tool) if policy.permits(&tool.name) => Ok(tool),
            // Under a skill nothing is told about the tools outside it.
            _ if policy.is_under_skill() => Err(Missing::NotPermitted),
            Some(_) => Err(Missing::Excluded),
            None => Err(Missing::Unknown),
        }
    }
}
