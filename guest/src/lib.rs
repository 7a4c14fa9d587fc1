//! The component that runs a tool: the engine, wired to the imports of `wit/`.
//!
//! ```text
//! exports  WIT types in and out, nothing else
//! harness  what load and call mean, in plain Rust types and testable without wasm
//! world    what the engine may ask of its surroundings, over the imports
//! http     one HTTP exchange over wasi:http
//! memory   the allocator
//! typed    the typed exports of a component that holds its tool file
//! ```
//!
//! Invariant: an import is called only when `settings.capabilities` says that the
//! component has it. The host takes the others away, and calling one traps.

#[allow(missing_docs, unsafe_code, unreachable_pub, clippy::all)]
mod bindings {
    wit_bindgen::generate!({
        path: "../wit",
        world: "full",
        generate_all,
    });
}

// The names of the exports are no names for a native linker, so a native build is the
// harness and its tests.
#[cfg(target_arch = "wasm32")]
mod exports;
pub mod harness;
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
mod http;
#[cfg(target_arch = "wasm32")]
mod memory;
#[cfg(target_arch = "wasm32")]
mod typed;
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
mod world;
