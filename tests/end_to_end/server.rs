//! A small HTTP/1.1 server on loopback that remembers what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) target: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Request {
    /// The value of a header that is there once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(other, _)| other == name);
        let (_, value) = values.next()?;
        assert!(values.next().is_none(), "{name} is there twice: {self:?}");
        Some(value)
    }
}

/// What the server says.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
    /// Nothing at all is said, and the connection stays open.
    pub(crate) silent: bool,
}

impl Answer {
    pub(crate) fn ok(body: &str) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type".to_owned(), "text/plain".to_owned())],
            body: body.to_owned(),
            silent: false,
        }
    }

    pub(crate) fn redirect(location: &str) -> Self {
        Self {
            status: 302,
            headers: vec![("location".to_owned(), location.to_owned())],
            ..Self::ok("")
        }
    }

    pub(crate) fn silent() -> Self {
        Self {
            silent: true,
            ..Self::ok("")
        }
    }
}

type Answering = dyn Fn(&Request) -> Answer + Send + Sync;

struct Shared {
    answer: Box<Answering>,
    requests: Mutex<Vec<Request>>,
    connections: AtomicUsize,
    closing: AtomicBool,
}

/// Stops when it is dropped.
pub(crate) struct Server {
    host: String,
    port: u16,
    shared: Arc<Shared>,
}

impl Server {
    /// A server on 127.0.0.1 that answers with what `answer` says.
    pub(crate) fn start(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        Self::start_on("127.0.0.1", answer)
    }

    /// The same on another address of loopback.
    pub(crate) fn start_on(
        host: &str,
        answer: impl Fn(&Request) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((host, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            answer: Box::new(answer),
            requests: Mutex::default(),
            connections: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
        });
        let accepting = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if accepting.closing.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { return };
                accepting.connections.fetch_add(1, Ordering::SeqCst);
                let serving = Arc::clone(&accepting);
                std::thread::spawn(move || serve(&stream, &serving));
            }
        });
        Self {
            host: host.to_owned(),
            port,
            shared,
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// A URL of this server.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}:{}{path}", self.host, self.port)
    }

    /// What it was asked so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// The only request so far.
    pub(crate) fn only_request(&self) -> Request {
        let requests = self.requests();
        assert_eq!(requests.len(), 1, "{requests:#?}");
        requests[0].clone()
    }

    /// Fails if anything so much as connected.
    pub(crate) fn assert_untouched(&self, why: &str) {
        let connections = self.shared.connections.load(Ordering::SeqCst);
        assert_eq!(connections, 0, "{why}: {:#?}", self.requests());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        drop(TcpStream::connect((self.host.as_str(), self.port)));
    }
}

fn serve(mut stream: &TcpStream, shared: &Shared) {
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    let mut reader = BufReader::new(stream);
    while let Some(request) = read_request(&mut reader) {
        let answer = (shared.answer)(&request);
        shared.requests.lock().unwrap().push(request);
        if answer.silent {
            // Until the other side gives up.
            drop(reader.read(&mut [0]));
            return;
        }
        let mut head = format!(
            "HTTP/1.1 {} X\r\ncontent-length: {}\r\n",
            answer.status,
            answer.body.len()
        );
        for (name, value) in &answer.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        if stream.write_all(head.as_bytes()).is_err()
            || stream.write_all(answer.body.as_bytes()).is_err()
        {
            return;
        }
    }
    drop(stream.shutdown(Shutdown::Both));
}

fn read_request(reader: &mut impl BufRead) -> Option<Request> {
    let line = read_line(reader)?;
    let mut words = line.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = Vec::new();
    loop {
        let line = read_line(reader)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request {
        method,
        target,
        headers,
        body: String::new(),
    };
    let mut body = Vec::new();
    if request.header("transfer-encoding") == Some("chunked") {
        loop {
            let size = usize::from_str_radix(&read_line(reader)?, 16).ok()?;
            let start = body.len();
            body.resize(start + size, 0);
            reader.read_exact(&mut body[start..]).ok()?;
            read_line(reader)?;
            if size == 0 {
                break;
            }
        }
    } else if let Some(length) = request.header("content-length") {
        body.resize(length.parse().ok()?, 0);
        reader.read_exact(&mut body).ok()?;
    }
    request.body = String::from_utf8(body).ok()?;
    Some(request)
}

fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    match reader.read_line(&mut line) {
        Ok(read) if read > 0 => Some(line.trim_end().to_owned()),
        _ => None,
    }
}
