//! The command line.

#![forbid(unsafe_code)]

mod printer;
mod prompt;
mod status;

pub use printer::Printer;
pub use status::ExitStatus;

/// Runs the command.
pub fn run(_: impl IntoIterator<Item = std::ffi::OsString>) -> ExitStatus {
    ExitStatus::Success
}
