//! Lambda functions of the stack, and the queues that they are fed from.

use std::collections::{BTreeMap, BTreeSet};

use havoq_base::StackDuration;

use super::super::place::Place;
use super::document::Text;

/// `AWS::Lambda::Function` or `AWS::Serverless::Function`. Absent settings have Lambda's defaults
/// filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub place: Place,
    /// FunctionName, when the template sets it.
    pub name: Option<String>,
    pub timeout: StackDuration,
    /// In MB.
    pub memory: u32,
    pub handler: Option<String>,
    pub runtime: Option<String>,
    pub environment: BTreeMap<String, Text>,
    pub reserved_concurrency: Option<u32>,
    /// The ARN of the queue or topic of DeadLetterConfig, for asynchronous invocations.
    pub dead_letters: Option<Text>,
}

/// `AWS::Lambda::EventSourceMapping` of a queue of the stack, or an event of type SQS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub place: Place,
    /// The function's logical id.
    pub function: String,
    /// The queue's logical id.
    pub queue: String,
    pub batch_size: u32,
    /// MaximumBatchingWindowInSeconds.
    pub window: StackDuration,
    /// FunctionResponseTypes has ReportBatchItemFailures.
    pub reports_item_failures: bool,
    /// MaximumConcurrency of ScalingConfig.
    pub maximum_concurrency: Option<u32>,
    /// The patterns of FilterCriteria, as JSON texts.
    pub filters: Vec<String>,
    pub enabled: bool,
}

impl super::Template {
    /// The functions that no consumer runs, and the mappings of the others that no consumer plays, a
    /// line each for a warning. `run` has the queues of each function that runs.
    pub fn unrun(&self, run: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
        let unrun = self.functions.keys().filter(|id| !run.contains_key(id.as_str()));
        let line = |id: &String| {
            let fed: Vec<_> = self.mappings_of(id).map(|(mapping, _)| format!("`{mapping}`")).collect();
            let fed =
                if fed.is_empty() { String::new() } else { format!(", and {} not made", fed.join(", ")) };
            format!("`{id}`: no consumer runs this function: calls of it fail{fed}")
        };
        let is_left = |mapping: &Mapping| {
            let queues = run.get(mapping.function.as_str());
            mapping.enabled && queues.is_some_and(|queues| !queues.contains(mapping.queue.as_str()))
        };
        let left = self.mappings.iter().filter(|(_, mapping)| is_left(mapping)).map(|(id, mapping)| {
            let Mapping { function, queue, .. } = mapping;
            format!("`{id}`: no consumer runs `{function}` for `{queue}`: the mapping is not made")
        });
        unrun.map(line).chain(left).collect()
    }

    /// The mappings that feed a function, by logical id.
    pub fn mappings_of<'a>(&'a self, function: &'a str) -> impl Iterator<Item = (&'a str, &'a Mapping)> {
        let all = self.mappings.iter().map(|(id, mapping)| (id.as_str(), mapping));
        all.filter(move |(_, mapping)| mapping.function == function)
    }
}
