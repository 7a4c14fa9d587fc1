//! The shared cases, as the hook sees them.

use std::time::Duration;

use http::Request;
use wasmtime_wasi_http::{Error, WasiBody};

use super::support::*;
use serde_json::Value;

/// Cuts a URL as a guest does, without judging it.
fn cut(method: &str, url: &str) -> Option<Request<WasiBody>> {
    let (scheme, rest) = url.split_once("://")?;
    let rest = rest.split('#').next()?;
    let (authority, path) = rest.split_at(rest.find(['/', '?', '\\']).unwrap_or(rest.len()));
    request(method, scheme, authority, path)
}

#[tokio::test]
async fn the_hook_decides_as_the_shared_cases_say() {
    let cases: Value =
        serde_json::from_str(include_str!("../../../../tests/cases/http-rules.json")).unwrap();
    let mut wrong = Vec::new();
    for case in cases["requests"].as_array().unwrap() {
        let text = |key: &str| case[key].as_str().unwrap();
        let rules: Vec<&str> = case["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rule| rule.as_str().unwrap())
            .collect();
        // Nothing is dialled: names have no address, and literal addresses no time.
        let setup = Setup::new(&rules).deadline(Duration::ZERO);
        let refused = match cut(text("method"), text("url")) {
            None => true,
            Some(request) => matches!(
                send(&mut setup.egress(), request).await,
                Err(Error::HttpRequestDenied)
            ),
        };
        if refused != (text("expect") == "deny") {
            wrong.push(format!("{}: {case}", text("why")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
