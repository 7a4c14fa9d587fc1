//! Stand-alone components: the engine and one tool file in a component that any host can run.
//!
//! | file | answers |
//! |---|---|
//! | `function`, `names` | which functions does the component export? |
//! | `wit` | how does that look as WIT? |
//! | `embed` | how does the file get into the engine's memory? |
//! | `adapter` | how does a typed call reach the tool? |
//! | `section` | what does the component say about itself? |
//!
//! Invariants:
//!
//! - It imports what was granted and nothing else, like the components that holm itself runs.
//! - The same file, grants and guest make the same bytes.
//! - Nothing that it says about itself grants anything: whoever runs it decides.

mod adapter;
mod embed;
mod function;
mod names;
mod section;
#[cfg(test)]
mod tests;
mod wit;

pub use function::{Function, Kind, Parameter, functions};
pub use section::{SECTION, Section};

use serde::Serialize;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use crate::registry::{Tool, ToolFile};
use crate::sandbox::{Capabilities, Core, component_imports};

/// A component, and what there is to say about it.
#[derive(Debug, Clone)]
pub struct Built {
    /// The component.
    pub wasm: Vec<u8>,
    /// Its WIT world.
    pub wit: String,
    /// What it says about itself.
    pub section: Section,
}

/// How to build one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Keep the import by which a tool calls other tools. Only holm has it to offer.
    pub call_tool: bool,
}

/// Builds the component of a loaded tool file, for what the file is granted.
///
/// # Errors
/// A tool that WIT cannot name, a top level that fails when it runs at build time, or a fault of this build
/// of holm; each says which.
pub fn build(file: &ToolFile, tools: &[&Tool], options: Options) -> Result<Built, String> {
    if file.source.component.is_some() {
        return Err("it is a component already".to_owned());
    }
    let functions = functions(tools.iter().copied())?;
    let capabilities = file.grants.for_instance().capabilities;
    let core = Core::narrowed(capabilities, options.call_tool).map_err(|e| e.to_string())?;
    let image = file.loaded.image.bytes();

    let mut description = describe(file, &functions, capabilities, options);
    let ahead = embed::embed(core.bytes(), &text(&description)?, image)?;
    let initialised = ahead.is_some();
    let embedded = match ahead {
        Some(module) => module,
        None => {
            description.ahead = false;
            embed::embed(core.bytes(), &text(&description)?, image)?
                .ok_or("the guest did not take the file")?
        }
    };

    let mut module = adapter::add(&embedded, &functions)?;
    add_world(&mut module, &functions)?;
    let mut wasm = ComponentEncoder::default()
        .module(&module)
        .and_then(|encoder| encoder.validate(true).encode())
        .map_err(|error| format!("the module cannot be made into a component: {error:#}"))?;

    let section = Section {
        file: file.source.path.clone(),
        source_sha256: file.digest.clone(),
        guest_sha256: Core::sha256(),
        tier: file.grants.tier.number(),
        initialised,
        tools: tools.iter().map(|tool| tool.name.clone()).collect(),
        http_declared: file.loaded.manifest.http_allow.clone(),
        http_granted: file.grants.http.iter().map(ToString::to_string).collect(),
        environment: file.grants.environment.clone(),
        ..Section::new()
    };
    section.append(&mut wasm)?;
    let wit = world(file, &functions, &wasm)?;
    Ok(Built { wasm, wit, section })
}

/// The WIT world of the component that [`build`] would make.
///
/// # Errors
/// As [`build`], but nothing of the file is run.
pub fn wit(file: &ToolFile, tools: &[&Tool], options: Options) -> Result<String, String> {
    let functions = functions(tools.iter().copied())?;
    let capabilities = file.grants.for_instance().capabilities;
    let core = Core::narrowed(capabilities, options.call_tool).map_err(|e| e.to_string())?;
    let component = core.component().map_err(|e| e.to_string())?;
    world(file, &functions, &component)
}

fn world(file: &ToolFile, functions: &[Function], component: &[u8]) -> Result<String, String> {
    let imports = component_imports(component).map_err(|e| e.to_string())?;
    let name = file.source.path.rsplit('/').next().unwrap_or_default();
    let stem = name.strip_suffix(".scm").unwrap_or(name);
    let name = names::kebab(stem).unwrap_or_else(|| "tool".to_owned());
    let imports: Vec<String> = imports.into_keys().collect();
    Ok(wit::world(&name, &imports, functions))
}

/// Tells the module's encoder of the typed exports.
fn add_world(module: &mut Vec<u8>, functions: &[Function]) -> Result<(), String> {
    let mut resolve = Resolve::default();
    resolve
        .push_str("standalone.wit", &wit::exports(functions))
        .and_then(|package| resolve.select_world(&[package], Some("typed")))
        .and_then(|world| embed_component_metadata(module, &resolve, world, StringEncoding::UTF8))
        .map_err(|error| format!("the typed exports: {error:#}"))
}

/// What the guest is told, in its own words (`standalone` in the guest reads it).
#[derive(Debug, Serialize)]
struct Description<'a> {
    file: &'a str,
    steps: Option<u64>,
    unrestricted: bool,
    http: bool,
    environment: bool,
    harness: bool,
    output_limit: u32,
    tools: Vec<ToolDescription<'a>>,
    http_allow: &'a [String],
    hooks: &'a [String],
    signatures: Vec<Signature<'a>>,
    ahead: bool,
}

#[derive(Debug, Serialize)]
struct ToolDescription<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a str,
    category: &'a str,
    summary_params: &'a [String],
}

#[derive(Debug, Serialize)]
struct Signature<'a> {
    tool: &'a str,
    parameters: Vec<ParameterDescription<'a>>,
}

#[derive(Debug, Serialize)]
struct ParameterDescription<'a> {
    name: &'a str,
    kind: Kind,
    optional: bool,
}

fn describe<'a>(
    file: &'a ToolFile,
    functions: &'a [Function],
    capabilities: Capabilities,
    options: Options,
) -> Description<'a> {
    let manifest = &file.loaded.manifest;
    let tools = manifest.tools.iter().map(|tool| ToolDescription {
        name: &tool.name,
        description: &tool.description,
        parameters: &tool.parameters,
        category: &tool.category,
        summary_params: &tool.summary_params,
    });
    let signatures = functions.iter().map(|function| Signature {
        tool: &function.tool,
        parameters: function
            .parameters
            .iter()
            .map(|parameter| ParameterDescription {
                name: &parameter.argument,
                kind: parameter.kind,
                optional: parameter.optional,
            })
            .collect(),
    });
    Description {
        file: &file.source.path,
        steps: file.grants.limits.steps,
        unrestricted: file.grants.is_unrestricted(),
        http: capabilities.http,
        environment: capabilities.environment,
        harness: options.call_tool,
        output_limit: file.grants.limits.output,
        tools: tools.collect(),
        http_allow: &manifest.http_allow,
        hooks: &manifest.hooks,
        signatures: signatures.collect(),
        ahead: true,
    }
}

fn text(description: &Description<'_>) -> Result<String, String> {
    serde_json::to_string(description).map_err(|error| error.to_string())
}
