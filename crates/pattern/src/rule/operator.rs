//! What may stand in the array of a rule's field: a value, or an object with one operator.

use crate::json::{Reader, Token};

use super::anything_but::AnythingBut;
use super::cidr::Block;
use super::error::BadRule;
use super::fold::Folded;
use super::language::Language;
use super::number::Number;
use super::numeric::Range;
use super::scalar::Scalar;
use super::wildcard::Wildcard;

/// One alternative of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operator {
    Null,
    Bool(bool),
    Number(Number),
    /// A number that cannot be compared: it is only the same as itself.
    Digits(serde_json::Number),
    Text(String),
    AnythingBut(AnythingBut),
    Prefix(Text),
    Suffix(Text),
    EqualsIgnoreCase(Folded),
    Wildcard(Wildcard),
    Cidr(Block),
    Numeric(Range),
    Exists,
    /// No value of that name anywhere. It matches no value, and is looked up before values are (`table.rs`).
    Absent,
}

/// A text of which case counts or not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Text {
    Exact(String),
    Folded(Folded),
}

const NO_VALUE: &str = "Match value must be String, number, true, false, or null";
const ONE_KEY: &str = "Only one key allowed in match expression";

impl Operator {
    /// Reads the alternative that begins with the token.
    pub(super) fn parse(
        reader: &mut Reader<'_>,
        token: Token<'_>,
        language: Language,
    ) -> Result<Self, BadRule> {
        match token {
            Token::Null => Ok(Self::Null),
            Token::True => Ok(Self::Bool(true)),
            Token::False => Ok(Self::Bool(false)),
            Token::Text => reader.text().map(Self::Text),
            Token::Number(text) => {
                // One that not even a document can hold has no words that are established.
                let number = text.parse().map_err(|_| reader.bad(NO_VALUE))?;
                Ok(Number::of(&number, language.precision()).map_or(Self::Digits(number), Self::Number))
            }
            Token::ObjectStart => Self::expression(reader, language),
            _ => Err(reader.bad(NO_VALUE)),
        }
    }

    fn expression(reader: &mut Reader<'_>, language: Language) -> Result<Self, BadRule> {
        let name = reader.member()?.ok_or_else(|| reader.bad("Match expression name not found"))?;
        let unknown = |reader: &Reader<'_>| reader.bad(format!("Unrecognized match type {name}"));
        if !language.has(&name) {
            return Err(unknown(reader));
        }
        let operator = match name.as_str() {
            "anything-but" => return AnythingBut::parse(reader, language).map(Self::AnythingBut),
            "numeric" => {
                let range = Range::parse(reader, language)?;
                reader.over("Too many elements in numeric expression")?;
                return Ok(Self::Numeric(range));
            }
            "prefix" => Self::Prefix(Text::parse(reader, &name)?),
            "suffix" => Self::Suffix(Text::parse(reader, &name)?),
            "equals-ignore-case" => Self::EqualsIgnoreCase(Folded::new(&text(reader, &name)?)),
            "wildcard" => {
                let pattern = text(reader, &name)?;
                Self::Wildcard(Wildcard::read(reader, &pattern)?)
            }
            // AWS's compiler says "prefix" here.
            "cidr" => Self::Cidr(Block::parse(&text(reader, "prefix")?)?),
            "exists" => match reader.value()? {
                Token::True => Self::Exists,
                Token::False => Self::Absent,
                _ => return Err(reader.bad("exists match pattern must be either true or false.")),
            },
            _ => return Err(unknown(reader)),
        };
        reader.over(ONE_KEY)?;
        Ok(operator)
    }

    pub(super) fn matches(&self, value: Scalar<'_>) -> bool {
        match (self, value) {
            (Self::Exists, _) | (Self::Null, Scalar::Null) => true,
            (Self::AnythingBut(anything_but), value) => anything_but.matches(value),
            (Self::Bool(left), Scalar::Bool(right)) => *left == right,
            (Self::Number(left), Scalar::Number(right)) => *left == right,
            (Self::Digits(left), Scalar::Digits(right)) => left == right,
            (Self::Numeric(range), Scalar::Number(number)) => range.matches(number),
            (operator, Scalar::Text(text)) => operator.matches_text(text),
            _ => false,
        }
    }

    fn matches_text(&self, value: &str) -> bool {
        match self {
            Self::Text(text) => text == value,
            Self::Prefix(Text::Exact(prefix)) => value.starts_with(prefix),
            Self::Prefix(Text::Folded(prefix)) => prefix.begins(value),
            Self::Suffix(Text::Exact(suffix)) => value.ends_with(suffix),
            Self::Suffix(Text::Folded(suffix)) => suffix.ends(value),
            Self::EqualsIgnoreCase(text) => text.order(value).is_eq(),
            Self::Wildcard(pattern) => pattern.matches(value),
            Self::Cidr(block) => block.contains(value),
            _ => false,
        }
    }

    /// The wildcard patterns that it brings, for those who count them.
    pub(crate) fn wildcards(&self) -> &[Wildcard] {
        match self {
            Self::Wildcard(pattern) => std::slice::from_ref(pattern),
            Self::AnythingBut(AnythingBut::Wildcards(patterns)) => patterns,
            _ => &[],
        }
    }
}

impl Text {
    /// A text, or `{"equals-ignore-case": text}`.
    fn parse(reader: &mut Reader<'_>, operator: &str) -> Result<Self, BadRule> {
        match reader.value()? {
            Token::Text => reader.text().map(Self::Exact),
            Token::ObjectStart => {
                let named = reader.member()?;
                let name = named.ok_or_else(|| {
                    let operator = if operator == "prefix" { "Prefix" } else { "Suffix" };
                    reader.bad(format!("{operator} expression name not found"))
                })?;
                if name != "equals-ignore-case" {
                    return Err(reader.bad(format!("Unsupported {operator} pattern: {name}")));
                }
                let folded = Folded::new(&text(reader, &name)?);
                reader.over(ONE_KEY)?;
                Ok(Self::Folded(folded))
            }
            _ => Err(no_text(reader, operator)),
        }
    }
}

fn text(reader: &mut Reader<'_>, operator: &str) -> Result<String, BadRule> {
    match reader.value()? {
        Token::Text => reader.text(),
        _ => Err(no_text(reader, operator)),
    }
}

fn no_text(reader: &Reader<'_>, operator: &str) -> BadRule {
    reader.bad(format!("{operator} match pattern must be a string"))
}
