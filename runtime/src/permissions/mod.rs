//! Which calls ask before they run, what is asked, and who answers.
//!
//! A tool declares a category, and [`Permissions::gate`] decides by it:
//!
//! | category | the call |
//! |---|---|
//! | `network`, without a `url` argument | asks |
//! | `network`, with one | goes by `[url-policy]`; without it, asks for addresses that are not public |
//! | `shell` | asks |
//! | `fs_write` | asks, unless `path` is a `vfs:///` one |
//! | `fs_read` | asks, unless `path` is empty or a `vfs:///` one |
//! | the rest | runs |
//!
//! `[permissions]` says otherwise for a category, and before that for a tool. The question
//! shows what will run, taken from the arguments themselves. An answer lets one call with
//! these arguments start and nothing more; what the call can reach is decided by grants.
//!
//! Someone has to be there to answer: with no [`Approver`], the answer is no.

#![forbid(unsafe_code)]

mod approvals;
mod category;
mod summary;
mod url_policy;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

pub use approvals::{Approval, Approvals, Remembering};
pub use category::Category;
pub use summary::summary;
pub use url_policy::{UrlClass, UrlPattern, UrlPolicy};

/// What a call answers that was refused by whoever was asked, in the words that models of
/// the reference have seen.
pub const DENIED: &str = "Permission denied: permission denied";

/// What a call answers when there is nobody to ask.
pub const NOBODY: &str = "Permission denied: no permission handler configured (fail-safe deny)";

/// What the operator decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Somebody is asked.
    Ask,
    /// It runs.
    Allow,
    /// It does not.
    Deny,
}

impl Decision {
    /// The decision of this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "ask" => Some(Self::Ask),
            "allow" => Some(Self::Allow),
            "deny" => Some(Self::Deny),
            _ => None,
        }
    }
}

/// What becomes of most calls of a tool, from the least that is let through to the most.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Usual {
    /// They are refused.
    Deny,
    /// Somebody is asked.
    Ask,
    /// Somebody is asked, or not, or they are refused, by their argument `url`.
    Depends,
    /// They run.
    Allow,
}

impl Usual {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Depends => "depends",
            Self::Allow => "allow",
        }
    }
}

/// `[permissions]` and `[url-policy]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permissions {
    /// In place of the rule of a category.
    pub categories: BTreeMap<Category, Decision>,
    /// For one tool, whatever its category.
    pub tools: BTreeMap<String, Decision>,
    /// Whether an answer may count for later calls too.
    pub remember: bool,
    /// What is done about the argument `url` of a network tool.
    pub url_policy: Option<UrlPolicy>,
}

impl Default for Permissions {
    fn default() -> Self {
        Self {
            categories: BTreeMap::new(),
            tools: BTreeMap::new(),
            remember: true,
            url_policy: None,
        }
    }
}

/// The tool that wants to run.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Its name.
    pub tool: &'a str,
    /// What it says it does.
    pub category: Category,
    /// Names of the arguments that make up its summary.
    pub summary_params: &'a [String],
    /// Virtual path of its file.
    pub path: &'a str,
    /// SHA-256 of the file: an answer that counts for later calls is for this text.
    pub digest: &'a str,
}

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Gate {
    /// It runs.
    Pass,
    /// It does not. The text is for the caller.
    Refuse(String),
    /// It runs if the hooks of this name do not deny it and, when `ask` is set, somebody says yes.
    Check(Check),
}

/// A call that is looked at before it runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The hook that may deny it.
    pub hook: &'static str,
    /// What the hook is told.
    pub payload: Value,
    /// Whether somebody is asked, too.
    pub ask: bool,
    /// What is asked.
    pub question: Question,
}

/// A call that wants to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Name of the tool, safe to show.
    pub tool: String,
    /// Why it is asked.
    pub category: Category,
    /// What will run, on one line and safe to show.
    pub details: String,
    /// The tool itself, for an answer that counts for later calls too.
    pub subject: Approval,
}

/// Answers questions. It may block, and is asked from a thread where that does no harm.
///
/// This is the way in for a program that embeds holm: its own window, its own rules. An
/// answer is for this call and these arguments.
pub trait Approver: Send + Sync {
    /// True lets the call start.
    fn approve(&self, question: &Question) -> bool;
}

/// Says yes to everything: `--yes`.
#[derive(Debug, Clone, Copy)]
pub struct AllowAll;

impl Approver for AllowAll {
    fn approve(&self, _: &Question) -> bool {
        true
    }
}

/// Says no to everything.
#[derive(Debug, Clone, Copy)]
pub struct DenyAll;

impl Approver for DenyAll {
    fn approve(&self, _: &Question) -> bool {
        false
    }
}

impl<A: Approver + ?Sized> Approver for Arc<A> {
    fn approve(&self, question: &Question) -> bool {
        (**self).approve(question)
    }
}

/// What the rule of a category says about a call.
enum Rule {
    Pass,
    Refuse(String),
    Check {
        hook: &'static str,
        payload: Map<String, Value>,
        details: Option<String>,
    },
}

impl Permissions {
    /// Whether a call runs, asks or is refused. `arguments` are those that will run.
    #[must_use]
    pub fn gate(&self, subject: &Subject<'_>, arguments: &Map<String, Value>) -> Gate {
        let decided = self
            .tools
            .get(subject.tool)
            .or_else(|| self.categories.get(&subject.category))
            .copied();
        if decided == Some(Decision::Deny) {
            return Gate::Refuse("Permission denied: denied by configuration".to_owned());
        }
        let (hook, mut payload, details) = match (self.rule(subject, arguments), decided) {
            (
                Rule::Check {
                    hook,
                    payload,
                    details,
                },
                _,
            ) => (hook, payload, details),
            // What the operator allows runs, whatever the rule of its category would say.
            (Rule::Pass | Rule::Refuse(_), Some(Decision::Allow)) | (Rule::Pass, None) => {
                return Gate::Pass;
            }
            (Rule::Refuse(text), _) => return Gate::Refuse(text),
            // No rule of the category has a hook for it; the operator wants to be asked all the same.
            (Rule::Pass, Some(_)) => ("pre_tool", Map::new(), None),
        };
        let told = summary(subject.summary_params, arguments);
        if subject.category == Category::Network && !payload.contains_key("url") {
            payload.insert(
                "summary".to_owned(),
                json!(told.clone().unwrap_or_default()),
            );
        }
        payload.insert("tool_name".to_owned(), json!(subject.tool));
        Gate::Check(Check {
            hook,
            payload: Value::Object(payload),
            ask: decided != Some(Decision::Allow),
            question: Question {
                tool: crate::visible::line(subject.tool),
                category: subject.category,
                details: details
                    .or(told)
                    .unwrap_or_else(|| "(no details)".to_owned()),
                subject: Approval {
                    tool: subject.tool.to_owned(),
                    path: subject.path.to_owned(),
                    digest: subject.digest.to_owned(),
                },
            },
        })
    }

    /// What becomes of calls of a tool before their arguments are known.
    #[must_use]
    pub fn usual(&self, tool: &str, category: Category) -> Usual {
        let decided = self
            .tools
            .get(tool)
            .or_else(|| self.categories.get(&category));
        match decided {
            Some(Decision::Deny) => Usual::Deny,
            Some(Decision::Ask) => Usual::Ask,
            Some(Decision::Allow) => Usual::Allow,
            None => match category {
                Category::Network => Usual::Depends,
                Category::FsRead | Category::FsWrite | Category::Shell => Usual::Ask,
                Category::Memory
                | Category::Index
                | Category::Flow
                | Category::Vfs
                | Category::Eval
                | Category::Synthesised => Usual::Allow,
            },
        }
    }

    /// The rule of a category.
    fn rule(&self, subject: &Subject<'_>, arguments: &Map<String, Value>) -> Rule {
        let text = |name: &str| {
            arguments
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let check = |hook, payload: &[(&str, &str)], details: &str| Rule::Check {
            hook,
            payload: payload
                .iter()
                .map(|(key, value)| ((*key).to_owned(), json!(value)))
                .collect(),
            details: (!details.is_empty()).then(|| summary::shown(details)),
        };
        match subject.category {
            Category::FsRead | Category::FsWrite if text("path").starts_with("vfs:///") => {
                Rule::Pass
            }
            Category::FsRead if text("path").is_empty() => Rule::Pass,
            Category::FsRead => check("pre_file_read", &[("path", text("path"))], text("path")),
            Category::FsWrite => {
                let payload = [("path", text("path")), ("content", text("content"))];
                check("pre_file_write", &payload, text("path"))
            }
            Category::Shell => {
                let command = text("command");
                check("pre_shell_exec", &[("command", command)], command)
            }
            Category::Network => self.network(text("url"), check),
            Category::Memory
            | Category::Index
            | Category::Flow
            | Category::Vfs
            | Category::Eval
            | Category::Synthesised => Rule::Pass,
        }
    }

    /// The rule of `network`, by the argument `url`.
    fn network(
        &self,
        url: &str,
        check: impl Fn(&'static str, &[(&str, &str)], &str) -> Rule,
    ) -> Rule {
        const HOOK: &str = "pre_fetch_url";
        if url.is_empty() {
            return check(HOOK, &[("safety", "no_url")], "");
        }
        let class = UrlClass::of(url);
        let decision = match &self.url_policy {
            Some(policy) => policy.decide(url, class),
            None if class == UrlClass::Public => Decision::Allow,
            None => Decision::Ask,
        };
        match decision {
            Decision::Allow => Rule::Pass,
            Decision::Deny => Rule::Refuse(format!(
                "Permission denied: {}",
                match class {
                    UrlClass::Public => "denied by URL policy",
                    _ => class.reason(),
                }
            )),
            Decision::Ask => {
                let payload = [
                    ("url", url),
                    ("safety", "sensitive"),
                    ("reason", class.reason()),
                ];
                check(HOOK, &payload, url)
            }
        }
    }
}

#[cfg(test)]
mod tests;
