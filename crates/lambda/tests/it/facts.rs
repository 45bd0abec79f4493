//! What the fact sheet says of mappings (semantics 5.1-5.3).

use bytes::Bytes;
use havoq_base::StackDuration;
use havoq_lambda::{BatchId, Exit, Filters, Reason, Reporting, Returned, Settings};

use crate::poller::{Poller, QUEUE};

fn poller(change: impl FnOnce(&mut Settings)) -> Poller {
    let mut settings = Settings::new(QUEUE);
    change(&mut settings);
    Poller::new(settings)
}

fn secs(secs: u64) -> StackDuration {
    StackDuration::from_secs(secs)
}

fn done() -> Returned {
    Returned::Response(Bytes::from_static(b"null"))
}

fn sizes(poller: &Poller) -> Vec<usize> {
    poller.running.values().map(Vec::len).collect()
}

fn only(poller: &Poller) -> BatchId {
    assert_eq!(poller.running.len(), 1);
    *poller.running.keys().next().expect("there is one")
}

#[test]
fn without_a_window_a_batch_is_what_one_receive_gives() {
    let mut poller = poller(|_| {});
    poller.send("g", "{}");
    assert_eq!(sizes(&poller), [1]);
    poller.send_all(13);
    assert_eq!(sizes(&poller), [1, 10, 3]);
}

#[test]
fn an_invocation_fires_when_the_batch_size_is_reached() {
    let mut poller = poller(|settings| {
        (settings.batch_size, settings.window) = (25, secs(300));
    });
    poller.send_all(24);
    poller.pass(1);
    assert!(poller.running.is_empty());
    poller.send("g", "{}");
    assert_eq!(sizes(&poller), [25]);
}

#[test]
fn an_invocation_fires_when_the_window_is_over() {
    let mut poller = poller(|settings| settings.window = secs(5));
    poller.send("g", "{}");
    poller.pass(4);
    poller.send("g", "{}");
    assert!(poller.running.is_empty());
    poller.pass(1);
    assert_eq!(sizes(&poller), [2]);
}

#[test]
fn an_invocation_fires_when_6_mb_are_reached() {
    let mut poller = poller(|settings| settings.window = secs(300));
    let body = "x".repeat(1_000_000);
    for _ in 0..6 {
        poller.send("g", &body);
    }
    assert!(poller.running.is_empty());
    poller.send("g", &body);
    assert_eq!(sizes(&poller), [6]);
    let batch = poller.mapping.batch(only(&poller)).expect("it is under way");
    assert!(batch.payload().len() <= 6 * 1_024 * 1_024);
}

#[test]
fn a_mapping_starts_with_5_batches_and_grows_by_300_a_minute() {
    let mut poller = poller(|settings| settings.batch_size = 1);
    poller.visibility = secs(600);
    poller.send_all(400);
    assert_eq!(poller.running.len(), 5);
    poller.pass(59);
    assert_eq!(poller.running.len(), 5);
    poller.pass(1);
    assert_eq!(poller.running.len(), 305);
}

#[test]
fn with_maximum_concurrency_the_mapping_stops_receiving_instead_of_being_throttled() {
    let mut poller = poller(|settings| (settings.batch_size, settings.maximum_concurrency) = (1, Some(2)));
    poller.send_all(3);
    assert_eq!((poller.running.len(), poller.mapping.messages()), (2, 2));
    assert_eq!(poller.receives("m-0003"), 0);
    let first = *poller.running.keys().next().expect("one runs");
    poller.end(first, &done());
    assert_eq!(poller.receives("m-0003"), 1);
}

#[test]
fn a_fifo_queue_has_one_batch_in_flight_per_group() {
    let mut poller =
        poller(|settings| (settings.batch_size, settings.queue_arn) = (1, format!("{QUEUE}.fifo")));
    for group in ["a", "a", "b"] {
        poller.send(group, "{}");
    }
    let running: Vec<_> = poller.running.values().flatten().cloned().collect();
    assert_eq!(running, ["m-0001", "m-0003"]);
    // Its messages are back in the queue, and received again, while it runs on.
    poller.pass(31);
    assert_eq!(poller.receives("m-0001"), 2);
    assert_eq!(poller.running.len(), 2);
    let first = *poller.running.keys().next().expect("one runs");
    poller.end(first, &Returned::Exited(Exit::Clean));
    assert_eq!(poller.running.len(), 2, "the next of its group follows");
}

#[test]
fn failed_items_come_back_after_the_visibility_timeout_and_not_before() {
    let mut poller = poller(|settings| settings.reporting = Reporting::BatchItemFailures);
    poller.send_all(2);
    let report = Bytes::from_static(br#"{"batchItemFailures":[{"itemIdentifier":"m-0002"}]}"#);
    poller.end(only(&poller), &Returned::Response(report));
    assert_eq!(poller.left().into_iter().collect::<Vec<_>>(), ["m-0002"]);
    poller.pass(29);
    assert_eq!(poller.running.len(), 0);
    poller.pass(1);
    assert_eq!(poller.receives("m-0002"), 2);
}

#[test]
fn an_error_returns_the_whole_batch_the_successful_ones_included() {
    let mut poller = poller(|settings| settings.reporting = Reporting::BatchItemFailures);
    poller.send_all(3);
    poller.end(only(&poller), &Returned::TimedOut(secs(3)));
    let settled = poller.settled.pop().expect("it is settled");
    assert_eq!((settled.deleted.len(), settled.returned.len()), (0, 3));
    assert_eq!(settled.reason, Reason::Failed { error_type: "Sandbox.Timedout".to_owned() });
}

#[test]
fn a_throttled_batch_is_tried_again_until_its_messages_are_back_in_the_queue() {
    let mut poller = poller(|_| {});
    poller.send("g", "{}");
    let mut tries = 0;
    let batch = only(&poller);
    while poller.running.contains_key(&batch) {
        tries += 1;
        poller.throttle(batch);
        poller.pass(1);
        while poller.running.is_empty() && poller.settled.is_empty() {
            poller.pass(1);
        }
    }
    // After 1, 2, 4, 8 s; the next 16 s would be over after the 30 s.
    assert_eq!(tries, 5);
    assert_eq!(poller.settled[0].reason, Reason::Throttled);
    assert_eq!(poller.receives("m-0001"), 2, "the receive is used up");
}

#[test]
fn what_the_filter_does_not_match_is_deleted() {
    let filters = Filters::parse([r#"{"body":{"kind":["order"]}}"#]).expect("a filter");
    let mut poller = poller(|settings| settings.filters = filters);
    poller.send("g", r#"{"kind": "order"}"#);
    poller.send("g", "order");
    assert_eq!(sizes(&poller), [1]);
    assert_eq!(poller.left().len(), 1);
    assert_eq!(poller.settled[0].reason, Reason::Filtered);
}

#[test]
fn a_disabled_mapping_receives_nothing_and_ends_what_it_has() {
    let mut poller = poller(|_| {});
    poller.send("g", "{}");
    poller.mapping.set_enabled(false);
    poller.send("g", "{}");
    assert_eq!(poller.receives("m-0002"), 0);
    poller.end(only(&poller), &done());
    assert!(poller.mapping.is_idle());
    poller.mapping.set_enabled(true);
    poller.pass(0);
    assert_eq!(poller.receives("m-0002"), 1);
}
