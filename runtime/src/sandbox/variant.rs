//! From the one core module that is shipped to a component that imports exactly what
//! was granted.
//!
//! The guest is built once, for the widest world. For a narrower set of capabilities
//! each import outside the set becomes a function of the module itself whose body is
//! `unreachable`, and the component is made from what is left. So an ungranted
//! interface is not refused at run time: the component has no way to name it.
//!
//! The set is a list of what may stay ([`KEPT`]), so an import that nobody thought of
//! goes away.

use super::Capabilities;
use crate::files;
use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{CodeSection, Function, FunctionSection, ImportSection, Instruction, Module};
use wasmparser::{Parser, TypeRef};
use wit_component::ComponentEncoder;

/// Bytes of the core module that is shipped.
pub(super) const CORE: &[u8] = include_bytes!("../../../guest/prebuilt/tein.wasm");
/// Names [`CORE`] by its hash, among other things.
pub(super) const PROVENANCE: &str = include_str!("../../../guest/prebuilt/provenance.toml");

/// What an import needs before it may stay.
#[derive(Clone, Copy)]
enum Needs {
    Nothing,
    Http,
    Environment,
    Harness,
}

/// What may stay.
#[derive(Clone, Copy)]
struct Wanted {
    capabilities: Capabilities,
    /// The import by which a tool calls other tools.
    harness: bool,
}

/// Interfaces (without their version), their functions where not all are meant, and
/// what they need.
const KEPT: &[(&str, Option<&[&str]>, Needs)] = &[
    ("wasi:clocks/wall-clock", None, Needs::Nothing),
    // Waiting for a time is only for HTTP, and needs `wasi:io/poll`.
    (
        "wasi:clocks/monotonic-clock",
        Some(&["now", "resolution"]),
        Needs::Nothing,
    ),
    ("wasi:clocks/monotonic-clock", None, Needs::Http),
    ("wasi:random/random", None, Needs::Nothing),
    ("holm:tool/harness", None, Needs::Harness),
    ("wasi:cli/environment", None, Needs::Environment),
    ("wasi:http/outgoing-handler", None, Needs::Http),
    ("wasi:http/types", None, Needs::Http),
    ("wasi:io/error", None, Needs::Http),
    ("wasi:io/poll", None, Needs::Http),
    ("wasi:io/streams", None, Needs::Http),
];

fn stays(module: &str, name: &str, wanted: Wanted) -> bool {
    let interface = module.split('@').next().unwrap_or(module);
    KEPT.iter().any(|(kept, functions, needs)| {
        interface == *kept
            && functions.is_none_or(|functions| functions.contains(&name))
            && match needs {
                Needs::Nothing => true,
                Needs::Http => wanted.capabilities.http,
                Needs::Environment => wanted.capabilities.environment,
                Needs::Harness => wanted.harness,
            }
    })
}

/// Whether a component with these capabilities may import a function.
pub(super) fn offers(interface: &str, function: &str, capabilities: Capabilities) -> bool {
    let harness = true;
    let wanted = Wanted {
        capabilities,
        harness,
    };
    stays(interface, function, wanted)
}

/// Why no component could be made. It is holm's own module, so this is a fault of the
/// build and not of a tool.
#[derive(Debug)]
pub struct VariantError(String);

impl std::fmt::Display for VariantError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the guest cannot be made into a component: {}", self.0)
    }
}

impl std::error::Error for VariantError {}

impl<E: std::fmt::Display> From<reencode::Error<E>> for VariantError {
    fn from(error: reencode::Error<E>) -> Self {
        Self(error.to_string())
    }
}

impl From<wasmparser::Error> for VariantError {
    fn from(error: wasmparser::Error) -> Self {
        Self(error.to_string())
    }
}

/// The component for one set of capabilities.
pub(super) fn component(core: &[u8], capabilities: Capabilities) -> Result<Vec<u8>, VariantError> {
    let wanted = Wanted {
        capabilities,
        harness: true,
    };
    Core(narrow(core, wanted)?).component()
}

/// The guest as a core module, for who makes a component of a different shape from it.
#[derive(Debug, Clone)]
pub struct Core(Vec<u8>);

impl Core {
    /// The guest without the imports that are not granted; `harness` is the one by which
    /// a tool calls other tools.
    ///
    /// # Errors
    ///
    /// When the guest in this build is not what it should be.
    pub fn narrowed(capabilities: Capabilities, harness: bool) -> Result<Self, VariantError> {
        let wanted = Wanted {
            capabilities,
            harness,
        };
        Ok(Self(narrow(CORE, wanted)?))
    }

    /// The module.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The component of the module as it is.
    ///
    /// # Errors
    ///
    /// When the guest in this build is not what it should be.
    pub fn component(&self) -> Result<Vec<u8>, VariantError> {
        ComponentEncoder::default()
            .module(&self.0)
            .and_then(|encoder| encoder.validate(true).encode())
            .map_err(|error| VariantError(format!("{error:#}")))
    }

    /// SHA-256 of the guest that is shipped, in hexadecimal.
    #[must_use]
    pub fn sha256() -> String {
        files::digest(CORE)
    }
}

/// The core module without the imports that are not granted.
fn narrow(core: &[u8], wanted: Wanted) -> Result<Vec<u8>, VariantError> {
    let mut narrowing = Narrowing::new(core, wanted)?;
    let mut module = Module::new();
    narrowing.parse_core_module(&mut module, Parser::new(0), core)?;
    Ok(module.finish())
}

/// One imported function and its new index.
struct Import {
    ty: u32,
    stays: bool,
    index: u32,
}

/// Function indices count imports first. Those that stay keep their order, the module's
/// own functions follow, and the stubs come last.
struct Narrowing {
    wanted: Wanted,
    imports: Vec<Import>,
    /// How many imports become stubs.
    stubs: u32,
}

impl Narrowing {
    fn new(core: &[u8], wanted: Wanted) -> Result<Self, VariantError> {
        let mut imports = Vec::new();
        let mut defined = 0;
        for payload in Parser::new(0).parse_all(core) {
            match payload? {
                wasmparser::Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        let TypeRef::Func(ty) = import.ty else {
                            return Err(VariantError(format!(
                                "it imports `{}` from `{}`, which is not a function",
                                import.name, import.module
                            )));
                        };
                        let stays = stays(import.module, import.name, wanted);
                        imports.push(Import {
                            ty,
                            stays,
                            index: 0,
                        });
                    }
                }
                wasmparser::Payload::FunctionSection(section) => defined = section.count(),
                _ => {}
            }
        }
        let mut kept = 0;
        for import in imports.iter_mut().filter(|import| import.stays) {
            import.index = kept;
            kept += 1;
        }
        let mut stubs = 0;
        for import in imports.iter_mut().filter(|import| !import.stays) {
            import.index = kept + defined + stubs;
            stubs += 1;
        }
        Ok(Self {
            wanted,
            imports,
            stubs,
        })
    }
}

impl Reencode for Narrowing {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, func: u32) -> Result<u32, reencode::Error> {
        Ok(match self.imports.get(func as usize) {
            Some(import) => import.index,
            None => func - self.stubs,
        })
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        for import in section.into_imports() {
            let import = import?;
            if stays(import.module, import.name, self.wanted) {
                imports.import(import.module, import.name, self.entity_type(import.ty)?);
            }
        }
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: wasmparser::FunctionSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        utils::parse_function_section(self, functions, section)?;
        for import in self.imports.iter().filter(|import| !import.stays) {
            functions.function(import.ty);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: wasmparser::CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        utils::parse_code_section(self, code, section)?;
        for _ in 0..self.stubs {
            let mut stub = Function::new([]);
            stub.instruction(&Instruction::Unreachable);
            stub.instruction(&Instruction::End);
            code.function(&stub);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_listed_goes_away() {
        let all = Wanted {
            capabilities: Capabilities {
                http: true,
                environment: true,
            },
            harness: true,
        };
        let none = Wanted {
            capabilities: Capabilities::default(),
            harness: false,
        };
        for (module, name, with_all, with_none) in [
            ("wasi:clocks/monotonic-clock@0.2.12", "now", true, true),
            (
                "wasi:clocks/monotonic-clock@0.2.12",
                "subscribe-instant",
                true,
                false,
            ),
            (
                "wasi:http/types@0.2.12",
                "[resource-drop]fields",
                true,
                false,
            ),
            ("holm:tool/harness@0.1.0", "call-tool", true, false),
            ("wasi:http/types-and-more", "x", false, false),
            (
                "wasi:sockets/tcp@0.2.12",
                "[method]tcp-socket.start-bind",
                false,
                false,
            ),
            ("wasi:filesystem/types@0.2.12", "x", false, false),
            ("env", "anything", false, false),
        ] {
            assert_eq!(stays(module, name, all), with_all, "{module} {name}");
            assert_eq!(stays(module, name, none), with_none, "{module} {name}");
        }
    }

    #[test]
    fn a_module_that_is_not_ours_is_an_error() {
        for bytes in [&b""[..], b"(module)", &CORE[..CORE.len() / 2]] {
            assert!(component(bytes, Capabilities::default()).is_err());
        }
    }
}
