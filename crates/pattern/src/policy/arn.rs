//! Patterns of ARNs. Each of the six parts is matched by itself: a `*` does not reach over a colon, but in the last.

use super::glob::Glob;

const PARTS: usize = 6;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ArnPattern {
    /// `*`.
    Everything,
    Parts(Vec<Glob>),
    /// No ARN: it matches nothing.
    Nothing,
}

impl ArnPattern {
    /// As conditions have it.
    pub(super) fn parse(text: &str) -> Self {
        let parts: Vec<Glob> = text.splitn(PARTS, ':').map(Glob::parse).collect();
        match (text, parts.len()) {
            ("*", _) => Self::Everything,
            (_, PARTS) => Self::Parts(parts),
            _ => Self::Nothing,
        }
    }

    /// As `Resource` has it: the parts that an incomplete ARN lacks are `*`.
    pub(super) fn completed(text: &str) -> Self {
        let missing = PARTS.saturating_sub(text.splitn(PARTS, ':').count());
        match text {
            "*" => Self::Everything,
            _ => Self::parse(&format!("{text}{}", ":*".repeat(missing))),
        }
    }

    pub(super) fn matches(&self, arn: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Nothing => false,
            Self::Parts(patterns) => {
                let parts: Vec<&str> = arn.splitn(PARTS, ':').collect();
                parts.len() == patterns.len()
                    && patterns.iter().zip(parts).all(|(pattern, part)| pattern.matches(part))
            }
        }
    }
}
