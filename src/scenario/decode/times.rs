//! Durations such as `30s`, `1h30m` or `50ms`, for either clock.

use havoq_base::{RealDuration, StackDuration};
use serde_json::{Value, json};

use super::super::problem::Log;
use super::super::yaml::{Node, Scalar};
use super::{Decode, mismatch};

/// From the largest to the smallest.
const UNITS: [(&str, u64); 5] =
    [("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000)];
/// Ten years: beyond any retention, and far from where clocks end.
const MAX_MICROS: u64 = 3_650 * 86_400_000_000;

/// A span that may be zero.
#[derive(Clone, Copy, Debug)]
pub(in crate::scenario) struct Span<D>(pub(in crate::scenario) D);

/// A span longer than zero.
#[derive(Clone, Copy, Debug)]
pub(in crate::scenario) struct LongDuration<D>(pub(in crate::scenario) D);

pub(in crate::scenario) trait FromMicros {
    fn from_micros(micros: u64) -> Self;
}

impl FromMicros for StackDuration {
    fn from_micros(micros: u64) -> Self {
        Self::from_micros(micros)
    }
}

impl FromMicros for RealDuration {
    fn from_micros(micros: u64) -> Self {
        Self::from_micros(micros)
    }
}

impl<D: FromMicros> Decode for Span<D> {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        micros(node, log).map(|micros| Self(D::from_micros(micros)))
    }
    fn schema() -> Value {
        schema()
    }
}

impl<D: FromMicros> Decode for LongDuration<D> {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let micros = micros(node, log)?;
        if micros == 0 {
            log.report(node.span, "must be longer than zero");
            return None;
        }
        Some(Self(D::from_micros(micros)))
    }
    fn schema() -> Value {
        schema()
    }
}

fn schema() -> Value {
    json!({
        "type": "string",
        "description": "A duration: 30s, 5m, 14d, 50ms, 1h30m.",
        "pattern": "^([0-9]+(\\.[0-9]+)?(d|h|m|s|ms))+$",
    })
}

/// A duration in real time as it is written in a scenario, for the command line.
pub fn real_duration(text: &str) -> Result<RealDuration, String> {
    read(text).map(RealDuration::from_micros).map_err(|wrong| {
        let (message, hint) = wrong.words(text);
        hint.map_or_else(|| message.clone(), |hint| format!("{message}\nhint: {hint}"))
    })
}

fn micros(node: &Node, log: &mut Log<'_>) -> Option<u64> {
    let text = match node.scalar().filter(|_| node.tag.is_none()) {
        Some(Scalar::Text(text)) => text,
        Some(Scalar::Whole(number)) if number >= 0 => {
            log.report(node.span, "a duration needs a unit").hint(format!("`{number}s`?"));
            return None;
        }
        Some(Scalar::Whole(_)) => {
            log.report(node.span, "a duration cannot be negative");
            return None;
        }
        _ => {
            mismatch(node, "a duration such as `30s`", log);
            return None;
        }
    };
    match read(text) {
        Ok(micros) => Some(micros),
        Err(wrong) => {
            let (message, hint) = wrong.words(text);
            log.report(node.span, message).hint_if(hint);
            None
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Form,
    Negative,
    TooLong,
    TooFine,
}

impl Wrong {
    /// Message and hint.
    fn words(self, text: &str) -> (String, Option<String>) {
        let message = match self {
            Self::Negative => "a duration cannot be negative".to_owned(),
            Self::TooLong => "a duration can be at most 3650d".to_owned(),
            Self::TooFine => "a duration cannot be finer than a microsecond".to_owned(),
            Self::Form => format!("`{text}` is not a duration"),
        };
        let hint = (self == Self::Form).then(|| match repaired(text) {
            Some(better) => format!("`{better}`?"),
            None => "durations are `30s`, `5m`, `14d`, `50ms`, `1h30m`".to_owned(),
        });
        (message, hint)
    }
}

/// Microseconds of a text such as `1h30m`. Units stand from large to small, each at most once.
fn read(text: &str) -> Result<u64, Wrong> {
    if text.starts_with('-') {
        return Err(Wrong::Negative);
    }
    let mut rest = text;
    let mut units = UNITS.as_slice();
    let mut total = 0_u64;
    while !rest.is_empty() || total == 0 && units.len() == UNITS.len() {
        let (number, tail) = split(rest, |c| c.is_ascii_digit() || c == '.');
        let (unit, tail) = split(tail, |c| c.is_ascii_alphabetic());
        let index = units.iter().position(|(name, _)| *name == unit).ok_or(Wrong::Form)?;
        let part = scaled(number, units[index].1)?;
        total = total.checked_add(part).filter(|total| *total <= MAX_MICROS).ok_or(Wrong::TooLong)?;
        units = &units[index + 1..];
        rest = tail;
    }
    Ok(total)
}

fn split(text: &str, inside: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !inside(c)).unwrap_or(text.len()))
}

/// `1.5` of a unit, exactly.
fn scaled(number: &str, unit: u64) -> Result<u64, Wrong> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.contains('.') {
        return Err(Wrong::Form);
    }
    let fraction = fraction.trim_end_matches('0');
    let whole: u64 = whole.parse().map_err(|_| Wrong::TooLong)?;
    let whole = whole.checked_mul(unit).ok_or(Wrong::TooLong)?;
    if fraction.is_empty() {
        return Ok(whole);
    }
    let power = u32::try_from(fraction.len()).ok().and_then(|digits| 10_u64.checked_pow(digits));
    let (digits, power) = (fraction.parse::<u64>().ok(), power.ok_or(Wrong::TooFine)?);
    let scaled = digits.and_then(|digits| digits.checked_mul(unit)).ok_or(Wrong::TooFine)?;
    if !scaled.is_multiple_of(power) {
        return Err(Wrong::TooFine);
    }
    whole.checked_add(scaled / power).ok_or(Wrong::TooLong)
}

/// What was probably meant by `30 sec`, `5min` or `2 weeks`.
fn repaired(text: &str) -> Option<String> {
    let (number, unit) = split(text.trim(), |c| c.is_ascii_digit());
    let number: u64 = number.parse().ok()?;
    let unit = unit.trim().to_ascii_lowercase();
    Some(match unit.as_str() {
        "" => format!("{number}s"),
        "ms" | "msec" | "millis" | "milliseconds" | "millisecond" => format!("{number}ms"),
        "s" | "sec" | "secs" | "second" | "seconds" => format!("{number}s"),
        "m" | "min" | "mins" | "minute" | "minutes" => format!("{number}m"),
        "h" | "hr" | "hrs" | "hour" | "hours" => format!("{number}h"),
        "d" | "day" | "days" => format!("{number}d"),
        "w" | "week" | "weeks" => format!("{}d", number.checked_mul(7)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_exactly() {
        for (text, micros) in [
            ("30s", 30_000_000),
            ("50ms", 50_000),
            ("1h30m", 5_400_000_000),
            ("14d", 1_209_600_000_000),
            ("1.5s", 1_500_000),
            ("0s", 0),
            ("0.5ms", 500),
        ] {
            assert_eq!(read(text), Ok(micros), "{text}");
        }
    }

    #[test]
    fn wrong_durations_say_why() {
        for (text, wrong) in [
            ("", Wrong::Form),
            ("s", Wrong::Form),
            ("30", Wrong::Form),
            ("30m1h", Wrong::Form),
            ("1s1s", Wrong::Form),
            ("1..5s", Wrong::Form),
            ("-5s", Wrong::Negative),
            ("99999999999999999999d", Wrong::TooLong),
            ("3651d", Wrong::TooLong),
            ("0.0001ms", Wrong::TooFine),
        ] {
            assert_eq!(read(text), Err(wrong), "{text}");
        }
        assert_eq!(repaired("5 min").as_deref(), Some("5m"));
        assert_eq!(repaired("2 weeks").as_deref(), Some("14d"));
        assert_eq!(repaired("soon"), None);
    }
}
