//! Puts a loaded tool file into the guest's memory.

use holm_snapshot::{Bounds, snapshot};
use wasmtime::{Instance, Store, StoreLimits};

/// The guest's entry for this; what is left of it afterwards can do nothing.
const EMBED: &str = "holm-embed";
/// The most that running a top level ahead of time may use: far more than a step limit lets it, and an end
/// for a tier without one.
const BOUNDS: Bounds = Bounds {
    fuel: 200_000_000_000,
    memory: 64 << 20,
};

/// The module with the file in it.
///
/// `description` is JSON and `image` the compiled file. `None` when the top level was to run ahead and asked
/// for something outside.
///
/// # Errors
/// The guest refuses them, or does not end.
pub(super) fn embed(
    core: &[u8],
    description: &str,
    image: &[u8],
) -> Result<Option<Vec<u8>>, String> {
    let embedded = snapshot(core, EMBED, BOUNDS, |store, instance| {
        enter(store, instance, description, image)
    });
    let (module, answer) = embedded.map_err(|error| format!("{error:#}"))?;
    Ok(answer?.then_some(module))
}

fn enter(
    store: &mut Store<StoreLimits>,
    instance: &Instance,
    description: &str,
    image: &[u8],
) -> wasmtime::Result<Result<bool, String>> {
    let missing = || wasmtime::format_err!("the guest has no memory");
    let memory = instance
        .get_memory(&mut *store, "memory")
        .ok_or_else(missing)?;
    let room = instance.get_typed_func::<u32, u32>(&mut *store, "holm-room")?;
    let embed = instance.get_typed_func::<u32, u32>(&mut *store, EMBED)?;
    let message = instance.get_typed_func::<(), u64>(&mut *store, "holm-message")?;

    let at = room.call(&mut *store, u32::try_from(description.len() + image.len())?)? as usize;
    memory.write(&mut *store, at, description.as_bytes())?;
    memory.write(&mut *store, at + description.len(), image)?;
    Ok(
        match embed.call(&mut *store, u32::try_from(description.len())?)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => {
                let place = message.call(&mut *store, ())?;
                let (length, at) = ((place >> 32) as usize, place as u32 as usize);
                let mut text = vec![0; length.min(64 << 10)];
                memory.read(&*store, at, &mut text)?;
                Err(String::from_utf8_lossy(&text).into_owned())
            }
        },
    )
}
