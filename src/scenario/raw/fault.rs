//! `fault`: faults of calls and deliveries. Their kinds and what each is told come from crate fault.

use havoq_base::{RealDuration, StackDuration};
use havoq_fault::{KINDS, KindDef, Param, Shape, Value as Given, Values};
use havoq_wire::Service;
use serde_json::{Map, Value, json};

use super::super::decode::{
    Choice, Decode, Id, Json, LongDuration, Need, OneOrMany, Positive, Probability, Sp, Text, TimeSpan,
    Whole, mismatch, record,
};
use super::super::model::{CrashPoint, Side};
use super::super::names::Named;
use super::super::problem::Log;
use super::super::suggest::hint_for;
use super::super::yaml::{Data, Node};

const MANY: u32 = 1_000_000;

record! {
    /// What goes wrong with calls between the consumers and the stack, from this step on.
    FaultRaw {
        /// What the fault does: the name of a kind, or a mapping of one name to its settings.
        "does" => does: DoesRaw, Need::Optional, "{ error: { code: InternalFailure } }";
        /// The service whose calls are meant; any when absent.
        "service" => service: Choice<Service>, Need::Optional, "SQS";
        /// The operations that are meant, as the API names them; any that the kind can be done to when absent.
        "call" => call: OneOrMany<Id>, Need::Optional, "DeleteMessage";
        /// Only calls to this queue, by logical id.
        "queue" => queue: Id, Need::Optional, "OrderQueue";
        /// Only calls of this consumer.
        "consumer" => consumer: Id, Need::Optional, "fulfilment";
        /// Only calls about messages of this label, and only those messages; the counts below are then
        /// kept for each message.
        "of" => of: Id, Need::Optional, "victim";
        /// How often it takes hold at most.
        "times" => times: Positive<MANY>, Need::Optional, "2";
        /// Only among the first so many calls that match.
        "first" => first: Positive<MANY>, Need::Optional, "5";
        /// Only at each so manieth call that matches.
        "every" => every: Whole<2, MANY>, Need::Optional, "3";
        /// With which probability it takes hold of a call that matches; drawn from the run's seed.
        "probability" => probability: Probability, Need::Optional, "0.2";
        /// For how long, on the stack's clock; to the end of the run when absent.
        "for" => window: LongDuration<StackDuration>, Need::Optional, "30s";
        /// Rules in the form of LocalStack's chaos API, instead of the other keys.
        "rules" => rules: Json, Need::Optional, "[{ service: sqs, operation: ReceiveMessage, probability: 0.5 }]";
    }
}

/// Where a process is struck.
#[derive(Clone, Debug)]
pub(in crate::scenario) enum AtRaw {
    Point(Choice<CrashPoint>),
    Call(Sp<CallRaw>),
}

record! {
    /// Any call of the consumer.
    CallRaw {
        /// The operation, as the API names it.
        "call" => call: Id, Need::Required, "PutItem";
        /// Before it goes to the stack, or when the stack has done it.
        "when" => when: Choice<Side>, Need::Required, "after";
    }
}

impl Decode for AtRaw {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        match node.data {
            Data::Map(_) => Sp::decode(node, log).map(Self::Call),
            _ => Choice::decode(node, log).map(Self::Point),
        }
    }
    fn schema() -> Value {
        json!({ "anyOf": [Choice::<CrashPoint>::schema(), CallRaw::schema()] })
    }
}

impl Named for Service {
    const WHAT: &'static str = "a service";
    const ALL: &'static [(&'static str, Self)] = &[
        ("SQS", Self::Sqs),
        ("SNS", Self::Sns),
        ("CloudWatch", Self::CloudWatch),
        ("STS", Self::Sts),
        ("EventBridge", Self::EventBridge),
        ("DynamoDB", Self::DynamoDb),
        ("Lambda", Self::Lambda),
        ("Scheduler", Self::Scheduler),
        ("Pipes", Self::Pipes),
    ];
}

/// A kind of fault and what it is told.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct DoesRaw {
    pub(in crate::scenario) kind: &'static KindDef,
    pub(in crate::scenario) values: Values,
}

impl Decode for DoesRaw {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let names = || KINDS.iter().map(|kind| kind.name);
        let Some(entries) = node.entries().filter(|_| node.tag.is_none()) else {
            let Text(name) = Text::decode(node, log)?;
            return match havoq_fault::find(&name) {
                Some(kind) => settled(kind, Values::default(), node, log),
                None => {
                    log.report(node.span, format!("`{name}` is not a kind of fault"))
                        .hint_if(hint_for(&name, names()));
                    None
                }
            };
        };
        let [entry] = entries else {
            mismatch(node, "a kind of fault, a mapping with one key", log);
            return None;
        };
        let Some(kind) = havoq_fault::find(&entry.key) else {
            log.report(entry.key_span, format!("`{}` is not a kind of fault", entry.key))
                .hint_if(hint_for(&entry.key, names()));
            return None;
        };
        let values = values(kind, &entry.value, log)?;
        settled(kind, values, &entry.value, log)
    }

    fn schema() -> Value {
        let bare = KINDS.iter().filter(|kind| kind.params.iter().all(|param| !param.required));
        let bare: Vec<_> = bare.map(|kind| kind.name).collect();
        let told = KINDS.iter().filter(|kind| !kind.params.is_empty()).map(|kind| {
            json!({
                "type": "object",
                "title": kind.name,
                "properties": { kind.name: settings_schema(kind) },
                "required": [kind.name],
                "additionalProperties": false,
            })
        });
        let choices: Vec<Value> = std::iter::once(json!({ "enum": bare })).chain(told).collect();
        json!({ "oneOf": choices })
    }
}

/// Whether everything is there that the kind must know.
fn settled(kind: &'static KindDef, values: Values, node: &Node, log: &mut Log<'_>) -> Option<DoesRaw> {
    let written: Vec<&str> = node.entries().into_iter().flatten().map(|entry| entry.key.as_str()).collect();
    if let Some(missing) = kind.params.iter().find(|param| param.required && !written.contains(&param.name)) {
        log.report(node.span, format!("`{}` is missing for `{}`", missing.name, kind.name)).hint(format!(
            "`does: {{ {}: {{ {}: {} }} }}`, for example",
            kind.name, missing.name, missing.example
        ));
        return None;
    }
    if let Err(why) = (kind.build)(&values) {
        log.report(node.span, why);
        return None;
    }
    Some(DoesRaw { kind, values })
}

fn values(kind: &'static KindDef, node: &Node, log: &mut Log<'_>) -> Option<Values> {
    let Some(entries) = node.entries().filter(|_| node.tag.is_none()) else {
        mismatch(node, &format!("the settings of `{}`, a mapping", kind.name), log);
        return None;
    };
    let (mut values, mut right) = (Values::default(), true);
    for entry in entries {
        let Some(param) = kind.params.iter().find(|param| param.name == entry.key) else {
            let known = kind.params.iter().map(|param| param.name);
            log.report(entry.key_span, format!("`{}` has no setting `{}`", kind.name, entry.key))
                .hint_if(hint_for(&entry.key, known));
            right = false;
            continue;
        };
        match value(param, &entry.value, log) {
            Some(value) => values.set(param.name, value),
            None => right = false,
        }
    }
    right.then_some(values)
}

fn value(param: &Param, node: &Node, log: &mut Log<'_>) -> Option<Given> {
    match param.shape {
        Shape::Text => Text::decode(node, log).map(|Text(text)| Given::Text(text)),
        Shape::Whole => Positive::<MANY>::decode(node, log).map(|number| Given::Whole(number.0)),
        Shape::Flag => bool::decode(node, log).map(Given::Flag),
        Shape::Real => TimeSpan::<RealDuration>::decode(node, log).map(|span| Given::Real(span.0)),
        Shape::Stack => TimeSpan::<StackDuration>::decode(node, log).map(|span| Given::Stack(span.0)),
    }
}

fn settings_schema(kind: &KindDef) -> Value {
    let properties: Map<String, Value> = kind
        .params
        .iter()
        .map(|param| {
            let mut schema = match param.shape {
                Shape::Text => Text::schema(),
                Shape::Whole => Positive::<MANY>::schema(),
                Shape::Flag => bool::schema(),
                Shape::Real | Shape::Stack => TimeSpan::<StackDuration>::schema(),
            };
            schema["description"] = param.about.into();
            schema["examples"] = json!([example(param)]);
            (param.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<_> =
        kind.params.iter().filter(|param| param.required).map(|param| param.name).collect();
    json!({
        "type": "object",
        "description": kind.about,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn example(param: &Param) -> Value {
    match param.shape {
        Shape::Whole | Shape::Flag => serde_json::from_str(param.example).unwrap_or(Value::Null),
        Shape::Text | Shape::Real | Shape::Stack => param.example.into(),
    }
}
