//! The shared cases of skill policies, and the verification list of the specification that can
//! be put to the type itself.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Candidate, HookFilter, Rules, Skill, ToolPolicy, from_tags};
use crate::config::Config;
use crate::permissions::Category;

const CASES: &str = include_str!("../../../tests/cases/skill-policy.json");

fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap())
        .collect()
}

fn policy(tags: &Value, tools: &[&str]) -> ToolPolicy {
    let skill = Skill {
        name: "case".to_owned(),
        origin: "case".to_owned(),
        selection: from_tags(tags).unwrap().build(),
    };
    ToolPolicy::compute(
        tools.iter().map(|name| Candidate {
            name,
            category: Category::Synthesised,
            path: "/tools/shared/a.scm",
        }),
        Rules {
            config: &Config::default(),
            who: "local",
            hooks: &HookFilter::default(),
            skill: Some(&skill),
        },
    )
}

#[test]
fn skills_expose_what_the_shared_cases_say() {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let registered = strings(&cases["registered"]);
    let all = cases["cases"].as_array().unwrap();
    assert!(all.len() >= 21, "the cases are gone");
    for case in all {
        let why = case["why"].as_str().unwrap();
        let policy = policy(&case["tags"], &registered);
        let expected: BTreeSet<&str> = strings(&case["exposed"]).into_iter().collect();
        let exposed: BTreeSet<&str> = policy.names().collect();
        assert_eq!(exposed, expected, "{why}: {case}");
        for name in registered.iter().chain(&["bogus", ""]) {
            assert_eq!(
                policy.permits(name),
                expected.contains(name),
                "{why}: {name}"
            );
        }
        let about = strings(&case["warns_about"]);
        assert_eq!(policy.warnings().len(), about.len(), "{why}: {policy:?}");
        for entry in about {
            let named = format!("{entry:?}");
            assert!(
                policy
                    .warnings()
                    .iter()
                    .any(|warning| warning.contains(&named)),
                "{why}: {policy:?}"
            );
        }
    }
}

#[test]
fn what_the_cases_leave_open_fails_closed() {
    let tools = ["a", "b"];
    for (tags, exposed, warnings) in [
        (json!([["tools"]]), &[][..], 1),
        (json!([["tools", "-*"]]), &[], 1),
        (json!([["tools", "a,-all"]]), &[], 1),
        (json!([["tools", "-"]]), &[], 2),
        (json!([["tools", " , ,"]]), &[], 1),
        (json!([["tools", "   "]]), &["a", "b"], 0),
        (json!([["tools", "ALL"]]), &[], 1),
        (json!([["tools", "a", "b"]]), &["a", "b"], 0),
        (json!([["tools", "a", ""]]), &["a"], 0),
        (json!([["tools", "", "a"]]), &["a"], 0),
        (json!([["tools", "-a"], ["tools", "b"]]), &["b"], 0),
        (json!([["tools", "-a"], ["requires_tool", "a"]]), &["b"], 0),
        (json!([["tools", "-c"]]), &["a", "b"], 1),
        (json!([["tools", "a b"]]), &[], 1),
        (json!([["requires_tool", "*"]]), &[], 1),
        (json!([["requires_tool", "a,b"]]), &[], 1),
        (json!([["requires_tool", ""]]), &[], 1),
        (json!([["requires_tool", " a "]]), &["a"], 0),
        (
            json!([["tools", ""], ["requires_tool", "a"]]),
            &["a", "b"],
            0,
        ),
        (json!([["tools", ""], ["tools", "a"]]), &["a", "b"], 1),
        (json!([["tools", "*"], ["tools", "a"]]), &["a", "b"], 1),
        (json!([["Tools", "a"]]), &["a", "b"], 0),
    ] {
        let policy = policy(&tags, &tools);
        assert_eq!(policy.names().collect::<Vec<_>>(), exposed, "{tags}");
        assert_eq!(policy.warnings().len(), warnings, "{tags}: {policy:?}");
    }
}

#[test]
fn no_policy_is_not_a_policy_that_allows_nothing() {
    let none = policy(&json!([]), &["a"]);
    let nothing = policy(&json!([["tools", ","]]), &["a"]);
    assert!(!none.is_under_skill() && none.permits("a"));
    assert!(nothing.is_under_skill() && !nothing.permits("a"));
    // Nor with no tools at all.
    let none = policy(&json!([]), &[]);
    let nothing = policy(&json!([["tools", ","]]), &[]);
    assert_ne!(none, nothing);
    assert_ne!(none.digest(), nothing.digest());
}

#[test]
fn a_long_list_is_not_cut() {
    let names: Vec<String> = (0..2000)
        .map(|index| format!("tool_with_a_name_{index}"))
        .collect();
    let tools: Vec<&str> = names.iter().map(String::as_str).collect();
    let policy = policy(&json!([["tools", names.join(",")]]), &tools);
    assert_eq!(policy.names().len(), 2000);
    assert!(policy.warnings().is_empty());
}

#[test]
fn a_skill_of_the_configuration_is_its_file_and_its_keys() {
    let folder = std::env::temp_dir().join(format!("holm-skill-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("SKILL.md"), "---\ntools: [a]\n---\n").unwrap();
    let config = Config::parse(
        "holm.toml",
        r#"
[skills.text]
tools = "a,b"
[skills.list]
tools = ["a", "-b"]
[skills.nothing]
tools = []
[skills.everything]
tools = ""
[skills.open]
[skills.alias]
requires-tool = "b"
[skills.no-alias]
requires-tool = []
[skills.but]
deny = ["a"]
[skills.denied]
tools = "*"
deny = ["c"]
[skills.file]
file = "SKILL.md"
requires-tool = ["b"]
[skills.lost]
file = "missing.md"
"#,
        &folder,
    )
    .unwrap();
    let tools = ["a", "b", "c"];
    for (name, expected) in [
        ("text", &["a", "b"][..]),
        ("list", &["a"]),
        ("nothing", &[]),
        ("everything", &["a", "b", "c"]),
        ("open", &["a", "b", "c"]),
        ("alias", &["b"]),
        ("no-alias", &[]),
        ("but", &["b", "c"]),
        ("denied", &["a", "b"]),
        ("file", &["a", "b"]),
    ] {
        let skill = Skill::of_config(&config, name).unwrap();
        let selected: Vec<&str> = tools
            .into_iter()
            .filter(|tool| skill.selection.as_ref().is_none_or(|all| all.selects(tool)))
            .collect();
        assert_eq!(selected, expected, "{name}");
    }
    let open = Skill::of_config(&config, "open").unwrap();
    assert_eq!(open.selection, None);
    let lost = Skill::of_config(&config, "lost").unwrap_err();
    assert!(lost.to_string().contains("`skills.lost.file`"), "{lost}");
    let slip = Skill::of_config(&config, "tex").unwrap_err();
    assert_eq!(slip.hints, ["did you mean `text`?"]);
    std::fs::remove_dir_all(folder).unwrap();
}
