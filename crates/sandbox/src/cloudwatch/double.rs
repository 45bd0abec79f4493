//! Doubles in inputs: JSON has no number for some of them, and they come as words.

use serde::{Deserialize, Deserializer};

/// A number, or the word for one that JSON does not have.
#[derive(Deserialize)]
#[serde(untagged)]
enum Double {
    Number(f64),
    Word(Word),
}

#[derive(Deserialize)]
enum Word {
    NaN,
    Infinity,
    #[serde(rename = "-Infinity")]
    MinusInfinity,
}

impl From<Double> for f64 {
    fn from(double: Double) -> Self {
        match double {
            Double::Number(number) => number,
            Double::Word(Word::NaN) => Self::NAN,
            Double::Word(Word::Infinity) => Self::INFINITY,
            Double::Word(Word::MinusInfinity) => Self::NEG_INFINITY,
        }
    }
}

pub(super) fn optional<'de, D: Deserializer<'de>>(input: D) -> Result<Option<f64>, D::Error> {
    Ok(Option::<Double>::deserialize(input)?.map(f64::from))
}

pub(super) fn list<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<f64>, D::Error> {
    Ok(Vec::<Double>::deserialize(input)?.into_iter().map(f64::from).collect())
}
