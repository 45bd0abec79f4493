//! The services whose calls can be read. One more is a model and a line in the list below.

use std::sync::LazyLock;

use crate::call::Protocol;
use crate::model::Model;

macro_rules! services {
    ($($service:ident => $model:literal,)+) => {
        /// The services whose calls can be read.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Service {
            $($service,)+
        }

        impl Service {
            pub const ALL: &[Self] = &[$(Self::$service,)+];

            /// What the service's API looks like.
            pub(crate) fn model(self) -> &'static Model {
                match self {
                    $(Self::$service => {
                        static MODEL: LazyLock<Model> = LazyLock::new(|| {
                            Model::read(include_str!(concat!("../models/", $model)))
                                .expect("a test reads each model")
                        });
                        &MODEL
                    })+
                }
            }
        }
    };
}

services! {
    Sqs => "sqs.txt",
    Sns => "sns.txt",
    CloudWatch => "cloudwatch.txt",
    Sts => "sts.txt",
    EventBridge => "events.txt",
    DynamoDb => "dynamodb.txt",
    Lambda => "lambda.txt",
    Scheduler => "scheduler.txt",
    Pipes => "pipes.txt",
}

impl Service {
    /// As AWS writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqs => "SQS",
            Self::Sns => "SNS",
            Self::CloudWatch => "CloudWatch",
            Self::Sts => "STS",
            Self::EventBridge => "EventBridge",
            Self::DynamoDb => "DynamoDB",
            Self::Lambda => "Lambda",
            Self::Scheduler => "Scheduler",
            Self::Pipes => "Pipes",
        }
    }

    /// The service of this name, or of its name in signatures and endpoints, in any case.
    pub fn named(name: &str) -> Option<Self> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        Self::ALL.iter().copied().find(|service| is(service.name()) || is(service.model().signing))
    }

    /// The names of its operations, in order.
    pub fn operations(self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.model().operations.keys().copied().collect();
        names.sort_unstable();
        names
    }

    pub fn has_operation(self, name: &str) -> bool {
        self.model().operations.contains_key(name)
    }

    /// Whether the service's clients speak a protocol.
    pub(crate) fn speaks(self, protocol: Protocol) -> bool {
        self.model().protocols.contains(&protocol)
    }

    /// The service that an `X-Amz-Target` or a CBOR path names.
    pub(crate) fn of_target(prefix: &str) -> Option<Self> {
        Self::find(|model| model.target == Some(prefix))
    }

    /// The service that a request is signed for.
    pub(crate) fn of_signing_name(name: &str) -> Option<Self> {
        Self::find(|model| model.signing == name)
    }

    /// The service of an API version. No two that speak Query have the same.
    pub(crate) fn of_version(version: &str) -> Option<Self> {
        Self::find(|model| model.version == version && model.protocols.contains(&Protocol::Query))
    }

    fn find(is: impl Fn(&Model) -> bool) -> Option<Self> {
        Self::ALL.iter().copied().find(|service| is(service.model()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_service_has_a_model_and_is_found_by_its_names() {
        for &service in Service::ALL {
            let model = service.model();
            assert!(!model.operations.is_empty());
            assert_eq!(Service::of_signing_name(model.signing), Some(service));
            let of_version = service.speaks(Protocol::Query).then_some(service);
            assert_eq!(Service::of_version(model.version).filter(|found| *found == service), of_version);
        }
        assert_eq!(Service::of_target("AmazonSQS"), Some(Service::Sqs));
        assert_eq!(Service::of_target("GraniteServiceVersion20100801"), Some(Service::CloudWatch));
        assert_eq!(Service::of_target(""), None);
        assert_eq!(Service::of_signing_name("monitoring"), Some(Service::CloudWatch));
        for (name, service) in [
            ("sqs", Some(Service::Sqs)),
            ("DynamoDB", Some(Service::DynamoDb)),
            ("events", Some(Service::EventBridge)),
            ("monitoring", Some(Service::CloudWatch)),
            ("s3", None),
        ] {
            assert_eq!(Service::named(name), service);
        }
        assert!(Service::Sqs.has_operation("SendMessage") && !Service::Sqs.has_operation("Publish"));
    }
}
