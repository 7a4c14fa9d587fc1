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

/// `text` with every value of `secrets` in it replaced by its name, however a URL, a JSON string or
/// holm's own escapes spell it: any character of it may be written in any of these ways.
#[must_use]
pub fn redact(text: &str, secrets: &[Secret]) -> String {
    let mut secrets: Vec<&Secret> = secrets
        .iter()
        .filter(|secret| secret.value.len() >= SHORTEST)
        .collect();
    // Longest first: one value may contain another.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.value.len()));
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let found = secrets.iter().find_map(|secret| {
            let after = after_value(rest.as_bytes(), secret.value.as_bytes())?;
            // A match ends where a character does, as the value itself does.
            Some((rest.get(rest.len() - after.len()..)?, secret))
        });
        match found {
            Some((after, secret)) => {
                shown.push_str(&secret.to_string());
                rest = after;
            }
            None => {
                shown.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
    }
    shown
}

/// What follows `value` in a text that begins with it in some spelling.
fn after_value<'a>(mut text: &'a [u8], mut value: &[u8]) -> Option<&'a [u8]> {
    while let Some((byte, others)) = value.split_first() {
        let escape = after_escape(text, value);
        (text, value) = match text.split_first() {
            Some((first, after)) if first == byte => {
                // `%25` may be a percent sign and two digits, or stand for one.
                if let Some((text, value)) = escape
                    && let Some(after) = after_value(text, value)
                {
                    return Some(after);
                }
                (after, others)
            }
            _ => escape?,
        };
    }
    Some(text)
}

/// What follows the first character of `value` in a text that begins with an escape for it, and what
/// follows it in `value`.
fn after_escape<'a, 'v>(text: &'a [u8], value: &'v [u8]) -> Option<(&'a [u8], &'v [u8])> {
    let (byte, others) = value.split_first()?;
    match text {
        [b'%', high, low, after @ ..] if hex(&[*high, *low]) == Some((*byte).into()) => {
            Some((after, others))
        }
        // A space in a form.
        [b'+', after @ ..] if *byte == b' ' => Some((after, others)),
        [b'\\', b'u', after @ ..] => {
            let (character, after) = unicode_escape(after)?;
            let mut utf8 = [0; 4];
            let spelled: &[u8] = character.encode_utf8(&mut utf8).as_bytes();
            Some((after, value.strip_prefix(spelled)?))
        }
        [b'\\', letter, after @ ..] if escaped(*letter) == *byte => Some((after, others)),
        _ => None,
    }
}

/// What `\` and this letter stand for in JSON.
fn escaped(letter: u8) -> u8 {
    match letter {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'f' => 12,
        other => other,
    }
}

/// The character of an escape after its `\u`, which is `{20}`, `0020`, or a pair of surrogates.
fn unicode_escape(text: &[u8]) -> Option<(char, &[u8])> {
    if let Some(text) = text.strip_prefix(b"{") {
        let end = text.iter().take(8).position(|byte| *byte == b'}')?;
        let (digits, after) = text.split_at(end);
        return Some((char::from_u32(hex(digits)?)?, after.get(1..)?));
    }
    let (digits, after) = text.split_at_checked(4)?;
    let unit = hex(digits)?;
    if let Some(character) = char::from_u32(unit) {
        return Some((character, after));
    }
    let (digits, after) = after.strip_prefix(b"\\u")?.split_at_checked(4)?;
    let low = hex(digits)?.checked_sub(0xdc00)?;
    let high = unit.checked_sub(0xd800).filter(|high| *high < 0x400)?;
    let character = char::from_u32(0x10000 + (high << 10) + low)?;
    Some((character, after))
}

fn hex(digits: &[u8]) -> Option<u32> {
    let all = digits.iter().all(u8::is_ascii_hexdigit);
    let text = std::str::from_utf8(digits).ok().filter(|_| all)?;
    u32::from_str_radix(text, 16).ok()
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
            // And each character in another way.
            "%61/%62+c%20\\u0022\\u{64}=%c3%A9",
            r#"a\/b\u002bc \"\u0064=\u00e9"#,
        ] {
            assert_eq!(
                redact(&format!("<{text}>"), &secrets),
                "<[env:KEY]>",
                "{text}"
            );
        }
        let secrets = [Secret::new("KEY", "pass\u{1f511}\n")];
        for text in [
            "pass\u{1f511}\n",
            r"pass\ud83d\udd11\n",
            r"pass\u{1f511}\u000a",
        ] {
            assert_eq!(redact(text, &secrets), "[env:KEY]", "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_no_value_stays_as_it_is(text in ".*", value in "[a-f%]{6}[^x]") {
            let secrets = [Secret::new("KEY", value.clone())];
            let shown = redact(&text, &secrets);
            if !text.contains(['%', '\\', '+']) {
                proptest::prop_assert_eq!(shown, text.replace(&value, "[env:KEY]"));
            }
        }

        #[test]
        fn a_value_is_found_among_others(before in ".{0,8}", after in ".{0,8}", encode in ".{6,12}") {
            let spelled: String = encode.bytes().map(|byte| format!("%{byte:02x}")).collect();
            let secrets = [Secret::new("KEY", encode.clone())];
            for value in [&encode, &spelled] {
                let shown = redact(&format!("{before}{value}{after}"), &secrets);
                proptest::prop_assert!(shown.contains("[env:KEY]"), "{}", shown);
            }
        }
    }
}
