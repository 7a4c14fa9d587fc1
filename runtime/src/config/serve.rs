//! `[serve]`, `[concurrency]` and `[audit]`: how the server listens, what runs at a time,
//! and what is kept about it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::Spanned;
use toml::de::DeValue;

use super::document::{Key, Reader};
use super::keys::{AUDIT, CONCURRENCY, SERVE};
use super::limits;
use crate::limits::Concurrency;

/// `[serve]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Serve {
    /// The address to listen on; `None` is stdio.
    pub http: Option<SocketAddr>,
    /// Values of `Host` that are accepted beside the address itself.
    pub allowed_hosts: Vec<String>,
    /// Values of `Origin` that are accepted.
    pub allowed_origins: Vec<String>,
    /// How long running calls may take to end when the server stops.
    pub shutdown: Option<Duration>,
    /// Tools on one page of the list.
    pub page_size: Option<u32>,
}

/// `[audit]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Audit {
    /// The file that a record of every call is added to.
    pub log: Option<PathBuf>,
    /// Whether what `holm.lock` does not describe is refused.
    pub require_lock: bool,
}

/// Reads `[serve]`.
pub(super) fn read(reader: &mut Reader<'_>, at: &Key, value: &Spanned<DeValue<'_>>) -> Serve {
    let mut serve = Serve::default();
    for field in reader.fields_of(at, value, &SERVE) {
        let (key, value) = (&field.key, field.value);
        match field.name {
            "http" => serve.http = address(reader, key, value),
            "allowed-hosts" => serve.allowed_hosts = reader.texts(key, value, "a list of hosts"),
            "allowed-origins" => {
                serve.allowed_origins = reader.texts(key, value, "a list of origins");
            }
            "shutdown" => serve.shutdown = limits::duration(reader, key, value),
            _ => serve.page_size = count(reader, key, value, 1 << 20),
        }
    }
    serve
}

/// Reads `[concurrency]`.
pub(super) fn read_concurrency(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &Spanned<DeValue<'_>>,
) -> Concurrency {
    let mut concurrency = Concurrency::default();
    for field in reader.fields_of(at, value, &CONCURRENCY) {
        let (key, value) = (&field.key, field.value);
        match field.name {
            "calls" => set(&mut concurrency.in_all, count(reader, key, value, 1024)),
            "per-principal" => set(
                &mut concurrency.per_principal,
                count(reader, key, value, 1024),
            ),
            _ => {
                let waiting = reader.integer(key, value, (0, 1 << 20));
                set(
                    &mut concurrency.waiting,
                    waiting.and_then(|count| u32::try_from(count).ok()),
                );
            }
        }
    }
    concurrency
}

/// Takes a number that could be read.
fn set(place: &mut u32, read: Option<u32>) {
    if let Some(read) = read {
        *place = read;
    }
}

/// Reads `[audit]`.
pub(super) fn read_audit(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &Spanned<DeValue<'_>>,
    base: &Path,
) -> Audit {
    let mut audit = Audit::default();
    for field in reader.fields_of(at, value, &AUDIT) {
        let (key, value) = (&field.key, field.value);
        match field.name {
            "log" => audit.log = reader.path(key, value, base, "name a file"),
            _ => audit.require_lock = reader.boolean(key, value).unwrap_or_default(),
        }
    }
    audit
}

fn address(reader: &mut Reader<'_>, key: &Key, value: &Spanned<DeValue<'_>>) -> Option<SocketAddr> {
    let accepted = "an address and a port, for example \"127.0.0.1:8080\"";
    let text = reader.string(key, value, accepted)?;
    let address = text.parse().ok();
    if address.is_none() {
        let message = format!("{text:?} is not an address to listen on");
        reader.error(&value.span(), key, message, format!("give {accepted}"));
    }
    address
}

fn count(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
    most: u64,
) -> Option<u32> {
    let count = reader.integer(key, value, (1, most))?;
    u32::try_from(count).ok()
}
