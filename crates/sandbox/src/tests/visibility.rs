//! Semantics 1.1.

use serde_json::json;

use super::World;

fn world() -> World {
    let mut world = World::new();
    world.create("q", &[("VisibilityTimeout", "30")]);
    world.send("q", "a");
    world
}

#[test]
fn a_received_message_is_hidden_until_its_timeout_ends() {
    let mut world = world();
    let first = world.one("q");
    assert_eq!(world.depth("q"), (0, 1, 0));
    world.pass(29);
    assert!(world.receive("q").is_empty());
    world.pass(1);
    assert_eq!(world.depth("q"), (1, 0, 0));
    let second = world.one("q");
    assert_eq!((first.receives, second.receives), (1, 2));
    assert_eq!(first.id, second.id);
    assert_ne!(first.handle, second.handle);
}

#[test]
fn the_timeout_of_a_receive_overrides_the_queues() {
    let mut world = world();
    world.try_receive("q", json!({ "VisibilityTimeout": 100 })).expect("received");
    world.pass(99);
    assert_eq!(world.depth("q"), (0, 1, 0));
    world.pass(1);
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_change_replaces_the_time_that_is_left_and_does_not_add() {
    let mut world = world();
    let message = world.one("q");
    world.pass(20);
    world.change("q", &message.handle, 5).expect("changed");
    world.pass(5);
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_change_lasts_for_this_receive_only() {
    let mut world = world();
    let message = world.one("q");
    world.change("q", &message.handle, 300).expect("changed");
    world.pass(300);
    world.one("q");
    world.pass(30);
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_change_to_0_makes_it_visible_at_once() {
    let mut world = world();
    let message = world.one("q");
    world.change("q", &message.handle, 0).expect("changed");
    assert_eq!(world.one("q").receives, 2);
}

#[test]
fn more_than_is_left_of_12_hours_is_refused_and_extending_does_not_restart_them() {
    let mut world = world();
    let message = world.one("q");
    world.pass(1);
    let error = world.change("q", &message.handle, 43_200).expect_err("refused");
    assert_eq!(error.query_code, "InvalidParameterValue");
    assert_eq!(
        error.message,
        "Value 43200 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message \
         is beyond the limit [43200 seconds]"
    );
    world.change("q", &message.handle, 43_199).expect("just what is left");
    world.pass(3_600);
    world.change("q", &message.handle, 39_599).expect("just what is left");
    assert!(world.change("q", &message.handle, 39_600).is_err());
    world.pass(39_599);
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_change_after_the_timeout_with_nobody_receiving_again_succeeds() {
    let mut world = world();
    let message = world.one("q");
    world.pass(31);
    world.change("q", &message.handle, 60).expect("it is no error");
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_change_after_the_delete_is_an_invalid_parameter() {
    let mut world = world();
    let message = world.one("q");
    world.delete("q", &message.handle).expect("deleted");
    let error = world.change("q", &message.handle, 60).expect_err("refused");
    assert_eq!(error.query_code, "InvalidParameterValue");
    let reason = "Reason: Message does not exist or is not available for visibility timeout change.";
    assert!(error.message.ends_with(reason), "{}", error.message);
}

#[test]
fn an_older_handle_can_still_make_the_message_visible() {
    let mut world = world();
    let old = world.one("q");
    world.pass(30);
    world.one("q");
    world.change("q", &old.handle, 0).expect("changed");
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_receive_with_timeout_0_leaves_it_visible_and_counts() {
    let mut world = world();
    let receive = json!({ "VisibilityTimeout": 0, "MaxNumberOfMessages": 10 });
    for count in 1..=3 {
        let messages = world.try_receive("q", receive.clone()).expect("received");
        assert_eq!(messages.len(), 1, "the same message is not handed out twice in one receive");
        assert_eq!(messages[0].receives, count);
        assert_eq!(world.depth("q"), (1, 0, 0));
    }
}

#[test]
fn a_timeout_beyond_12_hours_is_refused() {
    let mut world = world();
    let message = world.one("q");
    for seconds in [-1, 43_201] {
        assert_eq!(
            world.change("q", &message.handle, seconds).expect_err("refused").query_code,
            "InvalidParameterValue"
        );
    }
    let error = world.try_receive("q", json!({ "VisibilityTimeout": 43_201 })).expect_err("refused");
    assert_eq!(error.query_code, "InvalidParameterValue");
}
