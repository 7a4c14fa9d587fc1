//! `[network]`: address ranges that are not global and may be reached all the same, and
//! certificate authorities beside the usual ones.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::DeValue;

use super::document::{Key, Reader};
use super::keys::NETWORK;
use crate::grants::{Cidr, CidrError};

/// `[network]`.
#[derive(Debug, Default)]
pub(super) struct Network {
    pub(super) private: Vec<Cidr>,
    pub(super) extra_ca: Vec<PathBuf>,
}

/// Reads `[network]`; relative paths in it are relative to `base`.
pub(super) fn read(
    reader: &mut Reader<'_>,
    at: &Key,
    value: &Spanned<DeValue<'_>>,
    base: &Path,
) -> Network {
    let mut network = Network::default();
    for field in reader.fields_of(at, value, &NETWORK) {
        let key = &field.key;
        let accepted = match field.name {
            "private" => "a list of address ranges such as \"10.0.0.0/8\"",
            _ => "a list of files such as \"./root.pem\"",
        };
        let texts = reader.strings(key, field.value, accepted);
        for (text, span) in texts.unwrap_or_default() {
            match field.name {
                "private" => match text.parse::<Cidr>() {
                    Ok(range) => network.private.push(range),
                    Err(error) => {
                        let error: CidrError = error;
                        let message = format!("{text:?} is not accepted: {error}");
                        reader.error(&span, key, message, format!("give {accepted}"));
                    }
                },
                _ if text.is_empty() => {
                    reader.error(&span, key, "the path is empty", format!("give {accepted}"));
                }
                _ => network.extra_ca.push(base.join(text)),
            }
        }
    }
    network
}
