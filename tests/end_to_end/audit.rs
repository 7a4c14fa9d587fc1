//! `holm audit`, `holm.lock` and stand-alone components, with the real command.

use std::fs;

use serde_json::Value;

use crate::project::{Project, result};

const GREET: &str = r#"
(define tool-name "greet")
(define tool-description "Greets someone")
(define tool-parameters '((name (type . "string") (description . "whom"))))
(define tool-http-allow '("https://greetings.example.com/v1/"))
(define (tool-execute args) (string-append "Hello, " (cdr (assoc "name" args)) "!"))
"#;

const GRANTS: &str = r#"
[tools.http.allow]
"/tools/shared/greet.scm" = [
  { prefix = "https://greetings.example.com/v1/", methods = ["GET"] },
  "https://other.example.com/",
]
[tools.env]
"/tools/shared/greet.scm" = ["GREETING_KEY"]
"#;

fn project(config: &str) -> Project {
    let project = Project::with_config(config);
    project.write("tools/greet.scm", GREET);
    project
}

/// Interfaces of a file in the report, without versions.
fn imports(file: &Value) -> Vec<String> {
    let imports = file["imports"].as_object().unwrap();
    let bare = |name: &String| name.split('@').next().unwrap().to_owned();
    imports.keys().map(bare).collect()
}

fn findings(report: &Value) -> Vec<(String, String)> {
    let word = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let all = report["findings"].as_array().unwrap().iter();
    all.map(|f| (word(f, "severity"), word(f, "rule")))
        .collect()
}

#[test]
fn a_report_has_what_the_component_imports_and_what_was_granted() {
    let project = project(GRANTS);
    let run = project.holm(&["audit", "--json"]).exits(0).json();
    let report = &run["report"];
    let file = &report["files"][0];
    assert_eq!(file["path"], "/tools/shared/greet.scm");
    assert_eq!(file["tier"], 1);
    let imports = imports(file);
    for interface in ["wasi:http/outgoing-handler", "wasi:cli/environment"] {
        assert!(imports.iter().any(|name| name == interface), "{imports:?}");
    }
    assert_eq!(
        file["http"]["granted"][0],
        serde_json::json!({
            "prefix": "https://greetings.example.com/v1/",
            "methods": ["GET"],
            "whole_origin": false,
            "wildcard_host": false,
        })
    );
    assert_eq!(
        file["http"]["decided_by"]["key"],
        "tools.http.allow.\"/tools/shared/greet.scm\""
    );
    assert_eq!(file["environment"]["granted"][0], "GREETING_KEY");
    assert_eq!(file["tools"][0]["name"], "greet");
    assert_eq!(file["tools"][0]["callable"], true);
    let named = |severity: &str, rule: &str| (severity.to_owned(), rule.to_owned());
    assert_eq!(
        findings(report),
        [
            named("warning", "whole-origin"),
            named("note", "undeclared-grant"),
        ]
    );
    project.holm(&["audit", "--fail-on", "warning"]).exits(1);
    project.holm(&["audit", "--fail-on", "error"]).exits(0);

    // Nothing granted, nothing imported.
    let bare = self::project("");
    let run = bare.holm(&["audit", "--json"]).exits(0).json();
    let file = &run["report"]["files"][0];
    assert!(
        self::imports(file)
            .iter()
            .all(|name| !name.starts_with("wasi:http") && !name.starts_with("wasi:cli")),
        "{file}"
    );
    assert_eq!(
        findings(&run["report"]),
        [named("note", "ungranted-declaration")]
    );
}

#[test]
fn every_form_of_a_report() {
    let project = project(GRANTS);
    let text = project.holm(&["audit"]).exits(0).stdout;
    for line in [
        "/tools/shared/greet.scm  tier 1  fresh  sha256 ",
        "  tools          greet (synthesised)",
        "  may reach      GET https://greetings.example.com/v1/, https://other.example.com/",
        "  declares       https://greetings.example.com/v1/",
        "  variables      GREETING_KEY",
        "warning[whole-origin]: /tools/shared/greet.scm may reach all of https://other.example.com/",
        "1 file; 2 findings",
    ] {
        assert!(text.contains(line), "no {line:?} in\n{text}");
    }
    assert!(
        text.lines().all(|line| line.chars().count() <= 120),
        "{text}"
    );

    let markdown = project.holm(&["audit", "--format", "markdown"]).exits(0);
    assert!(
        markdown.stdout.contains(
            "| `/tools/shared/greet.scm` | `greet` | `GET https://greetings.example.com/v1/`"
        ),
        "{markdown:#?}"
    );

    let sarif = project
        .holm(&["audit", "--format", "sarif"])
        .exits(0)
        .json();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "whole-origin");
    assert_eq!(result["level"], "warning");
    let known: Vec<&Value> = run["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| &rule["id"])
        .collect();
    for result in run["results"].as_array().unwrap() {
        assert!(known.contains(&&result["ruleId"]), "{result}");
    }
    let place = &result["locations"][0]["physicalLocation"];
    assert!(
        place["region"]["startLine"].as_u64().unwrap() > 1,
        "{place}"
    );
}

#[test]
fn a_log_says_which_grants_were_used() {
    let project = project(GRANTS);
    project.write(
        "audit.jsonl",
        "{\"path\":\"/tools/shared/greet.scm\",\"origins\":[{\"origin\":\"https://greetings.example.com\"}]}\n",
    );
    let run = project
        .holm(&["audit", "--json", "--log", "audit.jsonl"])
        .exits(0)
        .json();
    let found = findings(&run["report"]);
    let unused = found.iter().filter(|(_, rule)| rule == "unused-grant");
    assert_eq!(unused.count(), 1, "{found:?}");
    assert_eq!(
        run["report"]["files"][0]["http"]["used"][0],
        "https://greetings.example.com"
    );
}

#[test]
fn drift_from_the_lock_is_refused_with_what_changed() {
    let project = project(GRANTS);
    let config = fs::read_to_string(project.folder().join("holm.toml")).unwrap();
    project
        .holm(&["audit", "--locked"])
        .exits(2)
        .tells("there is no lock file");
    project
        .holm(&["audit", "--lock"])
        .exits(0)
        .tells("holm.lock");
    project.holm(&["audit", "--locked"]).exits(0);
    let lock = fs::read_to_string(project.folder().join("holm.lock")).unwrap();

    let refused = |what: &[&str]| {
        let run = project.holm(&["audit", "--locked", "--json"]).exits(3);
        let changes = run.json()["changes"].clone();
        let lines: Vec<String> = changes
            .as_array()
            .unwrap()
            .iter()
            .map(|change| {
                let word = |key: &str| change[key].as_str().unwrap().to_owned();
                format!("{} {}", word("direction"), word("message"))
            })
            .collect();
        assert_eq!(lines.len(), what.len(), "{lines:?}");
        for (line, beginning) in lines.iter().zip(what) {
            assert!(line.starts_with(beginning), "{line} for {beginning}");
        }
    };
    // One byte of source.
    project.write("tools/greet.scm", &GREET.replace("Hello, ", "Hallo, "));
    refused(&["review its text was "]);
    // One declared prefix, which is text too.
    project.write("tools/greet.scm", &GREET.replace("/v1/", "/v2/"));
    refused(&["review it declared ", "review its text was "]);
    project.write("tools/greet.scm", GREET);
    // One grant, wider and narrower.
    project.write(
        "holm.toml",
        &config.replace("[\"GET\"]", "[\"GET\", \"POST\"]"),
    );
    refused(&["grew it may reach GET,POST "]);
    project.write(
        "holm.toml",
        &config.replace(
            "\"https://other.example.com/\"",
            "\"https://other.example.com/a/\"",
        ),
    );
    refused(&[
        "shrank it may no longer ",
        "shrank it may reach https://other.example.com/a/",
    ]);
    project.write("holm.toml", &config.replace("[\"GREETING_KEY\"]", "[]"));
    refused(&[
        "shrank its import wasi:cli/environment",
        "shrank the variable GREETING_KEY",
    ]);
    project.write("holm.toml", &config);
    // Another guest.
    let guest = lock
        .lines()
        .find(|line| line.starts_with("guest_sha256"))
        .unwrap();
    let other = format!("guest_sha256 = \"{}\"", "0".repeat(64));
    project.write("holm.lock", &lock.replace(guest, &other));
    refused(&["review the guest was 000000000000 "]);
    // A lock that cannot be read is not a lock that agrees.
    project.write("holm.lock", "version = 1\n");
    project
        .holm(&["audit", "--locked"])
        .exits(2)
        .tells("holm.lock");
    project.write("holm.lock", &lock);
    project.holm(&["audit", "--locked"]).exits(0);
}

#[test]
fn a_skill_that_lets_more_be_called_is_drift() {
    let skill = |tools: &str| format!("[skills.s]\ntools = {tools}\n");
    let project = project(&skill("[\"greet\"]"));
    let config = fs::read_to_string(project.folder().join("holm.toml")).unwrap();
    project.write(
        "tools/other.scm",
        "(define-tool other (description \"d\") (parameters '()) (execute (lambda (args) 1)))",
    );
    project.holm(&["audit", "--lock"]).exits(0);
    project.holm(&["audit", "--locked"]).exits(0);
    project.write("holm.toml", &config.replace("[\"greet\"]", "\"*\""));
    project
        .holm(&["audit", "--locked"])
        .exits(3)
        .tells("grew    all files: skill s: the tool other is new");
    project.write("holm.toml", &config.replace("[\"greet\"]", "[]"));
    project
        .holm(&["audit", "--locked"])
        .exits(3)
        .tells("shrank  all files: skill s: the tool greet is gone");
}

#[test]
fn what_a_principal_is_given_of_its_own_is_locked_too() {
    let principal = |more: &str| {
        format!(
            "[principals.ada]\ntoken-env = \"TOKEN\"\nskill = \"s\"\n{more}[skills.s]\ntools = \"*\"\n"
        )
    };
    let project = project(&principal(""));
    let config = fs::read_to_string(project.folder().join("holm.toml")).unwrap();
    project.holm(&["audit", "--lock"]).exits(0);
    project.holm(&["audit", "--locked"]).exits(0);
    let own = "[principals.ada.http]\n\"/tools/shared\" = [\"https://a.example.com/\"]\n";
    project.write(
        "holm.toml",
        &config.replace("[skills.s]", &format!("{own}[skills.s]")),
    );
    project.holm(&["audit", "--locked"]).exits(3).tells(
        "grew    all files: principal ada: /tools/shared may reach https://a.example.com/ is new",
    );
    project.write("holm.toml", &config.replace("skill = \"s\"\n", ""));
    project
        .holm(&["audit", "--locked"])
        .exits(3)
        .tells("grew    all files: principal ada: no skill, so every tool is new");
}

#[test]
fn a_required_lock_stands_before_every_call() {
    let project = project("[audit]\nrequire-lock = true\n");
    let call = ["call", "greet", "{\"name\":\"Ada\"}"];
    project.holm(&call).exits(2).tells("there is no lock file");
    project.holm(&["audit", "--lock"]).exits(0);
    project.holm(&call).exits(0);
    project.holm(&["list"]).exits(0);
    project.write("tools/greet.scm", &GREET.replace("Hello, ", "Hallo, "));
    project.holm(&call).exits(2).tells("its text was ");
    project.holm(&["list"]).exits(2).tells("its text was ");
    // Reviewing is not running.
    project.holm(&["audit"]).exits(0);
    project.holm(&["check", "tools/greet.scm"]).exits(0);
    project.holm(&["audit", "--lock"]).exits(0).tells("review");
    project.holm(&call).exits(0);
}

#[test]
fn a_component_is_built_audited_and_signed() {
    let project = project("");
    project.holm(&["key", "private.pem"]).exits(0);
    project
        .holm(&["key", "private.pem"])
        .exits(2)
        .tells("private.pem");
    let run = project
        .holm(&[
            "build",
            "tools/greet.scm",
            "-o",
            "greet.wasm",
            "--sign",
            "private.pem",
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!(run["initialised"], true);
    assert_eq!(run["tools"][0], "greet");
    assert!(run["signed_by"].as_str().unwrap().starts_with("ed25519:"));
    let wit = run["wit"].as_str().unwrap();
    assert!(
        wit.contains("export %greet: func(%name: string) -> result<string, string>;"),
        "{wit}"
    );
    let printed = project.holm(&["wit", "tools/greet.scm"]).exits(0).stdout;
    assert_eq!(printed.trim(), wit.trim());
    assert!(project.folder().join("greet.wasm.sig").exists());

    let audited = project
        .holm(&["audit", "greet.wasm", "--json"])
        .exits(0)
        .json();
    let component = &audited["components"][0]["component"];
    assert_eq!(component["sha256"], run["sha256"]);
    assert_eq!(component["manifest"]["file"], "/tools/shared/greet.scm");
    let exports = component["exports"].as_array().unwrap();
    assert!(exports.contains(&"greet".into()), "{exports:?}");
    assert!(
        component["imports"]
            .as_array()
            .unwrap()
            .iter()
            .all(|import| import["severity"] == "note"),
        "{component}"
    );
    project.write("text.wasm", "no component");
    project
        .holm(&["audit", "text.wasm"])
        .exits(1)
        .tells("text.wasm");
}

#[test]
fn a_component_runs_like_a_tool_file_behind_the_same_wall() {
    let project = project("");
    project
        .holm(&["build", "tools/greet.scm", "-o", "built/greet.wasm"])
        .exits(2);
    fs::create_dir(project.folder().join("built")).unwrap();
    project.holm(&["key", "key.pem"]).exits(0);
    let build = ["build", "tools/greet.scm", "-o", "built/greet.wasm"];
    project.holm(&build).exits(0);
    fs::remove_file(project.folder().join("tools/greet.scm")).unwrap();
    let call = [
        "call",
        "--file",
        "built/greet.wasm",
        "greet",
        "{\"name\":\"Ada\"}",
    ];
    project.holm(&call).exits(0).prints(&result("Hello, Ada!"));
    // Mounted, it is a tool file like any other, with grants, audit and lock of its own.
    fs::copy(
        project.folder().join("built/greet.wasm"),
        project.folder().join("tools/greet.wasm"),
    )
    .unwrap();
    let listed = project.holm(&["list"]).exits(0).stdout;
    assert!(listed.contains("greet"), "{listed}");
    let report = project.holm(&["audit", "--json"]).exits(0).json();
    let file = &report["report"]["files"][0];
    assert_eq!(file["path"], "/tools/shared/greet.wasm");
    assert_eq!(
        file["http"]["declared"][0],
        "https://greetings.example.com/v1/"
    );
    fs::remove_file(project.folder().join("tools/greet.wasm")).unwrap();

    // One that wants more than it is granted is not even instantiated.
    let wide = self::project(GRANTS);
    let out = project.folder().join("built/wide.wasm");
    wide.holm(&["build", "tools/greet.scm", "-o", out.to_str().unwrap()])
        .exits(0);
    project
        .holm(&[
            "call",
            "--file",
            "built/wide.wasm",
            "greet",
            "{\"name\":\"Ada\"}",
        ])
        .tells("the component imports `wasi:cli/environment");

    // Whose keys are trusted is the operator's word.
    let public = project.holm(&["key", "other.pem"]).exits(0).stdout;
    let config = project.folder().join("holm.toml");
    let text = fs::read_to_string(&config).unwrap();
    let trusting = format!(
        "{text}[components]\ntrusted-keys = [\"{}\"]\n",
        public.trim()
    );
    project.write("holm.toml", &trusting);
    project.write("tools/greet.scm", GREET);
    project.holm(&call).tells("it has no signature");
    let signed = |key: &str| {
        let mut arguments = build.to_vec();
        arguments.extend(["--sign", key]);
        project.holm(&arguments).exits(0);
        fs::remove_file(project.folder().join("tools/greet.scm")).unwrap();
    };
    signed("key.pem");
    project
        .holm(&call)
        .tells("which is not among `components.trusted-keys`");
    project.write("tools/greet.scm", GREET);
    signed("other.pem");
    project.holm(&call).exits(0).prints(&result("Hello, Ada!"));
    // One byte of it.
    let wasm = project.folder().join("built/greet.wasm");
    let mut bytes = fs::read(&wasm).unwrap();
    let at = bytes.windows(7).rposition(|w| w == b"\"greet\"").unwrap();
    bytes[at + 1] = b'G';
    fs::write(&wasm, bytes).unwrap();
    project
        .holm(&call)
        .tells("the component or the signature was changed");
}
