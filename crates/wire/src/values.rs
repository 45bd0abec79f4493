//! How values stand in inputs and results whatever the protocol, which is how AWS JSON has them: a
//! timestamp is a number of seconds since 1970, a blob is base64 text, and the doubles that JSON has
//! no number for are words.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Number, Value};

/// A double, or the word for it.
pub(crate) fn double(value: f64) -> Value {
    match Number::from_f64(value) {
        Some(number) => Value::Number(number),
        None if value.is_nan() => Value::from("NaN"),
        None if value > 0.0 => Value::from("Infinity"),
        None => Value::from("-Infinity"),
    }
}

/// The double that a number or one of the words stands for.
pub(crate) fn as_double(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(word) => match word.as_str() {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

/// Seconds since 1970: an integer where they are whole.
pub(crate) fn seconds(value: f64) -> Value {
    // Beyond 2^53 not every integer is a double, and no date is that far off.
    let whole = value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0;
    if whole { Value::from(value as i64) } else { double(value) }
}

/// Seconds since 1970 out of ISO 8601, in which no zone means UTC, or out of a number.
pub(crate) fn seconds_of(text: &str) -> Option<Value> {
    let instant = text
        .parse::<Timestamp>()
        .ok()
        .or_else(|| TimeZone::UTC.to_timestamp(text.parse::<DateTime>().ok()?).ok());
    match instant {
        // Milliseconds are exact as doubles wherever dates reach; microseconds are not.
        Some(instant) if instant.subsec_nanosecond() % 1_000_000 == 0 => {
            Some(seconds(instant.as_millisecond() as f64 / 1e3))
        }
        Some(instant) => Some(seconds(instant.as_microsecond() as f64 / 1e6)),
        None => text.parse().ok().filter(|number: &f64| number.is_finite()).map(seconds),
    }
}

/// ISO 8601 as AWS prints it: in UTC, with milliseconds where they are not zero.
pub(crate) fn iso_8601(seconds: f64) -> Option<String> {
    let milliseconds = (seconds * 1e3).round();
    // The cast saturates, and what is out of range is no timestamp.
    let instant = Timestamp::from_millisecond(milliseconds as i64).ok()?;
    let precision = if instant.subsec_millisecond() == 0 { 0 } else { 3 };
    Some(format!("{instant:.precision$}"))
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

pub(crate) fn bytes(base64: &str) -> Option<Vec<u8>> {
    STANDARD.decode(base64).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_seconds_whole_where_they_are() {
        for (text, seconds) in [
            ("2026-01-02T03:04:05Z", Value::from(1_767_323_045)),
            ("2026-01-02T03:04:05.250Z", Value::from(1_767_323_045.25)),
            ("2026-01-02T05:04:05+02:00", Value::from(1_767_323_045)),
            ("2026-01-02T03:04:05", Value::from(1_767_323_045)),
            ("2026-01-02", Value::from(1_767_312_000)),
            ("1767323045", Value::from(1_767_323_045)),
            ("1767323045.5", Value::from(1_767_323_045.5)),
            ("1969-12-31T23:59:59.5Z", Value::from(-0.5)),
            ("9385-02-02T00:00:00.101Z", Value::from(233_997_638_400.101)),
            ("2026-01-02T03:04:05.000001Z", Value::from(1_767_323_045.000_001)),
        ] {
            assert_eq!(seconds_of(text), Some(seconds), "{text}");
        }
        for text in ["", "yesterday", "2026-13-01T00:00:00Z", "inf", "NaN"] {
            assert_eq!(seconds_of(text), None, "{text}");
        }
    }

    #[test]
    fn timestamps_are_printed_with_the_milliseconds_that_they_have() {
        for (seconds, text) in [
            (1_767_323_045.0, Some("2026-01-02T03:04:05Z")),
            (1_767_323_045.25, Some("2026-01-02T03:04:05.250Z")),
            (1_767_323_045.000_4, Some("2026-01-02T03:04:05Z")),
            (-0.5, Some("1969-12-31T23:59:59.500Z")),
            (1e300, None),
            (-1e300, None),
        ] {
            assert_eq!(iso_8601(seconds).as_deref(), text);
        }
        assert_eq!(iso_8601(f64::NAN).as_deref(), Some("1970-01-01T00:00:00Z"));
    }

    #[test]
    fn doubles_beyond_json_are_words() {
        for number in [0.0, -1.5, f64::MAX, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(as_double(&double(number)), Some(number));
        }
        assert!(as_double(&double(f64::NAN)).is_some_and(f64::is_nan));
        assert_eq!(as_double(&Value::from("1")), None);
    }
}
