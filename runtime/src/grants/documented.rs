//! Documented is enforced: every form of a rule in the documentation is executed.

use super::{RequestTarget, Rule};

const SECURITY: &str = include_str!("../../../docs/security.md");
const README: &str = include_str!("../../../README.md");

/// The rows of the first table below a heading, as texts between backticks per cell.
fn table(text: &str, heading: &str) -> Vec<Vec<Vec<String>>> {
    let (_, after) = text.split_once(&format!("\n{heading}\n")).unwrap();
    after
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| {
            line.trim_matches('|')
                .split('|')
                .map(|cell| {
                    cell.split('`')
                        .skip(1)
                        .step_by(2)
                        .map(str::to_owned)
                        .collect()
                })
                .collect()
        })
        .collect()
}

fn request(text: &str) -> Result<RequestTarget, String> {
    let (method, url) = text.split_once(' ').unwrap_or(("GET", text));
    RequestTarget::parse(method, url).map_err(|error| error.to_string())
}

/// A rule as the documentation writes it: a string, or a table with methods.
fn rule(text: &str) -> Result<Rule, String> {
    let Some(table) = text.strip_prefix('{') else {
        return Rule::parse(text).map_err(|error| error.to_string());
    };
    let quoted: Vec<&str> = table.split('"').skip(1).step_by(2).collect();
    let (prefix, methods) = quoted.split_first().unwrap();
    Rule::parse(prefix)
        .and_then(|rule| rule.with_methods(methods))
        .map_err(|error| error.to_string())
}

#[test]
fn every_form_of_a_rule_covers_what_the_documentation_says() {
    let rows = table(SECURITY, "### Forms of a grant");
    assert!(rows.len() >= 8, "{}", rows.len());
    for row in rows {
        let [form, covers, not] = &row[..] else {
            panic!("{row:?}");
        };
        let rule = rule(&form[0]).unwrap_or_else(|error| panic!("{}: {error}", form[0]));
        assert!(!covers.is_empty() && !not.is_empty(), "{row:?}");
        for url in covers {
            let target = request(url).unwrap();
            assert!(rule.matches(&target).is_ok(), "{rule} should cover {url}");
        }
        for url in not {
            let covered = request(url).is_ok_and(|target| rule.matches(&target).is_ok());
            assert!(!covered, "{rule} should not cover {url}");
        }
    }
}

#[test]
fn what_the_documentation_calls_no_grant_is_none() {
    let rows = table(SECURITY, "### What is no grant");
    assert!(rows.len() >= 10, "{}", rows.len());
    for row in rows {
        for form in &row[0] {
            assert!(rule(form).is_err(), "{form} is accepted");
        }
    }
}

#[test]
fn what_the_documentation_calls_ambiguous_is_refused() {
    let rows = table(SECURITY, "### Requests that can be read in two ways");
    assert!(rows.len() >= 10, "{}", rows.len());
    let everything =
        ["https://api.example.com/", "http://127.0.0.1/"].map(|rule| Rule::parse(rule).unwrap());
    for row in rows {
        for url in &row[0] {
            let allowed = request(url)
                .is_ok_and(|target| everything.iter().any(|rule| rule.matches(&target).is_ok()));
            assert!(!allowed, "{url} is allowed");
        }
    }
}

#[test]
fn the_prefixes_of_the_readme_are_grants() {
    let rows = table(README, "### URL prefixes");
    assert!(rows.len() >= 6, "{}", rows.len());
    for row in rows {
        assert!(rule(&row[0][0]).is_ok(), "{row:?}");
    }
}

/// The text of every Rust file below a folder.
fn sources(folder: &std::path::Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_test_that_the_documentation_names_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = String::new();
    for folder in ["runtime/src", "tests"] {
        sources(&root.join(folder), &mut all);
    }
    let named: Vec<&str> = SECURITY
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|text| text.matches('_').count() >= 2)
        .filter(|text| {
            text.chars()
                .all(|letter| letter.is_ascii_lowercase() || matches!(letter, '_' | '0'..='9'))
        })
        .collect();
    assert!(named.len() > 40, "{}", named.len());
    for name in named {
        let found = all.split_once(&format!("fn {name}("));
        let (before, _) = found.unwrap_or_else(|| panic!("there is no {name}"));
        // Attributes, and what an item ends with, before the function's own line.
        let attributes = before.rsplit("\n\n").next().unwrap_or_default();
        let is_test = ["#[test]", "#[tokio::test"];
        assert!(
            is_test.iter().any(|test| attributes.contains(test)),
            "{name} is no test: {attributes}"
        );
    }
}
