//! The sandbox as a whole, with the real guest.

use super::*;
use crate::grants::{Rule, RuleSet};
use crate::limits::Limits;
use crate::registry::Secret;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Compiled once for all tests, and kept for the next run of them.
static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| {
    Sandbox::new(SandboxOptions {
        cache_dir: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/test-cache")),
        ..SandboxOptions::default()
    })
    .unwrap()
});

const FILE: &str = "/tools/probe.scm";

fn everything(url: &str) -> Grants {
    Grants {
        rules: Arc::new(RuleSet::new(vec![url.parse::<Rule>().unwrap()])),
        env: vec![Secret::new("KEY", "hunter22")],
        capabilities: Capabilities {
            http: true,
            environment: true,
        },
    }
}

async fn load(source: &str, grants: &Grants, limits: &Limits) -> Result<Loaded, Failure> {
    let request = LoadRequest {
        source,
        file: FILE,
        unrestricted: false,
        grants,
        limits,
    };
    SANDBOX.load(request).await
}

async fn call_with(
    tool: &str,
    arguments: &str,
    grants: &Grants,
    limits: &Limits,
    nested: Arc<dyn NestedCalls>,
) -> Result<Outcome, Failure> {
    let loaded = load("echo", &Grants::default(), &Limits::default())
        .await
        .unwrap();
    let request = CallRequest {
        image: &loaded.image,
        file: FILE,
        tool,
        arguments,
        context_name: "test",
        unrestricted: false,
        grants,
        limits,
        nested: &nested,
        is_nested: false,
    };
    SANDBOX.call(request).await
}

async fn call(tool: &str, arguments: &str, grants: &Grants, limits: &Limits) -> Outcome {
    call_with(tool, arguments, grants, limits, Arc::new(NoNestedCalls))
        .await
        .unwrap()
}

/// After whatever was done to it, the runtime answers as on the first day.
async fn assert_healthy() {
    let outcome = call("echo", "{}", &Grants::default(), &Limits::default()).await;
    assert_eq!((outcome.result.as_str(), outcome.limit), ("{}", None));
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
    ("holm:tool/harness@0.1.0", &["call-tool"]),
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
async fn nothing_survives_a_call() {
    for _ in 0..3 {
        let outcome = call("count", "", &Grants::default(), &Limits::default()).await;
        assert_eq!(outcome.result, "1001");
    }
}

#[tokio::test]
async fn a_variable_is_there_when_granted() {
    let outcome = call("env", "", &Grants::default(), &Limits::default()).await;
    assert_eq!(outcome.result, r#"[("TEIN_SANDBOX", "true")]"#);
    let granted = everything("http://127.0.0.1:1/");
    let outcome = call("env", "", &granted, &Limits::default()).await;
    assert_eq!(
        outcome.result,
        r#"[("TEIN_SANDBOX", "true"), ("KEY", "hunter22")]"#
    );
    // The values alone open nothing: the import is what counts.
    let without = Grants {
        capabilities: Capabilities::default(),
        ..granted
    };
    let outcome = call("env", "", &without, &Limits::default()).await;
    assert_eq!(outcome.result, r#"[("TEIN_SANDBOX", "true")]"#);
}

#[tokio::test]
async fn cpu_time_ends_a_loop() {
    let limits = Limits {
        cpu: Duration::from_millis(200),
        ..Limits::default()
    };
    let outcome = call("spin", "", &Grants::default(), &limits).await;
    assert_eq!(outcome.result, "error: CPU time limit exceeded (0.2 s)");
    assert_eq!(outcome.limit.unwrap().limit, Limit::Cpu);
    assert!(outcome.usage.cpu >= limits.cpu, "{:?}", outcome.usage);
    assert!(
        outcome.usage.cpu < Duration::from_secs(2),
        "{:?}",
        outcome.usage
    );
    assert_healthy().await;
}

#[tokio::test]
async fn the_deadline_ends_a_loop_too() {
    let limits = Limits {
        wall: Duration::from_millis(200),
        ..Limits::default()
    };
    let outcome = call("spin", "", &Grants::default(), &limits).await;
    assert_eq!(outcome.result, "error: evaluation timed out (0.2 s)");
    assert_eq!(outcome.limit.unwrap().limit, Limit::Wall);
    assert_healthy().await;
}

#[tokio::test]
async fn memory_ends_at_its_limit_however_it_is_asked_for() {
    let limits = Limits {
        memory: 16 << 20,
        ..Limits::default()
    };
    for tool in ["grow", "grow-hard"] {
        let outcome = call(tool, "", &Grants::default(), &limits).await;
        assert_eq!(
            outcome.result, "error: memory limit exceeded (16 MiB)",
            "{tool}"
        );
        assert_eq!(outcome.limit.unwrap().limit, Limit::Memory, "{tool}");
        assert!(outcome.usage.memory <= limits.memory, "{:?}", outcome.usage);
        assert_healthy().await;
    }
}

#[tokio::test]
async fn too_little_memory_to_begin_with_is_named_as_well() {
    let limits = Limits {
        memory: 64 << 10,
        ..Limits::default()
    };
    let outcome = call("echo", "", &Grants::default(), &limits).await;
    assert_eq!(outcome.result, "error: memory limit exceeded (64 KiB)");
}

#[tokio::test]
async fn the_stack_ends_by_name() {
    let outcome = call("recurse", "", &Grants::default(), &Limits::default()).await;
    assert_eq!(outcome.result, "error: stack limit exceeded");
    assert_eq!(outcome.limit.unwrap().limit, Limit::Stack);
    assert_healthy().await;
}

#[tokio::test]
async fn the_step_limit_is_the_guests_word() {
    let outcome = call("steps", "", &Grants::default(), &Limits::default()).await;
    assert_eq!(outcome.result, "error: step limit exceeded");
    assert_eq!(outcome.limit.unwrap().limit, Limit::Steps);
}

#[tokio::test]
async fn a_trap_is_a_failure_and_no_more() {
    let nested: Arc<dyn NestedCalls> = Arc::new(NoNestedCalls);
    let failure = call_with("panic", "", &Grants::default(), &Limits::default(), nested).await;
    assert!(matches!(failure, Err(Failure::Trap(_))), "{failure:?}");
    assert_healthy().await;
}

#[tokio::test]
async fn a_request_goes_where_it_was_granted() {
    let (url, serving) = server(Duration::ZERO, "hello").await;
    let outcome = call(
        "get",
        &format!("{url}/v1/x?y"),
        &everything(&url),
        &Limits::default(),
    )
    .await;
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
    let outcome = call("get", url, &grants, &Limits::default()).await;
    let refused = format!("error: http request blocked: URL not in allowlist: {url}");
    assert_eq!(outcome.result, refused);
    assert_eq!(outcome.denials.len(), 1);
    // Without the import there is nothing to ask, and so nothing to record.
    let outcome = call("get", url, &Grants::default(), &Limits::default()).await;
    assert_eq!(outcome.result, refused);
    assert!(outcome.denials.is_empty());
}

#[tokio::test]
async fn waiting_for_a_server_is_wall_time_and_not_cpu_time() {
    let (url, _serving) = server(Duration::from_millis(400), "late").await;
    let limits = Limits {
        cpu: Duration::from_millis(200),
        ..Limits::default()
    };
    let outcome = call("get", &url, &everything(&url), &limits).await;
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
    let outcome = call("get", &url, &everything(&url), &limits).await;
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
    let loaded = load("echo get", &everything(&url), &Limits::default())
        .await
        .unwrap();
    let names: Vec<&str> = loaded
        .manifest
        .tools
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert_eq!(names, ["echo", "get"]);
    assert!(!serving.is_finished());
    serving.abort();
}

#[tokio::test]
async fn loading_the_same_again_shares_the_image() {
    let grants = Grants::default();
    let limits = Limits::default();
    let first = load("echo count", &grants, &limits).await.unwrap();
    let second = load("echo count", &grants, &limits).await.unwrap();
    assert!(Arc::ptr_eq(&first.image.0, &second.image.0));
    let other = load("echo count env", &grants, &limits).await.unwrap();
    assert!(!Arc::ptr_eq(&first.image.0, &other.image.0));
}

#[tokio::test]
async fn a_file_that_does_not_load_is_a_problem() {
    let failure = load("echo (", &Grants::default(), &Limits::default()).await;
    let Err(Failure::Problem(problem)) = failure else {
        panic!("{failure:?}")
    };
    assert_eq!(
        (problem.kind, problem.file.as_str()),
        (ProblemKind::Read, FILE)
    );
}

#[tokio::test]
async fn a_limit_while_loading_is_a_failure() {
    let limits = Limits {
        cpu: Duration::from_millis(100),
        ..Limits::default()
    };
    let failure = load("spin", &Grants::default(), &limits).await;
    let Err(Failure::Limit(reached)) = failure else {
        panic!("{failure:?}")
    };
    assert_eq!(reached.limit, Limit::Cpu);
}

struct Echo;

impl NestedCalls for Echo {
    fn call_tool<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a str,
    ) -> BoxFuture<'a, Result<String, String>> {
        Box::pin(async move { Ok(format!("{name} got {arguments}")) })
    }
}

#[tokio::test]
async fn other_tools_are_reached_through_the_host() {
    let (grants, limits) = (Grants::default(), Limits::default());
    let outcome = call_with("nested", "{}", &grants, &limits, Arc::new(Echo))
        .await
        .unwrap();
    assert_eq!(outcome.result, "other got {}");
    let outcome = call("nested", "{}", &grants, &limits).await;
    assert_eq!(outcome.result, "error: call-tool is not available here");
}

/// Calls `nested` in a new instance, and in the deepest one `spin`.
struct Deeper(usize);

impl NestedCalls for Deeper {
    fn call_tool<'a>(
        &'a self,
        _: &'a str,
        arguments: &'a str,
    ) -> BoxFuture<'a, Result<String, String>> {
        Box::pin(async move {
            let (grants, limits) = (Grants::default(), Limits::default());
            let spin = Limits {
                cpu: Duration::from_millis(100),
                ..Limits::default()
            };
            let outcome = match self.0 {
                0 => call("spin", arguments, &grants, &spin).await,
                left => {
                    let nested = Arc::new(Deeper(left - 1));
                    call_with("nested", arguments, &grants, &limits, nested)
                        .await
                        .unwrap()
                }
            };
            Ok(outcome.result)
        })
    }
}

#[tokio::test]
async fn calls_nest_eight_deep_and_each_has_its_own_limits() {
    let (grants, limits) = (Grants::default(), Limits::default());
    let outcome = call_with("nested", "{}", &grants, &limits, Arc::new(Deeper(8)))
        .await
        .unwrap();
    assert_eq!(outcome.result, "error: CPU time limit exceeded (0.1 s)");
    assert!(outcome.limit.is_none(), "it was the inner call's limit");
    assert!(
        outcome.usage.cpu >= Duration::from_millis(100),
        "the caller pays as well"
    );
    // And a caller's budget ends what it called.
    let limits = Limits {
        cpu: Duration::from_millis(50),
        ..limits
    };
    let outcome = call_with("nested", "{}", &grants, &limits, Arc::new(Deeper(2)))
        .await
        .unwrap();
    assert_eq!(outcome.result, "error: CPU time limit exceeded (0.05 s)");
    assert!(outcome.limit.is_some());
    assert_healthy().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_beyond_the_limit_wait_and_then_say_so() {
    let sandbox = Sandbox::new(SandboxOptions {
        cache_dir: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/test-cache")),
        max_concurrent: 1,
        ..SandboxOptions::default()
    })
    .unwrap();
    let grants = Grants::default();
    let limits = Limits::default();
    let source = "echo";
    let request = LoadRequest {
        source,
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
    let long = Limits {
        cpu: Duration::from_millis(500),
        ..Limits::default()
    };
    let request = |tool, limits| CallRequest {
        image: &loaded.image,
        file: FILE,
        tool,
        arguments: "",
        context_name: "test",
        unrestricted: false,
        grants: &grants,
        limits,
        nested: &nested,
        is_nested: false,
    };
    let (first, second) = tokio::join!(
        sandbox.call(request("spin", &long)),
        sandbox.call(request("echo", &short)),
    );
    assert!(matches!(first.unwrap().limit, Some(reached) if reached.limit == Limit::Cpu));
    assert!(matches!(second, Err(Failure::Busy(_))), "{second:?}");
    // A nested call takes no place.
    let nested_call = CallRequest {
        is_nested: true,
        ..request("echo", &limits)
    };
    let (first, second) = tokio::join!(
        sandbox.call(request("spin", &long)),
        sandbox.call(nested_call),
    );
    assert!(first.unwrap().limit.is_some());
    assert!(second.unwrap().limit.is_none());
}
