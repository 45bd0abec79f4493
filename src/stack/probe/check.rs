//! What a check is.

use std::pin::Pin;

use super::finding::Shown;
use super::lab::Lab;

/// Whose behaviour a check is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Service {
    Sqs,
    Sns,
    CloudWatch,
    EventBridge,
    Lambda,
    DynamoDb,
    Scheduler,
    Pipes,
}

impl Service {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqs => "SQS",
            Self::Sns => "SNS",
            Self::CloudWatch => "CloudWatch",
            Self::EventBridge => "EventBridge",
            Self::Lambda => "Lambda",
            Self::DynamoDb => "DynamoDB",
            Self::Scheduler => "Scheduler",
            Self::Pipes => "Pipes",
        }
    }
}

/// How long a check takes where time cannot be moved on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Seconds,
    Minutes,
}

pub(super) type Running = Pin<Box<dyn Future<Output = Shown> + Send>>;

/// One behaviour, and how to look for it.
#[derive(Debug)]
pub struct Check {
    pub id: &'static str,
    pub service: Service,
    /// Of the fact sheet that the sandbox follows.
    pub section: &'static str,
    /// What a stack that has it right does.
    pub claim: &'static str,
    pub(super) takes: Takes,
    pub(super) run: fn(Lab) -> Running,
}

impl Check {
    /// Whether it takes minutes on a real clock.
    pub fn is_slow(&self) -> bool {
        self.takes == Takes::Minutes
    }
}

/// The checks of one file: a line each.
macro_rules! checks {
    ($service:ident: $($takes:ident $id:literal $section:literal $claim:literal $run:ident;)+) => {
        pub(super) const CHECKS: &[$crate::stack::probe::check::Check] = &[$(
            $crate::stack::probe::check::Check {
                id: $id,
                service: $crate::stack::probe::check::Service::$service,
                section: $section,
                claim: $claim,
                takes: $crate::stack::probe::check::Takes::$takes,
                run: |lab| Box::pin($run(lab)),
            },
        )+];
    };
}
pub(super) use checks;
