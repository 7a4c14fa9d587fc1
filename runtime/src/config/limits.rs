//! `[limits]` and the tables of `[tools.limits]`: the same keys in both.

use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::{Key, Reader};
use super::keys::LIMITS;
use super::units::{self, DURATION_FORMS, SIZE_FORMS};
use crate::limits::LimitOverrides;

/// Linear memory that a limit may name: at least what the guest needs to start in,
/// at most what a 32-bit memory can be.
const MEMORY: (u64, u64) = (8 << 20, 4 << 30);

/// Bytes of output and of bodies that a limit may name.
const BYTES: (u64, u64) = (0, 1 << 30);

/// Reads a table of limits.
pub(super) fn read(reader: &mut Reader<'_>, at: &Key, table: &DeTable<'_>) -> LimitOverrides {
    let mut limits = LimitOverrides::default();
    for field in reader.fields(at, table, &LIMITS) {
        let (key, value) = (field.key, field.value);
        match field.name {
            "wall" => limits.wall = duration(reader, &key, value),
            "cpu" => limits.cpu = duration(reader, &key, value),
            "steps" => limits.steps = reader.integer(&key, value, (1, u64::MAX >> 1)),
            "memory" => limits.memory = size(reader, &key, value, MEMORY),
            "output" => {
                limits.output =
                    size(reader, &key, value, BYTES).and_then(|bytes| u32::try_from(bytes).ok());
            }
            "http-body" => limits.http_body = size(reader, &key, value, BYTES),
            "http-send" => limits.http_send = size(reader, &key, value, BYTES),
            "http-requests" => {
                limits.http_requests = reader
                    .integer(&key, value, (0, u32::MAX.into()))
                    .and_then(|count| u32::try_from(count).ok());
            }
            _ => {}
        }
    }
    limits
}

/// A duration in any of its forms, or a noted problem.
pub(super) fn duration(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
) -> Option<Duration> {
    let parsed = match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => units::duration(number.as_str()),
        DeValue::Float(number) => match number.as_str().parse() {
            Ok(number) => units::seconds(number),
            Err(_) => Err(format!("`{number}` is not a duration")),
        },
        _ => units::duration(reader.string(key, value, DURATION_FORMS)?),
    };
    parsed
        .map_err(|message| {
            reader.error(
                &value.span(),
                key,
                message,
                format!("give {DURATION_FORMS}"),
            )
        })
        .ok()
}

/// A size in any of its forms, or a noted problem.
fn size(
    reader: &mut Reader<'_>,
    key: &Key,
    value: &Spanned<DeValue<'_>>,
    (least, most): (u64, u64),
) -> Option<u64> {
    if let DeValue::Integer(_) = value.get_ref() {
        return reader.integer(key, value, (least, most));
    }
    let parsed = units::size(reader.string(key, value, SIZE_FORMS)?);
    match parsed {
        Ok(bytes) if (least..=most).contains(&bytes) => Some(bytes),
        Ok(bytes) => {
            let hint = format!("give {least} to {most} bytes");
            reader.error(
                &value.span(),
                key,
                format!("{bytes} bytes is out of range"),
                hint,
            );
            None
        }
        Err(message) => {
            reader.error(&value.span(), key, message, format!("give {SIZE_FORMS}"));
            None
        }
    }
}
