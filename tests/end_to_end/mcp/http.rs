//! Several principals over HTTP.

use serde_json::{Value, json};

use super::Hole;
use super::client::{Http, read, text, tool_names};
use crate::project::Project;
use crate::server::{Answer, Server};
use crate::swarm::REFUSAL;

const ADA: &str = "ada-0123456789abcdef";
const BOB: &str = "bob-0123456789abcdef";

/// A project with two principals, each with a skill of its own.
fn two(more: &str) -> Project {
    let mut project = Project::with_config(&format!(
        "[skills.reader]\ntools = [\"echo\", \"fetch\", \"relay\"]\n[skills.worker]\ntools = [\"modest\", \"spin\", \"fetch\"]\n\
         [principals.ada]\ntoken-env = \"ADA_TOKEN\"\nskill = \"reader\"\n\
         [principals.bob]\ntoken-file = \"bob.token\"\nskill = \"worker\"\n{more}"
    ));
    project
        .add_tool("echo.scm")
        .add_tool("greedy.scm")
        .add_tool("fetch.scm")
        .add_tool("nested.scm");
    project.write("bob.token", &format!("{BOB}\n"));
    project.set("ADA_TOKEN", ADA);
    project
}

fn list(server: &Http, token: &str) -> Vec<String> {
    tool_names(&server.modern(token, "tools/list", json!({})).response()["result"])
}

#[test]
fn each_principal_sees_and_reaches_its_own() {
    let server = Server::start(|request| Answer::ok(&request.target));
    let grants = format!(
        "[permissions.tools]\nfetch = \"allow\"\n[tools.http.allow]\n\"/tools/shared/fetch.scm\" = [{:?}]\n\
         [principals.bob.http]\n\"/tools/shared/fetch.scm\" = [{:?}]\n[principals.bob.limits]\nsteps = 1000\n",
        server.url("/ada/"),
        server.url("/bob/")
    );
    let project = two(&grants);
    let holm = Http::start(&project, &[]);
    assert_eq!(list(&holm, ADA), ["echo", "fetch", "relay"]);
    assert_eq!(list(&holm, BOB), ["fetch", "modest", "spin"]);
    assert_eq!(
        text(&holm.call(BOB, "modest", json!({})))[..12],
        *"result: fine"
    );
    for (token, tool) in [(ADA, "modest"), (BOB, "echo"), (BOB, "nobody")] {
        assert_eq!(
            text(&holm.call(token, tool, json!({}))),
            REFUSAL,
            "{token} {tool}"
        );
    }
    // A tool of the skill calls no further than the skill.
    let nested = holm.call(ADA, "relay", json!({ "tool": "modest" }));
    assert!(
        text(&nested).contains("tool not permitted by skill policy"),
        "{nested}"
    );
    // Grants and limits of one's own.
    for (token, path, reached) in [
        (ADA, "/ada/1", true),
        (ADA, "/bob/1", false),
        (BOB, "/bob/2", true),
        (BOB, "/ada/2", false),
    ] {
        let answer = holm.call(token, "fetch", json!({ "target": server.url(path) }));
        let expected = if reached {
            format!("result: {path}\n")
        } else {
            format!(
                "result: error: sandbox violation: http request blocked: URL not in allowlist: {}\n",
                server.url(path)
            )
        };
        assert!(
            text(&answer).starts_with(&expected),
            "{token} {path}: {answer}"
        );
    }
    let limited = holm.call(BOB, "spin", json!({}));
    assert!(
        text(&limited).starts_with("result: error: step limit exceeded"),
        "{limited}"
    );
    let paths: Vec<String> = server
        .requests()
        .into_iter()
        .map(|request| request.target)
        .collect();
    assert_eq!(paths, ["/ada/1", "/bob/2"]);

    let status: Value = serde_json::from_str(&holm.get("/status", BOB).body).unwrap();
    assert_eq!(status["principal"], "bob");
    assert_eq!(status["skill"], "worker");
    let tools: Vec<&Value> = status["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(tools, ["fetch", "modest", "spin"]);
    let metrics = holm.get("/metrics", BOB);
    assert!(
        metrics
            .body
            .contains("holm_calls_total{outcome=\"refused\"} 3\n"),
        "{metrics:?}"
    );
    assert!(!metrics.body.contains("ada"), "{metrics:?}");
}

#[test]
fn without_a_good_token_there_is_nothing() {
    let project = two("");
    let holm = Http::start(&project, &[]);
    for path in ["/mcp", "/status", "/metrics", "/elsewhere"] {
        for header in [
            None,
            Some("Bearer wrong"),
            Some("Bearer "),
            Some(ADA),
            Some(&*format!("Basic {ADA}")),
            Some(&*format!("Bearer {ADA}x")),
            Some(&*format!("Bearer {ADA} {ADA}")),
        ] {
            let headers: Vec<(&str, &str)> = header
                .map(|value| ("authorization", value))
                .into_iter()
                .collect();
            let reply = holm.send("POST", path, &headers, "{}");
            assert_eq!(reply.status, 401, "{path} {header:?}");
            assert!(
                reply
                    .head
                    .to_lowercase()
                    .contains("www-authenticate: bearer"),
                "{reply:?}"
            );
        }
    }
    let health = holm.send("GET", "/health", &[], "");
    assert_eq!((health.status, health.body.as_str()), (200, "ok\n"));
    assert_eq!(holm.get("/elsewhere", ADA).status, 404);
}

#[test]
fn a_web_page_reaches_nothing() {
    let project = two(
        "[serve]\nallowed-hosts = [\"tools.example.com\"]\nallowed-origins = [\"https://app.example.com\"]\n",
    );
    let holm = Http::start(&project, &[]);
    let authorization = format!("Bearer {ADA}");
    for (name, value, status) in [
        ("host", "evil.example.com", 403),
        ("host", "127.0.0.1", 403),
        ("host", "tools.example.com", 200),
        ("origin", "https://evil.example.com", 403),
        ("origin", "null", 403),
        ("origin", "https://app.example.com", 200),
    ] {
        for path in ["/status", "/health"] {
            let headers = [("authorization", authorization.as_str()), (name, value)];
            let reply = holm.send("GET", path, &headers, "");
            assert_eq!(reply.status, status, "{name}: {value} {path}");
        }
    }
}

#[test]
fn a_session_is_its_principals() {
    let project = two("");
    let holm = Http::start(&project, &[]);
    let post = |token: &str, session: Option<&str>, message: Value| {
        let authorization = format!("Bearer {token}");
        let mut headers = vec![
            ("authorization", authorization.as_str()),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        if let Some(session) = session {
            headers.push(("mcp-session-id", session));
            headers.push(("mcp-protocol-version", "2025-11-25"));
        }
        holm.send("POST", "/mcp", &headers, &message.to_string())
    };
    let opened = post(
        ADA,
        None,
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } }),
    );
    assert_eq!(
        opened.response()["result"]["protocolVersion"],
        "2025-11-25",
        "{opened:?}"
    );
    let session = opened
        .head
        .lines()
        .find_map(|line| {
            line.to_lowercase()
                .strip_prefix("mcp-session-id: ")
                .map(|_| line.split_once(": ").unwrap().1.to_owned())
        })
        .unwrap();
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post(ADA, Some(&session), initialized).status, 202);
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {} });
    let own = post(ADA, Some(&session), list.clone());
    // Without a grant, the file with `fetch` does not load.
    assert_eq!(tool_names(&own.response()["result"]), ["echo", "relay"]);
    // Somebody else's session is as good as none.
    let others = post(BOB, Some(&session), list.clone());
    let nobodys = post(BOB, Some("00000000-0000-0000-0000-000000000000"), list);
    assert_eq!(others.status, 404, "{others:?}");
    assert_eq!((others.status, others.body), (nobodys.status, nobodys.body));
    let junk = post(ADA, Some(&session), json!("junk"));
    assert!((400..500).contains(&junk.status), "{junk:?}");
}

#[test]
fn a_client_that_goes_away_ends_its_call() {
    let hole = Hole::open();
    let project = two(&hole.config());
    let holm = Http::start(&project, &[]);
    let stream = holm.open_modern(
        ADA,
        "tools/call",
        json!({ "name": "fetch", "arguments": { "target": hole.url } }),
    );
    hole.wait_for_request();
    let running = holm.get("/metrics", ADA);
    assert!(
        running.body.contains("holm_calls_running 1\n"),
        "{running:?}"
    );
    drop(stream);
    hole.wait_for_end();
}

#[test]
fn a_question_needs_a_second_call_and_the_same_one() {
    let project = two(
        "[skills.orderer]\ntools = [\"order\"]\n[principals.cid]\ntoken-env = \"ADA_TOKEN2\"\nskill = \"orderer\"\n",
    );
    project.write(
        "tools/order.scm",
        "(define-tool order (description \"Orders\") (category \"network\") (summary-params '(\"side\")) (parameters '()) (execute (lambda (args) \"ordered\")))\n",
    );
    let mut project = project;
    project.set("ADA_TOKEN2", "cid-0123456789abcdef");
    let holm = Http::start(&project, &[]);
    let call = |side: &str, more: Value| {
        let mut params = json!({ "name": "order", "arguments": { "side": side },
            "_meta": { "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } } } });
        for (key, value) in more.as_object().unwrap() {
            params[key] = value.clone();
        }
        holm.modern("cid-0123456789abcdef", "tools/call", params)
            .response()["result"]
            .take()
    };
    let ask = |side: &str| {
        let asked = call(side, json!({}));
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        assert_eq!(
            asked["inputRequests"]["permission"]["params"]["message"],
            format!("[order] {side}")
        );
        asked["requestState"].clone()
    };
    let answer = |state: &Value, action: &str| json!({ "requestState": state, "inputResponses": { "permission": { "action": action, "content": {} } } });
    let denied =
        |result: &Value| result["content"][0]["text"] == "Permission denied: permission denied";

    let state = ask("buy");
    let yes = call("buy", answer(&state, "accept"));
    assert_eq!(yes["structuredContent"]["result"], "ordered", "{yes}");
    // Once, for this call, with a yes.
    assert!(denied(&call("buy", answer(&state, "accept"))));
    assert!(denied(&call("sell", answer(&ask("buy"), "accept"))));
    assert!(denied(&call("buy", answer(&ask("buy"), "decline"))));
    assert!(denied(&call("buy", answer(&json!("made up"), "accept"))));
    assert!(denied(&call(
        "buy",
        json!({ "inputResponses": { "permission": { "action": "accept" } } })
    )));
}

#[test]
fn a_server_stops_in_order_and_in_time() {
    let hole = Hole::open();
    let project = two(&format!("[serve]\nshutdown = \"1s\"\n{}", hole.config()));
    let mut holm = Http::start(&project, &["--audit-log", "calls.jsonl"]);
    let stream = holm.open_modern(
        ADA,
        "tools/call",
        json!({ "name": "fetch", "arguments": { "target": hole.url } }),
    );
    hole.wait_for_request();
    let killed = std::process::Command::new("kill")
        .arg(holm.pid().to_string())
        .status()
        .unwrap();
    assert!(killed.success());
    // Cancelled when the bound is over, and said so.
    let last = read(stream);
    assert_eq!(
        last.response()["result"]["content"][0]["text"],
        "the server is stopping",
        "{last:?}"
    );
    hole.wait_for_end();
    assert_eq!(holm.wait().0, 0);
    let log = std::fs::read_to_string(project.folder().join("calls.jsonl")).unwrap();
    let record: Value = serde_json::from_str(log.trim()).unwrap();
    assert_eq!(
        (&record["tool"], &record["outcome"]),
        (&json!("fetch"), &json!("abandoned"))
    );
}

#[test]
fn a_server_that_others_could_reach_needs_principals() {
    let project = Project::with_config("");
    project
        .holm(&["serve", "--http", "0.0.0.0:0"])
        .exits(2)
        .tells("[principals.NAME]");
    let mut project = two("");
    project.set("ADA_TOKEN", "");
    project
        .holm(&["serve", "--http", "127.0.0.1:0"])
        .exits(2)
        .tells("principals.ada");
    project.set("ADA_TOKEN", BOB);
    project
        .holm(&["serve", "--http", "127.0.0.1:0"])
        .exits(2)
        .tells("have one token");
    let project = two(
        "[principals.cid]\ntoken-sha256 = \"0000000000000000000000000000000000000000000000000000000000000000\"\nskill = \"nobody\"\n",
    );
    project
        .holm(&["serve", "--http", "127.0.0.1:0"])
        .exits(2)
        .tells("there is no skill `nobody`");
}
