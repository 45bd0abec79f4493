//! Rules: which are taken, and when they run (semantics 3.2).

use aws_sdk_eventbridge::types::RuleState;
use serde_json::json;

use super::bus::{Rule, event_names, everything};
use super::check::checks;
use super::finding::{Shown, same};
use super::lab::Lab;
use super::refusal::{not_accepted, refused};

checks! { EventBridge:
    Seconds "eb-rule-disabled" "3.2" "a disabled rule does not run" disabled;
    Seconds "eb-rule-enabled-again" "3.2" "a rule that is enabled again runs for what comes then" enabled_again;
    Seconds "eb-rule-deleted" "3.2" "a deleted rule does not run" deleted;
    Seconds "eb-rule-two" "3.2" "every rule that matches runs" two;
    Seconds "eb-rule-put-again" "3.2" "a rule that is put again has its new pattern and its old targets" put_again;
    Seconds "eb-rule-with-targets" "3.2" "a rule that has targets cannot be deleted" with_targets;
    Seconds "eb-rule-bus-missing" "3.2" "a rule on a bus that is not there is refused" bus_missing;
    Seconds "eb-rule-empty" "3.2" "a rule with neither a pattern nor a schedule is refused" empty;
    Seconds "eb-rule-pattern-json" "3.2" "a pattern that is no JSON is refused" pattern_json;
    Seconds "eb-rule-pattern-leaf" "3.2" "a pattern whose leaf is no list is refused" pattern_leaf;
    Seconds "eb-rule-pattern-empty-list" "3.2" "a pattern with an empty list is refused" pattern_empty_list;
    Seconds "eb-rule-pattern-operator" "3.2" "a pattern with an operator that does not exist is refused" pattern_operator;
    Seconds "eb-rule-bad-beside" "3.2" "a bad pattern that was put keeps no other rule of the bus from running" bad_beside;
    Seconds "eb-rule-targets-missing" "3.2" "targets of a rule that is not there are refused" targets_missing;
}

async fn expect(rule: &Rule, queue: &super::queue::Queue, name: &str) -> Shown {
    rule.bus.put(&json!({ "name": name })).await?;
    same("events:", event_names(&queue.take(2).await?)?, vec![name.to_owned()])
}

/// Puts an event that runs no rule.
async fn in_vain(rule: &Rule, queue: &super::queue::Queue, why: &str) -> Shown {
    rule.bus.put(&json!({ "name": "in vain" })).await?;
    rule.bus.lab.pass(2).await;
    queue.none(why).await
}

async fn disabled(lab: Lab) -> Shown {
    let (bus, rule, queue) = lab.routed().await?;
    lab.events().disable_rule().name(&rule.name).event_bus_name(&bus.name).send().await?;
    in_vain(&rule, &queue, "nothing of a disabled rule").await
}

async fn enabled_again(lab: Lab) -> Shown {
    let (bus, rule, queue) = lab.routed().await?;
    let put = bus.putting_rule(&rule.name).event_pattern(everything().to_string());
    put.state(RuleState::Disabled).send().await?;
    in_vain(&rule, &queue, "nothing of a disabled rule").await?;
    lab.events().enable_rule().name(&rule.name).event_bus_name(&bus.name).send().await?;
    expect(&rule, &queue, "after").await
}

async fn deleted(lab: Lab) -> Shown {
    let (bus, rule, queue) = lab.routed().await?;
    expect(&rule, &queue, "before").await?;
    let remove = lab.events().remove_targets().rule(&rule.name).event_bus_name(&bus.name);
    remove.ids("1").send().await?;
    lab.events().delete_rule().name(&rule.name).event_bus_name(&bus.name).send().await?;
    in_vain(&rule, &queue, "nothing of a deleted rule").await
}

async fn two(lab: Lab) -> Shown {
    let (bus, rule, queue) = lab.routed().await?;
    let other = lab.queue(&[]).await?;
    bus.rule(&json!({ "detail-type": ["probe"] })).await?.to("1", &other).await?;
    expect(&rule, &queue, "both").await?;
    same("events of the other rule:", event_names(&other.take(2).await?)?, vec!["both".to_owned()])
}

async fn put_again(lab: Lab) -> Shown {
    let (bus, rule, queue) = lab.routed().await?;
    let pattern = json!({ "detail": { "name": ["new"] } }).to_string();
    bus.putting_rule(&rule.name).event_pattern(pattern).send().await?;
    bus.put(&json!({ "name": "old" })).await?;
    expect(&rule, &queue, "new").await
}

async fn with_targets(lab: Lab) -> Shown {
    let (bus, rule, queue) = lab.routed().await?;
    let delete = lab.events().delete_rule().name(&rule.name).event_bus_name(&bus.name);
    not_accepted(delete.send().await, "the rule has a target")?;
    expect(&rule, &queue, "still").await
}

async fn bus_missing(lab: Lab) -> Shown {
    // Rules must be there at all, or a refusal shows nothing.
    lab.bus().await?.rule(&everything()).await?;
    let put = lab.events().put_rule().name(lab.short_name()?).event_bus_name(lab.short_name()?);
    refused(put.event_pattern(everything().to_string()).send().await, &["ResourceNotFoundException"])
}

async fn empty(lab: Lab) -> Shown {
    let bus = lab.bus().await?;
    refused(bus.putting_rule(&lab.short_name()?).send().await, &["ValidationException"])
}

/// No rule can have this pattern.
async fn bad(lab: &Lab, pattern: &str) -> Shown {
    let bus = lab.bus().await?;
    let put = bus.putting_rule(&lab.short_name()?).event_pattern(pattern);
    refused(put.send().await, &["InvalidEventPatternException"])
}

async fn pattern_json(lab: Lab) -> Shown {
    bad(&lab, "{").await
}

async fn pattern_leaf(lab: Lab) -> Shown {
    bad(&lab, r#"{"source":"havoq.probe"}"#).await
}

async fn pattern_empty_list(lab: Lab) -> Shown {
    bad(&lab, r#"{"source":[]}"#).await
}

async fn pattern_operator(lab: Lab) -> Shown {
    bad(&lab, r#"{"source":[{"smells-like":"havoq"}]}"#).await
}

async fn bad_beside(lab: Lab) -> Shown {
    let (bus, queue) = (lab.bus().await?, lab.queue(&[]).await?);
    for pattern in [
        r#"{"source":"havoq.probe"}"#,
        r#"{"source":[]}"#,
        r#"{"source":[{"smells-like":"havoq"}]}"#,
        r#"{"detail":{"name":[{"numeric":["almost",1]}]}}"#,
    ] {
        // Whether it is refused is another check's question.
        bus.putting_rule(&lab.short_name()?).event_pattern(pattern).send().await.ok();
    }
    // Some look at rules in the order in which they were put.
    let rule = bus.rule(&everything()).await?;
    rule.to("1", &queue).await?;
    expect(&rule, &queue, "unharmed").await
}

async fn targets_missing(lab: Lab) -> Shown {
    let (bus, rule, queue) = lab.routed().await?;
    let missing = Rule { name: lab.short_name()?, bus, ..rule };
    let put = missing.putting_target(super::bus::target("1", &queue.arn));
    refused(put.send().await, &["ResourceNotFoundException"])
}
