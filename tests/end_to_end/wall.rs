//! A request goes where a grant says, and nowhere else.

use crate::project::{Project, result};
use crate::server::{Answer, Server};

/// The arguments of an order that goes to `broker`.
fn order(broker: &str) -> String {
    format!(r#"{{"ticker":"AAPL_US_EQ","side":"buy","quantity":10,"broker":{broker:?}}}"#)
}

/// A project whose market-order tool is granted `prefix`.
fn broker(prefix: &str) -> Project {
    let mut project = Project::with_config(&format!(
        "[tools.http.allow]\n\"/tools/shared/market_order.scm\" = [{prefix:?}]\n\
         [tools.env]\n\"/tools/shared/market_order.scm\" = [\"BROKER_KEY\"]\n"
    ));
    project.add_market_order();
    project.set("BROKER_KEY", "k-12345678");
    project
}

#[test]
fn a_market_order_arrives_with_its_key_and_its_body() {
    let server = Server::start(|_| Answer::ok(r#"{"id":"order-1","status":"FILLED"}"#));
    let project = broker(&server.url("/api/v0/"));
    let order = order(&server.url("/api/v0/equity/orders/market"));
    project
        .holm(&["call", "market_order", &order, "--yes"])
        .exits(0)
        .prints("result: order-1\nstdout: status 200\nstderr: (empty)\n");

    let request = server.only_request();
    assert_eq!(
        (request.method.as_str(), request.target.as_str()),
        ("POST", "/api/v0/equity/orders/market")
    );
    assert_eq!(request.header("authorization"), Some("k-12345678"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(
        request.header("host"),
        Some(format!("127.0.0.1:{}", server.port()).as_str())
    );
    assert_eq!(
        request.body,
        r#"{"ticker":"AAPL_US_EQ","side":"buy","quantity":10}"#
    );
}

#[test]
fn without_anyone_to_ask_nothing_is_sent() {
    let server = Server::start(|_| Answer::ok("{}"));
    let project = broker(&server.url("/"));
    let order = order(&server.url("/orders"));
    project
        .holm(&["call", "market_order", &order])
        .exits(3)
        .prints("Permission denied: permission denied\n")
        .tells("--yes");
    let refused = project
        .holm(&["call", "market_order", &order, "--json"])
        .exits(3)
        .json();
    assert_eq!(
        refused,
        serde_json::json!({ "success": false, "error": "Permission denied: permission denied" })
    );
    server.assert_untouched("no permission");
}

#[test]
fn siblings_of_the_granted_prefix_are_refused_and_see_nothing() {
    let granted = Server::start(|_| Answer::ok("{}"));
    let other_port = Server::start(|_| Answer::ok("{}"));
    let other_host = Server::start_on("127.0.0.2", |_| Answer::ok("{}"));
    let port = granted.port();
    let prefix = granted.url("/v1/");
    for (why, url) in [
        ("another host", other_host.url("/v1/orders")),
        (
            "another name of the host",
            format!("http://localhost:{port}/v1/orders"),
        ),
        (
            "the host as a part of another",
            format!("http://127.0.0.1.evil.example:{port}/v1/orders"),
        ),
        (
            "the host as userinfo",
            format!("http://127.0.0.1:{port}@{}/v1/orders", "evil.example"),
        ),
        ("another path", granted.url("/v2/orders")),
        (
            "a path with the granted one as its beginning",
            granted.url("/v1evil"),
        ),
        ("the granted path without its slash", granted.url("/v1")),
        ("a path that climbs out", granted.url("/v1/../v2/orders")),
        (
            "a path that climbs out in disguise",
            granted.url("/v1/%2e%2e/v2/orders"),
        ),
        ("another port", other_port.url("/v1/orders")),
        (
            "another scheme",
            format!("https://127.0.0.1:{port}/v1/orders"),
        ),
    ] {
        let run = broker(&prefix).holm(&["call", "market_order", &order(&url), "--yes"]);
        let refusal =
            format!("error: sandbox violation: http request blocked: URL not in allowlist: {url}");
        assert_eq!(run.stdout, result(&refusal), "{why}: {run:#?}");
        assert_eq!(run.code, 1, "{why}: {run:#?}");
        assert!(run.stderr.contains("request refused"), "{why}: {run:#?}");
    }
    granted.assert_untouched("siblings on the same host");
    other_port.assert_untouched("another port");
    other_host.assert_untouched("another host");
}

#[test]
fn a_refusal_names_the_key_that_would_allow_it() {
    let server = Server::start(|_| Answer::ok("{}"));
    let (url, prefix) = (server.url("/v2/orders"), server.url("/v1/"));
    broker(&prefix)
        .holm(&["call", "market_order", &order(&url), "--yes"])
        .exits(1)
        .tells(&format!(
            "hint: \"{url}\" in `tools.http.allow.\"/tools/shared/market_order.scm\"` (holm.toml:6:1) would allow it"
        ));
}

#[test]
fn a_file_without_a_grant_cannot_import_http() {
    let project = Project::with_config("");
    project.add_tool("fetch.scm").add_tool("echo.scm");
    project
        .holm(&[
            "call",
            "fetch",
            r#"{"target":"http://127.0.0.1:1/"}"#,
            "--yes",
        ])
        .exits(2)
        .tells("tools/fetch.scm:1:1: ")
        .tells("module import blocked: ((tein http))");
    project.holm(&["call", "echo"]).exits(0);
}

#[test]
fn every_redirect_goes_through_the_wall() {
    let outside = Server::start(|_| Answer::ok("out"));
    let target = outside.url("/");
    let server = Server::start(move |request| match request.target.as_str() {
        "/v1/start" => Answer::redirect("/v1/end"),
        "/v1/end" => Answer::ok("in"),
        "/v1/up" => Answer::redirect("/v2/"),
        _ => Answer::redirect(&target),
    });
    let prefix = server.url("/v1/");
    let project = Project::with_config(&format!(
        "[tools.http.allow]\n\"/tools/shared\" = [{prefix:?}]\n"
    ));
    project.add_tool("fetch.scm");
    let fetch = |path: &str| {
        let arguments = format!("{{\"target\":{:?}}}", server.url(path));
        project.holm(&["call", "fetch", &arguments, "--yes"])
    };
    fetch("/v1/start").exits(0).prints(&result("in"));
    let refusal = |url: String| {
        result(&format!(
            "error: sandbox violation: http request blocked: URL not in allowlist: {url}"
        ))
    };
    fetch("/v1/up")
        .exits(1)
        .prints(&refusal(server.url("/v2/")));
    fetch("/v1/out").exits(1).prints(&refusal(outside.url("/")));
    outside.assert_untouched("a redirect");
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.target.starts_with("/v1/"))
    );
}

#[test]
fn a_secret_in_a_refused_url_is_not_repeated_in_diagnostics() {
    let server = Server::start(|_| Answer::ok("{}"));
    let project = broker(&server.url("/v1/"));
    let order = order(&server.url("/v2/k-12345678/orders"));
    let run = project
        .holm(&["call", "market_order", &order, "--yes"])
        .exits(1);
    assert!(!run.stderr.contains("k-12345678"), "{run:#?}");
    run.tells("[env:BROKER_KEY]");
}

#[test]
fn a_declaration_counts_when_the_operator_trusts_it() {
    let server = Server::start(|_| Answer::ok("declared"));
    let arguments = format!("{{\"target\":{:?}}}", server.url("/v1/x"));
    let run = |config: &str, declared: &str| {
        let project = Project::with_config(config);
        let source = std::fs::read_to_string(crate::project::tools().join("declares.scm")).unwrap();
        project.write("tools/declares.scm", &source.replace("PREFIX", declared));
        project.holm(&["call", "declared", &arguments])
    };
    let private = "[network]\nprivate = [\"127.0.0.0/8\"]\n";
    let prefix = server.url("/v1/");

    // Nothing trusts it.
    run("", &prefix).exits(2).tells("module import blocked");
    // Trusted, but the address is this machine's own.
    run("[tools.http]\ntrust-declared = true\n", &prefix)
        .exits(2)
        .tells("module import blocked");
    server.assert_untouched("no consent");
    // Trusted for all files, and for this one.
    let all = format!("[tools.http]\ntrust-declared = true\n{private}");
    run(&all, &prefix).exits(0).prints(&result("declared"));
    let one = format!(
        "[tools.http.allow]\n\"/tools/shared/declares.scm\" = \"trust-declared\"\n{private}"
    );
    run(&one, &prefix).exits(0).prints(&result("declared"));
    // The operator's list beats the declaration.
    let list = "[tools.http]\ntrust-declared = true\n[tools.http.allow]\n\"/tools/shared\" = [\"https://elsewhere.example/\"]\n";
    run(&format!("{list}{private}"), &prefix).exits(1);
    // What could be misread is not granted, and said.
    run(&all, "http://127.0.0.1@evil.example/").exits(2);
    assert_eq!(server.requests().len(), 2);
}

/// Some servers refuse a `DELETE` with a body, and one in chunks is a body even when it is empty.
#[test]
fn a_request_without_a_body_announces_none() {
    let server = Server::start(|_| Answer::ok(""));
    let project = Project::with_config(&format!(
        "[tools.http.allow]\n\"/tools/shared\" = [{:?}]\n",
        server.url("/")
    ));
    project.write(
        "tools/shared/send.scm",
        r#"(import (scheme base) (tein http))
(define tool-name "send")
(define tool-description "sends a request of each kind")
(define tool-parameters '((url string "where")))
(define (tool-execute args)
  (let ((url (cdr (assoc "url" args))))
    (for-each (lambda (method) (http-request method url '() #f))
              '("GET" "HEAD" "DELETE" "OPTIONS" "POST" "PUT" "PATCH"))
    (http-request "POST" url '() "")
    (http-request "POST" url '() "x")
    (http-request "DELETE" url (quote ()) "all"))
  "sent")
"#,
    );
    let arguments = format!("{{\"url\":{:?}}}", server.url("/"));
    project
        .holm(&["call", "send", &arguments, "--yes"])
        .exits(0)
        .prints(&result("sent"));
    let sent: Vec<_> = server
        .requests()
        .into_iter()
        .map(|request| {
            let length = request.header("content-length").unwrap_or("-").to_owned();
            let coding = request.header("transfer-encoding").unwrap_or("-");
            format!("{} {length} {coding} {}", request.method, request.body)
        })
        .collect();
    assert_eq!(
        sent,
        [
            "GET - - ",
            "HEAD - - ",
            "DELETE - - ",
            "OPTIONS - - ",
            "POST 0 - ",
            "PUT 0 - ",
            "PATCH 0 - ",
            "POST 0 - ",
            "POST 1 - x",
            "DELETE 3 - all",
        ]
    );
}
