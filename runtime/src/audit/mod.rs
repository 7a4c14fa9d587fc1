//! What can this tool reach? Read from the components that are instantiated and the grants that are enforced, and
//! from nothing that a tool says about itself.
//!
//! | file | answers |
//! |---|---|
//! | `report` | what does an audit say? |
//! | `collect` | where does it know that from? |
//! | `findings` | what should somebody look at? |
//! | `used` | what did the tools really reach? |
//! | `text`, `markdown`, `sarif` | how is it shown to people, in a pull request, to a code host? |
//! | `lock` | what has changed since somebody agreed to it? |
//! | `foreign` | what does any other component import? |

#![forbid(unsafe_code)]

mod collect;
mod findings;
mod foreign;
mod lock;
mod markdown;
mod report;
mod sarif;
mod text;
mod used;

pub use collect::{Inputs, audit};
pub use findings::{RULES, RuleInfo};
pub use foreign::{Component, Import, component};
pub use lock::{Change, Direction, FILE_NAME as LOCK_FILE, Lock, LockError};
pub use markdown::markdown;
pub use report::{
    Decision, Engine, EnvironmentReport, FileReport, Finding, Grant, HooksReport, HttpReport,
    LimitsReport, Report, Severity, ToolReport,
};
pub use sarif::sarif;
pub use text::{changes, text};
pub use used::Used;
