//! Runs scenarios start to end, side by side. It knows when the clock may jump and when the judge
//! may stop; what was true is decided in `check`, from the history alone.

mod afar;
mod attempt;
mod bounds;
mod horizon;
mod jumper;
mod preflight;
mod probing;
mod progress;
mod sinks;
mod specs;
mod suite;
mod sweep;
mod waiting;

pub use preflight::{BadConsumer, preflight};
pub use progress::{Progress, Stage};
pub use specs::Forced;
pub use suite::{Options, SuiteError, SuiteResult, run};
pub use sweep::sweep;
