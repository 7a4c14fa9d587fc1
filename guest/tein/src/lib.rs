//! tein: a sandboxed R7RS Scheme in safe Rust, with no I/O of its own.
//!
//! Text goes through [`reader`](self) → `syntax` (expansion to a small tree) → `compile` (register
//! code) → `vm`, beside `heap` (index arenas), `prims` (natives) and `lib` (Scheme sources of the
//! libraries). Invariants: nothing here does I/O, everything that touches the world goes through
//! [`world::World`]; Rust never recurses into the machine; every index in compiled code is in range;
//! a collection happens only at safe points.
#![forbid(unsafe_code)]

mod code;
mod compile;
mod context;
mod convert;
mod equal;
mod error;
mod hash;
mod heap;
mod image;
mod interact;
mod introspect;
mod library;
mod native_stack;
pub mod number;
mod port;
mod prims;
mod printer;
mod program;
mod reader;
pub mod sandbox;
mod strip;
mod syntax;
mod table;
mod text;
mod value;
mod vm;
pub mod world;

pub use context::{Context, ContextBuilder, Error, Failure, Nowhere, Result, Value};
pub use error::Limit;
pub use interact::{Evaluated, Form};
