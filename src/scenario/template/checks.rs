//! What must hold between the resources of a template.

use std::collections::BTreeMap;

use havoq_base::StackDuration;

use super::super::model::{Mapping, Template};
use super::super::problem::{Log, Span};
use super::resources::Resource;

/// The messages of one receive.
const MOST_AT_ONCE: u32 = 10;

/// Notes what AWS would refuse only when the whole is made.
pub(super) fn check(template: &Template, resources: &BTreeMap<String, Resource<'_>>, log: &mut Log<'_>) {
    for (id, mapping) in &template.mappings {
        // A mapping that stands for an event of a function is told there.
        let length = resources.get(id).map_or(1, |resource| resource.span.length);
        let span = Span { place: mapping.place, length };
        visibility_fits(template, mapping, span, log);
        batch_fits(template, mapping, span, log);
    }
    for (id, queue) in &template.queues {
        let Some(redrive) = &queue.redrive else { continue };
        let Some(target) = template.queues.get(&redrive.to) else { continue };
        if target.fifo.is_some() != queue.fifo.is_some()
            && let Some(resource) = resources.get(id)
        {
            let (this, that) = if queue.fifo.is_some() { ("FIFO", "standard") } else { ("standard", "FIFO") };
            let message =
                format!("`{id}` is a {this} queue, and its dead-letter queue `{}` a {that} one", redrive.to);
            log.report(resource.span, message).hint("both must be of the same kind");
        }
    }
}

/// More than ten messages have to be gathered, which FIFO queues do not do (semantics 5.1).
fn batch_fits(template: &Template, mapping: &Mapping, span: Span, log: &mut Log<'_>) {
    let fifo = template.queues.get(&mapping.queue).is_some_and(|queue| queue.fifo.is_some());
    let gathers = mapping.window > StackDuration::ZERO;
    if fifo && (gathers || mapping.batch_size > MOST_AT_ONCE) {
        let message = format!("the mapping of the FIFO queue `{}` gathers messages", mapping.queue);
        log.report(span, message).hint("at most 10 messages and no window");
    } else if mapping.batch_size > MOST_AT_ONCE && !gathers {
        let message = format!("a BatchSize of {} needs a MaximumBatchingWindowInSeconds", mapping.batch_size);
        log.report(span, message).hint("at least 1 where the batch size is above 10");
    }
}

/// CreateEventSourceMapping refuses a queue from which messages come back while their function still
/// runs (semantics 5.1).
fn visibility_fits(template: &Template, mapping: &Mapping, span: Span, log: &mut Log<'_>) {
    let (Some(queue), Some(function)) =
        (template.queues.get(&mapping.queue), template.functions.get(&mapping.function))
    else {
        return;
    };
    if queue.visibility_timeout < function.timeout {
        let message = format!(
            "Queue visibility timeout: {} seconds is less than Function timeout: {} seconds (`{}` feeds `{}`)",
            queue.visibility_timeout.as_secs(),
            function.timeout.as_secs(),
            mapping.queue,
            mapping.function,
        );
        let hint =
            "give the queue a VisibilityTimeout of at least the function's Timeout; AWS advises six times it";
        log.report(span, message).hint(hint);
    }
}
