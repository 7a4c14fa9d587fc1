//! The shared cases from end to end: a Scheme tool asks, and the wall decides.

use std::path::Path;
use std::time::Duration;

use holm::egress::{Client, Journal, Resolver, Resolving};
use holm::grants::{Rule, RuleSet};
use holm::limits::Limits;
use holm::sandbox::{Code, Grants, LoadRequest, Loaded, Sandbox, SandboxOptions};
use serde_json::Value;

use crate::guests::{Asked, EVERYTHING, FILE, alone, call, grants};

/// A tool that sends what it is told to.
const SENDER: &str = r#"
(import (tein http))
(define-tool send
  (description "Sends a request")
  (parameters '((method . ((type . "string"))) (url . ((type . "string")))))
  (execute
    (lambda (args)
      (let ((answer (http-request (cdr (assoc "method" args)) (cdr (assoc "url" args)) '() #f)))
        (string-append (number->string (cdr (assq 'status answer))) " " (cdr (assq 'body answer)))))))
"#;

/// No name has an address: what is allowed fails there, and what is refused fails before.
struct Nowhere;

impl Resolver for Nowhere {
    fn resolve(&self, _: &str) -> Resolving {
        Box::pin(async { Ok(Vec::new()) })
    }
}

async fn load(sandbox: &Sandbox, source: &str) -> Loaded {
    let request = LoadRequest {
        code: Code::Scheme(source),
        file: FILE,
        unrestricted: false,
        grants: &grants("http://127.0.0.1:1/"),
        limits: &Limits::default(),
    };
    sandbox.load(request).await.unwrap()
}

#[test]
fn the_shared_cases_hold_from_scheme_to_the_wall() {
    alone(async {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let sandbox = Sandbox::new(SandboxOptions {
            cache_dir: Some(root.join("target/test-cache")),
            client: Some(Client::new().unwrap().with_resolver(Nowhere)),
            ..SandboxOptions::default()
        })
        .unwrap();
        let loaded = load(&sandbox, SENDER).await;
        let cases = std::fs::read_to_string(root.join("tests/cases/http-rules.json")).unwrap();
        let cases: Value = serde_json::from_str(&cases).unwrap();
        let cases = cases["requests"].as_array().unwrap();
        assert!(cases.len() > 50, "{}", cases.len());
        let mut wrong = Vec::new();
        for case in cases {
            let text = |key: &str| case[key].as_str().unwrap();
            let rules = case["rules"].as_array().unwrap().iter();
            let rules = rules.map(|rule| rule.as_str().unwrap().parse::<Rule>().unwrap());
            let rules = RuleSet::new(rules.collect());
            let grants = Grants {
                rules: rules.into(),
                env: Vec::new(),
                unset: Vec::new(),
                capabilities: EVERYTHING,
            };
            let arguments = serde_json::json!({ "method": text("method"), "url": text("url") });
            let journal = Journal::new();
            let outcome = call(
                &sandbox,
                Asked {
                    loaded: &loaded,
                    tool: "send",
                    arguments: &arguments.to_string(),
                    grants: &grants,
                    // A literal address may be one that never answers.
                    limits: &Limits {
                        wall: Duration::from_millis(1500),
                        ..Limits::default()
                    },
                    principal: "test",
                    journal: &journal,
                },
            )
            .await
            .unwrap();
            let result = outcome.result.as_str();
            let blocked = result.contains("http request blocked: URL not in allowlist: ");
            // Scheme has fewer methods than HTTP.
            let unknown = result.contains("unsupported method");
            let refused = blocked || unknown;
            // The refusal that the tool saw is the one that its operator is told of.
            let told = journal.denials().len() == 1;
            if refused != (text("expect") == "deny") || refused && !told {
                wrong.push(format!("{}: {case}\n  {result}", text("why")));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}
