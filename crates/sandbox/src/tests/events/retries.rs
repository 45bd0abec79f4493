//! Targets that are unavailable for a while (semantics 3.4).

use serde_json::{Value, json};

use super::dead_letters::with_dlq;
use crate::fact::Fact;
use crate::targets::Outage;
use crate::tests::{World, arn};

fn out(world: &mut World, outage: Option<Outage>) {
    let queue = arn("q");
    world.operate(|core, now| match outage {
        Some(outage) => core.begin_outage(&queue, outage),
        None => core.end_outage(now, &queue),
    });
}

fn with_policy(policy: Value) -> World {
    let mut world = with_dlq();
    let dlq = json!({ "Arn": arn("dlq") });
    let target = json!({ "Id": "t", "Arn": arn("q"), "DeadLetterConfig": dlq, "RetryPolicy": policy });
    world.target("default", "r", target);
    world
}

#[test]
fn an_unavailable_target_is_tried_for_24_h_and_then_the_event_is_dead_lettered() {
    let mut world = with_dlq();
    out(&mut world, Some(Outage::Unavailable));
    let id = world.put("default", json!({}));
    world.pass(24 * 3_600 - 1);
    assert_eq!((world.depth("q"), world.depth("dlq")), ((0, 0, 0), (0, 0, 0)));
    world.pass(1);
    assert_eq!((world.depth("q"), world.depth("dlq")), ((0, 0, 0), (1, 0, 0)));
    let letter = world.dead_letter();
    assert_eq!(letter["ERROR_CODE"], "ERROR_FROM_TARGET");
    assert_eq!(letter["EXHAUSTED_RETRY_CONDITION"], "MaximumEventAgeInSeconds");
    let retries: u32 = letter["RETRY_ATTEMPTS"].as_str().expect("a text").parse().expect("a number");
    assert!((100..=185).contains(&retries), "{retries}");
    let told = world.facts();
    let letters: Vec<_> = told.iter().filter(|fact| matches!(fact, Fact::DeadLettered { .. })).collect();
    assert!(matches!(letters[..], [Fact::DeadLettered { message_id, attempts, .. }]
        if message_id.as_str() == id && *attempts == retries + 1));
    world.pass(24 * 3_600);
    assert_eq!(world.core.timers.next_delivery(), None);
}

#[test]
fn a_target_that_comes_back_gets_the_event_and_no_failure_is_counted() {
    let mut world = with_dlq();
    out(&mut world, Some(Outage::Unavailable));
    world.put("default", json!({}));
    world.pass(3_600);
    out(&mut world, None);
    assert_eq!(world.depth("q"), (0, 0, 0));
    world.pass(13 * 60);
    assert_eq!((world.depth("q"), world.depth("dlq")), ((1, 0, 0), (0, 0, 0)));
    assert_eq!(world.rule_sum("FailedInvocations"), 0.0);
    assert_eq!((world.rule_sum("Invocations"), world.rule_sum("SuccessfulInvocationAttempts")), (1.0, 1.0));
    let (attempts, retries) =
        (world.rule_sum("InvocationAttempts"), world.rule_sum("RetryInvocationAttempts"));
    assert!(attempts > 10.0 && attempts == retries + 1.0, "{attempts} {retries}");
}

#[test]
fn a_throttled_target_is_tried_again() {
    let mut world = with_policy(json!({ "MaximumRetryAttempts": 3 }));
    out(&mut world, Some(Outage::Throttled));
    world.put("default", json!({}));
    world.pass(60);
    let letter = world.dead_letter();
    assert_eq!((&letter["ERROR_CODE"], &letter["RETRY_ATTEMPTS"]), (&json!("THROTTLING"), &json!("3")));
    assert_eq!(letter["EXHAUSTED_RETRY_CONDITION"], "MaximumRetryAttempts");
}

#[test]
fn with_no_retries_the_first_failure_is_the_last() {
    let mut world = with_policy(json!({ "MaximumRetryAttempts": 0 }));
    out(&mut world, Some(Outage::Unavailable));
    world.put("default", json!({}));
    assert_eq!(world.dead_letter()["RETRY_ATTEMPTS"], "0");
}

#[test]
fn the_age_ends_the_attempts_when_it_comes_first() {
    let mut world = with_policy(json!({ "MaximumRetryAttempts": 185, "MaximumEventAgeInSeconds": 60 }));
    out(&mut world, Some(Outage::Unavailable));
    world.put("default", json!({}));
    world.pass(59);
    assert_eq!(world.depth("dlq"), (0, 0, 0));
    world.pass(1);
    assert_eq!(world.dead_letter()["EXHAUSTED_RETRY_CONDITION"], "MaximumEventAgeInSeconds");
}

#[test]
fn a_failure_that_no_retry_mends_ends_the_attempts() {
    let mut world = with_dlq();
    out(&mut world, Some(Outage::Unavailable));
    world.put("default", json!({}));
    world.pass(10);
    world.remove_queue("q");
    out(&mut world, None);
    world.pass(60);
    let letter = world.dead_letter();
    assert_eq!(letter["ERROR_CODE"], "NO_RESOURCE");
    assert_eq!(letter.get("EXHAUSTED_RETRY_CONDITION"), None);
}

#[test]
fn what_is_under_way_goes_on_without_its_rule() {
    let mut world = with_dlq();
    out(&mut world, Some(Outage::Unavailable));
    world.put("default", json!({}));
    world.events_ok("RemoveTargets", json!({ "Rule": "r", "Ids": ["t"] }));
    world.events_ok("DeleteRule", json!({ "Name": "r" }));
    out(&mut world, None);
    world.pass(60);
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn of_the_attempts_at_the_longest_intervals_only_the_first_is_told() {
    let mut world = with_dlq();
    out(&mut world, Some(Outage::Unavailable));
    world.put("default", json!({}));
    world.pass(24 * 3_600);
    let told = world.facts();
    let retried: Vec<_> = told
        .iter()
        .filter_map(|fact| match fact {
            Fact::Retried { attempts, .. } => Some(*attempts),
            _ => None,
        })
        .collect();
    assert_eq!(retried, (1..=11).collect::<Vec<_>>());
}

#[test]
fn a_dead_letter_queue_that_is_out_loses_the_event() {
    let mut world = with_policy(json!({ "MaximumRetryAttempts": 0 }));
    out(&mut world, Some(Outage::Unavailable));
    world.operate(|core, _| core.begin_outage(&arn("dlq"), Outage::Unavailable));
    world.put("default", json!({}));
    assert!(matches!(world.facts().last(), Some(Fact::Undelivered { .. })));
    world.pass(60);
    assert_eq!(world.rule_metric("InvocationsFailedToBeSentToDlq"), Some(1.0));
}

/// The same seed gives the same jitter.
#[test]
fn delays_can_be_repeated() {
    let delays = || {
        let mut world = with_dlq();
        out(&mut world, Some(Outage::Unavailable));
        world.put("default", json!({}));
        world.pass(600);
        let facts = std::mem::take(&mut *world.facts.lock().expect("no panic holds it"));
        let times = facts.into_iter().filter(|(_, fact)| matches!(fact, Fact::Retried { .. }));
        times.map(|(at, _)| at).collect::<Vec<_>>()
    };
    assert_eq!(delays(), delays());
}
