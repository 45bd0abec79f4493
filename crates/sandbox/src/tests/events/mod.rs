//! Tests of EventBridge (semantics 3.1-3.6).

mod archives;
mod buses;
mod dead_letters;
mod delivery;
mod forwarding;
mod inputs;
mod kinds;
mod metrics;
mod model;
mod over_http;
mod permissions;
mod put_events;
mod replays;
mod retries;
mod rules;
mod scheduled;
mod targets;

use havoq_wire::ServiceError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{World, arn, text, value};
use crate::core::Core;
use crate::events::TestEventPattern;
use crate::place::Place;
use crate::sqs::parse;

const DEFAULT_RULE: &str = "arn:aws:events:eu-central-1:123456789012:rule/r";

impl World {
    /// Does an operation of EventBridge as a client of HOME calls it.
    fn events(&mut self, operation: &str, members: Value) -> Result<Value, ServiceError> {
        self.events_at(Place::HOME, operation, members)
    }

    fn events_at(&mut self, at: Place, operation: &str, members: Value) -> Result<Value, ServiceError> {
        fn run<I: DeserializeOwned, O: serde::Serialize>(
            world: &mut World,
            members: Value,
            operation: impl FnOnce(&mut Core, I) -> Result<O, ServiceError>,
        ) -> Result<Value, ServiceError> {
            let input = parse(members)?;
            world.operate(|core, _| operation(core, input)).map(value)
        }
        let now = self.now;
        match operation {
            "PutEvents" => run(self, members, |core, input| core.put_events(now, at, input, None)),
            "CreateEventBus" => run(self, members, |core, input| core.create_event_bus(now, at, input)),
            "UpdateEventBus" => run(self, members, |core, input| core.update_event_bus(now, at, input)),
            "DeleteEventBus" => run(self, members, |core, input| core.delete_event_bus(at, input)),
            "DescribeEventBus" => run(self, members, |core, input| core.describe_event_bus(at, input)),
            "ListEventBuses" => run(self, members, |core, input| core.list_event_buses(at, input)),
            "PutPermission" => run(self, members, |core, input| core.put_bus_permission(now, at, input)),
            "RemovePermission" => {
                run(self, members, |core, input| core.remove_bus_permission(now, at, input))
            }
            "TagResource" => run(self, members, |core, input| core.tag_event_resource(at, input)),
            "UntagResource" => run(self, members, |core, input| core.untag_event_resource(at, input)),
            "ListTagsForResource" => run(self, members, |core, input| core.list_event_tags(at, input)),
            "PutRule" => run(self, members, |core, input| core.put_rule(now, at, input)),
            "DescribeRule" => run(self, members, |core, input| core.describe_rule(at, input)),
            "DeleteRule" => run(self, members, |core, input| core.delete_rule(now, at, input)),
            "EnableRule" => run(self, members, |core, input| core.enable_rule(now, at, input)),
            "DisableRule" => run(self, members, |core, input| core.disable_rule(now, at, input)),
            "ListRules" => run(self, members, |core, input| core.list_rules(at, input)),
            "ListRuleNamesByTarget" => {
                run(self, members, |core, input| core.list_rule_names_by_target(at, input))
            }
            "PutTargets" => run(self, members, |core, input| core.put_targets(at, input)),
            "RemoveTargets" => run(self, members, |core, input| core.remove_targets(at, input)),
            "ListTargetsByRule" => run(self, members, |core, input| core.list_targets_by_rule(at, input)),
            "TestEventPattern" => run(self, members, |_, input: TestEventPattern| input.test()),
            "CreateArchive" => run(self, members, |core, input| core.create_archive(now, at, input)),
            "UpdateArchive" => run(self, members, |core, input| core.update_archive(now, at, input)),
            "DescribeArchive" => run(self, members, |core, input| core.describe_archive(now, at, input)),
            "ListArchives" => run(self, members, |core, input| core.list_archives(now, at, input)),
            "DeleteArchive" => run(self, members, |core, input| core.delete_archive(now, at, input)),
            "StartReplay" => run(self, members, |core, input| core.start_archive_replay(now, at, input)),
            "DescribeReplay" => run(self, members, |core, input| core.describe_replay(now, at, input)),
            "ListReplays" => run(self, members, |core, input| core.list_replays(now, at, input)),
            "CancelReplay" => run(self, members, |core, input| core.cancel_replay(now, at, input)),
            other => panic!("{other} is not in this list"),
        }
    }

    pub(super) fn events_ok(&mut self, operation: &str, members: Value) -> Value {
        self.events(operation, members).unwrap_or_else(|error| panic!("{operation}: {error}"))
    }

    /// The name and the text of the error that an operation must give.
    fn events_error(&mut self, operation: &str, members: Value) -> String {
        let error = self.events(operation, members).expect_err("it is refused");
        format!("{}: {}", error.shape_name(), error.message)
    }

    /// Lets EventBridge send into a queue on behalf of rules.
    fn let_rules(&mut self, queue: &str, rules: &str) {
        let policy = json!({
            "Version": "2012-10-17",
            "Statement": [{
                "Effect": "Allow",
                "Principal": { "Service": "events.amazonaws.com" },
                "Action": "sqs:SendMessage",
                "Resource": arn(queue),
                "Condition": { "ArnLike": { "aws:SourceArn": rules } },
            }],
        });
        self.set(queue, "Policy", &policy.to_string()).expect("a policy");
    }

    /// A queue that rules may send to.
    pub(super) fn rule_queue(&mut self, name: &str) {
        self.create(name, &[]);
        self.let_rules(name, "arn:aws:events:*:*:rule/*");
    }

    /// A rule of a bus that takes all events of the source `s`.
    pub(super) fn rule(&mut self, bus: &str, name: &str) {
        let pattern = json!({ "source": ["s"] }).to_string();
        self.events_ok("PutRule", json!({ "Name": name, "EventBusName": bus, "EventPattern": pattern }));
    }

    pub(super) fn target(&mut self, bus: &str, rule: &str, target: Value) {
        let members = json!({ "Rule": rule, "EventBusName": bus, "Targets": [target] });
        assert_eq!(self.events_ok("PutTargets", members)["FailedEntryCount"], 0);
    }

    /// Puts an event of the source `s` and gives its id.
    fn put(&mut self, bus: &str, detail: Value) -> String {
        let put = self.events_ok("PutEvents", json!({ "Entries": [entry(bus, detail)] }));
        assert_eq!(put["FailedEntryCount"], 0, "{put}");
        self.pass(0);
        text(&put["Entries"][0]["EventId"])
    }

    /// The bodies in a queue, as JSON.
    pub(super) fn documents(&mut self, queue: &str) -> Vec<Value> {
        let messages = self.receive(queue);
        messages.iter().map(|message| serde_json::from_str(&message.content.body).expect("JSON")).collect()
    }
}

fn entry(bus: &str, detail: Value) -> Value {
    json!({ "EventBusName": bus, "Source": "s", "DetailType": "t", "Detail": detail.to_string() })
}

fn bus_arn(name: &str) -> String {
    format!("arn:aws:events:eu-central-1:123456789012:event-bus/{name}")
}

fn rule_arn(resource: &str) -> String {
    format!("arn:aws:events:eu-central-1:123456789012:rule/{resource}")
}

/// The default bus with the rule `r`, and the queue `q` as its target `t` with more members.
fn world(more: Value) -> World {
    let mut world = World::new();
    world.rule_queue("q");
    world.rule("default", "r");
    world.target("default", "r", with(json!({ "Id": "t", "Arn": arn("q") }), more));
    world
}

fn with(mut members: Value, more: Value) -> Value {
    let more = more.as_object().cloned().unwrap_or_default();
    members.as_object_mut().expect("an object").extend(more);
    members
}
