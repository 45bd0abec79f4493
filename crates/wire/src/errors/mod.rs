//! Errors as the services answer them. Their names only: texts, and when which one is due, are the
//! services' business.

mod cloudwatch;
mod common;
mod events;
mod lambda;
mod modelled;
mod pipes;
mod scheduler;
mod service;
mod sns;
mod sqs;

pub use cloudwatch::CloudWatchError;
pub use common::CommonError;
pub use events::EventBridgeError;
pub use lambda::LambdaError;
pub use pipes::PipesError;
pub use scheduler::SchedulerError;
pub use service::ServiceError;
pub use sns::SnsError;
pub use sqs::SqsError;
