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
        "/tools/shared/a.scm" = { wall = 0.5, cpu = 2, steps = 1_000, output = "1KiB", http-body = 0, http-send = "2KiB", http-requests = 1 }

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
    assert_eq!(limits.http_send, 2048);
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
         holm.toml:8:1: `limits.zebra`: unknown key (the keys here are `wall`, `cpu`, `steps`, `memory`, `output`, `http-body`, `http-send`, `http-requests`)"
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
         (keep `trust-declared`)"
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
            "an integer is not accepted here (give the path of a file or folder, relative to this file)",
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
            "[mount]\n\"/tools/command-line/x\" = \"x\"",
            "`/tools/command-line` is for files from the command line",
        ),
        (
            "[tools.state]\n\"/tools/a\" = \"contxt\"",
            "\"contxt\" is not accepted here (did you mean `context`?)",
        ),
        (
            "[tools.hooks]\n\"/tools/a\" = [\"pre_tol\"]",
            "\"pre_tol\" is not accepted here (did you mean `pre_tool`?)",
        ),
        (
            "[permissions.categories]\nnetwrk = \"ask\"",
            "`netwrk` is not a category (did you mean `network`?)",
        ),
        (
            "[permissions.tools]\nx = \"alow\"",
            "\"alow\" is not accepted here (did you mean `allow`?)",
        ),
        (
            "[url_policy]\ndeny = [\"preset:loop\"]",
            "`url_policy.deny`: \"preset:loop\" is not a preset",
        ),
        ("[user]\nname = \"System\"", "\"System\" is reserved"),
        ("[user]\nname = \"a/b\"", "\"a/b\" is not a name"),
        (
            "[flocks]\nBirds = []",
            "\"Birds\" is not the name of a flock",
        ),
        (
            "[principals.ada]\nskill = \"x\"",
            "`principals.ada`: there is no token to recognise it by",
        ),
        (
            "[principals.ada]\ntoken-env = \"A\"\ntoken-file = \"b\"",
            "there is more than one token",
        ),
        (
            "[principals.ada]\ntoken-sha256 = \"abc\"",
            "this is not a SHA-256",
        ),
        ("[principals.ada]\ntoken = \"abc\"", "unknown key"),
        (
            "[serve]\nhttp = \"localhost\"",
            "\"localhost\" is not an address to listen on",
        ),
        ("[concurrency]\ncalls = 0", "0 is out of range"),
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
fn who_calls_and_what_they_may_is_read() {
    let digest = "ab".repeat(32);
    let config = parse(&format!(
        r#"
        [tools.state]
        "/tools/shared/counter.scm" = "context"
        [tools.hooks]
        "/tools/shared/guard.scm" = ["pre_tool", "post_tool", "pre_tool"]
        "/tools/shared/all.scm" = "all"
        [permissions]
        remember = false
        [permissions.categories]
        network = "allow"
        [permissions.tools]
        rm = "deny"
        [url-policy]
        deny-override = ["https://*.evil.example/*"]
        default = "ask"
        [user]
        name = "ada"
        skill = "worker"
        [flocks]
        birds = ["ada", "bob"]
        [skills.worker]
        tools = "a,b"
        requires_tool = ["c"]
        deny = ["d"]
        file = "SKILL.md"
        [skills.none]
        tools = []
        [principals.bob]
        token-env = "BOB"
        skill = "worker"
        limits = {{ wall = 1 }}
        concurrent = 2
        [principals.bob.http]
        "/tools/shared" = ["https://b.example.com/"]
        [principals.bob.env]
        "/tools/shared" = ["BOB_KEY"]
        [principals.eve]
        token-sha256 = "{digest}"
        [serve]
        http = "127.0.0.1:8080"
        allowed-origins = ["https://app.example.com"]
        shutdown = "5s"
        [concurrency]
        calls = 8
        per-principal = 2
        [audit]
        log = "audit.jsonl"
        require-lock = true
        "#
    ));
    let state = |path| config.tools.state.resolve(path).map(|entry| entry.value);
    assert_eq!(state("/tools/shared/counter.scm"), Some(State::Context));
    assert_eq!(state("/tools/shared/other.scm"), None);
    let hooks = |path| {
        config
            .tools
            .hooks
            .resolve(path)
            .map(|entry| entry.value.clone())
    };
    assert_eq!(
        hooks("/tools/shared/guard.scm"),
        Some(vec![Hook::PreTool, Hook::PostTool])
    );
    assert_eq!(hooks("/tools/shared/all.scm"), Some(Hook::ALL.to_vec()));
    assert!(!config.permissions.remember);
    assert_eq!(config.permissions.tools.len(), 1);
    assert_eq!(config.permissions.categories.len(), 1);
    assert!(config.permissions.url_policy.is_some());
    assert_eq!(
        (config.user.name.as_str(), config.user.skill.as_deref()),
        ("ada", Some("worker"))
    );
    let [none, worker] = config.skills.as_slice() else {
        panic!("{:?}", config.skills);
    };
    assert_eq!(none.tools, Some(ToolNames::List(Vec::new())));
    assert_eq!(none.requires_tool, None);
    assert_eq!(worker.tools, Some(ToolNames::Text("a,b".to_owned())));
    assert_eq!(
        worker.requires_tool,
        Some(ToolNames::List(vec!["c".to_owned()]))
    );
    assert_eq!(worker.file.as_deref(), Some(Path::new("/base/SKILL.md")));
    let [bob, eve] = config.principals.as_slice() else {
        panic!("{:?}", config.principals);
    };
    assert_eq!(bob.token, TokenSource::Env("BOB".to_owned()));
    assert_eq!(bob.limits.wall, Some(Duration::from_secs(1)));
    assert_eq!(bob.concurrent, Some(2));
    assert_eq!(
        bob.env.resolve("/tools/shared/x.scm").unwrap().value,
        ["BOB_KEY"]
    );
    assert_eq!(eve.token, TokenSource::Sha256([0xab; 32]));
    assert_eq!(config.serve.http.unwrap().port(), 8080);
    assert_eq!(
        (config.concurrency.in_all, config.concurrency.per_principal),
        (8, 2)
    );
    assert!(config.audit.require_lock);
}

#[test]
fn zones_are_seen_by_their_owners() {
    let config = parse("[flocks]\nbirds = [\"ada\"]");
    for (path, who, expected) in [
        ("/tools/shared/a.scm", "eve", true),
        ("/tools/home/ada/a.scm", "ada", true),
        ("/tools/home/ada/a.scm", "eve", false),
        ("/tools/home/ada/a.scm", "", false),
        ("/tools/home/adam/a.scm", "ada", false),
        ("/tools/flocks/birds/a.scm", "ada", true),
        ("/tools/flocks/birds/a.scm", "eve", false),
        ("/tools/flocks/fish/a.scm", "ada", false),
        ("/tools/animals/a.scm", "eve", true),
        ("/tools/command-line/a.scm", "eve", true),
    ] {
        assert_eq!(config.sees(who, path), expected, "{who} {path}");
    }
}

#[test]
fn no_wider_key_reaches_a_file_that_nobody_mounted() {
    let config = parse(
        r#"
        [tools.http]
        trust-declared = true
        [tools.env]
        "/tools" = ["WIDE"]
        "/" = ["WIDER"]
        "/tools/command-line" = ["OWN"]
        "/tools/command-line/a.scm" = ["NAMED"]
        "/tools/local/" = ["LOCAL"]
        "#,
    );
    let env = |path| {
        let entry = config.tools.env.resolve(path);
        entry.map(|entry| entry.value.join(" "))
    };
    assert_eq!(env("/tools/shared/a.scm").as_deref(), Some("WIDE"));
    assert_eq!(env("/tools/command-line/a.scm").as_deref(), Some("NAMED"));
    assert_eq!(env("/tools/command-line/b.scm").as_deref(), Some("OWN"));
    assert_eq!(env("/tools/command-lines/b.scm").as_deref(), Some("WIDE"));
    assert_eq!(env("/tools/local/x/b.scm").as_deref(), Some("LOCAL"));
    assert!(config.tools.trusts_undeclared("/tools/shared/a.scm"));
    assert!(!config.tools.trusts_undeclared("/tools/command-line/a.scm"));
    assert!(!config.tools.trusts_undeclared("/tools/local/a.scm"));
}

#[test]
fn the_tables_of_words_are_those_of_the_types() {
    assert_eq!(keys::CATEGORIES, Category::ALL.map(Category::as_str));
    assert_eq!(keys::HOOKS, Hook::ALL.map(Hook::as_str));
    for word in keys::DECISIONS {
        assert!(
            crate::permissions::Decision::named(word).is_some(),
            "{word}"
        );
    }
}

/// `HOLM_BLESS=1 cargo test -p holm --lib config` writes the files anew.
#[test]
fn the_documentation_has_the_keys_that_there_are() {
    const MARK: &str = "<!-- keys: ";
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let page = std::fs::read_to_string(docs.join("configuration.md")).unwrap();
    let mark = page.find(MARK).unwrap();
    let end = mark + page[mark..].find('\n').unwrap();
    let page = format!("{}\n\n{}", &page[..end], markdown());
    for (name, fresh) in [
        ("configuration.md", page),
        ("holm.schema.json", format!("{:#}\n", json_schema())),
    ] {
        let file = docs.join(name);
        if std::env::var_os("HOLM_BLESS").is_some() {
            std::fs::write(&file, &fresh).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), fresh, "{name}");
    }
}

/// An empty folder, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("holm-{name}-{}", std::process::id()));
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.0.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

#[test]
fn the_file_is_found_upwards_and_a_named_one_is_taken_as_it_is() {
    let folder = Folder::new("config-upwards");
    let file = folder.write(FILE_NAME, "[mount]\n\"/tools/shared\" = \"tools\"");
    let deep = folder.0.join("a/b");
    std::fs::create_dir_all(&deep).unwrap();
    let config = layers::load(None, None, &deep).unwrap();
    assert_eq!(config.file.as_deref(), Some(file.as_path()));
    assert_eq!(
        config.mounts.first().unwrap().folder,
        folder.0.join("tools")
    );
    assert!(layers::load(Some(Path::new("missing.toml")), None, &deep).is_err());
    let none = layers::load(None, Some(Path::new("/missing")), Path::new("/")).unwrap();
    assert!(none.file.is_none());
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_write_has_to_be_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("config-foreign");
    let file = folder.write(FILE_NAME, "");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666)).unwrap();
    let refused = layers::load(None, None, &folder.0).unwrap_err();
    assert_eq!(
        lines(&refused),
        "holm.toml: the configuration can be written by every user, and decides what tools may reach \
         (if you trust it, name it: `--config holm.toml`; else make it yours (`chown`, `chmod go-w`))"
    );
    assert!(layers::load(None, Some(&file), Path::new("/")).is_err());
    assert!(layers::load(Some(&file), None, Path::new("/")).is_ok());
    assert!(layers::load(Some(Path::new("/dev/null")), None, Path::new("/")).is_err());
}

#[test]
fn a_local_file_takes_away_and_gives_nothing() {
    let folder = Folder::new("config-layers");
    let own = folder.write(
        "own/holm.toml",
        r#"
        [mount]
        "/tools/shared" = "tools"
        [tools]
        include = ["a", "b", "c"]
        exclude = ["x"]
        [tools.env]
        "/tools/shared" = ["KEY"]
        [limits]
        wall = 1
        "#,
    );
    folder.write(
        "project/holm.toml",
        r#"[mount]
"/tools/local/mine" = "mine"
"/tools/shared" = "evil"
[tools]
include = ["a", "z"]
exclude = ["x", "y"]
exclude-categories = ["shell"]
[tools.env]
"/tools/local" = ["KEY"]
[tools.http]
trust-declared = true
[tools.tiers]
"/" = 2
[limits]
wall = "1h"
[network]
private = ["10.0.0.0/8"]
[permissions.categories]
network = "allow"
[cache]
dir = "here"
"#,
    );
    let config = layers::load(None, Some(&own), &folder.0.join("project")).unwrap();
    assert_eq!(config.file.as_deref(), Some(own.as_path()));
    let mounts: Vec<_> = config
        .mounts
        .iter()
        .map(|mount| mount.path.as_str())
        .collect();
    assert_eq!(mounts, ["/tools/local/mine", "/tools/shared"]);
    assert_eq!(config.mounts[1].folder, folder.0.join("own/tools"));
    let filter = &config.tools.filter;
    assert_eq!(filter.include.as_deref(), Some(&["a".to_owned()][..]));
    assert_eq!(filter.exclude, ["x", "y"]);
    assert_eq!(filter.exclude_categories, [Category::Shell]);
    assert_eq!(config.limits.wall, Some(Duration::from_secs(1)));
    assert!(
        config
            .tools
            .env
            .resolve("/tools/local/mine/a.scm")
            .is_none()
    );
    assert!(!config.tools.trust_declared);
    assert!(config.private.is_empty() && config.cache_dir.is_none());
    assert!(config.permissions.categories.is_empty());
    let warned: Vec<_> = config.warnings.iter().map(ToString::to_string).collect();
    let own = own.display();
    assert_eq!(
        warned,
        [
            "holm.toml:8:8: `tools.env`: a local configuration does not decide this".to_owned(),
            "holm.toml:10:8: `tools.http`: a local configuration does not decide this".to_owned(),
            "holm.toml:12:8: `tools.tiers`: a local configuration does not decide this".to_owned(),
            "holm.toml:14:2: `limits`: a local configuration does not decide this".to_owned(),
            "holm.toml:16:2: `network`: a local configuration does not decide this".to_owned(),
            "holm.toml:18:2: `permissions`: a local configuration does not decide this".to_owned(),
            "holm.toml:20:2: `cache`: a local configuration does not decide this".to_owned(),
            "holm.toml:3:1: the mount `/tools/shared` is left out: a local configuration mounts below `/tools/local` only".to_owned(),
            format!("holm.toml:5:17: `tools.include`: {own} does not include `z`"),
        ]
    );
}
