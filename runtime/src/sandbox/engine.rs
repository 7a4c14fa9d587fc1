//! The wasmtime engine that every instance of a sandbox shares.

use std::time::Duration;
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig,
};

/// How often a running guest gives way, so that a deadline and other calls get their
/// turn: a hundredth of a second is invisible in a limit of seconds.
pub(super) const TICK: Duration = Duration::from_millis(10);

/// Bytes of native stack for guest code. The engine in the guest keeps Scheme's stack
/// in its own memory, so this holds the interpreter's frames only.
const WASM_STACK: usize = 1 << 20;
/// Bytes of a whole fiber stack: the guest's, and 1 MiB for host functions.
const FIBER_STACK: usize = 2 << 20;
/// Bytes of linear memory that a slot keeps after a call, reset by copying only the
/// pages that were written: saves the page faults of the next call.
const KEPT_RESIDENT: usize = 4 << 20;
/// Bytes of a table that a slot keeps, likewise.
const TABLE_KEPT_RESIDENT: usize = 64 << 10;
/// Core instances in one component: the module, and two that wit-component adds.
const CORE_INSTANCES: u32 = 4;

/// An engine with room for `instances` at a time.
///
/// # Errors
///
/// When this machine cannot run wasmtime's generated code.
pub(super) fn new(instances: u32) -> wasmtime::Result<Engine> {
    let pooled = Engine::new(&config(Some(instances)));
    // Where address space is rationed (`ulimit -v`) the pool cannot be reserved.
    // Instances are then mapped one by one, slower but the same otherwise.
    let engine = match pooled {
        Ok(engine) => engine,
        Err(_) => Engine::new(&config(None))?,
    };
    tick(&engine)?;
    Ok(engine)
}

fn config(instances: Option<u32>) -> Config {
    let mut config = Config::new();
    config
        .cranelift_opt_level(OptLevel::Speed)
        .epoch_interruption(true)
        .memory_init_cow(true)
        .parallel_compilation(true)
        .concurrency_support(false)
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(FIBER_STACK)
        // A stripped guest has no names to show in a backtrace, and without the
        // address map the compiled code is smaller and loads faster.
        .wasm_backtrace_max_frames(None)
        .generate_address_map(false);
    if let Some(instances) = instances {
        let mut pool = PoolingAllocationConfig::new();
        pool.total_component_instances(instances)
            .total_core_instances(instances.saturating_mul(CORE_INSTANCES))
            .total_memories(instances)
            .total_tables(instances.saturating_mul(CORE_INSTANCES))
            .total_stacks(instances)
            .max_memories_per_component(1)
            .max_core_instances_per_component(CORE_INSTANCES)
            .linear_memory_keep_resident(KEPT_RESIDENT)
            .table_keep_resident(TABLE_KEPT_RESIDENT)
            // Without it (Linux 6.7) all of what is kept would be reset, written or not.
            .pagemap_scan(Enabled::Auto);
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    }
    config
}

/// Advances the epoch for as long as the engine lives.
fn tick(engine: &Engine) -> wasmtime::Result<()> {
    // Weak: the thread must not keep the engine, and so itself, alive.
    let engine = engine.weak();
    std::thread::Builder::new()
        .name("holm-epoch".to_owned())
        .spawn(move || {
            while let Some(engine) = engine.upgrade() {
                engine.increment_epoch();
                drop(engine);
                std::thread::sleep(TICK);
            }
        })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ticker_lets_the_engine_go() {
        let engine = new(1).unwrap();
        let weak = engine.weak();
        drop(engine);
        let gone = (0..200).any(|_| {
            std::thread::sleep(TICK);
            weak.upgrade().is_none()
        });
        assert!(gone);
    }
}
