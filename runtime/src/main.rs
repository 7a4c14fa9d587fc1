//! The `holm` command.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    holm::cli::run(std::env::args_os()).into()
}
