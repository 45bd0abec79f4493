//! Rules that run by themselves (semantics 3.2; EventBridge's user guide on scheduled rules).

use aws_sdk_eventbridge::types::RuleState;
use serde_json::json;

use super::bus::{Rule, json_of};
use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::queue::Queue;
use super::refusal::refused;

checks! { EventBridge:
    Minutes "eb-schedule-rate" "3.2" "a rule with a rate runs each time" rate;
    Minutes "eb-schedule-cron" "3.2" "a rule with a cron expression runs at its minutes" cron;
    Minutes "eb-schedule-event" "3.2" "its event is a Scheduled Event of aws.events that names the rule" event;
    Minutes "eb-schedule-disabled" "3.2" "a disabled rule does not run" disabled;
    Minutes "eb-schedule-deleted" "3.2" "a deleted rule does not run" deleted;
    Seconds "eb-schedule-own-bus" "3.2" "a schedule on an own bus is refused" own_bus;
    Seconds "eb-schedule-unit" "3.2" "a rate in seconds is refused" unit;
    Seconds "eb-schedule-plural" "3.2" "rate(1 minutes) is refused" plural;
    Seconds "eb-schedule-cron-fields" "3.2" "a cron expression with five fields is refused" cron_fields;
}

/// A rule with this schedule, and the queue that hears of it.
async fn scheduled(lab: &Lab, expression: &str) -> Shown<(Rule, Queue)> {
    let (bus, queue, name) = (lab.default_bus(), lab.queue(&[]).await?, lab.short_name()?);
    // It runs once it has a target that it may send to.
    let put = bus.putting_rule(&name).schedule_expression(expression);
    let rule = bus.made_rule(&name, put).await?;
    rule.to("1", &queue).await?;
    Ok((rule, queue))
}

/// What came in two minutes and a half.
async fn heard(lab: &Lab, queue: &Queue) -> Shown<usize> {
    lab.pass(150).await;
    Ok(queue.take(4).await?.len())
}

async fn rate(lab: Lab) -> Shown {
    let (_, queue) = scheduled(&lab, "rate(1 minute)").await?;
    let seen = heard(&lab, &queue).await?;
    ensure((2..=3).contains(&seen), "two or three events in 150 s", format!("{seen}"))
}

async fn cron(lab: Lab) -> Shown {
    let (_, queue) = scheduled(&lab, "cron(* * * * ? *)").await?;
    let seen = heard(&lab, &queue).await?;
    ensure((2..=3).contains(&seen), "two or three events in 150 s", format!("{seen}"))
}

async fn event(lab: Lab) -> Shown {
    let (rule, queue) = scheduled(&lab, "rate(1 minute)").await?;
    lab.pass(90).await;
    let event = json_of(&queue.one("the rule's event").await?)?;
    let told = [&event["source"], &event["detail-type"], &event["resources"], &event["detail"]];
    let expected = [&json!("aws.events"), &json!("Scheduled Event"), &json!([rule.arn]), &json!({})];
    same("source, detail-type, resources and detail", told, expected)
}

async fn disabled(lab: Lab) -> Shown {
    let (rule, queue) = scheduled(&lab, "rate(1 minute)").await?;
    let (_, other) = scheduled(&lab, "rate(1 minute)").await?;
    let put = rule.bus.putting_rule(&rule.name).schedule_expression("rate(1 minute)");
    put.state(RuleState::Disabled).send().await?;
    let seen = heard(&lab, &other).await?;
    ensure(seen > 0, "events of a rule that is enabled", "none")?;
    queue.none("nothing of a disabled rule").await
}

async fn deleted(lab: Lab) -> Shown {
    let (rule, queue) = scheduled(&lab, "rate(1 minute)").await?;
    let (_, other) = scheduled(&lab, "rate(1 minute)").await?;
    let events = lab.events();
    events.remove_targets().rule(&rule.name).ids("1").send().await?;
    events.delete_rule().name(&rule.name).send().await?;
    let seen = heard(&lab, &other).await?;
    ensure(seen > 0, "events of a rule that is there", "none")?;
    queue.none("nothing of a deleted rule").await
}

async fn own_bus(lab: Lab) -> Shown {
    let bus = lab.bus().await?;
    let put = bus.putting_rule(&lab.short_name()?).schedule_expression("rate(1 minute)");
    refused(put.send().await, &["ValidationException"])
}

async fn bad(lab: &Lab, expression: &str) -> Shown {
    // Schedules must be there at all, or a refusal shows nothing.
    let bus = lab.default_bus();
    let sound = bus.putting_rule(&lab.short_name()?).schedule_expression("rate(5 minutes)");
    sound.state(RuleState::Disabled).send().await?;
    let put = bus.putting_rule(&lab.short_name()?).schedule_expression(expression);
    refused(put.state(RuleState::Disabled).send().await, &["ValidationException"])
}

async fn unit(lab: Lab) -> Shown {
    bad(&lab, "rate(10 seconds)").await
}

async fn plural(lab: Lab) -> Shown {
    bad(&lab, "rate(1 minutes)").await
}

async fn cron_fields(lab: Lab) -> Shown {
    bad(&lab, "cron(0 12 * * ?)").await
}
