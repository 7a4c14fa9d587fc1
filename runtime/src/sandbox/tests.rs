//! The sandbox as a whole, with the real guest.

mod hostile;
mod instructions;

use super::*;
use crate::egress::Journal;
use crate::grants::{Rule, RuleSet};
use crate::limits::{Budget, Limits};
use crate::registry::Secret;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Compiled once for all tests, and kept for the next run of them.
static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| sandbox(64));

fn sandbox(max_concurrent: u32) -> Sandbox {
    Sandbox::new(SandboxOptions {
        cache_dir: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/test-cache")),
        concurrency: Concurrency {
            in_all: max_concurrent,
            ..Concurrency::default()
        },
        ..SandboxOptions::default()
    })
    .unwrap()
}

const FILE: &str = "/tools/probe.scm";
/// Tools for everything but HTTP.
const PROBES: &str = include_str!("tests/probes.scm");
/// One tool for HTTP. It does not load without a grant: the library is not there.
const GET: &str = r#"
(import (tein http))
(define-tool get
  (description "Gives status and body")
  (parameters '((url . ((type . "string")))))
  (execute
    (lambda (args)
      (let ((answer (http-get (cdr (assoc "url" args)) '())))
        (string-append
          (number->string (cdr (assq 'status answer))) " " (cdr (assq 'body answer)))))))
"#;

fn everything(url: &str) -> Grants {
    Grants {
        rules: Arc::new(RuleSet::new(vec![url.parse::<Rule>().unwrap()])),
        env: vec![Secret::new("KEY", "hunter22")],
        unset: Vec::new(),
        capabilities: Capabilities {
            http: true,
            environment: true,
        },
    }
}

fn url_argument(url: &str) -> String {
    serde_json::json!({ "url": url }).to_string()
}

/// Without a step limit, so that another limit is reached first.
fn endless(limits: Limits) -> Limits {
    Limits {
        steps: None,
        ..limits
    }
}

async fn load(source: &str, grants: &Grants, limits: &Limits) -> Result<Loaded, Failure> {
    let request = LoadRequest {
        code: Code::Scheme(source),
        file: FILE,
        unrestricted: false,
        grants,
        limits,
    };
    SANDBOX.load(request).await
}

/// Why a file does not load that has a fault.
async fn problem(source: &str) -> Problem {
    match load(source, &Grants::default(), &Limits::default()).await {
        Err(Failure::Problem(problem)) => problem,
        other => panic!("{other:?}"),
    }
}

async fn call_image(
    image: &Image,
    tool: &str,
    arguments: &str,
    grants: &Grants,
    limits: &Limits,
    nested: Arc<dyn NestedCalls>,
) -> Result<Outcome, Failure> {
    let request = CallRequest {
        image,
        file: FILE,
        tool,
        arguments,
        context_name: "test",
        unrestricted: false,
        grants,
        limits,
        nested: &nested,
        principal: "test",
        budget: None,
        journal: &Journal::without(&grants.env),
    };
    SANDBOX.call(request).await
}

async fn call_with(
    tool: &str,
    arguments: &str,
    grants: &Grants,
    limits: &Limits,
    nested: Arc<dyn NestedCalls>,
) -> Result<Outcome, Failure> {
    let probes = load(PROBES, &Grants::default(), &Limits::default())
        .await
        .unwrap();
    call_image(&probes.image, tool, arguments, grants, limits, nested).await
}

async fn call(tool: &str, arguments: &str, grants: &Grants, limits: &Limits) -> Outcome {
    call_with(tool, arguments, grants, limits, Arc::new(NoNestedCalls))
        .await
        .unwrap()
}

/// Gets `url` with a tool file that was loaded with HTTP.
async fn get(url: &str, grants: &Grants, limits: &Limits) -> Result<Outcome, Failure> {
    let with_http = everything("http://127.0.0.1:1/");
    let loaded = load(GET, &with_http, &Limits::default()).await.unwrap();
    call_image(
        &loaded.image,
        "get",
        &url_argument(url),
        grants,
        limits,
        Arc::new(NoNestedCalls),
    )
    .await
}

/// After whatever was done to it, the runtime answers as on the first day.
async fn assert_healthy() {
    let arguments = r#"{"a":1}"#;
    let outcome = call("echo", arguments, &Grants::default(), &Limits::default()).await;
    assert_eq!((outcome.result.as_str(), outcome.limit), (arguments, None));
}

/// Answers one request with `body` after `delay`; gives its address and what it read.
async fn server(delay: Duration, body: &'static str) -> (String, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut read = vec![0; 64 << 10];
        let n = stream.read(&mut read).await.unwrap();
        tokio::time::sleep(delay).await;
        let length = body.len();
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}");
        // The other side may have given up.
        let _ = stream.write_all(answer.as_bytes()).await;
        String::from_utf8_lossy(&read[..n]).into_owned()
    });
    (format!("http://{address}"), serving)
}

const BASE: [(&str, &[&str]); 4] = [
    (
        "holm:tool/harness@0.1.0",
        &[
            "call-tool",
            "call-tool-value",
            "request-refused",
            "steps-left",
            "variable-missing",
        ],
    ),
    ("wasi:clocks/monotonic-clock@0.2.12", &["now"]),
    ("wasi:clocks/wall-clock@0.2.12", &["now"]),
    ("wasi:random/random@0.2.12", &["get-random-bytes"]),
];
const ENVIRONMENT: [(&str, &[&str]); 1] = [("wasi:cli/environment@0.2.12", &["get-environment"])];
const HTTP: [&str; 5] = [
    "wasi:http/outgoing-handler@0.2.12",
    "wasi:http/types@0.2.12",
    "wasi:io/error@0.2.12",
    "wasi:io/poll@0.2.12",
    "wasi:io/streams@0.2.12",
];

#[test]
fn a_component_imports_what_is_granted_and_nothing_else() {
    for capabilities in Capabilities::ALL {
        let found = imports(&SANDBOX.component(capabilities).unwrap());
        let mut expected: Vec<&str> = BASE.iter().map(|(name, _)| *name).collect();
        if capabilities.environment {
            expected.extend(ENVIRONMENT.iter().map(|(name, _)| *name));
        }
        if capabilities.http {
            expected.extend(HTTP);
        }
        expected.sort_unstable();
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, expected, "{capabilities}");

        for (name, functions) in BASE.iter().chain(ENVIRONMENT.iter()) {
            let Some(used) = found.get(*name) else {
                continue;
            };
            let used: Vec<&str> = used.iter().map(String::as_str).collect();
            // Waiting on the clock comes with HTTP only.
            let clock = name.starts_with("wasi:clocks/monotonic-clock") && capabilities.http;
            let expected = if clock {
                &["now", "subscribe-instant"][..]
            } else {
                functions
            };
            assert_eq!(used, expected, "{capabilities}: {name}");
        }
    }
}

#[test]
fn other_tools_read_the_same_imports_from_the_bytes() {
    for capabilities in Capabilities::ALL {
        let bytes = Sandbox::component_bytes(capabilities).unwrap();
        let decoded = wit_component::decode(&bytes).unwrap();
        let resolve = decoded.resolve();
        let wit_component::DecodedWasm::Component(_, world) = &decoded else {
            panic!("not a component");
        };
        let mut names: Vec<String> = resolve.worlds[*world]
            .imports
            .keys()
            .map(|key| resolve.name_world_key(key))
            .collect();
        names.sort();
        let walked = imports(&SANDBOX.component(capabilities).unwrap());
        assert_eq!(
            names,
            walked.into_keys().collect::<Vec<_>>(),
            "{capabilities}"
        );
    }
}

#[tokio::test]
async fn arguments_arrive_and_results_come_back() {
    let arguments = r#"{"a":[1,2.5,null,true,"\u00e9\ud83d\ude00"],"b":{}}"#;
    let outcome = call("echo", arguments, &Grants::default(), &Limits::default()).await;
    let expected: serde_json::Value = serde_json::from_str(arguments).unwrap();
    let got: serde_json::Value = serde_json::from_str(&outcome.result).unwrap();
    assert_eq!(got["a"], expected["a"]);
    assert!(outcome.failure.is_none() && outcome.limit.is_none());
    assert!(outcome.usage.steps > 0 && outcome.usage.memory > 0);
}

#[tokio::test]
async fn output_is_captured_and_cut_at_its_limit() {
    let limits = Limits {
        output: 1000,
        ..Limits::default()
    };
    let outcome = call("print", "{}", &Grants::default(), &limits).await;
    let said = [&outcome.result, &outcome.stdout, &outcome.stderr];
    assert_eq!(said, ["done", "out", "err"]);
    let outcome = call("flood", "{}", &Grants::default(), &limits).await;
    for text in [&outcome.result, &outcome.stdout, &outcome.stderr] {
        assert!(
            text.starts_with("xxx") && text.len() < 1200,
            "{}",
            text.len()
        );
        assert!(text.contains("truncated"), "{}", &text[990..]);
    }
}

#[tokio::test]
async fn an_error_of_the_tool_is_an_outcome() {
    let outcome = call("fail", "{}", &Grants::default(), &Limits::default()).await;
    assert_eq!(
        outcome.result,
        "error: scheme evaluation error: no luck: (7)"
    );
    let failure = outcome.failure.unwrap();
    assert_eq!(
        (failure.kind, failure.file.as_str()),
        (ProblemKind::Evaluation, FILE)
    );
    assert!(outcome.limit.is_none());
}

#[tokio::test]
async fn no_text_is_longer_than_its_limit() {
    for tool in ["answer-at-length", "fail-at-length"] {
        let outcome = call(tool, "{}", &Grants::default(), &Limits::default()).await;
        let limit = Limits::default().output as usize + 1000;
        assert!(outcome.result.len() < limit, "{}", outcome.result.len());
        let failure = outcome.failure.map(|failure| failure.message);
        assert!(failure.is_none_or(|message| message.len() < limit));
        assert_healthy().await;
    }
    let source = format!("(error \"{}\")", "x".repeat(5_000_000));
    let problem = problem(&source).await;
    assert!(problem.message.len() < 20_000, "{}", problem.message.len());
}

#[tokio::test]
async fn nothing_survives_a_call() {
    for _ in 0..3 {
        let outcome = call("count", "{}", &Grants::default(), &Limits::default()).await;
        assert_eq!(outcome.result, "1");
    }
}

#[tokio::test]
async fn time_and_chance_are_everyones() {
    let now = || {
        std::time::SystemTime::UNIX_EPOCH
            .elapsed()
            .unwrap()
            .as_secs()
    };
    let (grants, limits) = (Grants::default(), Limits::default());
    let before = now();
    let outcome = call("clock", "{}", &grants, &limits).await;
    let seconds: u64 = outcome.result.parse().unwrap();
    assert!((before..=now()).contains(&seconds), "{seconds}");
    let first = call("random", "{}", &grants, &limits).await.result;
    let second = call("random", "{}", &grants, &limits).await.result;
    assert!(first.len() == 8 && first != second, "{first} {second}");
}

#[tokio::test]
async fn a_variable_is_there_when_granted() {
    let outcome = call("env", "{}", &Grants::default(), &Limits::default()).await;
    assert_eq!(outcome.result, r#"{"TEIN_SANDBOX":"true"}"#);
    let granted = everything("http://127.0.0.1:1/");
    let outcome = call("env", "{}", &granted, &Limits::default()).await;
    assert_eq!(
        outcome.result,
        r#"{"TEIN_SANDBOX":"true","KEY":"hunter22"}"#
    );
    // The values alone open nothing: the import is what counts.
    let without = Grants {
        capabilities: Capabilities::default(),
        ..granted
    };
    let outcome = call("env", "{}", &without, &Limits::default()).await;
    assert_eq!(outcome.result, r#"{"TEIN_SANDBOX":"true"}"#);
}

#[tokio::test]
async fn cpu_time_ends_a_loop() {
    let limits = endless(Limits {
        cpu: Duration::from_millis(200),
        ..Limits::default()
    });
    for tool in ["spin", "spin-in-handlers", "spin-in-winders"] {
        let outcome = call(tool, "{}", &Grants::default(), &limits).await;
        assert_eq!(
            outcome.result, "error: CPU time limit exceeded (0.2 s)",
            "{tool}"
        );
        assert_eq!(outcome.limit.unwrap().limit, Limit::Cpu);
        let used = outcome.usage.cpu;
        assert!(used >= limits.cpu, "{tool}: {used:?}");
        assert!(used < Duration::from_secs(2), "{tool}: {used:?}");
        assert_healthy().await;
    }
}

#[tokio::test]
async fn the_deadline_ends_a_loop_too() {
    let limits = endless(Limits {
        wall: Duration::from_millis(200),
        ..Limits::default()
    });
    let outcome = call("spin", "{}", &Grants::default(), &limits).await;
    assert_eq!(outcome.result, "error: evaluation timed out (0.2 s)");
    assert_eq!(outcome.limit.unwrap().limit, Limit::Wall);
    assert_healthy().await;
}

#[tokio::test]
async fn memory_ends_at_its_limit_however_it_is_asked_for() {
    // Below and above what the engine allows itself: then linear memory ends first, or
    // the engine's own budget.
    for memory in [16 << 20, 64 << 20] {
        let limits = endless(Limits {
            memory,
            cpu: Duration::from_secs(20),
            ..Limits::default()
        });
        for tool in [
            "grow-pairs",
            "grow-vectors",
            "grow-strings",
            "grow-wide-strings",
            "grow-bytes",
            "grow-numbers",
            "grow-closures",
            "grow-continuations",
            "grow-symbols",
            "grow-ports",
            "grow-at-once",
            "grow-string-at-once",
        ] {
            let outcome = call(tool, "{}", &Grants::default(), &limits).await;
            let mib = memory >> 20;
            let expected = format!("error: memory limit exceeded ({mib} MiB)");
            assert_eq!(outcome.result, expected, "{tool}");
            assert_eq!(outcome.limit.unwrap().limit, Limit::Memory, "{tool}");
            assert!(outcome.usage.memory <= memory, "{:?}", outcome.usage);
            assert_healthy().await;
        }
    }
}

#[tokio::test]
async fn too_little_memory_to_begin_with_is_named_as_well() {
    let limits = Limits {
        memory: 64 << 10,
        ..Limits::default()
    };
    let outcome = call("echo", "{}", &Grants::default(), &limits).await;
    assert_eq!(outcome.result, "error: memory limit exceeded (64 KiB)");
}

#[tokio::test]
async fn the_stack_ends_by_name() {
    for tool in [
        "dive",
        "dive-through-map",
        "dive-through-handlers",
        "dive-through-sort",
    ] {
        let limits = endless(Limits::default());
        let outcome = call(tool, "{}", &Grants::default(), &limits).await;
        assert_eq!(outcome.result, "error: stack limit exceeded", "{tool}");
        assert_eq!(outcome.limit.unwrap().limit, Limit::Stack, "{tool}");
        assert_healthy().await;
    }
}

#[tokio::test]
async fn data_is_as_deep_as_it_likes() {
    for tool in ["dive-into-data", "dive-into-circles", "dive-into-eval"] {
        let limits = endless(Limits {
            cpu: Duration::from_secs(20),
            ..Limits::default()
        });
        let outcome = call(tool, "{}", &Grants::default(), &limits).await;
        assert!(!outcome.result.is_empty());
        assert_healthy().await;
    }
}

#[tokio::test]
async fn the_step_limit_is_the_guests_word() {
    let limits = Limits {
        steps: Some(100_000),
        ..Limits::default()
    };
    for tool in ["spin", "spin-in-handlers", "spin-in-winders"] {
        let outcome = call(tool, "{}", &Grants::default(), &limits).await;
        assert_eq!(outcome.result, "error: step limit exceeded", "{tool}");
        assert_eq!(outcome.limit.unwrap().limit, Limit::Steps);
        assert!(outcome.usage.steps >= 100_000, "{:?}", outcome.usage);
    }
}

#[tokio::test]
async fn a_trap_is_a_failure_and_no_more() {
    // The component without HTTP in the place of the one with it: the guest is told that
    // it can send a request, and finds a stub.
    let sandbox = sandbox(64);
    let bare = sandbox.variant(Capabilities::default()).await.unwrap();
    let http = Capabilities {
        http: true,
        environment: false,
    };
    assert!(sandbox.0.variants.made.slot(http).set(bare).is_ok());
    let grants = Grants {
        capabilities: http,
        ..everything("http://127.0.0.1:1/")
    };
    let limits = Limits::default();
    let request = LoadRequest {
        code: Code::Scheme(GET),
        file: FILE,
        unrestricted: false,
        grants: &grants,
        limits: &limits,
    };
    let loaded = sandbox.load(request).await.unwrap();
    let nested: Arc<dyn NestedCalls> = Arc::new(NoNestedCalls);
    for _ in 0..20 {
        let request = CallRequest {
            image: &loaded.image,
            file: FILE,
            tool: "get",
            arguments: &url_argument("http://127.0.0.1:1/"),
            context_name: "test",
            unrestricted: false,
            grants: &grants,
            limits: &limits,
            nested: &nested,
            principal: "test",
            budget: None,
            journal: &Journal::new(),
        };
        let failure = sandbox.call(request).await;
        assert!(matches!(failure, Err(Failure::Trap(_))), "{failure:?}");
    }
    assert_healthy().await;
}

#[tokio::test]
async fn a_request_goes_where_it_was_granted() {
    let (url, serving) = server(Duration::ZERO, "hello").await;
    let target = format!("{url}/v1/x?y");
    let outcome = get(&target, &everything(&url), &Limits::default())
        .await
        .unwrap();
    assert_eq!(outcome.result, "200 hello");
    assert!(outcome.denials.is_empty());
    assert!(
        serving
            .await
            .unwrap()
            .starts_with("GET /v1/x?y HTTP/1.1\r\n")
    );
}

#[tokio::test]
async fn a_request_goes_nowhere_else() {
    let grants = everything("http://127.0.0.1:1/v1/");
    let url = "http://127.0.0.1:1/v2/";
    let outcome = get(url, &grants, &Limits::default()).await.unwrap();
    let refused =
        format!("error: sandbox violation: http request blocked: URL not in allowlist: {url}");
    assert_eq!(outcome.result, refused);
    assert_eq!(outcome.denials.len(), 1);
    // Without the import there is nobody to ask, and the guest says what it refused.
    let outcome = get(url, &Grants::default(), &Limits::default())
        .await
        .unwrap();
    assert_eq!(outcome.result, refused);
    let told: Vec<_> = outcome.denials.iter().map(ToString::to_string).collect();
    assert_eq!(told, [format!("GET {url}: the tool has no HTTP grant")]);
}

#[tokio::test]
async fn waiting_for_a_server_is_wall_time_and_not_cpu_time() {
    let (url, _serving) = server(Duration::from_millis(400), "late").await;
    let limits = Limits {
        cpu: Duration::from_millis(200),
        ..Limits::default()
    };
    let outcome = get(&url, &everything(&url), &limits).await.unwrap();
    assert_eq!(outcome.result, "200 late");
    assert!(outcome.usage.cpu < limits.cpu, "{:?}", outcome.usage);
    assert!(
        outcome.usage.wall >= Duration::from_millis(400),
        "{:?}",
        outcome.usage
    );
}

#[tokio::test]
async fn a_server_that_never_answers_meets_the_deadline() {
    let (url, _serving) = server(Duration::from_secs(60), "never").await;
    let limits = Limits {
        wall: Duration::from_millis(300),
        ..Limits::default()
    };
    let outcome = get(&url, &everything(&url), &limits).await.unwrap();
    assert!(outcome.result.starts_with("error: "), "{}", outcome.result);
    assert!(outcome.result.contains("time"), "{}", outcome.result);
    assert!(
        outcome.usage.wall < Duration::from_secs(10),
        "{:?}",
        outcome.usage
    );
    assert_healthy().await;
}

#[tokio::test]
async fn loading_sends_nothing() {
    let (url, serving) = server(Duration::ZERO, "never sent").await;
    let grants = everything(&url);
    let loaded = load(GET, &grants, &Limits::default()).await.unwrap();
    assert_eq!(loaded.manifest.tools[0].name, "get");
    // Not even when it is asked to.
    let source = format!("(import (tein http))\n(define page\n  (http-get \"{url}/\" '()))");
    let failure = load(&source, &grants, &Limits::default()).await;
    let Err(Failure::Problem(problem)) = failure else {
        panic!("{failure:?}")
    };
    assert_eq!(problem.kind, ProblemKind::Sandbox, "{problem}");
    assert!(problem.message.contains("while a file loads"), "{problem}");
    assert!(!serving.is_finished());
    serving.abort();
}

#[tokio::test]
async fn loading_the_same_again_shares_the_image() {
    let grants = Grants::default();
    let limits = Limits::default();
    let first = load(PROBES, &grants, &limits).await.unwrap();
    let second = load(PROBES, &grants, &limits).await.unwrap();
    assert!(Arc::ptr_eq(&first.image.0, &second.image.0));
    let more = format!("{PROBES}\n(define more 1)");
    let other = load(&more, &grants, &limits).await.unwrap();
    assert!(!Arc::ptr_eq(&first.image.0, &other.image.0));
}

#[tokio::test]
async fn a_fault_of_the_file_has_a_kind_and_a_place() {
    for (source, kind, at) in [
        ("(define a 1)\n  (define b\n", ProblemKind::Read, (2, 3)),
        ("(define a 1)\n )", ProblemKind::Read, (2, 2)),
        ("(define a #q)", ProblemKind::Read, (1, 11)),
        ("(define a 1)\n(if)", ProblemKind::Syntax, (2, 1)),
        ("\n\n  (let ((x)) x)", ProblemKind::Syntax, (3, 3)),
        ("(define a 1)\n(car a)", ProblemKind::Evaluation, (2, 1)),
        ("(define a nowhere)", ProblemKind::Evaluation, (1, 1)),
        ("\n(import (no such))", ProblemKind::Sandbox, (2, 1)),
        ("\n(import (tein http))", ProblemKind::Sandbox, (2, 1)),
    ] {
        let problem = problem(source).await;
        assert_eq!(
            (problem.kind, problem.file.as_str()),
            (kind, FILE),
            "{source}: {problem}"
        );
        let found = problem.at.map(|at| (at.line, at.column));
        assert_eq!(found, Some(at), "{source}: {problem}");
    }
    assert_healthy().await;
}

#[tokio::test]
async fn a_file_that_defines_no_tool_says_what_is_missing() {
    let whole = [
        "(define tool-name \"t\")",
        "(define tool-description \"d\")",
        "(define tool-parameters '())",
        "(define (tool-execute args) 1)",
    ];
    let limits = Limits::default();
    let loaded = load(&whole.join("\n"), &Grants::default(), &limits).await;
    assert_eq!(loaded.unwrap().manifest.tools.len(), 1);
    for (line, wrong, says) in [
        (0, "", "missing tool-name"),
        (1, "(define tool-description 'd)", "tool-description is not"),
        (2, "(define tool-parameters 5)", "tool-parameters must be"),
        (3, "(define tool-execute 5)", "tool-execute is not"),
    ] {
        let mut lines = whole;
        lines[line] = wrong;
        let problem = problem(&lines.join("\n")).await;
        assert_eq!(problem.kind, ProblemKind::Manifest, "{problem}");
        assert!(problem.message.contains(says), "{problem}");
    }
    let wrong = "(define-tool t (description 'd) (parameters '()) (execute car))";
    let problem = problem(wrong).await;
    assert_eq!(problem.kind, ProblemKind::Manifest, "{problem}");
    assert!(
        problem.message.contains("description not a string"),
        "{problem}"
    );
}

#[tokio::test]
async fn a_tool_that_is_not_there_and_arguments_that_are_no_json_are_problems() {
    let (grants, limits) = (Grants::default(), Limits::default());
    for (tool, arguments) in [("nowhere", "{}"), ("echo", "{"), ("echo", "")] {
        let nested: Arc<dyn NestedCalls> = Arc::new(NoNestedCalls);
        let failure = call_with(tool, arguments, &grants, &limits, nested).await;
        let Err(Failure::Problem(problem)) = failure else {
            panic!("{failure:?}")
        };
        assert_eq!(problem.kind, ProblemKind::Host, "{problem}");
    }
}

#[tokio::test]
async fn a_limit_while_loading_is_a_failure() {
    // The second form: the first one is run by then.
    let source = "(define first 1)\n(let loop () (loop))";
    let short = Duration::from_millis(100);
    for (limits, limit) in [
        (
            Limits {
                cpu: short,
                steps: None,
                ..Limits::default()
            },
            Limit::Cpu,
        ),
        (
            Limits {
                wall: short,
                steps: None,
                ..Limits::default()
            },
            Limit::Wall,
        ),
        (Limits::default(), Limit::Steps),
    ] {
        let failure = load(source, &Grants::default(), &limits).await;
        let Err(Failure::Limit(reached)) = failure else {
            panic!("{failure:?}")
        };
        assert_eq!(reached.limit, limit);
        assert_healthy().await;
    }
    let source = "(define first 1)\n(let loop ((l '())) (loop (cons 1 l)))";
    let limits = endless(Limits::default());
    let failure = load(source, &Grants::default(), &limits).await;
    assert!(
        matches!(&failure, Err(Failure::Limit(reached)) if reached.limit == Limit::Memory),
        "{failure:?}"
    );
}

#[tokio::test]
async fn what_a_file_does_at_its_top_level_is_limited_in_every_call() {
    // The handler's turn comes after it, within the same budgets.
    let source = "(define (busy n) (if (> n 0) (busy (- n 1))))
        (busy 100000)
        (define-tool t (description \"d\") (parameters '()) (execute (lambda (a) 'done)))";
    let (grants, limits) = (Grants::default(), Limits::default());
    let loaded = load(source, &grants, &limits).await.unwrap();
    let run = async |steps| {
        let limits = Limits {
            steps: Some(steps),
            ..Limits::default()
        };
        let nested = Arc::new(NoNestedCalls);
        call_image(&loaded.image, "t", "{}", &grants, &limits, nested)
            .await
            .unwrap()
    };
    let outcome = run(10_000_000).await;
    assert_eq!(outcome.result, "done");
    assert!(outcome.usage.steps >= 100_000, "{:?}", outcome.usage);
    let outcome = run(1000).await;
    assert_eq!(outcome.result, "error: step limit exceeded");
}

struct Echo;

impl NestedCalls for Echo {
    fn call_tool<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a str,
        _: &'a Budget,
    ) -> BoxFuture<'a, Result<String, String>> {
        Box::pin(async move { Ok(format!("{name} got {arguments}")) })
    }
}

#[tokio::test]
async fn other_tools_are_reached_through_the_host() {
    let (grants, limits) = (Grants::default(), Limits::default());
    let outcome = call_with("other", "{}", &grants, &limits, Arc::new(Echo))
        .await
        .unwrap();
    assert_eq!(outcome.result, "other got {}");
    let outcome = call("other", "{}", &grants, &limits).await;
    assert_eq!(
        outcome.result,
        "error: scheme evaluation error: call-tool is not available here"
    );
}

/// Calls `other` in a new instance, and in the deepest one a tool with limits of its own.
struct Deeper(usize, &'static str, Limits);

impl NestedCalls for Deeper {
    fn call_tool<'a>(
        &'a self,
        _: &'a str,
        arguments: &'a str,
        budget: &'a Budget,
    ) -> BoxFuture<'a, Result<String, String>> {
        let Self(left, tool, own) = self;
        Box::pin(async move {
            let limits = endless(Limits::default());
            let below = |nested| Below {
                budget: Some(budget),
                nested,
            };
            let outcome = match left {
                0 => {
                    let below = below(Arc::new(NoNestedCalls));
                    call_below(tool, arguments, own, below).await
                }
                left => {
                    let below = below(Arc::new(Deeper(left - 1, tool, own.clone())));
                    call_below("other", arguments, &limits, below).await
                }
            };
            Ok(outcome.result)
        })
    }
}

/// What a call in the middle of others is given.
struct Below<'a> {
    budget: Option<&'a Budget>,
    nested: Arc<dyn NestedCalls>,
}

async fn call_below(tool: &str, arguments: &str, limits: &Limits, below: Below<'_>) -> Outcome {
    let grants = Grants::default();
    let probes = load(PROBES, &grants, &Limits::default()).await.unwrap();
    let request = CallRequest {
        image: &probes.image,
        file: FILE,
        tool,
        arguments,
        context_name: "test",
        unrestricted: false,
        grants: &grants,
        limits,
        nested: &below.nested,
        principal: "test",
        budget: below.budget,
        journal: &Journal::new(),
    };
    SANDBOX.call(request).await.unwrap()
}

/// Calls `tool` this deep below a call with the first limits, itself with the second.
async fn call_deep(depth: usize, tool: &'static str, outer: &Limits, inner: &Limits) -> Outcome {
    let below = Below {
        budget: None,
        nested: Arc::new(Deeper(depth, tool, inner.clone())),
    };
    call_below("other", "{}", outer, below).await
}

#[tokio::test]
async fn calls_nest_eight_deep_and_each_has_its_own_limits() {
    let limits = endless(Limits::default());
    let inner = Limits {
        cpu: Duration::from_millis(100),
        ..limits.clone()
    };
    let outcome = call_deep(8, "spin", &limits, &inner).await;
    assert_eq!(outcome.result, "error: CPU time limit exceeded (0.1 s)");
    assert!(outcome.limit.is_none(), "it was the inner call's limit");
    assert!(
        outcome.usage.cpu >= Duration::from_millis(100),
        "the caller pays as well"
    );
    assert_healthy().await;
}

#[tokio::test]
async fn a_callers_budget_ends_what_it_called() {
    let limits = endless(Limits::default());
    let outer = Limits {
        cpu: Duration::from_millis(50),
        ..limits.clone()
    };
    let outcome = call_deep(2, "spin", &outer, &limits).await;
    assert_eq!(outcome.result, "error: CPU time limit exceeded (0.05 s)");
    assert!(outcome.limit.is_some());

    let outer = Limits {
        memory: 24 << 20,
        ..limits.clone()
    };
    let outcome = call_deep(2, "grow-bytes", &outer, &limits).await;
    assert_eq!(outcome.result, "error: memory limit exceeded (24 MiB)");
    assert!(outcome.limit.is_none(), "the caller has enough");

    // What the outer calls used, the inner one has not got, and what it used they have not got.
    let outer = Limits {
        steps: Some(200_000),
        ..limits.clone()
    };
    let outcome = call_deep(2, "spin", &outer, &limits).await;
    assert_eq!(outcome.result, "error: step limit exceeded");
    assert!(outcome.limit.is_none(), "the caller needs no more");
    assert!(outcome.usage.steps < 1000, "{:?}", outcome.usage);
    assert_healthy().await;
}

#[tokio::test]
async fn what_a_call_used_is_known_though_nobody_waits_for_it() {
    let journal = Journal::new();
    let (grants, nested) = (Grants::default(), Arc::new(NoNestedCalls) as Arc<_>);
    let limits = endless(Limits::default());
    let probes = load(PROBES, &grants, &Limits::default()).await.unwrap();
    let request = CallRequest {
        image: &probes.image,
        file: FILE,
        tool: "spin",
        arguments: "{}",
        context_name: "test",
        unrestricted: false,
        grants: &grants,
        limits: &limits,
        nested: &nested,
        principal: "test",
        budget: None,
        journal: &journal,
    };
    let given_up = tokio::time::timeout(Duration::from_millis(100), SANDBOX.call(request)).await;
    assert!(given_up.is_err());
    let usage = journal.entries().usage.unwrap();
    assert!(usage.cpu > Duration::ZERO && usage.memory > 0, "{usage:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_beyond_the_limit_wait_and_then_say_so() {
    let sandbox = sandbox(1);
    let grants = Grants::default();
    let limits = Limits::default();
    let request = LoadRequest {
        code: Code::Scheme(PROBES),
        file: FILE,
        unrestricted: false,
        grants: &grants,
        limits: &limits,
    };
    let loaded = sandbox.load(request).await.unwrap();
    let nested: Arc<dyn NestedCalls> = Arc::new(NoNestedCalls);
    let short = Limits {
        wall: Duration::from_millis(100),
        ..Limits::default()
    };
    // Far longer than the other waits, however slowly this machine takes turns.
    let long = endless(Limits {
        cpu: Duration::from_secs(3),
        ..Limits::default()
    });
    let journal = Journal::new();
    let budget = Budget::new(&limits);
    let request = |tool, limits| CallRequest {
        image: &loaded.image,
        file: FILE,
        tool,
        arguments: "{}",
        context_name: "test",
        unrestricted: false,
        grants: &grants,
        limits,
        nested: &nested,
        principal: "test",
        budget: None,
        journal: &journal,
    };
    // A load may come from the disk, and then the component is not there yet, for which both
    // would wait, in any order.
    sandbox.call(request("echo", &limits)).await.unwrap();
    let (first, second) = tokio::join!(
        sandbox.call(request("spin", &long)),
        sandbox.call(request("echo", &short)),
    );
    assert!(matches!(first.unwrap().limit, Some(reached) if reached.limit == Limit::Cpu));
    assert!(matches!(second, Err(Failure::Busy(_))), "{second:?}");
    // A nested call takes no place.
    let nested_call = CallRequest {
        budget: Some(&budget),
        ..request("echo", &limits)
    };
    let (first, second) = tokio::join!(
        sandbox.call(request("spin", &long)),
        sandbox.call(nested_call),
    );
    assert!(first.unwrap().limit.is_some());
    assert!(second.unwrap().limit.is_none());
}
