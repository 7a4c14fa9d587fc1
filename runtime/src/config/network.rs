//! `[network]`: address ranges that are not global and may be reached all the same.

use toml::Spanned;
use toml::de::DeValue;

use super::document::{Key, Reader};
use super::keys::NETWORK;
use crate::grants::Cidr;

/// Reads `[network]`.
pub(super) fn read(reader: &mut Reader<'_>, at: &Key, value: &Spanned<DeValue<'_>>) -> Vec<Cidr> {
    let accepted = "a list of address ranges such as \"10.0.0.0/8\"";
    let mut ranges = Vec::new();
    for field in reader.fields_of(at, value, &NETWORK) {
        let key = &field.key;
        let texts = reader.strings(key, field.value, accepted);
        for (text, span) in texts.unwrap_or_default() {
            match text.parse() {
                Ok(range) => ranges.push(range),
                Err(error) => {
                    let error: crate::grants::CidrError = error;
                    let message = format!("{text:?} is not accepted: {error}");
                    reader.error(&span, key, message, format!("give {accepted}"));
                }
            }
        }
    }
    ranges
}
