//! What a reader hands out.

/// One step through a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'t> {
    ObjectStart,
    ObjectEnd,
    ArrayStart,
    ArrayEnd,
    /// The name of a member. `Reader::member` gives it.
    Name,
    /// A string of which the quote alone has been read. `Reader::text` reads the rest.
    Text,
    /// A number as it is written.
    Number(&'t str),
    True,
    False,
    Null,
}

impl<'t> Token<'t> {
    /// The token as it is written, where that is the same for all of its kind.
    pub(crate) fn written(self) -> &'t str {
        match self {
            Self::ObjectStart => "{",
            Self::ObjectEnd => "}",
            Self::ArrayStart => "[",
            Self::ArrayEnd => "]",
            Self::Number(text) => text,
            Self::True => "true",
            Self::False => "false",
            Self::Null => "null",
            Self::Name | Self::Text => "",
        }
    }
}
