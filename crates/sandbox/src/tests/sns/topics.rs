//! The life of topics and what they say of themselves.

use serde_json::json;

use super::topic_arn;
use crate::tests::{World, text};

#[test]
fn creating_a_topic_again_gives_the_one_that_is_there_unless_it_differs() {
    let mut world = World::new();
    let create = |attributes, tags| json!({ "Name": "t", "Attributes": attributes, "Tags": tags });
    let tag = |key: &str, value: &str| json!({ "Key": key, "Value": value });
    let tags = json!([tag("a", "1"), tag("b", "2")]);
    let made = world.sns_ok("CreateTopic", create(json!({ "DisplayName": "one" }), tags.clone()));
    assert_eq!(made["TopicArn"], topic_arn("t"));
    for (attributes, tags) in [
        (json!({}), json!([])),
        (json!({ "DisplayName": "one" }), tags.clone()),
        (json!({ "FifoTopic": "false" }), json!([tag("a", "1")])),
    ] {
        assert_eq!(world.sns_ok("CreateTopic", create(attributes, tags)), made);
    }
    for attributes in
        [json!({ "DisplayName": "two" }), json!({ "SignatureVersion": "2", "DisplayName": "one" })]
    {
        assert_eq!(
            world.sns_error("CreateTopic", create(attributes, json!([]))),
            "InvalidParameter: Invalid parameter: Attributes Reason: Topic already exists with different attributes"
        );
    }
    assert_eq!(
        world.sns_error("CreateTopic", create(json!({}), json!([tag("c", "3")]))),
        "InvalidParameter: Invalid parameter: Tags Reason: Topic already exists with different tags"
    );
    world.sns_ok("DeleteTopic", json!({ "TopicArn": topic_arn("t") }));
    world.sns_ok("CreateTopic", create(json!({ "DisplayName": "two" }), json!([tag("c", "3")])));
}

#[test]
fn names_are_1_to_256_letters_digits_hyphens_and_underscores_and_fifo_ones_end_so() {
    let mut world = World::new();
    world.sns_ok("CreateTopic", json!({ "Name": "a".repeat(256) }));
    let fifo = json!({ "FifoTopic": "true" });
    world.sns_ok("CreateTopic", json!({ "Name": "a.fifo", "Attributes": fifo }));
    let long = "a".repeat(257);
    for name in ["", &long, "a.fifo", "a b", "a.b", "a/b", "a:b", "é"] {
        let error = world.sns_error("CreateTopic", json!({ "Name": name }));
        assert_eq!(error, "InvalidParameter: Invalid parameter: Topic Name", "{name}");
    }
    for name in ["a", ".fifo"] {
        let error = world.sns_error("CreateTopic", json!({ "Name": name, "Attributes": fifo }));
        assert_eq!(error, "InvalidParameter: Invalid parameter: Topic Name", "{name}");
    }
}

#[test]
fn topic_arns_are_checked_as_sns_checks_them() {
    let mut world = World::new();
    for operation in
        ["GetTopicAttributes", "DeleteTopic", "ListSubscriptionsByTopic", "Publish", "PublishBatch"]
    {
        for (arn, expected) in [
            (
                "x",
                "InvalidParameter: Invalid parameter: TopicArn Reason: An ARN must have at least 6 elements, not 1",
            ),
            (
                "",
                "InvalidParameter: Invalid parameter: TopicArn Reason: An ARN must have at least 6 elements, not 1",
            ),
            ("arn:aws:sns:eu-west-1:123456789012:t", "InvalidParameter: Invalid parameter: TopicArn"),
        ] {
            assert_eq!(world.sns_error(operation, json!({ "TopicArn": arn })), expected, "{operation} {arn}");
        }
    }
    let none = json!({ "TopicArn": topic_arn("none") });
    assert_eq!(world.sns_error("GetTopicAttributes", none.clone()), "NotFound: Topic does not exist");
    world.sns_ok("DeleteTopic", none);
}

#[test]
fn a_topic_shows_its_default_policy_and_delivery_policy() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let shown = world.sns_ok("GetTopicAttributes", json!({ "TopicArn": topic }));
    let attributes = shown["Attributes"].as_object().expect("attributes");
    let names: Vec<_> = attributes.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "DisplayName",
            "EffectiveDeliveryPolicy",
            "Owner",
            "Policy",
            "SubscriptionsConfirmed",
            "SubscriptionsDeleted",
            "SubscriptionsPending",
            "TopicArn"
        ]
    );
    assert_eq!(
        attributes["Policy"],
        format!(
            r#"{{"Version":"2008-10-17","Id":"__default_policy_ID","Statement":[{{"Sid":"__default_statement_ID","Effect":"Allow","Principal":{{"AWS":"*"}},"Action":["SNS:GetTopicAttributes","SNS:SetTopicAttributes","SNS:AddPermission","SNS:RemovePermission","SNS:DeleteTopic","SNS:Subscribe","SNS:ListSubscriptionsByTopic","SNS:Publish"],"Resource":"{topic}","Condition":{{"StringEquals":{{"AWS:SourceOwner":"123456789012"}}}}}}]}}"#
        )
    );
    assert_eq!(
        attributes["EffectiveDeliveryPolicy"],
        r#"{"http":{"defaultHealthyRetryPolicy":{"minDelayTarget":20,"maxDelayTarget":20,"numRetries":3,"numMaxDelayRetries":0,"numNoDelayRetries":0,"numMinDelayRetries":0,"backoffFunction":"linear"},"disableSubscriptionOverrides":false,"defaultRequestPolicy":{"headerContentType":"text/plain; charset=UTF-8"}}}"#
    );
}

#[test]
fn a_fifo_topic_shows_what_it_is() {
    let mut world = World::new();
    let topic = world.topic("t.fifo", json!({ "FifoTopic": "true", "FifoThroughputScope": "MessageGroup" }));
    let shown = world.sns_ok("GetTopicAttributes", json!({ "TopicArn": topic }));
    for (name, value) in [
        ("FifoTopic", "true"),
        ("ContentBasedDeduplication", "false"),
        ("FifoThroughputScope", "MessageGroup"),
    ] {
        assert_eq!(shown["Attributes"][name], value);
    }
}

#[test]
fn lists_come_in_pages_of_100() {
    let mut world = World::new();
    for n in 0..150 {
        world.topic(&format!("t-{n:03}"), json!({}));
    }
    let first = world.sns_ok("ListTopics", json!({}));
    assert_eq!(first["Topics"].as_array().map(Vec::len), Some(100));
    assert_eq!(first["Topics"][0]["TopicArn"], topic_arn("t-000"));
    let second = world.sns_ok("ListTopics", json!({ "NextToken": text(&first["NextToken"]) }));
    assert_eq!(second["Topics"].as_array().map(Vec::len), Some(50));
    assert_eq!(second["Topics"][49]["TopicArn"], topic_arn("t-149"));
    assert!(second.get("NextToken").is_none());
    let error = world.sns_error("ListTopics", json!({ "NextToken": "%" }));
    assert_eq!(error, "InvalidParameter: Invalid parameter: NextToken");
}

#[test]
fn tags_are_set_read_and_taken_away() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let tag = |key: &str, value: &str| json!({ "Key": key, "Value": value });
    let twice = json!({ "ResourceArn": topic, "Tags": [tag("k", "1"), tag("k", "2")] });
    assert_eq!(
        world.sns_error("TagResource", twice),
        "InvalidParameter: Invalid parameter: Duplicated keys are not allowed."
    );
    let (long_key, long_value) = ("k".repeat(129), "v".repeat(257));
    for (key, value) in [("", "v"), (&*long_key, "v"), ("aws:k", "v"), ("k", &*long_value)] {
        let refused = json!({ "ResourceArn": topic, "Tags": [tag(key, value)] });
        let error = world.sns_error("TagResource", refused);
        assert!(error.starts_with("InvalidParameter: Invalid parameter: Tags Reason: "), "{error}");
    }
    let longest = json!({ "ResourceArn": topic, "Tags": [tag(&long_key[1..], &long_value[1..])] });
    world.sns_ok("TagResource", longest);
    world.sns_ok("UntagResource", json!({ "ResourceArn": topic, "TagKeys": [long_key[1..]] }));
    world.sns_ok("TagResource", json!({ "ResourceArn": topic, "Tags": [tag("k1", "v1"), tag("k2", "v2")] }));
    world.sns_ok("UntagResource", json!({ "ResourceArn": topic, "TagKeys": ["k1"] }));
    world.sns_ok("TagResource", json!({ "ResourceArn": topic, "Tags": [tag("k2", "v2b")] }));
    let listed = world.sns_ok("ListTagsForResource", json!({ "ResourceArn": topic }));
    assert_eq!(listed, json!({ "Tags": [tag("k2", "v2b")] }));
    let none = json!({ "ResourceArn": topic_arn("none") });
    assert_eq!(world.sns_error("ListTagsForResource", none), "ResourceNotFound: Resource does not exist");
    let many: Vec<_> = (0..51).map(|n| tag(&n.to_string(), "")).collect();
    let error = world.sns_error("TagResource", json!({ "ResourceArn": topic, "Tags": many }));
    assert!(error.starts_with("TagLimitExceeded"), "{error}");
}

#[test]
fn permissions_are_statements_of_the_policy() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let add = |label: &str, actions: serde_json::Value| json!({ "TopicArn": topic, "Label": label, "AWSAccountId": ["111111111111"], "ActionName": actions });
    world.sns_ok("AddPermission", add("one", json!(["Publish"])));
    world.sns_ok("AddPermission", add("two", json!(["Publish", "Subscribe"])));
    let policy = |world: &mut World| {
        let shown = world.sns_ok("GetTopicAttributes", json!({ "TopicArn": topic }));
        serde_json::from_str::<serde_json::Value>(&text(&shown["Attributes"]["Policy"])).expect("JSON")
    };
    let statements = policy(&mut world)["Statement"].clone();
    assert_eq!(statements[0]["Sid"], "__default_statement_ID");
    assert_eq!(
        statements[1].to_string(),
        format!(
            r#"{{"Sid":"one","Effect":"Allow","Principal":{{"AWS":"arn:aws:iam::111111111111:root"}},"Action":"SNS:Publish","Resource":"{topic}"}}"#
        )
    );
    assert_eq!(statements[2]["Action"], json!(["SNS:Publish", "SNS:Subscribe"]));
    let error = world.sns_error("AddPermission", add("one", json!(["Publish"])));
    assert_eq!(error, "InvalidParameter: Invalid parameter: Statement already exists");
    let error = world.sns_error("AddPermission", add("x", json!(["CreateTopic"])));
    assert_eq!(error, "InvalidParameter: Invalid parameter: Policy statement action out of service scope!");
    for label in ["one", "two"] {
        world.sns_ok("RemovePermission", json!({ "TopicArn": topic, "Label": label }));
    }
    assert_eq!(policy(&mut world)["Statement"].as_array().map(Vec::len), Some(1));
}
