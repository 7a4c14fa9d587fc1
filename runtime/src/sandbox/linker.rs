//! Which implementations an instance is given: one function for each capability, and
//! nothing that the capability set does not name.

use super::Capabilities;
use super::bindings::holm::tool::harness;
use super::host::{HasHost, HasTable, Host};
use super::outgoing;
use wasmtime::component::Linker;
use wasmtime::{Engine, Result};
use wasmtime_wasi::WasiView;
use wasmtime_wasi::cli::{WasiCli, WasiCliView as _};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView as _};
use wasmtime_wasi::p2::bindings::{cli, clocks, io, random};
use wasmtime_wasi::random::WasiRandom;
use wasmtime_wasi_http::p2::add_only_http_to_linker_async;

/// A linker for one set of capabilities.
pub(super) fn linker(engine: &Engine, capabilities: Capabilities) -> Result<Linker<Host>> {
    let mut linker = Linker::new(engine);
    base(&mut linker)?;
    if capabilities.environment {
        cli::environment::add_to_linker::<Host, WasiCli>(&mut linker, Host::cli)?;
    }
    if capabilities.http {
        http(&mut linker)?;
    }
    Ok(linker)
}

fn base(linker: &mut Linker<Host>) -> Result<()> {
    clocks::wall_clock::add_to_linker::<Host, WasiClocks>(linker, Host::clocks)?;
    clocks::monotonic_clock::add_to_linker::<Host, WasiClocks>(linker, Host::clocks)?;
    random::random::add_to_linker::<Host, WasiRandom>(linker, |host| host.ctx().ctx.random())?;
    harness::add_to_linker::<Host, HasHost>(linker, |host| host)
}

fn http(linker: &mut Linker<Host>) -> Result<()> {
    io::error::add_to_linker::<Host, HasTable>(linker, Host::table)?;
    io::poll::add_to_linker::<Host, HasTable>(linker, Host::table)?;
    io::streams::add_to_linker::<Host, HasTable>(linker, Host::table)?;
    add_only_http_to_linker_async(linker)?;
    outgoing::replace(linker)
}
