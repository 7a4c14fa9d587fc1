//! Whatever is refused, the tool, its caller and the record of the call are told, by the same words,
//! and none of them is told a secret.

use serde_json::{Value, json};

use crate::project::{Project, Run};
use crate::server::{Answer, Server};

/// A value that is granted, and must be nowhere.
const SECRET: &str = "k-12345678";

/// What is asked for, and what there is to be read about it.
struct Case {
    tool: &'static str,
    /// `{}` stands for the server's authority.
    arguments: Value,
    /// In the result that the tool's caller reads, `{url}` being the one of the arguments.
    says: &'static str,
    /// Kind, source and configuration key of the denial.
    denial: (&'static str, &'static str, Option<&'static str>),
}

fn case(
    tool: &'static str,
    arguments: Value,
    says: &'static str,
    denial: (&'static str, &'static str, Option<&'static str>),
) -> Case {
    Case {
        tool,
        arguments,
        says,
        denial,
    }
}

const BLOCKED: &str = "http request blocked: URL not in allowlist: {url}";

fn request(method: &str, url: &str) -> Value {
    json!({ "method": method, "url": url })
}

fn cases() -> Vec<Case> {
    const GRANT: Option<&str> = Some("tools.http.allow");
    let ambiguous = ("ambiguous", "host", None);
    // What tein cannot hand over: the host hears of it all the same, and judges it itself.
    let unseen = ("ambiguous", "guest", None);
    let sends =
        |method: &str, url: &str, denial| case("send", request(method, url), BLOCKED, denial);
    let mut all = vec![
        sends("GET", "http://{}/v2/x", ("no-grant", "host", GRANT)),
        sends("GET", "https://{}/v1/x", ("no-grant", "host", GRANT)),
        sends(
            "GET",
            "http://evil.example/v1/k-12345678?k-12345678",
            ("no-grant", "host", GRANT),
        ),
        sends("GET", "http://{}/v1/../v2/x", ambiguous),
        sends("GET", "http://user:k-12345678@{}/v1/x", ambiguous),
        sends("GET", "http://{}/v1/%2e%2e/x", ambiguous),
        sends("GET", "http://127.1/v1/x", ambiguous),
        sends("TRACE", "http://{}/v1/x", ambiguous),
        sends("DELETE", "http://{}/v1/x", ("method", "host", GRANT)),
        sends("GET", "ftp://{}/v1/x", unseen),
        sends("GET", "file:///etc/passwd", unseen),
        sends("GET", "http:{}/v1/x", unseen),
        sends("GET", "/v1/x", unseen),
        sends("GET", "{}/v1/x", unseen),
        sends("GET", "", unseen),
        sends("GET", "http:///v1/k-12345678", unseen),
        sends("GET", "http://{}/v1/a b", unseen),
        sends("GET", "http://{}/v1/x\r\nhost: evil.example", unseen),
        sends("GET", "http://{}/v1/\u{0}", unseen),
        sends("GET", "http://ex ample/v1/k%2D12345678", unseen),
    ];
    all.extend([
        case(
            "send",
            request("BREW", "http://{}/v1/x"),
            "unsupported method: BREW",
            ("method", "guest", GRANT),
        ),
        case(
            "send",
            request("get", "http://{}/v1/x"),
            "unsupported method: get",
            unseen,
        ),
        case(
            "send",
            request("CONNECT", "http://{}/v1/x"),
            "unsupported method: CONNECT",
            unseen,
        ),
    ]);
    for name in [
        "Host",
        "transfer-encoding",
        "x-rewrite-url",
        "bad header",
        "a\r\nhost",
    ] {
        let arguments = json!({ "method": "GET", "url": "http://{}/v1/x", "header": name });
        all.push(case("send", arguments, "header", ("header", "guest", None)));
    }
    let with = |key: &str, value: u32| {
        let mut arguments = request("POST", "http://{}/v1/x");
        arguments[key] = json!(value);
        arguments
    };
    all.extend([
        case(
            "send",
            json!({ "method": "POST", "url": "http://{}/v1/x", "header": "x-http-method-override" }),
            BLOCKED,
            ("method-override", "host", GRANT),
        ),
        case("send", with("times", 4), "http-requests", ("http-requests", "host", Some("limits.http-requests"))),
        case("send", with("size", 3000), "request body too large", ("http-send", "host", Some("limits.http-send"))),
        case(
            "send",
            request("GET", "http://{}/v1/large"),
            "response body larger than 1 KiB",
            ("http-body", "host", Some("limits.http-body")),
        ),
        case(
            "send",
            request("GET", "http://localhost/"),
            "address not permitted",
            ("address", "host", Some("network.private")),
        ),
        case("look", json!({ "name": "HOME" }), "nothing", ("variable", "guest", Some("tools.env"))),
        case("other", json!({ "tool": "hidden" }), "tool not permitted by skill policy", ("policy", "host", Some("skills"))),
        case("again", json!({}), "nested more than 8 deep", ("nesting", "host", None)),
    ]);
    all
}

/// A project whose tools are granted little, with a log of calls.
fn project(server: &Server) -> Project {
    let mut project = Project::with_config(&format!(
        "[tools.http.allow]\n\"/tools/shared\" = [\n  \
           {{ prefix = {:?}, methods = [\"GET\", \"POST\"] }}, \"http://localhost/\"]\n\
         [tools.env]\n\"/tools/shared\" = [\"KEY\", \"UNSET\"]\n\
         [limits]\nhttp-requests = 3\nhttp-send = 2000\nhttp-body = \"1KiB\"\nsteps = 500_000\n\
         [audit]\nlog = \"calls.jsonl\"\n\
         [skills.narrow]\ntools = [\"send\", \"look\", \"again\", \"other\", \"asks\", \"stuck\"]\n",
        server.url("/v1/")
    ));
    project.set("KEY", SECRET).add_tool("refused.scm");
    project
}

fn call(project: &Project, tool: &str, arguments: &Value) -> Run {
    drop(std::fs::remove_file(project.folder().join("calls.jsonl")));
    let arguments = arguments.to_string();
    project.holm(&["call", tool, &arguments, "--json", "--skill", "narrow"])
}

/// The records of the last call, the innermost first.
fn records(project: &Project) -> Vec<Value> {
    let text = std::fs::read_to_string(project.folder().join("calls.jsonl")).unwrap();
    let records = text.lines().map(|line| serde_json::from_str(line).unwrap());
    records.collect()
}

fn answering() -> Server {
    Server::start(|request| match request.target.as_str() {
        "/v1/large" => Answer::ok(&"x".repeat(2000)),
        _ => Answer::ok("ok"),
    })
}

#[test]
fn every_refusal_is_told_to_the_tool_the_caller_and_the_record() {
    let server = answering();
    let project = project(&server);
    let authority = server.url("").replace("http://", "");
    for case in cases() {
        let mut arguments = case.arguments.clone();
        let mut says = case.says.to_owned();
        if let Some(Value::String(url)) = arguments.get_mut("url") {
            *url = url.replace("{}", &authority);
            // The tool's own text is given back to it, but for the value that it was trusted with.
            says = says.replace("{url}", url);
        }
        let what = format!("{} {arguments}", case.tool);
        let run = call(&project, case.tool, &arguments);
        let answer = run.json();
        let result = answer["result"].as_str().unwrap();
        let shown = says
            .replace(SECRET, "[env:KEY]")
            .replace("k%2D12345678", "[env:KEY]");
        assert!(result.contains(&shown), "{what}: {run:#?}");

        let records = records(&project);
        // The call that was refused something is the innermost.
        let record = &records[0];
        let (kind, source, key) = case.denial;
        let denials = record["denials"].as_array().unwrap();
        assert_eq!(denials.len(), 1, "{what}: {record:#}");
        let denial = &denials[0];
        let found = (&denial["kind"], &denial["source"], &denial["key"]);
        assert_eq!(found, (&json!(kind), &json!(source), &json!(key)), "{what}");
        assert_eq!(denial["tool"], "/tools/shared/refused.scm", "{what}");
        assert!(!denial["reason"].as_str().unwrap().is_empty(), "{what}");
        if case.tool == "send" {
            let rules = denial["rules"].as_array().unwrap();
            assert_eq!(rules.len(), 2, "{what}: the rule set is named: {denial:#}");
        }
        if records.len() == 1 {
            assert_eq!(&answer["denials"], &record["denials"], "{what}");
        }
        for text in [&run.stdout, &run.stderr, &record.to_string()] {
            for spelling in [SECRET, "k%2D12345678"] {
                assert!(!text.contains(spelling), "{what}: {text}");
            }
        }
        // The terminal of the operator has what the caller has, on lines of holm's own.
        let word = match case.denial.0 {
            "variable" => "not there: ",
            "policy" | "nesting" => "call refused: ",
            _ => "request refused: ",
        };
        assert!(run.stderr.contains(word), "{what}: {run:#?}");
        assert!(!run.stderr.contains("\nhost: evil"), "{what}: {run:#?}");
    }
    let seen = server.requests();
    assert!(
        seen.iter()
            .all(|request| request.target.starts_with("/v1/")),
        "{seen:#?}"
    );
}

#[test]
fn a_variable_that_is_granted_is_no_refusal() {
    let server = answering();
    let project = project(&server);
    for (name, result) in [
        ("KEY", SECRET),
        ("UNSET", "nothing"),
        ("TEIN_SANDBOX", "true"),
    ] {
        let run = call(&project, "look", &json!({ "name": name })).exits(0);
        // A tool's result is the tool's own.
        assert_eq!(run.json()["result"], result);
        assert_eq!(records(&project)[0]["denials"], json!([]), "{name}");
    }
}

/// What is refused before or instead of an answer is the call's end, and not one of its denials.
#[test]
fn a_call_that_was_refused_or_stopped_is_recorded_as_such() {
    let server = answering();
    let project = project(&server);
    for (tool, outcome, code, reason) in [
        ("asks", "refused", 3, "Permission denied"),
        ("stuck", "limit", 4, "step limit exceeded"),
        ("hidden", "refused", 3, ""),
    ] {
        let run = call(&project, tool, &json!({}));
        assert_eq!(run.code, code, "{tool}: {run:#?}");
        let records = records(&project);
        assert_eq!(records.len(), 1, "{tool}");
        assert_eq!(records[0]["outcome"], outcome, "{tool}");
        let said = records[0]["reason"].as_str().unwrap_or_default();
        assert!(said.contains(reason), "{tool}: {said}");
    }
    // Of the calls that a tool makes, each has a record of its own.
    let run = call(&project, "other", &json!({ "tool": "asks" }));
    assert!(run.stdout.contains("Permission denied"), "{run:#?}");
    let outcomes: Vec<_> = records(&project)
        .iter()
        .map(|record| (record["tool"].clone(), record["outcome"].clone()))
        .collect();
    assert_eq!(
        outcomes,
        [
            (json!("asks"), json!("refused")),
            (json!("other"), json!("error"))
        ]
    );
}
