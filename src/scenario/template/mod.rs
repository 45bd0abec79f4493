//! The CloudFormation subset: SQS queues, CloudWatch alarms, SNS topics, and the intrinsics that
//! tie them together. What is not implemented is listed, never silently dropped.

mod alarm;
mod evaluate;
mod graph;
mod known;
mod parameters;
mod properties;
mod queue;
mod resources;
mod substitute;
mod texts;
mod topic;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use super::lower::{Kind, StackNames};
use super::model::Template;
use super::problem::Log;
use super::suggest::hint_for;
use super::yaml::Node;
use properties::Properties;
use resources::{Resource, Stack};

/// Accounts and regions do not exist in the sandbox; these stand for them.
pub(super) const ACCOUNT: &str = "000000000000";
pub(super) const REGION: &str = "us-east-1";

/// Sections that change nothing.
const QUIET: [&str; 2] = ["AWSTemplateFormatVersion", "Description"];
/// Sections that are left out.
const IGNORED: [&str; 8] =
    ["Metadata", "Mappings", "Conditions", "Outputs", "Rules", "Transform", "Hooks", "Globals"];
const READ: [&str; 2] = ["Resources", "Parameters"];

/// Reads a template. The names hold even where resources have problems.
pub(super) fn read(root: &Node, log: &mut Log<'_>) -> (Template, StackNames) {
    let mut template = Template::default();
    if root.entries().is_none() {
        log.report(root.span, format!("expected a CloudFormation template, found {}", root.kind()))
            .hint("a template has `Resources: { OrderQueue: { Type: AWS::SQS::Queue } }`");
        return (template, StackNames::default());
    }
    sections(root, &mut template, log);
    let mut stack = Stack::new(parameters::read(root, log), resources::read(root, log), log);
    stack.find_names();
    for (id, resource) in stack.resources.clone() {
        stack.current = Some(id.clone());
        let mut properties = Properties::of(&mut stack, &id, &resource, &mut template.ignored);
        match resource.kind {
            Kind::Queue => drop(queue::read(&mut properties).map(|queue| template.queues.insert(id, queue))),
            Kind::Alarm => drop(alarm::read(&mut properties).map(|alarm| template.alarms.insert(id, alarm))),
            Kind::Topic => drop(topic::read(&mut properties).map(|topic| template.topics.insert(id, topic))),
            Kind::Other => template.ignored.push(format!("`{id}`: {} is not implemented", resource.of_type)),
        }
    }
    stack.refuse_cycles();
    let names = names(&stack, &template);
    (template, names)
}

fn sections(root: &Node, template: &mut Template, log: &mut Log<'_>) {
    for entry in root.entries().unwrap_or_default() {
        let key = entry.key.as_str();
        if IGNORED.contains(&key) {
            template.ignored.push(format!("the section `{key}` is not implemented"));
        } else if !READ.contains(&key) && !QUIET.contains(&key) {
            let known = READ.iter().chain(&QUIET).chain(&IGNORED).copied();
            log.report(entry.key_span, format!("a template has no section `{key}`"))
                .hint_if(hint_for(key, known));
        }
    }
    if root.entry("Resources").is_none() {
        log.report(root.span, "`Resources` is missing")
            .hint("add `Resources: { OrderQueue: { Type: AWS::SQS::Queue } }`, for example");
    }
}

fn names(stack: &Stack<'_, '_>, template: &Template) -> StackNames {
    let kinds: BTreeMap<_, _> = stack
        .resources
        .iter()
        .map(|(id, resource): (&String, &Resource<'_>)| (id.clone(), resource.kind))
        .collect();
    let queues = kinds.values().filter(|kind| **kind == Kind::Queue).count();
    let targets: BTreeSet<_> = template
        .queues
        .values()
        .filter_map(|queue| queue.redrive.as_ref())
        .map(|redrive| redrive.to.clone())
        .collect();
    StackNames {
        kinds: stack.complete.then_some(kinds),
        // A queue that could not be read may have a redrive policy.
        dead_letter_queues: (template.queues.len() == queues).then_some(targets),
    }
}
