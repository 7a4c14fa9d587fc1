//! `[network]`: address ranges that are not global and may be reached all the same.

use toml::de::DeTable;

use super::document::{Key, Reader};
use crate::grants::Cidr;

/// Reads `[network]`.
pub(super) fn read(reader: &mut Reader<'_>, at: &Key, table: &DeTable<'_>) -> Vec<Cidr> {
    reader.known_keys(at, table, &["private"]);
    let Some(value) = table.get("private") else {
        return Vec::new();
    };
    let key = at.child("private");
    let accepted = "a list of address ranges such as \"10.0.0.0/8\"";
    let mut ranges = Vec::new();
    for (text, span) in reader.strings(&key, value, accepted).unwrap_or_default() {
        match text.parse() {
            Ok(range) => ranges.push(range),
            Err(error) => {
                let error: crate::grants::CidrError = error;
                let message = format!("{text:?} is not accepted: {error}");
                reader.error(&span, &key, message, format!("give {accepted}"));
            }
        }
    }
    ranges
}
