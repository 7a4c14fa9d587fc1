//! From data to syntax trees: identifiers, environments, macros and the core forms.
//!
//! Hygiene is by renaming (R7RS 4.3): each expansion of a macro replaces the symbols that its
//! template inserts by fresh *aliases*, objects that remember the symbol and the scope of the
//! macro's definition. An identifier is looked up as it stands, and an alias that nothing binds
//! is looked up again as its symbol in its own scope. Quoting strips aliases.

pub(crate) mod ast;
mod body;
mod core_forms;
pub(crate) mod environment;
pub(crate) mod expand;
mod macros;
pub(crate) mod procedural;
mod quasi;
mod syntax_case;
mod syntax_objects;

pub(crate) use core_forms::Core;
pub(crate) use environment::{Denotation, EnvId, Globals, ScopeRef, Syntax};
pub(crate) use macros::compile as compile_macro;
