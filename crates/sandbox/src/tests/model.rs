//! Random calls on a standard queue with a dead-letter queue, against a model that is too simple
//! to be wrong: one list a queue, looked through from end to end each time.

use proptest::prelude::*;
use serde_json::json;

use super::World;

#[derive(Clone, Debug)]
enum Call {
    Send {
        delay: u64,
    },
    Receive {
        from_dlq: bool,
        max: usize,
        visibility: u64,
    },
    /// The n-th of the handles given so far, modulo their number.
    Delete {
        handle: usize,
    },
    Change {
        handle: usize,
        timeout: u64,
    },
    Pass {
        seconds: u64,
    },
    Purge {
        dlq: bool,
    },
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        4 => (0u64..20).prop_map(|delay| Call::Send { delay: delay.saturating_sub(12) }),
        6 => (prop::bool::weighted(0.2), 1usize..=10, 0u64..40)
            .prop_map(|(from_dlq, max, visibility)| Call::Receive { from_dlq, max, visibility }),
        3 => any::<usize>().prop_map(|handle| Call::Delete { handle }),
        3 => (any::<usize>(), 0u64..60).prop_map(|(handle, timeout)| Call::Change { handle, timeout }),
        5 => (0u64..50).prop_map(|seconds| Call::Pass { seconds }),
        1 => prop::bool::ANY.prop_map(|dlq| Call::Purge { dlq }),
    ]
}

#[derive(Clone, Debug)]
struct Message {
    body: String,
    sent: u64,
    receives: u32,
    /// Its place in line.
    place: u64,
    hidden: Option<Hidden>,
}

#[derive(Clone, Copy, Debug)]
struct Hidden {
    until: u64,
    /// Which hiding this is: those that end together end in this order.
    order: u64,
    in_flight: bool,
}

struct Model {
    now: u64,
    max_receives: u32,
    retention: u64,
    order: u64,
    queues: [Vec<Message>; 2],
}

impl Model {
    fn next(&mut self) -> u64 {
        self.order += 1;
        self.order
    }

    /// Everything that is due by now, in order.
    fn settle(&mut self) {
        for queue in 0..2 {
            let due = |message: &Message| {
                message.hidden.filter(|h| h.until <= self.now).map(|h| (h.until, h.order))
            };
            let mut due: Vec<_> =
                self.queues[queue].iter().enumerate().filter_map(|(i, m)| Some((due(m)?, i))).collect();
            due.sort();
            for (_, index) in due {
                self.reveal(queue, index);
            }
            let (now, retention) = (self.now, self.retention);
            self.queues[queue].retain(|message| message.sent + retention > now);
        }
    }

    fn reveal(&mut self, queue: usize, index: usize) {
        let back = self.next();
        let poison = queue == 0 && self.max_receives > 3;
        let message = &mut self.queues[queue][index];
        message.hidden = None;
        if poison && message.receives >= 3 {
            message.place = back;
        }
    }

    fn send(&mut self, body: &str, delay: u64) {
        let (place, order) = (self.next(), self.next());
        let hidden = Hidden { until: self.now + delay, order, in_flight: false };
        self.queues[0].push(Message {
            body: body.to_owned(),
            sent: self.now,
            receives: 0,
            place,
            hidden: (delay > 0).then_some(hidden),
        });
    }

    fn receive(&mut self, queue: usize, max: usize, visibility: u64) -> Vec<(String, u32)> {
        let mut taken = Vec::new();
        while taken.len() < max {
            let visible =
                self.queues[queue].iter().enumerate().filter(|(_, message)| message.hidden.is_none());
            let Some(index) = visible.min_by_key(|(_, message)| message.place).map(|(index, _)| index) else {
                break;
            };
            if queue == 0 && self.queues[0][index].receives >= self.max_receives {
                let mut message = self.queues[0].remove(index);
                message.place = self.next();
                self.queues[1].push(message);
                continue;
            }
            let hidden = Hidden { until: self.now + visibility, order: self.next(), in_flight: true };
            let message = &mut self.queues[queue][index];
            message.receives += 1;
            message.hidden = Some(hidden);
            taken.push((message.body.clone(), message.receives));
        }
        if visibility == 0 {
            for (body, _) in &taken {
                let index = self.queues[queue].iter().position(|message| message.body == *body);
                self.reveal(queue, index.expect("it was taken from there"));
            }
        }
        taken
    }

    fn delete(&mut self, queue: usize, body: &str, receive: u32) {
        self.queues[queue].retain(|message| message.body != body || message.receives != receive);
    }

    fn change(&mut self, queue: usize, body: &str, timeout: u64) {
        let Some(index) = self.queues[queue].iter().position(|message| message.body == body) else { return };
        if !self.queues[queue][index].hidden.is_some_and(|hidden| hidden.in_flight) {
            return;
        }
        if timeout == 0 {
            self.reveal(queue, index);
        } else {
            let hidden = Hidden { until: self.now + timeout, order: self.next(), in_flight: true };
            self.queues[queue][index].hidden = Some(hidden);
        }
    }

    fn depth(&self, queue: usize) -> (u64, u64, u64) {
        let count = |test: fn(Option<bool>) -> bool| {
            let states =
                self.queues[queue].iter().map(|message| message.hidden.map(|hidden| hidden.in_flight));
            states.filter(|state| test(*state)).count() as u64
        };
        (count(|s| s.is_none()), count(|s| s == Some(true)), count(|s| s == Some(false)))
    }
}

const NAMES: [&str; 2] = ["q", "dlq"];

fn run(max_receives: u32, retention: u64, calls: Vec<Call>) -> Result<(), TestCaseError> {
    let mut world = World::with_dlq(max_receives);
    for queue in NAMES {
        world.set(queue, "MessageRetentionPeriod", &retention.to_string()).expect("set");
    }
    let mut model = Model { now: 0, max_receives, retention, order: 0, queues: [vec![], vec![]] };
    let mut handles: Vec<(usize, String, u32, String)> = Vec::new();
    for (n, call) in calls.into_iter().enumerate() {
        match call {
            Call::Send { delay } => {
                let body = n.to_string();
                let message = json!({ "MessageBody": body, "DelaySeconds": delay });
                world.try_send("q", message).expect("it is sent");
                model.send(&body, delay);
            }
            Call::Receive { from_dlq, max, visibility } => {
                let queue = usize::from(from_dlq);
                let members = json!({ "MaxNumberOfMessages": max, "VisibilityTimeout": visibility });
                let messages = world.try_receive(NAMES[queue], members).expect("it is answered");
                let got: Vec<_> = messages.iter().map(|m| (m.content.body.clone(), m.receives)).collect();
                prop_assert_eq!(&got, &model.receive(queue, max, visibility));
                handles.extend(
                    messages.into_iter().map(|m| (queue, m.content.body.clone(), m.receives, m.handle)),
                );
            }
            Call::Delete { handle } if !handles.is_empty() => {
                let (queue, body, receive, handle) = &handles[handle % handles.len()];
                world.delete(NAMES[*queue], handle).expect("it is no error");
                model.delete(*queue, body, *receive);
            }
            Call::Change { handle, timeout } if !handles.is_empty() => {
                let (queue, body, _, handle) = &handles[handle % handles.len()];
                let changed = world.change(NAMES[*queue], handle, timeout as i64);
                let there = model.queues[*queue].iter().any(|message| message.body == *body);
                prop_assert_eq!(changed.is_ok(), there);
                model.change(*queue, body, timeout);
            }
            Call::Delete { .. } | Call::Change { .. } => {}
            Call::Pass { seconds } => {
                world.pass(seconds);
                model.now += seconds;
            }
            Call::Purge { dlq } => {
                let queue = usize::from(dlq);
                if world.on(NAMES[queue], |core, now, id| core.purge_queue(now, id)).is_ok() {
                    model.queues[queue].clear();
                }
            }
        }
        model.settle();
        for (queue, name) in NAMES.into_iter().enumerate() {
            prop_assert_eq!(world.depth(name), model.depth(queue));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn a_standard_queue_does_what_the_model_does(
        max_receives in 1u32..6,
        retention in 60u64..600,
        calls in prop::collection::vec(call(), 1..120),
    ) {
        run(max_receives, retention, calls)?;
    }
}
