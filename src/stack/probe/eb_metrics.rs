//! What a rule shows of itself in metrics (semantics 3.6).

use aws_sdk_cloudwatch::types::Datapoint;
use serde_json::json;

use super::alarm::EVALUATED;
use super::bus::{Rule, SOURCE, dead_letters, target};
use super::check::checks;
use super::finding::{Shown, ensure};
use super::lab::Lab;
use super::queue::Queue;

checks! { EventBridge:
    Minutes "eb-metric-matched" "3.6" "a rule emits MatchedEvents and Invocations" matched;
    Minutes "eb-metric-failed" "3.6" "FailedInvocations counts what was given up" failed;
    Minutes "eb-metric-not-failed" "3.6" "a rule whose target takes everything emits no FailedInvocations" not_failed;
    Minutes "eb-metric-dlq" "3.6" "InvocationsSentToDlq counts dead letters" sent_to_dlq;
    Minutes "eb-metric-dlq-failed" "3.6" "InvocationsFailedToBeSentToDlq counts what the dead-letter queue refused" dlq_failed;
}

/// A rule of the default bus, whose metrics have its name alone, and its target.
async fn ruled(lab: &Lab) -> Shown<(Rule, Queue)> {
    let (mark, queue) = (lab.name("")?, lab.queue(&[]).await?);
    let rule = lab.default_bus().rule(&json!({ "source": [SOURCE], "detail": { "name": [mark] } })).await?;
    rule.to("1", &queue).await?;
    let event = rule.bus.event(&json!({ "name": mark }));
    rule.bus.put_all(vec![event.clone(), event]).await?;
    Ok((rule, queue))
}

/// The same, with a target that refuses and has a dead-letter queue.
async fn refusing(lab: &Lab, lets_letters_in: bool) -> Shown<Rule> {
    let (mark, queue, dead) = (lab.name("")?, lab.queue(&[]).await?, lab.queue(&[]).await?);
    let rule = lab.default_bus().rule(&json!({ "source": [SOURCE], "detail": { "name": [mark] } })).await?;
    rule.deny_to(&queue).await?;
    if lets_letters_in {
        rule.admit_to(&dead).await?;
    }
    rule.put_target(target("1", &queue.arn).dead_letter_config(dead_letters(&dead))).await?;
    let event = rule.bus.event(&json!({ "name": mark }));
    rule.bus.put_all(vec![event.clone(), event]).await?;
    Ok(rule)
}

fn sum(minutes: &[Datapoint]) -> f64 {
    minutes.iter().filter_map(|minute| minute.sum).sum()
}

/// A rule's metric must come to two.
async fn two(lab: &Lab, rule: &Rule, metric: &str) -> Shown {
    let look = || async {
        let minutes = lab.minutes("AWS/Events", metric, Some(("RuleName", &rule.name))).await?;
        Ok((sum(&minutes) == 2.0).then_some(()))
    };
    let seen = lab.until(EVALUATED, look).await?;
    ensure(seen.is_some(), format!("a sum of 2 for {metric} within {EVALUATED} s"), "none")
}

async fn matched(lab: Lab) -> Shown {
    let (rule, _) = ruled(&lab).await?;
    two(&lab, &rule, "MatchedEvents").await?;
    two(&lab, &rule, "Invocations").await
}

async fn failed(lab: Lab) -> Shown {
    let rule = refusing(&lab, true).await?;
    two(&lab, &rule, "FailedInvocations").await
}

async fn not_failed(lab: Lab) -> Shown {
    let (rule, _) = ruled(&lab).await?;
    two(&lab, &rule, "Invocations").await?;
    let minutes = lab.minutes("AWS/Events", "FailedInvocations", Some(("RuleName", &rule.name))).await?;
    ensure(sum(&minutes) == 0.0, "no FailedInvocations", format!("{minutes:?}"))
}

async fn sent_to_dlq(lab: Lab) -> Shown {
    let rule = refusing(&lab, true).await?;
    two(&lab, &rule, "InvocationsSentToDlq").await
}

async fn dlq_failed(lab: Lab) -> Shown {
    let rule = refusing(&lab, false).await?;
    two(&lab, &rule, "InvocationsFailedToBeSentToDlq").await
}
