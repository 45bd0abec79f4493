//! From a call to the operation that it names, and back to an answer.

use havoq_base::StackTime;
use havoq_wire::{Call, Forwarding, Request, Response, Service, ServiceError, SqsError, Upstream, decode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::sandbox::Sandbox;
use crate::core::Core;
use crate::sqs::{
    Batch, Polled, QueueAddress, QueueId, ReceiveMessage, SendMessage, parse, prepare_batch, queue_name,
    receive_answer, unsupported,
};

impl Upstream for Sandbox {
    fn forward(&self, request: Request) -> Forwarding<'_> {
        Box::pin(async move {
            let id = self.new_request_id();
            let answer = self.answer(&request, &id).await;
            Ok(answer.unwrap_or_else(|error| havoq_wire::failure(&error, &id)))
        })
    }
}

type Answer = Result<Response, ServiceError>;

/// One call on its way through.
struct Dispatch<'a> {
    sandbox: &'a Sandbox,
    address: QueueAddress,
    request_id: &'a str,
}

impl Sandbox {
    async fn answer(&self, request: &Request, request_id: &str) -> Answer {
        let call = decode(request).map_err(|error| SqsError::InvalidAction.with(error.to_string()))?;
        let host = request.headers().get(http::header::HOST).and_then(|host| host.to_str().ok());
        let host = host.or_else(|| request.uri().authority().map(|authority| authority.as_str()));
        let address = QueueAddress(format!("http://{}/{}/", host.unwrap_or("localhost"), self.0.account));
        let dispatch = Dispatch { sandbox: self, address, request_id };
        match call.service {
            Service::Sqs => dispatch.sqs(call).await,
        }
    }
}

impl Dispatch<'_> {
    async fn sqs(&self, call: Call) -> Answer {
        let params = call.params;
        match call.operation.as_str() {
            "SendMessage" => self.send_message(params),
            "SendMessageBatch" => self.send_message_batch(params),
            "ReceiveMessage" => self.receive_message(params).await,
            "DeleteMessage" => self.on_queue(params, Core::delete_message),
            "DeleteMessageBatch" => self.on_queue(params, |core, now, id, batch: Batch| {
                Ok(core.delete_message_batch(now, id, batch.entries("DeleteMessageBatchRequestEntry")?))
            }),
            "ChangeMessageVisibility" => self.on_queue(params, Core::change_message_visibility),
            "ChangeMessageVisibilityBatch" => self.on_queue(params, |core, now, id, batch: Batch| {
                let entries = batch.entries("ChangeMessageVisibilityBatchRequestEntry")?;
                Ok(core.change_message_visibility_batch(now, id, entries))
            }),
            _ => self.sqs_control(&call.operation, params),
        }
    }

    /// Operations on queues rather than on messages.
    fn sqs_control(&self, operation: &str, params: Value) -> Answer {
        let address = &self.address;
        match operation {
            "CreateQueue" => self.plain(params, |core, now, input| core.create_queue(now, input, address)),
            "GetQueueUrl" => self.plain(params, |core, now, input| core.get_queue_url(now, input, address)),
            "ListQueues" => self.plain(params, |core, _, input| core.list_queues(input, address)),
            "ListDeadLetterSourceQueues" => self
                .on_queue(params, |core, _, id, page| core.list_dead_letter_source_queues(id, page, address)),
            "DeleteQueue" => self.on_queue(params, |core, now, id, Unread {}| core.delete_queue(now, id)),
            "PurgeQueue" => self.on_queue(params, |core, now, id, Unread {}| core.purge_queue(now, id)),
            "GetQueueAttributes" => self.on_queue(params, Core::get_queue_attributes),
            "SetQueueAttributes" => self.on_queue(params, Core::set_queue_attributes),
            "TagQueue" => self.on_queue(params, Core::tag_queue),
            "UntagQueue" => self.on_queue(params, Core::untag_queue),
            "ListQueueTags" => self.on_queue(params, |core, _, id, Unread {}| core.list_queue_tags(id)),
            "StartMessageMoveTask" => self.plain(params, Core::start_message_move_task),
            "CancelMessageMoveTask" => self.plain(params, Core::cancel_message_move_task),
            "ListMessageMoveTasks" => self.plain(params, Core::list_message_move_tasks),
            "AddPermission" | "RemovePermission" => Err(unsupported(operation)),
            _ => {
                let text = format!("The action {operation} is not valid for this endpoint.");
                Err(SqsError::InvalidAction.with(text))
            }
        }
    }

    fn plain<I: DeserializeOwned, O: Serialize>(
        &self,
        params: Value,
        operation: impl FnOnce(&mut Core, StackTime, I) -> Result<O, ServiceError>,
    ) -> Answer {
        let input = parse(params)?;
        let output = self.sandbox.enter(|core, now| operation(core, now, input))?;
        Ok(self.success(&output))
    }

    fn on_queue<I: DeserializeOwned, O: Serialize>(
        &self,
        params: Value,
        operation: impl FnOnce(&mut Core, StackTime, QueueId, I) -> Result<O, ServiceError>,
    ) -> Answer {
        let (url, input) = self.queue_input(params)?;
        let output = self.open(url, |core, now, id| operation(core, now, id, input?))?;
        Ok(self.success(&output))
    }

    fn send_message(&self, params: Value) -> Answer {
        let (url, input) = self.queue_input::<SendMessage>(params)?;
        let prepared = input.and_then(SendMessage::prepare);
        Ok(self.success(&self.open(url, |core, now, id| core.send_message(now, id, prepared?))?))
    }

    fn send_message_batch(&self, params: Value) -> Answer {
        let (url, input) = self.queue_input::<Batch>(params)?;
        let entries = input.and_then(prepare_batch);
        Ok(self.success(&self.open(url, |core, now, id| Ok(core.send_message_batch(now, id, entries?)))?))
    }

    async fn receive_message(&self, params: Value) -> Answer {
        let (url, input) = self.queue_input::<ReceiveMessage>(params)?;
        let ask = input.as_ref().map_err(Clone::clone).and_then(ReceiveMessage::ask);
        let polled = self.open(url, |core, now, id| {
            let (ask, wait) = ask?;
            core.receive_message(now, id, ask, wait)
        })?;
        let messages = match polled {
            Polled::Done(messages) => messages,
            Polled::Parked { id, answer, wait } => self.sandbox.wait(id, answer, wait).await?,
        };
        Ok(self.success(&receive_answer(&input?, &messages)))
    }

    /// The name out of the QueueUrl, and the other members. A call with bad members is still an
    /// action of its queue (semantics 1.16), so their error comes later.
    fn queue_input<I: DeserializeOwned>(
        &self,
        mut params: Value,
    ) -> Result<(String, Result<I, ServiceError>), ServiceError> {
        let url = params.as_object_mut().and_then(|members| members.remove("QueueUrl"));
        let name = queue_name(url.as_ref().and_then(Value::as_str), &self.sandbox.0.account)?.to_owned();
        Ok((name, parse(params)))
    }

    fn open<T>(
        &self,
        queue: String,
        operation: impl FnOnce(&mut Core, StackTime, QueueId) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        self.sandbox.enter(|core, now| {
            let id = core.open(now, &queue)?;
            operation(core, now, id)
        })
    }

    fn success(&self, output: &impl Serialize) -> Response {
        havoq_wire::success(output, self.request_id)
    }
}

/// An input of which no member beyond the QueueUrl is looked at.
#[derive(serde::Deserialize)]
struct Unread {}
