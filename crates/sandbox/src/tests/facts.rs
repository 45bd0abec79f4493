//! The facts: complete, in causal order, at the right time.

use havoq_base::StackTime;
use serde_json::json;

use super::{World, secs};
use crate::fact::{Depth, Fact};

fn take(world: &World) -> Vec<(StackTime, Fact)> {
    std::mem::take(&mut *world.facts.lock().expect("no panic holds it"))
}

fn depth(queue: &str, visible: u64, in_flight: u64, delayed: u64) -> Fact {
    Fact::Depth { queue: queue.into(), depth: Depth { visible, in_flight, delayed } }
}

#[test]
fn counts_are_told_once_an_operation_and_only_when_they_changed() {
    let mut world = World::new();
    world.create("q", &[]);
    world.send("q", "a");
    world.try_send("q", json!({ "MessageBody": "b", "DelaySeconds": 10 })).expect("sent");
    let facts: Vec<_> = take(&world).into_iter().map(|(_, fact)| fact).collect();
    assert_eq!(facts, [depth("q", 1, 0, 0), depth("q", 1, 0, 1)]);
    world.try_receive("q", json!({ "VisibilityTimeout": 0 })).expect("received");
    assert_eq!(take(&world), []);
}

#[test]
fn facts_of_timers_carry_the_timers_own_time() {
    let mut world = World::new();
    world.create("q", &[("MessageRetentionPeriod", "60")]);
    let start = world.now;
    let id = world.send("q", "a");
    world.one("q");
    take(&world);
    world.pass(86_400);
    assert_eq!(
        take(&world),
        [
            (start + secs(30), depth("q", 1, 0, 0)),
            (start + secs(60), Fact::Expired { queue: "q".into(), message_id: id.into() }),
            (start + secs(60), depth("q", 0, 0, 0)),
        ]
    );
}

#[test]
fn a_move_comes_before_the_counts_that_it_changes() {
    let mut world = World::with_dlq(1);
    let id = world.send("q", "a");
    world.one("q");
    world.pass(30);
    take(&world);
    world.receive("q");
    let facts: Vec<_> = take(&world).into_iter().map(|(_, fact)| fact).collect();
    let moved = Fact::Moved { queue: "q".into(), to: "dlq".into(), message_id: id.into(), receives: 1 };
    assert_eq!(facts, [moved, depth("q", 0, 0, 0), depth("dlq", 1, 0, 0)]);
}

#[test]
fn the_same_seed_and_calls_give_the_same_ids() {
    let run = || {
        let mut world = World::with_dlq(1);
        let id = world.send("q", "a");
        (id, world.one("q").handle)
    };
    assert_eq!(run(), run());
}
