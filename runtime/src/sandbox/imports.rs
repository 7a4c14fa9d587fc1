//! What a component can reach, read off the component itself.

use std::collections::BTreeMap;
use wasmtime::component::Component;
use wasmtime::component::types::ComponentItem;
use wit_component::DecodedWasm;
use wit_parser::{WorldItem, WorldKey};

/// The interfaces that a component imports (with their versions) and the functions it
/// uses of each, sorted. Types are left out: they reach nothing.
pub type Imports = BTreeMap<String, Vec<String>>;

/// Walks the imports of a component.
///
/// An import that is not an interface appears under its own name with no functions.
#[must_use]
pub fn imports(component: &Component) -> Imports {
    let engine = component.engine();
    let ty = component.component_type();
    let mut found = Imports::new();
    for (name, item) in ty.imports(engine) {
        let functions = found.entry(name.to_owned()).or_default();
        if let ComponentItem::ComponentInstance(instance) = item.ty {
            functions.extend(
                instance
                    .exports(engine)
                    .filter(|(_, item)| matches!(item.ty, ComponentItem::ComponentFunc(_)))
                    .map(|(name, _)| name.to_owned()),
            );
            functions.sort();
        }
    }
    found
}

/// The imports of any component, read from its bytes without compiling it, in the form of
/// [`imports`].
///
/// # Errors
///
/// The bytes are no component.
pub fn component_imports(component: &[u8]) -> Result<Imports, String> {
    // The decoder takes more than components: core modules with metadata, WIT packages.
    if !wasmparser::Parser::is_component(component) {
        return Err("it is not a component".to_owned());
    }
    let decoded = wit_component::decode(component).map_err(|error| format!("{error:#}"))?;
    let DecodedWasm::Component(resolve, world) = decoded else {
        return Err("it is a WIT package and not a component".to_owned());
    };
    let mut found = Imports::new();
    for (key, item) in &resolve.worlds[world].imports {
        let name = match key {
            WorldKey::Name(name) => name.clone(),
            WorldKey::Interface(id) => resolve
                .id_of(*id)
                .ok_or("it imports an interface without a name")?,
        };
        let functions = found.entry(name).or_default();
        if let WorldItem::Interface { id, .. } = item {
            functions.extend(resolve.interfaces[*id].functions.keys().cloned());
            functions.sort();
        }
    }
    Ok(found)
}
