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

/// `text` with every value of `secrets` in it replaced by its name.
#[must_use]
pub fn redact(text: &str, secrets: &[Secret]) -> String {
    // Longest first: one value may contain another.
    let mut secrets: Vec<&Secret> = secrets
        .iter()
        .filter(|secret| secret.value.len() >= SHORTEST)
        .collect();
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.value.len()));
    secrets.into_iter().fold(text.to_owned(), |text, secret| {
        text.replace(&secret.value, &secret.to_string())
    })
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
}
