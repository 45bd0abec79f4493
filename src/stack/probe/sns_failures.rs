//! Deliveries that fail, and their dead-letter queues (semantics 2.3).

use serde_json::json;

use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::queue::{Queue, body};
use super::refusal::succeeds;
use super::topic::{Topic, published};

checks! { Sns:
    Seconds "sns-queue-policy-needed" "2.3" "a queue without a policy that lets the topic in gets nothing" policy_needed;
    Seconds "sns-queue-policy-denies" "2.3" "a queue whose policy denies the topic gets nothing" policy_denies;
    Seconds "sns-dlq-denied" "2.3" "what the queue's policy refuses goes to the subscription's dead-letter queue" dlq_denied;
    Seconds "sns-dlq-deleted" "2.3" "what a deleted queue cannot take goes to the subscription's dead-letter queue" dlq_deleted;
    Seconds "sns-dlq-raw" "2.3" "with raw delivery the dead letter is raw too" dlq_raw;
    Seconds "sns-dlq-others" "2.3" "a subscriber that fails takes nothing from the others" others;
    Seconds "sns-publish-anyway" "2.3" "Publish succeeds though a delivery fails" publish_anyway;
    Seconds "sns-stays-subscribed" "2.3" "a subscriber that failed gets what comes once it can" stays_subscribed;
}

fn redrive(dead: &Queue) -> String {
    json!({ "deadLetterTargetArn": dead.arn }).to_string()
}

async fn policy_needed(lab: Lab) -> Shown {
    let (topic, queue) = (lab.topic().await?, lab.queue(&[]).await?);
    topic.subscribe_only(&queue, &[]).await?;
    topic.publish("hello").await?;
    lab.pass(2).await;
    queue.none("nothing in a queue that lets no topic in").await
}

async fn policy_denies(lab: Lab) -> Shown {
    let (topic, queue) = lab.subscribed(&[]).await?;
    queue.set("Policy", &topic.statement("Deny", &queue).to_string()).await?;
    topic.publish("hello").await?;
    lab.pass(2).await;
    queue.none("nothing in a queue that denies the topic").await
}

/// A topic, a queue that is subscribed to it, and the subscription's dead-letter queue.
async fn with_dead_letters(lab: &Lab, more: &[(&str, &str)]) -> Shown<(Topic, Queue, Queue)> {
    let (topic, queue, dead) = (lab.topic().await?, lab.queue(&[]).await?, lab.queue(&[]).await?);
    topic.admit_to(&dead).await?;
    topic.subscribe(&queue, &[&[("RedrivePolicy", redrive(&dead).as_str())], more].concat()).await?;
    Ok((topic, queue, dead))
}

async fn dlq_denied(lab: Lab) -> Shown {
    let (topic, queue, dead) = with_dead_letters(&lab, &[]).await?;
    queue.set("Policy", &topic.statement("Deny", &queue).to_string()).await?;
    topic.publish("hello").await?;
    same("dead letters:", published(&dead.take(1).await?)?, vec!["hello".to_owned()])
}

async fn dlq_deleted(lab: Lab) -> Shown {
    let (topic, queue, dead) = with_dead_letters(&lab, &[]).await?;
    lab.sqs().delete_queue().queue_url(&queue.url).send().await?;
    publish(&topic, "hello").await?;
    same("dead letters:", published(&dead.take(1).await?)?, vec!["hello".to_owned()])
}

async fn dlq_raw(lab: Lab) -> Shown {
    let (topic, queue, dead) = with_dead_letters(&lab, &[("RawMessageDelivery", "true")]).await?;
    lab.sqs().delete_queue().queue_url(&queue.url).send().await?;
    publish(&topic, "hello").await?;
    same("the dead letter", body(&dead.one("the message in the dead-letter queue").await?), "hello")
}

async fn others(lab: Lab) -> Shown {
    let (topic, broken) = lab.subscribed(&[]).await?;
    let sound = lab.queue(&[]).await?;
    topic.subscribe(&sound, &[]).await?;
    lab.sqs().delete_queue().queue_url(&broken.url).send().await?;
    publish(&topic, "hello").await?;
    same("delivered to the other:", published(&sound.take(1).await?)?, vec!["hello".to_owned()])
}

async fn publish_anyway(lab: Lab) -> Shown {
    let (topic, queue) = lab.subscribed(&[]).await?;
    lab.sqs().delete_queue().queue_url(&queue.url).send().await?;
    publish(&topic, "hello").await
}

async fn stays_subscribed(lab: Lab) -> Shown {
    let (topic, queue) = lab.subscribed(&[]).await?;
    queue.set("Policy", &topic.statement("Deny", &queue).to_string()).await?;
    publish(&topic, "denied").await?;
    lab.pass(2).await;
    queue.none("nothing in a queue that denies the topic").await?;
    topic.admit_to(&queue).await?;
    publish(&topic, "let in").await?;
    let seen = published(&queue.take(1).await?)?;
    ensure(seen == ["let in"], "what was published after that", format!("{seen:?}"))
}

/// What becomes of a delivery is never the publisher's error.
async fn publish(topic: &Topic, message: &str) -> Shown {
    succeeds("Publish", topic.publish(message).await)
}
