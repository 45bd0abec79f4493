//! Which physical names a resource may have.

use super::super::lower::Kind;
use super::super::model::MadeKind;

pub(super) struct NameRule {
    longest: usize,
    /// Beside letters, digits, `-` and `_`; `None` when all characters may stand in it.
    more: Option<&'static str>,
    /// A FIFO resource's name has an ending of its own.
    fifo: bool,
}

impl NameRule {
    pub(super) fn of(kind: Kind) -> Self {
        let (longest, more) = match kind {
            Kind::Queue => (80, Some("")),
            Kind::Topic => (256, Some("")),
            Kind::Function => (64, Some("")),
            Kind::Made(MadeKind::Archive) => (48, Some(".")),
            Kind::Made(MadeKind::Bus) => (256, Some("./")),
            Kind::Made(MadeKind::Table) => (255, Some(".")),
            Kind::Made(_) => (64, Some(".")),
            Kind::Alarm | Kind::Mapping | Kind::Other => (255, None),
        };
        Self { longest, more, fifo: matches!(kind, Kind::Queue | Kind::Topic) }
    }

    pub(super) fn fits(&self, name: &str) -> bool {
        let stem = if self.fifo { name.strip_suffix(".fifo").unwrap_or(name) } else { name };
        let fits = |c: char| {
            self.more.is_none_or(|more| c.is_ascii_alphanumeric() || "-_".contains(c) || more.contains(c))
        };
        !stem.is_empty() && name.chars().count() <= self.longest && stem.chars().all(fits)
    }

    pub(super) fn hint(&self) -> String {
        let longest = self.longest;
        match self.more {
            None => format!("1 to {longest} characters"),
            Some(more) => {
                let more: String = more.chars().map(|c| format!(" {c}")).collect();
                format!("1 to {longest} of A-Z a-z 0-9 _ -{more}")
            }
        }
    }
}
