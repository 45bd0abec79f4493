//! Semantics 1.2.

use super::World;

fn world() -> World {
    let mut world = World::new();
    world.create("q", &[("VisibilityTimeout", "30")]);
    world.send("q", "a");
    world
}

#[test]
fn an_expired_handle_deletes_while_nobody_received_again() {
    let mut world = world();
    let message = world.one("q");
    world.pass(31);
    world.delete("q", &message.handle).expect("deleted");
    assert_eq!(world.depth("q"), (0, 0, 0));
}

#[test]
fn an_older_handle_succeeds_and_the_message_stays_once_it_was_received_again() {
    let mut world = world();
    let old = world.one("q");
    world.pass(30);
    let new = world.one("q");
    world.delete("q", &old.handle).expect("it is no error");
    assert_eq!(world.depth("q"), (0, 1, 0));
    world.delete("q", &new.handle).expect("deleted");
    assert_eq!(world.depth("q"), (0, 0, 0));
}

#[test]
fn a_second_delete_with_the_same_handle_succeeds() {
    let mut world = world();
    let message = world.one("q");
    world.delete("q", &message.handle).expect("deleted");
    world.delete("q", &message.handle).expect("it is no error");
}

#[test]
fn garbage_and_handles_of_other_queues_are_invalid() {
    let mut world = world();
    world.create("other", &[]);
    let message = world.one("q");
    let error = world.delete("q", "x").expect_err("refused");
    assert_eq!(error.query_code, "ReceiptHandleIsInvalid");
    assert_eq!(error.message, "The input receipt handle \"x\" is not a valid receipt handle.");
    assert_eq!(
        world.delete("other", &message.handle).expect_err("refused").query_code,
        "ReceiptHandleIsInvalid"
    );
    assert_eq!(world.change("q", "x", 1).expect_err("refused").query_code, "ReceiptHandleIsInvalid");
}

#[test]
fn a_handle_of_a_deleted_queue_means_nothing_to_its_successor() {
    let mut world = world();
    let message = world.one("q");
    world.on("q", |core, now, id| core.delete_queue(now, id)).expect("deleted");
    world.pass(60);
    world.create("q", &[]);
    world.send("q", "b");
    assert_eq!(world.delete("q", &message.handle).expect_err("refused").query_code, "ReceiptHandleIsInvalid");
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn retention_runs_out_in_flight_and_a_later_delete_succeeds() {
    let mut world = World::new();
    world.create("q", &[("MessageRetentionPeriod", "60"), ("VisibilityTimeout", "300")]);
    world.send("q", "a");
    let message = world.one("q");
    world.pass(60);
    assert_eq!(world.depth("q"), (0, 0, 0));
    world.delete("q", &message.handle).expect("it is no error");
}
