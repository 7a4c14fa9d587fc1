//! Pre-initialisation: runs a core module once and keeps the memory that it leaves, so that every later
//! instance starts there.

#![forbid(unsafe_code)]

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use wasmtime::{
    Config, Engine, Instance, Linker, Module, OptLevel, Store, StoreLimits, StoreLimitsBuilder, Val,
};
use wasmtime_wizer::{InstanceState, SnapshotVal, ValType, Wizer};

/// What the run may use.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// WebAssembly instructions, about.
    pub fuel: u64,
    /// Bytes of linear memory.
    pub memory: usize,
}

impl Bounds {
    /// For a module that is known to end.
    pub const NONE: Self = Self {
        fuel: u64::MAX,
        memory: usize::MAX,
    };
}

/// Calls `run` on an instance of `wasm` and returns the module with its memory as `run` left it. The function
/// exported as `strip`, if there is one, is no export of the new module.
///
/// Every import traps: a snapshot must not depend on where it was made.
///
/// # Errors
/// The module is not valid or cannot be snapshotted, or `run` fails.
pub fn snapshot<T>(
    wasm: &[u8],
    strip: &str,
    bounds: Bounds,
    run: impl FnOnce(&mut Store<StoreLimits>, &Instance) -> wasmtime::Result<T>,
) -> wasmtime::Result<(Vec<u8>, T)> {
    let mut wizer = Wizer::new();
    wizer.init_func(strip);
    let (context, instrumented) = wizer.instrument(wasm)?;

    let mut config = Config::new();
    // It runs once.
    config.cranelift_opt_level(OptLevel::None);
    config.consume_fuel(true);
    let engine = Engine::new(&config)?;
    let module = Module::new(&engine, &instrumented)?;
    let mut linker = Linker::new(&engine);
    linker.define_unknown_imports_as_traps(&module)?;
    let limits = StoreLimitsBuilder::new().memory_size(bounds.memory).build();
    let mut store = Store::new(&engine, limits);
    store.limiter(|limits| limits);
    store.set_fuel(bounds.fuel)?;
    let instance = linker.instantiate(&mut store, &module)?;
    let answer = run(&mut store, &instance)?;

    let mut state = State { store, instance };
    let mut snapshot = pin!(wizer.snapshot(&context, &mut state));
    // The state below never waits, so neither does the snapshot.
    match snapshot
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(wasm) => Ok((wasm?, answer)),
        Poll::Pending => Err(wasmtime::format_err!("the snapshot waited for something")),
    }
}

struct State {
    store: Store<StoreLimits>,
    instance: Instance,
}

impl InstanceState for State {
    #[expect(
        clippy::panic,
        reason = "the trait has no way to fail; the names are wizer's own"
    )]
    async fn global_get(&mut self, name: &str, _: ValType) -> SnapshotVal {
        let global = self.instance.get_global(&mut self.store, name);
        match global.map(|global| global.get(&mut self.store)) {
            Some(Val::I32(x)) => SnapshotVal::I32(x),
            Some(Val::I64(x)) => SnapshotVal::I64(x),
            Some(Val::F32(x)) => SnapshotVal::F32(x),
            Some(Val::F64(x)) => SnapshotVal::F64(x),
            Some(Val::V128(x)) => SnapshotVal::V128(x.as_u128()),
            other => panic!("global `{name}` cannot be kept: {other:?}"),
        }
    }

    #[expect(
        clippy::panic,
        reason = "the trait has no way to fail; the names are wizer's own"
    )]
    async fn memory_contents(&mut self, name: &str, contents: impl FnOnce(&[u8]) + Send) {
        match self.instance.get_memory(&mut self.store, name) {
            Some(memory) => contents(memory.data(&self.store)),
            None => panic!("memory `{name}` is not there"),
        }
    }
}
