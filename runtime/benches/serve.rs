//! What a call costs a client of MCP: `cargo bench -p holm --bench serve`.
//!
//! `tools/call` of a trivial tool, over standard input and output and over HTTP, each beside a server
//! of the same SDK whose handler does nothing, in a process of its own as well. The two are asked in
//! turn, by a client that waits for each answer, and times are of the client's wall clock.

mod common;

use bytes::Bytes;
use common::project::{Project, kept_cache};
use common::{Failed, row};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;
use tokio::runtime::Runtime;

/// Calls of each server that count, after a tenth as many that do not.
const ROUNDS: usize = 3000;
const TRIVIAL: &str = "(description \"d\") (parameters '()) (execute (lambda (args) \"done\"))";
const EMPTY_STDIO: &str = "empty-stdio";
const EMPTY_HTTP: &str = "empty-http";

fn main() -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let role = std::env::args().nth(1);
    match role.as_deref() {
        Some(EMPTY_STDIO) => return runtime.block_on(empty_stdio()),
        Some(EMPTY_HTTP) => return runtime.block_on(empty_http()),
        _ => {}
    }
    let project = Project::new(&[("t", TRIVIAL)], &kept_cache())?;
    println!("\n  {:<44}{:>14}{:>14}", "tools/call", "p50", "p99");

    let mut command = Command::new(std::env::current_exe()?);
    let mut empty = Pipe::start(command.arg(EMPTY_STDIO))?;
    let mut holm = Pipe::start(&mut project.holm(&["serve"]))?;
    compare(
        "stdio",
        || empty.call().map_err(|e| format!("empty: {e}").into()),
        || holm.call(),
    )?;

    let mut command = Command::new(std::env::current_exe()?);
    let mut empty = Http::start(&runtime, command.arg(EMPTY_HTTP))?;
    let mut holm = Http::start(
        &runtime,
        &mut project.holm(&["serve", "--http", "127.0.0.1:0"]),
    )?;
    compare(
        "HTTP",
        || runtime.block_on(empty.call()),
        || runtime.block_on(holm.call()),
    )
}

fn compare(
    name: &str,
    mut empty: impl FnMut() -> Result<(), Failed>,
    mut holm: impl FnMut() -> Result<(), Failed>,
) -> Result<(), Failed> {
    let (mut with_empty, mut with_holm) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS + ROUNDS / 10 {
        if round == ROUNDS / 10 {
            with_empty.clear();
            with_holm.clear();
        }
        let start = Instant::now();
        empty()?;
        with_empty.push(start.elapsed());
        let start = Instant::now();
        holm()?;
        with_holm.push(start.elapsed());
    }
    let base = row(&format!("{name}: an empty handler"), &mut with_empty, None);
    row(&format!("{name}: holm"), &mut with_holm, Some(base));
    Ok(())
}

// --- the server that does nothing ---

struct Empty;

impl ServerHandler for Empty {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let content = vec![ContentBlock::text("done")];
        Ok(CallToolResponse::Complete(CallToolResult::success(content)))
    }
}

async fn empty_stdio() -> Result<(), Failed> {
    Empty
        .serve(rmcp::transport::stdio())
        .await?
        .waiting()
        .await?;
    Ok(())
}

async fn empty_http() -> Result<(), Failed> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    let service = StreamableHttpService::new(
        || Ok(Empty),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default().disable_allowed_hosts(),
    );
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let service = service.clone();
        tokio::spawn(async move {
            let answer = service_fn(move |request| {
                let service = service.clone();
                async move { Ok::<_, std::convert::Infallible>(service.handle(request).await) }
            });
            let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
            drop(connection.await);
        });
    }
}

// --- clients ---

fn initialize() -> Value {
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "bench", "version": "1" },
    } })
}

fn initialized() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
}

fn call(id: u64) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "t", "arguments": {} } })
}

/// Fails unless the message is the answer of a tool that did what it should.
fn check(answer: &str) -> Result<(), Failed> {
    let answer: Value = serde_json::from_str(answer)?;
    let text = answer["result"]["content"][0]["text"].as_str();
    match text {
        Some(text) if text == "done" || text.starts_with("result: done\n") => Ok(()),
        _ => Err(format!("not the answer that it should be: {answer}").into()),
    }
}

/// A server on standard input and output.
struct Pipe {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next: u64,
}

impl Pipe {
    fn start(command: &mut Command) -> Result<Self, Failed> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take().ok_or("no stdin")?;
        let stdout = BufReader::new(child.stdout.take().ok_or("no stdout")?);
        let mut pipe = Self {
            child,
            stdin,
            stdout,
            next: 1,
        };
        pipe.send(&initialize())?;
        pipe.line()?;
        pipe.send(&initialized())?;
        Ok(pipe)
    }

    fn send(&mut self, message: &Value) -> Result<(), Failed> {
        self.stdin.write_all(format!("{message}\n").as_bytes())?;
        Ok(self.stdin.flush()?)
    }

    fn line(&mut self) -> Result<String, Failed> {
        let mut line = String::new();
        match self.stdout.read_line(&mut line)? {
            0 => Err("the server ended".into()),
            _ => Ok(line),
        }
    }

    fn call(&mut self) -> Result<(), Failed> {
        self.send(&call(self.next))?;
        self.next += 1;
        check(&self.line()?)
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A server on HTTP, and one connection to it that is kept.
struct Http {
    child: Child,
    host: String,
    session: String,
    connection: SendRequest<Full<Bytes>>,
    next: u64,
}

impl Http {
    fn start(runtime: &Runtime, command: &mut Command) -> Result<Self, Failed> {
        let mut child = command
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let stderr = BufReader::new(child.stderr.take().ok_or("no stderr")?);
        let mut lines = stderr.lines();
        let host = loop {
            let line = lines.next().ok_or("the server ended")??;
            if let Some(rest) = line.strip_prefix("listening on http://") {
                break rest.trim_end_matches("/mcp").to_owned();
            }
        };
        // Whatever else it says must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        runtime.block_on(async {
            let stream = tokio::net::TcpStream::connect(&host).await?;
            stream.set_nodelay(true)?;
            let (connection, driver) = handshake(TokioIo::new(stream)).await?;
            tokio::spawn(driver);
            let mut http = Self {
                child,
                host,
                session: String::new(),
                connection,
                next: 1,
            };
            http.post(&initialize()).await?;
            http.post(&initialized()).await?;
            Ok(http)
        })
    }

    /// Sends a message and gives the one that answers it.
    async fn post(&mut self, message: &Value) -> Result<String, Failed> {
        let mut request = http::Request::post("/mcp")
            .header("host", &self.host)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if !self.session.is_empty() {
            request = request
                .header("mcp-session-id", &self.session)
                .header("mcp-protocol-version", "2025-11-25");
        }
        let request = request.body(Full::new(Bytes::from(message.to_string())))?;
        self.connection.ready().await?;
        let response = self.connection.send_request(request).await?;
        if !response.status().is_success() {
            return Err(format!("status {}", response.status()).into());
        }
        if let Some(session) = response.headers().get("mcp-session-id") {
            session.to_str()?.clone_into(&mut self.session);
        }
        let body = response.into_body().collect().await?.to_bytes();
        let text = String::from_utf8(body.to_vec())?;
        let mut data = text.lines().filter_map(|line| line.strip_prefix("data:"));
        let event = data.find(|data| data.contains("\"id\""));
        Ok(event.unwrap_or(&text).trim().to_owned())
    }

    async fn call(&mut self) -> Result<(), Failed> {
        let message = call(self.next);
        self.next += 1;
        check(&self.post(&message).await?)
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
