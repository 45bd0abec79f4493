//! Errors whose names are those of a service's model.

use super::service::ServiceError;
use crate::service::Service;

/// An enum of errors, each with the name of its shape.
macro_rules! modelled {
    // Errors that are called as their shapes are.
    ($(#[$doc:meta])* $name:ident of $service:ident { $($error:ident,)+ }) => {
        super::modelled::modelled! {
            $(#[$doc])* $name of $service { $($error => stringify!($error),)+ }
        }
    };
    ($(#[$doc:meta])* $name:ident of $service:ident { $($error:ident => $shape:expr,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($error,)+
        }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$error,)+];

            pub fn with(self, message: impl Into<String>) -> super::ServiceError {
                let shape = match self {
                    $(Self::$error => $shape,)+
                };
                super::modelled::error(crate::Service::$service, shape, message)
            }
        }
    };
}
pub(super) use modelled;

pub(super) fn error(service: Service, shape: &'static str, message: impl Into<String>) -> ServiceError {
    let model = service.model();
    let (query_code, status) = model.errors.get(shape).copied().unwrap_or((shape, 400));
    ServiceError::named(format!("{}#{shape}", model.namespace), query_code, status, message)
}

#[cfg(test)]
mod tests {
    use crate::{
        CloudWatchError, CommonError, EventBridgeError, LambdaError, PipesError, SchedulerError, Service,
        ServiceError, SnsError, SqsError,
    };

    fn assert_modelled(service: Service, errors: impl Iterator<Item = ServiceError>) {
        for error in errors {
            let modelled = service.model().errors.get(error.shape_name());
            assert_eq!(modelled, Some(&(&*error.query_code, error.status.as_u16())), "{error}");
            assert_eq!(error.sender, error.status.is_client_error());
        }
    }

    #[test]
    fn each_error_is_in_its_service_s_model() {
        assert_modelled(Service::Sqs, SqsError::ALL.iter().map(|error| error.with("")));
        assert_modelled(Service::Sns, SnsError::ALL.iter().map(|error| error.with("")));
        assert_modelled(Service::CloudWatch, CloudWatchError::ALL.iter().map(|error| error.with("")));
        assert_modelled(Service::EventBridge, EventBridgeError::ALL.iter().map(|error| error.with("")));
        assert_modelled(Service::Lambda, LambdaError::ALL.iter().map(|error| error.with("")));
        assert_modelled(Service::Scheduler, SchedulerError::ALL.iter().map(|error| error.with("")));
        assert_modelled(Service::Pipes, PipesError::ALL.iter().map(|error| error.with("")));
    }

    #[test]
    fn shapes_codes_and_statuses_are_those_that_clients_see() {
        for (error, shape, code, status) in [
            (
                SqsError::QueueDoesNotExist.with(""),
                "com.amazonaws.sqs#QueueDoesNotExist",
                "AWS.SimpleQueueService.NonExistentQueue",
                400,
            ),
            (
                SqsError::QueueNameExists.with(""),
                "com.amazonaws.sqs#QueueNameExists",
                "QueueAlreadyExists",
                400,
            ),
            (
                CommonError::InvalidParameterValue.with(""),
                "com.amazon.coral.service#InvalidParameterValueException",
                "InvalidParameterValue",
                400,
            ),
            (
                CommonError::MissingParameter.with(""),
                "com.amazon.coral.service#MissingRequiredParameterException",
                "MissingParameter",
                400,
            ),
            (SqsError::OverLimit.with(""), "com.amazonaws.sqs#OverLimit", "OverLimit", 403),
            (
                SqsError::PurgeQueueInProgress.with(""),
                "com.amazonaws.sqs#PurgeQueueInProgress",
                "AWS.SimpleQueueService.PurgeQueueInProgress",
                403,
            ),
            (
                SqsError::ResourceNotFound.with(""),
                "com.amazonaws.sqs#ResourceNotFoundException",
                "ResourceNotFoundException",
                404,
            ),
            (SnsError::NotFound.with(""), "com.amazonaws.sns#NotFoundException", "NotFound", 404),
            (
                SnsError::InvalidParameterValue.with(""),
                "com.amazonaws.sns#InvalidParameterValueException",
                "ParameterValueInvalid",
                400,
            ),
            (SnsError::Throttled.with(""), "com.amazonaws.sns#ThrottledException", "Throttled", 429),
            (
                CloudWatchError::MissingParameter.with(""),
                "com.amazonaws.cloudwatch#MissingRequiredParameterException",
                "MissingParameter",
                400,
            ),
            (
                CloudWatchError::InternalService.with(""),
                "com.amazonaws.cloudwatch#InternalServiceFault",
                "InternalServiceError",
                500,
            ),
        ] {
            assert_eq!((&*error.shape, &*error.query_code, error.status.as_u16()), (shape, code, status));
            assert_eq!(error.sender, status < 500);
        }
    }
}
