//! What a scalar means by YAML 1.2's core schema. `yes`, `on` and `0777` are plain texts or plain
//! decimal numbers there, unlike in YAML 1.1.

use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::scenario) enum Scalar<'a> {
    Null,
    Bool(bool),
    Whole(i128),
    Real(f64),
    Text(&'a str),
}

impl<'a> Scalar<'a> {
    /// Only a plain (unquoted) scalar can be anything but text.
    pub(super) fn of(text: &'a str, plain: bool) -> Self {
        if !plain {
            return Self::Text(text);
        }
        match text {
            "" | "~" | "null" | "Null" | "NULL" => Self::Null,
            "true" | "True" | "TRUE" => Self::Bool(true),
            "false" | "False" | "FALSE" => Self::Bool(false),
            text => whole(text)
                .map(Self::Whole)
                .or_else(|| real(text).map(Self::Real))
                .unwrap_or(Self::Text(text)),
        }
    }

    pub(super) fn to_json(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => value.into(),
            Self::Text(text) => text.into(),
            Self::Whole(number) => match (i64::try_from(number), u64::try_from(number)) {
                (Ok(number), _) => number.into(),
                (_, Ok(number)) => number.into(),
                _ => finite(number as f64),
            },
            Self::Real(number) => finite(number),
        }
    }
}

fn finite(number: f64) -> Value {
    serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number)
}

fn whole(text: &str) -> Option<i128> {
    if let Some(digits) = text.strip_prefix("0x") {
        return unsigned(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return unsigned(digits, 8);
    }
    text.parse().ok()
}

fn unsigned(digits: &str, radix: u32) -> Option<i128> {
    // `from_str_radix` would take a sign after the prefix.
    (!digits.starts_with(['+', '-'])).then(|| i128::from_str_radix(digits, radix).ok()).flatten()
}

fn real(text: &str) -> Option<f64> {
    // Rust's parser takes words such as `inf` and `nan`, which are texts here.
    let number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let value: f64 = if number { text.parse().ok()? } else { return None };
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        for (text, expected) in [
            ("30", Scalar::Whole(30)),
            ("0x1F", Scalar::Whole(31)),
            ("-1.5e3", Scalar::Real(-1500.0)),
            ("yes", Scalar::Text("yes")),
            ("inf", Scalar::Text("inf")),
            ("30s", Scalar::Text("30s")),
            ("0x-1", Scalar::Text("0x-1")),
            ("~", Scalar::Null),
        ] {
            assert_eq!(Scalar::of(text, true), expected);
        }
        assert_eq!(Scalar::of("30", false), Scalar::Text("30"));
    }
}
