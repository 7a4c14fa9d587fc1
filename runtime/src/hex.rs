//! Bytes as hexadecimal digits, in lower case.

use std::fmt::Write as _;

/// The digits of some bytes.
#[must_use]
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The bytes that some digits stand for, in either case.
#[must_use]
pub(crate) fn decode(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks(2)
        .map(|pair| {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        assert_eq!(encode(&[0, 15, 255]), "000fff");
        assert_eq!(decode("000fFF"), Some(vec![0, 15, 255]));
        assert_eq!(decode(""), Some(Vec::new()));
        for wrong in ["0", "0g", "é", "+1"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
