//! How alarms are evaluated (semantics 4.1).

use aws_sdk_cloudwatch::types::StateValue;

use super::alarm::{Alarm, EVALUATED};
use super::check::checks;
use super::finding::Shown;
use super::lab::Lab;
use super::refusal::refused;
use super::sqs_dead_letters::dead_letter;

checks! { CloudWatch:
    Seconds "cw-alarm-begins" "4.1" "a new alarm is INSUFFICIENT_DATA" begins;
    Seconds "cw-alarm-period" "4.1" "a period that is none is refused" period;
    Seconds "cw-alarm-state-missing" "4.2" "the state of an alarm that is not there cannot be set" state_missing;
    Minutes "cw-alarm-fires" "4.1" "an alarm on an own metric goes to ALARM when it crosses the threshold" fires;
    Minutes "cw-alarm-recovers" "4.1" "it goes back to OK when the metric is low again" recovers;
    Minutes "cw-alarm-depth" "4.3" "an alarm on a queue's depth goes to ALARM" depth;
    Minutes "cw-alarm-dead-letters" "4.3" "an alarm on a dead-letter queue's depth goes to ALARM after a move" dead_letters;
    Minutes "cw-alarm-m-of-n" "4.1" "two of three datapoints are enough where that is asked" m_of_n;
    Minutes "cw-alarm-missing-breaching" "4.1" "missing data is breaching where that is asked" breaching;
    Minutes "cw-alarm-missing-not-breaching" "4.1" "missing data is not breaching where that is asked" not_breaching;
    Minutes "cw-alarm-missing" "4.1" "an alarm without data stays INSUFFICIENT_DATA" missing;
    Minutes "cw-alarm-set-returns" "4.2" "a state that was set by hand goes back at the next evaluation" set_returns;
}

async fn begins(lab: Lab) -> Shown {
    let alarm = lab.alarm(&lab.name("")?, |put| put).await?;
    alarm.is("INSUFFICIENT_DATA", "the alarm is new").await
}

async fn period(lab: Lab) -> Shown {
    let put = lab.putting_alarm(&lab.name("")?, &lab.name("")?).period(45);
    refused(put.send().await, &["ValidationError", "InvalidParameterValue", "Validation"])
}

async fn state_missing(lab: Lab) -> Shown {
    let set = lab.cloudwatch().set_alarm_state().alarm_name(lab.name("")?).state_value(StateValue::Alarm);
    refused(set.state_reason("the probe said so").send().await, &["ResourceNotFound"])
}

/// An alarm that has gone to ALARM, and its metric.
async fn in_alarm(lab: &Lab) -> Shown<(Alarm, String)> {
    let metric = lab.name("")?;
    let alarm = lab.alarm(&metric, |put| put.treat_missing_data("notBreaching")).await?;
    lab.measure(&metric, 1.0).await?;
    alarm.reaches("ALARM", "1 was measured and the threshold is 0").await?;
    Ok((alarm, metric))
}

async fn fires(lab: Lab) -> Shown {
    in_alarm(&lab).await.map(drop)
}

async fn recovers(lab: Lab) -> Shown {
    let (alarm, metric) = in_alarm(&lab).await?;
    lab.pass(60).await;
    lab.measure(&metric, 0.0).await?;
    alarm.reaches("OK", "0 was measured and the threshold is 0").await
}

async fn depth(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let alarm = lab.alarm_on(&queue, "ApproximateNumberOfMessagesVisible", |put| put).await?;
    queue.send("a").await?;
    alarm.reaches("ALARM", "the queue has a message and the threshold is 0").await
}

async fn dead_letters(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    let alarm = lab.alarm_on(&dead, "ApproximateNumberOfMessagesVisible", |put| put).await?;
    dead_letter(&queue, 1).await?;
    alarm.reaches("ALARM", "the dead-letter queue has a message and the threshold is 0").await
}

async fn m_of_n(lab: Lab) -> Shown {
    let metric = lab.name("")?;
    let minute = lab.now_seconds() / 60 * 60;
    // Whichever way its windows lie, two of the last three are breaching.
    for (value, ago) in [(1.0, 180), (0.0, 120), (1.0, 60), (1.0, 0)] {
        lab.measure_at(&metric, value, minute - ago).await?;
    }
    let asked =
        |put: aws_sdk_cloudwatch::operation::put_metric_alarm::builders::PutMetricAlarmFluentBuilder| {
            put.evaluation_periods(3).datapoints_to_alarm(2)
        };
    let alarm = lab.alarm(&metric, asked).await?;
    alarm.reaches("ALARM", "two of three datapoints are above the threshold").await
}

async fn breaching(lab: Lab) -> Shown {
    let alarm = lab.alarm(&lab.name("")?, |put| put.treat_missing_data("breaching")).await?;
    alarm.reaches("ALARM", "there is no data, which is to be breaching").await
}

async fn not_breaching(lab: Lab) -> Shown {
    let alarm = lab.alarm(&lab.name("")?, |put| put.treat_missing_data("notBreaching")).await?;
    alarm.reaches("OK", "there is no data, which is not to be breaching").await
}

async fn missing(lab: Lab) -> Shown {
    let silent = lab.alarm(&lab.name("")?, |put| put).await?;
    // It is shown by one beside it that the stack evaluates alarms at all.
    let beside = lab.alarm(&lab.name("")?, |put| put.treat_missing_data("breaching")).await?;
    beside.reaches("ALARM", "there is no data, which is to be breaching").await?;
    silent.is("INSUFFICIENT_DATA", "there is no data").await
}

async fn set_returns(lab: Lab) -> Shown {
    let alarm = lab.alarm(&lab.name("")?, |put| put.treat_missing_data("notBreaching")).await?;
    alarm.reaches("OK", "there is no data, which is not to be breaching").await?;
    alarm.set(StateValue::Alarm).await?;
    alarm.is("ALARM", "it was set").await?;
    let why = format!("it was set by hand {EVALUATED} s ago, and there is still no data");
    alarm.reaches("OK", &why).await
}
