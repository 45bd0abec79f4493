//! The operator `wildcard`: `*` stands for any run of characters, the empty one too.

use super::error::BadRule;

/// A parsed pattern: the literal texts around its wildcards, so n + 1 of them for n wildcards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wildcard {
    first: String,
    rest: Vec<String>,
}

impl Wildcard {
    /// `\*` and `\\` stand for themselves, and two wildcards in a row are refused (semantics 3.2).
    pub(crate) fn parse(text: &str) -> Result<Self, BadRule> {
        let (mut pieces, mut piece) = (Vec::new(), String::new());
        // AWS counts from the quote that it puts before the text.
        let mut letters = text.char_indices().map(|(at, letter)| (at + 1, letter)).peekable();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '*' if letters.next_if(|(_, next)| *next == '*').is_some() => {
                    return Err(BadRule::new(format!("Consecutive wildcard characters at pos {at}")));
                }
                '*' => pieces.push(std::mem::take(&mut piece)),
                '\\' => match letters.next() {
                    Some((_, escaped @ ('*' | '\\'))) => piece.push(escaped),
                    _ => return Err(BadRule::new(format!("Invalid escape character at pos {at}"))),
                },
                other => piece.push(other),
            }
        }
        pieces.push(piece);
        let mut pieces = pieces.into_iter();
        Ok(Self { first: pieces.next().unwrap_or_default(), rest: pieces.collect() })
    }

    /// How many wildcards it has.
    pub(crate) fn wildcards(&self) -> usize {
        self.rest.len()
    }

    /// Each middle piece is taken where it is found first, so the text is read once however many wildcards there are.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let Some((last, middle)) = self.rest.split_last() else { return text == self.first };
        let Some(mut left) = text.strip_prefix(&self.first) else { return false };
        for piece in middle {
            match left.find(piece.as_str()) {
                Some(at) => left = &left[at + piece.len()..],
                None => return false,
            }
        }
        left.ends_with(last.as_str())
    }
}
