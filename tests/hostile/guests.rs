//! Hostile components, and the sandbox that they are put into.

use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use holm::egress::{Client, Journal};
use holm::grants::{Rule, RuleSet};
use holm::limits::{Concurrency, Limits};
use holm::registry::Secret;
use holm::sandbox::{
    CallRequest, Capabilities, Code, Failure, Grants, LoadRequest, Loaded, NestedCalls,
    NoNestedCalls, Outcome, Sandbox, SandboxOptions,
};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// Virtual path of every tool here.
pub(crate) const FILE: &str = "/tools/hostile.scm";

/// Widest of all: the attacker gets whatever anyone gets.
pub(crate) const EVERYTHING: Capabilities = Capabilities {
    http: true,
    environment: true,
};

/// The world of the attackers: every capability, and two that nobody is given.
const WORLD: &str = "package test:hostile;
world hostile {
  include holm:tool/full@0.1.0;
  import wasi:filesystem/preopens@0.2.12;
  import wasi:sockets/instance-network@0.2.12;
}";

pub(crate) static CLIENT: LazyLock<Client> = LazyLock::new(|| Client::new().unwrap());

/// The sandbox of the honest calls; hostile ones share its engine, client and places.
pub(crate) static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Sandbox::new(SandboxOptions {
        cache_dir: Some(root.join("../../target/test-cache")),
        client: Some(CLIENT.clone()),
        concurrency: Concurrency {
            in_all: 64,
            per_principal: 48,
            waiting: 1000,
        },
        ..SandboxOptions::default()
    })
    .unwrap()
});

/// Runs a test while no other runs: what the process holds is counted. The runtime is made
/// inside, since it holds file descriptors too.
pub(crate) fn alone(test: impl Future<Output = ()>) {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(test);
}

/// The component for one attack, a file beside this one.
pub(crate) fn component(attack: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).to_owned();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let (prelude, attack) = (read("prelude.wat"), read(&format!("{attack}.wat")));
    // A module's imports come first.
    let (imports, rest): (Vec<&str>, Vec<&str>) =
        attack.lines().partition(|line| line.starts_with("(import"));
    let module = format!(
        "(module {}\n{prelude}\n{})",
        imports.join("\n"),
        rest.join("\n")
    );
    let mut module = wat::parse_str(module).unwrap();

    let mut resolve = Resolve::new();
    let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit");
    resolve.push_dir(wit).unwrap();
    let package = resolve.push_str("hostile.wit", WORLD).unwrap();
    let world = resolve.select_world(&[package], Some("hostile")).unwrap();
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    ComponentEncoder::default()
        .module(&module)
        .unwrap()
        .validate(true)
        .encode()
        .unwrap()
}

/// The sandbox with an attacker in the place of tein.
pub(crate) fn sandbox_of(attack: &str) -> Sandbox {
    SANDBOX.with_guest(&component(attack), EVERYTHING).unwrap()
}

/// One URL prefix and one secret.
pub(crate) fn grants(rule: &str) -> Grants {
    Grants {
        rules: Arc::new(RuleSet::new(vec![rule.parse::<Rule>().unwrap()])),
        env: vec![Secret::new("KEY", "hunter22")],
        unset: Vec::new(),
        capabilities: EVERYTHING,
    }
}

/// Limits under which an attack ends soon.
pub(crate) fn limits() -> Limits {
    Limits {
        // Far off: a busy machine takes its time over half a second of CPU.
        wall: Duration::from_secs(60),
        cpu: Duration::from_millis(500),
        ..Limits::default()
    }
}

/// What is asked of a call, beyond its tool.
pub(crate) struct Asked<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) tool: &'a str,
    pub(crate) arguments: &'a str,
    pub(crate) grants: &'a Grants,
    pub(crate) limits: &'a Limits,
    pub(crate) principal: &'a str,
    pub(crate) journal: &'a Journal,
}

pub(crate) async fn call(sandbox: &Sandbox, asked: Asked<'_>) -> Result<Outcome, Failure> {
    let nested: Arc<dyn NestedCalls> = Arc::new(NoNestedCalls);
    let request = CallRequest {
        image: &asked.loaded.image,
        file: FILE,
        tool: asked.tool,
        arguments: asked.arguments,
        context_name: "test",
        unrestricted: false,
        grants: asked.grants,
        limits: asked.limits,
        nested: &nested,
        principal: asked.principal,
        budget: None,
        journal: asked.journal,
    };
    sandbox.call(request).await
}

/// A tool that does nothing wrong.
const HONEST: &str = r#"
(import (tein http))
(define-tool get
  (description "Gives status and body")
  (parameters '((url . ((type . "string")))))
  (execute
    (lambda (args)
      (let ((answer (http-get (cdr (assoc "url" args)) '())))
        (string-append
          (number->string (cdr (assq 'status answer))) " " (cdr (assq 'body answer)))))))
(define-tool add
  (description "Adds up")
  (parameters '())
  (execute (lambda (args) (number->string (apply + '(1 2 3 4))))))
"#;

/// The honest tools, loaded.
pub(crate) async fn honest() -> Loaded {
    let grants = grants("http://127.0.0.1:1/");
    let limits = Limits::default();
    let request = LoadRequest {
        code: Code::Scheme(HONEST),
        file: FILE,
        unrestricted: false,
        grants: &grants,
        limits: &limits,
    };
    SANDBOX.load(request).await.unwrap()
}
