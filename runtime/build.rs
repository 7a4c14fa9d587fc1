//! Tells the code which wasmtime it is built with, which the crate does not say itself.

use std::error::Error;

const LOCK: &str = "../Cargo.lock";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={LOCK}");
    let lock = std::fs::read_to_string(LOCK)?;
    let version = lock
        .split("[[package]]")
        .find(|package| package.contains("\nname = \"wasmtime\"\n"))
        .and_then(|package| package.split("version = \"").nth(1)?.split('"').next())
        .ok_or("Cargo.lock has no wasmtime")?;
    println!("cargo::rustc-env=HOLM_WASMTIME_VERSION={version}");
    Ok(())
}
