//! What is subscribed: a protocol and an address.

use havoq_wire::ServiceError;

use super::errors::invalid;
use crate::unbuilt::unbuilt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Endpoint {
    /// By ARN; whether the queue exists matters when something is delivered to it.
    Sqs {
        arn: String,
    },
    /// By ARN; as with queues.
    Lambda {
        arn: String,
    },
    Http {
        url: String,
    },
}

impl Endpoint {
    pub(super) fn new(protocol: &str, address: String) -> Result<Self, ServiceError> {
        match protocol {
            "sqs" if is_queue_arn(&address) => Ok(Self::Sqs { arn: address }),
            "sqs" => Err(invalid("SQS endpoint ARN")),
            "lambda" if is_function_arn(&address) => Ok(Self::Lambda { arn: address }),
            "lambda" => Err(invalid("Lambda endpoint ARN")),
            "http" | "https" if !address.starts_with(&format!("{protocol}://")) => {
                Err(invalid("Endpoint must match the specified protocol"))
            }
            "http" if address.parse::<http::Uri>().is_ok() => Ok(Self::Http { url: address }),
            "http" => Err(invalid("Endpoint")),
            "https" | "email" | "email-json" | "sms" | "application" | "firehose" => {
                Err(invalid(unbuilt(format_args!("the protocol {protocol}"))))
            }
            _ => Err(invalid(format_args!("Amazon SNS does not support this protocol string: {protocol}"))),
        }
    }

    pub(super) fn protocol(&self) -> &'static str {
        match self {
            Self::Sqs { .. } => "sqs",
            Self::Lambda { .. } => "lambda",
            Self::Http { .. } => "http",
        }
    }

    pub(super) fn address(&self) -> &str {
        match self {
            Self::Sqs { arn } | Self::Lambda { arn } => arn,
            Self::Http { url } => url,
        }
    }

    /// A FIFO queue keeps the order of a FIFO topic (semantics 2.1).
    pub(super) fn is_fifo(&self) -> bool {
        matches!(self, Self::Sqs { arn } if arn.ends_with(".fifo"))
    }

    /// Whose it is, where the address says so.
    pub(super) fn account(&self) -> Option<&str> {
        match self {
            Self::Sqs { arn } | Self::Lambda { arn } => arn.split(':').nth(4),
            Self::Http { .. } => None,
        }
    }
}

fn is_function_arn(arn: &str) -> bool {
    let parts: Vec<_> = arn.split(':').collect();
    matches!(parts[..], ["arn", _, "lambda", region, account, "function", name] | ["arn", _, "lambda", region, account, "function", name, _] if !region.is_empty() && !account.is_empty() && !name.is_empty())
}

pub(super) fn is_queue_arn(arn: &str) -> bool {
    let parts: Vec<_> = arn.split(':').collect();
    matches!(parts[..], ["arn", _, "sqs", region, account, name] if !region.is_empty() && !account.is_empty() && !name.is_empty())
}
