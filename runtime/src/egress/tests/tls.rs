//! Certificates and names.

use std::sync::Arc;

use http::Request;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use wasmtime_wasi_http::WasiBody;

use super::support::*;
use crate::egress::Client;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

pub(super) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(super) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn acceptor(&self, name: &str) -> TlsAcceptor {
        self.acceptor_for(name, &[])
    }

    /// With these protocols to offer.
    pub(super) fn acceptor_for(&self, name: &str, protocols: &[&str]) -> TlsAcceptor {
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(vec![name.to_owned()])
            .unwrap()
            .signed_by(&key, &self.0)
            .unwrap();
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
            )
            .unwrap();
        config.alpn_protocols = protocols
            .iter()
            .map(|name| name.as_bytes().to_vec())
            .collect();
        TlsAcceptor::from(Arc::new(config))
    }

    pub(super) fn client(&self) -> Client {
        Client::trusting(vec![self.0.der().clone()]).unwrap()
    }
}

fn setup(server: &Server, client: Client) -> Setup {
    let mut setup =
        Setup::new(&[&format!("https://*.example.com:{}/", server.port)]).consent(&["127.0.0.0/8"]);
    setup.config.client = client.with_resolver(Fixed::new(&["127.0.0.1"]));
    setup
}

fn get(server: &Server) -> Request<WasiBody> {
    request(
        "GET",
        "https",
        &format!("api.example.com:{}", server.port),
        "/x",
    )
    .unwrap()
}

#[tokio::test]
async fn the_certificate_must_be_for_the_granted_name() {
    let authority = Authority::new();
    let server = Server::start_with(
        Answer::Text(OK.to_owned()),
        Some(authority.acceptor("api.example.com")),
    )
    .await;
    let setup = setup(&server, authority.client());
    assert_eq!(
        code(exchange(&setup, get(&server)).await),
        "200 with 2 bytes"
    );
    let heads = server.heads();
    assert_eq!(heads[0], "SNI api.example.com");
    assert!(heads[1].starts_with("GET /x HTTP/1.1\r\n"), "{heads:?}");
}

#[tokio::test]
async fn another_name_or_another_authority_is_refused() {
    let authority = Authority::new();
    for (name, client) in [
        ("evil.net", authority.client()),
        ("example.com", authority.client()),
        ("127.0.0.1", authority.client()),
        ("api.example.com", Client::new().unwrap()),
        ("api.example.com", Authority::new().client()),
    ] {
        let server =
            Server::start_with(Answer::Text(OK.to_owned()), Some(authority.acceptor(name))).await;
        let setup = setup(&server, client);
        assert_eq!(
            code(exchange(&setup, get(&server)).await),
            "TlsCertificateError",
            "{name}"
        );
        assert!(
            server.heads().iter().all(|head| !head.contains("GET")),
            "{:?}",
            server.heads()
        );
    }
}

#[test]
fn extra_roots_must_be_certificates() {
    assert!(Client::with_extra_roots(b"").is_ok());
    assert!(Client::with_extra_roots(b"not PEM").is_err());
    assert!(
        Client::with_extra_roots(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
            .is_err()
    );
}
