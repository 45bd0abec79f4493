//! One event source mapping of an SQS queue, as a state machine (semantics 5.1-5.3).

mod batch;
mod held;
mod machine;
mod scale;
mod settings;

pub use batch::{Batch, BatchId};
pub use machine::{Action, Mapping, Settled};
pub use settings::Settings;
