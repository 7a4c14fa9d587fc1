//! What the engine may ask of its surroundings, over the component's imports.

use crate::bindings::holm::tool::harness;
use crate::bindings::wasi::cli::environment;
use crate::bindings::wasi::clocks::{monotonic_clock, wall_clock};
use crate::bindings::wasi::random::random;
use crate::harness::Capabilities;
use crate::http::Failure;
use std::time::Duration;
use tein::world::{HttpError, HttpRequest, HttpResponse, World};

/// Set in every tool, granted variables or not: it says where the code runs and
/// comes from no host, so it needs no import.
pub(crate) const SANDBOX_MARK: (&str, &str) = ("TEIN_SANDBOX", "true");

/// The host, as far as the component's imports reach.
pub(crate) struct HostWorld {
    capabilities: Capabilities,
    /// Fetched at the first question and kept: it cannot change during a call.
    environment: Option<Vec<(String, String)>>,
}

impl HostWorld {
    pub(crate) fn new(capabilities: Capabilities) -> Self {
        Self {
            capabilities,
            environment: None,
        }
    }

    fn environment(&mut self) -> &[(String, String)] {
        let granted = self.capabilities.environment;
        self.environment.get_or_insert_with(|| {
            let mut all = if granted {
                environment::get_environment()
            } else {
                Vec::new()
            };
            if !all.iter().any(|(name, _)| name == SANDBOX_MARK.0) {
                all.push((SANDBOX_MARK.0.to_string(), SANDBOX_MARK.1.to_string()));
            }
            all
        })
    }
}

impl HostWorld {
    /// Tells the host of a request that it will not see. A component of its own, outside holm,
    /// may have nobody to tell.
    fn refused(&self, method: &str, url: &str, header: Option<&str>) {
        if self.capabilities.harness {
            harness::request_refused(method, url, header);
        }
    }
}

impl World for HostWorld {
    fn http(&mut self, request: &HttpRequest) -> Result<HttpResponse, HttpError> {
        if !self.capabilities.http {
            self.refused(&request.method, &request.url, None);
            return Err(HttpError::Denied);
        }
        crate::http::exchange(request).map_err(|failure| match failure {
            Failure::Host(error) => error,
            Failure::Guest { error, header } => {
                self.refused(&request.method, &request.url, header.as_deref());
                error
            }
        })
    }

    fn http_refused(&mut self, method: &str, url: &str) {
        self.refused(method, url, None);
    }

    fn env_var(&mut self, name: &str) -> Option<String> {
        let found = self.environment().iter().find(|(known, _)| known == name);
        let value = found.map(|(_, value)| value.clone());
        if value.is_none() && self.capabilities.harness {
            harness::variable_missing(name);
        }
        value
    }

    fn env_vars(&mut self) -> Vec<(String, String)> {
        self.environment().to_vec()
    }

    fn wall_clock(&mut self) -> Duration {
        let now = wall_clock::now();
        // Not `Duration::new`, which panics when the nanoseconds carry over the end.
        Duration::from_secs(now.seconds)
            .saturating_add(Duration::from_nanos(u64::from(now.nanoseconds)))
    }

    fn monotonic_nanos(&mut self) -> u64 {
        monotonic_clock::now()
    }

    fn random(&mut self, bytes: &mut [u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let fresh = random::get_random_bytes(rest.len() as u64);
            let n = fresh.len().min(rest.len());
            let (filled, left) = rest.split_at_mut(n);
            filled.copy_from_slice(&fresh[..n]);
            rest = left;
        }
    }

    fn steps_left(&mut self, left: u64) -> u64 {
        if self.capabilities.harness {
            harness::steps_left(left)
        } else {
            left
        }
    }

    fn call_tool(&mut self, name: &str, arguments: &str) -> Result<String, String> {
        if !self.capabilities.harness {
            return Err("call-tool is not available here".to_string());
        }
        harness::call_tool(name, arguments)
    }

    fn call_tool_value(&mut self, name: &str, arguments: &str) -> Result<String, String> {
        if !self.capabilities.harness {
            return Err("call-tool/value is not available here".to_string());
        }
        harness::call_tool_value(name, arguments)
    }
}
