//! Values that must not be printed by accident.

use std::fmt;

/// A value of a granted variable. It reaches the instance of one call and nothing else:
/// `Debug` and `Display` show a placeholder.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    name: String,
    value: String,
}

impl Secret {
    /// The value of the variable `name`.
    #[must_use]
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
        }
    }

    /// The name of the variable.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value itself. Every use of this method is a place where a secret leaves the
    /// type; there is one, where the instance's environment is built.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.value
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[env:{}]", self.name)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The shortest value that is looked for in text. A shorter one, `1` or `eu`, would be
/// found everywhere, and replacing it there would give it away.
const SHORTEST: usize = 6;

/// `text` with every value of `secrets` in it replaced by its name, however a URL or a
/// JSON string spells it.
#[must_use]
pub fn redact(text: &str, secrets: &[Secret]) -> String {
    let mut found: Vec<(String, &Secret)> = secrets
        .iter()
        .filter(|secret| secret.value.len() >= SHORTEST)
        .flat_map(|secret| {
            let spellings = spellings(&secret.value).into_iter();
            spellings.map(move |spelling| (spelling, secret))
        })
        .collect();
    // Longest first: one value may contain another.
    found.sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
    found
        .into_iter()
        .fold(text.to_owned(), |text, (spelling, secret)| {
            text.replace(&spelling, &secret.to_string())
        })
}

/// A value as it stands, percent-encoded in the usual ways, and as JSON has it.
fn spellings(value: &str) -> Vec<String> {
    let encoded = |keep: &str, upper: bool| -> String {
        let mut text = String::new();
        for byte in value.bytes() {
            if byte.is_ascii_alphanumeric() || keep.as_bytes().contains(&byte) {
                text.push(char::from(byte));
            } else if upper {
                text.push_str(&format!("%{byte:02X}"));
            } else {
                text.push_str(&format!("%{byte:02x}"));
            }
        }
        text
    };
    // What a component of a URL keeps, and what a path does.
    const UNRESERVED: &str = "-._~";
    const PATH: &str = "-._~!$&'()*+,;=:@/";
    let mut all = vec![value.to_owned()];
    for keep in [UNRESERVED, PATH] {
        all.extend([encoded(keep, true), encoded(keep, false)]);
    }
    let json = serde_json::Value::from(value).to_string();
    all.push(json.trim_matches('"').to_owned());
    // A space in a form.
    all.push(encoded(UNRESERVED, true).replace("%20", "+"));
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_prints_its_name() {
        let secret = Secret::new("KEY", "hunter22");
        assert_eq!(format!("{secret} {secret:?}"), "[env:KEY] [env:KEY]");
    }

    #[test]
    fn values_are_replaced_longest_first_and_never_when_short() {
        let secrets = [
            Secret::new("SHORT", "eu"),
            Secret::new("A", "hunter22"),
            Secret::new("B", "hunter22-long"),
        ];
        let text = "https://eu.example.com/?k=hunter22&l=hunter22-long";
        assert_eq!(
            redact(text, &secrets),
            "https://eu.example.com/?k=[env:A]&l=[env:B]"
        );
    }

    #[test]
    fn a_value_is_found_however_it_is_spelled() {
        let secrets = [Secret::new("KEY", "a/b+c \"d=é")];
        for text in [
            "a/b+c \"d=é",
            "a%2Fb%2Bc%20%22d%3D%C3%A9",
            "a%2fb%2bc%20%22d%3d%c3%a9",
            "a/b+c%20%22d=%C3%A9",
            "a%2Fb%2Bc+%22d%3D%C3%A9",
            r#"a/b+c \"d=é"#,
        ] {
            assert_eq!(
                redact(&format!("<{text}>"), &secrets),
                "<[env:KEY]>",
                "{text}"
            );
        }
    }
}
