//! Semantics 1.5, 1.9, 1.13, 1.15: which attributes which queue takes, with AWS's texts.

use serde_json::{Value, json};

use super::{World, arn, policy, value};
use crate::sqs::parse;

fn attributes(world: &mut World, queue: &str, names: &[&str]) -> Result<Value, havoq_wire::ServiceError> {
    let input = parse(json!({ "AttributeNames": names }))?;
    world.on(queue, |core, now, id| core.get_queue_attributes(now, id, input)).map(value)
}

fn refused(result: Result<Value, havoq_wire::ServiceError>) -> (String, String) {
    let error = result.expect_err("refused");
    (error.shape_name().to_owned(), error.message)
}

#[test]
fn a_fifo_queue_has_four_more_with_their_defaults() {
    let mut world = World::new();
    world.create("q.fifo", &[("FifoQueue", "True")]);
    world.create("q", &[]);
    let all = attributes(&mut world, "q.fifo", &["All"]).expect("given")["Attributes"].clone();
    for (name, default) in [
        ("FifoQueue", "true"),
        ("ContentBasedDeduplication", "false"),
        ("DeduplicationScope", "queue"),
        ("FifoThroughputLimit", "perQueue"),
    ] {
        assert_eq!(all[name], default);
        assert_eq!(
            refused(attributes(&mut world, "q", &[name])),
            ("InvalidAttributeName".into(), format!("Unknown Attribute {name}."))
        );
    }
    assert_eq!(all.as_object().expect("an object").len(), 16);
    let standard = attributes(&mut world, "q", &["All"]).expect("given")["Attributes"].clone();
    assert_eq!(standard.as_object().expect("an object").len(), 12);
    assert!(attributes(&mut world, "q", &[]).expect("given").get("Attributes").is_none());
}

#[test]
fn a_standard_queue_does_not_take_them() {
    let mut world = World::new();
    let texts = [
        ("FifoQueue", "false", "Unknown Attribute FifoQueue."),
        ("ContentBasedDeduplication", "false", "Unknown Attribute ContentBasedDeduplication."),
        (
            "DeduplicationScope",
            "queue",
            "You can specify the DeduplicationScope only when FifoQueue is set to true.",
        ),
        (
            "FifoThroughputLimit",
            "perQueue",
            "You can specify the FifoThroughputLimit only when FifoQueue is set to true.",
        ),
    ];
    for (name, text) in texts.map(|(name, value, text)| ((name, value), text)) {
        assert_eq!(refused(world.try_create("q", &[name])), ("InvalidAttributeName".into(), text.into()));
    }
    world.create("q", &[]);
    for value in ["true", "false"] {
        let error = world.set("q", "FifoQueue", value).expect_err("refused");
        assert_eq!(error.message, "Unknown Attribute FifoQueue.");
    }
}

#[test]
fn a_queue_keeps_its_type() {
    let mut world = World::fifo(&[]);
    world.set("q.fifo", "FifoQueue", "true").expect("it is one");
    let error = world.set("q.fifo", "FifoQueue", "false").expect_err("refused");
    assert_eq!(
        (error.shape_name(), error.message.as_str()),
        (
            "InvalidAttributeValue",
            "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported."
        )
    );
}

#[test]
fn high_throughput_needs_the_scope_of_the_group() {
    let mut world = World::fifo(&[]);
    let error = world.set("q.fifo", "FifoThroughputLimit", "perMessageGroupId").expect_err("refused");
    assert!(error.message.contains("only when the value for DeduplicationScope is messageGroup"));
    let both = [("DeduplicationScope", "messageGroup"), ("FifoThroughputLimit", "perMessageGroupId")];
    world.create_fifo("fast.fifo", &both);
    for (name, value) in
        [("DeduplicationScope", "x"), ("FifoThroughputLimit", "x"), ("ContentBasedDeduplication", "x")]
    {
        let error = world.set("q.fifo", name, value).expect_err("refused");
        assert_eq!(error.message, format!("Invalid value for the parameter {name}."));
    }
}

#[test]
fn one_kind_of_encryption_at_a_time() {
    let mut world = World::new();
    let both = [("KmsMasterKeyId", "key"), ("SqsManagedSseEnabled", "true")];
    assert_eq!(
        refused(world.try_create("q", &both)),
        (
            "InvalidAttributeName".into(),
            "You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE."
                .into()
        )
    );
    world.create("q", &[("KmsMasterKeyId", "key"), ("KmsDataKeyReusePeriodSeconds", "6000")]);
    let names = ["KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds", "SqsManagedSseEnabled"];
    assert_eq!(
        attributes(&mut world, "q", &names).expect("given")["Attributes"],
        json!({ "KmsMasterKeyId": "key", "KmsDataKeyReusePeriodSeconds": "6000", "SqsManagedSseEnabled": "false" })
    );
    world.set("q", "SqsManagedSseEnabled", "true").expect("set");
    let after = attributes(&mut world, "q", &names).expect("given");
    assert_eq!(after["Attributes"], json!({ "SqsManagedSseEnabled": "true" }));
}

#[test]
fn setting_nothing_is_a_missing_parameter() {
    let mut world = World::new();
    world.create("q", &[]);
    for input in [json!({}), json!({ "Attributes": {} })] {
        let input = parse(input).expect("an input");
        let error =
            world.on("q", |core, now, id| core.set_queue_attributes(now, id, input)).expect_err("refused");
        assert_eq!(error.message, "The request must contain the parameter Attribute.Name.");
    }
}

#[test]
fn a_dead_letter_queue_is_of_the_same_type_and_account_exists_and_allows_it() {
    let mut world = World::fifo(&[]);
    for queue in ["q", "dlq"] {
        world.create(queue, &[]);
    }
    let reason = |world: &mut World, queue: &str, text: &str| {
        let error = world.set(queue, "RedrivePolicy", text).expect_err("refused");
        assert_eq!(error.query_code, "InvalidParameterValue");
        error.message.split("Reason: ").nth(1).expect("a reason").to_owned()
    };
    let other = "Dead-letter queue must be same type of queue as the source..";
    assert_eq!(reason(&mut world, "q", &policy("q.fifo", 1)), other);
    assert_eq!(reason(&mut world, "q.fifo", &policy("dlq", 1)), other);
    assert_eq!(reason(&mut world, "q", &policy("none", 1)), "Dead letter target does not exist.");
    let foreign = policy("dlq", 1).replace("123456789012", "111111111111");
    assert_eq!(reason(&mut world, "q", &foreign), "Dead-letter target owner should be same as the source.");
    let region = policy("dlq", 1).replace("eu-central-1", "eu-west-1");
    assert_eq!(reason(&mut world, "q", &region), "Dead letter target does not exist.");

    let allow = |arn: String| json!({ "redrivePermission": "byQueue", "sourceQueueArns": [arn] }).to_string();
    world.set("dlq", "RedriveAllowPolicy", &allow(arn("other"))).expect("set");
    assert!(reason(&mut world, "q", &policy("dlq", 1)).contains("RedriveAllowPolicy"));
    refused(world.try_create("new", &[("RedrivePolicy", &policy("dlq", 1))]));
    world.set("dlq", "RedriveAllowPolicy", &allow(arn("q"))).expect("set");
    world.set("q", "RedrivePolicy", &policy("dlq", 1)).expect("allowed");
}
