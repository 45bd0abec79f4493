//! From files and texts to scenarios.

use std::path::Path;

use havoq_fault::FaultSpec;

use super::decode::{Decode, Raw, Sp};
use super::lower::{StackNames, lower, lower_faults};
use super::model::{Scenario, Template};
use super::place::{At, Place};
use super::problem::{Log, Problem, Span};
use super::raw::ScenarioRaw;
use super::yaml::{self, Data, Node, Scalar};
use super::{bytes, template};

/// Where the text of a stack's own file comes from.
#[derive(Clone, Copy, Debug)]
pub enum StackLookup<'a> {
    /// There is none: the stack must be inline.
    Nowhere,
    /// From an earlier load: the file's name and its text.
    Embedded { name: &'a str, text: &'a str },
    /// From the disk, relative to this folder.
    Folder(&'a Path),
}

impl<'a> From<&'a Option<(String, String)>> for StackLookup<'a> {
    /// What [`Scenario::stack_file`] kept.
    fn from(kept: &'a Option<(String, String)>) -> Self {
        match kept {
            Some((name, text)) => Self::Embedded { name, text },
            None => Self::Nowhere,
        }
    }
}

/// Loads a scenario file and the stack file that it names. On failure, every problem of both.
pub fn load(path: &Path) -> Result<Scenario, Vec<Problem>> {
    let name = path.display().to_string();
    let text = bytes::read(path, &name).map_err(|problem| vec![problem])?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&name, &text, StackLookup::Folder(folder))
}

/// Reads a scenario from its text. Touches the disk only with [`StackLookup::Folder`].
pub fn parse(file_name: &str, text: &str, stack_file: StackLookup<'_>) -> Result<Scenario, Vec<Problem>> {
    bytes::check(text.as_bytes(), file_name).map_err(|problem| vec![problem])?;
    let mut log = Log::new(file_name, text);
    let loaded = read(file_name, text, stack_file, &mut log);
    let mut problems = log.into_problems();
    problems.extend(loaded.stack_problems);
    match loaded.scenario {
        Some(scenario) if problems.is_empty() => Ok(scenario),
        // What could not be read has said why.
        _ => Err(problems),
    }
}

/// Reads faults that belong to no scenario: one, a list of them, or a list of rules in the form of
/// LocalStack's chaos API. YAML or JSON.
pub fn parse_faults(file_name: &str, text: &str) -> Result<Vec<FaultSpec>, Vec<Problem>> {
    bytes::check(text.as_bytes(), file_name).map_err(|problem| vec![problem])?;
    let mut log = Log::new(file_name, text);
    let faults = yaml::compose(text, &mut log).and_then(|root| read_faults(&root, &mut log));
    match (faults, log.into_problems()) {
        (Some(faults), problems) if problems.is_empty() => Ok(faults),
        (_, problems) => Err(problems),
    }
}

fn read_faults(root: &Node, log: &mut Log<'_>) -> Option<Vec<FaultSpec>> {
    let Data::List(items) = &root.data else {
        return Sp::decode(root, log).map(|fault| lower_faults(&[fault], log));
    };
    let is_fault = |item: &Node| item.entry("does").is_some() || item.entry("rules").is_some();
    if items.iter().any(is_fault) || items.iter().any(|item| item.entries().is_none()) {
        return Vec::decode(root, log).map(|faults| lower_faults(&faults, log));
    }
    let rules = havoq_fault::chaos_rules(&root.to_json().to_string());
    rules.map_err(|bad| log.report(root.span, bad.to_string())).ok()
}

#[derive(Default)]
struct Loaded {
    scenario: Option<Scenario>,
    /// Those of the stack's own file.
    stack_problems: Vec<Problem>,
}

fn read(file: &str, text: &str, lookup: StackLookup<'_>, log: &mut Log<'_>) -> Loaded {
    let Some(root) = yaml::compose(text, log) else { return Loaded::default() };
    let Some(raw) = ScenarioRaw::decode(&root, log) else { return Loaded::default() };
    let mut stack = raw.stack.as_ref().map(|stack| read_stack(stack, lookup, log)).unwrap_or_default();
    let lowered = lower(&root, &raw, (&stack.template, &stack.names), log);
    let unrun = stack.template.unrun(&lowered.functions_run());
    stack.template.ignored.extend(unrun);
    let name = raw.name.map(|name| At { place: name.span.place, value: name.value.0 });
    let scenario = name.map(|name| Scenario {
        file: file.to_owned(),
        text: text.to_owned(),
        stack_file: stack.file,
        name,
        description: raw.description.map(|description| description.value.0),
        stack: stack.template,
        consumers: lowered.consumers,
        effects: lowered.effects,
        steady_state: lowered.steady_state,
        inject: lowered.inject,
        expect: lowered.expect,
        allow_discarded: raw.allow.is_some_and(|allowed| !allowed.is_empty()),
        scaled: None,
        swept: None,
    });
    Loaded { scenario, stack_problems: stack.problems }
}

#[derive(Default)]
struct StackRead {
    template: Template,
    names: StackNames,
    file: Option<(String, String)>,
    problems: Vec<Problem>,
}

/// The stack: a template in place, or the path of one.
fn read_stack(stack: &Sp<Raw>, lookup: StackLookup<'_>, log: &mut Log<'_>) -> StackRead {
    let node = &stack.value.0;
    let path = match (&node.data, node.scalar()) {
        (Data::Map(_), _) => {
            let (template, names) = template::read(node, log);
            return StackRead { template, names, ..StackRead::default() };
        }
        (_, Some(Scalar::Text(path))) if !path.is_empty() => path,
        _ => {
            log.report(node.span, format!("expected a template or the path of one, found {}", node.kind()))
                .hint("`stack: stacks/orders.yaml`, for example");
            return StackRead::default();
        }
    };
    match stack_text(path, lookup) {
        Ok((name, text)) => read_template(name, text),
        Err(problem) => {
            log.report(node.span, problem.message).hint_if(problem.hint);
            StackRead::default()
        }
    }
}

fn stack_text(path: &str, lookup: StackLookup<'_>) -> Result<(String, String), Problem> {
    match lookup {
        StackLookup::Nowhere => Err(Problem::of_file(path, "there is no stack file here")),
        StackLookup::Embedded { name, text } => Ok((name.to_owned(), text.to_owned())),
        StackLookup::Folder(folder) => {
            let found = folder.join(path);
            let name = found.display().to_string();
            bytes::read(&found, &name).map(|text| (name, text))
        }
    }
}

fn read_template(name: String, text: String) -> StackRead {
    let mut log = Log::new(&name, &text);
    let (template, names) = match bytes::check(text.as_bytes(), &name) {
        Err(problem) => {
            log.report(Span { place: Place { line: 1, column: 1 }, length: 1 }, problem.message);
            Default::default()
        }
        Ok(()) => match yaml::compose(&text, &mut log) {
            Some(root) => template::read(&root, &mut log),
            None => Default::default(),
        },
    };
    let problems = log.into_problems();
    StackRead { template, names, problems, file: Some((name, text)) }
}
