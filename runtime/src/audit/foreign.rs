//! Any component, holm's or not: which interfaces it imports, and what each of them allows.

use std::collections::BTreeMap;

use serde::Serialize;

use super::report::Severity;
use crate::files;
use crate::sandbox::component_imports;
use crate::standalone::Section;

/// What a component says of itself by its imports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Component {
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Size in bytes.
    pub bytes: usize,
    /// What it imports.
    pub imports: Vec<Import>,
    /// Interfaces and functions that it exports.
    pub exports: Vec<String>,
    /// What holm wrote into it when it was built. It is a claim, and grants nothing.
    pub manifest: Option<Section>,
}

/// One import of a component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Import {
    /// The interface, with its version.
    pub interface: String,
    /// Functions of it.
    pub functions: Vec<String>,
    /// What a host that satisfies it lets the component do.
    pub allows: &'static str,
    /// How much that is.
    pub severity: Severity,
}

/// Interfaces by the beginning of their names, and what they allow. The first that fits counts.
const MEANINGS: [(&str, &str, Severity); 19] = [
    (
        "wasi:http/outgoing-handler",
        "sends HTTP requests to wherever the host lets it",
        Severity::Warning,
    ),
    (
        "wasi:http/incoming-handler",
        "passes HTTP requests on to another component",
        Severity::Note,
    ),
    (
        "wasi:http/client",
        "sends HTTP requests to wherever the host lets it",
        Severity::Warning,
    ),
    (
        "wasi:http/types",
        "handles HTTP requests and responses; reaches nothing by itself",
        Severity::Note,
    ),
    (
        "wasi:sockets/",
        "opens network connections of any kind",
        Severity::Error,
    ),
    (
        "wasi:filesystem/",
        "reads and writes files in folders that the host opens for it",
        Severity::Error,
    ),
    (
        "wasi:cli/environment",
        "reads the environment variables and arguments that the host passes",
        Severity::Warning,
    ),
    (
        "wasi:cli/std",
        "uses the host's standard streams",
        Severity::Note,
    ),
    (
        "wasi:cli/terminal",
        "learns whether the standard streams are terminals",
        Severity::Note,
    ),
    ("wasi:cli/exit", "ends itself", Severity::Note),
    ("wasi:clocks/", "reads the time and waits", Severity::Note),
    ("wasi:random/", "reads random bytes", Severity::Note),
    (
        "wasi:io/",
        "waits for and moves bytes of other resources; reaches nothing by itself",
        Severity::Note,
    ),
    (
        "wasi:keyvalue/",
        "reads and writes a store of the host's",
        Severity::Warning,
    ),
    (
        "wasi:config/",
        "reads configuration values of the host's",
        Severity::Warning,
    ),
    ("wasi:logging/", "writes to the host's log", Severity::Note),
    (
        "wasi:nn/",
        "runs machine learning models of the host's",
        Severity::Warning,
    ),
    (
        "holm:tool/harness",
        "calls other tools, each through the host's policy and permission",
        Severity::Warning,
    ),
    (
        "",
        "is not an interface that holm knows: read its WIT",
        Severity::Error,
    ),
];

/// Reads a component.
///
/// # Errors
/// The bytes are no component that can be read.
pub fn component(bytes: &[u8]) -> Result<Component, String> {
    let imports = component_imports(bytes)?
        .into_iter()
        .map(|(interface, functions)| {
            let meaning = MEANINGS
                .iter()
                .find(|(beginning, ..)| interface.starts_with(beginning));
            let (_, allows, severity) = meaning.copied().unwrap_or(("", "", Severity::Error));
            Import {
                interface,
                functions,
                allows,
                severity,
            }
        })
        .collect();
    Ok(Component {
        sha256: files::digest(bytes),
        bytes: bytes.len(),
        imports,
        exports: exports(bytes)?,
        manifest: Section::read(bytes)?,
    })
}

/// The exports of a component: interfaces with their versions, functions with their types.
fn exports(bytes: &[u8]) -> Result<Vec<String>, String> {
    let decoded = wit_component::decode(bytes).map_err(|error| format!("{error:#}"))?;
    let world = &decoded.resolve().worlds[match decoded {
        wit_component::DecodedWasm::Component(_, world) => world,
        wit_component::DecodedWasm::WitPackage(..) => {
            return Err("it is a WIT package and not a component".to_owned());
        }
    }];
    let mut names: BTreeMap<String, ()> = BTreeMap::new();
    for key in world.exports.keys() {
        names.insert(decoded.resolve().name_world_key(key), ());
    }
    Ok(names.into_keys().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{Capabilities, Sandbox};

    #[test]
    fn imports_have_meanings() {
        let bytes = Sandbox::component_bytes(Capabilities {
            http: true,
            environment: true,
        })
        .unwrap();
        let read = component(&bytes).unwrap();
        assert_eq!(read.manifest, None);
        assert_eq!(
            read.exports,
            ["holm:tool/guest@0.1.0", "holm:tool/session@0.1.0"]
        );
        let severity = |beginning: &str| {
            let import = read
                .imports
                .iter()
                .find(|import| import.interface.starts_with(beginning));
            import.map(|import| import.severity)
        };
        assert_eq!(
            severity("wasi:http/outgoing-handler"),
            Some(Severity::Warning)
        );
        assert_eq!(severity("wasi:cli/environment"), Some(Severity::Warning));
        assert_eq!(severity("wasi:clocks/wall-clock"), Some(Severity::Note));
        assert!(read.imports.iter().all(|i| i.severity != Severity::Error));
    }

    #[test]
    fn what_is_no_component_is_an_error() {
        for bytes in [&b""[..], b"\0asm\x01\0\0\0", b"text"] {
            assert!(component(bytes).is_err());
        }
    }
}
