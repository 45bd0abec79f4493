//! Sets of prefixes or suffixes. A list in `anything-but` can be as long as a policy, so it is searched, not scanned.

use super::fold::is_front;

/// Texts of which one may begin a value, or end it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Affixes {
    end: End,
    /// In order, and none begins with another: only the last that is not above a value can begin it. Suffixes are
    /// kept reversed.
    sorted: Vec<String>,
}

/// The end of a value that is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    Prefix,
    Suffix,
}

impl Affixes {
    pub(crate) fn new(end: End, texts: &[String]) -> Self {
        let mut sorted: Vec<String> = texts.iter().map(|text| end.forward(text)).collect();
        sorted.sort();
        sorted.dedup_by(|longer, shorter| longer.starts_with(shorter.as_str()));
        Self { end, sorted }
    }

    pub(crate) fn hits(&self, value: &str) -> bool {
        match self.end {
            End::Prefix => self.any_begins(value.chars()),
            End::Suffix => self.any_begins(value.chars().rev()),
        }
    }

    fn any_begins(&self, value: impl Iterator<Item = char> + Clone) -> bool {
        let above = self.sorted.partition_point(|affix| affix.chars().le(value.clone()));
        above.checked_sub(1).is_some_and(|last| is_front(self.sorted[last].chars(), value))
    }
}

impl End {
    fn forward(self, text: &str) -> String {
        match self {
            Self::Prefix => text.to_owned(),
            Self::Suffix => text.chars().rev().collect(),
        }
    }
}
