//! The engine on small programs, natively: `cargo bench -p tein [-- PART-OF-NAME ...]`.
//!
//! Where `chibi-scheme` is on the PATH the same text runs there too, in the same session, and
//! the ratio is printed: absolute times say little on a shared machine. The bench of the same
//! name in the runtime runs these programs inside the guest component.

use std::time::Duration;

mod shared;

use shared::{Native, Program};

/// Where the programs are, from this crate's directory.
const PROGRAMS: &str = "benches/programs";
/// Runs of each program; the shortest counts.
const ROUNDS: usize = 5;

fn measure(program: &Program) -> Result<Duration, String> {
    let mut native = Native::load(program)?;
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        best = best.min(native.time(shared::wall)?);
    }
    Ok(best)
}

fn main() -> Result<(), String> {
    println!("{:<14} {:>10} {:>10}", "program", "tein ms", "of chibi");
    let mut ratios = Vec::new();
    for program in shared::programs()? {
        let best = measure(&program).map_err(|e| format!("{}: {e}", program.name))?;
        let ratio = shared::chibi(&program, ROUNDS).map(|c| best.as_secs_f64() / c.as_secs_f64());
        ratios.extend(ratio);
        println!(
            "{:<14} {:>10.2} {:>10}",
            program.name,
            best.as_secs_f64() * 1e3,
            shared::shown(ratio)
        );
    }
    if let Some(mean) = shared::geometric_mean(&ratios) {
        println!("geometric mean of the ratios: {mean:.2}");
    }
    Ok(())
}
