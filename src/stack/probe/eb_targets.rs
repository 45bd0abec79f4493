//! Targets: what may be one, and what each gets (semantics 3.2, 3.4).

use aws_sdk_eventbridge::types::SqsParameters;
use aws_sdk_sqs::types::MessageSystemAttributeName as System;
use serde_json::json;

use super::bus::{Rule, event_names, everything, target};
use super::check::checks;
use super::finding::{Shown, same};
use super::lab::Lab;
use super::queue::{Queue, system};
use super::refusal::{not_accepted, refused, succeeds};
use super::script::Script;
use super::topic::published;

checks! { EventBridge:
    Seconds "eb-target-five" "3.2" "each of five targets gets the event" five;
    Seconds "eb-target-six" "3.2" "a sixth target is refused" six;
    Seconds "eb-target-same-id" "3.4" "a target with the id of another takes its place" same_id;
    Seconds "eb-target-removed" "3.4" "a target that was removed gets nothing" removed;
    Seconds "eb-target-no-arn" "3.4" "a target whose ARN is none is refused" no_arn;
    Seconds "eb-target-topic" "3.4" "a topic publishes the event" topic;
    Seconds "eb-target-function" "3.4" "a function is invoked with the event, and what it returns goes to its own destination" function;
    Seconds "eb-target-function-fails" "3.4" "an error of a function is for its own destination, and not for the target's dead-letter queue" function_fails;
    Seconds "eb-target-fifo" "3.4" "a FIFO queue gets the event in the group that the target names" fifo;
    Seconds "eb-target-fifo-group" "3.4" "a FIFO queue without a group is refused" fifo_group;
    Seconds "eb-target-policy-needed" "3.4" "a queue without a policy that lets the rule in gets nothing" policy_needed;
    Seconds "eb-target-policy-denies" "3.4" "a queue whose policy denies the rule gets nothing" policy_denies;
    Seconds "eb-target-others" "3.4" "a target that fails takes nothing from the others" others;
    Seconds "eb-put-anyway" "3.4" "PutEvents succeeds though a target fails" put_anyway;
}

async fn five(lab: Lab) -> Shown {
    let bus = lab.bus().await?;
    let rule = bus.rule(&everything()).await?;
    let mut queues = Vec::new();
    for id in ["1", "2", "3", "4", "5"] {
        let queue = lab.queue(&[]).await?;
        rule.to(id, &queue).await?;
        queues.push(queue);
    }
    bus.put(&json!({ "name": "a" })).await?;
    for queue in queues {
        same("events of a target:", event_names(&queue.take(2).await?)?, vec!["a".to_owned()])?;
    }
    Ok(())
}

async fn six(lab: Lab) -> Shown {
    let (bus, queue) = (lab.bus().await?, lab.queue(&[]).await?);
    let rule = bus.rule(&everything()).await?;
    for id in ["1", "2", "3", "4", "5"] {
        rule.put_target(target(id, &queue.arn)).await?;
    }
    not_accepted(rule.putting_target(target("6", &queue.arn)).send().await, "a rule has at most five")
}

async fn expect(rule: &Rule, queue: &Queue, name: &str) -> Shown {
    rule.bus.put(&json!({ "name": name })).await?;
    same("events:", event_names(&queue.take(2).await?)?, vec![name.to_owned()])
}

async fn same_id(lab: Lab) -> Shown {
    let (_, rule, queue) = lab.routed().await?;
    let other = lab.queue(&[]).await?;
    rule.to("1", &other).await?;
    expect(&rule, &other, "a").await?;
    queue.none("nothing for the target whose place was taken").await
}

async fn removed(lab: Lab) -> Shown {
    let (bus, rule, queue) = lab.routed().await?;
    let other = lab.queue(&[]).await?;
    rule.to("2", &other).await?;
    let remove = lab.events().remove_targets().rule(&rule.name).event_bus_name(&bus.name);
    remove.ids("1").send().await?;
    expect(&rule, &other, "a").await?;
    queue.none("nothing for a target that was removed").await
}

async fn no_arn(lab: Lab) -> Shown {
    let rule = lab.bus().await?.rule(&everything()).await?;
    refused(rule.putting_target(target("1", "no-arn")).send().await, &["ValidationException"])
}

async fn topic(lab: Lab) -> Shown {
    let (topic, heard) = lab.subscribed(&[]).await?;
    let bus = lab.bus().await?;
    let rule = bus.rule(&everything()).await?;
    let policy = json!({
        "Version": "2012-10-17",
        "Statement": [{
            "Sid": "one", "Effect": "Allow", "Principal": { "Service": "events.amazonaws.com" },
            "Action": "sns:Publish", "Resource": topic.arn,
        }],
    });
    let set = lab.sns().set_topic_attributes().topic_arn(&topic.arn).attribute_name("Policy");
    set.attribute_value(policy.to_string()).send().await?;
    rule.put_target(target("1", &topic.arn)).await?;
    let id = bus.put(&json!({ "name": "a" })).await?;
    let messages = published(&heard.take(1).await?)?;
    let ids: Vec<Option<String>> = messages
        .iter()
        .map(|message| {
            let event: serde_json::Value = serde_json::from_str(message).unwrap_or_default();
            Some(event["id"].as_str()?.to_owned())
        })
        .collect();
    same("ids of the events published:", ids, vec![Some(id)])
}

async fn function(lab: Lab) -> Shown {
    let (function, told) = lab.function_with_destination(Script::Echo).await?;
    let bus = lab.bus().await?;
    let rule = bus.rule(&everything()).await?;
    function.admit("events.amazonaws.com", &rule.arn).await?;
    rule.put_target(target("1", &function.arn)).await?;
    let id = bus.put(&json!({ "name": "a" })).await?;
    let record = super::function::record(&told).await?;
    same("the event's id", record["requestPayload"]["id"].as_str(), Some(id.as_str()))
}

async fn function_fails(lab: Lab) -> Shown {
    let (function, told) = lab.function_with_destination(Script::Raise).await?;
    let (bus, dead) = (lab.bus().await?, lab.queue(&[]).await?);
    let rule = bus.rule(&everything()).await?;
    function.admit("events.amazonaws.com", &rule.arn).await?;
    rule.admit_to(&dead).await?;
    let target = target("1", &function.arn).dead_letter_config(super::bus::dead_letters(&dead));
    rule.put_target(target).await?;
    bus.put(&json!({ "name": "a" })).await?;
    super::function::record(&told).await?;
    dead.none("nothing in the target's dead-letter queue").await
}

async fn fifo(lab: Lab) -> Shown {
    let (bus, queue) = (lab.bus().await?, lab.fifo(&[]).await?);
    let rule = bus.rule(&everything()).await?;
    rule.admit_to(&queue).await?;
    let group = SqsParameters::builder().message_group_id("g").build();
    rule.put_target(target("1", &queue.arn).sqs_parameters(group)).await?;
    bus.put(&json!({ "name": "a" })).await?;
    let message = queue.one("the event in the FIFO queue").await?;
    same("the group", system(&message, System::MessageGroupId), Some("g"))
}

async fn fifo_group(lab: Lab) -> Shown {
    let (bus, queue) = (lab.bus().await?, lab.fifo(&[]).await?);
    let rule = bus.rule(&everything()).await?;
    not_accepted(rule.putting_target(target("1", &queue.arn)).send().await, "a FIFO queue needs a group")
}

async fn policy_needed(lab: Lab) -> Shown {
    let (bus, queue) = (lab.bus().await?, lab.queue(&[]).await?);
    bus.rule(&everything()).await?.put_target(target("1", &queue.arn)).await?;
    bus.put(&json!({ "name": "a" })).await?;
    lab.pass(2).await;
    queue.none("nothing in a queue that lets no rule in").await
}

async fn policy_denies(lab: Lab) -> Shown {
    let (bus, rule, queue) = lab.routed().await?;
    rule.deny_to(&queue).await?;
    bus.put(&json!({ "name": "a" })).await?;
    lab.pass(2).await;
    queue.none("nothing in a queue that denies the rule").await
}

async fn others(lab: Lab) -> Shown {
    let (_, rule, broken) = lab.routed().await?;
    let sound = lab.queue(&[]).await?;
    rule.to("2", &sound).await?;
    lab.sqs().delete_queue().queue_url(&broken.url).send().await?;
    succeeds("the delivery to the other", expect(&rule, &sound, "a").await)
}

async fn put_anyway(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    lab.sqs().delete_queue().queue_url(&queue.url).send().await?;
    succeeds("PutEvents", bus.put(&json!({ "name": "a" })).await)
}
