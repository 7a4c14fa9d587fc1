//! A server that redirects wherever the attacker likes.

use std::sync::{Arc, Mutex};

use holm::egress::Journal;
use holm::limits::Limits;
use holm::sandbox::{Code, Grants, LoadRequest};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::guests::{Asked, FILE, SANDBOX, alone, call, grants};

/// A tool that sends credentials to where it is told to.
const FETCH: &str = r#"
(import (tein http))
(define-tool fetch
  (description "Fetches with credentials")
  (parameters '((url . ((type . "string")))))
  (execute
    (lambda (args)
      (let ((answer (http-get (cdr (assoc "url" args))
                              '(("Authorization" . "Bearer t0ken") ("Cookie" . "c=t0ken") ("X-Plain" . "1")))))
        (string-append (number->string (cdr (assq 'status answer))) " " (cdr (assq 'body answer)))))))
"#;

/// Answers by path, and keeps the heads that it saw.
struct Redirector {
    port: u16,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Redirector {
    /// `locations` maps a path to the redirect that it answers with, where `{other}` stands
    /// for another server; `/hop/N` leads to `/hop/N+1`, and everything else is an answer.
    async fn start(other: u16, locations: &'static [(&'static str, &'static str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let seen = Arc::clone(&heads);
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let seen = Arc::clone(&seen);
                tokio::spawn(async move {
                    loop {
                        let mut head = Vec::new();
                        while !head.windows(4).any(|window| window == b"\r\n\r\n") {
                            let mut piece = [0; 4096];
                            match stream.read(&mut piece).await {
                                Ok(0) | Err(_) => return,
                                Ok(length) => head.extend_from_slice(&piece[..length]),
                            }
                        }
                        let head = String::from_utf8(head).unwrap();
                        let path = head.split(' ').nth(1).unwrap().to_owned();
                        seen.lock().unwrap().push(head);
                        let location =
                            match path.strip_prefix("/v1/hop/") {
                                Some(hop) => {
                                    let hop: u32 = hop.parse().unwrap();
                                    Some(format!("/v1/hop/{}", hop + 1))
                                }
                                None => locations.iter().find(|(from, _)| *from == path).map(
                                    |(_, to)| to.replace("{other}", &format!("127.0.0.1:{other}")),
                                ),
                            };
                        let answer = match location {
                            Some(to) => {
                                format!(
                                    "HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n"
                                )
                            }
                            None => "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nend".to_owned(),
                        };
                        if stream.write_all(answer.as_bytes()).await.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Self { port, heads }
    }

    fn paths(&self) -> Vec<String> {
        let heads = self.heads.lock().unwrap();
        heads
            .iter()
            .map(|head| head.split(' ').nth(1).unwrap().to_owned())
            .collect()
    }
}

#[test]
fn redirects_are_followed_inside_the_wall_only() {
    alone(async {
        // Granted as well, to go across and back; it sends everything back to nobody.
        let second = Redirector::start(0, &[]).await;
        let outside = Redirector::start(0, &[]).await;
        let first = Redirector::start(
            second.port,
            &[
                ("/v1/inside", "/v1/a"),
                ("/v1/a", "b"),
                ("/v1/across", "http://{other}/v1/there"),
                ("/v1/loop", "/v1/loop"),
                ("/v1/up", "/v2/secret"),
                ("/v1/dots", "/v1/../v2/secret"),
                ("/v1/encoded", "/v1/%2e%2e/v2/secret"),
                ("/v1/metadata", "http://169.254.169.254/latest/meta-data/"),
                ("/v1/name", "http://metadata.google.internal/"),
                ("/v1/ftp", "ftp://127.0.0.1/x"),
                ("/v1/file", "file:///etc/passwd"),
                ("/v1/https", "https://{other}/v1/x"),
                ("/v1/user", "http://user:pw@{other}/v1/x"),
                ("/v1/port", "http://127.0.0.1:1/v1/x"),
                ("/v1/slashes", "//127.0.0.1:1/v1/x"),
                ("/v1/number", "http://2130706433/v1/x"),
            ],
        )
        .await;
        let url = |path: &str| format!("http://127.0.0.1:{}{path}", first.port);
        let with_everything = grants(&url("/v1/"));
        let rules = [url("/v1/"), format!("http://127.0.0.1:{}/v1/", second.port)];
        let rules = rules.map(|rule| rule.parse().unwrap());
        let grants = Grants {
            rules: Arc::new(rules.into_iter().collect()),
            ..with_everything
        };
        let limits = Limits::default();
        let request = LoadRequest {
            code: Code::Scheme(FETCH),
            file: FILE,
            unrestricted: false,
            grants: &grants,
            limits: &limits,
        };
        let loaded = SANDBOX.load(request).await.unwrap();

        for (path, expected) in [
            ("/v1/inside", "200 end"),
            ("/v1/across", "200 end"),
            ("/v1/loop", "too many redirects"),
            ("/v1/hop/0", "too many redirects"),
            ("/v1/up", "URL not in allowlist"),
            ("/v1/dots", "URL not in allowlist"),
            ("/v1/encoded", "URL not in allowlist"),
            ("/v1/metadata", "URL not in allowlist"),
            ("/v1/name", "URL not in allowlist"),
            ("/v1/ftp", "URL not in allowlist"),
            ("/v1/file", "URL not in allowlist"),
            ("/v1/https", "URL not in allowlist"),
            ("/v1/user", "URL not in allowlist"),
            ("/v1/port", "URL not in allowlist"),
            ("/v1/slashes", "URL not in allowlist"),
            ("/v1/number", "URL not in allowlist"),
        ] {
            let arguments = serde_json::json!({ "url": url(path) }).to_string();
            let outcome = call(
                &SANDBOX,
                Asked {
                    loaded: &loaded,
                    tool: "fetch",
                    arguments: &arguments,
                    grants: &grants,
                    limits: &limits,
                    principal: "test",
                    journal: &Journal::new(),
                },
            )
            .await
            .unwrap();
            assert!(
                outcome.result.contains(expected),
                "{path}: {}",
                outcome.result
            );
        }
        let paths = first.paths();
        assert!(
            paths.iter().all(|path| path.starts_with("/v1/")),
            "{paths:?}"
        );
        let hops = paths
            .iter()
            .filter(|path| path.starts_with("/v1/hop/"))
            .count();
        assert_eq!(hops, 11, "ten redirects, whatever is on offer");
        // It went across once, without the credentials, and nobody else was reached.
        let heads = second.heads.lock().unwrap().clone();
        assert_eq!(heads.len(), 1, "{heads:?}");
        assert!(
            !heads[0].contains("t0ken") && heads[0].contains("x-plain"),
            "{heads:?}"
        );
        assert!(outside.paths().is_empty());
    });
}
