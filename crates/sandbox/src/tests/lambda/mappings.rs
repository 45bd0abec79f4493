//! Event source mappings at work (semantics 5.1-5.4), with what users of other stacks ran into.

use serde_json::{Value, json};

use super::{answer, raised};
use crate::fact::Fact;
use crate::tests::World;

/// `f`, which may run 10 s, on `q`, which hides messages for 30 s; `dlq` is the queue's dead-letter
/// queue.
fn world(max_receive_count: u32, mapping: Value) -> World {
    let mut world = World::with_dlq(max_receive_count);
    world.function("f", 10);
    world.map("q", "f", mapping);
    world
}

fn reports() -> Value {
    json!({ "FunctionResponseTypes": ["ReportBatchItemFailures"] })
}

fn failures(ids: &[String]) -> Value {
    let items: Vec<_> = ids.iter().map(|id| json!({ "itemIdentifier": id })).collect();
    json!({ "batchItemFailures": items })
}

/// The outcomes of batches since the last call.
fn outcomes(world: &World) -> Vec<(&'static str, usize, usize)> {
    let settled = world.facts().into_iter().filter_map(|fact| match fact {
        Fact::BatchSettled { reason, deleted, returned, .. } => {
            Some((reason.word(), deleted.len(), returned.len()))
        }
        _ => None,
    });
    settled.collect()
}

#[test]
fn a_message_is_handed_over_as_the_event_of_5_4() {
    let mut world = world(3, json!({}));
    let attributes = json!({ "Author": { "DataType": "String", "StringValue": "John Grisham" } });
    let sent = world
        .try_send("q", json!({ "MessageBody": "{\"a\": 1}", "MessageAttributes": attributes }))
        .expect("it is sent");
    let started = world.started_one();
    let record = &started.event()["Records"][0];
    assert_eq!(record["messageId"], sent["MessageId"]);
    assert_eq!(record["body"], "{\"a\": 1}");
    assert_eq!(record["md5OfBody"], sent["MD5OfMessageBody"]);
    assert_eq!(record["md5OfMessageAttributes"], sent["MD5OfMessageAttributes"]);
    assert_eq!(record["eventSource"], "aws:sqs");
    assert_eq!(record["eventSourceARN"], "arn:aws:sqs:eu-central-1:123456789012:q");
    assert_eq!(record["awsRegion"], "eu-central-1");
    assert_eq!(record["messageAttributes"]["Author"]["stringValue"], "John Grisham");
    let names: Vec<_> = record["attributes"].as_object().expect("a map").keys().cloned().collect();
    assert_eq!(
        names,
        ["ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "SenderId", "SentTimestamp"]
    );
    assert_eq!(record["attributes"]["ApproximateReceiveCount"], "1");
    assert_eq!(started.invocation.invoked_arn, super::function_arn("f"));
    assert_eq!(started.invocation.deadline.since(world.now).as_secs(), 10);
}

#[test]
fn a_normal_return_deletes_all_messages_of_the_batch() {
    let mut world = world(3, json!({}));
    world.send("q", "a");
    world.end_next(answer(Value::Null));
    assert_eq!(world.depth("q"), (0, 0, 0));
    assert_eq!(outcomes(&world), [("succeeded", 1, 0)]);
}

#[test]
fn after_an_error_all_come_back_after_the_visibility_timeout_and_not_sooner() {
    let mut world = world(3, json!({}));
    world.send("q", "a");
    world.end_next(raised());
    assert_eq!(world.depth("q"), (0, 1, 0));
    world.pass(29);
    assert!(world.started().is_empty());
    world.pass(1);
    let again = world.started_one();
    assert_eq!(again.event()["Records"][0]["attributes"]["ApproximateReceiveCount"], "2");
}

#[test]
fn a_function_that_runs_too_long_is_aborted_and_its_messages_come_back() {
    let mut world = world(3, json!({}));
    let id = world.send("q", "a");
    let started = world.started_one();
    let invoked = world.facts().into_iter().find_map(|fact| match fact {
        Fact::Invoked { cause, messages, .. } => Some((cause, messages)),
        _ => None,
    });
    assert_eq!(invoked, Some(("mapping", vec![havoq_base::ids::MessageId::new(id)])));
    world.pass(10);
    assert_eq!(outcomes(&world), [("failed", 0, 1)]);
    assert_eq!(world.core.take_orders(), [crate::lambda::Order::Abort(started.id)]);
    // A late answer is nobody's.
    world.end(&started, answer(Value::Null));
    assert_eq!(world.depth("q"), (0, 1, 0));
}

#[test]
fn dead_lettering_is_the_queue_s_at_the_receive_after_the_last() {
    let mut world = world(2, json!({}));
    let id = world.send("q", "poison");
    world.end_next(raised());
    world.pass(30);
    world.end_next(raised());
    assert_eq!(world.depth("dlq"), (0, 0, 0));
    world.pass(30);
    assert!(world.started().is_empty());
    assert_eq!(world.one("dlq").id.as_str(), id);
}

#[test]
fn b6_a_malformed_partial_batch_response_fails_the_whole_batch_and_deletes_nothing() {
    let mut world = world(2, json!({ "FunctionResponseTypes": ["ReportBatchItemFailures"] }));
    world.send("q", "a");
    for receives in 1..=2 {
        let malformed = json!({ "batchItemFailures": [{ "foo": "notvalid" }] });
        let started = world.end_next(answer(malformed));
        assert_eq!(started.message_ids().len(), 1, "receive {receives}");
        assert_eq!(outcomes(&world), [("report-void", 0, 1)]);
        // Not before its receives are used up.
        assert_eq!(world.depth("dlq").0, 0);
        world.pass(30);
    }
    assert_eq!(world.depth("dlq").0, 1);
}

#[test]
fn a12_what_was_handled_and_reported_failed_all_the_same_is_handled_again() {
    let mut world = world(5, reports());
    world.send("q", "before");
    // The two come as one batch once the function is free to be asked.
    let first = world.started_one();
    world.send("q", "r1");
    let others = world.started_one();
    world.end(&first, answer(Value::Null));
    let ids = others.message_ids();
    world.end(&others, answer(failures(&ids)));
    world.pass(30);
    assert_eq!(world.started_one().message_ids(), ids);
}

#[test]
fn listed_messages_come_back_and_the_rest_is_deleted() {
    let mut world = world(
        5,
        json!({
            "FunctionResponseTypes": ["ReportBatchItemFailures"], "MaximumBatchingWindowInSeconds": 1,
        }),
    );
    for body in ["good", "poison", "good"] {
        world.send("q", body);
    }
    world.pass(1);
    let started = world.started_one();
    let poison = started.message_ids()[1].clone();
    world.end(&started, answer(failures(std::slice::from_ref(&poison))));
    assert_eq!(outcomes(&world), [("reported", 2, 1)]);
    world.pass(31);
    assert_eq!(world.started_one().message_ids(), [poison]);
}

#[test]
fn a14_without_report_batch_item_failures_the_report_is_ignored_and_the_poison_is_lost() {
    let mut world = world(3, json!({ "MaximumBatchingWindowInSeconds": 1 }));
    for body in ["good", "poison", "good"] {
        world.send("q", body);
    }
    world.pass(1);
    let started = world.started_one();
    let poison = started.message_ids()[1].clone();
    world.end(&started, answer(failures(&[poison])));
    let settled = world.facts().into_iter().find_map(|fact| match fact {
        Fact::BatchSettled { request_id, deleted, reason, .. } => {
            Some((request_id, deleted.len(), reason.word(), reason.to_string()))
        }
        _ => None,
    });
    let why = "the function reported 1 message failed, but the mapping lacks ReportBatchItemFailures";
    let request_id = started.invocation.request_id.clone();
    assert_eq!(settled, Some((Some(request_id), 3, "report-ignored", why.to_owned())));
    world.pass(300);
    assert_eq!((world.depth("q"), world.depth("dlq")), ((0, 0, 0), (0, 0, 0)));
}

#[test]
fn a16_throttled_receives_count_and_good_messages_reach_the_dead_letter_queue_unhandled() {
    let mut world = world(1, json!({ "BatchSize": 1 }));
    let reserved = json!({ "FunctionName": "f", "ReservedConcurrentExecutions": 1 });
    world.lambda_ok("PutFunctionConcurrency", reserved);
    for n in 0..50 {
        world.send("q", &n.to_string());
    }
    let mut handled = Vec::new();
    for _ in 0..600 {
        for started in world.started() {
            handled.extend(started.message_ids());
            world.end(&started, answer(Value::Null));
        }
        // Each takes 9 s.
        world.pass(1);
        for started in world.started() {
            world.pass(8);
            handled.extend(started.message_ids());
            world.end(&started, answer(Value::Null));
        }
    }
    let dead: Vec<_> = (0..5).flat_map(|_| world.receive("dlq")).collect();
    assert!(!dead.is_empty(), "none was dead-lettered");
    assert!(dead.iter().all(|message| !handled.contains(&message.id.as_str().to_owned())));
    let throttled = world.facts().iter().filter(|fact| matches!(fact, Fact::Throttled { .. })).count();
    assert!(throttled > 0);
    assert_eq!(world.depth("q"), (0, 0, 0));
}

#[test]
fn the_poller_s_receive_counts_even_if_the_invocation_never_ran() {
    let mut world = world(3, json!({}));
    world.lambda_ok(
        "PutFunctionConcurrency",
        json!({ "FunctionName": "f", "ReservedConcurrentExecutions": 0 }),
    );
    world.send("q", "a");
    world.pass(29);
    assert!(outcomes(&world).is_empty());
    world.pass(1);
    assert_eq!(outcomes(&world), [("throttled", 0, 1)]);
    assert!(world.started().is_empty());
    world.pass(60);
    assert_eq!(world.one("dlq").receives, 4, "three of the mapping's, and this one");
}

#[test]
fn at_most_one_batch_is_in_flight_for_each_group_of_a_fifo_queue() {
    let mut world = World::fifo(&[]);
    world.function("f", 10);
    world.map("q.fifo", "f", json!({ "BatchSize": 1 }));
    world.send_in("a", &["a1", "a2"]);
    world.send_in("b", &["b1"]);
    let running: Vec<_> = world
        .started()
        .into_iter()
        .map(|started| (started.event()["Records"][0]["body"].clone(), started))
        .collect();
    assert_eq!(running.iter().map(|(body, _)| body).collect::<Vec<_>>(), ["a1", "b1"]);
    let attributes = &running[0].1.event()["Records"][0]["attributes"];
    assert_eq!(attributes["MessageGroupId"], "a");
    assert!(attributes["SequenceNumber"].is_string() && attributes["MessageDeduplicationId"].is_string());
    world.end(&running[0].1, answer(Value::Null));
    assert_eq!(world.started_one().event()["Records"][0]["body"], "a2");
}

#[test]
fn what_the_filter_does_not_match_is_deleted() {
    let pattern = json!({ "body": { "kind": ["order"] } }).to_string();
    let mut world = world(3, json!({ "FilterCriteria": { "Filters": [{ "Pattern": pattern }] } }));
    world.send("q", r#"{"kind": "other"}"#);
    assert_eq!(world.depth("q"), (0, 0, 0));
    assert_eq!(outcomes(&world), [("filtered", 1, 0)]);
    world.send("q", r#"{"kind": "order"}"#);
    assert_eq!(world.started_one().message_ids().len(), 1);
}

#[test]
fn with_maximum_concurrency_messages_wait_in_the_queue() {
    let mut world = world(1, json!({ "BatchSize": 1, "ScalingConfig": { "MaximumConcurrency": 2 } }));
    for n in 0..4 {
        world.send("q", &n.to_string());
    }
    let started = world.started();
    assert_eq!((started.len(), world.depth("q")), (2, (2, 2, 0)));
    world.end(&started[0], answer(Value::Null));
    assert_eq!(world.started().len(), 1);
}

#[test]
fn an_idle_mapping_sets_no_timer_and_is_woken_by_its_queue() {
    let mut world = world(3, json!({}));
    world.pass(120);
    assert_eq!(world.core.timers.next_delivery(), None);
    world.try_send("q", json!({ "MessageBody": "later", "DelaySeconds": 60 })).expect("it is sent");
    world.pass(59);
    assert!(world.started().is_empty());
    world.pass(1);
    let started = world.started_one();
    assert_eq!(
        (world.core.invocations_under_way(), world.core.messages_in_mappings()),
        (1, 1),
        "the engine sees both"
    );
    world.end(&started, answer(Value::Null));
    assert_eq!((world.core.invocations_under_way(), world.core.messages_in_mappings()), (0, 0));
    assert_eq!(world.core.timers.next_delivery(), None);
}

#[test]
fn a_client_s_poll_and_a_mapping_share_a_queue() {
    let mut world = world(3, json!({}));
    let parked = world.poll("q", json!({ "WaitTimeSeconds": 20 })).expect("it waits");
    world.send("q", "a");
    assert!(world.started().is_empty(), "who waited first is served first");
    drop(parked);
    world.send("q", "b");
    assert_eq!(world.started().len(), 1);
}

#[test]
fn a_disabled_or_deleted_mapping_receives_nothing_and_ends_what_it_has() {
    let mut world = World::with_dlq(3);
    world.function("f", 10);
    let uuid = world.map("q", "f", json!({}));
    world.send("q", "a");
    let started = world.started_one();
    world.lambda_ok("UpdateEventSourceMapping", json!({ "UUID": uuid, "Enabled": false }));
    world.send("q", "b");
    world.end(&started, answer(Value::Null));
    assert_eq!(world.depth("q"), (1, 0, 0));
    world.lambda_ok("UpdateEventSourceMapping", json!({ "UUID": uuid, "Enabled": true }));
    let started = world.started_one();
    world.lambda_ok("DeleteEventSourceMapping", json!({ "UUID": uuid }));
    let listed = world.lambda_ok("ListEventSourceMappings", json!({}));
    assert_eq!(listed["EventSourceMappings"][0]["State"], "Deleting");
    world.end(&started, answer(Value::Null));
    assert_eq!(world.lambda_ok("ListEventSourceMappings", json!({}))["EventSourceMappings"], json!([]));
    world.send("q", "c");
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_mapping_outlives_its_function_and_feeds_the_next_of_that_name() {
    let mut world = world(3, json!({}));
    world.send("q", "a");
    let started = world.started_one();
    world.lambda_ok("DeleteFunction", json!({ "FunctionName": "f" }));
    world.end(&started, answer(Value::Null));
    assert_eq!(world.depth("q"), (0, 0, 0), "what ran is deleted all the same");
    world.send("q", "b");
    assert_eq!(world.depth("q"), (1, 0, 0));
    world.pass(600);
    world.function("f", 10);
    assert_eq!(world.started_one().message_ids().len(), 1);
}

#[test]
fn a_reset_aborts_what_runs_and_late_ends_are_nobody_s() {
    let mut world = world(3, json!({}));
    world.send("q", "a");
    let started = world.started_one();
    world.core.reset();
    assert_eq!(world.core.take_orders(), [crate::lambda::Order::Abort(started.id)]);
    world.end(&started, answer(Value::Null));
    assert_eq!(world.core.invocations_under_way(), 0);
}
