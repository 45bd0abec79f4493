//! Small readable histories. A drill is a scenario on one queue `Q` with its dead-letter queue
//! `DLQ` (three receives, 30 s), a depth alarm `A` on it that tells topic `T`, and a sink
//! `charges`; a tape is what happened. Times are seconds since the stack was ready; the marker
//! `bad-0` has the label `bad`.

use std::collections::BTreeMap;

use havoq_base::{RealTime, Seed, StackDuration, StackTime};

use crate::check::{ClaimVerdict, Judgement, judge};
use crate::history::{
    Attribution, Event, Held, Instance, Kind, Phase, Resource, Source, SourceText, Withheld,
};
use crate::scenario::*;

pub(super) const START: u64 = 1_700_000_000;

pub(super) fn secs(seconds: u64) -> StackDuration {
    StackDuration::from_secs(seconds)
}

fn queue(redrive: Option<Redrive>) -> Queue {
    Queue {
        name: None,
        visibility_timeout: secs(30),
        delay: secs(0),
        retention: secs(345_600),
        receive_wait: secs(20),
        maximum_message_size: 1_048_576,
        redrive,
    }
}

pub(super) fn alarm_on(dimension: DimensionValue) -> Alarm {
    Alarm {
        name: None,
        namespace: "AWS/SQS".into(),
        metric: "ApproximateNumberOfMessagesVisible".into(),
        dimensions: vec![("QueueName".into(), dimension)],
        statistic: Statistic::Maximum,
        period: secs(60),
        evaluation_periods: 1,
        datapoints_to_alarm: 1,
        comparison: Comparison::GreaterThanThreshold,
        threshold: 0.0,
        missing_data: MissingData::NotBreaching,
        actions_enabled: true,
        alarm_actions: vec!["T".into()],
        ok_actions: Vec::new(),
        insufficient_data_actions: Vec::new(),
    }
}

fn stack() -> Template {
    let redrive = Redrive { to: "DLQ".into(), max_receive_count: 3 };
    Template {
        queues: [("Q".to_owned(), queue(Some(redrive))), ("DLQ".to_owned(), queue(None))].into(),
        alarms: [("A".to_owned(), alarm_on(DimensionValue::QueueNameOf("DLQ".into())))].into(),
        topics: [("T".to_owned(), Topic { name: None })].into(),
        ignored: Vec::new(),
    }
}

fn consumer(queue: &str) -> Consumer {
    Consumer {
        place: Place::default(),
        runs: Program::Worker(Worker::default()),
        fixed: None,
        queues: vec![At { value: queue.to_owned(), place: Place::default() }],
        instances: 1,
        restart: Restart::AtOnce,
        sequential: false,
        bound: None,
        time: ConsumerTime::Unset,
        keeps_no_wall_clock_state: false,
        env: BTreeMap::new(),
    }
}

pub(super) fn step(action: Action) -> Step {
    Step { place: Place { line: 5, column: 3 }, action }
}

pub(super) fn send(label: &str, count: u32) -> Action {
    Action::Send(Send { to: "Q".into(), count, label: label.into(), body: None, id: None, delay: None })
}

/// A scenario on the standard stack. Its injected steps are one send a label.
pub(super) fn drill(labels: &[(&str, u32)], expect: Vec<Claim>) -> Scenario {
    Scenario {
        file: "drill.yaml".into(),
        text: String::new(),
        stack_file: None,
        name: At { value: "drill".into(), place: Place::default() },
        description: None,
        stack: stack(),
        consumers: [("w".to_owned(), consumer("Q"))].into(),
        effects: [(
            "charges".to_owned(),
            Effect { place: Place::default(), path: "/charges".into(), key: "$.orderId".into() },
        )]
        .into(),
        steady_state: Vec::new(),
        inject: labels.iter().map(|(label, count)| step(send(label, *count))).collect(),
        expect: expect
            .into_iter()
            .map(|claim| Expectation { place: Place { line: 9, column: 5 }, claim })
            .collect(),
        allow_discarded: false,
        scaled: None,
    }
}

pub(super) fn drain_dlq(scenario: &mut Scenario) {
    scenario.consumers.insert("d".to_owned(), consumer("DLQ"));
}

/// `w-0-1` is start 1 of instance 0 of `w`.
pub(super) fn instance(name: &str) -> Instance {
    let mut parts = name.rsplitn(3, '-');
    let start = parts.next().and_then(|part| part.parse().ok()).unwrap_or(1);
    let instance = parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    Instance { consumer: parts.next().unwrap_or(name).to_owned(), instance, start }
}

/// What happened, in order.
pub(super) struct Tape {
    pub(super) events: Vec<Event>,
    pub(super) attempt: u32,
    at: StackTime,
    real: u64,
    receives: BTreeMap<String, u32>,
    copies: BTreeMap<String, u32>,
    pub(super) visibility: u64,
}

impl Tape {
    /// The stack is ready and nothing has been done.
    pub(super) fn new() -> Self {
        let mut tape = Self::blank();
        tape.load("sandbox");
        tape
    }

    pub(super) fn blank() -> Self {
        Self {
            events: Vec::new(),
            attempt: 1,
            at: StackTime::from_secs(START),
            real: 0,
            receives: BTreeMap::new(),
            copies: BTreeMap::new(),
            visibility: 30,
        }
    }

    pub(super) fn load(&mut self, stack: &str) -> &mut Self {
        let resource = |id: &str, kind: &str| Resource {
            id: id.into(),
            r#type: kind.into(),
            name: format!("havoq-{id}"),
            arn: format!("arn:aws:sqs:us-east-1:000000000000:havoq-{id}"),
        };
        self.add(Kind::ScenarioLoaded {
            scenario_source: SourceText { file: "drill.yaml".into(), text: String::new() },
            stack_source: None,
            seed: Seed(1),
            stack: stack.into(),
            clock: "virtual".into(),
            havoq: "0".into(),
            worker_bug: None,
            scale: None,
        });
        let resources = vec![
            resource("Q", "AWS::SQS::Queue"),
            resource("DLQ", "AWS::SQS::Queue"),
            resource("T", "AWS::SNS::Topic"),
        ];
        self.add(Kind::StackReady { resources, ignored: Vec::new() })
    }

    /// A run with its only injected step done at +0 s: `messages` are markers and message ids.
    pub(super) fn with_sends(messages: &[(&str, &str)]) -> Self {
        let mut tape = Self::new();
        let labels: Vec<&str> = messages.iter().map(|(marker, _)| label(marker)).collect();
        let mut steps: Vec<&str> = Vec::new();
        for one in labels {
            if !steps.contains(&one) {
                steps.push(one);
            }
        }
        for (at, step) in steps.into_iter().enumerate() {
            tape.begin(Phase::Inject, at as u32, "send");
            for (marker, id) in messages.iter().filter(|(marker, _)| label(marker) == step) {
                tape.sent(marker, id);
            }
            tape.end(Phase::Inject, at as u32);
        }
        tape
    }

    pub(super) fn add(&mut self, kind: Kind) -> &mut Self {
        // A little passes between any two events, as it does in a run.
        self.at = self.at + StackDuration::from_micros(10);
        self.real += 10;
        self.events.push(Event {
            seq: self.events.len() as u64 + 1,
            scenario: "drill".into(),
            attempt: self.attempt,
            at: self.at,
            real: RealTime::from_micros(self.real),
            source: Source::Engine,
            kind,
        });
        self
    }

    /// The stack's clock jumps to so many seconds after the start.
    pub(super) fn t(&mut self, seconds: u64) -> &mut Self {
        self.at = self.at.max(StackTime::from_secs(START + seconds));
        self
    }

    /// Exactly this far after an event that is `back` from the end.
    pub(super) fn after(&mut self, back: usize, span: StackDuration) -> &mut Self {
        let from = self.events[self.events.len() - 1 - back].at;
        self.at = StackTime::from_micros((from + span).as_micros() - 10);
        self
    }

    /// Real time passes, and stack time with it.
    pub(super) fn real(&mut self, millis: u64) -> &mut Self {
        self.at = self.at + StackDuration::from_millis(millis);
        self.real += millis * 1_000;
        self
    }

    pub(super) fn begin(&mut self, phase: Phase, index: u32, step: &str) -> &mut Self {
        self.add(Kind::StepStarted { phase, index, step: step.into(), line: 5, column: 3 })
    }
    pub(super) fn end(&mut self, phase: Phase, index: u32) -> &mut Self {
        self.add(Kind::StepEnded { phase, index, ok: true, reason: None })
    }
    pub(super) fn fail_step(&mut self, phase: Phase, index: u32, reason: &str) -> &mut Self {
        self.add(Kind::StepEnded { phase, index, ok: false, reason: Some(reason.into()) })
    }

    pub(super) fn sent(&mut self, marker: &str, id: &str) -> &mut Self {
        let copy = self.copies.entry(marker.to_owned()).and_modify(|copy| *copy += 1).or_insert(1);
        let copy = *copy;
        let poison = (label(marker) == "bad").then(|| "truncated-json".to_owned());
        self.add(Kind::Sent {
            queue: "Q".into(),
            message_id: id.into(),
            marker: marker.into(),
            label: Some(label(marker).to_owned()),
            copy,
            poison,
        })
    }
    pub(super) fn refused(&mut self, marker: &str) -> &mut Self {
        let label = Some(label(marker).to_owned());
        self.add(Kind::SendFailed {
            queue: "Q".into(),
            marker: marker.into(),
            label,
            copy: 1,
            error: "denied".into(),
        })
    }

    pub(super) fn got(&mut self, by: &str, id: &str) -> &mut Self {
        self.got_from("Q", by, id, Withheld::No)
    }
    pub(super) fn got_unseen(&mut self, by: &str, id: &str) -> &mut Self {
        self.got_from("Q", by, id, Withheld::Yes)
    }
    pub(super) fn got_from(&mut self, queue: &str, by: &str, id: &str, withheld: Withheld) -> &mut Self {
        let count = self.receives.entry(id.to_owned()).and_modify(|count| *count += 1).or_insert(1);
        let held = Held {
            message_id: id.into(),
            receipt: format!("{id}/{count}").into(),
            receive_count: *count,
            marker: None,
        };
        let visibility = self.visibility;
        self.add(Kind::Received {
            by: instance(by),
            queue: queue.into(),
            messages: vec![held],
            visibility,
            withheld,
        })
    }
    fn receipt(&self, id: &str) -> String {
        format!("{id}/{}", self.receives.get(id).copied().unwrap_or(0))
    }

    pub(super) fn extended(&mut self, by: &str, id: &str, visibility: u64) -> &mut Self {
        let receipt = self.receipt(id).into();
        self.add(Kind::Extended {
            by: instance(by),
            queue: "Q".into(),
            receipt,
            message_id: Some(id.into()),
            marker: None,
            visibility,
            error: None,
        })
    }
    pub(super) fn deleted(&mut self, by: &str, id: &str) -> &mut Self {
        let receipt = self.receipt(id);
        self.deleted_with("Q", by, id, &receipt, None)
    }
    pub(super) fn delete_failed(&mut self, by: &str, id: &str) -> &mut Self {
        let receipt = self.receipt(id);
        self.deleted_with("Q", by, id, &receipt, Some("InternalError"))
    }
    pub(super) fn deleted_with(
        &mut self,
        queue: &str,
        by: &str,
        id: &str,
        receipt: &str,
        error: Option<&str>,
    ) -> &mut Self {
        self.add(Kind::Deleted {
            by: instance(by),
            queue: queue.into(),
            receipt: receipt.into(),
            message_id: Some(id.into()),
            marker: None,
            error: error.map(str::to_owned),
            withheld: Withheld::No,
        })
    }
    pub(super) fn dead(&mut self, id: &str, receives: u32) -> &mut Self {
        self.add(Kind::Moved { from: "Q".into(), to: "DLQ".into(), message_id: id.into(), receives })
    }
    pub(super) fn redriven(&mut self, old: &str, new: &str) -> &mut Self {
        let (old_message_id, message_id) = (old.into(), new.into());
        self.add(Kind::Redriven { from: "DLQ".into(), to: "Q".into(), old_message_id, message_id })
    }
    pub(super) fn expired(&mut self, queue: &str, id: &str) -> &mut Self {
        self.add(Kind::Expired { queue: queue.into(), message_id: id.into() })
    }

    pub(super) fn effect(&mut self, by: &str, marker: &str) -> &mut Self {
        self.effect_of(by, Some(marker), Attribution::Key, false)
    }
    pub(super) fn replay(&mut self, by: &str, marker: &str) -> &mut Self {
        self.effect_of(by, Some(marker), Attribution::Key, true)
    }
    pub(super) fn stray(&mut self, by: &str) -> &mut Self {
        self.effect_of(by, None, Attribution::None, false)
    }
    pub(super) fn effect_of(
        &mut self,
        by: &str,
        marker: Option<&str>,
        attribution: Attribution,
        replay: bool,
    ) -> &mut Self {
        self.add(Kind::Effect {
            effect: "charges".into(),
            by: instance(by),
            key: marker.map(str::to_owned),
            marker: marker.map(Into::into),
            attribution,
            replay,
            withheld: Withheld::No,
        })
    }

    pub(super) fn started(&mut self, by: &str) -> &mut Self {
        let queues = vec!["Q".to_owned()];
        self.add(Kind::ConsumerStarted { by: instance(by), pid: 7, fixed: false, bug: None, queues })
    }
    pub(super) fn idle(&mut self, by: &str) -> &mut Self {
        self.add(Kind::ConsumerIdle { by: instance(by), queue: "Q".into(), reason: "no poll for 2s".into() })
    }
    pub(super) fn crashed(&mut self, by: &str) -> &mut Self {
        self.add(Kind::ConsumerExited { by: instance(by), code: Some(1), signal: None, ended_by: None })
    }
    /// A kill that fires on this marker and ends the process.
    pub(super) fn killed(&mut self, by: &str, marker: &str, point: &str) -> &mut Self {
        self.add(Kind::FaultFired {
            fault: "kill-0".into(),
            by: Some(instance(by)),
            point: Some(point.into()),
            marker: Some(marker.into()),
            collateral: Vec::new(),
        });
        let ended_by = Some("kill-0".to_owned());
        self.add(Kind::ConsumerExited { by: instance(by), code: None, signal: Some(9), ended_by })
    }
    pub(super) fn armed(&mut self, fault: &str) -> &mut Self {
        self.add(Kind::FaultArmed { fault: fault.into(), description: "kill w at before-effect".into() })
    }
    pub(super) fn fault_ended(&mut self, fault: &str, fired: bool) -> &mut Self {
        let reason = (!fired).then(|| "nothing crossed it".to_owned());
        self.add(Kind::FaultEnded { fault: fault.into(), fired, reason })
    }

    pub(super) fn jumped(&mut self, seconds: u64) -> &mut Self {
        let from = self.at;
        self.t(seconds);
        let to = self.at;
        self.add(Kind::ClockJumped { from, to })
    }
    pub(super) fn overran(&mut self, by: &str, marker: &str) -> &mut Self {
        self.add(Kind::ClockOverran {
            by: instance(by),
            message_id: "m".into(),
            marker: Some(marker.into()),
            reason: "late".into(),
        })
    }
    pub(super) fn alarm(&mut self, from: &str, to: &str) -> &mut Self {
        let reason = "Threshold Crossed".into();
        self.add(Kind::AlarmChanged { alarm: "A".into(), from: from.into(), to: to.into(), reason })
    }
    pub(super) fn action(&mut self, state: &str) -> &mut Self {
        self.add(Kind::AlarmAction { alarm: "A".into(), state: state.into(), target: "T".into() })
    }
    pub(super) fn depth(&mut self, queue: &str, visible: u64, in_flight: u64, delayed: u64) -> &mut Self {
        self.add(Kind::DepthSeen { queue: queue.into(), visible, in_flight, delayed })
    }
    pub(super) fn horizon(&mut self) -> &mut Self {
        self.add(Kind::HorizonReached { complete: true, reason: "all is at rest".into() })
    }
    pub(super) fn cut_short(&mut self) -> &mut Self {
        self.add(Kind::HorizonReached { complete: false, reason: "timeout after 60s".into() })
    }

    pub(super) fn judge(&self, scenario: &Scenario) -> Judgement {
        judge(scenario, &self.events)
    }

    /// The verdict on the first expectation.
    pub(super) fn first(&self, scenario: &Scenario) -> ClaimVerdict {
        claim(&self.judge(scenario), "expect[0]")
    }
}

pub(super) fn label(marker: &str) -> &str {
    marker.rsplit_once('-').map_or(marker, |(label, _)| label)
}

/// The entry whose id begins so.
pub(super) fn claim(judgement: &Judgement, id: &str) -> ClaimVerdict {
    let found = judgement.claims.iter().find(|claim| claim.id.starts_with(id));
    found.cloned().unwrap_or_else(|| panic!("no claim {id} in {:#?}", judgement.claims))
}
