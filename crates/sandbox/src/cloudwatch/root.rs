//! All of CloudWatch's state.

use super::alarm::Alarms;
use super::history::History;
use super::store::{Metrics, News};
use crate::timers::TimerKey;

#[derive(Debug, Default)]
pub(crate) struct CloudWatch {
    pub(super) metrics: Metrics,
    pub(super) alarms: Alarms,
    pub(super) history: History,
    /// What is to be made known of watched metrics.
    pub(super) news: Vec<News>,
    /// Whether anything was recorded since the last tick.
    pub(super) has_recorded: bool,
    pub(super) tick: Option<TimerKey>,
}
