//! The asynchronous part: the lock around the core, long polls that wait, the task that fires
//! timers, and HTTP in both directions. Nothing here decides what a service does.

mod call;
mod dispatch;
mod frozen;
mod functions;
mod outage;
mod outgoing;
mod poll;
mod run;
mod sandbox;
mod serve;
mod topics;

pub use frozen::Frozen;
pub use sandbox::{Outgoing, Places, Sandbox, Settings};
pub use serve::serve;
pub use topics::Subscribing;
