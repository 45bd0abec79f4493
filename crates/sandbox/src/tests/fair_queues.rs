//! Semantics 1.14: group ids on standard queues.

use serde_json::json;

use super::World;

fn send(world: &mut World, tenant: Option<&str>, body: &str) {
    world.try_send("q", json!({ "MessageBody": body, "MessageGroupId": tenant })).expect("sent");
}

/// The bodies of the next messages, received one by one.
fn next(world: &mut World, count: usize) -> Vec<String> {
    let mut one = || {
        let mut messages = world.try_receive("q", json!({})).expect("received");
        messages.pop().map(|message| message.content.body.clone())
    };
    (0..count).filter_map(|_| one()).collect()
}

/// A backlog of a tenant of which 30 messages are in flight, the first of them long ago.
fn noisy() -> World {
    let mut world = World::new();
    world.create("q", &[("VisibilityTimeout", "3600")]);
    for _ in 0..33 {
        send(&mut world, Some("loud"), "loud");
    }
    assert_eq!(next(&mut world, 30).len(), 30);
    world
}

#[test]
fn a_noisy_tenants_messages_wait_while_others_have_any() {
    let mut world = noisy();
    send(&mut world, Some("soft"), "soft");
    send(&mut world, None, "alone");
    assert_eq!(next(&mut world, 3), ["soft", "alone", "loud"]);
}

#[test]
fn messages_without_an_id_each_count_as_their_own_tenant() {
    let mut world = World::new();
    world.create("q", &[]);
    for _ in 0..60 {
        send(&mut world, None, "alone");
    }
    assert_eq!(next(&mut world, 59).len(), 59);
    send(&mut world, Some("soft"), "soft");
    assert_eq!(next(&mut world, 2), ["alone", "soft"], "first come, first served");
}

#[test]
fn a_tenant_is_quiet_again_when_its_backlog_is_gone() {
    let mut world = noisy();
    world.on("q", |core, now, id| core.purge_queue(now, id)).expect("purged");
    send(&mut world, Some("loud"), "loud");
    send(&mut world, Some("soft"), "soft");
    assert_eq!(next(&mut world, 2), ["loud", "soft"]);
}

#[test]
fn a_tenant_is_quiet_again_after_five_minutes_with_nothing_in_flight() {
    for (seconds, order) in [(299, ["soft", "loud"]), (300, ["loud", "loud"])] {
        let mut world = noisy();
        world.pass(3_600);
        world.pass(seconds);
        send(&mut world, Some("soft"), "soft");
        assert_eq!(next(&mut world, 2), order);
    }
}

#[test]
fn a_bad_id_is_refused() {
    let mut world = World::new();
    world.create("q", &[]);
    for id in ["", "group 123"] {
        let error =
            world.try_send("q", json!({ "MessageBody": "a", "MessageGroupId": id })).expect_err("refused");
        assert_eq!(error.query_code, "InvalidParameterValue");
        assert!(error.message.ends_with(
            "MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length."
        ));
    }
}
