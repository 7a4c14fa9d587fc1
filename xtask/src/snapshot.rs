//! Runs the guest's initialisation once and keeps the memory it leaves, so that no
//! instance ever reads the prelude again.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use wasmtime::{Config, Engine, Instance, Linker, Module, OptLevel, Store, Val};
use wasmtime_wizer::{InstanceState, SnapshotVal, ValType, Wizer};

/// The core module with its memory as `wizer-initialize` leaves it.
pub(crate) fn initialised(wasm: &[u8]) -> wasmtime::Result<Vec<u8>> {
    let wizer = Wizer::new();
    let (context, instrumented) = wizer.instrument(wasm)?;

    let mut config = Config::new();
    // It runs once.
    config.cranelift_opt_level(OptLevel::None);
    let engine = Engine::new(&config)?;
    let module = Module::new(&engine, &instrumented)?;
    let mut linker = Linker::new(&engine);
    // A snapshot must not depend on where it was made: every import traps.
    linker.define_unknown_imports_as_traps(&module)?;
    let mut store = Store::new(&engine, ());
    let instance = linker.instantiate(&mut store, &module)?;
    let initialise = instance.get_typed_func::<(), ()>(&mut store, wizer.get_init_func())?;
    initialise.call(&mut store, ())?;

    let mut state = State { store, instance };
    let mut snapshot = pin!(wizer.snapshot(&context, &mut state));
    // The state below never waits, so neither does the snapshot.
    match snapshot
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(wasm) => wasm,
        Poll::Pending => Err(wasmtime::format_err!("the snapshot waited for something")),
    }
}

struct State {
    store: Store<()>,
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
