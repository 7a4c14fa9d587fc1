//! What a tool says it does, in one word.

use std::fmt;

/// The category of a tool. It decides who is asked before a call, and never what the
/// tool can reach: that is decided by grants alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// `memory`
    Memory,
    /// `fs_read`
    FsRead,
    /// `fs_write`
    FsWrite,
    /// `shell`
    Shell,
    /// `network`
    Network,
    /// `index`
    Index,
    /// `flow`
    Flow,
    /// `vfs`
    Vfs,
    /// `eval`
    Eval,
    /// `synthesised`, and every word that is not one of the others.
    Synthesised,
}

impl Category {
    /// Every category, in the order of the documentation.
    pub const ALL: [Self; 10] = [
        Self::Memory,
        Self::FsRead,
        Self::FsWrite,
        Self::Shell,
        Self::Network,
        Self::Index,
        Self::Flow,
        Self::Vfs,
        Self::Eval,
        Self::Synthesised,
    ];

    /// The category that a tool file declares with `word`. An unknown word is
    /// [`Category::Synthesised`], and so are `plugin` and `mcp`: a tool file is neither.
    #[must_use]
    pub fn declared(word: &str) -> Self {
        Self::named(word).unwrap_or(Self::Synthesised)
    }

    /// The category that is spelled exactly `word`.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|category| category.as_str() == word)
    }

    /// The word itself.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::FsRead => "fs_read",
            Self::FsWrite => "fs_write",
            Self::Shell => "shell",
            Self::Network => "network",
            Self::Index => "index",
            Self::Flow => "flow",
            Self::Vfs => "vfs",
            Self::Eval => "eval",
            Self::Synthesised => "synthesised",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip_and_the_rest_is_synthesised() {
        for category in Category::ALL {
            assert_eq!(Category::declared(category.as_str()), category);
        }
        for word in ["plugin", "mcp", "Network", "", "builtin"] {
            assert_eq!(Category::declared(word), Category::Synthesised, "{word}");
        }
    }
}
