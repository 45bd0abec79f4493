//! The proxy between one consumer process and its stack: it records every call, holds calls at
//! crash points, and answers nothing by itself but the effect sinks. It knows no service: a call
//! is whatever crate wire can read of it.

mod activity;
mod alone;
mod body;
mod calls;
mod crash;
mod effect;
mod faults;
mod front;
mod gate;
mod line;
mod proxy;
mod receive;
mod witness;

pub use activity::{Act, Activity, Bounds, Closing, Limits, Overrun, Reader, State, UNCALIBRATED};
pub use alone::alone;
pub use body::whole_body;
pub use crash::{CrashPoints, CrashSpec, Hold, Point, Release, When};
pub use effect::{EffectSink, Sighting};
pub use faults::{Disarmed, Faults, Firing, Told};
pub use front::Front;
pub use gate::Gate;
pub use proxy::{Part, Tap, Wiring};
pub use witness::Witness;
