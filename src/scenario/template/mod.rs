//! The CloudFormation subset: the resources of the services that the sandbox has, SAM's functions,
//! and the intrinsics that tie them together. What is not implemented is listed, never silently
//! dropped.
//!
//! Queues, alarms, functions and mappings are read into types of their own, since havoq looks into
//! them. All else is read by a table of its properties (`shape`, `shapes`, `document`), and made by
//! calls of the same shape.

mod alarm;
mod checks;
mod document;
mod evaluate;
mod function;
mod globals;
mod graph;
mod identity;
mod known;
mod made;
mod mapping;
mod naming;
mod parameters;
mod properties;
mod queue;
mod resources;
mod serverless;
mod shape;
mod shapes;
mod substitute;
mod texts;
mod topic;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use super::lower::{Kind, StackNames};
use super::model::{Fields, Template};
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
const IGNORED: [&str; 6] = ["Metadata", "Mappings", "Conditions", "Outputs", "Rules", "Hooks"];
const READ: [&str; 4] = ["Resources", "Parameters", "Globals", "Transform"];

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
    let globals = globals::read(root, &mut stack, &mut template.ignored);
    for (id, resource) in stack.resources.clone() {
        stack.current = Some(id.clone());
        template.add(&mut stack, id, &resource, &globals);
    }
    checks::check(&template, &stack.resources, stack.log);
    stack.refuse_cycles();
    let names = names(&stack, &template);
    (template, names)
}

impl Template {
    fn add<'a>(&mut self, stack: &mut Stack<'a, '_>, id: String, resource: &Resource<'a>, globals: &Fields) {
        let mut properties = Properties::of(stack, &id, resource, &mut self.ignored);
        let properties = &mut properties;
        match resource.kind {
            Kind::Queue => {
                let queue = queue::read(properties);
                self.queues.extend(queue.map(|queue| (id, queue)));
            }
            Kind::Alarm => {
                let alarm = alarm::read(properties);
                self.alarms.extend(alarm.map(|alarm| (id, alarm)));
            }
            Kind::Topic => {
                let Some((topic, subscriptions)) = topic::read(properties) else { return };
                self.topics.insert(id, topic);
                self.others.extend(subscriptions);
            }
            Kind::Function if resource.of_type == known::SERVERLESS_FUNCTION => {
                let Some(expanded) = serverless::read(properties, globals) else { return };
                self.functions.insert(id, expanded.function);
                self.mappings.extend(expanded.mappings);
                self.others.extend(expanded.others);
            }
            Kind::Function => {
                let function = function::read(properties);
                self.functions.extend(function.map(|function| (id, function)));
            }
            Kind::Mapping => {
                let mapping = mapping::read(properties);
                self.mappings.extend(mapping.map(|mapping| (id, mapping)));
            }
            Kind::Made(kind) => {
                let made = made::read(properties, kind);
                self.others.extend(made.map(|made| (id, made)));
            }
            Kind::Other => self.ignored.push(format!("`{id}`: {} is not implemented", resource.of_type)),
        }
    }
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
