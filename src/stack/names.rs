//! Physical names for the resources of a template.

use havoq_base::Seed;

use crate::aws::Directory;
use crate::scenario::Template;

/// SQS's limit; alarms and topics allow more.
const LONGEST: usize = 80;

/// Names every resource of the template: by its own name where it has one, else as CloudFormation
/// does, `STACK-LOGICALID-RANDOM`.
pub(super) fn directory(template: &Template, stack: &str, seed: Seed) -> Directory {
    let mut directory = Directory::default();
    let queues = template.queues.iter().map(|(id, queue)| (id, &queue.name));
    let alarms = template.alarms.iter().map(|(id, alarm)| (id, &alarm.name));
    let topics = template.topics.iter().map(|(id, topic)| (id, &topic.name));
    for (id, name) in queues.chain(alarms).chain(topics) {
        let name = name.clone().unwrap_or_else(|| generated(stack, id, seed));
        directory.add(id, &name);
    }
    for (id, queue) in &template.queues {
        directory.set_visibility(id, queue.visibility_timeout);
    }
    directory
}

fn generated(stack: &str, id: &str, seed: Seed) -> String {
    let random = seed.fork(id).stream().next_u64() as u32;
    let stack: String = stack.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let stack = &stack[..stack.len().min(30)];
    let id = &id[..id.len().min(LONGEST - stack.len() - 10)];
    format!("{stack}-{id}-{random:08X}")
}
