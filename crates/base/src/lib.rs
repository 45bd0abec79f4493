//! What every part of havoq shares and nothing else: the two kinds of time, the clock, the seed
//! and the identifiers. This is the only crate that reads the machine's time or its randomness.

pub mod clock;
pub mod ids;
pub mod seed;
pub mod time;

pub use clock::{Clock, Jump, Pace, RunStart, Timer};
pub use seed::Seed;
pub use time::{RealDuration, RealTime, StackDuration, StackTime};
