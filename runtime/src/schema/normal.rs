//! A tool author's schema, made valid.
//!
//! What a tool file says about its parameters is data that nobody checked. What comes out of
//! here is always valid JSON Schema 2020-12 of an object, without references, and no schema in
//! it is empty, since some clients refuse all tools of a server when one schema is not to their
//! liking:
//!
//! | written | becomes |
//! |---|---|
//! | a keyword that JSON Schema does not have, or with a value that it cannot have | left out |
//! | `$ref` and every other keyword with `$` | left out: nothing is fetched or looked up |
//! | a type that JSON Schema does not have | a remark in the description |
//! | `items` with a list | `prefixItems` |
//! | an array without `items` | `items` of any value |
//! | a schema that says nothing | a description that says so |

use serde_json::{Map, Value, json};

/// JSON Schema's words for types.
const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "array", "object", "null",
];

/// Schemas in each other, at most: the guest lets no more than 32 pass.
const DEEPEST: usize = 64;

/// The parameters of a tool as valid JSON Schema of an object.
#[must_use]
pub fn normalise(parameters: &Value) -> Map<String, Value> {
    let mut schema = match parameters {
        Value::Object(schema) => object(schema, 0),
        _ => Map::new(),
    };
    schema.insert("type".to_owned(), json!("object"));
    schema.entry("properties").or_insert_with(|| json!({}));
    schema.entry("required").or_insert_with(|| json!([]));
    schema
}

/// A schema of anything, which is not empty.
fn anything() -> Value {
    json!({ "description": "Any JSON value" })
}

fn schema(value: &Value, depth: usize) -> Value {
    match value {
        Value::Object(map) if depth < DEEPEST => {
            let map = object(map, depth);
            if map.is_empty() {
                anything()
            } else {
                Value::Object(map)
            }
        }
        Value::Bool(false) => json!({ "not": anything() }),
        _ => anything(),
    }
}

fn object(from: &Map<String, Value>, depth: usize) -> Map<String, Value> {
    let mut to = Map::new();
    let mut remark = None;
    for (key, value) in from {
        if key == "type" {
            match types(value) {
                Ok(kind) => drop(to.insert(key.clone(), kind)),
                Err(word) => remark = word,
            }
            continue;
        }
        if let Some((key, value)) = keyword(key, value, depth) {
            to.insert(key.to_owned(), value);
        }
    }
    if let Some(remark) = remark {
        let described = match to.get("description").and_then(Value::as_str) {
            Some(text) if !text.is_empty() => format!("{text} ({remark})"),
            _ => remark,
        };
        to.insert("description".to_owned(), json!(described));
    }
    let is_array = match to.get("type") {
        Some(Value::String(word)) => word == "array",
        Some(Value::Array(words)) => words.iter().any(|word| word == "array"),
        _ => false,
    };
    if is_array && !to.contains_key("items") {
        to.insert("items".to_owned(), anything());
    }
    to
}

/// The types of a schema; an error is the remark that takes their place.
fn types(value: &Value) -> Result<Value, Option<String>> {
    match value {
        Value::String(word) if TYPES.contains(&word.as_str()) => Ok(value.clone()),
        Value::String(word) => Err(Some(format!("type: {word}"))),
        Value::Array(words) => {
            let mut known: Vec<&str> = Vec::new();
            for word in words.iter().filter_map(Value::as_str) {
                if TYPES.contains(&word) && !known.contains(&word) {
                    known.push(word);
                }
            }
            if known.is_empty() {
                Err(None)
            } else {
                Ok(json!(known))
            }
        }
        _ => Err(None),
    }
}

/// A keyword with a value that it can have, under the name that it has today.
fn keyword<'k>(key: &'k str, value: &Value, depth: usize) -> Option<(&'k str, Value)> {
    let kept = |fits: bool| fits.then(|| (key, value.clone()));
    match key {
        "title" | "description" | "format" | "contentEncoding" | "contentMediaType" => {
            kept(value.is_string())
        }
        // Clients compile it, in as many dialects as there are clients.
        "pattern" => kept(value.as_str().is_some_and(plain_pattern)),
        "default" | "const" => kept(true),
        "examples" => kept(value.is_array()),
        "enum" => {
            let mut choices: Vec<&Value> = Vec::new();
            for choice in value.as_array()? {
                if !choices.contains(&choice) {
                    choices.push(choice);
                }
            }
            (!choices.is_empty()).then(|| (key, json!(choices)))
        }
        "deprecated" | "readOnly" | "writeOnly" | "uniqueItems" => kept(value.is_boolean()),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => kept(value.is_number()),
        "multipleOf" => kept(value.as_f64().is_some_and(|number| number > 0.0)),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => kept(value.is_u64()),
        "required" => {
            let mut names: Vec<&str> = Vec::new();
            for name in value.as_array()?.iter().filter_map(Value::as_str) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            Some((key, json!(names)))
        }
        "items" => match value {
            Value::Array(items) if items.is_empty() => None,
            Value::Array(_) => Some(("prefixItems", schemas(value, depth)?)),
            _ => Some((key, schema(value, depth + 1))),
        },
        "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems" => match value {
            Value::Bool(_) => Some((key, value.clone())),
            Value::Object(_) => Some((key, schema(value, depth + 1))),
            _ => None,
        },
        "not" | "if" | "then" | "else" | "contains" | "propertyNames" => match value {
            Value::Object(_) | Value::Bool(_) => Some((key, schema(value, depth + 1))),
            _ => None,
        },
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Some((key, schemas(value, depth)?)),
        "properties" | "dependentSchemas" => {
            let map: Map<String, Value> = value
                .as_object()?
                .iter()
                .map(|(name, value)| (name.clone(), schema(value, depth + 1)))
                .collect();
            Some((key, Value::Object(map)))
        }
        _ => None,
    }
}

/// A list of schemas, if there is any in it.
fn schemas(value: &Value, depth: usize) -> Option<Value> {
    let items = value.as_array()?;
    let schemas: Vec<Value> = items.iter().map(|item| schema(item, depth + 1)).collect();
    (!schemas.is_empty()).then(|| json!(schemas))
}

/// Whether every dialect of regular expressions reads a pattern alike: literal characters, simple
/// sets, anchors, and single repetitions of them. Nothing else is worth a client's failure.
fn plain_pattern(pattern: &str) -> bool {
    let mut repeatable = false;
    let mut in_set = false;
    let mut set_is_empty = true;
    let mut characters = pattern.chars().peekable();
    let mut first = true;
    while let Some(character) = characters.next() {
        match character {
            _ if in_set => match character {
                ']' if set_is_empty => return false,
                ']' => {
                    in_set = false;
                    repeatable = true;
                }
                'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | ' ' | '.' | '@' | ':' | '/' | '-' => {
                    // A range has its ends in order; a hyphen elsewhere is only plain at the end.
                    if characters.peek() == Some(&'-') && character != '-' {
                        characters.next();
                        match characters.peek() {
                            Some(']') => {}
                            Some(end) if end.is_ascii_alphanumeric() && *end >= character => {
                                characters.next();
                            }
                            _ => return false,
                        }
                    } else if character == '-' && characters.peek() != Some(&']') {
                        return false;
                    }
                    set_is_empty = false;
                }
                '^' if set_is_empty => {}
                _ => return false,
            },
            '[' => {
                in_set = true;
                set_is_empty = true;
            }
            '^' if first => repeatable = false,
            '$' if characters.peek().is_none() => repeatable = false,
            '+' | '*' | '?' if repeatable => repeatable = false,
            '{' if repeatable => {
                let mut counts = String::new();
                loop {
                    match characters.next() {
                        Some('}') => break,
                        Some(digit) if digit.is_ascii_digit() || digit == ',' => counts.push(digit),
                        _ => return false,
                    }
                }
                let parts: Vec<&str> = counts.split(',').collect();
                let number = |text: &str| text.parse::<u16>().ok().filter(|count| *count <= 1000);
                let fits = match parts.as_slice() {
                    [exactly] => number(exactly).is_some(),
                    [least, ""] => number(least).is_some(),
                    [least, most] => {
                        matches!((number(least), number(most)), (Some(least), Some(most)) if least <= most)
                    }
                    _ => false,
                };
                if !fits {
                    return false;
                }
                repeatable = false;
            }
            '\\' => match characters.next() {
                Some('d' | 'w' | 's' | '.' | '/' | '+' | '*' | '?' | '$' | '^') => {
                    repeatable = true
                }
                _ => return false,
            },
            '.' => repeatable = true,
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | ' ' | '@' | ':' | '/' | '-' | ',' => {
                repeatable = true;
            }
            _ => return false,
        }
        first = false;
    }
    !in_set
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn valid(schema: &Map<String, Value>) -> bool {
        let schema = Value::Object(schema.clone());
        jsonschema::draft202012::meta::is_valid(&schema)
            && jsonschema::draft202012::new(&schema).is_ok()
    }

    #[test]
    fn what_is_written_well_stays() {
        let parameters = json!({
            "type": "object",
            "properties": {
                "city": { "type": "string", "description": "Where", "enum": ["a", "b"], "default": "a" },
                "days": { "type": "integer", "minimum": 1, "maximum": 7 },
                "tags": { "type": "array", "items": { "type": "string", "pattern": "^[a-z]{1,8}$" } },
                "deep": { "type": "object", "properties": { "x": { "type": "number" } }, "required": ["x"] },
            },
            "required": ["city"],
        });
        assert_eq!(Value::Object(normalise(&parameters)), parameters);
    }

    #[test]
    fn what_clients_refuse_is_put_right() {
        for (written, becomes) in [
            (json!({}), json!({ "description": "Any JSON value" })),
            (json!(true), json!({ "description": "Any JSON value" })),
            (
                json!({ "type": "array" }),
                json!({ "type": "array", "items": { "description": "Any JSON value" } }),
            ),
            (
                json!({ "type": "array", "items": {} }),
                json!({ "type": "array", "items": { "description": "Any JSON value" } }),
            ),
            (
                json!({ "type": "int" }),
                json!({ "description": "type: int" }),
            ),
            (
                json!({ "type": "date", "description": "When" }),
                json!({ "description": "When (type: date)" }),
            ),
            (
                json!({ "type": ["string", "null", "null", "x"] }),
                json!({ "type": ["string", "null"] }),
            ),
            (
                json!({ "$ref": "http://evil/", "$schema": "x", "type": "null" }),
                json!({ "type": "null" }),
            ),
            (
                json!({ "enum": [] , "type": "string" }),
                json!({ "type": "string" }),
            ),
            (
                json!({ "minimum": "1", "exclusiveMinimum": true, "minLength": -1, "type": "string" }),
                json!({ "type": "string" }),
            ),
            (
                json!({ "pattern": "(", "type": "string" }),
                json!({ "type": "string" }),
            ),
            (
                json!({ "pattern": "(a+)+$", "type": "string" }),
                json!({ "type": "string" }),
            ),
            (
                json!({ "items": [{ "type": "string" }, {}], "type": "array" }),
                json!({ "type": "array", "prefixItems": [{ "type": "string" }, { "description": "Any JSON value" }], "items": { "description": "Any JSON value" } }),
            ),
        ] {
            let parameters = json!({ "properties": { "p": written } });
            let schema = normalise(&parameters);
            assert_eq!(schema["properties"]["p"], becomes, "{written}");
            assert!(valid(&schema), "{written}");
        }
        for nothing in [
            json!(null),
            json!([]),
            json!({}),
            json!({ "properties": [], "required": {} }),
        ] {
            assert_eq!(
                Value::Object(normalise(&nothing)),
                json!({ "type": "object", "properties": {}, "required": [] })
            );
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let key = prop_oneof![
            prop::sample::select(
                &[
                    "type",
                    "properties",
                    "required",
                    "items",
                    "enum",
                    "pattern",
                    "minimum",
                    "minLength",
                    "multipleOf",
                    "anyOf",
                    "not",
                    "additionalProperties",
                    "$ref",
                    "$defs",
                    "$schema",
                    "description",
                    "uniqueItems",
                    "prefixItems",
                    "dependentSchemas",
                    "contains",
                    "const",
                    "patternProperties",
                    "examples",
                    "if",
                    "x",
                    "format",
                ][..]
            )
            .prop_map(str::to_owned),
        ];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i16>().prop_map(Value::from),
            (-10.0..10.0).prop_map(Value::from),
            prop::sample::select(
                &[
                    "string", "array", "object", "int", "", "a", "^[a-z]+$", "a{2,1}", "[z-a]",
                    "a**"
                ][..]
            )
            .prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 40, 5, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(key.clone(), inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    /// Every schema inside `value`, where schemas can be.
    fn no_empty_schema(value: &Value) -> bool {
        let Value::Object(map) = value else {
            return true;
        };
        !map.is_empty()
            && map.iter().all(|(key, value)| match key.as_str() {
                "properties" | "dependentSchemas" => {
                    value.as_object().unwrap().values().all(no_empty_schema)
                }
                "items" | "not" | "contains" | "additionalProperties" | "if" => {
                    no_empty_schema(value)
                }
                "anyOf" | "prefixItems" => value.as_array().unwrap().iter().all(no_empty_schema),
                _ => true,
            })
    }

    proptest! {
        #[test]
        fn whatever_is_written_becomes_a_valid_schema(parameters in any_json()) {
            let schema = normalise(&parameters);
            prop_assert!(valid(&schema), "{parameters} became {schema:?}");
            prop_assert!(no_empty_schema(&Value::Object(schema.clone())));
            prop_assert_eq!(normalise(&Value::Object(schema.clone())), schema);
        }

        #[test]
        fn a_pattern_that_is_kept_compiles(pattern in "[\\^$a-c0-2.*+?{},\\[\\]\\\\dw()|-]{0,10}") {
            let schema = json!({ "type": "string", "pattern": pattern });
            if plain_pattern(&pattern) {
                prop_assert!(jsonschema::draft202012::new(&schema).is_ok(), "{pattern}");
            }
        }
    }
}
