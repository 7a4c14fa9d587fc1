//! holm: a runtime for tools that a language model may call and that nobody has reviewed.
//!
//! A tool is a Scheme source file. Each call of it runs in a fresh WebAssembly component
//! instance that imports only what the operator granted. This crate is the library behind
//! the `holm` command; a program may also use it directly.
//!
//! # The way of a call
//!
//! ```text
//! source -> load -> manifest + image -> registry
//! call -> policy -> permission -> grants -> instance -> outcome -> caller
//! ```
//!
//! | module | question it answers |
//! |---|---|
//! | [`config`] | what did the operator decide? |
//! | [`registry`] | which tools are there, and what is each file given? |
//! | [`grants`] | does a grant cover this URL, this address, this file? |
//! | [`policy`] | which tools may a principal reach? |
//! | [`schema`] | what is a model told of a tool, and do its arguments fit? |
//! | [`permissions`] | who is asked before a call? |
//! | [`sandbox`] | how does a call run, and what can its instance import? |
//! | [`egress`] | what happens to a request on its way out? |
//! | [`limits`] | how much may a call use? |
//! | [`signing`] | who made this component? |
//! | [`standalone`] | how does a tool become a component of its own? |
//! | [`audit`] | what can a tool reach, and is that what was agreed to? |
//! | [`mcp`] | who is served over MCP, and what are they answered? |
//! | [`call_log`] | what is kept of every call? |
//! | [`cli`] | what does the command line say and do? |
//! | [`diagnostic`], [`visible`] | how is the user told, and how is a tool's text shown safely? |
//!
//! # What always holds
//!
//! - Nothing is granted by default, and no code behind [`config`] compares strings to decide a grant.
//! - A tool file's own declarations grant nothing unless the operator trusts them by name.
//! - Loading a file never sends a request.
//! - Values of granted variables are read per call and live as long as the call.
//! - Bad input is an error value: nothing that a tool, a model or a file says makes holm panic.

pub mod audit;
pub mod call_log;
pub mod cli;
pub mod config;
pub mod diagnostic;
pub mod egress;
mod files;
pub mod grants;
mod hex;
pub mod limits;
pub mod mcp;
pub mod permissions;
pub mod policy;
pub mod registry;
pub mod sandbox;
pub mod schema;
pub mod signing;
pub mod standalone;
pub mod visible;
