//! Events that no target took: whether they are tried again, and where they go (semantics 3.4).

use aws_sdk_eventbridge::types::RetryPolicy;
use aws_sdk_sqs::types::Message;
use serde_json::json;

use super::bus::{Bus, Rule, dead_letters, event_names, everything, json_of, target};
use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::queue::Queue;
use super::refusal::{not_accepted, refused};

checks! { EventBridge:
    Seconds "eb-dlq-denied" "3.4" "what the target's policy refuses goes to the target's dead-letter queue" denied;
    Seconds "eb-dlq-deleted" "3.4" "what a deleted target cannot take goes to its dead-letter queue" deleted;
    Seconds "eb-dlq-body" "3.4" "the dead letter is the event" body;
    Seconds "eb-dlq-names" "3.4" "the dead letter names its rule and its target" names;
    Seconds "eb-dlq-no-permissions" "3.4" "the dead letter of a refusal has the ERROR_CODE NO_PERMISSIONS" no_permissions;
    Seconds "eb-dlq-not-exhausted" "3.4" "the dead letter of a refusal tells of no retry" not_exhausted;
    Seconds "eb-dlq-policy-needed" "3.4" "a dead-letter queue that does not let the rule in gets nothing" policy_needed;
    Seconds "eb-dlq-own" "3.4" "each target has a dead-letter queue of its own" own;
    Seconds "eb-dlq-others" "3.4" "no event that was delivered is dead-lettered" others;
    Seconds "eb-dlq-fifo" "3.4" "a FIFO queue cannot be a dead-letter queue" fifo;
    Seconds "eb-retry-denied" "3.4" "what was refused for its permissions is not tried again" retry_denied;
    Seconds "eb-retry-attempts-range" "3.4" "more than 185 retries are refused" attempts_range;
    Seconds "eb-retry-age-range" "3.4" "a maximum age of less than 60 s is refused" age_range;
}

/// A bus, its rule, the rule's target, and the target's dead-letter queue.
struct Failing {
    bus: Bus,
    rule: Rule,
    queue: Queue,
    dead: Queue,
}

async fn failing(lab: &Lab) -> Shown<Failing> {
    let dead = lab.queue(&[]).await?;
    let (bus, rule, queue) = lab.routed_with(|target| target.dead_letter_config(dead_letters(&dead))).await?;
    rule.admit_to(&dead).await?;
    Ok(Failing { bus, rule, queue, dead })
}

/// The same, with a target that refuses.
async fn refusing(lab: &Lab) -> Shown<Failing> {
    let failing = failing(lab).await?;
    failing.rule.deny_to(&failing.queue).await?;
    Ok(failing)
}

/// The dead letter of an event that the target refused.
async fn letter(lab: &Lab) -> Shown<(Failing, Message, String)> {
    let failing = refusing(lab).await?;
    let id = failing.bus.put(&json!({ "name": "a" })).await?;
    let message = failing.dead.one("the event in the dead-letter queue").await?;
    Ok((failing, message, id))
}

fn attribute<'a>(message: &'a Message, name: &str) -> Option<&'a str> {
    message.message_attributes.as_ref()?.get(name)?.string_value()
}

async fn denied(lab: Lab) -> Shown {
    letter(&lab).await?;
    Ok(())
}

async fn deleted(lab: Lab) -> Shown {
    let Failing { bus, queue, dead, .. } = failing(&lab).await?;
    lab.sqs().delete_queue().queue_url(&queue.url).send().await?;
    super::refusal::succeeds("PutEvents", bus.put(&json!({ "name": "a" })).await)?;
    same("dead letters:", event_names(&dead.take(2).await?)?, vec!["a".to_owned()])
}

async fn body(lab: Lab) -> Shown {
    let (_, message, id) = letter(&lab).await?;
    let event = json_of(&message)?;
    let told = [&event["id"], &event["detail-type"], &event["detail"]["name"]].map(|value| value.as_str());
    same("the event's id, type and name", told, [Some(id.as_str()), Some("probe"), Some("a")])
}

async fn names(lab: Lab) -> Shown {
    let (failing, message, _) = letter(&lab).await?;
    let seen = [attribute(&message, "RULE_ARN"), attribute(&message, "TARGET_ARN")];
    same("RULE_ARN and TARGET_ARN", seen, [Some(&*failing.rule.arn), Some(&*failing.queue.arn)])
}

async fn no_permissions(lab: Lab) -> Shown {
    let (_, message, _) = letter(&lab).await?;
    same("ERROR_CODE", attribute(&message, "ERROR_CODE"), Some("NO_PERMISSIONS"))?;
    let text = attribute(&message, "ERROR_MESSAGE").unwrap_or_default();
    ensure(!text.is_empty(), "an ERROR_MESSAGE", "none")
}

async fn not_exhausted(lab: Lab) -> Shown {
    let (_, message, _) = letter(&lab).await?;
    let seen = attribute(&message, "EXHAUSTED_RETRY_CONDITION");
    same("EXHAUSTED_RETRY_CONDITION", seen, None)
}

async fn policy_needed(lab: Lab) -> Shown {
    let shut = lab.queue(&[]).await?;
    let Failing { bus, rule, queue, dead } = refusing(&lab).await?;
    let again = target("2", &queue.arn).dead_letter_config(dead_letters(&shut));
    rule.put_target(again).await?;
    bus.put(&json!({ "name": "a" })).await?;
    // Where dead letters are sent at all.
    dead.one("the event in the dead-letter queue that lets the rule in").await?;
    lab.pass(2).await;
    shut.none("nothing in a dead-letter queue that does not let the rule in").await
}

async fn own(lab: Lab) -> Shown {
    let Failing { bus, rule, queue, dead } = refusing(&lab).await?;
    let other = lab.queue(&[]).await?;
    rule.admit_to(&other).await?;
    rule.put_target(target("2", &queue.arn).dead_letter_config(dead_letters(&other))).await?;
    bus.put(&json!({ "name": "a" })).await?;
    for queue in [dead, other] {
        same("dead letters:", event_names(&queue.take(2).await?)?, vec!["a".to_owned()])?;
    }
    Ok(())
}

async fn others(lab: Lab) -> Shown {
    let Failing { bus, rule, queue, dead } = failing(&lab).await?;
    bus.put(&json!({ "name": "delivered" })).await?;
    same("delivered:", event_names(&queue.take(2).await?)?, vec!["delivered".to_owned()])?;
    rule.deny_to(&queue).await?;
    bus.put(&json!({ "name": "refused" })).await?;
    same("dead letters:", event_names(&dead.take(2).await?)?, vec!["refused".to_owned()])
}

async fn fifo(lab: Lab) -> Shown {
    let (bus, queue, dead) = (lab.bus().await?, lab.queue(&[]).await?, lab.fifo(&[]).await?);
    let rule = bus.rule(&everything()).await?;
    let put = rule.putting_target(target("1", &queue.arn).dead_letter_config(dead_letters(&dead)));
    not_accepted(put.send().await, "its dead-letter queue is a FIFO queue")
}

async fn retry_denied(lab: Lab) -> Shown {
    let (bus, rule, queue) = lab.routed().await?;
    rule.deny_to(&queue).await?;
    bus.put(&json!({ "name": "refused" })).await?;
    lab.pass(2).await;
    queue.none("nothing in a queue that denies the rule").await?;
    rule.admit_to(&queue).await?;
    lab.pass(15).await;
    queue.none("nothing of what was refused before").await?;
    bus.put(&json!({ "name": "let in" })).await?;
    same("delivered:", event_names(&queue.take(2).await?)?, vec!["let in".to_owned()])
}

async fn policy_refused(lab: Lab, policy: RetryPolicy) -> Shown {
    let (bus, queue) = (lab.bus().await?, lab.queue(&[]).await?);
    let rule = bus.rule(&everything()).await?;
    let put = rule.putting_target(target("1", &queue.arn).retry_policy(policy));
    refused(put.send().await, &["ValidationException"])
}

async fn attempts_range(lab: Lab) -> Shown {
    policy_refused(lab, RetryPolicy::builder().maximum_retry_attempts(186).build()).await
}

async fn age_range(lab: Lab) -> Shown {
    policy_refused(lab, RetryPolicy::builder().maximum_event_age_in_seconds(59).build()).await
}
