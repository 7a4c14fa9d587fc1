//! Guests that are written by an attacker, in no language at all: the second wall must
//! hold as if tein were not there.
//!
//! Each of them is a core module in text form that speaks `wasi:http` and the rest
//! directly, made into a component here and run where a tool's call runs tein. Each ends in
//! its named error; the next call is served as ever; and instances, connections, tasks
//! and file descriptors are back where they were.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy.toml lifts these inside test functions only; here the helpers are tests too"
)]

mod guests;
mod load;
mod redirects;
mod rules;
mod servers;
mod wall;
