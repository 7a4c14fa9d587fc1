//! What a component can reach, read off the component itself.

use std::collections::BTreeMap;
use wasmtime::component::Component;
use wasmtime::component::types::ComponentItem;

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
