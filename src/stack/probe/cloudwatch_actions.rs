//! What alarms do when they change (semantics 4.2).

use aws_sdk_cloudwatch::types::{HistoryItemType, StateValue};
use aws_sdk_sqs::types::Message;
use serde_json::Value;

use super::alarm::Alarm;
use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::queue::{Queue, body};

checks! { CloudWatch:
    Seconds "cw-action-notifies" "4.2" "an alarm that goes to ALARM tells its topic" notifies;
    Seconds "cw-action-once" "4.2" "an alarm that stays in ALARM tells it once" once;
    Seconds "cw-action-ok" "4.2" "OK actions run when it goes back" ok;
    Seconds "cw-action-disabled" "4.2" "with actions disabled the state changes and nobody is told" disabled;
    Seconds "cw-action-text" "4.2" "the notification tells the alarm, its old and new state and its trigger" text;
    Seconds "cw-alarm-history" "4.2" "a change is in the alarm's history" history;
}

/// A queue that hears what the alarm's topic is told, and the alarm.
async fn heard(lab: &Lab, is_enabled: bool) -> Shown<(Alarm, Queue)> {
    let (topic, queue) = (lab.topic().await?, lab.queue(&[]).await?);
    // Alarms are let publish by the topic's default policy.
    topic.subscribe(&queue, &[("RawMessageDelivery", "true")]).await?;
    let metric = lab.name("")?;
    let alarm = lab.alarm(&metric, |put| {
        let put = put.treat_missing_data("ignore").actions_enabled(is_enabled);
        put.alarm_actions(&topic.arn).ok_actions(&topic.arn)
    });
    Ok((alarm.await?, queue))
}

/// The state that a notification tells of.
fn state(message: &Message) -> String {
    let told: Value = serde_json::from_str(body(message)).unwrap_or_default();
    told["NewStateValue"].as_str().unwrap_or_default().to_owned()
}

async fn states(queue: &Queue, most: usize) -> Shown<Vec<String>> {
    let mut told: Vec<String> = queue.take(most).await?.iter().map(state).collect();
    told.sort();
    Ok(told)
}

async fn notifies(lab: Lab) -> Shown {
    let (alarm, queue) = heard(&lab, true).await?;
    alarm.set(StateValue::Alarm).await?;
    same("told:", states(&queue, 1).await?, vec!["ALARM".to_owned()])
}

async fn once(lab: Lab) -> Shown {
    let (alarm, queue) = heard(&lab, true).await?;
    alarm.set(StateValue::Alarm).await?;
    alarm.set(StateValue::Alarm).await?;
    same("told:", states(&queue, 2).await?, vec!["ALARM".to_owned()])
}

async fn ok(lab: Lab) -> Shown {
    let (alarm, queue) = heard(&lab, true).await?;
    alarm.set(StateValue::Alarm).await?;
    alarm.set(StateValue::Ok).await?;
    same("told:", states(&queue, 2).await?, vec!["ALARM".to_owned(), "OK".to_owned()])
}

async fn disabled(lab: Lab) -> Shown {
    let (alarm, queue) = heard(&lab, false).await?;
    alarm.set(StateValue::Alarm).await?;
    alarm.is("ALARM", "it was set").await?;
    lab.pass(2).await;
    queue.none("nothing from an alarm whose actions are disabled").await
}

async fn text(lab: Lab) -> Shown {
    let (alarm, queue) = heard(&lab, true).await?;
    alarm.set(StateValue::Alarm).await?;
    let message = queue.one("the notification").await?;
    let told: Value = serde_json::from_str(body(&message)).unwrap_or_default();
    let seen = ["AlarmName", "OldStateValue", "NewStateValue", "NewStateReason"].map(|it| told[it].as_str());
    let expected = [&*alarm.name, "INSUFFICIENT_DATA", "ALARM", "the probe said so"].map(Some);
    same("told:", seen, expected)?;
    let trigger = &told["Trigger"];
    let is_whole =
        trigger["Period"] == 60 && trigger["Statistic"] == "MAXIMUM" && trigger["Threshold"] == 0.0;
    ensure(is_whole, "a Trigger with Period 60, Statistic MAXIMUM and Threshold 0", trigger.to_string())
}

async fn history(lab: Lab) -> Shown {
    let (alarm, _) = heard(&lab, true).await?;
    alarm.set(StateValue::Alarm).await?;
    let history = lab.cloudwatch().describe_alarm_history().alarm_name(&alarm.name);
    let items = history.history_item_type(HistoryItemType::StateUpdate).send().await?.alarm_history_items;
    let summaries: Vec<String> =
        items.unwrap_or_default().into_iter().filter_map(|item| item.history_summary).collect();
    let expected = "Alarm updated from INSUFFICIENT_DATA to ALARM";
    ensure(summaries.iter().any(|summary| summary == expected), expected, format!("{summaries:?}"))
}
