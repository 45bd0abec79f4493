//! Semantics 1.11.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_wire::ServiceError;
use serde_json::{Value, json};

use super::{World, arn, bodies, policy, text, value};
use crate::fact::Fact;
use crate::sqs::{MoveStatus, parse};

fn start(world: &mut World, members: Value) -> Result<String, ServiceError> {
    let input = parse(members)?;
    world.operate(|core, now| core.start_message_move_task(now, input)).map(|task| task.task_handle)
}

fn list(world: &mut World, queue: &str, max: u32) -> Value {
    let input = parse(json!({ "SourceArn": arn(queue), "MaxResults": max })).expect("an input");
    value(world.operate(|core, now| core.list_message_move_tasks(now, input)).expect("a list"))["Results"]
        .clone()
}

fn cancel(world: &mut World, handle: &str) -> Result<Value, ServiceError> {
    let input = parse(json!({ "TaskHandle": handle }))?;
    world.operate(|core, now| core.cancel_message_move_task(now, input)).map(value)
}

/// `count` messages in `dlq`, dead-lettered from `q`.
fn dead_letters(count: usize) -> World {
    let mut world = World::with_dlq(1);
    for n in 0..count {
        world.send("q", &n.to_string());
    }
    while !world.receive("q").is_empty() {}
    world.pass(30);
    world.receive("q");
    assert_eq!(world.depth("dlq"), (count as u64, 0, 0));
    world.facts();
    world
}

#[test]
fn without_destination_each_message_goes_to_its_own_source_as_a_new_message() {
    let mut world = dead_letters(1);
    world.create("other", &[("RedrivePolicy", &policy("dlq", 1))]);
    let old = world.send("other", "from other");
    world.one("other");
    world.pass(30);
    world.receive("other");
    world.facts();
    let task = start(&mut world, json!({ "SourceArn": arn("dlq") })).expect("started");
    world.pass(1);
    assert_eq!(
        (world.depth("dlq"), world.depth("q"), world.depth("other")),
        ((0, 0, 0), (1, 0, 0), (1, 0, 0))
    );
    let message = world.one("other");
    assert_eq!((message.receives, message.dead_letter_source.as_deref()), (1, None));
    assert_ne!(message.id.as_str(), old);
    assert!(message.sent.as_secs() >= 1_800_000_060, "a new enqueue time");

    let facts = world.facts();
    let redriven = Fact::Redriven {
        from: "dlq".into(),
        to: "other".into(),
        old_message_id: old.into(),
        message_id: message.id,
    };
    assert_eq!(facts[1..], [redriven, Fact::MoveTaskEnded { task, status: MoveStatus::Completed }]);
}

#[test]
fn the_rate_spaces_the_moves_oldest_first() {
    let mut world = dead_letters(3);
    let rate = json!({ "SourceArn": arn("dlq"), "MaxNumberOfMessagesPerSecond": 1 });
    let task = start(&mut world, rate).expect("started");
    for moved in 0..3 {
        assert_eq!(world.depth("q"), (moved, 0, 0));
        assert_eq!(world.core.move_task(&task).expect("it exists").status, MoveStatus::Running);
        world.pass(1);
    }
    assert_eq!(
        world.core.move_task(&task).map(|task| (task.status, task.moved)),
        Some((MoveStatus::Completed, 3))
    );
    assert_eq!(bodies(&world.receive("q")), ["0", "1", "2"]);
}

#[test]
fn a_redriven_message_is_dead_lettered_again_after_as_many_receives() {
    let mut world = dead_letters(1);
    start(&mut world, json!({ "SourceArn": arn("dlq") })).expect("started");
    world.pass(1);
    assert_eq!(world.one("q").receives, 1);
    world.pass(30);
    assert!(world.receive("q").is_empty());
    assert_eq!(world.depth("dlq"), (1, 0, 0));
}

#[test]
fn errors_have_their_codes_and_texts() {
    let mut world = dead_letters(1);
    world.create("plain", &[]);
    let error = start(&mut world, json!({ "SourceArn": arn("plain") })).expect_err("refused");
    assert_eq!(error.query_code, "InvalidParameterValue");
    assert_eq!(error.message, "Source queue must be configured as a Dead Letter Queue.");
    let missing = json!({ "SourceArn": arn("dlq"), "DestinationArn": arn("none") });
    let error = start(&mut world, missing).expect_err("refused");
    assert_eq!((&*error.query_code, error.status.as_u16()), ("ResourceNotFoundException", 404));
    for rate in [0, 501] {
        let rate = json!({ "SourceArn": arn("dlq"), "MaxNumberOfMessagesPerSecond": rate });
        assert_eq!(start(&mut world, rate).expect_err("refused").query_code, "InvalidParameterValue");
    }
    start(&mut world, json!({ "SourceArn": arn("dlq") })).expect("started");
    let error = start(&mut world, json!({ "SourceArn": arn("dlq") })).expect_err("refused");
    assert_eq!(
        error.message,
        "There is already a task running. Only one active task is allowed for a source queue arn at a given time."
    );
}

#[test]
fn a_cancelled_task_leaves_what_it_moved() {
    let mut world = dead_letters(3);
    let rate = json!({ "SourceArn": arn("dlq"), "MaxNumberOfMessagesPerSecond": 1 });
    let task = start(&mut world, rate).expect("started");
    world.pass(1);
    assert_eq!(cancel(&mut world, &task).expect("cancelled")["ApproximateNumberOfMessagesMoved"], 1);
    world.pass(60);
    assert_eq!((world.depth("dlq"), world.depth("q")), ((2, 0, 0), (1, 0, 0)));
    cancel(&mut world, &task).expect_err("it does not run any more");
    assert_eq!(
        cancel(&mut world, "x").expect_err("refused").message,
        "Value for parameter TaskHandle is invalid."
    );
    let handle = |source: &str| STANDARD.encode(json!({ "taskId": "t", "sourceArn": source }).to_string());
    let unknown = cancel(&mut world, &handle(&arn("none"))).expect_err("refused");
    assert_eq!(
        (unknown.message.as_str(), unknown.status.as_u16()),
        ("The resource that you specified for the SourceArn parameter doesn't exist.", 404)
    );
    let unknown = cancel(&mut world, &handle(&arn("dlq"))).expect_err("refused");
    assert_eq!((unknown.message.as_str(), unknown.status.as_u16()), ("Task does not exist.", 404));
}

#[test]
fn the_list_is_newest_first_and_shows_the_handle_only_while_it_runs() {
    let mut world = dead_letters(2);
    let first = json!({ "SourceArn": arn("dlq"), "MaxNumberOfMessagesPerSecond": 1 });
    start(&mut world, first).expect("started");
    let running = &list(&mut world, "dlq", 1)[0];
    assert_eq!(
        (&running["Status"], &running["ApproximateNumberOfMessagesToMove"]),
        (&json!("RUNNING"), &json!(2))
    );
    assert!(running["TaskHandle"].is_string());
    world.pass(2);
    start(&mut world, json!({ "SourceArn": arn("dlq"), "DestinationArn": arn("q") })).expect("started");
    let both = list(&mut world, "dlq", 10);
    assert_eq!((&both[0]["Status"], &both[0]["DestinationArn"]), (&json!("RUNNING"), &json!(arn("q"))));
    assert_eq!(
        (&both[1]["Status"], &both[1]["ApproximateNumberOfMessagesMoved"]),
        (&json!("COMPLETED"), &json!(2))
    );
    assert!(both[1].get("TaskHandle").is_none() && both[1].get("FailureReason").is_none());
    assert_eq!(text(&both[1]["SourceArn"]), arn("dlq"));
}

#[test]
fn a_task_fails_when_its_destination_vanishes() {
    let mut world = dead_letters(2);
    world.create("to", &[]);
    let members =
        json!({ "SourceArn": arn("dlq"), "DestinationArn": arn("to"), "MaxNumberOfMessagesPerSecond": 1 });
    start(&mut world, members).expect("started");
    world.pass(1);
    world.on("to", |core, now, id| core.delete_queue(now, id)).expect("deleted");
    world.pass(1);
    let task = &list(&mut world, "dlq", 1)[0];
    assert_eq!(
        (&task["Status"], &task["FailureReason"]),
        (&json!("FAILED"), &json!("AWS.SimpleQueueService.NonExistentQueue"))
    );
    assert_eq!(world.depth("dlq"), (1, 0, 0), "nothing is lost");
}

#[test]
fn a_message_without_a_source_has_nowhere_to_go_back_to() {
    let mut world = World::with_dlq(1);
    world.send("dlq", "sent by hand");
    let task = start(&mut world, json!({ "SourceArn": arn("dlq") })).expect("started");
    world.pass(1);
    assert_eq!(world.core.move_task(&task).expect("it exists").status, MoveStatus::Failed);
    assert_eq!(world.depth("dlq"), (1, 0, 0));
}

#[test]
fn a_destination_is_another_queue_of_the_same_type() {
    let mut world = dead_letters(1);
    world.create_fifo("to.fifo", &[]);
    for (source, destination, text) in [
        ("dlq", arn("dlq"), "Source queue arn and destination queue arn cannot be the same."),
        ("dlq", arn("to.fifo"), "The source queue and destination queue must be of the same queue type."),
        (
            "dlq",
            "invalid".to_owned(),
            "You must use this format to specify the DestinationArn: arn:<partition>:<service>:<region>:<account-id>:<resource-id>",
        ),
    ] {
        let members = json!({ "SourceArn": arn(source), "DestinationArn": destination });
        assert_eq!(start(&mut world, members).expect_err("refused").message, text);
    }
    for rate in [0, 501] {
        let members = json!({ "SourceArn": arn("dlq"), "MaxNumberOfMessagesPerSecond": rate });
        assert_eq!(
            start(&mut world, members).expect_err("refused").message,
            "Value for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: You must enter a number that's between 1 and \
             500."
        );
    }
}
