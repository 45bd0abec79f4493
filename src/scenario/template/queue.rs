//! `AWS::SQS::Queue`. Ranges and defaults: semantics 1.1, 1.4, 1.5, 1.6 and 1.9.

use havoq_base::StackDuration;

use super::super::decode::Sp;
use super::super::lower::Kind;
use super::super::model::{Document, Fifo, Queue, Redrive};
use super::identity::arn_prefix;
use super::properties::{Maybe, Properties};
use super::value::{Piece, Pieces, Value};

pub(super) fn read(properties: &mut Properties<'_, '_, '_>) -> Option<Queue> {
    // All are read before any is judged, so that all problems show.
    let visibility_timeout = properties.seconds("VisibilityTimeout", 0..=43_200);
    let delay = properties.seconds("DelaySeconds", 0..=900);
    let retention = properties.seconds("MessageRetentionPeriod", 60..=1_209_600);
    let receive_wait = properties.seconds("ReceiveMessageWaitTimeSeconds", 0..=20);
    let maximum_message_size = properties.whole("MaximumMessageSize", 1_024..=1_048_576);
    let redrive = redrive(properties);
    let redrive_allow = redrive_allow(properties);
    let fifo = fifo(properties);
    Some(Queue {
        name: properties.stack.physical.get(properties.id).cloned(),
        visibility_timeout: visibility_timeout?.unwrap_or(StackDuration::from_secs(30)),
        delay: delay?.unwrap_or(StackDuration::ZERO),
        retention: retention?.unwrap_or(StackDuration::from_secs(345_600)),
        receive_wait: receive_wait?.unwrap_or(StackDuration::ZERO),
        maximum_message_size: maximum_message_size?.unwrap_or(1_048_576),
        redrive: redrive?,
        fifo: fifo?,
        redrive_allow: redrive_allow?,
    })
}

/// What only a FIFO queue has; a standard one must not have it.
fn fifo(properties: &mut Properties<'_, '_, '_>) -> Maybe<Fifo> {
    let is_fifo = properties.boolean("FifoQueue")? == Some(true);
    let content = properties.boolean("ContentBasedDeduplication");
    let scope =
        properties.word("DeduplicationScope", &[("queue", "queue"), ("messageGroup", "messageGroup")]);
    let limits = [("perQueue", "perQueue"), ("perMessageGroupId", "perMessageGroupId")];
    let limit = properties.word("FifoThroughputLimit", &limits);
    properties.check_fifo_name("QueueName", is_fifo)?;
    let (content, scope, limit) = (content?, scope?, limit?);
    if !is_fifo {
        for name in ["ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit"] {
            if let Some(span) = properties.given(name) {
                let hint = Some("`FifoQueue: true`".to_owned());
                return properties.problem(span, format!("{name} is for FIFO queues"), hint);
            }
        }
        return Some(None);
    }
    Some(Some(Fifo {
        content_based_deduplication: content.unwrap_or(false),
        deduplication_scope: scope.map(str::to_owned),
        throughput_limit: limit.map(str::to_owned),
    }))
}

/// RedriveAllowPolicy, as it is: SQS reads it.
fn redrive_allow(properties: &mut Properties<'_, '_, '_>) -> Maybe<Document> {
    let Some(policy) = properties.get("RedriveAllowPolicy")? else { return Some(None) };
    properties.json("RedriveAllowPolicy", policy).map(Some)
}

/// RedrivePolicy, as a mapping or as a JSON text.
fn redrive(properties: &mut Properties<'_, '_, '_>) -> Maybe<Redrive> {
    let Some(policy) = properties.get("RedrivePolicy")? else { return Some(None) };
    let span = policy.span;
    let fields = match policy.value {
        Value::Map(fields) => fields,
        Value::Text(pieces) if pieces.parts().is_empty() => return Some(None),
        Value::Text(pieces) => match json_fields(&pieces, span) {
            Some(fields) => fields,
            None => return properties.problem(span, "RedrivePolicy is not a JSON object".to_owned(), None),
        },
        other => {
            let message = format!("expected a redrive policy, found {}", other.kind());
            return properties.problem(span, message, None);
        }
    };
    let (mut target, mut count) = (None, None);
    for (key, value) in fields {
        match key.as_str() {
            "deadLetterTargetArn" => target = Some(value),
            "maxReceiveCount" => count = Some(value),
            other => {
                let message = format!("a redrive policy has no `{other}`");
                let hint = super::super::suggest::hint_for(other, ["deadLetterTargetArn", "maxReceiveCount"]);
                return properties.problem(key.span, message, hint);
            }
        }
    }
    let (Some(target), Some(count)) = (target, count) else {
        let message = "a redrive policy needs `deadLetterTargetArn` and `maxReceiveCount`".to_owned();
        return properties.problem(span, message, None);
    };
    let to = dead_letter_queue(properties, target);
    let max_receive_count = max_receive_count(properties, count);
    Some(Some(Redrive { to: to?, max_receive_count: max_receive_count? }))
}

fn dead_letter_queue(properties: &mut Properties<'_, '_, '_>, target: Sp<Value>) -> Option<String> {
    let span = target.span;
    let kind = target.value.kind();
    let prefix = arn_prefix("sqs", "");
    let found =
        target.value.into_pieces().and_then(|pieces| properties.by_arn(&pieces, Kind::Queue, &prefix));
    if found.as_deref() == Some(properties.id) {
        // Where it refers to itself, the circle is reported.
        if properties.stack.references.iter().any(|(from, to, _)| from == to && from == properties.id) {
            return None;
        }
        return properties.problem(span, "a queue cannot be its own dead-letter queue".to_owned(), None);
    }
    if found.is_none() {
        let message = format!("{kind} is not the ARN of a queue of this template");
        return properties.problem(span, message, Some("`!GetAtt OrderDLQ.Arn`, for example".to_owned()));
    }
    found
}

/// An integer or a numeric text (semantics 1.9).
fn max_receive_count(properties: &mut Properties<'_, '_, '_>, count: Sp<Value>) -> Option<u32> {
    let text = super::properties::plain_text(properties.stack, count)?;
    match text.parse::<u32>() {
        Ok(count @ 1..=1_000) => Some(count),
        _ => {
            let message = format!("maxReceiveCount cannot be `{}`", text.value);
            properties.problem(text.span, message, Some("from 1 to 1000".to_owned()))
        }
    }
}

/// Marks a symbolic name inside a JSON text; a private-use character that no template needs.
const MARK: char = '\u{F8A5}';

/// The fields of a policy that is given as a JSON text, in which names may be symbolic.
fn json_fields(pieces: &Pieces, span: super::super::problem::Span) -> Option<Vec<(Sp<String>, Sp<Value>)>> {
    let marked: String = pieces
        .parts()
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.replace(MARK, ""),
            Piece::NameOf(id) | Piece::Foreign(id) => format!("{MARK}{id}{MARK}"),
        })
        .collect();
    let serde_json::Value::Object(object) = serde_json::from_str(&marked).ok()? else { return None };
    let fields = object.into_iter().map(|(key, value)| {
        let value = match value {
            serde_json::Value::String(text) => Value::Text(unmarked(&text)),
            serde_json::Value::Number(number) => Value::Number(number.to_string()),
            other => Value::text(other.to_string()),
        };
        (Sp { value: key, span }, Sp { value, span })
    });
    Some(fields.collect())
}

fn unmarked(text: &str) -> Pieces {
    let mut pieces = Pieces::default();
    for (index, part) in text.split(MARK).enumerate() {
        // Marks come in pairs, so every second part is a name.
        let part = part.to_owned();
        pieces.push(if index % 2 == 0 { Piece::Text(part) } else { Piece::NameOf(part) });
    }
    pieces
}
