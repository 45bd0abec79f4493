//! The line of a FIFO queue: its groups, and which of them have something to hand out (semantics
//! 1.13). A message is deliverable when it is visible and no earlier one of its group is hidden,
//! so a group has something exactly when its first message is visible.
//!
//! The group whose first message has the first place in line comes next. A message that returns
//! has a place at the back, and so its group re-enters there; a group that deletes released comes
//! where its next message has been all along. That gives the orders of all of AWS's recorded
//! answers, and of the two that are known after a delete it gives AWS's own.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::Seq;

#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// Each group's messages in the order of arrival, with the places of the visible ones.
    members: HashMap<Arc<str>, BTreeMap<Seq, Option<u64>>>,
    /// The first messages of the groups that have something to hand out, by place.
    ready: BTreeMap<u64, Seq>,
}

impl Groups {
    pub(crate) fn first(&self) -> Option<Seq> {
        self.ready.first_key_value().map(|(_, seq)| *seq)
    }

    /// The message after this one in its group, if it is visible.
    pub(crate) fn next(&self, group: &str, seq: Seq) -> Option<Seq> {
        let after = (std::ops::Bound::Excluded(seq), std::ops::Bound::Unbounded);
        let (next, place) = self.members.get(group)?.range(after).next()?;
        place.map(|_| *next)
    }

    /// Notes a message's place in line; one without a place is hidden.
    pub(crate) fn set(&mut self, group: &Arc<str>, seq: Seq, place: Option<u64>) {
        if !self.members.contains_key(group) {
            self.members.insert(Arc::clone(group), BTreeMap::new());
        }
        self.change(group, |members| {
            members.insert(seq, place);
        });
    }

    pub(crate) fn remove(&mut self, group: &str, seq: Seq) {
        self.change(group, |members| {
            members.remove(&seq);
        });
        if self.members.get(group).is_some_and(BTreeMap::is_empty) {
            self.members.remove(group);
        }
    }

    fn change(&mut self, group: &str, change: impl FnOnce(&mut BTreeMap<Seq, Option<u64>>)) {
        let Some(members) = self.members.get_mut(group) else { return };
        let before = head(members);
        change(members);
        let after = head(members);
        if before == after {
            return;
        }
        if let Some((place, _)) = before {
            self.ready.remove(&place);
        }
        if let Some((place, seq)) = after {
            self.ready.insert(place, seq);
        }
    }
}

/// A group's first message and its place, if it is visible.
fn head(members: &BTreeMap<Seq, Option<u64>>) -> Option<(u64, Seq)> {
    let (seq, place) = members.first_key_value()?;
    Some(((*place)?, *seq))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_ready_while_its_first_message_is_visible() {
        let (a, b) = (Arc::from("a"), Arc::from("b"));
        let mut groups = Groups::default();
        groups.set(&a, Seq(1), Some(1));
        groups.set(&b, Seq(2), Some(2));
        groups.set(&a, Seq(3), Some(3));
        assert_eq!((groups.first(), groups.next("a", Seq(1))), (Some(Seq(1)), Some(Seq(3))));

        groups.set(&a, Seq(1), None);
        assert_eq!(groups.first(), Some(Seq(2)), "group a is locked");
        groups.set(&b, Seq(2), None);
        assert_eq!(groups.first(), None);
        groups.set(&a, Seq(1), Some(9));
        assert_eq!(groups.first(), Some(Seq(1)));
        groups.remove("a", Seq(1));
        assert_eq!(groups.first(), Some(Seq(3)));
        groups.remove("a", Seq(3));
        groups.remove("b", Seq(2));
        assert!(groups.members.is_empty() && groups.ready.is_empty());
    }
}
