//! The hook against real servers on loopback.

mod bounds;
mod cases;
mod connections;
mod http2;
mod refusals;
mod support;
mod tls;
