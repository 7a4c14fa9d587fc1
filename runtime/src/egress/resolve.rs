//! From a name to addresses, once.

use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};

use tokio::sync::Semaphore;

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

/// Names looked up at a time. The system's resolver takes a thread for as long as it
/// likes, also when nobody waits for it any longer, and threads are few.
const MAX_LOOKUPS: usize = 64;

/// The places of [`MAX_LOOKUPS`]: of the process, since its threads are.
static LOOKUPS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(MAX_LOOKUPS)));

/// The system's resolver, with its hosts file.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve(&self, name: &str) -> Resolving {
        let name = name.to_owned();
        Box::pin(async move {
            let place = Arc::clone(&LOOKUPS).acquire_owned().await;
            let place = place.map_err(io::Error::other)?;
            let looking = tokio::task::spawn_blocking(move || {
                // Until the system is done, and not until someone stops waiting.
                let _place = place;
                let mut addresses: Vec<IpAddr> = Vec::new();
                for found in (name.as_str(), 0).to_socket_addrs()? {
                    if !addresses.contains(&found.ip()) {
                        addresses.push(found.ip());
                    }
                }
                Ok(addresses)
            });
            looking.await.map_err(io::Error::other)?
        })
    }
}
