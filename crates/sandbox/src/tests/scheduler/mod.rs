//! Tests of EventBridge Scheduler (semantics 3.8).

mod dead_letters;
mod groups;
mod input;
mod metrics;
mod occurrences;
mod over_http;
mod retries;
mod schedules;
mod targets;

use havoq_wire::ServiceError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{World, value};
use crate::core::Core;
use crate::place::Place;
use crate::sqs::parse;

const ROLE: &str = "arn:aws:iam::123456789012:role/scheduler";

fn schedule_arn(name: &str) -> String {
    format!("arn:aws:scheduler:eu-central-1:123456789012:schedule/default/{name}")
}

impl World {
    /// Does an operation of Scheduler as a client of HOME calls it.
    fn scheduler(&mut self, operation: &str, members: Value) -> Result<Value, ServiceError> {
        fn run<I: DeserializeOwned, O: serde::Serialize>(
            world: &mut World,
            members: Value,
            operation: impl FnOnce(&mut Core, I) -> Result<O, ServiceError>,
        ) -> Result<Value, ServiceError> {
            let input = parse(members)?;
            world.operate(|core, _| operation(core, input)).map(value)
        }
        let (here, now) = (Place::HOME, self.now);
        match operation {
            "CreateSchedule" => run(self, members, |core, input| core.create_schedule(now, here, input)),
            "UpdateSchedule" => run(self, members, |core, input| core.update_schedule(now, here, input)),
            "GetSchedule" => run(self, members, |core, input| core.get_schedule(now, here, input)),
            "DeleteSchedule" => run(self, members, |core, input| core.delete_schedule(now, here, input)),
            "ListSchedules" => run(self, members, |core, input| core.list_schedules(now, here, input)),
            "CreateScheduleGroup" => {
                run(self, members, |core, input| core.create_schedule_group(now, here, input))
            }
            "GetScheduleGroup" => run(self, members, |core, input| core.get_schedule_group(now, here, input)),
            "DeleteScheduleGroup" => {
                run(self, members, |core, input| core.delete_schedule_group(here, input))
            }
            "ListScheduleGroups" => {
                run(self, members, |core, input| core.list_schedule_groups(now, here, input))
            }
            "TagResource" => run(self, members, |core, input| core.tag_schedule_group(now, here, input)),
            "UntagResource" => run(self, members, |core, input| core.untag_schedule_group(now, here, input)),
            "ListTagsForResource" => {
                run(self, members, |core, input| core.list_schedule_group_tags(now, here, input))
            }
            other => panic!("no operation {other}"),
        }
    }

    /// The error of an operation that must fail, as its code and its text.
    fn scheduler_error(&mut self, operation: &str, members: Value) -> (String, String) {
        let error = self.scheduler(operation, members).expect_err("it fails");
        (error.shape_name().to_owned(), error.message)
    }

    /// A schedule that sends to a queue; `more` are more members, of which `Target` adds to the
    /// target's.
    fn schedule(&mut self, expression: &str, queue: &str, more: Value) {
        self.scheduler("CreateSchedule", schedule("s", expression, queue, more)).expect("it is created");
    }
}

/// The members of CreateSchedule.
fn schedule(name: &str, expression: &str, queue: &str, more: Value) -> Value {
    let mut members = json!({
        "Name": name,
        "ScheduleExpression": expression,
        "FlexibleTimeWindow": { "Mode": "OFF" },
        "Target": { "Arn": super::arn(queue), "RoleArn": ROLE, "Input": "hello" },
    });
    merge(&mut members, more);
    members
}

fn merge(into: &mut Value, more: Value) {
    match more {
        Value::Object(more) => more.into_iter().for_each(|(name, value)| merge(&mut into[name], value)),
        Value::Null => {}
        other => *into = other,
    }
}
