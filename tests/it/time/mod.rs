//! Consumers are shown the stack's clock: what they read, how long they wait, who is told apart,
//! and what that means for a verdict.

#![cfg(target_os = "linux")]

mod drills;
mod live;
mod reads;
mod waits;
