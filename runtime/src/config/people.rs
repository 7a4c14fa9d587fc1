//! Who calls: `[user]`, `[flocks]`, `[principals]`, and the skills that they have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::{Key, Reader};
use super::keys::{PRINCIPAL, SKILL, USER};
use super::limits;
use super::paths::{PathMap, read_map};
use super::tools::{HttpGrant, http_grant, variables};
use crate::diagnostic::Place;
use crate::limits::LimitOverrides;

/// What the person at the terminal is called when the configuration does not say.
pub const LOCAL_USER: &str = "local";

/// `[user]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// What tools see as the caller's name; the owner of `/tools/home/NAME`.
    pub name: String,
    /// The skill in force when no other is named.
    pub skill: Option<String>,
}

impl Default for User {
    fn default() -> Self {
        Self {
            name: LOCAL_USER.to_owned(),
            skill: None,
        }
    }
}

/// A table of `[skills]`, as it was written: what it means is the policy's to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its name.
    pub name: String,
    /// The dotted key, to name it in messages.
    pub key: String,
    /// Where it stands.
    pub place: Place,
    /// What it is for.
    pub description: Option<String>,
    /// `tools`; `None` when the key is not there, which differs from an empty list.
    pub tools: Option<ToolNames>,
    /// `requires-tool`; `None` when the key is not there.
    pub requires_tool: Option<ToolNames>,
    /// `deny`.
    pub deny: Vec<String>,
    /// `file`: the skill file to read the rest from.
    pub file: Option<PathBuf>,
}

/// Names of tools, in one of the two forms that they may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolNames {
    /// One string, as in a skill's tag: names with commas between, or a wildcard.
    Text(String),
    /// A list.
    List(Vec<String>),
}

/// A table of `[principals]`.
#[derive(Debug, Clone)]
pub struct Principal {
    /// Its name, which tools see as their caller's.
    pub name: String,
    /// The dotted key, to name it in messages.
    pub key: String,
    /// Where it stands.
    pub place: Place,
    /// How it is recognised.
    pub token: TokenSource,
    /// The skill in force.
    pub skill: Option<String>,
    /// Limits over those of the files.
    pub limits: LimitOverrides,
    /// In place of `[tools.http.allow]` for the files that it covers.
    pub http: PathMap<HttpGrant>,
    /// In place of `[tools.env]` for the files that it covers.
    pub env: PathMap<Vec<String>>,
    /// Calls at a time.
    pub concurrent: Option<u32>,
}

/// Where a principal's bearer token is. The token itself never stands in the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// In this environment variable of the server.
    Env(String),
    /// In this file, without the line end after it.
    File(PathBuf),
    /// Nowhere: this is its SHA-256.
    Sha256([u8; 32]),
}

/// Reads `[user]`.
pub(super) fn read_user(reader: &mut Reader<'_>, at: &Key, value: &Spanned<DeValue<'_>>) -> User {
    let mut user = User::default();
    for field in reader.fields_of(at, value, &USER) {
        match field.name {
            "name" => {
                if let Some(name) = name(reader, &field.key, field.value) {
                    user.name = name;
                }
            }
            _ => user.skill = text(reader, &field.key, field.value, "the name of a skill"),
        }
    }
    user
}

/// Reads `[flocks]`: members by flock.
pub(super) fn read_flocks(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &Spanned<DeValue<'_>>,
) -> BTreeMap<String, Vec<String>> {
    let mut flocks = BTreeMap::new();
    for (flock, span, members) in named(reader, at, value) {
        let key = at.child(flock);
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if flock.is_empty() || !flock.bytes().all(plain) {
            let hint = "a flock has lower-case letters, digits and hyphens";
            reader.error(
                &span,
                &key,
                format!("{flock:?} is not the name of a flock"),
                hint,
            );
            continue;
        }
        let names = reader.strings(&key, members, "a list of names");
        let names = names.unwrap_or_default().into_iter();
        flocks.insert(flock.to_owned(), names.map(|(name, _)| name).collect());
    }
    flocks
}

/// Reads `[skills]`.
pub(super) fn read_skills(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &Spanned<DeValue<'_>>,
    base: &Path,
) -> Vec<Skill> {
    let mut skills = Vec::new();
    for (name, span, table) in named(reader, at, value) {
        let key = at.child(name);
        let mut skill = Skill {
            name: name.to_owned(),
            key: key.as_str().to_owned(),
            place: reader.place(&span),
            description: None,
            tools: None,
            requires_tool: None,
            deny: Vec::new(),
            file: None,
        };
        for field in reader.fields_of(&key, table, &SKILL) {
            let (key, value) = (&field.key, field.value);
            match field.name {
                "description" => skill.description = text(reader, key, value, "a sentence"),
                "tools" => skill.tools = tool_names(reader, key, value),
                "requires-tool" => skill.requires_tool = tool_names(reader, key, value),
                "deny" => skill.deny = reader.texts(key, value, "a list of tool names"),
                _ => skill.file = reader.path(key, value, base, "name a skill file"),
            }
        }
        skills.push(skill);
    }
    skills
}

/// Reads `[principals]`.
pub(super) fn read_principals(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &Spanned<DeValue<'_>>,
    base: &Path,
) -> Vec<Principal> {
    let mut principals = Vec::new();
    for (called, span, table) in named(reader, at, value) {
        let key = at.child(called);
        if let Err(message) = check_name(called) {
            reader.error(&span, &key, message, NAME_FORM);
        }
        let mut tokens = Vec::new();
        let mut principal = Principal {
            name: called.to_owned(),
            key: key.as_str().to_owned(),
            place: reader.place(&span),
            token: TokenSource::Env(String::new()),
            skill: None,
            limits: LimitOverrides::default(),
            http: PathMap::default(),
            env: PathMap::default(),
            concurrent: None,
        };
        for field in reader.fields_of(&key, table, &PRINCIPAL) {
            let (key, value) = (&field.key, field.value);
            match field.name {
                "token-env" => tokens.extend(
                    text(reader, key, value, "the name of a variable").map(TokenSource::Env),
                ),
                "token-file" => tokens.extend(
                    reader
                        .path(key, value, base, "name a file")
                        .map(TokenSource::File),
                ),
                "token-sha256" => tokens.extend(sha256(reader, key, value)),
                "skill" => principal.skill = text(reader, key, value, "the name of a skill"),
                "limits" => {
                    if let Some(table) = reader.table(key, value) {
                        principal.limits = limits::read(reader, key, table);
                    }
                }
                "http" => principal.http = map(reader, key, value, http_grant),
                "env" => principal.env = map(reader, key, value, variables),
                _ => {
                    let count = reader.integer(key, value, (1, 1 << 20));
                    principal.concurrent = count.and_then(|count| u32::try_from(count).ok());
                }
            }
        }
        match <[TokenSource; 1]>::try_from(tokens) {
            Ok([token]) => {
                principal.token = token;
                principals.push(principal);
            }
            // A principal without a token would be everybody.
            Err(tokens) => {
                let message = if tokens.is_empty() {
                    "there is no token to recognise it by"
                } else {
                    "there is more than one token"
                };
                let hint = "give one of `token-env`, `token-file` and `token-sha256`";
                reader.error(&span, &key, message, hint);
            }
        }
    }
    principals
}

/// The names of a table with their places and values; an empty name is noted.
fn named<'v, 'i>(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &'v Spanned<DeValue<'i>>,
) -> Vec<(&'v str, std::ops::Range<usize>, &'v Spanned<DeValue<'i>>)> {
    let table: Option<&DeTable<'i>> = reader.table(at, value);
    table
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.get_ref().as_ref(), name.span(), value))
        .collect()
}

/// A table by virtual path, or a noted problem.
fn map<T>(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
    read: impl FnMut(&mut Reader<'_>, &Key, &Spanned<DeValue<'_>>) -> Option<T>,
) -> PathMap<T> {
    match reader.table(key, value) {
        Some(table) => read_map(reader, key, table, read),
        None => PathMap::default(),
    }
}

/// The form of a name, for messages.
const NAME_FORM: &str = "a name has letters, digits, `-`, `_` and `.`, at most 64 of them";

/// Names end up in virtual paths, headers and records: they are plain.
fn check_name(name: &str) -> Result<(), String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if name.eq_ignore_ascii_case("system") {
        return Err(format!("{name:?} is reserved"));
    }
    let dots = name.bytes().all(|byte| byte == b'.');
    if dots || name.len() > 64 || !name.bytes().all(plain) {
        return Err(format!("{name:?} is not a name"));
    }
    Ok(())
}

fn name(reader: &mut Reader<'_>, key: &Key, value: &Spanned<DeValue<'_>>) -> Option<String> {
    let name = reader.string(key, value, "a name")?;
    match check_name(name) {
        Ok(()) => Some(name.to_owned()),
        Err(message) => {
            reader.error(&value.span(), key, message, NAME_FORM);
            None
        }
    }
}

/// A string that is not empty.
fn text(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
    accepted: &str,
) -> Option<String> {
    let text = reader.string(key, value, accepted)?;
    if text.is_empty() {
        reader.error(
            &value.span(),
            key,
            "the string is empty",
            format!("give {accepted}"),
        );
        return None;
    }
    Some(text.to_owned())
}

fn tool_names(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
) -> Option<ToolNames> {
    if let DeValue::String(text) = value.get_ref() {
        return Some(ToolNames::Text(text.to_string()));
    }
    let accepted = "a list of tool names, or a string with commas between them";
    let names = reader.strings(key, value, accepted)?;
    Some(ToolNames::List(
        names.into_iter().map(|(name, _)| name).collect(),
    ))
}

fn sha256(reader: &mut Reader<'_>, key: &Key, value: &Spanned<DeValue<'_>>) -> Option<TokenSource> {
    let text = reader.string(key, value, "64 hexadecimal digits")?;
    let mut digest = [0; 32];
    let good = text.len() == 64
        && text.is_ascii()
        && digest.iter_mut().enumerate().all(|(index, byte)| {
            let digits = text.get(2 * index..2 * index + 2);
            let read = digits
                .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
                .and_then(|digits| u8::from_str_radix(digits, 16).ok());
            *byte = read.unwrap_or_default();
            read.is_some()
        });
    if !good {
        let hint = "give the 64 hexadecimal digits that `sha256sum` prints";
        reader.error(&value.span(), key, "this is not a SHA-256", hint);
        return None;
    }
    Some(TokenSource::Sha256(digest))
}
