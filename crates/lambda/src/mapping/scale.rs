//! How many batches a mapping may have under way (semantics 5.3): 5 at first, 300 more for each
//! minute in which they do not suffice, and fewer after errors.

use havoq_base::{StackDuration, StackTime};

const FIRST: u32 = 5;
const MORE: u32 = 300;
const MOST: u32 = 1_250;
/// How far errors push it down. AWS gives no number but this one, for queues with little traffic.
const FEWEST: u32 = 2;
const MINUTE: StackDuration = StackDuration::from_secs(60);

#[derive(Debug)]
pub(super) struct Scale {
    allowed: u32,
    /// Since when, or since which full minute, all that is allowed has been in use.
    used_up_since: Option<StackTime>,
}

impl Default for Scale {
    fn default() -> Self {
        Self { allowed: FIRST, used_up_since: None }
    }
}

impl Scale {
    /// How many batches may be under way now.
    pub(super) fn allowed(&self) -> usize {
        self.allowed as usize
    }

    /// Looks at how many batches are under way.
    pub(super) fn look(&mut self, now: StackTime, under_way: usize) {
        if under_way == 0 {
            *self = Self::default();
        }
        while let Some(since) = self.used_up_since
            && now >= since + MINUTE
            && self.allowed < MOST
        {
            self.allowed = (self.allowed + MORE).min(MOST);
            self.used_up_since = Some(since + MINUTE);
        }
        if under_way >= self.allowed() {
            self.used_up_since.get_or_insert(now);
        }
    }

    /// When more are allowed, if nothing changes.
    pub(super) fn grows_at(&self) -> Option<StackTime> {
        self.used_up_since.filter(|_| self.allowed < MOST).map(|since| since + MINUTE)
    }

    /// An invocation failed or was throttled: the mapping backs off. A partial report does not
    /// count as one (semantics 5.2). By how much is not documented; here, by half.
    pub(super) fn back_off(&mut self) {
        self.allowed = (self.allowed / 2).max(FEWEST);
        self.used_up_since = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(secs: u64) -> StackTime {
        StackTime::from_secs(secs)
    }

    #[test]
    fn it_starts_with_5_and_grows_by_300_each_minute_up_to_1250() {
        let mut scale = Scale::default();
        scale.look(at(0), 4);
        scale.look(at(600), 4);
        assert_eq!(scale.allowed(), 5);
        scale.look(at(600), 5);
        assert_eq!(scale.grows_at(), Some(at(660)));
        let allowed = [659, 660, 720, 780, 840, 900, 960].map(|secs| {
            scale.look(at(secs), 5);
            scale.allowed()
        });
        assert_eq!(allowed, [5, 305, 605, 905, 1_205, 1_250, 1_250]);
        assert_eq!(scale.grows_at(), None);
    }

    #[test]
    fn errors_lower_it_to_no_less_than_2_and_it_starts_anew_when_idle() {
        let mut scale = Scale::default();
        (0..9).for_each(|_| scale.back_off());
        assert_eq!(scale.allowed(), 2);
        scale.look(at(0), 0);
        assert_eq!(scale.allowed(), 5);
    }
}
