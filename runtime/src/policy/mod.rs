//! Which tools a principal may reach: one value, one question, asked by everything.
//!
//! A [`ToolPolicy`] is computed once per principal and set of loaded tools, from four things
//! that all have to agree:
//!
//! | what | from | absent means | empty means |
//! |---|---|---|---|
//! | configuration filters | `include`, `exclude`, `exclude-categories` | every tool | `include = []`: none |
//! | zones | the file's virtual path and the principal's name and flocks | | |
//! | hooks | what `pre_api_tools` returned: `include`, `exclude` | every tool | `include`: none |
//! | the skill | [`Selection`], see there | no policy | an empty text: every tool; an empty list: none |
//!
//! After that, schemas, listings, calls and nested calls ask [`ToolPolicy::permits`] and nothing
//! else: what is listed is what is callable. A list of names does not grant a tool that
//! appears later under another name; a tool that is loaded later is looked at when the policy is
//! computed anew.
//!
//! Under a skill, a tool that is hidden and one that does not exist get the same answer,
//! [`REFUSAL`], so that a model cannot find out which tools there are. "No policy" and "a policy
//! that allows nothing" are different values.

#![forbid(unsafe_code)]

mod selection;
mod skill_file;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod properties;

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::config::{self, Config, ToolNames};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::permissions::Category;

pub use selection::{Selection, SelectionBuilder};
pub use skill_file::{LARGEST_SKILL, event, from_tags, front_matter, read};

/// What a call of a tool that the policy does not permit answers: contract, byte for byte.
pub const REFUSAL: &str = r#"{"success":false,"error":"tool not permitted by skill policy"}"#;

/// The names that a skill cannot use for a tool, because they select every tool.
pub const RESERVED: [&str; 2] = ["*", "all"];

/// A skill: a name, and which tools it uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its name.
    pub name: String,
    /// Where it is written down, for messages.
    pub origin: String,
    /// Which tools it uses; `None` is no policy.
    pub selection: Option<Selection>,
}

impl Skill {
    /// The skill `name` of a configuration, with its file read now.
    ///
    /// # Errors
    ///
    /// There is none, or its file cannot be read or understood: a skill that is not known is no
    /// skill that allows everything.
    pub fn of_config(config: &Config, name: &str) -> Result<Self, Diagnostic> {
        if let Some(written) = config.skills.iter().find(|skill| skill.name == name) {
            return Self::of_table(written);
        }
        let message = format!("there is no skill `{}`", crate::visible::line(name));
        let names = config.skills.iter().map(|skill| skill.name.as_str());
        let hint = match did_you_mean(name, names) {
            Some(candidate) => format!("did you mean `{candidate}`?"),
            None => format!(
                "skills are written down under `[skills.NAME]` in {}, or are files (`*.json`, `*.md`)",
                config.name()
            ),
        };
        Err(Diagnostic::error(message).hint(hint))
    }

    /// A skill of `[skills]`: what its file says, and what its keys say beside it.
    fn of_table(written: &config::Skill) -> Result<Self, Diagnostic> {
        let mut builder = match &written.file {
            None => SelectionBuilder::new(),
            Some(file) => read(file).map_err(|message| {
                Diagnostic::error(format!(
                    "`{}.file`: {} is no skill: {message}",
                    written.key,
                    file.display()
                ))
                .place(written.place.clone())
                .hint("name a skill event in JSON (`*.json`) or a `SKILL.md`")
            })?,
        };
        match &written.tools {
            None => {}
            Some(ToolNames::Text(text)) => builder.text(text),
            Some(ToolNames::List(names)) => builder.items(names.clone()),
        }
        match &written.requires_tool {
            None => {}
            Some(ToolNames::Text(name)) => builder.requires(name),
            Some(ToolNames::List(names)) if names.is_empty() => builder.requires(""),
            Some(ToolNames::List(names)) => {
                for name in names {
                    builder.requires(name);
                }
            }
        }
        if !written.deny.is_empty() {
            builder.items(written.deny.iter().map(|name| format!("-{name}")).collect());
        }
        Ok(Self {
            name: written.name.clone(),
            origin: written.place.to_string(),
            selection: builder.build(),
        })
    }
}

/// What hooks of `pre_api_tools` returned, put together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookFilter {
    /// The tools that every hook with an `include` named; `None` when no hook had one.
    pub include: Option<BTreeSet<String>>,
    /// The tools that any hook took away.
    pub exclude: BTreeSet<String>,
}

impl HookFilter {
    /// Takes what one more hook returned: includes are intersected, excludes united.
    pub fn add(&mut self, include: Option<BTreeSet<String>>, exclude: BTreeSet<String>) {
        if let Some(names) = include {
            self.include = Some(match self.include.take() {
                Some(earlier) => earlier.intersection(&names).cloned().collect(),
                None => names,
            });
        }
        self.exclude.extend(exclude);
    }

    fn admits(&self, name: &str) -> bool {
        self.include
            .as_ref()
            .is_none_or(|names| names.contains(name))
            && !self.exclude.contains(name)
    }
}

/// A tool, as far as policies look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate<'a> {
    /// Its name.
    pub name: &'a str,
    /// The category that it declares.
    pub category: Category,
    /// The virtual path of its file.
    pub path: &'a str,
}

/// Everything that decides what a principal reaches.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// `[tools] include`, `exclude`, `exclude-categories`, and `[flocks]`.
    pub config: &'a Config,
    /// Who it is: the name that homes and flocks go by.
    pub who: &'a str,
    /// What hooks said.
    pub hooks: &'a HookFilter,
    /// The skill in force; `None` is no policy.
    pub skill: Option<&'a Skill>,
}

/// Which of the loaded tools one principal may reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolPolicy {
    names: BTreeSet<String>,
    under_skill: bool,
    warnings: Vec<String>,
    digest: String,
}

impl ToolPolicy {
    /// Looks at every tool once.
    #[must_use]
    pub fn compute<'a>(
        candidates: impl Iterator<Item = Candidate<'a>> + Clone,
        rules: Rules<'_>,
    ) -> Self {
        let selection = rules.skill.and_then(|skill| skill.selection.as_ref());
        let filter = &rules.config.tools.filter;
        let names: BTreeSet<String> = candidates
            .clone()
            .filter(|tool| {
                filter.admits(tool.name, tool.category)
                    && rules.config.sees(rules.who, tool.path)
                    && rules.hooks.admits(tool.name)
                    && selection.is_none_or(|selection| selection.selects(tool.name))
            })
            .map(|tool| tool.name.to_owned())
            .collect();
        let warnings = selection
            .map(|selection| selection.warnings(candidates.map(|tool| tool.name)))
            .unwrap_or_default();
        let digest = digest(&names, selection);
        Self {
            names,
            under_skill: selection.is_some(),
            warnings,
            digest,
        }
    }

    /// Whether the principal may reach the tool of this name: the one question.
    #[must_use]
    pub fn permits(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether a skill is in force, so that nothing may be told about tools outside it.
    #[must_use]
    pub fn is_under_skill(&self) -> bool {
        self.under_skill
    }

    /// The names of the tools that it permits, sorted.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// What is odd about the skill, one sentence each.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// A hash of what it permits and of what the skill says, for audit records: 64
    /// hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

fn digest(names: &BTreeSet<String>, selection: Option<&Selection>) -> String {
    let mut hash = Sha256::new();
    hash.update(selection.map_or_else(|| "no policy".to_owned(), Selection::canonical));
    for name in names {
        hash.update([0]);
        hash.update(name.as_bytes());
    }
    hash.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
