//! What a tool may reach: the grammar and the decisions, with no I/O.
//!
//! "What stops a request to the wrong host?" is answered here: [`RuleSet::check`] decides
//! about a URL, [`Consent::permits`] about the address that its name turned out to have.
//! Everything else only asks these two. [`crate::egress`] enforces them.
//!
//! | file | question |
//! |---|---|
//! | [`syntax`] | can this URL be read in only one way? |
//! | [`rule`] | what does a grant cover? |
//! | [`request`] | where does a request go? |
//! | [`ruleset`] | may it go there? |
//! | [`address`] | may this address be connected to? |
//! | [`path`] | which entry of the configuration applies to this tool file? |
//!
//! Invariants: no comparison of strings decides about a URL, only one of parsed parts; no
//! part is repaired on the way in; with no rule, nothing is allowed.
#![forbid(unsafe_code)]

pub mod address;
pub mod path;
pub mod request;
pub mod rule;
pub mod ruleset;
pub mod syntax;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod documented;
#[cfg(test)]
mod properties;

pub use address::{AddressRange, AddressRefusal, Cidr, CidrError, Consent, classify};
pub use path::{canonical_key, covering_keys, resolve};
pub use request::{RequestError, RequestTarget};
pub use rule::{HostPattern, Mismatch, Rule, RuleError};
pub use ruleset::{Refusal, RuleSet, refusal_text};
pub use syntax::{Host, Scheme, UrlError, redact};
