//! From a call to the operation that it names, and back to an answer. One file a service.

mod caller;
mod cloudwatch;
mod dynamodb;
mod events;
mod lambda;
mod pipes;
mod scheduler;
mod sns;
mod sqs;
mod sts;

use havoq_base::StackTime;
use havoq_wire::{
    CommonError, Forwarding, Head, Request, Response, Service, ServiceError, Upstream, failure, success,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::sandbox::Sandbox;
use crate::core::Core;
use crate::place::Place;
use crate::unbuilt::not_implemented;

impl Upstream for Sandbox {
    fn forward(&self, request: Request) -> Forwarding<'_> {
        Box::pin(async move { Ok(self.answer(request).await) })
    }
}

pub(super) type Answer = Result<Response, ServiceError>;

/// One call on its way through.
struct Dispatch<'a> {
    sandbox: &'a Sandbox,
    head: Head,
    request: &'a Request,
    /// Whose resources the caller's names mean.
    place: Place,
    request_id: String,
}

impl Sandbox {
    async fn answer(&self, request: Request) -> Response {
        let request_id = self.new_request_id();
        let head = match Head::of(&request) {
            Ok(head) => head,
            Err(problem) => {
                let head = Head::guess(&request);
                return failure(&head, &problem.answer(head.protocol), &request_id);
            }
        };
        let place = caller::place(self, &request);
        let dispatch = Dispatch { sandbox: self, head, request: &request, place, request_id };
        dispatch.answer().await.unwrap_or_else(|error| failure(&dispatch.head, &error, &dispatch.request_id))
    }

    /// A call whose head is known, by the sandbox's own account.
    pub(super) async fn dispatch(&self, head: Head, request: &Request) -> Answer {
        let (place, request_id) = (Place::HOME, self.new_request_id());
        Dispatch { sandbox: self, head, request, place, request_id }.answer().await
    }
}

impl Dispatch<'_> {
    async fn answer(&self) -> Answer {
        match self.head.service {
            Service::Sqs => self.sqs().await,
            Service::Sns => self.sns(),
            Service::CloudWatch => self.cloudwatch(),
            Service::Sts => self.sts(),
            Service::EventBridge => self.events(),
            Service::DynamoDb => self.dynamodb(),
            Service::Lambda => self.lambda().await,
            Service::Scheduler => self.scheduler(),
            Service::Pipes => self.pipes(),
        }
    }

    fn input<T: DeserializeOwned>(&self) -> Result<T, ServiceError> {
        self.head.input(self.request).map_err(|problem| problem.answer(self.head.protocol))
    }

    /// An operation that finds in its input all that it needs.
    fn plain<I: DeserializeOwned, O: Serialize>(
        &self,
        operation: impl FnOnce(&mut Core, StackTime, I) -> Result<O, ServiceError>,
    ) -> Answer {
        let input = self.input()?;
        let output = self.sandbox.enter(|core, now| operation(core, now, input))?;
        Ok(self.success(&output))
    }

    /// What X-Ray puts on the request rather than on the message.
    fn trace_header(&self) -> Option<String> {
        let header = self.request.headers().get("x-amzn-trace-id")?;
        header.to_str().ok().map(str::to_owned)
    }

    fn success(&self, output: &impl Serialize) -> Response {
        success(&self.head, output, &self.request_id)
    }

    /// Where the caller reaches the sandbox, without a slash at the end.
    fn base_url(&self) -> String {
        let host = self.request.headers().get(http::header::HOST).and_then(|host| host.to_str().ok());
        let host = host.or_else(|| self.request.uri().authority().map(|authority| authority.as_str()));
        format!("http://{}", host.unwrap_or("localhost"))
    }
}

/// Said of an operation that the service has and the sandbox has not.
fn not_built(service: &str, operation: &str) -> ServiceError {
    not_implemented(format_args!("{service}'s {operation}"))
}

/// Said of an operation that the service does not have.
fn unknown(operation: &str) -> ServiceError {
    CommonError::InvalidAction.with(format!("Could not find operation {operation}"))
}

/// An input of which no member is looked at.
#[derive(serde::Deserialize)]
struct Unread {}
