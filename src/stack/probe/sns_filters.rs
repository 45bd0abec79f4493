//! Filter policies (semantics 2.2).

use serde_json::{Value, json};

use super::check::checks;
use super::finding::{Shown, same};
use super::lab::Lab;
use super::refusal::refused;
use super::topic::{attribute, published};

checks! { Sns:
    Seconds "sns-filter-exact" "2.2" "only messages with a value of the list are delivered" exact;
    Seconds "sns-filter-missing" "2.2" "a message without the attribute is not delivered" missing;
    Seconds "sns-filter-and" "2.2" "all keys of a policy must match" and;
    Seconds "sns-filter-anything-but" "2.2" "anything-but takes other values, and none where there is no attribute" anything_but;
    Seconds "sns-filter-prefix" "2.2" "prefix" prefix;
    Seconds "sns-filter-numeric" "2.2" "numeric compares numbers, with both ends of a range" numeric;
    Seconds "sns-filter-exists" "2.2" "exists: false takes messages without the attribute only" exists;
    Seconds "sns-filter-body" "2.2" "with the scope MessageBody the body's fields are looked at" in_body;
    Seconds "sns-filter-or" "2.2" "$or takes what matches one of its policies" or;
    Seconds "sns-filter-array" "2.2" "an attribute of type String.Array matches with any element" array;
    Seconds "sns-filter-invalid" "2.2" "a policy that is none is refused" invalid;
}

/// The attributes with which a message is published.
type Attributes = &'static [(&'static str, &'static str, &'static str)];

/// Publishes messages under their names, and sees which of them the policy lets through.
async fn lets_through(lab: Lab, policy: Value, messages: &[(&str, Attributes)], expected: &[&str]) -> Shown {
    let (topic, queue) = lab.subscribed(&[("FilterPolicy", &policy.to_string())]).await?;
    for (name, attributes) in messages {
        let publish = attributes.iter().fold(topic.publishing(name), |publish, (name, kind, value)| {
            publish.message_attributes(*name, attribute(kind, value))
        });
        publish.send().await?;
    }
    let seen = queue.take(messages.len()).await?;
    let expected: Vec<String> = expected.iter().map(|name| (*name).to_owned()).collect();
    same("delivered:", published(&seen)?, expected)
}

const RED: Attributes = &[("colour", "String", "red")];
const BLUE: Attributes = &[("colour", "String", "blue")];

async fn exact(lab: Lab) -> Shown {
    let policy = json!({ "colour": ["red", "green"] });
    lets_through(lab, policy, &[("blue", BLUE), ("red", RED)], &["red"]).await
}

async fn missing(lab: Lab) -> Shown {
    lets_through(lab, json!({ "colour": ["red"] }), &[("bare", &[]), ("red", RED)], &["red"]).await
}

async fn and(lab: Lab) -> Shown {
    const BOTH: Attributes = &[("colour", "String", "red"), ("size", "String", "xl")];
    let policy = json!({ "colour": ["red"], "size": ["xl"] });
    lets_through(lab, policy, &[("one", RED), ("both", BOTH)], &["both"]).await
}

async fn anything_but(lab: Lab) -> Shown {
    let policy = json!({ "colour": [{ "anything-but": ["red"] }] });
    lets_through(lab, policy, &[("red", RED), ("bare", &[]), ("blue", BLUE)], &["blue"]).await
}

async fn prefix(lab: Lab) -> Shown {
    let policy = json!({ "colour": [{ "prefix": "bl" }] });
    lets_through(lab, policy, &[("red", RED), ("blue", BLUE)], &["blue"]).await
}

async fn numeric(lab: Lab) -> Shown {
    const FIVE: Attributes = &[("price", "Number", "5")];
    const TEN: Attributes = &[("price", "Number", "10")];
    const TEXT: Attributes = &[("price", "String", "10")];
    let policy = json!({ "price": [{ "numeric": [">", 5, "<=", 10] }] });
    lets_through(lab, policy, &[("five", FIVE), ("text", TEXT), ("ten", TEN)], &["ten"]).await
}

async fn exists(lab: Lab) -> Shown {
    let policy = json!({ "colour": [{ "exists": false }] });
    lets_through(lab, policy, &[("red", RED), ("bare", &[])], &["bare"]).await
}

async fn or(lab: Lab) -> Shown {
    const LARGE: Attributes = &[("size", "String", "xl")];
    let policy = json!({ "$or": [{ "colour": ["red"] }, { "size": ["xl"] }] });
    lets_through(lab, policy, &[("blue", BLUE), ("large", LARGE), ("red", RED)], &["large", "red"]).await
}

async fn array(lab: Lab) -> Shown {
    const MANY: Attributes = &[("colour", "String.Array", "[\"blue\", \"red\"]")];
    const NONE: Attributes = &[("colour", "String.Array", "[\"blue\"]")];
    lets_through(lab, json!({ "colour": ["red"] }), &[("none", NONE), ("many", MANY)], &["many"]).await
}

async fn in_body(lab: Lab) -> Shown {
    let policy = json!({ "order": { "state": ["paid"] } }).to_string();
    let attributes = [("FilterPolicyScope", "MessageBody"), ("FilterPolicy", policy.as_str())];
    let (topic, queue) = lab.subscribed(&attributes).await?;
    let paid = r#"{"order":{"state":"paid"}}"#;
    for message in ["no json", r#"{"order":{"state":"open"}}"#, paid] {
        topic.publish(message).await?;
    }
    same("delivered:", published(&queue.take(3).await?)?, vec![paid.to_owned()])
}

async fn invalid(lab: Lab) -> Shown {
    let (topic, queue) = (lab.topic().await?, lab.queue(&[]).await?);
    let subscribe = lab.sns().subscribe().topic_arn(&topic.arn).protocol("sqs").endpoint(&queue.arn);
    let policy = json!({ "colour": [{ "smells-like": "red" }] }).to_string();
    refused(subscribe.attributes("FilterPolicy", policy).send().await, &["InvalidParameter"])
}
