//! Durations and sizes as people write them.

use std::time::Duration;

/// The forms of a duration, for messages.
pub(super) const DURATION_FORMS: &str = "seconds as a number (`30`, `0.5`) or a string with `ms`, `s`, `m` or `h` (`\"500ms\"`, `\"30s\"`)";

/// The forms of a size, for messages.
pub(super) const SIZE_FORMS: &str =
    "bytes as a number or a string with `B`, `KiB`, `MiB`, `GiB`, `kB`, `MB` or `GB` (`\"64MiB\"`)";

/// The longest duration that a limit may have: a call that may run for a day has no limit.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The shortest: below a millisecond nothing useful runs.
const SHORTEST: Duration = Duration::from_millis(1);

/// A duration from a string, for example `30s`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{text}` is not a duration")),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| format!("`{text}` is not a duration"))?;
    seconds(number * scale)
}

/// A duration from a number of seconds.
pub(super) fn seconds(number: f64) -> Result<Duration, String> {
    let duration =
        Duration::try_from_secs_f64(number).map_err(|_| format!("`{number}` is not a duration"))?;
    if (SHORTEST..=LONGEST).contains(&duration) {
        Ok(duration)
    } else {
        Err("a duration is from 1 millisecond to 24 hours".to_owned())
    }
}

/// A number of bytes from a string, for example `64MiB`.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let scale: u64 = match unit {
        "" | "B" => 1,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return Err(format!("`{text}` is not a size")),
    };
    number
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(scale))
        .ok_or_else(|| format!("`{text}` is not a size"))
}

/// The number and the unit of a quantity, with or without a space between.
fn split(text: &str) -> (&str, &str) {
    let end = text
        .find(|character: char| !(character.is_ascii_digit() || character == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number, unit.trim_start_matches(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5 m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        for wrong in [
            "", "s", "-1s", "1d", "1s ", "0s", "25h", "1e3s", "inf", "1..5s",
        ] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(size("64MiB"), Ok(64 << 20));
        assert_eq!(size("10 kB"), Ok(10_000));
        assert_eq!(size("7"), Ok(7));
        for wrong in [
            "",
            "MiB",
            "1.5MiB",
            "-1",
            "64mib",
            "99999999999GiB",
            "1 TiB",
        ] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
