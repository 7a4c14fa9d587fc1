//! The shared cases, run against the rule type.

use serde_json::Value;

use super::{Rule, RuleSet};

const CASES: &str = include_str!("../../../tests/cases/http-rules.json");

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key]
        .as_str()
        .unwrap_or_else(|| panic!("no `{key}` in {case}"))
}

#[test]
fn requests_are_decided_as_the_shared_cases_say() {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let requests = cases["requests"].as_array().unwrap();
    assert!(requests.len() > 50, "the cases are gone");
    let mut wrong = Vec::new();
    for case in requests {
        let rules: RuleSet = case["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rule| {
                Rule::parse(rule.as_str().unwrap())
                    .unwrap_or_else(|error| panic!("{rule}: {error}"))
            })
            .collect();
        let answer = rules.check_url(text(case, "method"), text(case, "url"));
        let expected = match text(case, "expect") {
            "allow" => true,
            "deny" => false,
            other => panic!("{other} is no expectation"),
        };
        if answer.is_ok() != expected {
            wrong.push(format!("{}: {case} gave {answer:?}", text(case, "why")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn bad_rules_are_refused_with_something_to_write_instead() {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let bad = cases["bad_rules"].as_array().unwrap();
    assert!(bad.len() > 10, "the cases are gone");
    for case in bad {
        match Rule::parse(text(case, "rule")) {
            Ok(rule) => panic!("{}: {case} was read as {rule}", text(case, "why")),
            Err(error) => assert!(error.to_string().contains(':'), "{case}: {error}"),
        }
    }
}
