//! Skill files: a Nostr-style event in JSON, or a `SKILL.md` with front matter.
//!
//! | file | where the tools are |
//! |---|---|
//! | `*.json` | `tags`: `["tools", "a,b"]` and `["requires_tool", "c"]`, each any number of times |
//! | `*.md` | front matter: `tools`, `allowed-tools`, `requires_tool`, each a text or a list |
//!
//! The text of `allowed-tools` may have blanks between its names, as the format of `SKILL.md`
//! has it; that of `tools` has commas. A file without any of them has no policy. A file that
//! cannot be understood is an error: reading it as "no policy" would give its skill every tool.

use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::selection::SelectionBuilder;

/// Bytes of a skill file: a hundred pages.
pub const LARGEST_SKILL: u64 = 1 << 20;

/// Reads the skill file at `path`.
///
/// # Errors
///
/// Why it cannot be read or understood.
pub fn read(path: &Path) -> Result<SelectionBuilder, String> {
    let metadata =
        std::fs::metadata(path).map_err(|error| format!("it cannot be read: {error}"))?;
    if !metadata.is_file() {
        return Err("it is not a file".to_owned());
    }
    if metadata.len() > LARGEST_SKILL {
        return Err(format!("it is larger than {LARGEST_SKILL} bytes"));
    }
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("it cannot be read: {error}"))?;
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("json") => event(&text),
        Some("md" | "markdown") => front_matter(&text),
        _ => Err("its name ends neither in `.json` nor in `.md`".to_owned()),
    }
}

/// Reads the JSON of a skill event.
///
/// # Errors
///
/// It is not an object with `tags`, or one of the tags is not a list of texts.
pub fn event(text: &str) -> Result<SelectionBuilder, String> {
    let Event(tags) =
        serde_json::from_str(text).map_err(|error| format!("it is not a skill event: {error}"))?;
    from_tags(&tags)
}

/// Reads tags.
///
/// # Errors
///
/// A tag is not a list of texts, or there is no list of tags.
pub fn from_tags(tags: &Value) -> Result<SelectionBuilder, String> {
    let Value::Array(tags) = tags else {
        return Err("`tags` is not a list of tags".to_owned());
    };
    let mut builder = SelectionBuilder::new();
    for (index, tag) in tags.iter().enumerate() {
        let words: Option<Vec<&str>> = tag
            .as_array()
            .map(|words| words.iter().map(Value::as_str).collect())
            .unwrap_or(None);
        let Some(words) = words else {
            return Err(format!("tag {} is not a list of texts", index + 1));
        };
        match words.split_first() {
            Some((&"tools", [text])) => builder.text(*text),
            // Without a value it names nothing; with several they are one list.
            Some((&"tools", items)) => {
                builder.items(items.iter().map(|item| (*item).to_owned()).collect());
            }
            Some((&"requires_tool", [])) => builder.requires(""),
            Some((&"requires_tool", names)) => {
                for name in names {
                    builder.requires(*name);
                }
            }
            _ => {}
        }
    }
    Ok(builder)
}

/// Reads the front matter of a `SKILL.md`: YAML between two lines of `---` at its start.
///
/// # Errors
///
/// There is none, it has no end, it is not a map, or a value in it is neither text nor a list
/// of texts.
pub fn front_matter(text: &str) -> Result<SelectionBuilder, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return Err("it does not start with front matter, a line of `---`".to_owned());
    }
    let mut yaml = String::new();
    let mut ended = false;
    for line in lines {
        if line.trim_end() == "---" {
            ended = true;
            break;
        }
        yaml.push_str(line);
        yaml.push('\n');
    }
    if !ended {
        return Err("its front matter has no end, a second line of `---`".to_owned());
    }
    if yaml.trim().is_empty() {
        return Ok(SelectionBuilder::new());
    }
    let value: Value = serde_saphyr::from_str(&yaml)
        .map_err(|error| format!("its front matter is not YAML: {}", first_line(&error)))?;
    let Value::Object(map) = value else {
        return Err("its front matter is not a map of keys".to_owned());
    };
    let mut builder = SelectionBuilder::new();
    for (key, value) in &map {
        match key.as_str() {
            "tools" => match value {
                Value::String(text) => builder.text(text),
                other => builder.items(texts(key, other)?),
            },
            "allowed-tools" | "allowed_tools" => match value {
                Value::String(text) if text.trim().is_empty() => builder.text(""),
                Value::String(text) => {
                    builder.items(words(text));
                }
                other => builder.items(texts(key, other)?),
            },
            "requires_tool" | "requires-tool" => match value {
                Value::String(name) => builder.requires(name),
                other => {
                    let names = texts(key, other)?;
                    if names.is_empty() {
                        builder.requires("");
                    }
                    for name in names {
                        builder.requires(name);
                    }
                }
            },
            _ => {}
        }
    }
    Ok(builder)
}

/// The elements of a list; a key without a value is an empty list.
fn texts(key: &str, value: &Value) -> Result<Vec<String>, String> {
    let items = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Array(items) => items,
        _ => return Err(format!("`{key}` is neither text nor a list of texts")),
    };
    items
        .iter()
        .map(|item| match item {
            Value::String(text) => Ok(text.clone()),
            _ => Err(format!("`{key}` has an element that is not text")),
        })
        .collect()
}

/// Names with commas or blanks between; blanks in parentheses belong to the name.
fn words(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    text.split(|character: char| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (character == ',' || character.is_whitespace())
    })
    .filter(|word| !word.is_empty())
    .map(str::to_owned)
    .collect()
}

fn first_line(error: &impl fmt::Display) -> String {
    error
        .to_string()
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The tags of an event. `serde_json`'s own map keeps the last of two equal keys; which one
/// another reader keeps is not known, so two of them are an error.
struct Event(Value);

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Tags)
    }
}

struct Tags;

impl<'de> Visitor<'de> for Tags {
    type Value = Event;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `tags`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Event, A::Error> {
        use serde::de::Error;
        let mut tags = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == "tags" {
                if tags.is_some() {
                    return Err(A::Error::duplicate_field("tags"));
                }
                tags = Some(map.next_value::<Value>()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        tags.map(Event)
            .ok_or_else(|| A::Error::missing_field("tags"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Selection;

    fn selected(selection: &Option<Selection>) -> Vec<&'static str> {
        ["a", "b", "c"]
            .into_iter()
            .filter(|name| {
                selection
                    .as_ref()
                    .is_none_or(|selection| selection.selects(name))
            })
            .collect()
    }

    #[test]
    fn an_event_is_read_from_its_tags() {
        let read = |text: &str| event(text).unwrap().build();
        assert_eq!(
            read(r#"{"kind":31123,"tags":[["d","x"]],"content":"{}"}"#),
            None
        );
        let policy = read(r#"{"tags":[["tools","a"],["requires_tool","b"],["d","x"]]}"#);
        assert_eq!(selected(&policy), ["a", "b"]);
        assert_eq!(
            selected(&read(r#"{"tags":[["tools","a","b"]]}"#)),
            ["a", "b"]
        );
        assert!(selected(&read(r#"{"tags":[["tools"]]}"#)).is_empty());
        assert!(selected(&read(r#"{"tags":[["requires_tool"]]}"#)).is_empty());
    }

    #[test]
    fn what_is_not_an_event_is_an_error_and_never_no_policy() {
        for text in [
            "",
            "[]",
            "{}",
            r#"{"content":"x"}"#,
            r#"{"tags":null}"#,
            r#"{"tags":{}}"#,
            r#"{"tags":["tools"]}"#,
            r#"{"tags":[["tools",["a"]]]}"#,
            r#"{"tags":[["tools",1]]}"#,
            r#"{"tags":[["tools","a"]],"tags":[]}"#,
            r#"{"tags":[]} x"#,
        ] {
            assert!(event(text).is_err(), "{text}");
        }
    }

    #[test]
    fn front_matter_has_texts_and_lists() {
        for (yaml, expected) in [
            ("name: x", &["a", "b", "c"][..]),
            ("", &["a", "b", "c"]),
            ("tools: a, b", &["a", "b"]),
            ("tools: [a, b]", &["a", "b"]),
            ("tools:\n  - a\n  - c", &["a", "c"]),
            ("tools: \"*\"", &["a", "b", "c"]),
            ("tools: \"\"", &["a", "b", "c"]),
            ("tools: []", &[]),
            ("tools:", &[]),
            ("allowed-tools: a b", &["a", "b"]),
            ("allowed-tools: a, Bash(git *) c", &["a", "c"]),
            ("allowed-tools: [b]\ntools: a", &["a", "b"]),
            ("requires_tool: b", &["b"]),
            ("requires_tool: []", &[]),
            ("tools: all, -b", &["a", "c"]),
        ] {
            let text = format!("---\n{yaml}\n---\n# Skill\n\n---\ntools: c\n");
            assert_eq!(
                selected(&front_matter(&text).unwrap().build()),
                expected,
                "{yaml}"
            );
        }
    }

    #[test]
    fn what_is_not_front_matter_is_an_error_and_never_no_policy() {
        for text in [
            "",
            "# Skill\n",
            "---\ntools: a\n",
            "---\ntools: [a\n---\n",
            "---\ntools: {a: b}\n---\n",
            "---\ntools: [1]\n---\n",
            "---\ntools: 1\n---\n",
            "---\ntools: a\ntools: b\n---\n",
            "---\n- tools\n---\n",
        ] {
            assert!(front_matter(text).is_err(), "{text:?}");
        }
    }
}
