//! A client that sends what it is told to, so that the server's part of the protocol is seen
//! as it is. The official clients are in `clients`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, ChildStdin, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::project::Project;

/// How long anything may take before a test fails: nothing is decided by it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// A server on stdio.
pub(crate) struct Pipe {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages that were read while looking for others.
    kept: Vec<Value>,
    next: u64,
}

impl Pipe {
    /// Starts `holm serve` in a project.
    pub(crate) fn start(project: &Project, arguments: &[&str]) -> Self {
        let mut child = project
            .command(env!("CARGO_BIN_EXE_holm"))
            .arg("serve")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line)
                    .unwrap_or_else(|error| panic!("{error}: stdout has {line:?}"));
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self {
            child,
            stdin,
            messages,
            kept: Vec::new(),
            next: 1,
        }
    }

    /// Starts a server, and a session with it.
    pub(crate) fn session(project: &Project, arguments: &[&str], capabilities: &Value) -> Self {
        let mut client = Self::start(project, arguments);
        let result = client.request(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": { "name": "test", "version": "1" },
            }),
        );
        assert_eq!(
            result["result"]["protocolVersion"], "2025-11-25",
            "{result}"
        );
        client.notify("notifications/initialized", json!({}));
        client
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.line(&message.to_string());
    }

    pub(crate) fn line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{line}").unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and gives its id.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The first message that is wanted.
    #[track_caller]
    pub(crate) fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.kept.iter().position(&wanted) {
            return self.kept.remove(index);
        }
        loop {
            let message = self
                .messages
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|error| panic!("{error}: no such message, only {:?}", self.kept));
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    #[track_caller]
    pub(crate) fn response(&mut self, id: u64) -> Value {
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.response(id)
    }

    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// The names that are listed, page by page.
    #[track_caller]
    pub(crate) fn tools(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        let mut params = json!({});
        loop {
            let result = self.request("tools/list", params)["result"].take();
            names.extend(tool_names(&result));
            match &result["nextCursor"] {
                Value::String(cursor) => params = json!({ "cursor": cursor }),
                _ => return names,
            }
        }
    }

    /// Whether a message was kept that is wanted.
    pub(crate) fn seen(&self, wanted: impl Fn(&Value) -> bool) -> bool {
        self.kept.iter().any(wanted)
    }

    /// Ends the input, as a shell's pipe does.
    pub(crate) fn close_input(mut self) -> Self {
        drop(self.stdin.take());
        self
    }

    /// Ends the input, and waits for the process.
    pub(crate) fn finish(mut self) -> (i32, String) {
        drop(self.stdin.take());
        let mut stderr = String::new();
        let mut from: ChildStderr = self.child.stderr.take().unwrap();
        from.read_to_string(&mut stderr).unwrap();
        (self.child.wait().unwrap().code().unwrap_or(-1), stderr)
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

pub(crate) fn tool_names(result: &Value) -> Vec<String> {
    result["tools"]
        .as_array()
        .unwrap_or_else(|| panic!("{result}"))
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

/// The text of a call's result.
#[track_caller]
pub(crate) fn text(response: &Value) -> &str {
    response["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("{response}"))
}

/// A server on HTTP.
pub(crate) struct Http {
    child: Child,
    pub(crate) address: String,
    stderr: Mutex<Receiver<String>>,
}

/// What an HTTP server answered.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    /// The messages in it, whether they came as JSON or as events.
    pub(crate) fn messages(&self) -> Vec<Value> {
        if self.head.to_lowercase().contains("text/event-stream") {
            let data = self
                .body
                .lines()
                .filter_map(|line| line.strip_prefix("data:"));
            return data
                .filter(|data| !data.trim().is_empty())
                .map(|data| serde_json::from_str(data).unwrap())
                .collect();
        }
        match serde_json::from_str(&self.body) {
            Ok(message) => vec![message],
            Err(_) => Vec::new(),
        }
    }

    #[track_caller]
    pub(crate) fn response(&self) -> Value {
        let mut messages = self.messages();
        messages.retain(|message| message.get("id").is_some() && message.get("method").is_none());
        assert_eq!(messages.len(), 1, "{self:?}");
        messages.remove(0)
    }
}

impl Http {
    /// Starts `holm serve --http` on a free port.
    pub(crate) fn start(project: &Project, arguments: &[&str]) -> Self {
        let mut child = project
            .command(env!("CARGO_BIN_EXE_holm"))
            .args(["serve", "--http", "127.0.0.1:0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let from = BufReader::new(child.stderr.take().unwrap());
        let (sender, stderr) = channel();
        std::thread::spawn(move || {
            for line in from.lines().map_while(Result::ok) {
                drop(sender.send(line));
            }
        });
        let mut told = Vec::new();
        let address = loop {
            let line = stderr
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|error| panic!("{error}: {told:?}"));
            if let Some(rest) = line.strip_prefix("listening on http://") {
                break rest.strip_suffix("/mcp").unwrap().to_owned();
            }
            told.push(line);
        };
        Self {
            child,
            address,
            stderr: Mutex::new(stderr),
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the process to end by itself.
    pub(crate) fn wait(&mut self) -> (i32, String) {
        let status = self.child.wait().unwrap();
        let lines: Vec<String> = self.stderr.get_mut().unwrap().iter().collect();
        (status.code().unwrap_or(-1), lines.join("\n"))
    }

    /// Sends a request with these headers and reads the answer to its end.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        read(self.open(method, path, headers, body))
    }

    /// Sends a request, to be read later or not at all.
    pub(crate) fn open(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("host"))
        {
            head.push_str(&format!("host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    pub(crate) fn get(&self, path: &str, token: &str) -> Reply {
        self.send(
            "GET",
            path,
            &[("authorization", &format!("Bearer {token}"))],
            "",
        )
    }

    /// A request of the newest protocol version, which needs no session.
    pub(crate) fn modern(&self, token: &str, method: &str, params: Value) -> Reply {
        read(self.open_modern(token, method, params))
    }

    pub(crate) fn open_modern(&self, token: &str, method: &str, mut params: Value) -> TcpStream {
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let meta = params["_meta"].take();
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        if let Value::Object(more) = meta {
            for (key, value) in more {
                params["_meta"][key] = value;
            }
        }
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        let authorization = format!("Bearer {token}");
        let mut headers = vec![
            ("authorization", authorization.as_str()),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
        ];
        if !name.is_empty() {
            headers.push(("mcp-name", &name));
        }
        self.open("POST", "/mcp", &headers, &body.to_string())
    }

    pub(crate) fn call(&self, token: &str, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        self.modern(token, "tools/call", params).response()
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Reads an answer to its end.
pub(crate) fn read(mut stream: TcpStream) -> Reply {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text
        .split_once("\r\n\r\n")
        .unwrap_or_else(|| panic!("{text:?}"));
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    Reply {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head: head.to_owned(),
        body: if chunked {
            joined(body)
        } else {
            body.to_owned()
        },
    }
}

/// The body out of its chunks.
fn joined(mut chunks: &str) -> String {
    let mut body = String::new();
    while let Some((size, rest)) = chunks.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        if size == 0 {
            break;
        }
        body.push_str(&rest[..size]);
        chunks = &rest[size + 2..];
    }
    body
}
