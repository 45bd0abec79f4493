//! What a pipe does with the messages of its queue (semantics 3.9).

use serde_json::{Value, json};

use super::{filters, function, out, pipe, world};
use crate::place::Place;
use crate::tests::arn;
use crate::tests::lambda::{answer, raised};

#[test]
fn what_matches_goes_to_the_target_and_what_does_not_is_deleted() {
    let mut world = world();
    let more = filters(&[r#"{"body":{"state":["sent"]}}"#]);
    world.pipe(&out(), with_template(more, "<$.body>"));
    for body in [r#"{"state":"sent"}"#, r#"{"state":"open"}"#] {
        world.send("q", body);
    }
    assert_eq!(world.bodies("out"), [r#"{"state":"sent"}"#]);
    assert_eq!(world.depth("q"), (0, 0, 0));
}

#[test]
fn a_body_of_another_form_than_the_filter_is_deleted() {
    let mut world = world();
    world.pipe(&out(), filters(&[r#"{"body":{"state":["sent"]}}"#]));
    world.send("q", "plain");
    assert_eq!((world.depth("q"), world.bodies("out").len()), ((0, 0, 0), 0));
}

#[test]
fn without_a_template_the_target_gets_the_whole_record() {
    let mut world = world();
    world.pipe(&out(), json!({}));
    let id = world.send("q", "hello");
    let record: Value = serde_json::from_str(&world.bodies("out")[0]).expect("JSON");
    assert_eq!((&record["messageId"], &record["body"]), (&json!(id), &json!("hello")));
    assert_eq!(record["eventSource"], "aws:sqs");
}

#[test]
fn messages_are_gathered_up_to_the_batch_size_or_for_the_window() {
    let mut world = world();
    world.function("f", 10);
    let queue = json!({ "BatchSize": 3, "MaximumBatchingWindowInSeconds": 20 });
    world.pipe(&function(), json!({ "SourceParameters": { "SqsQueueParameters": queue } }));
    (0..4).for_each(|n| drop(world.send("q", &n.to_string())));
    let first = world.started_one();
    assert_eq!(first.event().as_array().map(Vec::len), Some(3));
    world.pass(19);
    assert_eq!(world.started().len(), 0);
    world.pass(1);
    assert_eq!(world.started_one().event().as_array().map(Vec::len), Some(1));
}

#[test]
fn a_function_may_tell_which_messages_failed_and_those_go_through_the_whole_pipe_again() {
    let mut world = world();
    world.function("f", 10);
    world.pipe(
        &function(),
        json!({ "SourceParameters": { "SqsQueueParameters": {
        "BatchSize": 2, "MaximumBatchingWindowInSeconds": 5 } } }),
    );
    let ids = [world.send("q", "a"), world.send("q", "b")];
    world.end_next(answer(json!({ "batchItemFailures": [{ "itemIdentifier": ids[1] }] })));
    assert_eq!(world.outcomes(), [(1, 1)]);
    world.pass(35);
    let again = world.started_one();
    assert_eq!(again.event()[0]["messageId"], json!(ids[1]));
    world.end(&again, answer(json!({ "anything": "else" })));
    assert_eq!((world.outcomes(), world.depth("q")), (vec![(1, 0)], (0, 0, 0)));
}

#[test]
fn what_fails_comes_back_after_the_queues_visibility_timeout_and_ends_in_the_queues_dead_letter_queue() {
    let mut world = world();
    world.function("f", 10);
    world.pipe(&function(), json!({}));
    world.send("q", "a");
    for _ in 0..3 {
        world.end_next(raised());
        assert_eq!(world.depth("q"), (0, 1, 0));
        world.pass(30);
    }
    assert_eq!(world.started().len(), 0);
    assert_eq!((world.depth("q"), world.depth("dlq")), ((0, 0, 0), (1, 0, 0)));
}

#[test]
fn some_events_may_fail_at_a_target_that_is_no_function() {
    let mut world = world();
    world.create_fifo("out.fifo", &[]);
    let group = json!({ "MessageGroupId": "$.body.group", "MessageDeduplicationId": "$.messageId" });
    let more = json!({ "TargetParameters": { "SqsQueueParameters": group, "InputTemplate": "<$.body>" },
        "SourceParameters": { "SqsQueueParameters": { "BatchSize": 2, "MaximumBatchingWindowInSeconds": 1 } } });
    world.pipe(&arn("out.fifo"), more);
    world.send("q", r#"{"group":"g"}"#);
    world.send("q", r#"{"group":""}"#);
    assert_eq!(world.outcomes(), [(1, 1)]);
    assert_eq!((world.depth("out.fifo"), world.depth("q")), ((1, 0, 0), (0, 1, 0)));
}

#[test]
fn a_fifo_queue_has_one_batch_of_a_group_under_way() {
    let mut world = world();
    world.function("f", 10);
    world.create_fifo("s.fifo", &[("VisibilityTimeout", "30"), ("ContentBasedDeduplication", "true")]);
    let mut members =
        pipe(&function(), json!({ "SourceParameters": { "SqsQueueParameters": { "BatchSize": 1 } } }));
    members["Source"] = json!(arn("s.fifo"));
    world.pipes("CreatePipe", members);
    for (group, body) in [("g", "1"), ("g", "2"), ("h", "3")] {
        world.try_send("s.fifo", json!({ "MessageBody": body, "MessageGroupId": group })).expect("sent");
    }
    let started = world.started();
    let bodies: Vec<_> = started.iter().map(|started| started.event()[0]["body"].clone()).collect();
    assert_eq!(bodies, ["1", "3"]);
    world.end(&started[0], answer(json!(null)));
    assert_eq!(world.started_one().event()[0]["body"], "2");
}

#[test]
fn a_throttled_batch_is_tried_again_and_its_receive_counts() {
    let mut world = world();
    world.function("f", 10);
    world.lambda_ok(
        "PutFunctionConcurrency",
        json!({ "FunctionName": "f", "ReservedConcurrentExecutions": 0 }),
    );
    world.pipe(&function(), json!({}));
    world.send("q", "a");
    world.pass(100);
    assert_eq!(world.started().len(), 0);
    assert_eq!(world.depth("dlq"), (1, 0, 0));
}

#[test]
fn a_pipe_that_waits_sets_no_timer() {
    let mut world = world();
    world.pipe(&out(), json!({}));
    assert_eq!(world.core.timers.next_delivery(), None);
}

#[test]
fn executions_are_counted() {
    let mut world = world();
    world.pipe(&arn("nowhere"), json!({}));
    world.send("q", "a");
    world.send("q", "b");
    world.pass(60);
    let sum = |metric: &str| {
        let (now, dimension) = (world.now.as_secs(), ("PipeName", "p"));
        let range = now - 60..now;
        let stats =
            world.core.cloudwatch.stats_of(Place::HOME, "AWS/EventBridge/Pipes", metric, &[dimension], range);
        stats.map(|stats| stats.sum)
    };
    // Once each, and once more after 30 seconds.
    assert_eq!((sum("Invocations"), sum("EventCount")), (Some(4.0), Some(4.0)));
    assert_eq!((sum("ExecutionFailed"), sum("TargetStageFailed")), (Some(4.0), Some(4.0)));
    assert_eq!(sum("ExecutionPartiallyFailed"), None);
}

fn with_template(mut members: Value, template: &str) -> Value {
    members["TargetParameters"] = json!({ "InputTemplate": template });
    members
}
