//! One client on standard input and output.

use serde_json::{Value, json};

use super::Hole;
use super::client::{Pipe, text, tool_names};
use crate::project::Project;
use crate::swarm::{REFUSAL, WORKER, add_tools, skill};

fn project() -> Project {
    let project = Project::with_config("");
    project
        .add_tool("echo.scm")
        .add_tool("greedy.scm")
        .add_tool("nested.scm");
    project
}

#[test]
fn a_session_lists_and_calls() {
    let project = project();
    let mut client = Pipe::session(&project, &[], &json!({}));
    let tools = client.request("tools/list", json!({}))["result"].take();
    assert_eq!(
        tool_names(&tools),
        ["dive", "echo", "hoard", "modest", "relay", "spin"]
    );
    for tool in tools["tools"].as_array().unwrap() {
        assert!(
            jsonschema::draft202012::new(&tool["inputSchema"]).is_ok(),
            "{tool}"
        );
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        assert_eq!(tool["annotations"]["openWorldHint"], false, "{tool}");
    }
    let answer = client.call("modest", json!({}));
    assert_eq!(
        text(&answer),
        "result: fine\nstdout: (empty)\nstderr: (empty)"
    );
    assert_eq!(answer["result"]["isError"], false);
    assert_eq!(
        answer["result"]["structuredContent"],
        json!({ "result": "fine", "stdout": "", "stderr": "" })
    );
    let (code, stderr) = client.finish();
    assert_eq!((code, stderr.as_str()), (0, ""));
}

#[test]
fn errors_of_a_tool_and_wrong_arguments_are_results() {
    let project = project();
    let mut client = Pipe::session(&project, &[], &json!({}));
    let deep = client.call("dive", json!({}));
    assert_eq!(deep["result"]["isError"], true, "{deep}");
    assert!(text(&deep).starts_with("result: error: "), "{deep}");
    let wrong = client.call("relay", json!({ "tol": 1 }));
    assert_eq!(wrong["result"]["isError"], true, "{wrong}");
    assert!(
        text(&wrong).starts_with(
            "result: error: invalid arguments: `tool` is required and missing (there is no `tol`)"
        ),
        "{wrong}"
    );
}

#[test]
fn what_a_call_was_refused_is_told_to_its_client() {
    let project = Project::with_config(
        "[tools.http.allow]\n\"/tools/shared\" = [\"https://api.example.com/v1/\"]\n",
    );
    project.add_tool("refused.scm");
    let mut client = Pipe::session(&project, &[], &json!({}));
    for (tool, arguments, kind, key) in [
        (
            "send",
            json!({ "method": "GET", "url": "https://api.example.com/v2/x?key=s3cret" }),
            "no-grant",
            json!("tools.http.allow"),
        ),
        (
            "send",
            json!({ "method": "GET", "url": "gopher://api.example.com/v1/" }),
            "ambiguous",
            Value::Null,
        ),
        (
            "look",
            json!({ "name": "HOME" }),
            "variable",
            json!("tools.env"),
        ),
    ] {
        let answer = client.call(tool, arguments);
        let denials = answer["result"]["_meta"]["holm/denials"]
            .as_array()
            .unwrap();
        assert_eq!(denials.len(), 1, "{answer}");
        assert_eq!(
            (&denials[0]["kind"], &denials[0]["key"]),
            (&json!(kind), &key)
        );
        assert_eq!(denials[0]["tool"], "/tools/shared/refused.scm");
        assert!(!denials[0].to_string().contains("s3cret"), "{answer}");
    }
    let answer = client.call("look", json!({ "name": "TEIN_SANDBOX" }));
    assert_eq!(
        answer["result"]["_meta"]["holm/denials"],
        Value::Null,
        "{answer}"
    );
}

#[test]
fn errors_of_the_protocol_have_their_codes() {
    let project = project();
    let mut client = Pipe::session(&project, &[], &json!({}));
    for (method, params, code) in [
        (
            "tools/call",
            json!({ "name": "nobody", "arguments": {} }),
            -32602,
        ),
        ("tools/call", json!({ "arguments": {} }), -32602),
        (
            "tools/call",
            json!({ "name": "echo", "arguments": [] }),
            -32602,
        ),
        ("tools/list", json!({ "cursor": "junk" }), -32602),
        (
            "tools/list",
            json!({ "cursor": "after:no such name!" }),
            -32602,
        ),
        ("prompts/list", json!({}), -32601),
        (
            "resources/read",
            json!({ "uri": "file:///etc/passwd" }),
            -32601,
        ),
        ("no/such/method", json!({}), -32601),
    ] {
        let answer = client.request(method, params.clone());
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    // The server is as good as before.
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    client.line("this is not JSON");
    assert!(text(&client.call("modest", json!({}))).starts_with("result: fine"));
}

#[test]
fn a_skill_is_all_that_a_client_sees_of_200_tools() {
    let project = Project::with_config(
        "[skills.worker]\ntools = \"swarm_read,swarm_claim,swarm_contribute,nostr_post,nostr_query\"\n",
    );
    add_tools(&project, 200);
    project.write(
        "two.json",
        &skill(&json!([["tools", "nostr_post,other_100"]])),
    );
    assert_eq!(Pipe::session(&project, &[], &json!({})).tools().len(), 200);
    let mut worker = Pipe::session(&project, &["--skill", "worker"], &json!({}));
    let mut five = WORKER.map(str::to_owned).to_vec();
    five.sort();
    assert_eq!(worker.tools(), five);
    assert!(text(&worker.call("swarm_claim", json!({ "task": "7" }))).contains("swarm-task"));
    // Hidden and unknown, byte for byte.
    let refusals: Vec<Value> = ["other_100", "nobody"]
        .map(|name| worker.call(name, json!({}))["result"].take())
        .to_vec();
    assert_eq!(refusals[0], refusals[1]);
    assert_eq!(
        refusals[0]["content"],
        json!([{ "type": "text", "text": REFUSAL }])
    );
    assert_eq!(refusals[0]["isError"], true);
    // Each its own view.
    let mut other = Pipe::session(&project, &["--skill", "two.json"], &json!({}));
    assert_eq!(other.tools(), ["nostr_post", "other_100"]);
    assert_eq!(
        text(&other.call("other_100", json!({})))[..11],
        *"result: 100"
    );
    assert_eq!(
        text(&other.call("swarm_claim", json!({ "task": "7" }))),
        REFUSAL
    );
}

#[test]
fn a_list_has_pages_and_a_cursor_outlives_a_change() {
    let project = Project::with_config("[serve]\npage-size = 3\n");
    add_tools(&project, 10);
    let mut client = Pipe::session(&project, &[], &json!({}));
    let first = client.request("tools/list", json!({}))["result"].take();
    assert_eq!(tool_names(&first).len(), 3);
    let all = client.tools();
    assert_eq!(all.len(), 10);
    assert!(all.is_sorted(), "{all:?}");
    // The last tool of the page goes away; the next page is what it was.
    let next =
        client.request("tools/list", json!({ "cursor": first["nextCursor"] }))["result"].take();
    project.write("tools/nostr.scm", "(define-tool nostr_zap (description \"Zaps\") (parameters '()) (execute (lambda (args) 1)))\n");
    client.wait(|message| message["method"] == "notifications/tools/list_changed");
    let again =
        client.request("tools/list", json!({ "cursor": first["nextCursor"] }))["result"].take();
    assert_eq!(tool_names(&again)[1..], tool_names(&next)[1..]);
}

#[test]
fn a_client_hears_of_a_change_that_it_can_see_and_of_no_other() {
    let project = Project::with_config("[skills.worker]\ntools = [\"echo\", \"later\"]\n");
    project.add_tool("echo.scm").add_tool("greedy.scm");
    let mut client = Pipe::session(&project, &["--skill", "worker"], &json!({}));
    assert_eq!(client.tools(), ["echo"]);
    let tool = |name: &str| {
        format!(
            "(define-tool {name} (description \"New\") (parameters '()) (execute (lambda (args) \"new\")))\n"
        )
    };
    // Nobody's business here: the notification that comes is for the second change.
    project.write("tools/hidden.scm", &tool("hidden"));
    let mut everyone = Pipe::session(&project, &[], &json!({}));
    while !everyone.tools().contains(&"hidden".to_owned()) {
        everyone.wait(|message| message["method"] == "notifications/tools/list_changed");
    }
    project.write("tools/later.scm", &tool("later"));
    client.wait(|message| message["method"] == "notifications/tools/list_changed");
    assert_eq!(client.tools(), ["echo", "later"]);
    assert_eq!(text(&client.call("later", json!({})))[..11], *"result: new");
    assert_eq!(text(&client.call("hidden", json!({}))), REFUSAL);
    while !everyone.tools().contains(&"later".to_owned()) {
        everyone.wait(|message| message["method"] == "notifications/tools/list_changed");
    }
    // A file that no longer loads keeps its tools.
    project.write("tools/later.scm", "(define-tool");
    project.write("tools/third.scm", &tool("third"));
    while !everyone.tools().contains(&"third".to_owned()) {
        everyone.wait(|message| message["method"] == "notifications/tools/list_changed");
    }
    assert!(everyone.tools().contains(&"later".to_owned()));
}

#[test]
fn cancelling_a_call_stops_its_instance() {
    let hole = Hole::open();
    let project = Project::with_config(&hole.config());
    project.add_tool("fetch.scm").add_tool("greedy.scm");
    let mut client = Pipe::session(&project, &[], &json!({}));
    let id = client.begin(
        "tools/call",
        json!({ "name": "fetch", "arguments": { "target": hole.url }, "_meta": { "progressToken": "p" } }),
    );
    hole.wait_for_request();
    // It goes on, and says so.
    let progress = client.wait(|message| message["method"] == "notifications/progress");
    assert_eq!(progress["params"]["progressToken"], "p");
    let later = client.wait(|message| message["method"] == "notifications/progress");
    assert!(later["params"]["progress"].as_f64() > progress["params"]["progress"].as_f64());
    client.notify(
        "notifications/cancelled",
        json!({ "requestId": id, "reason": "enough" }),
    );
    // The instance's connection ends long before the limit of an hour.
    hole.wait_for_end();
    assert_eq!(
        text(&client.call("modest", json!({})))[..12],
        *"result: fine"
    );
    assert!(!client_has_response(&mut client, id));
}

/// Whether an answer to a request is among what came before the answer to a ping.
fn client_has_response(client: &mut Pipe, id: u64) -> bool {
    client.request("ping", json!({}));
    client.seen(|message| message["id"] == id)
}

#[test]
fn a_person_is_asked_where_the_client_can_and_nobody_otherwise() {
    let project = Project::with_config("");
    project.write(
        "tools/order.scm",
        "(define-tool order (description \"Orders\") (category \"network\") (summary-params '(\"side\" \"quantity\")) (parameters '()) (execute (lambda (args) \"ordered\")))\n\
         (define-tool indirect (description \"Orders\") (parameters '()) (execute (lambda (args) (call-tool \"order\" '((\"side\" . \"sell\"))))))\n",
    );
    let mut alone = Pipe::session(&project, &[], &json!({}));
    let refused = alone.call("order", json!({ "side": "buy", "quantity": 10 }));
    assert_eq!(refused["result"]["isError"], true);
    assert!(
        text(&refused).starts_with("Permission denied: "),
        "{refused}"
    );

    let mut client = Pipe::session(&project, &[], &json!({ "elicitation": {} }));
    for (tool, question, action, outcome) in [
        ("order", "[order] buy 10", "accept", "result: ordered"),
        ("order", "[order] buy 10", "decline", "Permission denied: "),
        ("order", "[order] buy 10", "cancel", "Permission denied: "),
        (
            "indirect",
            "[order] sell",
            "accept",
            "result: result: ordered",
        ),
        ("indirect", "[order] sell", "decline", "result: error: "),
    ] {
        let call = client.begin(
            "tools/call",
            json!({ "name": tool, "arguments": { "side": "buy", "quantity": 10 } }),
        );
        let asked = client.wait(|message| message["method"] == "elicitation/create");
        assert_eq!(asked["params"]["message"], question);
        client.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "action": action, "content": {} } }));
        let answer = client.response(call);
        assert!(
            text(&answer).starts_with(outcome),
            "{tool} {action}: {answer}"
        );
    }
}

#[test]
fn every_call_leaves_a_record_and_none_has_a_secret() {
    let mut project = Project::with_config(
        "[audit]\nlog = \"calls.jsonl\"\n[skills.some]\ntools = [\"echo\", \"environment\", \"spin\"]\n\
         [tools.env]\n\"/tools/shared/environment.scm\" = [\"GRANTED\"]\n[limits]\nsteps = 1000\n",
    );
    project
        .add_tool("echo.scm")
        .add_tool("environment.scm")
        .add_tool("greedy.scm");
    project.set("GRANTED", "s3cret-value");
    let mut client = Pipe::session(&project, &["--skill", "some"], &json!({}));
    for (tool, arguments) in [
        ("echo", json!({ "text": "private words" })),
        ("environment", json!({})),
        ("spin", json!({})),
        ("modest", json!({})),
        ("nobody", json!({})),
    ] {
        client.call(tool, arguments);
    }
    client.finish();
    project.holm(&["call", "echo", "--skill", "some"]).exits(0);
    project
        .holm(&["call", "modest", "--skill", "some"])
        .exits(3);
    let log = std::fs::read_to_string(project.folder().join("calls.jsonl")).unwrap();
    let records: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ends: Vec<(&str, &str)> = records
        .iter()
        .map(|record| {
            (
                record["tool"].as_str().unwrap(),
                record["outcome"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        ends,
        [
            ("echo", "result"),
            ("environment", "result"),
            ("spin", "limit"),
            ("modest", "refused"),
            ("nobody", "refused"),
            ("echo", "result"),
            ("modest", "refused"),
        ]
    );
    for record in &records {
        assert_eq!(record["skill"], "some");
        assert_eq!(record["principal"], "local");
        assert_eq!(record["policy_sha256"].as_str().unwrap().len(), 64);
    }
    assert_eq!(records[0]["file_sha256"].as_str().unwrap().len(), 64);
    assert!(
        !log.contains("s3cret-value") && !log.contains("private words"),
        "{log}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_runs_whose_record_cannot_be_kept() {
    let project = Project::with_config("[audit]\nlog = \"/dev/full\"\n");
    project.add_tool("greedy.scm");
    let mut client = Pipe::session(&project, &[], &json!({}));
    // The first call finds out.
    client.call("modest", json!({}));
    let refused = client.call("modest", json!({}));
    assert_eq!(refused["error"]["code"], -32603, "{refused}");
    let (_, stderr) = client.finish();
    assert!(
        stderr.contains("the log of calls cannot be written"),
        "{stderr}"
    );
    project.write("holm.toml", "[audit]\nlog = \"/nowhere/calls.jsonl\"\n");
    project
        .holm(&["serve"])
        .exits(2)
        .tells("the log of calls cannot be opened");
}

#[test]
fn what_is_piped_in_is_answered_before_the_end() {
    let project = project();
    let mut client = Pipe::session(&project, &[], &json!({}));
    let ids: Vec<u64> = (0..20)
        .map(|_| client.begin("tools/call", json!({ "name": "modest", "arguments": {} })))
        .collect();
    let mut client = client.close_input();
    for id in ids {
        assert_eq!(text(&client.response(id))[..12], *"result: fine");
    }
}
