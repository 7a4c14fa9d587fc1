//! Whether arguments fit a schema, and if not, what has to be changed.
//!
//! The model reads the answer, so it names each argument, what it must be and what it is. What
//! is lenient: an optional argument may be `null`; an argument that the schema does not know is
//! passed on unless the author forbids it; `1.0` is an integer. Nothing is converted: the
//! tool gets what was sent. `pattern` and `format` are for the model, not a check: an author's
//! regular expression does not run on the host.

use serde_json::{Map, Value};

use crate::diagnostic::did_you_mean;
use crate::visible;

/// Faults in one answer: more than these do not help.
const MOST_FAULTS: usize = 8;
/// Characters of a value that an answer shows.
const SHOWN: usize = 40;
/// Schemas in each other that are looked at.
const DEEPEST: usize = 64;

/// Checks arguments against parameters as [`super::normalise`] gives them.
///
/// # Errors
///
/// One sentence for each fault, at most eight, in the order of the parameters.
pub fn check(
    parameters: &Map<String, Value>,
    arguments: &Map<String, Value>,
    missing: Missing,
) -> Result<(), Vec<String>> {
    let mut checker = Checker {
        faults: Vec::new(),
        missing,
    };
    checker.object(parameters, arguments, "", 0);
    if checker.faults.is_empty() {
        Ok(())
    } else {
        checker.faults.truncate(MOST_FAULTS);
        Err(checker.faults)
    }
}

/// The answer to arguments with faults.
#[must_use]
pub fn invalid(faults: &[String]) -> String {
    format!("invalid arguments: {}", faults.join("; "))
}

/// What is done about arguments that a schema requires and that are not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// They are faults.
    Refused,
    /// They are the tool's affair, as in the format's own harness. What is there is checked, and one
    /// that looks misspelled is a fault.
    Passed,
}

struct Checker {
    faults: Vec<String>,
    missing: Missing,
}

impl Checker {
    fn fault(&mut self, path: &str, what: impl std::fmt::Display) {
        self.faults
            .push(format!("`{}` {what}", visible::line(path)));
    }

    fn object(
        &mut self,
        schema: &Map<String, Value>,
        value: &Map<String, Value>,
        path: &str,
        depth: usize,
    ) {
        let none = Map::new();
        let properties = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&none);
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let unknown: Vec<&str> = value
            .keys()
            .map(String::as_str)
            .filter(|name| !properties.contains_key(*name))
            .collect();
        for name in &required {
            if value.contains_key(*name) {
                continue;
            }
            let at = join(path, name);
            match did_you_mean(name, unknown.iter().copied()) {
                Some(other) => self.fault(
                    &at,
                    format_args!(
                        "is required and missing (there is no `{}`)",
                        visible::line(other)
                    ),
                ),
                None if path.is_empty() && self.missing == Missing::Passed => {}
                None => self.fault(&at, "is required and missing"),
            }
        }
        for (name, property) in properties {
            let Some(value) = value.get(name) else {
                continue;
            };
            let is_required = required.contains(&name.as_str());
            if value.is_null() && !is_required {
                continue;
            }
            self.value(property, value, &join(path, name), depth + 1);
        }
        match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => {
                for name in unknown {
                    let known = properties.keys().map(String::as_str);
                    let at = join(path, name);
                    match did_you_mean(name, known) {
                        Some(other) => self.fault(
                            &at,
                            format_args!(
                                "is not a parameter; did you mean `{}`?",
                                visible::line(other)
                            ),
                        ),
                        None => self.fault(&at, "is not a parameter"),
                    }
                }
            }
            Some(extra @ Value::Object(_)) => {
                for name in unknown {
                    if let Some(value) = value.get(name) {
                        self.value(extra, value, &join(path, name), depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn value(&mut self, schema: &Value, value: &Value, path: &str, depth: usize) {
        let Value::Object(schema) = schema else {
            return;
        };
        if depth > DEEPEST {
            return;
        }
        if let Some(types) = schema.get("type") {
            let words: Vec<&str> = match types {
                Value::String(word) => vec![word],
                Value::Array(words) => words.iter().filter_map(Value::as_str).collect(),
                _ => Vec::new(),
            };
            if !words.is_empty() && !words.iter().any(|word| is(value, word)) {
                let wanted: Vec<&str> = words.iter().map(|word| with_article(word)).collect();
                self.fault(
                    path,
                    format_args!("must be {}, got {}", wanted.join(" or "), shown(value)),
                );
                return;
            }
        }
        if let Some(Value::Array(choices)) = schema.get("enum")
            && !choices.iter().any(|choice| equal(choice, value))
        {
            let listed: Vec<String> = choices.iter().map(text).collect();
            self.fault(
                path,
                format_args!("must be one of {}, got {}", listed.join(", "), shown(value)),
            );
            return;
        }
        if let Some(only) = schema.get("const")
            && !equal(only, value)
        {
            self.fault(
                path,
                format_args!("must be {}, got {}", text(only), shown(value)),
            );
            return;
        }
        match value {
            Value::Number(_) => self.number(schema, value, path),
            Value::String(string) => {
                self.count(
                    schema,
                    string.chars().count(),
                    ["minLength", "maxLength"],
                    "characters",
                    path,
                );
            }
            Value::Array(items) => self.array(schema, items, path, depth),
            Value::Object(map) => {
                self.count(
                    schema,
                    map.len(),
                    ["minProperties", "maxProperties"],
                    "entries",
                    path,
                );
                self.object(schema, map, path, depth);
            }
            Value::Null | Value::Bool(_) => {}
        }
        self.alternatives(schema, value, path, depth);
    }

    fn number(&mut self, schema: &Map<String, Value>, value: &Value, path: &str) {
        let Some(number) = value.as_f64() else {
            return;
        };
        let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
        for (key, fits, words) in [
            (
                "minimum",
                bound("minimum").is_none_or(|bound| number >= bound),
                "at least",
            ),
            (
                "maximum",
                bound("maximum").is_none_or(|bound| number <= bound),
                "at most",
            ),
            (
                "exclusiveMinimum",
                bound("exclusiveMinimum").is_none_or(|bound| number > bound),
                "more than",
            ),
            (
                "exclusiveMaximum",
                bound("exclusiveMaximum").is_none_or(|bound| number < bound),
                "less than",
            ),
        ] {
            if !fits && let Some(bound) = schema.get(key) {
                self.fault(path, format_args!("must be {words} {bound}, got {value}"));
            }
        }
        // Only whole numbers divide exactly enough to blame the model for.
        if let (Some(step), Some(number)) = (
            schema
                .get("multipleOf")
                .and_then(Value::as_i64)
                .filter(|step| *step > 0),
            value.as_i64(),
        ) && number % step != 0
        {
            self.fault(
                path,
                format_args!("must be a multiple of {step}, got {value}"),
            );
        }
    }

    fn array(&mut self, schema: &Map<String, Value>, items: &[Value], path: &str, depth: usize) {
        self.count(schema, items.len(), ["minItems", "maxItems"], "items", path);
        let none = Vec::new();
        let first = schema
            .get("prefixItems")
            .and_then(Value::as_array)
            .unwrap_or(&none);
        let rest = schema.get("items");
        for (index, item) in items.iter().enumerate() {
            if self.faults.len() >= MOST_FAULTS {
                return;
            }
            if let Some(schema) = first.get(index).or(rest) {
                self.value(schema, item, &format!("{path}[{index}]"), depth + 1);
            }
        }
        if schema.get("uniqueItems") == Some(&Value::Bool(true)) && items.len() <= 1000 {
            let twice = items
                .iter()
                .enumerate()
                .find(|(index, item)| items.iter().take(*index).any(|other| equal(other, item)));
            if let Some((_, item)) = twice {
                self.fault(
                    path,
                    format_args!("must not have the same item twice: {}", text(item)),
                );
            }
        }
    }

    fn count(
        &mut self,
        schema: &Map<String, Value>,
        count: usize,
        [least, most]: [&str; 2],
        what: &str,
        path: &str,
    ) {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let bound = |key: &str| schema.get(key).and_then(Value::as_u64);
        if let Some(least) = bound(least).filter(|least| count < *least) {
            self.fault(
                path,
                format_args!("must have at least {least} {what}, has {count}"),
            );
        }
        if let Some(most) = bound(most).filter(|most| count > *most) {
            self.fault(
                path,
                format_args!("must have at most {most} {what}, has {count}"),
            );
        }
    }

    /// `anyOf` and `oneOf`: one of the schemas has to fit. `allOf`: each of them.
    fn alternatives(
        &mut self,
        schema: &Map<String, Value>,
        value: &Value,
        path: &str,
        depth: usize,
    ) {
        if let Some(Value::Array(all)) = schema.get("allOf") {
            for schema in all {
                self.value(schema, value, path, depth + 1);
            }
        }
        for key in ["anyOf", "oneOf"] {
            let Some(Value::Array(any)) = schema.get(key) else {
                continue;
            };
            let mut first = None;
            let fits = any.iter().any(|schema| {
                let mut checker = Self {
                    faults: Vec::new(),
                    missing: self.missing,
                };
                checker.value(schema, value, path, depth + 1);
                let fits = checker.faults.is_empty();
                first = first.take().or(checker.faults.into_iter().next());
                fits
            });
            if !fits && let Some(first) = first {
                self.faults
                    .push(format!("{first} (or another of {} forms)", any.len()));
            }
        }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// Whether a value is of a type. A number without a fraction is an integer, however it is written.
fn is(value: &Value, word: &str) -> bool {
    match word {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => {
            value.is_i64()
                || value.is_u64()
                || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

/// JSON Schema's equality: numbers by value.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            x == y || (x.as_f64() == y.as_f64() && x.is_f64() != y.is_f64())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

fn with_article(word: &str) -> &str {
    match word {
        "string" => "a string",
        "number" => "a number",
        "integer" => "an integer",
        "boolean" => "true or false",
        "array" => "an array",
        "object" => "an object",
        other => other,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => text(value),
        Value::String(_) => format!("the string {}", text(value)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn text(value: &Value) -> String {
    visible::short_line(&value.to_string(), SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::normalise;
    use proptest::prelude::*;
    use serde_json::json;

    fn faults(properties: Value, required: Value, arguments: Value) -> Vec<String> {
        let schema = normalise(&json!({ "properties": properties, "required": required }));
        let Value::Object(arguments) = arguments else {
            panic!("{arguments}");
        };
        check(&schema, &arguments, Missing::Refused)
            .err()
            .unwrap_or_default()
    }

    #[test]
    fn what_is_missing_may_be_the_tools_affair() {
        let schema = json!({ "properties": { "ticker": {}, "n": { "type": "integer" } }, "required": ["ticker"] });
        let told = |arguments: Value| {
            let schema = schema.as_object().unwrap();
            check(schema, arguments.as_object().unwrap(), Missing::Passed)
        };
        assert_eq!(told(json!({})), Ok(()));
        assert_eq!(told(json!({ "n": 1 })), Ok(()));
        assert!(told(json!({ "n": "1" })).is_err());
        assert!(told(json!({ "tiker": "A" })).is_err());
    }

    #[test]
    fn each_fault_says_what_to_change() {
        for (schema, value, fault) in [
            (
                json!({ "type": "integer" }),
                json!("10"),
                "`p` must be an integer, got the string \"10\"",
            ),
            (
                json!({ "type": "integer" }),
                json!(1.5),
                "`p` must be an integer, got 1.5",
            ),
            (
                json!({ "type": ["string", "null"] }),
                json!(1),
                "`p` must be a string or null, got 1",
            ),
            (
                json!({ "type": "string", "enum": ["buy", "sell"] }),
                json!("by"),
                "`p` must be one of \"buy\", \"sell\", got the string \"by\"",
            ),
            (json!({ "const": 1 }), json!(2), "`p` must be 1, got 2"),
            (
                json!({ "minimum": 1 }),
                json!(0),
                "`p` must be at least 1, got 0",
            ),
            (
                json!({ "exclusiveMaximum": 1 }),
                json!(1),
                "`p` must be less than 1, got 1",
            ),
            (
                json!({ "multipleOf": 5 }),
                json!(7),
                "`p` must be a multiple of 5, got 7",
            ),
            (
                json!({ "minLength": 2 }),
                json!("é"),
                "`p` must have at least 2 characters, has 1",
            ),
            (
                json!({ "type": "array", "items": { "type": "string" } }),
                json!(["a", 1]),
                "`p[1]` must be a string, got 1",
            ),
            (
                json!({ "uniqueItems": true }),
                json!([1, 1.0]),
                "`p` must not have the same item twice: 1.0",
            ),
            (
                json!({ "type": "object", "properties": { "x": { "type": "boolean" } }, "required": ["x"] }),
                json!({}),
                "`p.x` is required and missing",
            ),
            (
                json!({ "type": "object", "properties": { "x": { "type": "boolean" } } }),
                json!({ "x": "y" }),
                "`p.x` must be true or false, got the string \"y\"",
            ),
            (
                json!({ "type": "object", "properties": { "xen": {} }, "additionalProperties": false }),
                json!({ "xem": 1 }),
                "`p.xem` is not a parameter; did you mean `xen`?",
            ),
            (
                json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
                json!(true),
                "`p` must be a string, got true (or another of 2 forms)",
            ),
            (
                json!({ "allOf": [{ "minimum": 3 }] }),
                json!(2),
                "`p` must be at least 3, got 2",
            ),
        ] {
            assert_eq!(
                faults(json!({ "p": schema }), json!(["p"]), json!({ "p": value })),
                [fault]
            );
        }
        assert_eq!(
            faults(
                json!({ "ticker": {}, "side": {} }),
                json!(["ticker", "side"]),
                json!({ "tiker": 1 })
            ),
            [
                "`ticker` is required and missing (there is no `tiker`)",
                "`side` is required and missing"
            ]
        );
    }

    #[test]
    fn what_is_lenient() {
        let number = json!({ "n": { "type": "integer" } });
        for (required, arguments) in [
            (json!([]), json!({})),
            (json!([]), json!({ "n": null })),
            (json!(["n"]), json!({ "n": 1.0 })),
            (json!(["n"]), json!({ "n": 1e300 })),
            (json!(["n"]), json!({ "n": 1, "more": true })),
        ] {
            assert!(
                faults(number.clone(), required, arguments.clone()).is_empty(),
                "{arguments}"
            );
        }
        // A required argument that is null is not there.
        assert_eq!(
            faults(number, json!(["n"]), json!({ "n": null })),
            ["`n` must be an integer, got null"]
        );
        // No regular expression of a tool's author runs here.
        let pattern = json!({ "p": { "pattern": "^a$", "format": "email" } });
        assert!(faults(pattern, json!([]), json!({ "p": "b" })).is_empty());
    }

    #[test]
    fn an_answer_is_bounded_and_on_one_line() {
        let many = faults(
            json!({ "p": { "type": "array", "items": { "type": "string" } } }),
            json!([]),
            json!({ "p": vec![1; 1000] }),
        );
        assert_eq!(many.len(), MOST_FAULTS);
        let long = faults(
            json!({ "p": { "type": "integer" } }),
            json!([]),
            json!({ "p": format!("\n{}", "x".repeat(10_000)) }),
        );
        assert!(
            long.iter()
                .all(|fault| fault.len() < 200 && !fault.contains('\n')),
            "{long:?}"
        );
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-3..10_i64).prop_map(Value::from),
            (-2.0..4.0).prop_map(Value::from),
            "[a-c]{0,3}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::btree_map("[a-c]", inner, 0..3)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    fn schema() -> impl Strategy<Value = Value> {
        let kind = prop::sample::select(
            &[
                "string", "number", "integer", "boolean", "array", "object", "null",
            ][..],
        );
        let leaf = prop_oneof![
            kind.prop_map(|kind| json!({ "type": kind })),
            value().prop_map(|value| json!({ "const": value })),
            prop::collection::vec(value(), 1..3).prop_map(|values| json!({ "enum": values })),
            (-2..5_i64).prop_map(|n| json!({ "minimum": n })),
            (0..3_u64).prop_map(|n| json!({ "maxLength": n, "minItems": n })),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                inner.clone().prop_map(|schema| json!({ "type": "array", "items": schema })),
                (inner.clone(), any::<bool>()).prop_map(|(schema, open)| json!({
                    "type": "object", "properties": { "a": schema }, "required": ["a"], "additionalProperties": open,
                })),
                prop::collection::vec(inner.clone(), 1..3).prop_map(|schemas| json!({ "anyOf": schemas })),
                prop::collection::vec(inner, 1..3).prop_map(|schemas| json!({ "allOf": schemas })),
            ]
        })
    }

    proptest! {
        /// What is accepted is what a validator accepts, where nothing is lenient: all is required.
        #[test]
        fn the_check_agrees_with_a_validator(schema in schema(), value in value()) {
            let parameters = normalise(&json!({ "properties": { "p": schema }, "required": ["p"] }));
            let arguments = json!({ "p": value });
            let accepted = check(&parameters, arguments.as_object().unwrap(), Missing::Refused).is_ok();
            let validator = jsonschema::draft202012::new(&Value::Object(parameters.clone())).unwrap();
            prop_assert_eq!(accepted, validator.is_valid(&arguments), "{:?} {}", parameters, arguments);
        }
    }
}
