//! EventBridge (semantics 3.1-3.6), its Classic buses: buses, rules, targets, and what becomes of
//! events. One file a family of operations.

mod archive;
mod archives;
mod attempt;
mod bus;
mod bus_policy;
mod buses;
mod errors;
mod event;
mod forward;
mod invocation;
mod metrics;
mod names;
mod outcome;
mod pages;
mod permissions;
mod put_entry;
mod put_events;
mod put_rule;
mod put_targets;
mod registry;
mod replay;
mod replays;
mod role;
mod route;
mod rule;
mod rule_lists;
mod rules;
mod scheduled;
mod tags;
mod target;
mod target_lists;
mod test_pattern;

pub(crate) use event::time_text;
pub(crate) use invocation::InvocationId;
pub(crate) use registry::Events;
pub(crate) use replay::ReplayId;
pub(crate) use role::RoleEvent;
pub(crate) use route::AwsEvent;
pub(crate) use scheduled::RuleTimerId;
pub(crate) use test_pattern::TestEventPattern;
