//! Runs the guest's initialisation once, so that no instance ever reads the prelude again.

use holm_snapshot::Bounds;

const INITIALISE: &str = "wizer-initialize";

/// The core module with its memory as `wizer-initialize` leaves it.
pub(crate) fn initialised(wasm: &[u8]) -> wasmtime::Result<Vec<u8>> {
    let (wasm, ()) = holm_snapshot::snapshot(wasm, INITIALISE, Bounds::NONE, |store, instance| {
        let initialise = instance.get_typed_func::<(), ()>(&mut *store, INITIALISE)?;
        initialise.call(store, ())
    })?;
    Ok(wasm)
}
