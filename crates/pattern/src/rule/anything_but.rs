//! The operator `anything-but`: whatever is there, unless it is what is named.

use std::collections::BTreeSet;

use crate::json::{Reader, Token};

use super::affix::{Affixes, End};
use super::error::BadRule;
use super::fold::Folded;
use super::language::Language;
use super::number::Number;
use super::numeric::comparable;
use super::scalar::Scalar;
use super::wildcard::Wildcard;

/// What must not be there. The field must exist; null is something (semantics 3.2).
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AnythingBut {
    Texts(BTreeSet<String>),
    Numbers(BTreeSet<Number>),
    /// In order.
    IgnoringCase(Vec<Folded>),
    Affixes(Affixes),
    Wildcards(Vec<Wildcard>),
}

impl AnythingBut {
    /// Reads the operand, and to the end of the object that the operator stands in.
    pub(super) fn parse(reader: &mut Reader<'_>, language: Language) -> Result<Self, BadRule> {
        let parsed = match reader.value()? {
            Token::ObjectStart => {
                let parsed = Self::operator(reader, language)?;
                over(reader)?;
                parsed
            }
            token @ (Token::Text | Token::Number(_)) => {
                let mut values = Values::default();
                values.take(reader, token, language)?;
                values.finish(reader)?
            }
            Token::ArrayStart => Self::list(reader, language).map_err(|bad| reader.again(bad))?,
            _ => return Err(reader.bad(NO_OPERAND)),
        };
        over(reader)?;
        Ok(parsed)
    }

    fn list(reader: &mut Reader<'_>, language: Language) -> Result<Self, BadRule> {
        let mut values = Values::default();
        while let Some(token) = reader.element()? {
            values.take(reader, token, language)?;
        }
        values.finish(reader)
    }

    fn operator(reader: &mut Reader<'_>, language: Language) -> Result<Self, BadRule> {
        let name = reader.member()?.ok_or_else(|| reader.bad("Anything-But expression name not found"))?;
        let known = matches!(name.as_str(), "prefix" | "suffix" | "equals-ignore-case" | "wildcard");
        if !known || !language.has_operators_in_anything_but() {
            return Err(reader.bad(format!("Unsupported anything-but pattern: {name}")));
        }
        let texts = texts(reader, &name, language)?;
        Ok(match name.as_str() {
            "prefix" => Self::Affixes(Affixes::new(End::Prefix, &texts)),
            "suffix" => Self::Affixes(Affixes::new(End::Suffix, &texts)),
            "equals-ignore-case" => {
                let mut folded: Vec<Folded> = texts.iter().map(|text| Folded::new(text)).collect();
                folded.sort();
                Self::IgnoringCase(folded)
            }
            _ => Self::Wildcards(
                texts.iter().map(|text| Wildcard::read(reader, text)).collect::<Result<_, _>>()?,
            ),
        })
    }

    pub(super) fn matches(&self, value: Scalar<'_>) -> bool {
        let named = match (self, value) {
            (Self::Texts(texts), Scalar::Text(text)) => texts.contains(text),
            (Self::Numbers(numbers), Scalar::Number(number)) => numbers.contains(&number),
            (Self::IgnoringCase(texts), Scalar::Text(text)) => {
                texts.binary_search_by(|folded| folded.order(text)).is_ok()
            }
            (Self::Affixes(affixes), Scalar::Text(text)) => affixes.hits(text),
            (Self::Wildcards(patterns), Scalar::Text(text)) => {
                patterns.iter().any(|pattern| pattern.matches(text))
            }
            _ => false,
        };
        !named
    }
}

const NO_OPERAND: &str = "Value of anything-but must be an array or single string/number value.";

/// Texts or numbers, never both.
#[derive(Default)]
struct Values {
    texts: BTreeSet<String>,
    numbers: BTreeSet<Number>,
}

impl Values {
    fn take(&mut self, reader: &mut Reader<'_>, token: Token<'_>, language: Language) -> Result<(), BadRule> {
        match token {
            Token::Text => drop(self.texts.insert(reader.text()?)),
            Token::Number(text) => drop(self.numbers.insert(comparable(reader, text, language)?)),
            _ => {
                return Err(reader.bad("Inside anything but list, start|null|boolean is not supported."));
            }
        }
        Ok(())
    }

    fn finish(self, reader: &Reader<'_>) -> Result<AnythingBut, BadRule> {
        match (self.texts.is_empty(), self.numbers.is_empty()) {
            (false, true) => Ok(AnythingBut::Texts(self.texts)),
            (true, false) => Ok(AnythingBut::Numbers(self.numbers)),
            _ => Err(reader.bad(
                "Inside anything but list, either all values are number or string, mixed type is not supported",
            )),
        }
    }
}

/// One text or a list of them.
fn texts(reader: &mut Reader<'_>, name: &str, language: Language) -> Result<Vec<String>, BadRule> {
    match reader.value()? {
        Token::ArrayStart => {
            let mut texts = Vec::new();
            list_of_texts(reader, name, language, &mut texts).map_err(|bad| reader.again(bad))?;
            Ok(texts)
        }
        token @ (Token::Text | Token::Number(_)) => Ok(vec![text(reader, token, name, language)?]),
        _ if language == Language::Filter => Err(reader.bad(language.no_text_in_anything_but(name))),
        _ => Err(reader.bad(NO_OPERAND)),
    }
}

fn list_of_texts(
    reader: &mut Reader<'_>,
    name: &str,
    language: Language,
    texts: &mut Vec<String>,
) -> Result<(), BadRule> {
    while let Some(token) = reader.element()? {
        texts.push(text(reader, token, name, language)?);
    }
    // The words for no text at all are not established.
    if texts.is_empty() { Err(reader.bad(language.no_text_in_anything_but(name))) } else { Ok(()) }
}

fn text(
    reader: &mut Reader<'_>,
    token: Token<'_>,
    name: &str,
    language: Language,
) -> Result<String, BadRule> {
    if token != Token::Text {
        return Err(reader.bad(language.no_text_in_anything_but(name)));
    }
    let text = reader.text()?;
    if text.is_empty() && matches!(name, "prefix" | "suffix") {
        return Err(reader.bad("Null prefix/suffix not allowed"));
    }
    Ok(text)
}

fn over(reader: &mut Reader<'_>) -> Result<(), BadRule> {
    reader.over("Too many elements in numeric expression")
}
