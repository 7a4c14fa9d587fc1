//! holm: a runtime for tools that a language model may call and that nobody has reviewed.

pub mod cli;
pub mod config;
pub mod egress;
pub mod grants;
pub mod limits;
pub mod registry;
pub mod sandbox;
