//! An event bus of a check's own, with rules and targets.

use aws_sdk_eventbridge::operation::put_events::PutEventsOutput;
use aws_sdk_eventbridge::operation::put_rule::builders::PutRuleFluentBuilder as PutRule;
use aws_sdk_eventbridge::operation::put_targets::builders::PutTargetsFluentBuilder as PutTargets;
use aws_sdk_eventbridge::types::builders::TargetBuilder;
use aws_sdk_eventbridge::types::{DeadLetterConfig, PutEventsRequestEntry, Target};
use aws_sdk_sqs::types::Message;
use serde_json::{Value, json};

use super::finding::{Not, Shown, wrong};
use super::lab::Lab;
use super::made::Thing;
use super::queue::{Queue, bodies, body};

/// The source of the events that checks put.
pub(super) const SOURCE: &str = "havoq.probe";

#[derive(Clone)]
pub(super) struct Bus {
    pub(super) lab: Lab,
    pub(super) name: String,
    pub(super) arn: String,
}

#[derive(Clone)]
pub(super) struct Rule {
    pub(super) bus: Bus,
    pub(super) name: String,
    pub(super) arn: String,
}

impl Lab {
    pub(super) async fn bus(&self) -> Shown<Bus> {
        let name = self.short_name()?;
        self.0.made.note(Thing::Bus { name: name.clone() });
        let arn = self.events().create_event_bus().name(&name).send().await?.event_bus_arn;
        let arn = arn.ok_or_else(|| Not::Absent("CreateEventBus gave no EventBusArn".to_owned()))?;
        Ok(Bus { lab: self.clone(), name, arn })
    }

    /// The bus that every account has, and that events of AWS's own come to.
    pub(super) fn default_bus(&self) -> Bus {
        Bus { lab: self.clone(), name: "default".to_owned(), arn: String::new() }
    }

    /// A bus, a rule that takes all that checks put, and a queue that is the rule's target.
    pub(super) async fn routed(&self) -> Shown<(Bus, Rule, Queue)> {
        self.routed_with(|target| target).await
    }

    /// The same, with more about the target.
    pub(super) async fn routed_with(
        &self,
        with: impl FnOnce(TargetBuilder) -> TargetBuilder,
    ) -> Shown<(Bus, Rule, Queue)> {
        let (bus, queue) = (self.bus().await?, self.queue(&[]).await?);
        let rule = bus.rule(&everything()).await?;
        rule.admit_to(&queue).await?;
        rule.put_target(with(target("1", &queue.arn))).await?;
        Ok((bus, rule, queue))
    }
}

/// A pattern that takes all that checks put.
pub(super) fn everything() -> Value {
    json!({ "source": [SOURCE] })
}

impl Bus {
    /// A rule with this pattern.
    pub(super) async fn rule(&self, pattern: &Value) -> Shown<Rule> {
        let name = self.lab.short_name()?;
        self.made_rule(&name, self.putting_rule(&name).event_pattern(pattern.to_string())).await
    }

    /// A rule on its way, sent now.
    pub(super) async fn made_rule(&self, name: &str, put: PutRule) -> Shown<Rule> {
        let arn = put.send().await?.rule_arn;
        let arn = arn.ok_or_else(|| Not::Absent("PutRule gave no RuleArn".to_owned()))?;
        Ok(Rule { bus: self.clone(), name: name.to_owned(), arn })
    }

    /// A rule with nothing yet, not sent yet.
    pub(super) fn putting_rule(&self, name: &str) -> PutRule {
        self.lab.0.made.note(Thing::Rule { bus: self.name.clone(), name: name.to_owned() });
        self.lab.events().put_rule().name(name).event_bus_name(&self.name)
    }

    /// A sound event with this detail.
    pub(super) fn event(&self, detail: &Value) -> PutEventsRequestEntry {
        let entry = PutEventsRequestEntry::builder().source(SOURCE).detail_type("probe");
        entry.detail(detail.to_string()).event_bus_name(&self.name).build()
    }

    /// Puts an event, which must be taken; its id.
    pub(super) async fn put(&self, detail: &Value) -> Shown<String> {
        let answer = self.put_all(vec![self.event(detail)]).await?;
        match answer.entries().first().and_then(|entry| entry.event_id()) {
            Some(id) => Ok(id.to_owned()),
            None => wrong("PutEvents to answer with an EventId", format!("{:?}", answer.entries())),
        }
    }

    pub(super) async fn put_all(&self, events: Vec<PutEventsRequestEntry>) -> Shown<PutEventsOutput> {
        Ok(self.lab.events().put_events().set_entries(Some(events)).send().await?)
    }
}

/// A target with this id.
pub(super) fn target(id: &str, arn: &str) -> TargetBuilder {
    Target::builder().id(id).arn(arn)
}

/// A target's dead-letter queue.
pub(super) fn dead_letters(queue: &Queue) -> DeadLetterConfig {
    DeadLetterConfig::builder().arn(&queue.arn).build()
}

impl Rule {
    /// Makes a queue a target, and lets the rule send to it.
    pub(super) async fn to(&self, id: &str, queue: &Queue) -> Shown {
        self.admit_to(queue).await?;
        self.put_target(target(id, &queue.arn)).await
    }

    pub(super) async fn put_target(&self, target: TargetBuilder) -> Shown {
        let put = self.putting_target(target).send().await?;
        match put.failed_entries().first() {
            None => Ok(()),
            Some(entry) => Err(Not::Absent(format!("PutTargets failed for a target: {entry:?}"))),
        }
    }

    /// The same, not sent yet.
    pub(super) fn putting_target(&self, target: TargetBuilder) -> PutTargets {
        let put = self.bus.lab.events().put_targets().rule(&self.name).event_bus_name(&self.bus.name);
        put.targets(target.build().expect("its id and its ARN are given"))
    }

    /// Lets the rule send to the queue (semantics 3.4).
    pub(super) async fn admit_to(&self, queue: &Queue) -> Shown {
        queue.set("Policy", &self.statement("Allow", queue).to_string()).await
    }

    pub(super) async fn deny_to(&self, queue: &Queue) -> Shown {
        queue.set("Policy", &self.statement("Deny", queue).to_string()).await
    }

    /// A policy of one statement about the rule.
    fn statement(&self, effect: &str, queue: &Queue) -> Value {
        let service = json!({ "Service": "events.amazonaws.com" });
        let mut policy = super::sqs_policies::policy(effect, "sqs:SendMessage", queue, service);
        policy["Statement"][0]["Condition"] = json!({ "ArnEquals": { "aws:SourceArn": self.arn } });
        policy
    }
}

/// What a message carries as JSON.
pub(super) fn json_of(message: &Message) -> Shown<Value> {
    match serde_json::from_str(body(message)) {
        Ok(value) => Ok(value),
        Err(_) => wrong("JSON in the message", bodies(std::slice::from_ref(message))),
    }
}

/// The `name` in the details of the events that these messages carry, sorted.
pub(super) fn event_names(messages: &[Message]) -> Shown<Vec<String>> {
    let mut names = Vec::new();
    for message in messages {
        let event = json_of(message)?;
        names.push(event["detail"]["name"].as_str().unwrap_or("no name").to_owned());
    }
    names.sort();
    Ok(names)
}

/// The event that an only message carries.
pub(super) async fn delivered(queue: &Queue) -> Shown<Value> {
    json_of(&queue.one("the event in the target queue").await?)
}
