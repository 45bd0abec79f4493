//! The consumers under test: start, stop, kill, restart, swap; and the reference worker.

mod command;
mod environment;
mod executable;
mod fleet;
mod function;
mod process;
mod sign;
mod spec;
mod supervise;
mod time;
pub mod worker;

pub use environment::{Surroundings, effect_variable};
pub use fleet::{Fleet, FleetError, KillPlan};
pub(crate) use function::{Local, Pool};
pub use process::kill_everything;
pub use spec::{Deployed, Function, Program, Ready, Restart, Sign, Spec};
pub use supervise::supervise;
pub use time::{Preload, Showing};
