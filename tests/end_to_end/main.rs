//! End-to-end tests: the real binary, real tool files, real servers on loopback.
//!
//! One binary, since linking it is what costs. `project` is a folder with a configuration
//! and the command run in it, `server` an HTTP server that remembers what it was asked.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy.toml lifts these inside test functions only; here the helpers are tests too"
)]

mod appendix_b;
mod audit;
mod check;
mod commands;
mod configuration;
mod deep;
mod eval;
mod golden;
mod hooks;
mod isolation;
mod limits;
mod mcp;
mod nested;
mod permissions;
mod project;
mod readme;
mod record;
mod refusals;
mod reload;
mod schemas;
mod server;
mod skills;
mod state;
mod swarm;
#[cfg(target_os = "linux")]
mod terminal;
mod tls;
#[cfg(target_os = "linux")]
mod tutorial;
mod values;
mod wall;
mod worked_example;
