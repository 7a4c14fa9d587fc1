//! From a name to addresses, once.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;

/// What a [`Resolver`] gives back.
pub type Resolving = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a name.
///
/// It is asked once per request, and its answer is vetted as a whole before anything is
/// dialled. It is never asked about literal addresses.
pub trait Resolver: Send + Sync + 'static {
    /// The addresses of a DNS name, in the order in which they should be tried.
    fn resolve(&self, name: &str) -> Resolving;
}

/// The system's resolver, with its hosts file.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve(&self, name: &str) -> Resolving {
        let name = name.to_owned();
        Box::pin(async move {
            let mut addresses: Vec<IpAddr> = Vec::new();
            for found in tokio::net::lookup_host((name.as_str(), 0)).await? {
                if !addresses.contains(&found.ip()) {
                    addresses.push(found.ip());
                }
            }
            Ok(addresses)
        })
    }
}
