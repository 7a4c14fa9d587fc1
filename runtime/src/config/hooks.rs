//! `[tools.hooks]`: which hooks a file may register. Elsewhere registration has no effect.

use std::fmt;

use toml::Spanned;
use toml::de::DeValue;

use super::document::{Key, Reader};
use super::keys::HOOKS;

/// A point of a call at which a hook is asked. A hook can refuse or change what it is
/// shown; none can grant anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hook {
    /// Before the permission gate: may change the arguments or block the call.
    PreTool,
    /// After the call: told the result.
    PostTool,
    /// Before the caller gets the result: may change it or block it.
    PreToolOutput,
    /// After the caller got the result.
    PostToolOutput,
    /// When the gate checks a tool of category `network`: may deny.
    PreFetchUrl,
    /// When the gate checks a tool of category `fs_read`: may deny.
    PreFileRead,
    /// When the gate checks a tool of category `fs_write`: may deny.
    PreFileWrite,
    /// When the gate checks a tool of category `shell`: may deny.
    PreShellExec,
    /// Before tools are listed: may leave some out.
    PreApiTools,
}

impl Hook {
    /// Every hook, in the order of a call.
    pub const ALL: [Self; 9] = [
        Self::PreTool,
        Self::PostTool,
        Self::PreToolOutput,
        Self::PostToolOutput,
        Self::PreFetchUrl,
        Self::PreFileRead,
        Self::PreFileWrite,
        Self::PreShellExec,
        Self::PreApiTools,
    ];

    /// The name that a tool file registers it under.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PreTool => "pre_tool",
            Self::PostTool => "post_tool",
            Self::PreToolOutput => "pre_tool_output",
            Self::PostToolOutput => "post_tool_output",
            Self::PreFetchUrl => "pre_fetch_url",
            Self::PreFileRead => "pre_file_read",
            Self::PreFileWrite => "pre_file_write",
            Self::PreShellExec => "pre_shell_exec",
            Self::PreApiTools => "pre_api_tools",
        }
    }

    /// The hook of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hook| hook.as_str() == name)
    }
}

impl fmt::Display for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Reads a value of `[tools.hooks]`: a list of names, or `"all"`.
pub(super) fn read(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
) -> Option<Vec<Hook>> {
    if let DeValue::String(_) = value.get_ref() {
        reader.word(key, value, &["all"])?;
        return Some(Hook::ALL.to_vec());
    }
    let items = reader.array(key, value, "a list of hooks, or \"all\"")?;
    let mut hooks = Vec::new();
    for item in items {
        let hook = reader.word(key, item, &HOOKS).and_then(Hook::named);
        if let Some(hook) = hook.filter(|hook| !hooks.contains(hook)) {
            hooks.push(hook);
        }
    }
    Some(hooks)
}
