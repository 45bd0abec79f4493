//! Texts where case does not count. They are compared letter by letter, so that nothing has to be copied.

use std::cmp::Ordering;

/// A text in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Folded(String);

impl Folded {
    pub(crate) fn new(text: &str) -> Self {
        Self(folded(text.chars()).collect())
    }

    pub(crate) fn order(&self, value: &str) -> Ordering {
        self.0.chars().cmp(folded(value.chars()))
    }

    pub(crate) fn begins(&self, value: &str) -> bool {
        is_front(self.0.chars(), folded(value.chars()))
    }

    pub(crate) fn ends(&self, value: &str) -> bool {
        // A letter can have several in lower case, which are reversed as well.
        let backwards = value.chars().rev().flat_map(folded_backwards);
        is_front(self.0.chars().rev(), backwards)
    }
}

fn folded(letters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    letters.flat_map(char::to_lowercase)
}

fn folded_backwards(letter: char) -> impl Iterator<Item = char> {
    letter.to_lowercase().rev()
}

/// Whether `letters` begin with all of `front`.
pub(super) fn is_front(front: impl Iterator<Item = char>, mut letters: impl Iterator<Item = char>) -> bool {
    front.into_iter().all(|letter| letters.next() == Some(letter))
}
