//! A call in a few words, from the arguments that will run.

use serde_json::{Map, Value};

/// The most characters of one argument in a summary: enough to recognise it, too few to
/// push the question off the screen.
const LONGEST: usize = 200;

/// The most characters of a summary: a few lines of a terminal.
const LONGEST_SUMMARY: usize = 400;

/// The values of the declared summary parameters, in their order, with single spaces
/// between. Strings, numbers and booleans count; `None` when there are none.
#[must_use]
pub fn summary(params: &[String], arguments: &Map<String, Value>) -> Option<String> {
    let words: Vec<String> = params
        .iter()
        .filter_map(|param| match arguments.get(param)? {
            Value::String(text) => Some(shown(text)),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        })
        .collect();
    let summary = words.join(" ");
    // The words are safe to show already, and being shown twice changes nothing.
    (!summary.is_empty()).then(|| crate::visible::short_line(&summary, LONGEST_SUMMARY))
}

/// One argument on one line.
pub(super) fn shown(text: &str) -> String {
    crate::visible::short_line(text, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_numbers_and_booleans_in_declared_order() {
        let Ok(Value::Object(arguments)) = serde_json::from_str(
            r#"{"side":"buy","ticker":"AAPL\n","quantity":10,"price":1.5,"dry":false,"tags":["a"],"none":null}"#,
        ) else {
            panic!("an object");
        };
        let names = [
            "side", "quantity", "ticker", "price", "dry", "tags", "none", "absent",
        ]
        .map(str::to_owned);
        assert_eq!(
            summary(&names, &arguments).as_deref(),
            Some("buy 10 AAPL\\n 1.5 false")
        );
        assert_eq!(summary(&[], &arguments), None);
        assert_eq!(summary(&["absent".to_owned()], &arguments), None);
    }
}
