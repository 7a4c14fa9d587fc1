//! How the command ends.

use std::process::ExitCode;

/// The exit code of `holm`, decided in one place per command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: it worked.
    Success,
    /// 1: the tool ended in an error, or a checked file does not load.
    ToolError,
    /// 2: the command line or the configuration is wrong, or holm itself cannot work.
    Usage,
    /// 3: refused by policy or permission; the tool did not run.
    Refused,
    /// 4: the call reached a limit.
    Limit,
    /// What an evaluated program gave to `exit`.
    Program(u8),
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(match status {
            ExitStatus::Success => 0,
            ExitStatus::ToolError => 1,
            ExitStatus::Usage => 2,
            ExitStatus::Refused => 3,
            ExitStatus::Limit => 4,
            ExitStatus::Program(code) => code,
        })
    }
}
