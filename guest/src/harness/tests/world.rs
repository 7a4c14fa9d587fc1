//! The world of the tests.

use std::time::Duration;

use tein::world::{HttpError, HttpRequest, HttpResponse, World};

/// Grants one URL prefix and one variable, and knows one other tool.
#[derive(Debug)]
pub(super) struct Memory;

impl World for Memory {
    fn http(&mut self, request: &HttpRequest) -> Result<HttpResponse, HttpError> {
        if !request.url.starts_with("https://demo.broker.example/") {
            return Err(HttpError::Denied);
        }
        Ok(HttpResponse {
            status: 200,
            headers: vec![("content-type".to_owned(), "text/plain".to_owned())],
            body: request.method.clone().into_bytes(),
        })
    }

    fn env_var(&mut self, name: &str) -> Option<String> {
        let all = self.env_vars();
        all.into_iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    fn env_vars(&mut self) -> Vec<(String, String)> {
        vec![
            ("BROKER_KEY".to_owned(), "k".to_owned()),
            ("TEIN_SANDBOX".to_owned(), "true".to_owned()),
        ]
    }

    fn wall_clock(&mut self) -> Duration {
        Duration::from_secs(1_700_000_000)
    }

    fn monotonic_nanos(&mut self) -> u64 {
        1
    }

    fn random(&mut self, bytes: &mut [u8]) {
        bytes.fill(7);
    }

    fn call_tool(&mut self, name: &str, arguments: &str) -> Result<String, String> {
        match name {
            "other" => Ok(format!(
                "result: {arguments}\nstdout: (empty)\nstderr: (empty)"
            )),
            // What a host must not do, and what must not end in a panic.
            "self" => match super::enter_call(None, "t", "{}", &super::settings()) {
                Ok(outcome) => Ok(outcome.result),
                Err(problem) => Err(problem.message),
            },
            _ => Err(format!("unknown tool: {name}")),
        }
    }

    fn call_tool_value(&mut self, name: &str, arguments: &str) -> Result<String, String> {
        match name {
            "data" => Ok(arguments.replace(['{', '}'], "")),
            "broken" => Ok("(1".to_owned()),
            "list" => Ok("(1 \"two\" three #\\4 (5.0 . 1/2))".to_owned()),
            _ => Err(format!("tool error: {name} failed")),
        }
    }
}
