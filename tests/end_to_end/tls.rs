//! `https` by the real binary: whom it trusts, and for which name.

use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::server::TlsStream;

use crate::project::{Project, Run, result};

/// A certificate authority that nobody knows.
struct Authority(CertifiedIssuer<'static, KeyPair>);

/// The text form of RFC 7468.
fn pem(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines = text
        .as_bytes()
        .chunks(64)
        .map(|line| String::from_utf8_lossy(line));
    let lines: Vec<_> = lines.collect();
    let lines = lines.join("\n");
    format!("-----BEGIN {label}-----\n{lines}\n-----END {label}-----\n")
}

/// What is wrong with a certificate, if anything is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Age {
    Current,
    Expired,
    Early,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn pem(&self) -> String {
        pem("CERTIFICATE", self.0.der())
    }

    fn key_pem(&self) -> String {
        pem("PRIVATE KEY", &self.0.key().serialize_der())
    }

    fn acceptor(&self, name: &str, age: Age, protocols: &[&str]) -> TlsAcceptor {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        match age {
            Age::Current => {}
            Age::Expired => params.not_after = date_time_ymd(2020, 1, 1),
            Age::Early => params.not_before = date_time_ymd(2999, 1, 1),
        }
        let certificate = params.signed_by(&key, &self.0).unwrap();
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
            )
            .unwrap();
        let protocols = protocols.iter().map(|name| name.as_bytes().to_vec());
        config.alpn_protocols = protocols.collect();
        TlsAcceptor::from(Arc::new(config))
    }
}

/// A server on 127.0.0.1 that answers `ok` and keeps what it was asked, as `protocol method target`.
/// It stops when it is dropped.
struct Secure {
    port: u16,
    seen: Arc<Mutex<Vec<String>>>,
    _runtime: tokio::runtime::Runtime,
}

impl Secure {
    fn start(tls: TlsAcceptor) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::<Mutex<Vec<String>>>::default();
        let noted = Arc::clone(&seen);
        runtime.spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (tls, noted) = (tls.clone(), Arc::clone(&noted));
                tokio::spawn(async move {
                    let Ok(stream) = tls.accept(stream).await else {
                        return;
                    };
                    match stream.get_ref().1.alpn_protocol() {
                        Some(b"h2") => http2(stream, &noted).await,
                        _ => http1(stream, &noted).await,
                    }
                });
            }
        });
        Self {
            port,
            seen,
            _runtime: runtime,
        }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

async fn http1(mut stream: TlsStream<TcpStream>, noted: &Mutex<Vec<String>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8(head).unwrap();
    let line = head.split(" HTTP/1.1").next().unwrap();
    noted.lock().unwrap().push(format!("HTTP/1.1 {line}"));
    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok";
    drop(stream.write_all(answer).await);
    drop(stream.shutdown().await);
}

async fn http2(stream: TlsStream<TcpStream>, noted: &Mutex<Vec<String>>) {
    let Ok(mut connection) = h2::server::handshake(stream).await else {
        return;
    };
    while let Some(Ok((request, mut respond))) = connection.accept().await {
        let (method, path) = (request.method(), request.uri().path());
        noted
            .lock()
            .unwrap()
            .push(format!("HTTP/2 {method} {path}"));
        let Ok(mut body) = respond.send_response(http::Response::new(()), false) else {
            return;
        };
        drop(body.send_data("ok".into(), true));
    }
}

/// Fetches `https://HOST:PORT/v1/x` under a configuration with this `[network]`.
fn fetch(host: &str, server: &Secure, network: &str, files: &[(&str, &str)]) -> Run {
    let prefix = format!("https://{host}:{}/v1/", server.port);
    let project = Project::with_config(&format!(
        "[tools.http.allow]\n\"/tools/shared\" = [{prefix:?}]\n[network]\n{network}\n"
    ));
    project.add_tool("fetch.scm");
    for (name, text) in files {
        project.write(name, text);
    }
    let arguments = serde_json::json!({ "target": format!("{prefix}x") });
    project.holm(&["call", "fetch", &arguments.to_string(), "--yes"])
}

const TRUSTED: &str = "extra-ca = [\"ca.pem\"]";

#[test]
fn an_authority_counts_when_the_operator_names_it() {
    let authority = Authority::new();
    let pem = authority.pem();
    let files = [("ca.pem", pem.as_str())];
    for (protocols, expected) in [
        (&[][..], "HTTP/1.1 GET /v1/x"),
        (&["http/1.1"], "HTTP/1.1 GET /v1/x"),
        (&["h2", "http/1.1"], "HTTP/2 GET /v1/x"),
    ] {
        let server = Secure::start(authority.acceptor("127.0.0.1", Age::Current, protocols));
        let refused = fetch("127.0.0.1", &server, "", &[]).exits(1);
        assert!(refused.stdout.contains("tls: certificate"), "{refused:#?}");
        assert_eq!(server.seen(), [""; 0], "{protocols:?}");
        fetch("127.0.0.1", &server, TRUSTED, &files)
            .exits(0)
            .prints(&result("ok"));
        assert_eq!(server.seen(), [expected], "{protocols:?}");
    }
}

#[test]
fn a_file_may_hold_several_authorities_and_there_may_be_several_files() {
    let (first, second) = (Authority::new(), Authority::new());
    let server = Secure::start(second.acceptor("127.0.0.1", Age::Current, &[]));
    let both = format!("{}\n# a remark\n{}", first.pem(), second.pem());
    fetch("127.0.0.1", &server, TRUSTED, &[("ca.pem", &both)]).exits(0);
    let files = [("a.pem", first.pem()), ("sub/b.pem", second.pem())];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let network = "extra-ca = [\"a.pem\", \"./sub/b.pem\"]";
    fetch("127.0.0.1", &server, network, &files).exits(0);
}

#[test]
fn a_trusted_authority_does_not_make_up_for_a_wrong_certificate() {
    let authority = Authority::new();
    let pem = authority.pem();
    let files = [("ca.pem", pem.as_str())];
    for (host, name, age) in [
        ("127.0.0.1", "127.0.0.2", Age::Current),
        ("127.0.0.1", "localhost", Age::Current),
        ("127.0.0.1", "*.example.com", Age::Current),
        ("localhost", "127.0.0.1", Age::Current),
        ("localhost", "localhost.example.com", Age::Current),
        ("127.0.0.1", "127.0.0.1", Age::Expired),
        ("127.0.0.1", "127.0.0.1", Age::Early),
    ] {
        let server = Secure::start(authority.acceptor(name, age, &["h2", "http/1.1"]));
        let network = format!("{TRUSTED}\nprivate = [\"127.0.0.0/8\", \"::1/128\"]");
        let run = fetch(host, &server, &network, &files).exits(1);
        assert!(
            run.stdout.contains("tls: certificate"),
            "{host} {name}: {run:#?}"
        );
        assert_eq!(server.seen(), [""; 0], "{host} {name}");
    }
    // And the name that is granted is the one that it is for.
    let server = Secure::start(authority.acceptor("localhost", Age::Current, &[]));
    let network = format!("{TRUSTED}\nprivate = [\"127.0.0.0/8\", \"::1/128\"]");
    fetch("localhost", &server, &network, &files).exits(0);
}

#[test]
fn what_is_no_list_of_authorities_is_refused_by_its_key() {
    let authority = Authority::new();
    let (pem, key) = (authority.pem(), authority.key_pem());
    let both = format!("{pem}{key}");
    let cut = pem.replace("-----END CERTIFICATE-----", "");
    let garbled = pem.replacen('M', "!", 5);
    let server = Secure::start(authority.acceptor("127.0.0.1", Age::Current, &[]));
    for (text, reason) in [
        (None, "No such file"),
        (Some(""), "it is empty"),
        (Some("no certificate"), "no certificate in the file"),
        (Some(key.as_str()), "a private key in the file"),
        (Some(both.as_str()), "a private key in the file"),
        (Some(cut.as_str()), "cannot be used"),
        (Some(garbled.as_str()), "cannot be used"),
        (
            Some("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
            "cannot be used",
        ),
    ] {
        let files: Vec<_> = text.iter().map(|text| ("ca.pem", *text)).collect();
        let run = fetch("127.0.0.1", &server, TRUSTED, &files).exits(2);
        assert!(run.stderr.contains(reason), "{reason}: {run:#?}");
        let run = run
            .tells("`network.extra-ca`")
            .tells("ca.pem")
            .tells("holm.toml");
        // Whatever is wrong with it, a key is not shown.
        let secret = key.lines().nth(1).unwrap();
        assert!(!run.stderr.contains(secret), "{run:#?}");
    }
    // A folder is no file.
    let network = "extra-ca = [\"tools\"]";
    fetch("127.0.0.1", &server, network, &[])
        .exits(2)
        .tells("`network.extra-ca`");
    assert_eq!(server.seen(), [""; 0]);
}
