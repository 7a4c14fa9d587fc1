//! What a stand-alone component says about itself, in a custom section. It is a claim for people and audits:
//! nothing is granted by it.

use serde::{Deserialize, Serialize};
use wasm_encoder::{ComponentSection as _, CustomSection};
use wasmparser::{Parser, Payload};

/// Name of the section.
pub const SECTION: &str = "holm:manifest";
/// The one format that there is.
const FORMAT: u32 = 1;
/// Bytes of a section that are read: a hundred times a large one.
const LARGEST: usize = 16 << 20;

/// The section's contents, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Section {
    /// Version of this format.
    pub format: u32,
    /// Virtual path of the tool file at the time of the build.
    pub file: String,
    /// SHA-256 of its text, in hexadecimal.
    pub source_sha256: String,
    /// SHA-256 of the guest that it was compiled for, in hexadecimal.
    pub guest_sha256: String,
    /// 1 or 2.
    pub tier: u8,
    /// Whether the top level ran when the component was built.
    pub initialised: bool,
    /// Names of the tools.
    pub tools: Vec<String>,
    /// URL prefixes that the file declares.
    pub http_declared: Vec<String>,
    /// URL prefixes that it was granted when it was built.
    pub http_granted: Vec<String>,
    /// Variables that it was granted when it was built.
    pub environment: Vec<String>,
}

impl Section {
    /// An empty section in the present format.
    #[must_use]
    pub fn new() -> Self {
        Self {
            format: FORMAT,
            file: String::new(),
            source_sha256: String::new(),
            guest_sha256: String::new(),
            tier: 1,
            initialised: false,
            tools: Vec::new(),
            http_declared: Vec::new(),
            http_granted: Vec::new(),
            environment: Vec::new(),
        }
    }

    /// Adds the section to a component.
    ///
    /// # Errors
    /// Never in practice: it is text that JSON can hold.
    pub(super) fn append(&self, component: &mut Vec<u8>) -> Result<(), String> {
        let json = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        let section = CustomSection {
            name: SECTION.into(),
            data: json.into(),
        };
        section.append_to_component(component);
        Ok(())
    }

    /// Reads the section of a component; `None` when it has none.
    ///
    /// # Errors
    /// The bytes are no component, or the section is not in this format or occurs twice.
    pub fn read(component: &[u8]) -> Result<Option<Self>, String> {
        let mut found = None;
        let mut depth = 0usize;
        for payload in Parser::new(0).parse_all(component) {
            match payload.map_err(|error| error.to_string())? {
                Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
                Payload::End(_) => depth = depth.saturating_sub(1),
                // What a nested module says is not about the component.
                Payload::CustomSection(section) if depth == 0 && section.name() == SECTION => {
                    if found.is_some() {
                        return Err(format!("it has two `{SECTION}` sections"));
                    }
                    let data = section.data();
                    if data.len() > LARGEST {
                        return Err(format!("its `{SECTION}` section is too large"));
                    }
                    let section: Self = serde_json::from_slice(data)
                        .map_err(|error| format!("its `{SECTION}` section: {error}"))?;
                    if section.format != FORMAT {
                        return Err(format!(
                            "its `{SECTION}` section has format {}, and this holm knows {FORMAT}",
                            section.format
                        ));
                    }
                    found = Some(section);
                }
                _ => {}
            }
        }
        Ok(found)
    }
}

impl Default for Section {
    fn default() -> Self {
        Self::new()
    }
}
