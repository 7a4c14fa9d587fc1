//! `holm.toml`: what the operator decided, read once and checked whole.
//!
//! The file is found upwards from the working directory, or named with `--config`. No
//! file at all is a configuration too: nothing mounted, nothing granted, default limits.
//!
//! | section | says |
//! |---|---|
//! | `[mount]` | which folders of this machine hold tool files, and under which virtual path |
//! | `[tools]` | which tools exist: `include`, `exclude`, `exclude-categories` |
//! | `[tools.tiers]` | 1 (sandboxed, the default) or 2 (every module of the engine), per path |
//! | `[tools.http]` | `trust-declared`, and `allow` with URL prefixes per path |
//! | `[tools.env]` | names of environment variables, per path |
//! | `[limits]`, `[tools.limits]` | limits of a call, for all and per path |
//! | `[tools.state]`, `[tools.hooks]` | whether calls share an instance, which hooks a file may register |
//! | `[permissions]`, `[url-policy]` | which calls ask, run or are refused |
//! | `[user]`, `[flocks]`, `[principals]` | who calls, and who shares tools |
//! | `[skills]` | which tools a skill may see and call |
//! | `[serve]`, `[concurrency]`, `[audit]` | how the server listens, what runs at a time, what is kept about it |
//! | `[network]` | `private`: address ranges that are not global and may be reached by name; `extra-ca` |
//! | `[cache]` | `dir`: where compiled code is kept |
//!
//! `keys` has them all in one table, and `docs/holm.schema.json` is made from it.
//!
//! Where the user has a configuration of their own, `holm/holm.toml` in the folder for
//! configurations, a file found upwards is a *local* one: it can hide tools and add some, and
//! decides about nothing else (`layers`).
//!
//! Paths in keys are virtual. The longest key that covers a file wins, by whole path
//! components, and nothing is merged between levels.
//!
//! Everything that can be wrong is found here, with file, line and key, and all of it in
//! one run. What comes out is typed: nothing behind this module compares strings to
//! decide a grant.

#![forbid(unsafe_code)]

mod components;
mod document;
mod hooks;
mod keys;
mod layers;
mod limits;
mod mounts;
mod network;
mod paths;
mod people;
mod permissions;
mod schema;
mod serve;
mod tools;
mod units;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::Diagnostic;
use crate::grants::Cidr;
use crate::limits::{Concurrency, LimitOverrides};
use crate::permissions::Permissions;
use crate::signing::PublicKey;
use document::{Key, Reader};

pub use hooks::Hook;
pub use mounts::Mount;
pub use paths::{COMMAND_LINE, CONFINED, LOCAL, PathEntry, PathMap};
pub use people::{LOCAL_USER, Principal, Skill, TokenSource, ToolNames, User};
pub use schema::{json_schema, markdown};
pub use serve::{Audit, Serve};
pub use tools::{HttpGrant, NamedTool, State, Tier, ToolFilter, Tools};

/// The name of the file that is looked for.
pub const FILE_NAME: &str = "holm.toml";

/// The configuration in force.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The file it came from; `None` when there was none.
    pub file: Option<PathBuf>,
    /// `[mount]`, sorted by virtual path.
    pub mounts: Vec<Mount>,
    /// `[tools]` and everything below it.
    pub tools: Tools,
    /// `[limits]`.
    pub limits: LimitOverrides,
    /// `[permissions]` and `[url-policy]`.
    pub permissions: Permissions,
    /// `[user]`.
    pub user: User,
    /// `[flocks]`: the members of each.
    pub flocks: BTreeMap<String, Vec<String>>,
    /// `[skills]`, sorted by name.
    pub skills: Vec<Skill>,
    /// `[principals]`, sorted by name.
    pub principals: Vec<Principal>,
    /// `[serve]`.
    pub serve: Serve,
    /// `[concurrency]`.
    pub concurrency: Concurrency,
    /// `[audit]`.
    pub audit: Audit,
    /// `[components] trusted-keys`: with a list, every component has to be signed by one of them.
    pub trusted_keys: Option<Vec<PublicKey>>,
    /// `[network] private`.
    pub private: Vec<Cidr>,
    /// `[network] extra-ca`: files in PEM.
    pub extra_ca: Vec<PathBuf>,
    /// `[cache] dir`.
    pub cache_dir: Option<PathBuf>,
    /// What is probably not meant, but not wrong.
    pub warnings: Vec<Diagnostic>,
}

impl Config {
    /// Reads the configuration at `named`, and no other. Without a name: the user's own, with
    /// the first [`FILE_NAME`] in `folder` and the folders above it as a local one over it; or
    /// that file alone, where the user has none.
    ///
    /// # Errors
    ///
    /// Every error in the files, with the warnings between them, in the order of the files.
    pub fn load(named: Option<&Path>, folder: &Path) -> Result<Self, Vec<Diagnostic>> {
        layers::load(named, layers::users_own().as_deref(), folder)
    }

    /// Reads a configuration from `text`. `name` is how messages call it; relative paths
    /// in it are relative to `base`.
    ///
    /// # Errors
    ///
    /// Every error in the text, with the warnings between them, in the order of the text.
    pub fn parse(name: &str, text: &str, base: &Path) -> Result<Self, Vec<Diagnostic>> {
        let mut reader = Reader::new(name, text);
        let root = Key::root();
        let (document, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            for error in &errors {
                let span = error.span().unwrap_or(0..0);
                reader.note(
                    &span,
                    &root,
                    Diagnostic::error(format!("not valid TOML: {}", error.message())),
                );
            }
            return Err(reader.into_problems());
        }
        let mut config = Self::default();
        for field in reader.fields(&root, document.get_ref(), &keys::ROOT) {
            let (key, value) = (&field.key, field.value);
            match field.name {
                "mount" => config.mounts = mounts::read(&mut reader, key, value, base),
                "tools" => config.tools = tools::read(&mut reader, key, value),
                "limits" => {
                    if let Some(table) = reader.table(key, value) {
                        config.limits = limits::read(&mut reader, key, table);
                    }
                }
                "permissions" => {
                    permissions::read(&mut reader, key, value, &mut config.permissions);
                }
                "url-policy" => {
                    let policy = permissions::read_url_policy(&mut reader, key, value);
                    config.permissions.url_policy = Some(policy);
                }
                "user" => config.user = people::read_user(&mut reader, key, value),
                "flocks" => config.flocks = people::read_flocks(&mut reader, key, value),
                "skills" => config.skills = people::read_skills(&mut reader, key, value, base),
                "principals" => {
                    config.principals = people::read_principals(&mut reader, key, value, base);
                }
                "serve" => config.serve = serve::read(&mut reader, key, value),
                "concurrency" => {
                    config.concurrency = serve::read_concurrency(&mut reader, key, value);
                }
                "audit" => config.audit = serve::read_audit(&mut reader, key, value, base),
                "components" => {
                    config.trusted_keys = components::read(&mut reader, key, value);
                }
                "network" => {
                    let network = network::read(&mut reader, key, value, base);
                    config.private = network.private;
                    config.extra_ca = network.extra_ca;
                }
                _ => config.cache_dir = cache_dir(&mut reader, key, value, base),
            }
        }
        let problems = reader.into_problems();
        if problems.iter().any(Diagnostic::is_error) {
            return Err(problems);
        }
        config.warnings = problems;
        Ok(config)
    }

    /// The limits of a file: the defaults of its tier, under `[limits]`, under the entry
    /// of `[tools.limits]` that covers it.
    #[must_use]
    pub fn limits_for(&self, path: &str, tier: Tier) -> crate::limits::Limits {
        let mut limits = self.limits.apply(crate::limits::Limits::default());
        if tier == Tier::Unrestricted {
            // `[limits] steps` speaks of tier 1; a tier 2 file has a step limit only by name.
            limits.steps = None;
        }
        match self.tools.limits.resolve(path) {
            Some(entry) => entry.value.apply(limits),
            None => limits,
        }
    }

    /// Whether `who` may see and call a tool whose file is at `path`: everybody the tools
    /// of `/tools/shared` and of folders without a meaning of their own, one name those of its
    /// `/tools/home/NAME`, and members those of their `/tools/flocks/NAME`.
    #[must_use]
    pub fn sees(&self, who: &str, path: &str) -> bool {
        let below = |zone: &str| {
            path.strip_prefix(zone)?
                .split_once('/')
                .map(|(name, _)| name)
        };
        if let Some(owner) = below("/tools/home/") {
            return owner == who;
        }
        if let Some(flock) = below("/tools/flocks/") {
            let members = self.flocks.get(flock);
            return members.is_some_and(|members| members.iter().any(|member| member == who));
        }
        true
    }

    /// How messages call the file that grants are written in.
    #[must_use]
    pub fn name(&self) -> String {
        self.file
            .as_ref()
            .map_or_else(|| FILE_NAME.to_owned(), |file| file.display().to_string())
    }
}

/// Reads `[cache]`.
fn cache_dir(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &Spanned<DeValue<'_>>,
    base: &Path,
) -> Option<PathBuf> {
    let fields = reader.fields_of(at, value, &keys::CACHE);
    let field = fields.first()?;
    let hint = "name a folder, or leave the key out for the user's cache folder";
    reader.path(&field.key, field.value, base, hint)
}

#[cfg(test)]
mod tests;
