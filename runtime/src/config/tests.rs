use std::path::Path;
use std::time::Duration;

use super::*;
use crate::permissions::Category;

fn parse(text: &str) -> Config {
    Config::parse("holm.toml", text, Path::new("/base")).unwrap_or_else(|problems| {
        panic!("{}", lines(&problems));
    })
}

/// The problems of a text, one per line, with their first hint.
fn problems(text: &str) -> String {
    lines(&Config::parse("holm.toml", text, Path::new("/base")).unwrap_err())
}

fn lines(problems: &[Diagnostic]) -> String {
    problems
        .iter()
        .map(|problem| {
            let hint = problem
                .hints
                .first()
                .map(String::as_str)
                .unwrap_or_default();
            format!("{problem} ({hint})")
        })
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn an_empty_file_grants_nothing() {
    let config = parse("");
    assert!(config.mounts.is_empty());
    assert!(!config.tools.trust_declared);
    assert!(config.tools.http.resolve("/tools/shared/a.scm").is_none());
    assert!(config.tools.filter.admits("anything", Category::Network));
    assert_eq!(
        config.limits_for("/tools/shared/a.scm", Tier::Sandboxed),
        crate::limits::Limits::default()
    );
}

#[test]
fn every_section_is_read() {
    let config = parse(
        r#"
        [mount]
        "/tools/shared" = "./tools"
        "/tools/home/ada/" = "/srv/ada"

        [tools]
        exclude = ["rm"]
        exclude-categories = ["shell"]

        [tools.tiers]
        "/tools/shared/history.scm" = 2

        [tools.http]
        trust-declared = true
        [tools.http.allow]
        "/tools/shared/a.scm" = ["https://api.example.com/v1/", { prefix = "https://b.example.com/", methods = ["GET"] }]
        "/tools/shared/b" = "trust-declared"
        "/tools/shared/c.scm" = []

        [tools.env]
        "/tools/shared/a.scm" = ["KEY", "KEY", "OTHER"]

        [limits]
        wall = "10s"
        memory = "32MiB"
        [tools.limits]
        "/tools/shared/a.scm" = { wall = 0.5, cpu = 2, steps = 1_000, output = "1KiB", http-body = 0, http-requests = 1 }

        [network]
        private = ["10.0.0.0/8"]
        [cache]
        dir = "cache"
        "#,
    );
    let mounts: Vec<_> = config
        .mounts
        .iter()
        .map(|mount| (mount.path.as_str(), mount.folder.to_str().unwrap()))
        .collect();
    assert_eq!(
        mounts,
        [
            ("/tools/home/ada", "/srv/ada"),
            ("/tools/shared", "/base/./tools")
        ]
    );
    assert!(!config.tools.filter.admits("rm", Category::Synthesised));
    assert!(!config.tools.filter.admits("ls", Category::Shell));
    assert!(config.tools.filter.admits("ls", Category::Synthesised));
    assert_eq!(
        config
            .tools
            .tiers
            .resolve("/tools/shared/history.scm")
            .unwrap()
            .value,
        Tier::Unrestricted
    );
    assert!(config.tools.trust_declared);
    let http = |path| {
        config
            .tools
            .http
            .resolve(path)
            .map(|entry| entry.value.clone())
    };
    assert!(
        matches!(http("/tools/shared/a.scm"), Some(HttpGrant::Prefixes(rules)) if rules.len() == 2)
    );
    assert!(matches!(
        http("/tools/shared/b/x.scm"),
        Some(HttpGrant::TrustDeclared)
    ));
    assert!(
        matches!(http("/tools/shared/c.scm"), Some(HttpGrant::Prefixes(rules)) if rules.is_empty())
    );
    assert!(http("/tools/shared/bb.scm").is_none());
    assert_eq!(
        config
            .tools
            .env
            .resolve("/tools/shared/a.scm")
            .unwrap()
            .value,
        ["KEY", "OTHER"]
    );
    let limits = config.limits_for("/tools/shared/a.scm", Tier::Sandboxed);
    assert_eq!(limits.wall, Duration::from_millis(500));
    assert_eq!(limits.cpu, Duration::from_secs(2));
    assert_eq!(limits.steps, Some(1000));
    assert_eq!((limits.memory, limits.output), (32 << 20, 1 << 10));
    assert_eq!((limits.http_body, limits.http_requests), (0, 1));
    assert_eq!(
        config
            .limits_for("/tools/shared/z.scm", Tier::Sandboxed)
            .wall,
        Duration::from_secs(10)
    );
    assert_eq!(config.private, ["10.0.0.0/8".parse().unwrap()]);
    assert_eq!(config.cache_dir.as_deref(), Some(Path::new("/base/cache")));
}

#[test]
fn a_step_limit_at_tier_2_is_written_for_the_file() {
    let config = parse("[limits]\nsteps = 5\n[tools.limits]\n\"/tools/a\" = { steps = 7 }");
    assert_eq!(
        config.limits_for("/tools/b", Tier::Sandboxed).steps,
        Some(5)
    );
    assert_eq!(
        config.limits_for("/tools/b", Tier::Unrestricted).steps,
        None
    );
    assert_eq!(
        config.limits_for("/tools/a", Tier::Unrestricted).steps,
        Some(7)
    );
}

#[test]
fn unknown_keys_are_errors_with_a_suggestion() {
    assert_eq!(
        problems(
            "[tools]\ninclud = []\n[tool]\n[tools.http]\ntrust = true\n[limits]\nhttp_body = 1\nzebra = 1"
        ),
        "holm.toml:2:1: `tools.includ`: unknown key (did you mean `include`?)\n\
         holm.toml:3:2: `tool`: unknown key (did you mean `tools`?)\n\
         holm.toml:5:1: `tools.http.trust`: unknown key (did you mean `trust-declared`?)\n\
         holm.toml:7:1: `limits.http_body`: unknown key (did you mean `http-body`?)\n\
         holm.toml:8:1: `limits.zebra`: unknown key (the keys here are `wall`, `cpu`, `steps`, `memory`, `output`, `http-body`, `http-requests`)"
    );
}

#[test]
fn both_spellings_must_agree() {
    assert!(
        parse("[tools.http]\ntrust-declared = true\ntrust_declared = true")
            .tools
            .trust_declared
    );
    assert!(
        parse("[tools.http]\ntrust_declared = true")
            .tools
            .trust_declared
    );
    assert_eq!(
        problems("[tools.http]\ntrust-declared = true\ntrust_declared = false"),
        "holm.toml:3:18: `tools.http.trust_declared`: both spellings of this key are there, with different values \
         (keep the one with the hyphen)"
    );
}

#[test]
fn a_grant_that_could_be_misread_fails_with_its_line_and_key() {
    for prefix in [
        "https://user@api.example.com/",
        "https://api.example.com/?q=1",
        "https://api.example.com/#f",
        "https://api.example.com/a/../b",
        "https://*/",
        "*",
        "https://api.example.com:99999/",
        "api.example.com",
        "",
    ] {
        let text = format!(
            "[tools.http.allow]\n\n\"/tools/shared/a.scm\" = [\"https://ok.example.com/\",\n  {prefix:?}]"
        );
        let found = problems(&text);
        assert!(
            found.starts_with(&format!(
                "holm.toml:4:3: `tools.http.allow.\"/tools/shared/a.scm\"`: {prefix:?} is not a grant: "
            )),
            "{found}"
        );
    }
}

#[test]
fn wrong_values_say_what_is_accepted() {
    let table = [
        (
            "[mount]\n\"/tools/a\" = 1",
            "an integer is not accepted here (give the path of a folder, relative to this file)",
        ),
        (
            "[mount]\n\"tools\" = \".\"",
            "a virtual path starts with `/`",
        ),
        (
            "[mount]\n\"/etc\" = \".\"",
            "tool files live under `/tools`",
        ),
        (
            "[mount]\n\"/tools\" = \".\"\n\"/tools/a\" = \"a\"",
            "this path is inside the mount `/tools`",
        ),
        (
            "[tools.tiers]\n\"/tools/a\" = 3",
            "3 is out of range (give a whole number from 1 to 2)",
        ),
        (
            "[tools.tiers]\n\"/tools/a\" = \"2\"",
            "a string is not accepted here",
        ),
        (
            "[tools.tiers]\n\"/tools/a\" = 1\n\"/tools/a/\" = 2",
            "the same path stands twice",
        ),
        (
            "[tools.env]\n\"/tools/a\" = [\"A*\"]",
            "\"A*\" is not the name of a variable",
        ),
        (
            "[tools.env]\n\"/tools/a\" = \"KEY\"",
            "a string is not accepted here (give a list of variable names)",
        ),
        (
            "[tools.http.allow]\n\"/tools/a\" = \"trust_declared\"",
            "\"trust_declared\" is not a list of prefixes",
        ),
        (
            "[tools.http.allow]\n\"/tools/a\" = [{ methods = [\"GET\"] }]",
            "a prefix is missing",
        ),
        (
            "[tools.http.allow]\n\"/tools/a\" = [{ prefix = \"https://a.b/\", methods = [] }]",
            "an empty list of methods",
        ),
        (
            "[tools.http.allow]\n\"/tools/a\" = [{ prefix = \"https://a.b/\", methods = [\"CONNECT\"] }]",
            ".methods`: ",
        ),
        (
            "[tools]\nexclude_categories = [\"networks\"]",
            "`networks` is not a category (did you mean `network`?)",
        ),
        ("[limits]\nwall = \"soon\"", "`soon` is not a duration"),
        ("[limits]\nwall = -1", "is not a duration"),
        ("[limits]\nmemory = \"1KiB\"", "1024 bytes is out of range"),
        ("[limits]\nsteps = 0", "0 is out of range"),
        (
            "[network]\nprivate = [\"10.0.0.1/8\"]",
            "\"10.0.0.1/8\" is not accepted: it has bits set",
        ),
        ("[cache]\ndir = \"\"", "the path is empty"),
        (
            "tools = 1",
            "an integer is not accepted here (give a table)",
        ),
    ];
    for (text, expected) in table {
        let found = problems(text);
        assert!(found.contains(expected), "{text}\n{found}");
    }
}

#[test]
fn broken_toml_has_a_line() {
    let found = problems("[tools]\ninclude = [\"a\"\n[limits]\n");
    assert!(found.starts_with("holm.toml:"), "{found}");
    assert!(found.contains("not valid TOML"), "{found}");
}

#[test]
fn words_without_effect_are_warned_about() {
    let config = parse("[tools]\nexclude_categories = [\"plugin\"]");
    assert_eq!(config.warnings.len(), 1);
}

#[test]
fn the_file_is_found_upwards() {
    let folder = std::env::temp_dir().join(format!("holm-config-{}", std::process::id()));
    let deep = folder.join("a/b");
    std::fs::create_dir_all(&deep).unwrap();
    std::fs::write(
        folder.join(FILE_NAME),
        "[mount]\n\"/tools/shared\" = \"tools\"",
    )
    .unwrap();
    let config = Config::load(None, &deep).unwrap();
    assert_eq!(
        config.file.as_deref(),
        Some(folder.join(FILE_NAME).as_path())
    );
    assert_eq!(config.mounts.first().unwrap().folder, folder.join("tools"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(Config::load(Some(Path::new("missing.toml")), &deep).is_err());
}
