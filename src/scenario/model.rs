//! What a scenario means, after validation: every name resolves, every alternative is decided.

use std::collections::BTreeMap;

use havoq_base::{RealDuration, StackDuration};

use super::place::{At, Place};

/// A validated scenario. It keeps its source texts, which is all that re-judging needs.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The file as the user named it.
    pub file: String,
    pub text: String,
    /// The stack's own file, when it is not inline: name as the user would find it, and text.
    pub stack_file: Option<(String, String)>,
    pub name: At<String>,
    pub description: Option<String>,
    pub stack: Template,
    pub consumers: BTreeMap<String, Consumer>,
    pub effects: BTreeMap<String, Effect>,
    pub steady_state: Vec<Step>,
    pub inject: Vec<Step>,
    pub expect: Vec<Expectation>,
    /// `allow: [discarded]`.
    pub allow_discarded: bool,
}

/// The resources of the stack, by logical id, with every intrinsic resolved.
#[derive(Clone, Debug, Default)]
pub struct Template {
    pub queues: BTreeMap<String, Queue>,
    pub alarms: BTreeMap<String, Alarm>,
    pub topics: BTreeMap<String, Topic>,
    /// What is not implemented and left out, one line each, for a warning.
    pub ignored: Vec<String>,
}

/// `AWS::SQS::Queue`, standard. Absent attributes have SQS's defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// QueueName, when the template sets it.
    pub name: Option<String>,
    pub visibility_timeout: StackDuration,
    pub delay: StackDuration,
    pub retention: StackDuration,
    pub receive_wait: StackDuration,
    pub maximum_message_size: u64,
    pub redrive: Option<Redrive>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redrive {
    /// Logical id of the dead-letter queue.
    pub to: String,
    pub max_receive_count: u32,
}

/// `AWS::SNS::Topic`: so far only a target of alarm actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    pub name: Option<String>,
}

/// `AWS::CloudWatch::Alarm` on one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Alarm {
    pub name: Option<String>,
    pub namespace: String,
    pub metric: String,
    /// Dimension name and value. The value of QueueName is a queue's logical id where the template
    /// refers to one (`!GetAtt Q.QueueName`), else the literal text.
    pub dimensions: Vec<(String, DimensionValue)>,
    pub statistic: Statistic,
    pub period: StackDuration,
    pub evaluation_periods: u32,
    pub datapoints_to_alarm: u32,
    pub comparison: Comparison,
    pub threshold: f64,
    pub missing_data: MissingData,
    pub actions_enabled: bool,
    /// Logical ids of topics where the template refers to them, else the literal ARN.
    pub alarm_actions: Vec<String>,
    pub ok_actions: Vec<String>,
    pub insufficient_data_actions: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DimensionValue {
    /// The physical name of this queue of the stack.
    QueueNameOf(String),
    Literal(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    SampleCount,
    Average,
    Sum,
    Minimum,
    Maximum,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    GreaterThanOrEqualToThreshold,
    GreaterThanThreshold,
    LessThanThreshold,
    LessThanOrEqualToThreshold,
}

/// TreatMissingData.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingData {
    Missing,
    Ignore,
    Breaching,
    NotBreaching,
}

#[derive(Clone, Debug)]
pub struct Consumer {
    pub place: Place,
    pub runs: Program,
    /// What `swap` puts in its place.
    pub fixed: Option<Program>,
    /// Logical ids; the first is `HAVOQ_QUEUE_URL`.
    pub queues: Vec<At<String>>,
    pub instances: u32,
    pub restart: Restart,
    /// A new poll means that the last message is done with.
    pub sequential: bool,
    /// The processing bound; calibrated when absent.
    pub bound: Option<RealDuration>,
    pub time: ConsumerTime,
    /// `wall_clock: none` was declared.
    pub keeps_no_wall_clock_state: bool,
    /// Values may hold `{{effects.NAME.url}}`.
    pub env: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// The built-in reference consumer.
    Worker(Worker),
    /// Program and arguments.
    Command(Vec<String>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worker {
    /// `None`: the scenario names no bug, so `HAVOQ_WORKER_BUG` applies.
    pub bug: Option<WorkerBug>,
    /// How long the work on a message takes.
    pub work: Option<RealDuration>,
    /// The effect that it makes; the scenario's only one when absent.
    pub effect: Option<String>,
    pub rejects: Option<Rejects>,
}

/// The named mistakes of the reference consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerBug {
    /// Correct, whatever `HAVOQ_WORKER_BUG` says.
    None,
    NoIdempotency,
    DeleteBeforeEffect,
    MarkBeforeEffect,
    SwallowErrors,
    NeverDelete,
    CrashOnPoison,
    IgnoreBodyErrors,
    ShortVisibility,
    LateEffect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejects {
    NextVersion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    Never,
    AtOnce,
    After(StackDuration),
    /// At once, at most so many times.
    Times(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsumerTime {
    /// Not said.
    Unset,
    Follow,
    Own,
}

/// Where a side effect shows: an HTTP sink run by havoq.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    pub place: Place,
    /// The sink's path, such as `/charges`.
    pub path: String,
    /// JSONPath of the key in the request's body.
    pub key: String,
}

/// A step with its place.
#[derive(Clone, Debug)]
pub struct Step {
    pub place: Place,
    pub action: Action,
}

#[derive(Clone, Debug)]
pub enum Action {
    Send(Send),
    Poison(Poison),
    Duplicate(Duplicate),
    Kill(Kill),
    Restart { consumer: String },
    Swap { consumer: String },
    Redrive(RedriveStep),
    Wait(StackDuration),
    /// A claim that must hold before the next step; in `steady_state` every expectation is one.
    Await(Claim),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Send {
    pub to: String,
    pub count: u32,
    pub label: String,
    /// The default envelope when absent. String values may hold `{{id}}`, `{{n}}`, `{{now}}`, `{{uuid}}`.
    pub body: Option<serde_json::Value>,
    /// JSONPath of the marker in the body.
    pub id: Option<String>,
    pub delay: Option<StackDuration>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poison {
    pub to: String,
    pub count: u32,
    pub label: String,
    pub form: PoisonForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoisonForm {
    TruncatedJson,
    NotJson,
    WrongType,
    MissingId,
    NextVersion,
}

/// The same message `copies` times, `gap` apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    pub to: String,
    pub label: String,
    pub count: u32,
    pub copies: u32,
    pub gap: StackDuration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    pub consumer: String,
    /// Armed at a crash point; at once when absent.
    pub at: Option<Crash>,
    pub signal: Signal,
    /// For SIGSTOP: when to send SIGCONT.
    pub resume: Option<StackDuration>,
    /// Overrides the consumer's own policy for this kill.
    pub restart: Option<Restart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    pub point: CrashPoint,
    /// The label of the targeted messages.
    pub of: String,
    /// Which crossing, per marker, counted from the injection; from 1.
    pub nth: u32,
    pub call: HeldCall,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashPoint {
    AfterReceive,
    BeforeEffect,
    AfterEffect,
    BeforeDelete,
    AfterDelete,
}

/// What becomes of the call that was held for a `before-*` kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldCall {
    Drop,
    Forward,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    Kill,
    Term,
    Stop,
    Cont,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedriveStep {
    pub from: String,
    /// Each message's own source queue when absent.
    pub to: Option<String>,
    /// Messages a second; the service chooses when absent.
    pub rate: Option<u32>,
}

/// An entry of `expect`.
#[derive(Clone, Debug)]
pub struct Expectation {
    pub place: Place,
    pub claim: Claim,
}

/// What must hold. Deadlines count from the end of the last injected step; in `steady_state` and
/// `wait`, from the start of the step itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    DeadLettered { of: String, queue: String, receives: Option<u32>, within: Option<StackDuration> },
    Alarm { name: String, reaches: AlarmState, after: Option<AlarmState>, notifies: Option<String>, within: Option<StackDuration> },
    Redelivered { of: String, not_before: Option<StackDuration>, within: Option<StackDuration> },
    Effect { of: String, effect: String, exactly: u64, within: Option<StackDuration> },
    /// In every effect of the scenario when `effect` is absent.
    NoEffect { of: String, effect: Option<String> },
    Depth { queue: String, visible: Option<Bound>, in_flight: Option<Bound>, delayed: Option<Bound>, within: Option<StackDuration> },
    Drained { queue: String, within: Option<StackDuration> },
    /// The alarm is in this state from the start of the injection to the end.
    Stays { alarm: String, is: AlarmState },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlarmState {
    Ok,
    Alarm,
    InsufficientData,
}

/// `{exactly: n}`, `{at_most: n}`, `{at_least: n}`; bounds may be combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    pub at_least: Option<u64>,
    pub at_most: Option<u64>,
}
