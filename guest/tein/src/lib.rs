//! tein: a sandboxed R7RS Scheme in safe Rust, with no I/O of its own.
#![forbid(unsafe_code)]

pub mod number;
pub mod world;
