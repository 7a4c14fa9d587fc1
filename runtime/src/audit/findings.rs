//! The rules of an audit: what in a file's grants somebody should look at.

use super::report::{Decision, FileReport, Finding, Grant, Severity};
use crate::grants::{Rule, RuleSet, Scheme, classify};

/// A rule, for the table of them in other formats.
#[derive(Debug, Clone, Copy)]
pub struct RuleInfo {
    /// Its name.
    pub name: &'static str,
    /// How much its findings matter.
    pub severity: Severity,
    /// What it looks for.
    pub looks_for: &'static str,
    /// What to do about a finding.
    pub advice: &'static str,
}

/// Every rule there is.
pub const RULES: [RuleInfo; 11] = [
    RuleInfo {
        name: "variables-and-wide-http",
        severity: Severity::Error,
        looks_for: "a file that sees variables and may send requests to a whole domain",
        advice: "grant the one prefix that needs the variable",
    },
    RuleInfo {
        name: "unrestricted-tier",
        severity: Severity::Warning,
        looks_for: "a file without tein's own sandbox and step limit",
        advice: "use tier 1 unless the tool needs a module that is not safe",
    },
    RuleInfo {
        name: "wildcard-host",
        severity: Severity::Warning,
        looks_for: "a grant for every sub-domain",
        advice: "name the hosts",
    },
    RuleInfo {
        name: "whole-origin",
        severity: Severity::Warning,
        looks_for: "a grant for every path of an origin",
        advice: "add the path that the tool needs",
    },
    RuleInfo {
        name: "cleartext",
        severity: Severity::Warning,
        looks_for: "a grant for http, which anybody on the way can read and change",
        advice: "use https where the server has it",
    },
    RuleInfo {
        name: "private-address",
        severity: Severity::Warning,
        looks_for: "a grant for an address that is not global",
        advice: "keep it only if the tool is meant to reach this network",
    },
    RuleInfo {
        name: "trusts-declaration",
        severity: Severity::Warning,
        looks_for: "a file whose author decides what it reaches",
        advice: "write the prefixes down as a list",
    },
    RuleInfo {
        name: "kept-state",
        severity: Severity::Note,
        looks_for: "a file whose instance is kept between calls",
        advice: "use fresh instances unless the tool needs its memory",
    },
    RuleInfo {
        name: "ungranted-declaration",
        severity: Severity::Note,
        looks_for: "a declared prefix that is not granted",
        advice: "grant it if the tool is to work whole",
    },
    RuleInfo {
        name: "undeclared-grant",
        severity: Severity::Note,
        looks_for: "a grant that the file does not say it needs",
        advice: "ask the author, or take the grant away",
    },
    RuleInfo {
        name: "unused-grant",
        severity: Severity::Note,
        looks_for: "a grant for a host that the audit log has no request to",
        advice: "take the grant away if the log covers normal use",
    },
];

/// Applies the rules to a file, given what it is granted.
pub(super) fn of(file: &FileReport, rules: &RuleSet) -> Vec<Finding> {
    let mut found = Findings {
        path: &file.path,
        all: Vec::new(),
    };
    let http = file.http.decided_by.as_ref();
    if file.tier == 2 {
        found.add("unrestricted-tier", "runs at tier 2".to_owned(), None);
    }
    if file.state != "fresh" {
        let message = "keeps its instance between calls".to_owned();
        found.add("kept-state", message, None);
    }
    if file.http.trusts_declaration && !file.http.granted.is_empty() {
        let message = format!("is granted what it declares: {}", list(&file.http.declared));
        found.add("trusts-declaration", message, http);
    }
    for (grant, rule) in file.http.granted.iter().zip(rules.iter()) {
        grants(&mut found, file, grant, rule);
    }
    for declared in &file.http.declared {
        let granted = Rule::parse(declared)
            .is_ok_and(|declared| rules.iter().any(|rule| rule.contains_prefix(&declared)));
        if !granted {
            let message = format!("declares {declared}, which is not granted");
            found.add("ungranted-declaration", message, None);
        }
    }
    found.all
}

fn grants(found: &mut Findings<'_>, file: &FileReport, grant: &Grant, rule: &Rule) {
    let at = file.http.decided_by.as_ref();
    let prefix = &grant.prefix;
    let variables = &file.environment.granted;
    if grant.wildcard_host {
        found.add("wildcard-host", format!("may reach {prefix}"), at);
        if !variables.is_empty() {
            let message = format!("sees {} and may send it to {prefix}", list(variables));
            found.add("variables-and-wide-http", message, at);
        }
    } else if grant.whole_origin {
        found.add("whole-origin", format!("may reach all of {prefix}"), at);
    }
    match rule.literal_address() {
        Some(address) if classify(address).is_some() => {
            found.add("private-address", format!("may reach {prefix}"), at);
        }
        _ if rule.scheme() == Scheme::Http => {
            found.add("cleartext", format!("may reach {prefix}"), at);
        }
        _ => {}
    }
    if !file.http.trusts_declaration {
        let mut declared = file
            .http
            .declared
            .iter()
            .filter_map(|d| Rule::parse(d).ok());
        if !declared.any(|declared| rule.contains(&declared) || declared.contains(rule)) {
            let message = format!("is granted {prefix}, which it does not declare");
            found.add("undeclared-grant", message, at);
        }
    }
    if let Some(used) = &file.http.used
        && !used.iter().any(|origin| reaches(rule, origin))
    {
        let message = format!("is granted {prefix} and has not used it");
        found.add("unused-grant", message, at);
    }
}

/// Whether a rule covers an origin of the audit log, whatever the path.
fn reaches(rule: &Rule, origin: &str) -> bool {
    Rule::parse(origin).is_ok_and(|origin| {
        rule.scheme() == origin.scheme()
            && rule.port() == origin.port()
            && rule.host().contains(origin.host())
    })
}

fn list(words: &[String]) -> String {
    words.join(", ")
}

struct Findings<'a> {
    path: &'a str,
    all: Vec<Finding>,
}

impl Findings<'_> {
    fn add(&mut self, rule: &'static str, message: String, at: Option<&Decision>) {
        let Some(info) = RULES.iter().find(|info| info.name == rule) else {
            return;
        };
        self.all.push(Finding {
            severity: info.severity,
            rule,
            path: self.path.to_owned(),
            message,
            advice: info.advice,
            decided_by: at.cloned(),
        });
    }
}
