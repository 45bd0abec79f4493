//! Consumers and effects.

use havoq_base::{RealDuration, StackDuration};
use serde_json::{Value, json};

use super::super::decode::{
    AnyText, Choice, Decode, EffectPath, Id, LongDuration, Need, OneOrMany, PathText, Positive, Several,
    Table, TimeSpan, record,
};
use super::super::model::{ConsumerTime, Rejects, WorkerBug};
use super::super::problem::Log;
use super::super::yaml::{Data, Node};
use super::lambda::LambdaRaw;
use super::ready::{DeployedRaw, ReadyRaw};
use super::words::NoWallClock;

record! {
    /// A program that reads queues: havoq starts it, kills it and starts it again.
    ConsumerRaw {
        /// The built-in reference consumer. One of `worker`, `command`, `lambda` and `deployed`.
        "worker" => worker: WorkerRaw, Need::Optional, "{ bug: never-delete }";
        /// Program and arguments. One of `worker`, `command`, `lambda` and `deployed`.
        "command" => command: Several<AnyText>, Need::Optional, "[python3, worker.py]";
        /// A Lambda function behind an event source mapping. One of `worker`, `command`, `lambda` and
        /// `deployed`.
        "lambda" => lambda: LambdaRaw, Need::Optional, "{ command: [./bootstrap] }";
        /// A consumer that is deployed already. One of `worker`, `command`, `lambda` and `deployed`.
        "deployed" => deployed: DeployedRaw, Need::Optional, "{ listen: \"127.0.0.1:4700\" }";
        /// The queue that it reads, by logical id, or a list of them; the first is `HAVOQ_QUEUE_URL`.
        /// Only a function of the stack needs none: its mapping tells it.
        "queue" => queue: OneOrMany<Id>, Need::Optional, "OrderQueue";
        /// How many processes run side by side.
        "instances" => instances: Positive<100>, Need::Default("1"), "2";
        /// What happens when a process has ended: `never`, `at-once`, `{ after: 30s }` or
        /// `{ times: 3 }` (at once, at most so often).
        "restart" => restart: RestartRaw, Need::Default("never"), "at-once";
        /// When a started process is ready: `poll` (its first poll of each of its queues), or
        /// `{ log: regex }`, `{ port: 8080 }` or `{ command: [...] }`, for which the steps wait.
        "ready" => ready: ReadyRaw, Need::Default("poll"), "{ port: 8080 }";
        /// Declares that a new poll means that it is done with its last message.
        "sequential" => sequential: bool, Need::Default("false"), "true";
        /// The processing bound, in real time: how long it may be busy with a message without a
        /// sign of life. Calibrated in the steady state when absent.
        "bound" => bound: LongDuration<RealDuration>, Need::Optional, "2s";
        /// Whether its wall clock goes with the stack's (`follow`) or is its `own`; see docs/clock.md.
        /// When absent, it follows where that is possible.
        "time" => time: Choice<ConsumerTime>, Need::Optional, "own";
        /// `none` declares that it keeps no state that lapses with time, by the wall clock or by a
        /// timer of its own.
        "wall_clock" => wall_clock: Choice<NoWallClock>, Need::Optional, "none";
        /// What `swap` puts in its place.
        "fixed" => fixed: ProgramRaw, Need::Optional, "{ worker: {} }";
        /// Environment variables; `{{effects.NAME.url}}` stands for the URL of an effect.
        "env" => env: Table<AnyText>, Need::Optional, "{ PAY_URL: \"{{effects.charges.url}}\" }";
    }
}

record! {
    /// A program: either `worker` or `command`.
    ProgramRaw {
        /// The built-in reference consumer.
        "worker" => worker: WorkerRaw, Need::Optional, "{ bug: none }";
        /// Program and arguments.
        "command" => command: Several<AnyText>, Need::Optional, "[python3, fixed.py]";
    }
}

record! {
    /// The built-in reference consumer: one message at a time, correct unless a bug is named.
    WorkerRaw {
        /// The mistake that it makes. `none` makes none, whatever `HAVOQ_WORKER_BUG` says.
        "bug" => bug: Choice<WorkerBug>, Need::Optional, "no-idempotency";
        /// How long the work on a message takes, in real time.
        "work" => work: TimeSpan<RealDuration>, Need::Default("0s"), "50ms";
        /// The effect that it makes; may be left out when the scenario has only one.
        "effect" => effect: Id, Need::Optional, "charges";
        /// A kind of message that it fails on.
        "rejects" => rejects: Choice<Rejects>, Need::Optional, "next-version";
    }
}

record! {
    /// An HTTP sink run by havoq, where a side effect shows.
    EffectRaw later ["dynamodb", "sql", "queue", "topic", "bus", "file", "stdout", "command"] {
        /// The path of the sink; its URL is handed to the consumers.
        "http" => http: EffectPath, Need::Required, "/charges";
        /// JSONPath of the key in the request's body: what ties the effect to a message.
        /// Names and indices only, so that it names one value.
        "key" => key: PathText, Need::Required, "$.orderId";
    }
}

/// `never`, `at-once`, `{ after: 30s }` or `{ times: 3 }`.
#[derive(Clone, Debug)]
pub(in crate::scenario) enum RestartRaw {
    Never,
    AtOnce,
    Detailed(RestartDetail),
}

record! {
    /// When, or how often, a process that has ended is started again.
    RestartDetail {
        /// How long after its end.
        "after" => after: TimeSpan<StackDuration>, Need::Optional, "30s";
        /// At once, at most so often.
        "times" => times: Positive<1000>, Need::Optional, "3";
    }
}

impl Decode for RestartRaw {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        match (&node.data, node.text()) {
            (Data::Map(_), _) => {
                let detail = RestartDetail::decode(node, log)?;
                let Data::Map(entries) = &node.data else { return None };
                if entries.len() != 1 {
                    log.report(node.span, "a restart policy has one key").hint("either `after` or `times`");
                    return None;
                }
                Some(Self::Detailed(detail))
            }
            (_, Some("never")) => Some(Self::Never),
            (_, Some("at-once")) => Some(Self::AtOnce),
            _ => {
                log.report(node.span, format!("{} is not a restart policy", node.kind()))
                    .hint("one of `never`, `at-once`, `{ after: 30s }`, `{ times: 3 }`");
                None
            }
        }
    }
    fn schema() -> Value {
        let mut detail = RestartDetail::schema();
        detail["minProperties"] = 1.into();
        detail["maxProperties"] = 1.into();
        json!({ "anyOf": [{ "enum": ["never", "at-once"] }, detail] })
    }
}

impl RestartRaw {
    /// The policy; `None` when its value was wrong.
    pub(in crate::scenario) fn lower(&self) -> Option<super::super::model::Restart> {
        use super::super::model::Restart;
        match self {
            Self::Never => Some(Restart::Never),
            Self::AtOnce => Some(Restart::AtOnce),
            Self::Detailed(detail) => match (&detail.after, &detail.times) {
                (Some(after), _) => Some(Restart::After(after.0)),
                (_, Some(times)) => Some(Restart::Times(times.0)),
                (None, None) => None,
            },
        }
    }
}
