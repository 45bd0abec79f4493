//! The asynchronous part: the lock around the core, long polls that wait, the task that fires
//! timers, and HTTP. Nothing here decides what a service does.

mod dispatch;
mod frozen;
mod poll;
mod run;
mod sandbox;
mod serve;

pub use frozen::Frozen;
pub use sandbox::{Outgoing, Places, Sandbox, Settings};
pub use serve::serve;
