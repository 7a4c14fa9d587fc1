//! From syntax trees to register code.

mod analysis;
mod emit;
mod inline;

pub(crate) use emit::{Unit, compile};
