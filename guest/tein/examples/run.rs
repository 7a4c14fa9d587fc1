//! Runs a Scheme text from a file or the command line: `cargo run --example run -- '(+ 1 2)'`.

use tein::Context;

fn main() {
    let mut context = match Context::builder().standard_env().tool_env().build() {
        Ok(c) => c,
        Err(e) => {
            eprintln!("boot: {e}");
            std::process::exit(2);
        }
    };
    let stress = std::env::var("TEIN_STRESS").is_ok();
    context.set_gc_stress(stress);
    context.set_step_limit(
        std::env::var("TEIN_STEPS")
            .ok()
            .and_then(|s| s.parse().ok()),
    );
    for arg in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&arg).unwrap_or(arg);
        let result = context.evaluate(&text);
        let [(out, _), (err, _)] = context.take_output();
        print!("{out}");
        eprint!("{err}");
        match result {
            Ok(v) => println!("=> {v:?}"),
            Err(e) => println!("error: {e} at {:?} trace {:?}", e.at, e.trace),
        }
    }
}
