//! Sizes, characters and digests (semantics 1.6, 1.8).

use aws_sdk_sqs::types::MessageAttributeValue;
use serde_json::json;

use super::check::checks;
use super::finding::{Not, Shown, ensure, same};
use super::lab::Lab;
use super::queue::text;
use super::refusal::refused;

const LONGEST: usize = 1_048_576;

checks! { Sqs:
    Seconds "sqs-size-mebibyte" "1.6" "a body of 1 MiB is taken" mebibyte;
    Seconds "sqs-size-too-long" "1.6" "a longer body is refused" too_long;
    Seconds "sqs-size-attributes-count" "1.6" "names, types and values of attributes count towards the size" attributes_count;
    Seconds "sqs-size-queue-maximum" "1.6" "a queue's own maximum is kept to" queue_maximum;
    Seconds "sqs-body-empty" "1.6" "an empty body is refused" empty;
    Seconds "sqs-body-characters" "1.6" "a body with a character that XML does not have is refused" characters;
    Seconds "sqs-attributes-eleven" "1.6" "eleven message attributes are refused" eleven;
    Seconds "sqs-attribute-empty" "1.6" "an attribute with an empty value is refused" empty_attribute;
    Seconds "sqs-attribute-reserved" "1.6" "an attribute name that begins with AWS. is refused" reserved;
    Seconds "sqs-digests" "1.8" "the digests of body and attributes are right" digests;
}

async fn mebibyte(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send(&"x".repeat(LONGEST)).await?;
    let message = queue.one("the message of 1 MiB").await?;
    same("a body of this length:", super::queue::body(&message).len(), LONGEST)
}

async fn too_long(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let sent = queue.sending(&"x".repeat(LONGEST + 1)).send().await;
    refused(sent, &["InvalidParameterValue"])
}

async fn attributes_count(lab: Lab) -> Shown {
    let queue = lab.queue(&[("MaximumMessageSize", "1024")]).await?;
    let send = queue.sending(&"x".repeat(1_020)).message_attributes("colour", text("red"));
    refused(send.send().await, &["InvalidParameterValue"])
}

async fn queue_maximum(lab: Lab) -> Shown {
    let queue = lab.queue(&[("MaximumMessageSize", "1024")]).await?;
    queue.send(&"x".repeat(1_024)).await?;
    refused(queue.sending(&"x".repeat(1_025)).send().await, &["InvalidParameterValue"])
}

async fn empty(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let sent = queue.sending("").send().await;
    refused(sent, &["MissingParameter", "MissingRequiredParameter", "InvalidParameterValue"])
}

async fn characters(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    refused(queue.sending("a\u{b}b").send().await, &["InvalidMessageContents"])
}

async fn eleven(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let send =
        (0..11).fold(queue.sending("a"), |send, n| send.message_attributes(format!("n{n}"), text("v")));
    refused(send.send().await, &["InvalidParameterValue"])
}

async fn empty_attribute(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let sent = queue.sending("a").message_attributes("colour", text("")).send().await;
    refused(sent, &["InvalidParameterValue"])
}

async fn reserved(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let sent = queue.sending("a").message_attributes("AWS.colour", text("red")).send().await;
    refused(sent, &["InvalidParameterValue"])
}

async fn digests(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let number = MessageAttributeValue::builder().data_type("Number.int").string_value("7").build();
    let number = number.map_err(|error| Not::Unclear(error.to_string()))?;
    let send = queue.sending("hello").message_attributes("n", number);
    let sent = send.message_attributes("colour", text("red")).send().await?;
    // Sums of the layout in semantics 1.8, made once with another program.
    let expected = json!(["5d41402abc4b2a76b9719d911017c592", "793ac3bc71066fdddb42962810765660"]);
    let seen = json!([sent.md5_of_message_body, sent.md5_of_message_attributes]);
    ensure(seen == expected, expected.to_string(), seen.to_string())
}
