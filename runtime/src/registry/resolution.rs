//! What a tool file is given: tier, limits, HTTP prefixes and environment names.
//!
//! | `[tools.http.allow]` covers the file with | the file declares | it is granted |
//! |---|---|---|
//! | a list, even an empty one | anything | the list |
//! | `"trust-declared"` | prefixes | those of them that are grants |
//! | nothing, and `trust-declared = true` | prefixes | those of them that are grants |
//! | nothing | anything | nothing |
//!
//! A declaration is the tool author's text. Prefixes in it that could be misread are left out
//! with a warning, and so are literal addresses that are not global: a tool does not reach
//! the machine's own network because it says that it would like to.

use std::sync::Arc;

use crate::config::{Config, Hook, HttpGrant, PathEntry, PathMap, State, Tier};
use crate::diagnostic::{Diagnostic, Place};
use crate::grants::{Cidr, Consent, RequestTarget, Rule, RuleSet};
use crate::limits::{LimitOverrides, Limits};
use crate::sandbox::{Capabilities, Grants};

use super::secret::Secret;

/// What one tool file is given.
#[derive(Debug, Clone)]
pub struct FileGrants {
    /// Whether tein's own sandbox is on.
    pub tier: Tier,
    /// What a load and a call may use.
    pub limits: Limits,
    /// Which URLs its calls may reach.
    pub http: RuleSet,
    /// Where `http` comes from.
    pub http_source: HttpSource,
    /// Names of the variables its calls may see.
    pub environment: Vec<String>,
    /// The configuration key that `environment` comes from.
    pub environment_key: Option<Written>,
    /// Whether calls share an instance.
    pub state: State,
    /// The points at which the file's hooks count.
    pub hooks: Vec<Hook>,
    /// Whether the file is still to say what it declares, and may import `(tein http)` to do so.
    pub(super) declaring: bool,
}

/// What the operator gives one principal in place of what the files are given for all.
#[derive(Debug, Clone, Default)]
pub struct OwnGrants {
    /// Limits over those of the files.
    pub limits: LimitOverrides,
    /// Prefixes in place of those of the files that they cover.
    pub http: PathMap<HttpGrant>,
    /// Variables in place of those of the files that they cover.
    pub env: PathMap<Vec<String>>,
    /// `[network] private`.
    pub private: Vec<Cidr>,
}

/// A place in the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The dotted key.
    pub key: String,
    /// Where it stands.
    pub place: Place,
}

/// Where the HTTP grants of a file come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpSource {
    /// The operator's list.
    Listed(Written),
    /// The file's declaration, trusted by this key, or by `trust-declared = true`.
    Declared(Option<Written>),
    /// Nothing covers the file.
    Nothing,
}

impl<T> From<&PathEntry<T>> for Written {
    fn from(entry: &PathEntry<T>) -> Self {
        Self {
            key: entry.key.clone(),
            place: entry.place.clone(),
        }
    }
}

impl FileGrants {
    /// What `path` is given before its declaration is known: with a trusted declaration,
    /// no prefix yet.
    #[must_use]
    pub fn resolve(config: &Config, path: &str) -> Self {
        let tools = &config.tools;
        let tier = tools
            .tiers
            .resolve(path)
            .map(|entry| entry.value)
            .unwrap_or_default();
        let (http, http_source) = match tools.http.resolve(path) {
            Some(entry) => match &entry.value {
                HttpGrant::Prefixes(rules) => (
                    RuleSet::new(rules.clone()),
                    HttpSource::Listed(entry.into()),
                ),
                HttpGrant::TrustDeclared => {
                    (RuleSet::default(), HttpSource::Declared(Some(entry.into())))
                }
            },
            None if tools.trusts_undeclared(path) => {
                (RuleSet::default(), HttpSource::Declared(None))
            }
            None => (RuleSet::default(), HttpSource::Nothing),
        };
        let environment = tools.env.resolve(path);
        let declaring = matches!(http_source, HttpSource::Declared(_));
        Self {
            tier,
            limits: config.limits_for(path, tier),
            http,
            http_source,
            environment: environment
                .map(|entry| entry.value.clone())
                .unwrap_or_default(),
            environment_key: environment.map(Written::from),
            state: tools
                .state
                .resolve(path)
                .map(|entry| entry.value)
                .unwrap_or_default(),
            hooks: tools
                .hooks
                .resolve(path)
                .map(|entry| entry.value.clone())
                .unwrap_or_default(),
            declaring,
        }
    }

    /// What the file at `path`, which declares these prefixes, is given for a principal with grants
    /// of its own.
    #[must_use]
    pub fn for_principal(&self, own: &OwnGrants, path: &str, declared: &[String]) -> Self {
        let mut grants = self.clone();
        grants.limits = own.limits.apply(grants.limits);
        if let Some(entry) = own.http.resolve(path) {
            match &entry.value {
                HttpGrant::Prefixes(rules) => {
                    grants.http = RuleSet::new(rules.clone());
                    grants.http_source = HttpSource::Listed(entry.into());
                }
                HttpGrant::TrustDeclared => {
                    grants.http_source = HttpSource::Declared(Some(entry.into()));
                    // What is not granted was said when the file was loaded, or is for nobody.
                    drop(grants.accept_declared(declared, &own.private));
                }
            }
        }
        if let Some(entry) = own.env.resolve(path) {
            grants.environment.clone_from(&entry.value);
            grants.environment_key = Some(entry.into());
        }
        grants
    }

    /// Whether the file's own declaration is its grant.
    #[must_use]
    pub fn trusts_declaration(&self) -> bool {
        matches!(self.http_source, HttpSource::Declared(_))
    }

    /// Whether tein's own sandbox is off.
    #[must_use]
    pub fn is_unrestricted(&self) -> bool {
        self.tier == Tier::Unrestricted
    }

    /// SHA-256 of everything here, in hexadecimal digits: two records of calls with one digest
    /// were made under the same grants. Names of variables are in it, and no values.
    #[must_use]
    pub fn digest(&self) -> String {
        let rules: Vec<String> = self.http.iter().map(ToString::to_string).collect();
        let text = format!(
            "{:?}",
            (
                (self.tier, &self.limits, rules, &self.environment),
                (self.state, &self.hooks)
            )
        );
        crate::files::digest(text.as_bytes())
    }

    /// The grants of one instance, with the variables as they are now.
    #[must_use]
    pub fn for_instance(&self) -> Grants {
        let env = self.read_environment();
        let is_set = |name: &&String| env.iter().any(|secret| secret.name() == *name);
        let unset = self.environment.iter().filter(|name| !is_set(name));
        Grants {
            rules: Arc::new(self.http.clone()),
            unset: unset.cloned().collect(),
            env,
            capabilities: Capabilities {
                http: self.declaring || !self.http.is_empty(),
                environment: !self.environment.is_empty(),
            },
        }
    }

    /// Takes the declared prefixes, if the operator trusts them, and gives a message for each
    /// one that is not granted. `private` is what the operator consents to beyond global addresses.
    pub fn accept_declared(&mut self, declared: &[String], private: &[Cidr]) -> Vec<String> {
        self.declaring = false;
        if !self.trusts_declaration() {
            return Vec::new();
        }
        let consent = Consent::new(private.to_vec()).without_literals();
        let mut rules = Vec::with_capacity(declared.len());
        let mut messages = Vec::new();
        for prefix in declared {
            match accept(prefix, &consent) {
                Ok(rule) => rules.push(rule),
                Err(reason) => messages.push(format!(
                    "the declared prefix {prefix:?} is not granted: {reason}"
                )),
            }
        }
        self.http = RuleSet::new(rules);
        messages
    }

    /// What the file would be granted if the operator trusted its declaration: the prefixes, and
    /// a message for each one that would not be granted all the same. No consent to addresses that are not
    /// global is counted in.
    #[must_use]
    pub fn if_trusted(&self, declared: &[String]) -> (Vec<String>, Vec<String>) {
        let mut trusted = Self {
            http: RuleSet::default(),
            http_source: HttpSource::Declared(None),
            ..self.clone()
        };
        let refused = trusted.accept_declared(declared, &[]);
        (
            trusted.http.iter().map(ToString::to_string).collect(),
            refused,
        )
    }

    /// The values of the granted variables that are set now. A value that is not Unicode
    /// counts as unset: a tool could not read it.
    #[must_use]
    pub fn read_environment(&self) -> Vec<Secret> {
        self.environment
            .iter()
            .filter_map(|name| Some(Secret::new(name, std::env::var(name).ok()?)))
            .collect()
    }

    /// What to write where, so that a request like this one would be let through. `None` when no
    /// grant could: the request can be read in two ways.
    #[must_use]
    pub fn advice(
        &self,
        path: &str,
        configuration: &str,
        method: &str,
        url: &str,
    ) -> Option<String> {
        let target = RequestTarget::parse(method, url).ok()?;
        let rule = Rule::for_target(&target).ok()?;
        let written = match &self.http_source {
            HttpSource::Listed(written) | HttpSource::Declared(Some(written)) => written,
            HttpSource::Declared(None) | HttpSource::Nothing => {
                return Some(format!(
                    "`\"{path}\" = [\"{rule}\"]` under `[tools.http.allow]` in {configuration} would allow it"
                ));
            }
        };
        Some(match &self.http_source {
            HttpSource::Listed(_) => {
                format!(
                    "\"{rule}\" in `{}` ({}) would allow it",
                    written.key, written.place
                )
            }
            _ => format!(
                "a list with \"{rule}\" in place of \"trust-declared\" at `{}` ({}) would allow it",
                written.key, written.place
            ),
        })
    }

    /// Warnings about hooks that the file at `path` registers to no effect.
    #[must_use]
    pub fn compare_hooks(
        &self,
        registered: &[String],
        path: &str,
        configuration: &str,
        place: &Place,
    ) -> Vec<Diagnostic> {
        let inert = registered.iter().filter_map(|name| {
            let warning = |message: String| Diagnostic::warning(message).place(place.clone());
            match Hook::named(name) {
                None => Some(warning(format!(
                    "the hook `{name}` has no effect: holm has no such event"
                ))),
                Some(hook) if self.hooks.contains(&hook) => None,
                Some(hook) => Some(
                    warning(format!("the hook `{hook}` has no effect here")).hint(format!(
                        "`\"{path}\" = [\"{hook}\"]` under `[tools.hooks]` in {configuration} would let it count"
                    )),
                ),
            }
        });
        inert.collect()
    }

    /// Warnings about what was granted to no effect or asked for in vain.
    #[must_use]
    pub fn compare(&self, declared: &[String], place: &Place) -> Vec<Diagnostic> {
        if self.trusts_declaration() || declared.is_empty() {
            return Vec::new();
        }
        let missing: Vec<String> = declared
            .iter()
            .filter(|prefix| {
                Rule::parse(prefix).map_or(true, |rule| {
                    !self
                        .http
                        .iter()
                        .any(|granted| granted.contains_prefix(&rule))
                })
            })
            .map(|prefix| format!("{prefix:?}"))
            .collect();
        if missing.is_empty() {
            return Vec::new();
        }
        let warning =
            Diagnostic::warning(format!("declared and not granted: {}", missing.join(", ")));
        vec![warning.place(place.clone())]
    }
}

/// A declared prefix as a rule, or why it is none.
fn accept(prefix: &str, consent: &Consent) -> Result<Rule, String> {
    let rule = Rule::parse(prefix).map_err(|error| error.to_string())?;
    if let Some(address) = rule.literal_address() {
        consent.permits(&rule, address).map_err(|refusal| {
            format!(
                "{} is {}, which takes a list of yours",
                refusal.address, refusal.range
            )
        })?;
    }
    Ok(rule)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn grants(text: &str, path: &str) -> FileGrants {
        let config = Config::parse("holm.toml", text, Path::new("/base")).unwrap();
        FileGrants::resolve(&config, path)
    }

    fn allowed(grants: &FileGrants) -> Vec<String> {
        grants.http.iter().map(ToString::to_string).collect()
    }

    const FILE: &str = "/tools/shared/a.scm";

    /// `tests/cases/grants.json`: a configuration, what each file declares, and what it gets.
    #[test]
    fn configurations_resolve_as_the_table_says() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/grants.json");
        let text = std::fs::read_to_string(file).unwrap();
        let rows: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
        let list = |value: &serde_json::Value| -> Vec<String> {
            let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
            items
                .iter()
                .map(|item| item.as_str().unwrap().to_owned())
                .collect()
        };
        let mut count = 0;
        for row in &rows {
            let text = list(&row["config"]).join("\n");
            let config = Config::parse("holm.toml", &text, Path::new("/base")).unwrap();
            for (path, expected) in row["files"].as_object().unwrap() {
                let mut given = FileGrants::resolve(&config, path);
                given.accept_declared(&list(&row["declares"]), &config.private);
                let found = serde_json::json!({
                    "tier": given.tier.number(),
                    "http": allowed(&given),
                    "env": given.environment,
                });
                assert_eq!(found, *expected, "{}: {path}", row["why"]);
                count += 1;
            }
        }
        assert!(count >= 30, "{count}");
    }

    #[test]
    fn a_list_beats_the_declaration() {
        let text = "[tools.http]\ntrust-declared = true\n[tools.http.allow]\n\"/tools/shared\" = [\"https://a.example.com/\"]";
        let mut listed = grants(text, FILE);
        assert!(
            listed
                .accept_declared(&["https://b.example.com/".to_owned()], &[])
                .is_empty()
        );
        assert_eq!(allowed(&listed), ["https://a.example.com/"]);
        let mut elsewhere = grants(text, "/tools/home/ada/a.scm");
        elsewhere.accept_declared(&["https://b.example.com/".to_owned()], &[]);
        assert_eq!(allowed(&elsewhere), ["https://b.example.com/"]);
    }

    #[test]
    fn an_empty_list_grants_nothing_and_trusts_nothing() {
        let text =
            "[tools.http]\ntrust-declared = true\n[tools.http.allow]\n\"/tools/shared\" = []";
        let mut given = grants(text, FILE);
        given.accept_declared(&["https://b.example.com/".to_owned()], &[]);
        assert!(given.http.is_empty());
    }

    #[test]
    fn declared_prefixes_that_are_no_grants_are_left_out_and_told() {
        let mut given = grants(
            "[tools.http.allow]\n\"/tools/shared\" = \"trust-declared\"",
            FILE,
        );
        let declared = [
            "https://a@b/".to_owned(),
            "https://b.example.com/".to_owned(),
        ];
        let messages = given.accept_declared(&declared, &[]);
        assert_eq!(allowed(&given), ["https://b.example.com/"]);
        assert_eq!(messages.len(), 1);
    }

    #[test]
    fn a_declared_address_that_is_not_global_needs_the_operator() {
        let declared = [
            "http://127.0.0.1:8080/".to_owned(),
            "http://10.1.2.3/".to_owned(),
        ];
        let mut given = grants("[tools.http]\ntrust-declared = true", FILE);
        let messages = given.accept_declared(&declared, &["10.0.0.0/8".parse().unwrap()]);
        assert_eq!(allowed(&given), ["http://10.1.2.3/"]);
        assert_eq!(messages.len(), 1);
    }

    #[test]
    fn the_exact_file_beats_its_folder_and_nothing_is_merged() {
        let text = "[tools.env]\n\"/tools/shared\" = [\"A\", \"B\"]\n\"/tools/shared/a.scm\" = [\"C\"]\n[tools.tiers]\n\"/tools/shared/a\" = 2";
        assert_eq!(grants(text, FILE).environment, ["C"]);
        assert_eq!(grants(text, "/tools/shared/b.scm").environment, ["A", "B"]);
        assert_eq!(grants(text, "/tools/shared/abc.scm").tier, Tier::Sandboxed);
        assert_eq!(
            grants(text, "/tools/shared/a/b.scm").tier,
            Tier::Unrestricted
        );
    }

    #[test]
    fn advice_names_the_key_that_decides() {
        let url = "https://api.example.com/v1/orders?x=1";
        let nothing = grants("", FILE).advice(FILE, "holm.toml", "GET", url);
        assert_eq!(
            nothing.as_deref(),
            Some(
                "`\"/tools/shared/a.scm\" = [\"https://api.example.com/v1/orders\"]` under `[tools.http.allow]` in holm.toml would allow it"
            )
        );
        let text = "[tools.http.allow]\n\"/tools/shared\" = []";
        assert_eq!(
            grants(text, FILE)
                .advice(FILE, "holm.toml", "GET", url)
                .as_deref(),
            Some(
                "\"https://api.example.com/v1/orders\" in `tools.http.allow.\"/tools/shared\"` (holm.toml:2:1) would allow it"
            )
        );
        let ambiguous = grants("", FILE).advice(FILE, "holm.toml", "GET", "https://a@b/");
        assert_eq!(ambiguous, None);
    }

    #[test]
    fn what_is_declared_and_not_granted_is_a_warning() {
        let given = grants(
            "[tools.http.allow]\n\"/tools/shared\" = [\"https://a.example.com\"]",
            FILE,
        );
        let declared = [
            "https://a.example.com/".to_owned(),
            "https://b.example.com/".to_owned(),
        ];
        let warnings = given.compare(&declared, &Place::file("a.scm"));
        let texts: Vec<_> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            ["a.scm: declared and not granted: \"https://b.example.com/\""]
        );
    }
}
