//! The hook against real servers on loopback.

mod bounds;
mod cases;
mod refusals;
mod support;
mod tls;
