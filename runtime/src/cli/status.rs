//! How the command ends.

use std::process::ExitCode;

/// The exit code of `holm`, decided in one place per command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// 0: it worked.
    Success = 0,
    /// 1: the tool ended in an error, or a checked file does not load.
    ToolError = 1,
    /// 2: the command line or the configuration is wrong, or holm itself cannot work.
    Usage = 2,
    /// 3: refused by policy or permission; the tool did not run.
    Refused = 3,
    /// 4: the call reached a limit.
    Limit = 4,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}
