//! The operator `wildcard`: `*` stands for any run of characters, the empty one too.

use crate::json::Reader;

use super::error::BadRule;

/// A parsed pattern: the literal texts around its wildcards, so n + 1 of them for n wildcards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wildcard {
    first: String,
    rest: Vec<String>,
}

impl Wildcard {
    /// Parses a text that the reader has just read.
    pub(super) fn read(reader: &Reader<'_>, text: &str) -> Result<Self, BadRule> {
        Self::parse(text).map_err(|reason| reader.bad(reason))
    }

    /// `\*` and `\\` stand for themselves, and two wildcards in a row are refused (semantics 3.2).
    fn parse(text: &str) -> Result<Self, String> {
        let (mut pieces, mut piece) = (Vec::new(), String::new());
        // AWS counts from the quote that it puts before the text.
        let mut letters = text.char_indices().map(|(at, letter)| (at + 1, letter)).peekable();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '*' if letters.next_if(|(_, next)| *next == '*').is_some() => {
                    return Err(format!("Consecutive wildcard characters at pos {at}"));
                }
                '*' => pieces.push(std::mem::take(&mut piece)),
                '\\' => match letters.next() {
                    Some((_, escaped @ ('*' | '\\'))) => piece.push(escaped),
                    _ => return Err(format!("Invalid escape character at pos {at}")),
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

    /// How many places of the pattern one text can stand at, at worst: each wildcard, and what has begun behind it.
    pub(crate) fn places(&self) -> usize {
        self.rest.iter().map(|piece| 1 + overlaps(piece)).sum()
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

/// How many beginnings of the piece can end at the same letter, at most.
fn overlaps(piece: &str) -> usize {
    let letters: Vec<char> = piece.chars().collect();
    let (mut borders, mut depths) = (vec![0_usize; letters.len()], vec![0_usize; letters.len() + 1]);
    for at in 0..letters.len() {
        // The longest beginning that ends here and is not all of it, as Knuth, Morris and Pratt find it.
        let mut border = if at == 0 { 0 } else { borders[at - 1] };
        while at > 0 && border > 0 && letters[at] != letters[border] {
            border = borders[border - 1];
        }
        if at > 0 && letters[at] == letters[border] {
            border += 1;
        }
        borders[at] = border;
        depths[at + 1] = depths[border] + 1;
    }
    depths.into_iter().max().unwrap_or_default()
}
