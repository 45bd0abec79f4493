//! What happened to alarms, for DescribeAlarmHistory. It outlives the alarms.

use std::collections::VecDeque;

use havoq_base::{StackDuration, StackTime};

use super::alarm::AlarmKey;

/// How long AWS keeps it.
const KEPT: StackDuration = StackDuration::from_secs(30 * 86_400);

/// All places' items, in the order in which they happened.
#[derive(Debug, Default)]
pub(crate) struct History {
    items: VecDeque<Item>,
}

#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) at: StackTime,
    pub(crate) alarm: AlarmKey,
    /// AlarmType.
    pub(crate) alarm_type: &'static str,
    pub(crate) kind: ItemKind,
    pub(crate) summary: String,
    /// JSON.
    pub(crate) data: String,
}

/// HistoryItemType.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    ConfigurationUpdate,
    StateUpdate,
    Action,
}

impl ItemKind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::ConfigurationUpdate => "ConfigurationUpdate",
            Self::StateUpdate => "StateUpdate",
            Self::Action => "Action",
        }
    }
}

impl History {
    pub(crate) fn push(&mut self, item: Item) {
        let oldest = item.at - KEPT;
        while self.items.pop_front_if(|old| old.at < oldest).is_some() {}
        self.items.push_back(item);
    }

    pub(crate) fn items(&self) -> impl DoubleEndedIterator<Item = &Item> {
        self.items.iter()
    }
}
