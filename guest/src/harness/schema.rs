//! Parameter lists as JSON Schema: `((NAME (ATTRIBUTE . VALUE) ...) ...)`.
//!
//! Names and attributes are symbols or strings. `type` and `description` must be strings,
//! `required` defaults to true, and every other attribute passes through as data: a nested
//! list of pairs is an object, `properties` and `items` hold parameters and schemas again.

use serde_json::{Map, Value as Json};
use tein::Value;

/// JSON Schema's words for types.
const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "array", "object", "null"];

/// The schema of a parameter list, with what the author should look at.
///
/// # Errors
/// The contract's texts for lists of the wrong shape.
pub(super) fn convert(parameters: &Value, warnings: &mut Vec<String>) -> Result<Json, String> {
    let entries: &[Value] = match parameters {
        Value::Nil => &[],
        Value::List(entries) => entries,
        other => return Err(format!("tool-parameters must be a list, got: {other}")),
    };
    let mut schema = Map::new();
    schema.insert("type".to_owned(), Json::from("object"));
    let (properties, required) = properties(entries, warnings)?;
    schema.insert("properties".to_owned(), Json::Object(properties));
    schema.insert("required".to_owned(), Json::from(required));
    Ok(Json::Object(schema))
}

fn properties(
    entries: &[Value],
    warnings: &mut Vec<String>,
) -> Result<(Map<String, Json>, Vec<String>), String> {
    let mut properties = Map::new();
    let mut required: Vec<String> = Vec::new();
    for entry in entries {
        let Value::List(parts) = entry else {
            return Err(format!("tool-parameters entry must be a non-empty list, got: {entry}"));
        };
        let [head, attributes @ ..] = parts.as_slice() else {
            return Err(format!("tool-parameters entry must be a non-empty list, got: {entry}"));
        };
        let Some(name) = word(head) else {
            return Err(format!("parameter name must be symbol or string, got: {head}"));
        };
        let (schema, needed) = attributes_schema(attributes, name, warnings)?;
        if properties.insert(name.to_owned(), Json::Object(schema)).is_some() {
            warnings.push(format!("parameter `{name}` is declared twice: the last one counts"));
            required.retain(|r| r != name);
        }
        if needed {
            required.push(name.to_owned());
        }
    }
    Ok((properties, required))
}

/// The schema of one parameter and whether it is required.
fn attributes_schema(
    attributes: &[Value],
    name: &str,
    warnings: &mut Vec<String>,
) -> Result<(Map<String, Json>, bool), String> {
    let mut schema = Map::new();
    let mut required = true;
    for attribute in attributes {
        let Some((key, value)) = pair(attribute) else {
            warnings.push(format!("parameter `{name}`: `{attribute}` is not (attribute . value)"));
            continue;
        };
        match key {
            "required" => match flag(&value) {
                Some((flag, dotted)) => {
                    required = flag;
                    if !dotted {
                        warnings.push(format!(
                            "parameter `{name}`: write (required . {}), with a dot",
                            if flag { "#t" } else { "#f" }
                        ));
                    }
                }
                None => warnings.push(format!("parameter `{name}`: required is #t or #f, not {value}")),
            },
            "type" | "description" => match single(&value) {
                Some(text) => {
                    if key == "type" && !TYPES.contains(&text) {
                        warnings.push(format!(
                            "parameter `{name}`: `{text}` is not a JSON Schema type ({})",
                            TYPES.join(", ")
                        ));
                    }
                    schema.insert(key.to_owned(), Json::from(text));
                }
                None => warnings.push(format!("parameter `{name}`: {key} must be a string, not {value}")),
            },
            "properties" => {
                let entries = match &value {
                    Value::List(entries) => entries.as_slice(),
                    _ => &[],
                };
                let (inner, needed) = properties(entries, warnings)?;
                schema.insert("properties".to_owned(), Json::Object(inner));
                schema.insert("required".to_owned(), Json::from(needed));
            }
            "items" => {
                let attributes = match &value {
                    Value::List(attributes) => attributes.as_slice(),
                    _ => &[],
                };
                let (inner, _) = attributes_schema(attributes, name, warnings)?;
                schema.insert("items".to_owned(), Json::Object(inner));
            }
            "enum" => match &value {
                Value::List(items) => {
                    schema.insert("enum".to_owned(), Json::Array(items.iter().map(json).collect()));
                }
                other => warnings.push(format!("parameter `{name}`: enum must be a list, not {other}")),
            },
            _ => {
                schema.insert(key.to_owned(), json(&value));
            }
        }
    }
    Ok((schema, required))
}

/// The text of a symbol or string.
fn word(value: &Value) -> Option<&str> {
    match value {
        Value::Symbol(s) | Value::String(s) => Some(s),
        _ => None,
    }
}

/// Key and value of a pair; the value of `(k a b)` is the list of the rest.
fn pair(attribute: &Value) -> Option<(&str, Value)> {
    match attribute {
        Value::Pair(k, v) => Some((word(k)?, (**v).clone())),
        Value::List(items) => {
            let (k, rest) = items.split_first()?;
            let value = if rest.is_empty() { Value::Nil } else { Value::List(rest.to_vec()) };
            Some((word(k)?, value))
        }
        _ => None,
    }
}

/// A flag, and whether it was written as a dotted pair.
fn flag(value: &Value) -> Option<(bool, bool)> {
    match value {
        Value::Boolean(b) => Some((*b, true)),
        Value::List(items) => match items.as_slice() {
            [Value::Boolean(b)] => Some((*b, false)),
            _ => None,
        },
        _ => None,
    }
}

/// A string, also where `(type "string")` was written for `(type . "string")`.
fn single(value: &Value) -> Option<&str> {
    match value {
        Value::String(s) => Some(s),
        Value::List(items) => match items.as_slice() {
            [Value::String(s)] => Some(s),
            _ => None,
        },
        _ => None,
    }
}

/// Data as JSON, by the rule of `json-stringify`; symbols are strings.
fn json(value: &Value) -> Json {
    match value {
        Value::Integer(n) => Json::from(*n),
        Value::Float(x) => serde_json::Number::from_f64(*x).map_or(Json::Null, Json::Number),
        Value::Boolean(b) => Json::from(*b),
        Value::Symbol(s) if s == "null" => Json::Null,
        Value::String(s) | Value::Symbol(s) | Value::Number(s) => Json::from(s.as_str()),
        Value::Char(c) => Json::from(c.to_string()),
        Value::Nil => Json::Array(Vec::new()),
        Value::Vector(items) => Json::Array(items.iter().map(json).collect()),
        Value::List(items) => {
            let pairs: Option<Vec<_>> = items.iter().map(pair).collect();
            match pairs {
                Some(pairs) => {
                    Json::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), json(&v))).collect())
                }
                None => Json::Array(items.iter().map(json).collect()),
            }
        }
        other => Json::from(other.to_string()),
    }
}
