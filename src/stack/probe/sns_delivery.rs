//! What an SQS subscriber receives (semantics 2.1).

use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::queue::body;
use super::topic::{attribute, envelope, published};

checks! { Sns:
    Seconds "sns-envelope" "2.1" "a subscribed queue gets what was published in an envelope of type Notification" in_envelope;
    Seconds "sns-envelope-id" "2.1" "the envelope has the MessageId of Publish, the SQS message another" ids;
    Seconds "sns-envelope-attributes" "2.1" "attributes are inside the envelope, and not on the SQS message" attributes_inside;
    Seconds "sns-envelope-subject" "2.1" "Subject is there only when it was set" subject;
    Seconds "sns-raw" "2.1" "with raw delivery the body is the message itself" raw;
    Seconds "sns-raw-attributes" "2.1" "with raw delivery attributes become SQS message attributes" raw_attributes;
    Seconds "sns-fan-out" "2.1" "every subscriber gets a copy" fan_out;
    Seconds "sns-unsubscribe" "2.1" "who has unsubscribed gets nothing" unsubscribe;
}

async fn in_envelope(lab: Lab) -> Shown {
    let (topic, queue) = lab.subscribed(&[]).await?;
    topic.publish("hello").await?;
    let envelope = envelope(&queue.one("the notification in the queue").await?)?;
    let told = [&envelope["Type"], &envelope["TopicArn"], &envelope["Message"]].map(|it| it.as_str());
    same("the envelope's", told, [Some("Notification"), Some(&topic.arn), Some("hello")])?;
    for member in ["Timestamp", "SignatureVersion", "Signature", "SigningCertURL", "UnsubscribeURL"] {
        ensure(envelope[member].is_string(), format!("a member {member}"), envelope.to_string())?;
    }
    Ok(())
}

async fn ids(lab: Lab) -> Shown {
    let (topic, queue) = lab.subscribed(&[]).await?;
    let id = topic.publish("hello").await?;
    let message = queue.one("the notification in the queue").await?;
    same("the envelope's MessageId", envelope(&message)?["MessageId"].as_str(), Some(id.as_str()))?;
    ensure(super::queue::id(&message) != id, "another MessageId in SQS", "the same")
}

async fn attributes_inside(lab: Lab) -> Shown {
    let (topic, queue) = lab.subscribed(&[]).await?;
    let publish = topic.publishing("hello").message_attributes("colour", attribute("String", "red"));
    publish.send().await?;
    let message = queue.one("the notification in the queue").await?;
    let inside = envelope(&message)?["MessageAttributes"]["colour"].clone();
    same("the attribute", inside, serde_json::json!({ "Type": "String", "Value": "red" }))?;
    let outside = message.message_attributes.map_or(0, |all| all.len());
    same("attributes of the SQS message:", outside, 0)
}

async fn subject(lab: Lab) -> Shown {
    let (topic, queue) = lab.subscribed(&[]).await?;
    topic.publish("without").await?;
    let without = envelope(&queue.one("the notification in the queue").await?)?;
    ensure(without.get("Subject").is_none(), "no Subject", without.to_string())?;
    topic.publishing("with").subject("a subject").send().await?;
    let with = queue.take(2).await?;
    let found = with.iter().map(envelope).collect::<Shown<Vec<_>>>()?;
    let found = found.iter().any(|envelope| envelope["Subject"] == "a subject");
    ensure(found, "the Subject", "none")
}

async fn raw(lab: Lab) -> Shown {
    let (topic, queue) = lab.subscribed(&[("RawMessageDelivery", "true")]).await?;
    topic.publish("hello").await?;
    same("the body", body(&queue.one("the message in the queue").await?), "hello")
}

async fn raw_attributes(lab: Lab) -> Shown {
    let (topic, queue) = lab.subscribed(&[("RawMessageDelivery", "true")]).await?;
    let publish = topic.publishing("hello").message_attributes("colour", attribute("String", "red"));
    publish.send().await?;
    let message = queue.one("the message in the queue").await?;
    let colour = message.message_attributes.as_ref().and_then(|all| all.get("colour")?.string_value());
    same("the attribute", colour, Some("red"))
}

async fn fan_out(lab: Lab) -> Shown {
    let (topic, queue) = lab.subscribed(&[]).await?;
    let other = lab.queue(&[]).await?;
    topic.subscribe(&other, &[]).await?;
    topic.publish("hello").await?;
    for queue in [queue, other] {
        same("the copies", published(&queue.take(1).await?)?, vec!["hello".to_owned()])?;
    }
    Ok(())
}

async fn unsubscribe(lab: Lab) -> Shown {
    let (topic, queue) = (lab.topic().await?, lab.queue(&[]).await?);
    let subscription = topic.subscribe(&queue, &[]).await?;
    topic.publish("before").await?;
    let before = queue.one("the notification before").await?;
    queue.delete(&before).await?;
    lab.sns().unsubscribe().subscription_arn(subscription).send().await?;
    topic.publish("after").await?;
    lab.pass(1).await;
    queue.none("nothing after the end of the subscription").await
}
