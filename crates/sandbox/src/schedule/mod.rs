//! Schedule expressions: when something is to happen, as EventBridge's rules and EventBridge Scheduler
//! let one write it (semantics 3.8). Pure reckoning: what is done at those times is not known here, and
//! timers are set by those who ask.

mod cron;
mod days;
mod expression;
mod field;
mod zone;

#[cfg(test)]
pub(crate) use expression::BadSchedule;
pub(crate) use expression::Schedule;
pub(crate) use zone::Zone;
