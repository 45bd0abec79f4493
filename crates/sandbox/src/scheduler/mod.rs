//! EventBridge Scheduler (semantics 3.8): schedules in groups, and what becomes of their occurrences.
//! One file a family of operations. When an expression falls due is in `schedule`, what a target is
//! in `targets`.
//!
//! A schedule acts in its execution role. Roles are only names here: what their policies say is not
//! looked at, and each is taken to let Scheduler do what it must. A target in the role's own account
//! then needs no policy that lets it, but one that denies is kept; a target or a dead-letter queue in
//! another account needs a statement for the role or its account.

mod arm;
mod attempt;
mod call;
mod context;
mod create;
mod errors;
mod group;
mod input;
mod lists;
mod metrics;
mod names;
mod occurrence;
mod outcome;
mod registry;
mod schedule;
mod tags;
mod target;
mod universal;

pub(crate) use occurrence::OccurrenceId;
pub(crate) use registry::Scheduler;

/// One schedule in its lifetime: one made anew under the same name has another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ScheduleId(u64);
