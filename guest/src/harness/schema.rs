//! Parameter lists as JSON Schema: `((NAME (ATTRIBUTE . VALUE) ...) ...)`.
//!
//! | attribute | becomes |
//! |---|---|
//! | `type`, `description` | the same; must be a string |
//! | `required` | membership of the `required` list; true unless it says `#f` |
//! | `properties` | a parameter list again, with a `required` list of its own |
//! | `items` | the attributes of the items |
//! | any other | passed through as data, by the rule of `json-stringify`; symbols are strings |
//!
//! Names and attributes are symbols or strings. A list of the wrong shape fails the load at the top,
//! as the format has it, and is left out with a warning below, where the format defines nothing.

use serde_json::{Map, Value as Json};
use tein::Value;

/// JSON Schema's words for types.
const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "array", "object", "null",
];

/// JSON Schema's words whose value is no list, so that a list of one is a missing dot.
const SCALARS: [&str; 14] = [
    "title",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "const",
];

/// Deepest nesting of a schema: every JSON reader takes it.
const MAX_DEPTH: usize = 32;

/// What a parameter list says.
#[derive(Debug)]
pub(super) struct Schema {
    /// JSON text with sorted keys.
    pub(super) text: String,
    /// Names of the parameters, sorted.
    pub(super) names: Vec<String>,
    /// What the author should look at.
    pub(super) warnings: Vec<String>,
}

/// The schema of a parameter list.
///
/// # Errors
/// The contract's texts for lists of the wrong shape.
pub(super) fn convert(parameters: &Value) -> Result<Schema, String> {
    let entries: &[Value] = match parameters {
        Value::Nil => &[],
        Value::List(entries) => entries,
        other => return Err(format!("tool-parameters must be a list, got: {other}")),
    };
    let mut reader = Reader {
        warnings: Vec::new(),
    };
    let (properties, required) = reader.parameters(entries, "", 0)?;
    let names = properties.keys().cloned().collect();
    let text = Json::Object(object(properties, required)).to_string();
    Ok(Schema {
        text,
        names,
        warnings: reader.warnings,
    })
}

type Properties = Map<String, Json>;

fn object(properties: Properties, required: Vec<String>) -> Map<String, Json> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), Json::from("object"));
    schema.insert("properties".to_owned(), Json::Object(properties));
    schema.insert("required".to_owned(), Json::from(required));
    schema
}

struct Reader {
    warnings: Vec<String>,
}

impl Reader {
    fn warn(&mut self, parameter: &str, what: impl std::fmt::Display) {
        self.warnings
            .push(format!("parameter `{parameter}`: {what}"));
    }

    /// A list of parameters; `outer` is the path of the parameter that holds it.
    fn parameters(
        &mut self,
        entries: &[Value],
        outer: &str,
        depth: usize,
    ) -> Result<(Properties, Vec<String>), String> {
        let mut properties = Map::new();
        let mut required: Vec<String> = Vec::new();
        for entry in entries {
            let parts = match entry {
                Value::List(parts) => parts.as_slice(),
                _ => &[],
            };
            let [head, attributes @ ..] = parts else {
                return Err(format!(
                    "tool-parameters entry must be a non-empty list, got: {entry}"
                ));
            };
            let Some(name) = word(head) else {
                return Err(format!(
                    "parameter name must be symbol or string, got: {head}"
                ));
            };
            let path = if outer.is_empty() {
                name.to_owned()
            } else {
                format!("{outer}.{name}")
            };
            let (schema, needed) = self.attributes(attributes, &path, depth + 1);
            if properties
                .insert(name.to_owned(), Json::Object(schema))
                .is_some()
            {
                self.warn(&path, "declared twice, the last one counts");
            }
            let listed = required.iter().position(|r| r == name);
            match listed {
                None if needed => required.push(name.to_owned()),
                Some(i) if !needed => {
                    required.remove(i);
                }
                _ => {}
            }
        }
        Ok((properties, required))
    }

    /// The schema of one parameter and whether it is required.
    fn attributes(
        &mut self,
        attributes: &[Value],
        path: &str,
        depth: usize,
    ) -> (Map<String, Json>, bool) {
        let mut schema = Map::new();
        let mut required = true;
        for attribute in attributes {
            let Some((key, value)) = pair(attribute) else {
                self.warn(
                    path,
                    format_args!("{attribute} is not (attribute . value) and is left out"),
                );
                continue;
            };
            if key == "required" {
                required = self.required(&value, path).unwrap_or(required);
                continue;
            }
            if key == "properties" {
                if let Some((properties, required)) = self.properties(&value, path, depth) {
                    schema.extend(
                        object(properties, required)
                            .into_iter()
                            .filter(|(k, _)| k != "type"),
                    );
                }
                continue;
            }
            let json = match key {
                "type" | "description" => self.text(key, &value, path).map(Json::from),
                "items" => self.items(&value, path, depth).map(Json::Object),
                "enum" => self.choices(&value, path, depth),
                _ => {
                    let value = if SCALARS.contains(&key) {
                        self.undotted(key, &value, path)
                    } else {
                        &value
                    };
                    let json = json(value, depth);
                    if json.is_none() {
                        self.warn(
                            path,
                            format_args!("{key} is left out, {value} has no JSON form"),
                        );
                    }
                    json
                }
            };
            let repeated = schema.contains_key(key);
            if let Some(json) = json {
                schema.insert(key.to_owned(), json);
                if repeated {
                    self.warn(
                        path,
                        format_args!("{key} occurs twice, the last one counts"),
                    );
                }
            }
        }
        (schema, required)
    }

    /// The value of `(KEY . VALUE)`, also where `(KEY VALUE)` was written.
    fn undotted<'a>(&mut self, key: &str, value: &'a Value, path: &str) -> &'a Value {
        match value {
            Value::List(items) if items.len() == 1 => {
                let only = &items[0];
                self.warn(
                    path,
                    format_args!(
                        "({key} {only}) is read as ({key} . {only}), which is how to write it"
                    ),
                );
                only
            }
            _ => value,
        }
    }

    fn required(&mut self, value: &Value, path: &str) -> Option<bool> {
        match self.undotted("required", value, path) {
            Value::Boolean(b) => Some(*b),
            other => {
                self.warn(
                    path,
                    format_args!("required is #t or #f, not {}", Shown(other)),
                );
                None
            }
        }
    }

    fn text(&mut self, key: &str, value: &Value, path: &str) -> Option<String> {
        let Value::String(text) = self.undotted(key, value, path) else {
            self.warn(
                path,
                format_args!("{key} is a string, not {}; it is left out", Shown(value)),
            );
            return None;
        };
        if key == "type" && !TYPES.contains(&text.as_str()) {
            self.warn(
                path,
                format_args!("`{text}` is not a JSON Schema type ({})", TYPES.join(", ")),
            );
        }
        Some(text.clone())
    }

    fn choices(&mut self, value: &Value, path: &str, depth: usize) -> Option<Json> {
        let items = match value {
            Value::List(items) => match items.as_slice() {
                // A single choice that is a list is never meant.
                [Value::List(inner)] => {
                    self.undotted("enum", value, path);
                    inner
                }
                _ => items,
            },
            Value::Vector(items) => items,
            other => {
                self.warn(
                    path,
                    format_args!(
                        "enum is a list of values, not {}; it is left out",
                        Shown(other)
                    ),
                );
                return None;
            }
        };
        // Each is data of its own, even where all of them look like pairs.
        let choices: Option<Json> = items.iter().map(|i| json(i, depth + 1)).collect();
        if choices.is_none() {
            self.warn(
                path,
                format_args!("enum is left out, {value} has no JSON form"),
            );
        }
        choices
    }

    fn properties(
        &mut self,
        value: &Value,
        path: &str,
        depth: usize,
    ) -> Option<(Properties, Vec<String>)> {
        let entries: &[Value] = match value {
            Value::Nil => &[],
            Value::List(entries) if depth < MAX_DEPTH => entries,
            _ => {
                self.warn(
                    path,
                    format_args!(
                        "properties is a list of parameters, not {}; it is left out",
                        Shown(value)
                    ),
                );
                return None;
            }
        };
        match self.parameters(entries, path, depth) {
            Ok(found) => Some(found),
            Err(e) => {
                self.warn(path, format_args!("properties is left out: {e}"));
                None
            }
        }
    }

    fn items(&mut self, value: &Value, path: &str, depth: usize) -> Option<Map<String, Json>> {
        match value {
            Value::Nil => Some(Map::new()),
            Value::List(attributes) if depth < MAX_DEPTH => Some(
                self.attributes(attributes, &format!("{path}[]"), depth + 1)
                    .0,
            ),
            _ => {
                self.warn(
                    path,
                    format_args!(
                        "items is a list of attributes, not {}; it is left out",
                        Shown(value)
                    ),
                );
                None
            }
        }
    }
}

/// A value in a sentence: a symbol would read like the word for a type.
struct Shown<'a>(&'a Value);

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Value::Symbol(s) => write!(f, "the symbol {s}"),
            other => write!(f, "{other}"),
        }
    }
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
            let value = if rest.is_empty() {
                Value::Nil
            } else {
                Value::List(rest.to_vec())
            };
            Some((word(k)?, value))
        }
        _ => None,
    }
}

/// Data as JSON, by the rule of `json-stringify`; nothing for what has no JSON form.
fn json(value: &Value, depth: usize) -> Option<Json> {
    if depth > MAX_DEPTH {
        return None;
    }
    Some(match value {
        Value::Integer(n) => Json::from(*n),
        Value::Float(x) => Json::Number(serde_json::Number::from_f64(*x)?),
        Value::Number(s) => Json::Number(serde_json::Number::from_f64(s.parse().ok()?)?),
        Value::Boolean(b) => Json::from(*b),
        Value::Symbol(s) if s == "null" => Json::Null,
        Value::String(s) | Value::Symbol(s) => Json::from(s.as_str()),
        Value::Char(c) => Json::from(c.to_string()),
        Value::Nil => Json::Array(Vec::new()),
        Value::Vector(items) => items
            .iter()
            .map(|i| json(i, depth + 1))
            .collect::<Option<_>>()?,
        Value::List(items) => {
            let pairs: Option<Vec<_>> = items.iter().map(pair).collect();
            match pairs {
                Some(pairs) => Json::Object(
                    pairs
                        .into_iter()
                        .map(|(k, v)| Some((k.to_owned(), json(&v, depth + 1)?)))
                        .collect::<Option<_>>()?,
                ),
                None => items
                    .iter()
                    .map(|i| json(i, depth + 1))
                    .collect::<Option<_>>()?,
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a Scheme expression.
    fn value(source: &str) -> Value {
        tein::Context::new_standard()
            .unwrap()
            .evaluate(source)
            .unwrap()
    }

    /// Schemas without the frame that all have: `PROPERTIES REQUIRED`, then a line per warning.
    fn told(context: &mut tein::Context, source: &str) -> String {
        match convert(&context.evaluate(source).unwrap()) {
            Err(e) => format!("error: {e}"),
            Ok(schema) => {
                let json: Json = serde_json::from_str(&schema.text).unwrap();
                assert_eq!(json["type"], "object");
                assert_eq!(json.as_object().unwrap().len(), 3);
                let mut lines = vec![format!("{} {}", json["properties"], json["required"])];
                lines.extend(schema.warnings);
                lines.join("\n")
            }
        }
    }

    #[test]
    fn parameter_lists_become_schemas() {
        let mut context = tein::Context::new_standard().unwrap();
        for (source, expected) in [
            ("'()", "{} []"),
            ("'((x))", r#"{"x":{}} ["x"]"#),
            // Symbols and strings, sorted properties, required in source order.
            (
                r#"'((b (type . "string") (description . "two")) ("a" ("type" . "integer") ("required" . #t)))"#,
                r#"{"a":{"type":"integer"},"b":{"description":"two","type":"string"}} ["b","a"]"#,
            ),
            (
                r#"'((x (type . "number") (required . #f)))"#,
                r#"{"x":{"type":"number"}} []"#,
            ),
            (
                "'((x (required #f)))",
                "{\"x\":{}} []\nparameter `x`: (required #f) is read as (required . #f), which is how to write it",
            ),
            (
                "'((x (required #t)))",
                "{\"x\":{}} [\"x\"]\nparameter `x`: (required #t) is read as (required . #t), which is how to write it",
            ),
            (
                "'((x (required . \"no\")))",
                "{\"x\":{}} [\"x\"]\nparameter `x`: required is #t or #f, not \"no\"",
            ),
            (
                "'((x (type . string)))",
                "{\"x\":{}} [\"x\"]\nparameter `x`: type is a string, not the symbol string; it is left out",
            ),
            (
                r#"'((x (type "string")))"#,
                "{\"x\":{\"type\":\"string\"}} [\"x\"]\nparameter `x`: (type \"string\") is read as (type . \"string\"), which is how to write it",
            ),
            (
                r#"'((x (type . "text")))"#,
                "{\"x\":{\"type\":\"text\"}} [\"x\"]\nparameter `x`: `text` is not a JSON Schema type (string, number, integer, boolean, array, object, null)",
            ),
            (
                "'((x 5))",
                "{\"x\":{}} [\"x\"]\nparameter `x`: 5 is not (attribute . value) and is left out",
            ),
            // Everything else passes through.
            (
                r#"'((x (enum . ("a" "b"))))"#,
                r#"{"x":{"enum":["a","b"]}} ["x"]"#,
            ),
            (
                r#"'((x (enum "a" b 3 #t null)))"#,
                r#"{"x":{"enum":["a","b",3,true,null]}} ["x"]"#,
            ),
            (
                r#"'((x (enum . #("a" 1.5))))"#,
                r#"{"x":{"enum":["a",1.5]}} ["x"]"#,
            ),
            (
                r#"'((x (enum ("a" 1) ("b" 2))))"#,
                r#"{"x":{"enum":[["a",1],["b",2]]}} ["x"]"#,
            ),
            (
                r#"'((x (enum . "a")))"#,
                "{\"x\":{}} [\"x\"]\nparameter `x`: enum is a list of values, not \"a\"; it is left out",
            ),
            (
                r#"'((x (default . "d") (minimum . 1) (maximum . 2.5) (pattern . "^a") (nullable . #f)))"#,
                r#"{"x":{"default":"d","maximum":2.5,"minimum":1,"nullable":false,"pattern":"^a"}} ["x"]"#,
            ),
            (
                r#"'((x (enum ("a" "b"))))"#,
                "{\"x\":{\"enum\":[\"a\",\"b\"]}} [\"x\"]\nparameter `x`: (enum (\"a\" \"b\")) is read as (enum . (\"a\" \"b\")), which is how to write it",
            ),
            (
                "'((x (minimum 1) (default 1)))",
                "{\"x\":{\"default\":[1],\"minimum\":1}} [\"x\"]\nparameter `x`: (minimum 1) is read as (minimum . 1), which is how to write it",
            ),
            (
                "'((x (default . 100000000000000000000)))",
                r#"{"x":{"default":1e+20}} ["x"]"#,
            ),
            (
                r#"'((x (anyOf ((type . "string")) ((type . "null")))))"#,
                r#"{"x":{"anyOf":[{"type":"string"},{"type":"null"}]}} ["x"]"#,
            ),
            (
                r#"'((x (type . "array") (items . ((type . "string") (enum "a")))))"#,
                r#"{"x":{"items":{"enum":["a"],"type":"string"},"type":"array"}} ["x"]"#,
            ),
            (
                r#"'((x (type . "object") (properties . ((p (type . "string")) (q (type . "integer") (required . #f))))))"#,
                r#"{"x":{"properties":{"p":{"type":"string"},"q":{"type":"integer"}},"required":["p"],"type":"object"}} ["x"]"#,
            ),
            (
                r#"'((x (items (type . "object") (properties (p (type . string))))))"#,
                "{\"x\":{\"items\":{\"properties\":{\"p\":{}},\"required\":[\"p\"],\"type\":\"object\"}}} [\"x\"]\nparameter `x[].p`: type is a string, not the symbol string; it is left out",
            ),
            (
                r#"'((x (properties . (("type" . "object")))))"#,
                "{\"x\":{}} [\"x\"]\nparameter `x`: properties is left out: tool-parameters entry must be a non-empty list, got: (\"type\" . \"object\")",
            ),
            (
                r#"'((x (properties . 5) (items . "string") (default . #u8(1))))"#,
                "{\"x\":{}} [\"x\"]\nparameter `x`: properties is a list of parameters, not 5; it is left out\nparameter `x`: items is a list of attributes, not \"string\"; it is left out\nparameter `x`: default is left out, #u8(1) has no JSON form",
            ),
            // Repeated.
            (
                r#"'((x (type . "string")) (y) (x (type . "integer")))"#,
                "{\"x\":{\"type\":\"integer\"},\"y\":{}} [\"x\",\"y\"]\nparameter `x`: declared twice, the last one counts",
            ),
            (
                "'((x) (x (required . #f)))",
                "{\"x\":{}} []\nparameter `x`: declared twice, the last one counts",
            ),
            (
                r#"'((x (type . "string") (type . "integer")))"#,
                "{\"x\":{\"type\":\"integer\"}} [\"x\"]\nparameter `x`: type occurs twice, the last one counts",
            ),
            // Of the wrong shape.
            ("5", "error: tool-parameters must be a list, got: 5"),
            (
                "'(a . b)",
                "error: tool-parameters must be a list, got: (a . b)",
            ),
            (
                r#"'((x . "string"))"#,
                "error: tool-parameters entry must be a non-empty list, got: (x . \"string\")",
            ),
            (
                "'(())",
                "error: tool-parameters entry must be a non-empty list, got: ()",
            ),
            (
                "'(x)",
                "error: tool-parameters entry must be a non-empty list, got: x",
            ),
            (
                "'((5))",
                "error: parameter name must be symbol or string, got: 5",
            ),
        ] {
            assert_eq!(told(&mut context, source), expected, "{source}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = "(let loop ((n 100) (x '((p)))) (if (= n 0) x (loop (- n 1) `((p (properties . ,x))))))";
        let schema = convert(&value(deep)).unwrap();
        assert!(serde_json::from_str::<Json>(&schema.text).is_ok());
        assert!(
            schema.warnings[0].contains("it is left out"),
            "{:?}",
            schema.warnings
        );
        let deep = "`((p (default . ,(let loop ((n 100) (x 1)) (if (= n 0) x (loop (- n 1) (vector x)))))))";
        assert_eq!(
            convert(&value(deep)).unwrap().text,
            r#"{"properties":{"p":{}},"required":["p"],"type":"object"}"#
        );
    }
}
