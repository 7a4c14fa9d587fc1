//! The world as the engine sees it.
//!
//! tein does no I/O of its own: whatever reaches outside goes through [`World`].
//! The guest component implements it over WIT imports, tests implement it in memory.

use std::time::Duration;

/// One HTTP request, before any redirect is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// Upper-case method name.
    pub method: String,
    /// Absolute URL, exactly as the tool wrote it: the wall behind [`World::http`] judges it.
    pub url: String,
    /// Header names and values in the order given.
    pub headers: Vec<(String, String)>,
    /// Body bytes, for the methods that send one.
    pub body: Option<Vec<u8>>,
    /// Time for the whole exchange.
    pub timeout: Duration,
}

/// The answer to one [`HttpRequest`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpResponse {
    /// Status code; 4xx and 5xx are answers too.
    pub status: u16,
    /// Header names in lower case, repeated headers repeated; a value that is not ASCII is empty.
    pub headers: Vec<(String, String)>,
    /// The whole body.
    pub body: Vec<u8>,
}

/// Why there was no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpError {
    /// The wall refused the URL. The engine words it as the contract has it:
    /// `http request blocked: URL not in allowlist: <url>`.
    Denied,
    /// The exchange failed; the text follows `http: ` (for instance `timeout: ...`).
    Failed(String),
}

/// What a Scheme program may ask of its surroundings.
pub trait World {
    /// Performs one request, without following redirects: the engine follows them,
    /// each as a request of its own.
    fn http(&mut self, request: &HttpRequest) -> Result<HttpResponse, HttpError>;
    /// Told of a request that the engine refused, so that [`World::http`] never saw it. Whoever answers for
    /// the tool may want to know.
    fn http_refused(&mut self, method: &str, url: &str) {
        let _ = (method, url);
    }
    /// Value of one environment variable that the tool was granted.
    fn env_var(&mut self, name: &str) -> Option<String>;
    /// All environment variables that the tool was granted.
    fn env_vars(&mut self) -> Vec<(String, String)>;
    /// Time since the Unix epoch, UTC.
    fn wall_clock(&mut self) -> Duration;
    /// Nanoseconds of a clock that never goes back.
    fn monotonic_nanos(&mut self) -> u64;
    /// Fills `bytes` with random bytes fit for identifiers.
    fn random(&mut self, bytes: &mut [u8]);
    /// Asked before and after a call of another tool, with the steps that are left of those of this entry;
    /// gives how many are left now. More than before is taken for as many as before.
    fn steps_left(&mut self, left: u64) -> u64 {
        left
    }
    /// Runs another tool with a JSON object of arguments, or says why not.
    fn call_tool(&mut self, name: &str, arguments: &str) -> Result<String, String>;
    /// As [`World::call_tool`], but gives the value alone, in external representation, and a tool
    /// that ends in an error is one of the reasons why not.
    fn call_tool_value(&mut self, name: &str, arguments: &str) -> Result<String, String> {
        let _ = (name, arguments);
        Err("call-tool/value is not available here".to_owned())
    }
}
