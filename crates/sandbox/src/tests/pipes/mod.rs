//! Tests of EventBridge Pipes (semantics 3.9), from a queue to each kind of target.

mod api;
mod enrichment;
mod flow;
mod loops;
mod targets;

use havoq_wire::ServiceError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::lambda::{ROLE, function_arn};
use super::{World, value};
use crate::core::Core;
use crate::fact::Fact;
use crate::place::Place;
use crate::sqs::parse;

impl World {
    fn try_pipes(&mut self, operation: &str, members: Value) -> Result<Value, ServiceError> {
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
            "CreatePipe" => run(self, members, |core, input| core.create_pipe(now, here, input)),
            "DescribePipe" => run(self, members, |core, input| core.describe_pipe(here, input)),
            "UpdatePipe" => run(self, members, |core, input| core.update_pipe(now, here, input)),
            "DeletePipe" => run(self, members, |core, input| core.delete_pipe(now, here, input)),
            "ListPipes" => run(self, members, |core, input| core.list_pipes(here, input)),
            "StartPipe" => run(self, members, |core, input| core.start_pipe(now, here, input)),
            "StopPipe" => run(self, members, |core, input| core.stop_pipe(now, here, input)),
            "TagResource" => run(self, members, |core, input| core.tag_pipe(here, input)),
            "UntagResource" => run(self, members, |core, input| core.untag_pipe(here, input)),
            "ListTagsForResource" => run(self, members, |core, input| core.list_pipe_tags(here, input)),
            other => panic!("{other} is not in this list"),
        }
    }

    fn pipes(&mut self, operation: &str, members: Value) -> Value {
        self.try_pipes(operation, members).unwrap_or_else(|error| panic!("{operation}: {error}"))
    }

    fn pipes_error(&mut self, operation: &str, members: Value) -> String {
        let error = self.try_pipes(operation, members).expect_err("it is refused");
        format!("{}: {}", error.shape_name(), error.message)
    }

    /// A pipe `p` from the queue `q`.
    fn pipe(&mut self, target: &str, more: Value) {
        self.pipes("CreatePipe", pipe(target, more));
    }

    /// What became of batches since the last call: how many messages were deleted, and how many came back.
    fn outcomes(&self) -> Vec<(usize, usize)> {
        let settled = self.facts().into_iter().filter_map(|fact| match fact {
            Fact::BatchSettled { deleted, returned, .. } => Some((deleted.len(), returned.len())),
            _ => None,
        });
        settled.collect()
    }

    /// The bodies of what is in a queue.
    fn bodies(&mut self, queue: &str) -> Vec<String> {
        let mut bodies: Vec<_> =
            self.receive(queue).iter().map(|message| message.content.body.clone()).collect();
        bodies.sort();
        bodies
    }
}

fn pipe(target: &str, more: Value) -> Value {
    let mut members = json!({ "Name": "p", "Source": super::arn("q"), "Target": target, "RoleArn": ROLE });
    for (name, value) in more.as_object().into_iter().flatten() {
        members[name] = value.clone();
    }
    members
}

/// `q`, which hides messages for 30 s and gives them 3 receives, its dead-letter queue `dlq`, and the queue `out`.
fn world() -> World {
    let mut world = World::with_dlq(3);
    world.create("out", &[]);
    world
}

fn out() -> String {
    super::arn("out")
}

fn function() -> String {
    function_arn("f")
}

fn filters(patterns: &[&str]) -> Value {
    let filters: Vec<_> = patterns.iter().map(|pattern| json!({ "Pattern": pattern })).collect();
    json!({ "SourceParameters": { "FilterCriteria": { "Filters": filters } } })
}
