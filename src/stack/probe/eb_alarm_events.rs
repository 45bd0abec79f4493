//! The events that EventBridge has from alarms (semantics 4.2).

use aws_sdk_cloudwatch::types::StateValue;
use serde_json::{Value, json};

use super::alarm::Alarm;
use super::bus::json_of;
use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::queue::Queue;

checks! { EventBridge:
    Seconds "eb-alarm-event" "4.2" "an alarm that changes its state puts an event on the default bus" event;
    Seconds "eb-alarm-event-states" "4.2" "the event tells the old state and the new one" states;
    Seconds "eb-alarm-event-arn" "4.2" "the event names the alarm" arn;
    Seconds "eb-alarm-event-no-actions" "4.2" "it comes with actions disabled too" no_actions;
    Seconds "eb-alarm-event-once" "4.2" "an alarm that stays as it is puts one event" once;
}

/// An alarm, and a queue that hears of its changes.
async fn heard(lab: &Lab, is_enabled: bool) -> Shown<(Alarm, Queue)> {
    let (metric, queue) = (lab.name("")?, lab.queue(&[]).await?);
    let alarm = lab.alarm(&metric, |put| put.treat_missing_data("ignore").actions_enabled(is_enabled));
    let alarm = alarm.await?;
    let pattern = json!({
        "source": ["aws.cloudwatch"], "detail-type": ["CloudWatch Alarm State Change"],
        "detail": { "alarmName": [alarm.name] },
    });
    lab.default_bus().rule(&pattern).await?.to("1", &queue).await?;
    Ok((alarm, queue))
}

async fn told(lab: &Lab, is_enabled: bool) -> Shown<(Alarm, Value)> {
    let (alarm, queue) = heard(lab, is_enabled).await?;
    alarm.set(StateValue::Alarm).await?;
    let event = json_of(&queue.one("the event of the change").await?)?;
    Ok((alarm, event))
}

async fn event(lab: Lab) -> Shown {
    let (_, event) = told(&lab, true).await?;
    let told = [&event["source"], &event["detail-type"]].map(|value| value.as_str());
    same("source and detail-type", told, [Some("aws.cloudwatch"), Some("CloudWatch Alarm State Change")])
}

async fn states(lab: Lab) -> Shown {
    let (_, event) = told(&lab, true).await?;
    let detail = &event["detail"];
    let told = [&detail["previousState"]["value"], &detail["state"]["value"], &detail["state"]["reason"]];
    let expected = ["INSUFFICIENT_DATA", "ALARM", "the probe said so"].map(Some);
    same("the states and the reason", told.map(|value| value.as_str()), expected)
}

async fn arn(lab: Lab) -> Shown {
    let (alarm, event) = told(&lab, true).await?;
    let arn = alarm.described().await?.alarm_arn.unwrap_or_default();
    same("resources", &event["resources"], &json!([arn]))?;
    same("the detail's alarmName", event["detail"]["alarmName"].as_str(), Some(alarm.name.as_str()))
}

async fn no_actions(lab: Lab) -> Shown {
    told(&lab, false).await?;
    Ok(())
}

async fn once(lab: Lab) -> Shown {
    let (alarm, queue) = heard(&lab, true).await?;
    alarm.set(StateValue::Alarm).await?;
    alarm.set(StateValue::Alarm).await?;
    let seen = queue.take(2).await?.len();
    ensure(seen == 1, "one event", format!("{seen}"))
}
