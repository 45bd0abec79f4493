//! The call that a target stands for, and what goes wrong with it in the words of the service that was
//! called: dead letters of Scheduler show those.

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use havoq_wire::ServiceError;

use super::occurrence::Occurrence;
use super::universal;
use crate::acting::Acting;
use crate::core::Core;
use crate::events::RoleEvent;
use crate::sns::Publish;
use crate::sqs::{Refusal, ServiceSend, queue_name};
use crate::targets::{ErrorCode, TargetDelivery, TargetError};

#[derive(Clone, Debug)]
pub(super) enum Call {
    Queue {
        arn: String,
        group_id: Option<String>,
    },
    Topic {
        arn: String,
    },
    Function {
        arn: String,
    },
    Bus {
        arn: String,
        source: String,
        detail_type: String,
    },
    /// sqs:sendMessage with the input as the request.
    SendMessage,
    /// sns:publish likewise.
    Publish,
}

/// A call that failed.
#[derive(Debug, PartialEq)]
pub(super) struct CallError {
    /// As the called service names it.
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) kind: ErrorKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorKind {
    /// Another attempt makes sense.
    Passing,
    Throttled,
    Permanent,
}

impl Call {
    /// The service and the action that are called.
    fn api(&self) -> (&'static str, &'static str) {
        match self {
            Self::Queue { .. } | Self::SendMessage => ("sqs", "sendMessage"),
            Self::Topic { .. } | Self::Publish => ("sns", "publish"),
            Self::Function { .. } => ("lambda", "invoke"),
            Self::Bus { .. } => ("eventbridge", "putEvents"),
        }
    }

    /// How dead letters name the target (SCHED:configuring-schedule-dlq).
    pub(super) fn target_arn(&self) -> String {
        let (service, action) = self.api();
        universal::arn(service, action)
    }

    fn error(&self, error: TargetError) -> CallError {
        service_error(self.api().0, error)
    }
}

/// What a service says of an error. What is not in the words of `targets` is said as here.
pub(super) fn service_error(service: &str, error: TargetError) -> CallError {
    let (code, message, kind) = match error.code {
        ErrorCode::NoResource => {
            let (code, message) = match service {
                "sqs" => (NO_QUEUE, "The specified queue does not exist for this wsdl version."),
                "sns" => ("NotFound", "Topic does not exist"),
                _ => ("ResourceNotFoundException", error.message.as_str()),
            };
            (code, message.to_owned(), ErrorKind::Permanent)
        }
        ErrorCode::NoPermissions => {
            let code = match service {
                "sqs" => "AccessDenied",
                "sns" => "AuthorizationError",
                _ => "AccessDeniedException",
            };
            (code, error.message, ErrorKind::Permanent)
        }
        ErrorCode::Throttling => {
            let code = match service {
                "sqs" => "RequestThrottled",
                "sns" => "Throttled",
                "lambda" => "TooManyRequestsException",
                _ => "ThrottlingException",
            };
            (code, error.message, ErrorKind::Throttled)
        }
        ErrorCode::ErrorFromTarget => ("ServiceUnavailable", error.message, ErrorKind::Passing),
        _ => {
            let code = match service {
                "sqs" => "InvalidParameterValue",
                "sns" => "InvalidParameter",
                "lambda" => "InvalidParameterValueException",
                _ => "ValidationException",
            };
            (code, error.message, ErrorKind::Permanent)
        }
    };
    CallError { code, message, kind }
}

pub(super) const NO_QUEUE: &str = "AWS.SimpleQueueService.NonExistentQueue";

impl Core {
    /// Makes the call with an input that is ready.
    pub(super) fn call_target(
        &mut self,
        now: StackTime,
        occurrence: &Occurrence,
        payload: String,
    ) -> Result<Option<MessageId>, CallError> {
        let target = &occurrence.target;
        let acting = Acting::Role { arn: &target.role_arn };
        let called = match &target.call {
            Call::Queue { arn, group_id } => {
                let message_group_id = group_id.clone();
                let delivery =
                    TargetDelivery { target_arn: arn, acting, payload, message_group_id, trace_header: None };
                self.deliver_to_target(now, delivery)
            }
            Call::Topic { arn } | Call::Function { arn } => {
                let message_group_id = None;
                let delivery =
                    TargetDelivery { target_arn: arn, acting, payload, message_group_id, trace_header: None };
                self.deliver_to_target(now, delivery)
            }
            Call::Bus { arn, source, detail_type } => {
                let event = RoleEvent {
                    bus_arn: arn,
                    acting,
                    from_arn: &target.role_arn,
                    source,
                    detail_type,
                    resources: &[occurrence.schedule_arn.to_string()],
                    // What is no JSON is no object either, and refused as that.
                    detail: serde_json::from_str(&payload).unwrap_or_default(),
                };
                self.put_event_as_role(now, event).map(Some)
            }
            Call::SendMessage => self.send_message_as_role(now, occurrence, &payload),
            Call::Publish => self.publish_as_role(now, occurrence, &payload),
        };
        called.map_err(|error| target.call.error(error))
    }

    fn send_message_as_role(
        &mut self,
        now: StackTime,
        occurrence: &Occurrence,
        input: &str,
    ) -> Result<Option<MessageId>, TargetError> {
        let request: universal::SendMessageRequest = universal::request(input).map_err(invalid_text)?;
        let queue = queue_name(request.member.as_deref()).map_err(invalid)?;
        let place = self.places.beside(occurrence.key.group.place, queue.account.as_deref());
        let arn = place.map(|place| self.places.arn(place, "sqs", &queue.name));
        let queue_arn = &arn.ok_or(Refusal::NoQueue)?;
        self.reachable(queue_arn)?;
        let acting = Acting::Role { arn: &occurrence.target.role_arn };
        let sent = self.send_as_service(now, ServiceSend { queue_arn, acting, message: request.rest })?;
        Ok(Some(sent))
    }

    /// Scheduler calls in the name of the role's account.
    fn publish_as_role(
        &mut self,
        now: StackTime,
        occurrence: &Occurrence,
        input: &str,
    ) -> Result<Option<MessageId>, TargetError> {
        let request: Publish = universal::request(input).map_err(invalid_text)?;
        self.reachable(request.topic_arn.as_deref().unwrap_or_default())?;
        let place = occurrence.key.group.place;
        let published =
            self.publish(now, place, request, None).map_err(|error| match &*error.query_code {
                "NotFound" => ErrorCode::NoResource.with(error.message),
                "AuthorizationError" => ErrorCode::NoPermissions.with(error.message),
                _ => invalid(error),
            })?;
        Ok(Some(published.message_id))
    }
}

fn invalid(error: ServiceError) -> TargetError {
    invalid_text(error.message)
}

fn invalid_text(text: String) -> TargetError {
    ErrorCode::InvalidParameter.with(text)
}
