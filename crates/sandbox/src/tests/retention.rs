//! Semantics 1.5: delay and retention.

use serde_json::json;

use super::World;
use crate::fact::Fact;

#[test]
fn a_delayed_message_is_hidden_until_its_delay_is_over() {
    let mut world = World::new();
    world.create("q", &[("DelaySeconds", "10")]);
    world.send("q", "queue");
    world.try_send("q", json!({ "MessageBody": "own", "DelaySeconds": 20 })).expect("sent");
    world.try_send("q", json!({ "MessageBody": "none", "DelaySeconds": 0 })).expect("sent");
    assert_eq!(world.depth("q"), (1, 0, 2));
    world.pass(10);
    assert_eq!(world.depth("q"), (2, 0, 1));
    world.pass(10);
    assert_eq!(world.depth("q"), (3, 0, 0));
}

#[test]
fn a_new_delay_of_the_queue_is_not_retroactive() {
    let mut world = World::new();
    world.create("q", &[("DelaySeconds", "10")]);
    world.send("q", "a");
    world.set("q", "DelaySeconds", "900").expect("set");
    world.pass(10);
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_delay_beyond_900_s_is_refused() {
    let mut world = World::new();
    world.create("q", &[]);
    let error = world.try_send("q", json!({ "MessageBody": "a", "DelaySeconds": 901 })).expect_err("refused");
    assert_eq!(
        error.message,
        "Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900."
    );
}

#[test]
fn a_message_expires_when_its_retention_is_over() {
    let mut world = World::new();
    world.create("q", &[("MessageRetentionPeriod", "60")]);
    let id = world.send("q", "a");
    world.pass(30);
    world.send("q", "b");
    world.pass(29);
    assert_eq!(world.depth("q"), (2, 0, 0));
    world.pass(1);
    assert_eq!(world.depth("q"), (1, 0, 0));
    assert_eq!(world.facts(), [Fact::Expired { queue: "q".into(), message_id: id.into() }]);
    world.pass(30);
    assert_eq!(world.depth("q"), (0, 0, 0));
}

#[test]
fn a_new_retention_holds_for_messages_already_there() {
    let mut world = World::new();
    world.create("q", &[]);
    world.send("q", "a");
    world.pass(100);
    world.set("q", "MessageRetentionPeriod", "60").expect("set");
    world.pass(0);
    assert_eq!(world.depth("q"), (0, 0, 0));

    world.send("q", "b");
    world.set("q", "MessageRetentionPeriod", "600").expect("set");
    world.pass(599);
    assert_eq!(world.depth("q"), (1, 0, 0));
    world.pass(1);
    assert_eq!(world.depth("q"), (0, 0, 0));
}

#[test]
fn the_default_retention_is_4_days() {
    let mut world = World::new();
    world.create("q", &[]);
    world.send("q", "a");
    world.pass(4 * 86_400 - 1);
    assert_eq!(world.depth("q"), (1, 0, 0));
    world.pass(1);
    assert_eq!(world.depth("q"), (0, 0, 0));
}
