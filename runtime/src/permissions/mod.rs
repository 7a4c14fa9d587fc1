//! Who is asked before a tool runs.
//!
//! A tool declares a category, and some categories ask: `network`, `shell` and
//! `fs_write`. The question shows what will run, taken from the arguments themselves. An
//! answer lets a call start and nothing more; what the call can reach is decided by grants.
//!
//! Someone has to be there to answer: with no [`Approver`], the answer is no.

#![forbid(unsafe_code)]

mod category;
mod summary;

use serde_json::{Map, Value};

pub use category::Category;
pub use summary::summary;

/// What a refused call answers, in the words that models of the reference have seen.
pub const DENIED: &str = "Permission denied: permission denied";

/// A call that wants to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Name of the tool.
    pub tool: String,
    /// Why it is asked.
    pub category: Category,
    /// What will run, on one line and safe to show.
    pub details: String,
}

/// Answers questions. It may block, and is asked from a thread where that does no harm.
pub trait Approver: Send + Sync {
    /// True lets the call start.
    fn approve(&self, question: &Question) -> bool;
}

/// Says yes to everything: `--yes`.
#[derive(Debug, Clone, Copy)]
pub struct AllowAll;

impl Approver for AllowAll {
    fn approve(&self, _: &Question) -> bool {
        true
    }
}

/// The question that a call asks, or `None` when its category asks nothing.
#[must_use]
pub fn question(
    tool: &str,
    category: Category,
    summary_params: &[String],
    arguments: &Map<String, Value>,
) -> Option<Question> {
    // The argument that says most about a call of this category.
    let telling = match category {
        Category::FsWrite => "path",
        Category::Shell => "command",
        Category::Network => "url",
        _ => return None,
    };
    let details = match arguments.get(telling) {
        Some(Value::String(text)) if !text.is_empty() => summary::shown(text),
        _ => summary(summary_params, arguments).unwrap_or_else(|| "(no details)".to_owned()),
    };
    Some(Question {
        tool: crate::visible::line(tool),
        category,
        details,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Map<String, Value> {
        match serde_json::from_str(text) {
            Ok(Value::Object(map)) => map,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_some_categories_ask() {
        let asking: Vec<_> = Category::ALL
            .into_iter()
            .filter(|category| question("t", *category, &[], &Map::new()).is_some())
            .collect();
        assert_eq!(
            asking,
            [Category::FsWrite, Category::Shell, Category::Network]
        );
    }

    #[test]
    fn the_telling_argument_comes_before_the_summary() {
        let details = |category, text: &str| {
            question("t", category, &["q".to_owned()], &arguments(text))
                .map(|question| question.details)
        };
        let told = details(Category::Network, r#"{"url":"https://a/","q":"x"}"#);
        assert_eq!(told.as_deref(), Some("https://a/"));
        let told = details(Category::Network, r#"{"url":"","q":"x"}"#);
        assert_eq!(told.as_deref(), Some("x"));
        assert_eq!(
            details(Category::Shell, "{}").as_deref(),
            Some("(no details)")
        );
        let told = details(Category::FsWrite, r#"{"path":"/a\u001b[2J"}"#);
        assert_eq!(told.as_deref(), Some("/a\\u{1b}[2J"));
    }
}
