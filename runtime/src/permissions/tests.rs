use super::*;

fn arguments(text: &str) -> Map<String, Value> {
    match serde_json::from_str(text) {
        Ok(Value::Object(map)) => map,
        other => panic!("{other:?}"),
    }
}

fn gate(permissions: &Permissions, category: Category, text: &str) -> Gate {
    let summary_params = ["q".to_owned(), "n".to_owned()];
    let subject = Subject {
        tool: "t",
        category,
        summary_params: &summary_params,
        path: "/tools/shared/t.scm",
        digest: "00",
    };
    permissions.gate(&subject, &arguments(text))
}

/// `pass`, the refusal, or `hook payload [ask]: details`.
fn told(permissions: &Permissions, category: Category, text: &str) -> String {
    match gate(permissions, category, text) {
        Gate::Pass => "pass".to_owned(),
        Gate::Refuse(text) => text,
        Gate::Check(check) => format!(
            "{} {} {}: {}",
            check.hook,
            check.payload,
            if check.ask { "ask" } else { "allow" },
            check.question.details
        ),
    }
}

/// Category, arguments, and what the gate does without a word from the operator.
const RULES: [(Category, &str, &str); 20] = [
    (
        Category::Network,
        r#"{"q":"buy","n":10}"#,
        r#"pre_fetch_url {"safety":"no_url","summary":"buy 10","tool_name":"t"} ask: buy 10"#,
    ),
    (
        Category::Network,
        r#"{"url":"","q":"buy"}"#,
        r#"pre_fetch_url {"safety":"no_url","summary":"buy","tool_name":"t"} ask: buy"#,
    ),
    (
        Category::Network,
        "{}",
        r#"pre_fetch_url {"safety":"no_url","summary":"","tool_name":"t"} ask: (no details)"#,
    ),
    (
        Category::Network,
        r#"{"url":7}"#,
        r#"pre_fetch_url {"safety":"no_url","summary":"","tool_name":"t"} ask: (no details)"#,
    ),
    (
        Category::Network,
        r#"{"url":"https://example.com/"}"#,
        "pass",
    ),
    (
        Category::Network,
        r#"{"url":"http://127.0.0.1/x"}"#,
        r#"pre_fetch_url {"reason":"loopback address","safety":"sensitive","tool_name":"t","url":"http://127.0.0.1/x"} ask: http://127.0.0.1/x"#,
    ),
    (
        Category::Network,
        r#"{"url":"http://169.254.169.254/"}"#,
        r#"pre_fetch_url {"reason":"cloud metadata endpoint","safety":"sensitive","tool_name":"t","url":"http://169.254.169.254/"} ask: http://169.254.169.254/"#,
    ),
    (
        Category::Network,
        r#"{"url":"nothing"}"#,
        r#"pre_fetch_url {"reason":"could not parse URL","safety":"sensitive","tool_name":"t","url":"nothing"} ask: nothing"#,
    ),
    (
        Category::Shell,
        r#"{"command":"rm \u001b[2J"}"#,
        r#"pre_shell_exec {"command":"rm \u001b[2J","tool_name":"t"} ask: rm \u{1b}[2J"#,
    ),
    (
        Category::Shell,
        r#"{"q":"x"}"#,
        r#"pre_shell_exec {"command":"","tool_name":"t"} ask: x"#,
    ),
    (
        Category::FsWrite,
        r#"{"path":"/etc/passwd","content":"x"}"#,
        r#"pre_file_write {"content":"x","path":"/etc/passwd","tool_name":"t"} ask: /etc/passwd"#,
    ),
    (Category::FsWrite, r#"{"path":"vfs:///shared/x"}"#, "pass"),
    (
        Category::FsWrite,
        "{}",
        r#"pre_file_write {"content":"","path":"","tool_name":"t"} ask: (no details)"#,
    ),
    (
        Category::FsRead,
        r#"{"path":"/etc/passwd"}"#,
        r#"pre_file_read {"path":"/etc/passwd","tool_name":"t"} ask: /etc/passwd"#,
    ),
    (Category::FsRead, r#"{"path":"vfs:///shared/x"}"#, "pass"),
    (Category::FsRead, "{}", "pass"),
    (Category::Memory, "{}", "pass"),
    (Category::Flow, r#"{"url":"http://127.0.0.1/"}"#, "pass"),
    (Category::Eval, "{}", "pass"),
    (Category::Synthesised, r#"{"command":"x"}"#, "pass"),
];

#[test]
fn every_category_has_its_rule() {
    for (category, arguments, expected) in RULES {
        let found = told(&Permissions::default(), category, arguments);
        assert_eq!(found, expected, "{category} {arguments}");
    }
    for category in Category::ALL {
        assert!(
            RULES.iter().any(|(covered, _, _)| *covered == category)
                || matches!(category, Category::Index | Category::Vfs),
            "{category}"
        );
    }
}

#[test]
fn the_operator_decides_before_the_rule_and_about_a_tool_before_its_category() {
    let mut permissions = Permissions::default();
    let set = |permissions: &mut Permissions, category, tool: Option<Decision>| {
        permissions.categories = BTreeMap::from([(Category::Network, category)]);
        permissions.tools = tool
            .map(|tool| ("t".to_owned(), tool))
            .into_iter()
            .collect();
    };
    let url = r#"{"url":"https://example.com/"}"#;
    set(&mut permissions, Decision::Deny, None);
    assert_eq!(
        told(&permissions, Category::Network, url),
        "Permission denied: denied by configuration"
    );
    assert_eq!(told(&permissions, Category::Memory, url), "pass");
    set(&mut permissions, Decision::Deny, Some(Decision::Allow));
    assert_eq!(told(&permissions, Category::Network, url), "pass");
    // An allowed call is still shown to the hooks of its category, which can deny it.
    assert_eq!(
        told(&permissions, Category::Network, r#"{"q":"x"}"#),
        r#"pre_fetch_url {"safety":"no_url","summary":"x","tool_name":"t"} allow: x"#
    );
    set(&mut permissions, Decision::Allow, Some(Decision::Deny));
    assert_eq!(
        told(&permissions, Category::Network, "{}"),
        "Permission denied: denied by configuration"
    );
    set(&mut permissions, Decision::Ask, None);
    assert_eq!(
        told(
            &permissions,
            Category::Network,
            r#"{"url":"https://example.com/","q":"x"}"#
        ),
        r#"pre_tool {"summary":"x","tool_name":"t"} ask: x"#
    );
    set(&mut permissions, Decision::Allow, Some(Decision::Ask));
    assert_eq!(
        told(&permissions, Category::Memory, r#"{"q":"x"}"#),
        r#"pre_tool {"tool_name":"t"} ask: x"#
    );
}

#[test]
fn a_policy_decides_about_the_url_and_not_about_its_absence() {
    let pattern = |text: &str| UrlPattern::parse(text).unwrap();
    let permissions = Permissions {
        url_policy: Some(UrlPolicy {
            deny: vec![
                pattern("https://*.evil.example/*"),
                pattern("preset:loopback"),
            ],
            default: Some(Decision::Allow),
            ..UrlPolicy::default()
        }),
        ..Permissions::default()
    };
    let network = |text: &str| told(&permissions, Category::Network, text);
    assert_eq!(
        network(r#"{"url":"https://a.evil.example/x"}"#),
        "Permission denied: denied by URL policy"
    );
    assert_eq!(
        network(r#"{"url":"http://127.0.0.1/"}"#),
        "Permission denied: loopback address"
    );
    assert_eq!(network(r#"{"url":"http://10.0.0.1/"}"#), "pass");
    assert!(network("{}").contains(" ask: "));
}

#[test]
fn a_denial_by_the_policy_gives_way_to_the_operators_word_about_the_tool() {
    let permissions = Permissions {
        tools: BTreeMap::from([("t".to_owned(), Decision::Ask)]),
        url_policy: Some(UrlPolicy {
            default: Some(Decision::Deny),
            ..UrlPolicy::default()
        }),
        ..Permissions::default()
    };
    // `ask` is no permission: what the policy refuses is not even asked about.
    assert_eq!(
        told(
            &permissions,
            Category::Network,
            r#"{"url":"https://example.com/"}"#
        ),
        "Permission denied: denied by URL policy"
    );
}

#[test]
fn a_question_shows_no_control_characters_and_has_an_end() {
    let long = format!(r#"{{"q":"{}\u202e"}}"#, "x".repeat(5000));
    let Gate::Check(check) = gate(&Permissions::default(), Category::Network, &long) else {
        panic!("not asked");
    };
    assert!(
        check.question.details.chars().count() < 400,
        "{}",
        check.question.details
    );
    assert!(check.question.details.ends_with("more characters)"));
    let Gate::Check(check) = gate(
        &Permissions::default(),
        Category::Network,
        "{\"q\":\"a\\u202eb\\n\\u001b[1m\\u3164\\u2800\"}",
    ) else {
        panic!("not asked");
    };
    assert_eq!(
        check.question.details,
        "a\\u{202e}b\\n\\u{1b}[1m\\u{3164}\\u{2800}"
    );
}
