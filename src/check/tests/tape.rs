//! Small readable histories: a tape is what happened. Times are seconds since the stack was ready;
//! the marker `bad-0` has the label `bad`.

use std::collections::BTreeMap;

use havoq_base::{RealDuration, RealTime, Seed, StackDuration, StackTime};

use crate::check::{ClaimVerdict, Judgement, judge};
use crate::history::{
    Attribution, Closed, Event, Held, Instance, Kind, Phase, Resource, Source, SourceText, Withheld,
};
use crate::scenario::Scenario;

pub(super) const START: u64 = 1_700_000_000;

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

    pub(super) fn probed(&mut self, check: &str, outcome: &str, finding: &str) -> &mut Self {
        let (check, outcome, finding) = (check.into(), outcome.into(), finding.into());
        self.add(Kind::StackProbed { check, outcome, finding })
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
            bounds_times: 1,
            scale: None,
            sweep: None,
            prove: None,
        });
        let resources = vec![
            resource("Q", "AWS::SQS::Queue"),
            resource("DLQ", "AWS::SQS::Queue"),
            resource("T", "AWS::SNS::Topic"),
            resource("Sub", "AWS::SNS::Subscription"),
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
            fault: None,
            call: None,
        })
    }
    /// Delivered once more by a fault, under the handle of the last receive.
    pub(super) fn got_twice(&mut self, by: &str, id: &str) -> &mut Self {
        let receipt = self.receipt(id).into();
        let receive_count = self.receives.get(id).copied().unwrap_or(0) + 1;
        let held = Held { message_id: id.into(), receipt, receive_count, marker: None };
        let visibility = self.visibility;
        self.add(Kind::Received {
            by: instance(by),
            queue: "Q".into(),
            messages: vec![held],
            visibility,
            withheld: Withheld::No,
            fault: Some("duplicate".into()),
            call: None,
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
            undone: false,
            call: None,
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
            undone: false,
            call: None,
        })
    }
    /// Answered as done by a fault, which keeps it from the stack.
    pub(super) fn delete_swallowed(&mut self, by: &str, id: &str) -> &mut Self {
        self.struck("swallow", by, "DeleteMessage").deleted(by, id);
        if let Some(Kind::Deleted { undone, .. }) = self.events.last_mut().map(|last| &mut last.kind) {
            *undone = true;
        }
        self
    }
    /// A fault takes hold of a call of this process.
    pub(super) fn struck(&mut self, fault: &str, by: &str, call: &str) -> &mut Self {
        self.add(Kind::FaultFired {
            fault: fault.into(),
            by: Some(instance(by)),
            point: Some(call.into()),
            marker: None,
            collateral: Vec::new(),
        });
        if let Some(last) = self.events.last_mut() {
            last.source = Source::Tap;
        }
        self
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
        self.add(Kind::ConsumerExited {
            by: instance(by),
            code: Some(1),
            signal: None,
            ended_by: None,
            left_behind: false,
        })
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
        self.add(Kind::ConsumerExited {
            by: instance(by),
            code: None,
            signal: Some(9),
            ended_by,
            left_behind: false,
        })
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
        self.add(Kind::ClockJumped { from, to, closed: Vec::new() })
    }
    /// The clock jumps past a message that its live holder has been silent on for its bound.
    pub(super) fn jumped_past(&mut self, seconds: u64, by: &str, id: &str) -> &mut Self {
        let from = self.at;
        self.t(seconds);
        let (to, closed) = (self.at, vec![Closed { by: instance(by), message_id: id.into() }]);
        self.add(Kind::ClockJumped { from, to, closed })
    }
    pub(super) fn bound(&mut self, consumer: &str, millis: u64) -> &mut Self {
        let processing = RealDuration::from_millis(millis);
        self.add(Kind::BoundSet { consumer: consumer.into(), processing })
    }
    pub(super) fn polled(&mut self, by: &str) -> &mut Self {
        self.add(Kind::ConsumerPolled { by: instance(by), queue: "Q".into() })
    }
    /// The end, with this process still busy.
    pub(super) fn horizon_with(&mut self, busy: &str) -> &mut Self {
        let (reason, busy) = ("all is at rest".into(), vec![instance(busy)]);
        self.add(Kind::HorizonReached { complete: true, reason, busy })
    }
    pub(super) fn overran(&mut self, by: &str, marker: &str) -> &mut Self {
        self.add(Kind::ClockOverran {
            by: instance(by),
            message_id: Some("m".into()),
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
        self.add(Kind::HorizonReached { complete: true, reason: "all is at rest".into(), busy: Vec::new() })
    }
    pub(super) fn cut_short(&mut self) -> &mut Self {
        self.add(Kind::HorizonReached {
            complete: false,
            reason: "timeout after 60s".into(),
            busy: Vec::new(),
        })
    }

    pub(super) fn judge(&self, scenario: &Scenario) -> Judgement {
        judge(scenario, &self.events)
    }

    /// The verdict on the first expectation.
    pub(super) fn first(&self, scenario: &Scenario) -> ClaimVerdict {
        claim(&self.judge(scenario), "expect[0]")
    }
}

/// Several attempts at one scenario, in one history.
pub(super) fn attempts(tapes: Vec<Tape>) -> Vec<Event> {
    let numbered = tapes.into_iter().zip(1..);
    let events =
        numbered.flat_map(|(tape, attempt)| tape.events.into_iter().map(move |event| (attempt, event)));
    events.zip(1..).map(|((attempt, event), seq)| Event { attempt, seq, ..event }).collect()
}

pub(super) fn label(marker: &str) -> &str {
    marker.rsplit_once('-').map_or(marker, |(label, _)| label)
}

/// The entry whose id begins so.
pub(super) fn claim(judgement: &Judgement, id: &str) -> ClaimVerdict {
    let found = judgement.claims.iter().find(|claim| claim.id.starts_with(id));
    found.cloned().unwrap_or_else(|| panic!("no claim {id} in {:#?}", judgement.claims))
}
