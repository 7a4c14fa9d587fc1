//! What a program may import.

/// The set of libraries that a context lets its program import (whole paths, slash-joined).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Modules {
    /// Everything that does not reach outside by itself: the default.
    #[default]
    Safe,
    /// Every library there is.
    All,
    /// Only syntax and `import` itself.
    None,
    /// Just these, such as `scheme/base`.
    Only(Vec<String>),
}

impl Modules {
    /// Just these libraries.
    pub fn only(paths: &[&str]) -> Self {
        Self::Only(paths.iter().map(|p| (*p).to_owned()).collect())
    }
}
