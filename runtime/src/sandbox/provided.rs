//! A component that comes from outside instead of being made from holm's guest: what it is compiled to, and why it
//! may not be instantiated.
//!
//! It gets the linker of what it was granted and nothing else, like any other. Whoever made it, it is behind the same
//! wall.

use super::variant;
use super::variants::{Made, Variant};
use super::{Capabilities, Imports, component_imports};
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The interface that a tool's component exports.
const GUEST: &str = "holm:tool/guest@0.1.0";

/// The bytes of a component, and what they are compiled to once somebody calls it.
pub struct Provided {
    wasm: Vec<u8>,
    digest: [u8; 32],
    imports: Imports,
    made: Made,
}

impl Provided {
    /// Takes a component. Nothing is compiled yet.
    ///
    /// # Errors
    ///
    /// The bytes are no component.
    pub fn new(wasm: Vec<u8>) -> Result<Self, String> {
        let imports = component_imports(&wasm)?;
        Ok(Self {
            digest: Sha256::digest(&wasm).into(),
            imports,
            wasm,
            made: Made::default(),
        })
    }

    /// The component.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.wasm
    }

    pub(super) fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    pub(super) fn slot(&self, capabilities: Capabilities) -> &OnceLock<Arc<Variant>> {
        self.made.slot(capabilities)
    }

    /// Why it may not run with these capabilities: the first import outside them.
    pub(super) fn refusal(&self, capabilities: Capabilities) -> Option<String> {
        let all = Capabilities {
            http: true,
            environment: true,
        };
        let mut outside = self.imports.iter().filter_map(|(interface, functions)| {
            let beyond = |capabilities| {
                functions
                    .iter()
                    .any(|function| !variant::offers(interface, function, capabilities))
            };
            match (beyond(capabilities), beyond(all)) {
                (false, _) => None,
                (true, true) => Some((interface, "which holm does not have for tools")),
                (true, false) if interface.starts_with("wasi:cli/environment") => {
                    Some((interface, "and no variable is granted to it"))
                }
                (true, false) => Some((interface, "and no URL is granted to it")),
            }
        });
        let (interface, why) = outside.next()?;
        Some(format!("the component imports `{interface}`, {why}"))
    }

    /// Why its exports are not those of a tool.
    pub(super) fn misfit(error: &wasmtime::Error) -> String {
        format!("the component is no tool of holm's, which exports `{GUEST}`: {error:#}")
    }
}

impl PartialEq for Provided {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Provided {}

impl fmt::Debug for Provided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Provided({} bytes)", self.wasm.len())
    }
}
