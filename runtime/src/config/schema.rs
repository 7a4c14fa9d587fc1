//! The JSON Schema of `holm.toml`, for editors: made from the table of keys.

use serde_json::{Map, Value, json};

use super::keys::{Entry, ROOT, Shape};

/// The schema of the configuration file, JSON Schema 2020-12.
#[must_use]
pub fn json_schema() -> Value {
    let mut schema = table(&ROOT);
    if let Value::Object(members) = &mut schema {
        members.insert(
            "$schema".to_owned(),
            json!("https://json-schema.org/draft/2020-12/schema"),
        );
        members.insert("title".to_owned(), json!("holm.toml"));
    }
    schema
}

/// A table with these keys and no others.
fn table(entries: &[Entry]) -> Value {
    let mut properties = Map::new();
    for entry in entries {
        let mut value = shape(&entry.shape);
        if let Value::Object(members) = &mut value {
            members.insert("description".to_owned(), json!(entry.about));
        }
        if let Some(alias) = entry.alias {
            properties.insert(alias.to_owned(), value.clone());
        }
        properties.insert(entry.name.to_owned(), value);
    }
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn shape(value: &Shape) -> Value {
    match value {
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::Text => json!({ "type": "string" }),
        Shape::Path => json!({ "type": "string", "minLength": 1 }),
        Shape::Words(words) => json!({ "enum": words }),
        Shape::Integer(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Shape::Duration => json!({ "anyOf": [
            { "type": "number", "minimum": 0.001, "maximum": 86400 },
            { "type": "string", "pattern": r"^[0-9]+(\.[0-9]+)? *(ms|s|m|min|h)?$" },
        ] }),
        Shape::Size => json!({ "anyOf": [
            { "type": "integer", "minimum": 0 },
            { "type": "string", "pattern": "^[0-9]+ *(B|kB|KB|MB|GB|KiB|MiB|GiB)?$" },
        ] }),
        Shape::List(element) => json!({ "type": "array", "items": shape(element) }),
        Shape::Table(entries) => table(entries),
        Shape::ByPath(element) => json!({
            "type": "object",
            "propertyNames": { "pattern": "^/" },
            "additionalProperties": shape(element),
        }),
        Shape::ByName(element) => {
            json!({ "type": "object", "additionalProperties": shape(element) })
        }
        Shape::Either(forms) => {
            json!({ "anyOf": forms.iter().map(shape).collect::<Vec<_>>() })
        }
    }
}

/// The keys as a table in Markdown, for the documentation.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::from("| key | value | says |\n|---|---|---|\n");
    rows(&mut text, "", &ROOT);
    text
}

fn rows(text: &mut String, above: &str, entries: &[Entry]) {
    for entry in entries {
        let key = format!("{above}{}", entry.name);
        text.push_str(&format!(
            "| `{key}` | {} | {} |\n",
            words(&entry.shape),
            entry.about
        ));
        match &entry.shape {
            Shape::Table(inner) => rows(text, &format!("{key}."), inner),
            Shape::ByName(Shape::Table(inner)) => rows(text, &format!("{key}.NAME."), inner),
            _ => {}
        }
    }
}

/// What a value may be, in words.
fn words(value: &Shape) -> String {
    match value {
        Shape::Boolean => "`true` or `false`".to_owned(),
        Shape::Text => "a string".to_owned(),
        Shape::Path => "a path".to_owned(),
        Shape::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
            words.join(", ")
        }
        Shape::Integer(least, most) if *most > u64::from(u32::MAX) => {
            format!("a number from {least}")
        }
        Shape::Integer(least, most) => format!("a number from {least} to {most}"),
        Shape::Duration => "a duration".to_owned(),
        Shape::Size => "a size".to_owned(),
        Shape::List(Shape::Text) => "a list of strings".to_owned(),
        Shape::List(element) => format!("a list of: {}", words(element)),
        Shape::Table(keys) if keys.iter().any(|key| key.name == "prefix") => {
            "a table with `prefix` and `methods`".to_owned()
        }
        Shape::Table(_) => "a table".to_owned(),
        Shape::ByPath(element) => format!("by path: {}", words(element)),
        Shape::ByName(element) => format!("by name: {}", words(element)),
        Shape::Either(forms) => {
            let forms: Vec<String> = forms.iter().map(words).collect();
            forms.join("; or ")
        }
    }
}
