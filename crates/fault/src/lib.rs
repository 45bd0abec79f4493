//! What can go wrong between a client and a stack: faults of calls and of deliveries, and when they
//! take hold. It changes requests and answers, does no I/O, and knows no message but by its position
//! in a call. Who keeps the armed ones and carries them out is the tap.
//!
//! One more kind of fault is a file in `kinds/` and a line in `kinds/mod.rs`.

mod answers;
mod chaos;
mod entries;
mod gauge;
mod kind;
mod kinds;
mod messages;
mod param;
mod spec;

pub use chaos::{BadRules, chaos_rules};
pub use entries::entries_of;
pub use gauge::{Count, Gauge};
pub use kind::{Aim, End, Kind, OnAnswer, OnRequest, Stage};
pub use kinds::{KINDS, find};
pub use messages::{answer_with, answered, messages_of};
pub use param::{KindDef, Param, Shape, Value, Values};
pub use spec::{FaultSpec, Matching};
