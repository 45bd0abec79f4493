//! Physical names for the resources of a template.

use havoq_base::Seed;

use crate::aws::Directory;
use crate::scenario::Template;

/// SQS's limit; alarms and topics allow more, what else there is less.
const LONGEST: usize = 80;

/// How names are made.
pub(super) enum Naming<'a> {
    /// A stack of our own, of this name: by the resource's own name where it has one, else as
    /// CloudFormation does, `STACK-LOGICALID-RANDOM`.
    Stack(&'a str),
    /// Among others' resources: all of ours begin like this, also those with names of their own,
    /// and no two scenarios of a run share one.
    Prefix(&'a str),
}

/// Names every resource of the template.
pub(super) fn directory(template: &Template, naming: &Naming<'_>, seed: Seed) -> Directory {
    let mut directory = Directory::default();
    let physical = |id: &str, name: &Option<String>, rule: Rule| match naming {
        Naming::Stack(stack) => name.clone().unwrap_or_else(|| generated(stack, id, rule, seed)),
        Naming::Prefix(prefix) => prefixed(prefix, id, name.as_deref(), seed),
    };
    let queues =
        template.queues.iter().map(|(id, queue)| (id, &queue.name, Rule::queue(queue.fifo.is_some())));
    let alarms = template.alarms.iter().map(|(id, alarm)| (id, &alarm.name, Rule::queue(false)));
    let topics = template.topics.iter().map(|(id, topic)| (id, &topic.name, Rule::queue(topic.fifo)));
    for (id, name, rule) in queues.chain(alarms).chain(topics) {
        directory.add(id, &physical(id, name, rule));
    }
    let functions = template.functions.iter().map(|(id, function)| (id, &function.name, Rule::other()));
    let others = template.others.iter().filter(|(_, made)| made.kind.is_named());
    let others = others.map(|(id, made)| (id, &made.name, Rule::other()));
    for (id, name, rule) in functions.chain(others) {
        directory.add_another(id, &physical(id, name, rule));
    }
    for (id, queue) in &template.queues {
        directory.set_visibility(id, queue.visibility_timeout);
    }
    directory
}

/// What a generated name must be like.
#[derive(Clone, Copy)]
struct Rule {
    longest: usize,
    ending: &'static str,
}

impl Rule {
    fn queue(fifo: bool) -> Self {
        Self { longest: LONGEST, ending: if fifo { ".fifo" } else { "" } }
    }

    /// Archives have the shortest names.
    fn other() -> Self {
        Self { longest: 48, ending: "" }
    }
}

fn generated(stack: &str, id: &str, rule: Rule, seed: Seed) -> String {
    let random = seed.fork(id).stream().next_u64() as u32;
    let Rule { longest, ending } = rule;
    let stack = plain(stack);
    let stack = &stack[..stack.len().min(longest * 3 / 8)];
    let id = &id[..id.len().min(longest - ending.len() - stack.len() - 10)];
    format!("{stack}-{id}-{random:08X}{ending}")
}

/// `PREFIXrandom-NAME`. The random part stands in front, so that cutting a long name off cannot
/// make two alike.
pub(super) fn prefixed(prefix: &str, id: &str, name: Option<&str>, seed: Seed) -> String {
    let random = seed.fork(id).stream().next_u64() as u32;
    let name = plain(name.unwrap_or(id));
    let room = LONGEST.saturating_sub(prefix.len() + 9);
    format!("{prefix}{random:08x}-{}", &name[..name.len().min(room)])
}

/// ASCII only, so that it can be cut anywhere.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixed_names_fit_and_differ() {
        let prefix = "havoq-20261130T113332Z-1a2b-";
        let long = "a-very-long-queue-name-that-two-queues-share-up-to-its-very-last-letter-";
        let one = prefixed(prefix, "One", Some(&format!("{long}1")), Seed(1));
        let two = prefixed(prefix, "Two", Some(&format!("{long}2")), Seed(1));
        assert_ne!(one, two);
        for name in [&one, &two] {
            assert!(name.len() <= LONGEST && name.starts_with(prefix), "{name}");
        }
        assert_ne!(prefixed(prefix, "One", None, Seed(1)), prefixed(prefix, "One", None, Seed(2)));
        assert!(prefixed(prefix, "One", Some("größe.1"), Seed(1)).ends_with("-gr--e-1"));
    }
}
