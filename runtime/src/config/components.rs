//! `[components]`: whose components run.

use toml::Spanned;
use toml::de::DeValue;

use super::document::{Key, Reader};
use super::keys::COMPONENTS;
use crate::signing::{PublicKey, SigningError};

/// Reads `[components]`. A list without keys trusts nobody; no list asks for no signature.
pub(super) fn read(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &Spanned<DeValue<'_>>,
) -> Option<Vec<PublicKey>> {
    let accepted = "a list of public keys as `holm key` prints them";
    let mut keys = None;
    for field in reader.fields_of(at, value, &COMPONENTS) {
        let key = &field.key;
        let texts = reader.strings(key, field.value, accepted);
        let trusted = keys.get_or_insert_with(Vec::new);
        for (text, span) in texts.unwrap_or_default() {
            match text.parse() {
                Ok(public) => trusted.push(public),
                Err(error) => {
                    let error: SigningError = error;
                    let message = format!("{text:?} is not accepted: {error}");
                    reader.error(&span, key, message, format!("give {accepted}"));
                }
            }
        }
    }
    keys
}
