//! Sets of prefixes or suffixes. A list in `anything-but` can be as long as a policy, so it is searched, not scanned.

use super::error::BadRule;

/// Texts of which one may begin a value (or end it, when they and the value are reversed).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Affixes {
    end: End,
    /// In order, and none begins with another: only the last that is not above a value can begin it.
    sorted: Vec<String>,
}

/// The end of a value that is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    Prefix,
    Suffix,
}

impl Affixes {
    pub(crate) fn new(end: End, texts: Vec<String>) -> Result<Self, BadRule> {
        if texts.iter().any(String::is_empty) {
            return Err(BadRule::new("Null prefix/suffix not allowed"));
        }
        let mut sorted: Vec<String> = texts.iter().map(|text| end.forward(text)).collect();
        sorted.sort();
        sorted.dedup_by(|longer, shorter| longer.starts_with(shorter.as_str()));
        Ok(Self { end, sorted })
    }

    pub(crate) fn hits(&self, value: &str) -> bool {
        let value = self.end.forward(value);
        let above = self.sorted.partition_point(|affix| affix.as_str() <= value.as_str());
        above.checked_sub(1).is_some_and(|last| value.starts_with(self.sorted[last].as_str()))
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
