//! Random calls on a FIFO queue with a dead-letter queue, against [`super::fifo_model`].

use proptest::prelude::*;
use serde_json::json;

use super::World;
use super::fifo_model::Model;

#[derive(Clone, Debug)]
enum Call {
    Send {
        group: usize,
        body: usize,
    },
    Receive {
        from_dlq: bool,
        max: usize,
        visibility: u64,
        attempt: Option<usize>,
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
    Delay {
        seconds: u64,
    },
    Purge {
        dlq: bool,
    },
}

fn call() -> impl Strategy<Value = Call> {
    let attempt = prop::option::weighted(0.3, 0usize..3);
    prop_oneof![
        8 => (0usize..4, 0usize..30).prop_map(|(group, body)| Call::Send { group, body }),
        8 => (prop::bool::weighted(0.2), 1usize..=10, 0u64..40, attempt).prop_map(
            |(from_dlq, max, visibility, attempt)| Call::Receive { from_dlq, max, visibility, attempt }
        ),
        4 => any::<usize>().prop_map(|handle| Call::Delete { handle }),
        4 => (any::<usize>(), 0u64..60).prop_map(|(handle, timeout)| Call::Change { handle, timeout }),
        6 => (0u64..90).prop_map(|seconds| Call::Pass { seconds }),
        1 => (0u64..60).prop_map(|seconds| Call::Delay { seconds: seconds.saturating_sub(30) }),
        1 => prop::bool::ANY.prop_map(|dlq| Call::Purge { dlq }),
    ]
}

const NAMES: [&str; 2] = ["q.fifo", "dlq.fifo"];

/// What is known of a handle: its queue, the model's number of its message, and which receive.
struct Held {
    queue: usize,
    seq: u64,
    receive: u32,
    handle: String,
}

struct Run {
    world: World,
    model: Model,
    held: Vec<Held>,
}

impl Run {
    fn new(max_receives: u32, retention: u64, by_group: bool) -> Self {
        let mut world = World::new();
        let retention_text = retention.to_string();
        let policy = super::policy(NAMES[1], max_receives);
        let scope = if by_group { "messageGroup" } else { "queue" };
        let shared = [("MessageRetentionPeriod", retention_text.as_str()), ("DeduplicationScope", scope)];
        world.create_fifo(NAMES[1], &shared);
        world.create_fifo(NAMES[0], &[shared[0], shared[1], ("RedrivePolicy", &policy)]);
        Self { world, model: Model::new(max_receives, retention, by_group), held: Vec::new() }
    }

    fn receive(
        &mut self,
        queue: usize,
        max: usize,
        visibility: u64,
        attempt: Option<usize>,
    ) -> Result<(), TestCaseError> {
        let members = json!({
            "MaxNumberOfMessages": max,
            "VisibilityTimeout": visibility,
            "ReceiveRequestAttemptId": attempt.map(|id| id.to_string()),
        });
        let messages = self.world.try_receive(NAMES[queue], members).expect("it is answered");
        let expected = match attempt {
            Some(id) => self.model.attempt(queue, id, max, visibility),
            None => self.model.receive(queue, max, visibility),
        };
        let got: Vec<_> = messages.iter().map(|message| (&*message.content.body, message.receives)).collect();
        let wanted: Vec<_> = expected.iter().map(|taken| (&*taken.body, taken.receives)).collect();
        prop_assert_eq!(got, wanted);
        for (message, taken) in messages.into_iter().zip(expected) {
            let known = self.held.iter().find(|held| held.handle == message.handle);
            prop_assert!(known.is_none_or(|held| held.seq == taken.seq), "a handle value was repeated");
            self.held.push(Held { queue, seq: taken.seq, receive: taken.receives, handle: message.handle });
        }
        Ok(())
    }

    fn step(&mut self, call: Call) -> Result<(), TestCaseError> {
        match call {
            Call::Send { group, body } => {
                let body = body.to_string();
                let message = json!({ "MessageBody": body, "MessageGroupId": group.to_string() });
                self.world.try_send(NAMES[0], message).expect("it looks as if it was sent");
                self.model.send(&body, group);
            }
            Call::Receive { from_dlq, max, visibility, attempt } => {
                self.receive(usize::from(from_dlq), max, visibility, attempt)?;
            }
            Call::Delete { handle } if !self.held.is_empty() => {
                let held = &self.held[handle % self.held.len()];
                let deleted = self.world.delete(NAMES[held.queue], &held.handle);
                prop_assert_eq!(deleted.is_ok(), self.model.delete(held.queue, held.seq, held.receive));
            }
            Call::Change { handle, timeout } if !self.held.is_empty() => {
                let held = &self.held[handle % self.held.len()];
                let changed = self.world.change(NAMES[held.queue], &held.handle, timeout as i64);
                let expected = self.model.change(held.queue, held.seq, held.receive, timeout);
                prop_assert_eq!(changed.is_ok(), expected);
            }
            Call::Delete { .. } | Call::Change { .. } => {}
            Call::Pass { seconds } => {
                self.world.pass(seconds);
                self.model.now += seconds;
            }
            Call::Delay { seconds } => {
                self.world.set(NAMES[0], "DelaySeconds", &seconds.to_string()).expect("set");
                self.model.set_delay(seconds);
            }
            Call::Purge { dlq } => {
                let queue = usize::from(dlq);
                if self.world.on(NAMES[queue], |core, now, id| core.purge_queue(now, id)).is_ok() {
                    self.model.purge(queue);
                }
            }
        }
        self.model.settle();
        for (queue, name) in NAMES.into_iter().enumerate() {
            prop_assert_eq!(self.world.depth(name), self.model.depth(queue));
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn a_fifo_queue_does_what_the_model_does(
        max_receives in 1u32..6,
        retention in 60u64..900,
        by_group in any::<bool>(),
        calls in prop::collection::vec(call(), 1..120),
    ) {
        let mut run = Run::new(max_receives, retention, by_group);
        for call in calls {
            run.step(call)?;
        }
    }
}
