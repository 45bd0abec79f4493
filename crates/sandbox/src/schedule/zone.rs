//! Between the stack's time and the time on a wall somewhere. The data of the zones is built in, so that
//! a schedule means the same on every machine.

use havoq_base::StackTime;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Zone(TimeZone);

/// What the stack's clock shows when a wall shows something.
pub(super) enum OnTheClock {
    At(StackTime),
    /// Clocks go forward over it: no wall ever shows it.
    Never,
}

impl Zone {
    pub(crate) const UTC: Self = Self(TimeZone::UTC);

    /// By its name in the IANA database.
    pub(crate) fn named(name: &str) -> Option<Self> {
        TimeZoneDatabase::bundled().get(name).ok().map(Self)
    }

    pub(super) fn wall(&self, at: StackTime) -> DateTime {
        let timestamp = Timestamp::from_microsecond(at.as_micros() as i64).unwrap_or(Timestamp::MAX);
        self.0.to_datetime(timestamp)
    }

    /// Of a time that a wall shows twice, the first counts.
    pub(super) fn clock(&self, wall: DateTime) -> OnTheClock {
        match self.0.to_ambiguous_timestamp(wall).offset() {
            AmbiguousOffset::Unambiguous { offset } | AmbiguousOffset::Fold { before: offset, .. } => {
                let timestamp = offset.to_timestamp(wall).unwrap_or(Timestamp::MAX);
                OnTheClock::At(StackTime::from_micros(timestamp.as_microsecond().max(0) as u64))
            }
            AmbiguousOffset::Gap { .. } => OnTheClock::Never,
        }
    }
}
