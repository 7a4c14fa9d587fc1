//! `[tools]`: which tools there are, and what each tool file is given.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::{Key, Reader, list};
use super::keys::{FOREIGN_CATEGORIES, HTTP_KEYS, PREFIX_KEYS, STATES, TOOLS};
use super::paths::{PathMap, confinement, read_map};
use super::{Hook, hooks, limits};
use crate::diagnostic::{Diagnostic, Place, did_you_mean};
use crate::grants::Rule;
use crate::limits::LimitOverrides;
use crate::permissions::Category;

/// The word that takes a file's own declaration for its grant.
const TRUST_DECLARED: &str = "trust-declared";

/// The forms of a value of `[tools.http.allow]`.
const HTTP_FORMS: &str = "a list of prefixes (`[\"https://api.example.com/v1/\"]`), tables with methods \
     (`{ prefix = \"https://api.example.com/v1/\", methods = [\"GET\"] }`), or \"trust-declared\"";

/// `[tools]` as a whole.
#[derive(Debug, Clone, Default)]
pub struct Tools {
    /// Which of the loaded tools exist for anyone.
    pub filter: ToolFilter,
    /// `[tools.tiers]`.
    pub tiers: PathMap<Tier>,
    /// `[tools.http] trust-declared`: what holds for a file that no key covers.
    pub trust_declared: bool,
    /// `[tools.http.allow]`.
    pub http: PathMap<HttpGrant>,
    /// `[tools.env]`: names of variables.
    pub env: PathMap<Vec<String>>,
    /// `[tools.limits]`.
    pub limits: PathMap<LimitOverrides>,
    /// `[tools.state]`.
    pub state: PathMap<State>,
    /// `[tools.hooks]`: the hooks that a file may register.
    pub hooks: PathMap<Vec<Hook>>,
    /// The entries of `include` and `exclude`, to say which of them name no tool.
    pub named: Vec<NamedTool>,
}

/// The name of a tool, and where the configuration has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedTool {
    /// The name.
    pub text: String,
    /// The dotted key of the list that it is in.
    pub key: String,
    /// Where it stands.
    pub place: Place,
}

/// What becomes of a file's variables between two calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    /// Every call starts from the file as it is.
    #[default]
    Fresh,
    /// Calls of one principal share an instance, one after the other.
    Context,
}

impl Tools {
    /// Whether a file that no key of `[tools.http.allow]` covers is granted what it declares.
    /// Files that nobody mounted are not: they need a key of their own.
    #[must_use]
    pub fn trusts_undeclared(&self, path: &str) -> bool {
        self.trust_declared && confinement(path).is_none()
    }
}

/// Whether tein's own sandbox is on. HTTP and environment need grants at both tiers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tier {
    /// Tier 1: safe modules only, with a step limit.
    #[default]
    Sandboxed,
    /// Tier 2: every module of the engine, no step limit unless one is written down.
    Unrestricted,
}

impl Tier {
    /// The number in the configuration.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Sandboxed => 1,
            Self::Unrestricted => 2,
        }
    }
}

/// What a key of `[tools.http.allow]` gives.
#[derive(Debug, Clone)]
pub enum HttpGrant {
    /// These prefixes; an empty list grants nothing and trusts no declaration.
    Prefixes(Vec<Rule>),
    /// What the file declares in `tool-http-allow`.
    TrustDeclared,
}

/// `include`, `exclude` and `exclude-categories`, for listing and calling alike.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolFilter {
    /// With a list, only these tools exist; an empty list leaves none.
    pub include: Option<Vec<String>>,
    /// These do not exist.
    pub exclude: Vec<String>,
    /// Nor do the tools of these categories.
    pub exclude_categories: Vec<Category>,
}

impl ToolFilter {
    /// Whether a tool of this name and category exists for anyone.
    #[must_use]
    pub fn admits(&self, name: &str, category: Category) -> bool {
        self.include
            .as_ref()
            .is_none_or(|names| names.iter().any(|included| included == name))
            && !self.exclude.iter().any(|excluded| excluded == name)
            && !self.exclude_categories.contains(&category)
    }
}

/// Reads `[tools]`.
pub(super) fn read(reader: &mut Reader<'_>, at: &Key, value: &Spanned<DeValue<'_>>) -> Tools {
    let mut tools = Tools::default();
    for field in reader.fields_of(at, value, &TOOLS) {
        let (key, value) = (field.key, field.value);
        match field.name {
            "include" => {
                if let Some(names) = names(reader, &key, value) {
                    tools.named.extend(names.iter().cloned());
                    tools.filter.include = Some(names.into_iter().map(|name| name.text).collect());
                }
            }
            "exclude" => {
                let names = names(reader, &key, value).unwrap_or_default();
                tools.named.extend(names.iter().cloned());
                tools.filter.exclude = names.into_iter().map(|name| name.text).collect();
            }
            "exclude-categories" => {
                let categories = read_categories(reader, &key, value);
                tools.filter.exclude_categories = categories.unwrap_or_default();
            }
            "http" => (tools.trust_declared, tools.http) = read_http(reader, &key, value),
            "tiers" => tools.tiers = sub_table(reader, &key, value, tier),
            "env" => tools.env = sub_table(reader, &key, value, variables),
            "state" => tools.state = sub_table(reader, &key, value, state),
            "hooks" => tools.hooks = sub_table(reader, &key, value, hooks::read),
            _ => {
                tools.limits = sub_table(reader, &key, value, |reader, key, value| {
                    let table = reader.table(key, value)?;
                    Some(limits::read(reader, key, table))
                });
            }
        }
    }
    tools
}

/// Reads `[tools.http]`.
fn read_http(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &Spanned<DeValue<'_>>,
) -> (bool, PathMap<HttpGrant>) {
    let mut trust = false;
    let mut allow = PathMap::default();
    for field in reader.fields_of(at, value, &HTTP_KEYS) {
        match field.name {
            "trust-declared" => {
                trust = reader.boolean(&field.key, field.value).unwrap_or(false);
            }
            _ => allow = sub_table(reader, &field.key, field.value, http_grant),
        }
    }
    (trust, allow)
}

/// Whether calls of a file share an instance.
fn state(reader: &mut Reader<'_>, key: &Key, value: &Spanned<DeValue<'_>>) -> Option<State> {
    match reader.word(key, value, &STATES)? {
        "context" => Some(State::Context),
        _ => Some(State::Fresh),
    }
}

/// A table whose keys are virtual paths.
fn sub_table<T>(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
    read_value: impl FnMut(&mut Reader<'_>, &Key, &Spanned<DeValue<'_>>) -> Option<T>,
) -> PathMap<T> {
    match reader.table(key, value) {
        Some(table) => read_map(reader, key, table, read_value),
        None => PathMap::default(),
    }
}

/// A list of tool names.
fn names(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
) -> Option<Vec<NamedTool>> {
    let names = reader.strings(key, value, "a list of tool names")?;
    Some(
        names
            .into_iter()
            .map(|(text, span)| NamedTool {
                key: key.as_str().to_owned(),
                place: reader.place(&span),
                text,
            })
            .collect(),
    )
}

/// A list of categories.
fn read_categories(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
) -> Option<Vec<Category>> {
    let known = Category::ALL.map(Category::as_str);
    let mut categories = Vec::new();
    for (word, span) in reader.strings(key, value, "a list of categories")? {
        match Category::named(&word) {
            Some(category) => categories.push(category),
            // Valid words of the reference that no tool file can have.
            None if FOREIGN_CATEGORIES.contains(&word.as_str()) => reader.note(
                &span,
                key,
                Diagnostic::warning(format!("no tool file can have the category `{word}`"))
                    .hint("a tool that declares it counts as `synthesised`"),
            ),
            None => {
                let hint = match did_you_mean(&word, known) {
                    Some(candidate) => format!("did you mean `{candidate}`?"),
                    None => format!("the categories are {}", list(&known)),
                };
                reader.error(&span, key, format!("`{word}` is not a category"), hint);
            }
        }
    }
    Some(categories)
}

/// A tier.
fn tier(reader: &mut Reader<'_>, key: &Key, value: &Spanned<DeValue<'_>>) -> Option<Tier> {
    match reader.integer(key, value, (1, 2))? {
        2 => Some(Tier::Unrestricted),
        _ => Some(Tier::Sandboxed),
    }
}

/// Names of environment variables.
pub(super) fn variables(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for (name, span) in reader.strings(key, value, "a list of variable names")? {
        let plain = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if name.is_empty() || !plain || name.starts_with(|first: char| first.is_ascii_digit()) {
            reader.error(
                &span,
                key,
                format!("{name:?} is not the name of a variable"),
                "name each variable in full, with letters, digits and `_`; there are no wildcards",
            );
        } else if !names.contains(&name) {
            names.push(name);
        }
    }
    Some(names)
}

/// A value of `[tools.http.allow]`.
pub(super) fn http_grant(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
) -> Option<HttpGrant> {
    if let DeValue::String(word) = value.get_ref() {
        if word == TRUST_DECLARED {
            return Some(HttpGrant::TrustDeclared);
        }
        reader.error(
            &value.span(),
            key,
            format!("{:?} is not a list of prefixes", word.as_ref()),
            format!("give {HTTP_FORMS}"),
        );
        return None;
    }
    let items = reader.array(key, value, HTTP_FORMS)?;
    let mut rules = Vec::with_capacity(items.len());
    for item in items {
        let rule = match item.get_ref() {
            DeValue::Table(table) => rule_table(reader, key, table, &item.span()),
            _ => reader
                .string(key, item, HTTP_FORMS)
                .and_then(|prefix| rule(reader, key, prefix, &item.span())),
        };
        rules.extend(rule);
    }
    Some(HttpGrant::Prefixes(rules))
}

/// A prefix with methods.
fn rule_table(
    reader: &mut Reader<'_>,
    key: &Key,
    table: &DeTable<'_>,
    span: &Range<usize>,
) -> Option<Rule> {
    let mut parsed = None;
    let mut methods = None;
    for field in reader.fields(key, table, &PREFIX_KEYS) {
        let (key, value) = (field.key, field.value);
        if field.name == "prefix" {
            let prefix = reader.string(&key, value, "a URL prefix")?;
            parsed = Some(rule(reader, &key, prefix, &value.span())?);
            continue;
        }
        let words = reader.strings(&key, value, "a list of methods")?;
        if words.is_empty() {
            reader.error(
                &value.span(),
                &key,
                "an empty list of methods would grant nothing",
                "leave `methods` out to grant every method, or take the prefix away",
            );
            return None;
        }
        methods = Some(words);
    }
    let Some(parsed) = parsed else {
        reader.error(
            span,
            key,
            "a prefix is missing",
            format!("give {HTTP_FORMS}"),
        );
        return None;
    };
    let Some(methods) = methods else {
        return Some(parsed);
    };
    match parsed.with_methods(methods.iter().map(|(word, _)| word)) {
        Ok(rule) => Some(rule),
        Err(error) => {
            let hint = "methods are upper-case words such as \"GET\"";
            reader.error(span, &key.child("methods"), error.to_string(), hint);
            None
        }
    }
}

/// A prefix.
fn rule(reader: &mut Reader<'_>, key: &Key, prefix: &str, span: &Range<usize>) -> Option<Rule> {
    match Rule::parse(prefix) {
        Ok(rule) => Some(rule),
        Err(error) => {
            reader.error(
                span,
                key,
                format!("{prefix:?} is not a grant: {error}"),
                "write scheme, host and path, for example \"https://api.example.com/v1/\"",
            );
            None
        }
    }
}
