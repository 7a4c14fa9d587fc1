//! `holm serve`, as clients see it.

mod client;
mod clients;
mod crowd;
mod http;
mod stdio;

use std::io::Read;
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A server that takes a request, never answers, and tells when the other side is gone.
struct Hole {
    url: String,
    arrived: Receiver<()>,
    gone: Receiver<()>,
}

impl Hole {
    fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let (arrive, arrived) = channel();
        let (go, gone) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let (arrive, go) = (arrive.clone(), go.clone());
                std::thread::spawn(move || {
                    let mut buffer = [0; 4096];
                    if stream.read(&mut buffer).is_ok_and(|read| read > 0) {
                        let _ = arrive.send(());
                        while stream.read(&mut buffer).is_ok_and(|read| read > 0) {}
                        let _ = go.send(());
                    }
                });
            }
        });
        Self { url, arrived, gone }
    }

    /// Waits until a request is here.
    fn wait_for_request(&self) {
        self.arrived.recv_timeout(client::PATIENCE).unwrap();
    }

    /// Whether a request comes in this time.
    fn is_reached_within(&self, time: Duration) -> bool {
        self.arrived.recv_timeout(time).is_ok()
    }

    /// Waits until whoever sent it gave up.
    fn wait_for_end(&self) {
        self.gone.recv_timeout(client::PATIENCE).unwrap();
    }

    /// A configuration in which `fetch` may reach it, without a question, for longer than any
    /// test takes.
    fn config(&self) -> String {
        format!(
            "[limits]\nwall = \"1h\"\n[permissions.tools]\nfetch = \"allow\"\n\
             [tools.http.allow]\n\"/tools/shared/fetch.scm\" = [{:?}]\n",
            self.url
        )
    }
}
