//! One event to a target that is no function.

use havoq_base::StackTime;
use serde_json::{Value, json};

use super::pipe::{Pipe, PipeId};
use super::shape::{InputTemplate, Opened, shaped};
use crate::acting::Acting;
use crate::core::Core;
use crate::events::RoleEvent;
use crate::sns::timestamp;
use crate::sqs::{SendMessage, ServiceSend};
use crate::targets::{TargetDelivery, TargetError, TargetKind};

/// What became of one event; an error says why.
pub(super) type Delivered = Result<(), String>;

impl Pipe {
    pub(super) fn is_to_function(&self) -> bool {
        TargetKind::of(&self.spec.target) == Some(TargetKind::Function)
    }
}

impl Core {
    pub(super) fn deliver_events(&mut self, now: StackTime, id: PipeId, events: &[Value]) -> Vec<Delivered> {
        let template = self.pipes.get(id).and_then(|pipe| pipe.spec.target_template());
        let template = template.map(InputTemplate::parse).transpose();
        let deliver = |event| {
            let template = template.as_ref().map_err(String::clone)?.as_ref();
            self.deliver_event(now, id, template, &Opened::of(event))
        };
        events.iter().map(deliver).collect()
    }

    fn deliver_event(
        &mut self,
        now: StackTime,
        id: PipeId,
        template: Option<&InputTemplate>,
        event: &Opened<'_>,
    ) -> Delivered {
        let pipe = self.pipes.get(id).ok_or("the pipe is gone")?;
        let payload = shaped(pipe, template, event, &timestamp(now))?;
        let (target, role) = (pipe.spec.target.clone(), pipe.spec.role_arn.clone());
        let acting = Acting::Role { arn: &role };
        let text = match &payload {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let done = match TargetKind::of(&target) {
            Some(TargetKind::Queue) => {
                let message = message(pipe, event, text);
                self.reachable(&target).and_then(|()| {
                    let send = ServiceSend { queue_arn: &target, acting, message };
                    self.send_as_service(now, send).map(drop).map_err(TargetError::from)
                })
            }
            Some(TargetKind::Bus) => self.put_for_pipe(now, id, event, payload),
            _ => {
                let delivery = TargetDelivery {
                    target_arn: &target,
                    acting,
                    payload: text,
                    message_group_id: None,
                    trace_header: None,
                };
                self.deliver_to_target(now, delivery).map(drop)
            }
        };
        done.map_err(|error| format!("{}: {}", error.code.as_str(), error.message))
    }

    /// A detail that is no object is put into one.
    fn put_for_pipe(
        &mut self,
        now: StackTime,
        id: PipeId,
        event: &Opened<'_>,
        payload: Value,
    ) -> Result<(), TargetError> {
        let Some(pipe) = self.pipes.get(id) else { return Ok(()) };
        let (arn, spec) = (pipe.arn.clone(), pipe.spec.clone());
        let parameters = spec.target_parameters.unwrap_or_default().bus_parameters.unwrap_or_default();
        let text =
            |text: Option<String>, otherwise: String| text.map_or(otherwise, |text| event.text_of(&text));
        let source = text(parameters.source, format!("Pipe {}", pipe.name));
        let detail_type = text(parameters.detail_type, "Event from aws:sqs".to_owned());
        let resources: Vec<_> = parameters.resources.iter().map(|text| event.text_of(text)).collect();
        let detail = if payload.is_object() { payload } else { json!({ "data": payload }) };
        let event = RoleEvent {
            bus_arn: &spec.target,
            acting: Acting::Role { arn: &spec.role_arn },
            from_arn: &arn,
            source: &source,
            detail_type: &detail_type,
            resources: &resources,
            detail,
        };
        self.put_event_as_role(now, event).map(drop)
    }
}

fn message(pipe: &Pipe, event: &Opened<'_>, body: String) -> SendMessage {
    let parameters = pipe.spec.target_parameters.as_ref().and_then(|to| to.sqs_queue_parameters.as_ref());
    let text = |text: Option<&String>| text.map(|text| event.text_of(text));
    SendMessage {
        message_body: Some(body),
        message_group_id: text(parameters.and_then(|queue| queue.message_group_id.as_ref())),
        message_deduplication_id: text(parameters.and_then(|queue| queue.message_deduplication_id.as_ref())),
        ..SendMessage::default()
    }
}
