//! The language in which a skill says which tools it uses.
//!
//! | written | selects |
//! |---|---|
//! | nothing | there is no policy, which is not this type's concern: see [`super::Skill`] |
//! | an empty or blank text | every tool |
//! | `*` or `all`, anywhere in the list | every tool; beside names, with a warning |
//! | `a,b` | exactly `a` and `b`, as far as they exist |
//! | `-a` | what the rest selects, without `a`; with no name beside it, every other tool |
//! | `,`, an empty list, a tag without a value | no tool, with a warning |
//! | `requires_tool` with `a` | `a` too; alone, only `a` |
//!
//! Names are trimmed and compared whole, case and all. A name that no tool has selects
//! nothing and gets a warning: it never widens the selection, and never fails the skill.

use std::collections::BTreeSet;

/// The words that select every tool.
const WILDCARDS: [&str; 2] = ["*", "all"];

/// Which tools a skill uses, before it is known which tools there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Every tool is selected, whatever `names` says.
    everything: bool,
    names: BTreeSet<String>,
    /// Taken away at the end: a denial wins over everything.
    denied: BTreeSet<String>,
    /// Every tool is denied.
    nothing: bool,
    warnings: Vec<String>,
}

/// What a skill says, piece by piece as its tags say it.
#[derive(Debug, Clone, Default)]
pub struct SelectionBuilder {
    lists: Vec<List>,
    required: Vec<String>,
    warnings: Vec<String>,
}

/// The value of one `tools` entry.
#[derive(Debug, Clone)]
enum List {
    /// One text of names with commas between.
    Text(String),
    /// A list that was written as one, whose elements may have commas too.
    Items(Vec<String>),
}

impl SelectionBuilder {
    /// A builder that has heard nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the text of a `tools` entry: names with commas between.
    pub fn text(&mut self, text: impl Into<String>) {
        self.lists.push(List::Text(text.into()));
    }

    /// Takes the elements of a `tools` entry that is a list. An empty list selects nothing.
    pub fn items(&mut self, items: Vec<String>) {
        self.lists.push(List::Items(items));
    }

    /// Takes the name of a `requires_tool` entry.
    pub fn requires(&mut self, name: impl Into<String>) {
        self.required.push(name.into());
    }

    /// The selection, or `None` when nothing was said: no policy.
    #[must_use]
    pub fn build(self) -> Option<Selection> {
        if self.lists.is_empty() && self.required.is_empty() {
            return None;
        }
        let mut selection = Selection {
            warnings: self.warnings,
            ..Selection::default()
        };
        let said = self.lists.len();
        let mut wildcard = None;
        let mut blank = 0_usize;
        for list in &self.lists {
            let (texts, shown) = match list {
                List::Text(text) => (std::slice::from_ref(text), text.as_str()),
                List::Items(items) => (items.as_slice(), ""),
            };
            if let List::Text(text) = list
                && text.trim().is_empty()
            {
                blank += 1;
                continue;
            }
            let before = selection.entries();
            for entry in texts.iter().flat_map(|text| text.split(',')).map(str::trim) {
                selection.take(entry, &mut wildcard);
            }
            if selection.entries() == before && wildcard.is_none() && !selection.nothing {
                selection.warnings.push(if shown.is_empty() {
                    "an empty list of tools allows no tool".to_owned()
                } else {
                    format!("{shown:?} names no tool, so it allows none")
                });
            }
        }
        if let Some(word) = wildcard {
            selection.everything = true;
            if !selection.names.is_empty() {
                selection
                    .warnings
                    .push(format!("{word:?} beside other names allows every tool"));
            }
        }
        if blank > 0 {
            selection.everything = true;
            if blank < said {
                selection
                    .warnings
                    .push("an empty list beside another one allows every tool".to_owned());
            }
        }
        // Denials alone are taken from everything.
        if said > 0 && selection.names.is_empty() && !selection.denied.is_empty() {
            selection.everything = true;
        }
        for name in &self.required {
            let name = name.trim();
            if name.is_empty() {
                selection
                    .warnings
                    .push("an empty `requires_tool` names no tool".to_owned());
            } else {
                selection.names.insert(name.to_owned());
            }
        }
        if selection.nothing {
            selection.everything = false;
            selection.names.clear();
        }
        Some(selection)
    }
}

impl Selection {
    fn entries(&self) -> usize {
        self.names.len() + self.denied.len()
    }

    /// Takes one entry of a list.
    fn take<'a>(&mut self, entry: &'a str, wildcard: &mut Option<&'a str>) {
        if entry.is_empty() {
            return;
        }
        if WILDCARDS.contains(&entry) {
            wildcard.get_or_insert(entry);
            return;
        }
        let Some(denied) = entry.strip_prefix('-').map(str::trim) else {
            self.names.insert(entry.to_owned());
            return;
        };
        if denied.is_empty() {
            self.warnings
                .push(format!("{entry:?} denies no tool by name"));
        } else if WILDCARDS.contains(&denied) {
            self.nothing = true;
            self.warnings.push(format!("{entry:?} denies every tool"));
        } else {
            self.denied.insert(denied.to_owned());
        }
    }

    /// Whether a tool of this name is selected.
    #[must_use]
    pub fn selects(&self, name: &str) -> bool {
        !self.nothing
            && (self.everything || self.names.contains(name))
            && !self.denied.contains(name)
    }

    /// What is odd about the selection, given the names of the tools that there are.
    #[must_use]
    pub fn warnings<'a>(&self, known: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
        let exists = |name: &str| known.clone().any(|tool| tool == name);
        let mut warnings = self.warnings.clone();
        for name in &self.names {
            if !exists(name) {
                warnings.push(format!("there is no tool {name:?}"));
            }
        }
        for name in &self.denied {
            if !exists(name) {
                warnings.push(format!("there is no tool {name:?} to deny"));
            }
        }
        warnings
    }

    /// A text that is the same for selections that select the same.
    #[must_use]
    pub fn canonical(&self) -> String {
        let names: Vec<&str> = match self.everything {
            true => vec!["*"],
            false => self.names.iter().map(String::as_str).collect(),
        };
        let denied: Vec<&str> = self.denied.iter().map(String::as_str).collect();
        serde_json::json!([names, denied, self.nothing]).to_string()
    }
}
