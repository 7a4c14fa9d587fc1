//! Servers on loopback that see what reaches them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What a server does once the head of a request is there.
#[derive(Clone, Copy)]
pub(crate) enum Answer {
    /// `200` and two bytes.
    Ok,
    /// A body of chunks that does not end.
    Endless,
    /// A body of which a byte comes now and then.
    Drip,
    /// Nothing at all.
    Silence,
    /// Reads for as long as something comes.
    Swallow,
}

pub(crate) struct Server {
    pub(crate) port: u16,
    heads: Arc<Mutex<Vec<String>>>,
    listening: tokio::task::JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let seen = Arc::clone(&heads);
        let listening = tokio::spawn(async move {
            let mut serving = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                serving.spawn(serve(stream, answer, Arc::clone(&seen)));
            }
        });
        Self {
            port,
            heads,
            listening,
        }
    }

    pub(crate) fn authority(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(crate) fn rule(&self) -> String {
        format!("http://{}/v1/", self.authority())
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    /// Stops, and waits until that is done.
    pub(crate) async fn stop(self) {
        self.listening.abort();
        let _ = self.listening.await;
    }
}

async fn serve(mut stream: TcpStream, answer: Answer, heads: Arc<Mutex<Vec<String>>>) {
    loop {
        let mut head = Vec::new();
        while !head.windows(4).any(|window| window == b"\r\n\r\n") {
            let mut piece = [0; 4096];
            match stream.read(&mut piece).await {
                Ok(0) | Err(_) => return,
                Ok(length) => head.extend_from_slice(&piece[..length]),
            }
        }
        let text = String::from_utf8_lossy(&head).into_owned();
        heads.lock().unwrap().push(text);
        let written = match answer {
            Answer::Ok => {
                let ok = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
                stream.write_all(ok).await
            }
            Answer::Endless => {
                let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
                let _ = stream.write_all(head).await;
                let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
                while stream.write_all(chunk.as_bytes()).await.is_ok() {}
                return;
            }
            Answer::Drip => {
                let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n";
                let _ = stream.write_all(head).await;
                while stream.write_all(b"x").await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                return;
            }
            Answer::Silence | Answer::Swallow => {
                let mut rest = [0; 65536];
                while matches!(stream.read(&mut rest).await, Ok(length) if length > 0) {}
                return;
            }
        };
        if written.is_err() {
            return;
        }
    }
}
