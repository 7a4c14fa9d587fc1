//! Whoever calls.

use std::fmt;
use std::sync::Arc;

/// Whoever calls: the local user, or the owner of a token. Calls of one principal share
/// a number of places, connections and kept state; no two principals share anything.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Principal(Arc<str>);

impl Principal {
    /// The principal of this name. Two of one name are the same principal, so names come from
    /// whoever checked who calls, and never from the caller.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(name.into())
    }

    /// The user of this machine, as the command line and MCP over stdio have it.
    #[must_use]
    pub fn local() -> Self {
        Self::new("local")
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl Default for Principal {
    fn default() -> Self {
        Self::local()
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Principal({:?})", self.name())
    }
}
