//! Lambda functions as consumers: what goes together, as Lambda checks it when a mapping is made.

use havoq_base::StackDuration;
use havoq_lambda::Filters;

use super::super::decode::{Given, Sp};
use super::super::model::{Batching, DEFAULT_MEMORY, DEFAULT_TIMEOUT, Lambda, Mapping};
use super::super::place::At;
use super::super::problem::Span;
use super::super::raw::{ConsumerRaw, LambdaRaw};
use super::{Context, Kind};

fn command(raw: &LambdaRaw) -> Option<Vec<String>> {
    Some(raw.command.as_ref()?.0.iter().map(|part| part.0.clone()).collect())
}

fn batching_of(mapping: &Mapping) -> Batching {
    Batching {
        batch_size: mapping.batch_size,
        window: mapping.window,
        report_batch_item_failures: mapping.reports_item_failures,
        maximum_concurrency: mapping.maximum_concurrency,
        filters: mapping.filters.clone(),
    }
}

/// Lambda's limits (semantics 5.1, 5.5).
const LONGEST_TIMEOUT: StackDuration = StackDuration::from_secs(900);
const LONGEST_WINDOW: StackDuration = StackDuration::from_secs(300);
const LARGEST_UNGATHERED: u32 = 10;
const SECOND: u64 = 1_000_000;

impl<'a> Context<'a, '_> {
    pub(super) fn lower_lambda(
        &mut self,
        raw: &Sp<LambdaRaw>,
        consumer: &ConsumerRaw,
        name: Span,
    ) -> Option<Lambda> {
        self.refuse_of_processes(consumer);
        if raw.has("function") {
            return self.lambda_of_template(raw, consumer);
        }
        let queue = self.the_queue(consumer, name);
        let timeout = self.timeout(raw);
        if let (Some(timeout), Some(queue)) = (&timeout, &queue) {
            self.check_visibility(timeout, queue);
        }
        let batching = self.lower_batching(raw, queue.as_deref());
        let timeout = timeout?;
        Some(Lambda {
            command: command(raw)?,
            function: None,
            memory: DEFAULT_MEMORY,
            handler: raw.handler.as_ref().map(|handler| handler.0.clone()),
            code: raw.code.as_ref().map(|code| code.0.clone()),
            timeout: At { value: timeout.value, place: timeout.span.place },
            reserved_concurrency: raw.reserved_concurrency.as_ref().map(|most| most.0),
            batching: Some(batching?),
        })
    }

    /// A function of the stack: all but its code is the template's.
    fn lambda_of_template(&mut self, raw: &Sp<LambdaRaw>, consumer: &ConsumerRaw) -> Option<Lambda> {
        let given = [
            ("handler", raw.handler.as_ref().map(|given| given.span)),
            ("timeout", raw.timeout.as_ref().map(|given| given.span)),
            ("batch_size", raw.batch_size.as_ref().map(|given| given.span)),
            ("window", raw.window.as_ref().map(|given| given.span)),
            ("report_batch_item_failures", raw.report_batch_item_failures.as_ref().map(|given| given.span)),
            ("maximum_concurrency", raw.maximum_concurrency.as_ref().map(|given| given.span)),
            ("reserved_concurrency", raw.reserved_concurrency.as_ref().map(|given| given.span)),
            ("filter", raw.filter.as_ref().map(|given| given.span)),
        ];
        for (key, span) in given {
            if let Some(span) = span {
                let message = format!("`{key}` is the template's to say, since `function` is given");
                self.problem(span, message, "set it in the stack, or remove `function`");
            }
        }
        let id = raw.function.as_ref()?;
        let name = self.resource(id, Kind::Function)?;
        let template = self.template;
        let function = template.functions.get(&name)?;
        let batching = self.mapping_of(&name, consumer, id.span)?;
        Some(Lambda {
            command: command(raw)?,
            handler: function.handler.clone(),
            code: raw.code.as_ref().map(|code| code.0.clone()),
            timeout: At { value: function.timeout, place: id.span.place },
            memory: function.memory,
            reserved_concurrency: function.reserved_concurrency,
            batching: batching.map(batching_of),
            function: Some(name),
        })
    }

    /// The mapping that feeds a function, where one does: of the queue that the consumer names, or
    /// the only one. `None` when a problem was noted.
    fn mapping_of(
        &mut self,
        function: &str,
        consumer: &ConsumerRaw,
        span: Span,
    ) -> Option<Option<&'a Mapping>> {
        let template = self.template;
        let own = |mapping: &&Mapping| mapping.enabled && mapping.function == function;
        let all: Vec<&Mapping> = template.mappings.values().filter(own).collect();
        let Some(queue) = consumer.queue.as_ref().and_then(|queues| queues.0.first()) else {
            return match all.as_slice() {
                [] => Some(None),
                [only] => Some(Some(only)),
                _ => {
                    let message = format!("`{function}` is fed from {} queues", all.len());
                    self.problem(span, message, "name one with `queue`, and add a consumer for each other");
                    None
                }
            };
        };
        self.the_queue(consumer, span)?;
        let found = all.into_iter().find(|mapping| mapping.queue == queue.0);
        if found.is_none() {
            let message = format!("no mapping feeds `{function}` from `{}`", queue.0);
            self.problem(queue.span, message, "add an AWS::Lambda::EventSourceMapping to the stack");
        }
        found.map(Some)
    }

    /// The queue of the mapping that was found.
    pub(super) fn queue_of_mapping(&mut self, lambda: &Lambda, span: Span) -> Vec<At<String>> {
        let mappings = lambda.function.iter().flat_map(|function| self.template.mappings_of(function));
        let enabled = mappings.map(|(_, mapping)| mapping).find(|mapping| mapping.enabled);
        let queue = |mapping: &Mapping| At { value: mapping.queue.clone(), place: span.place };
        enabled.map(queue).into_iter().collect()
    }

    /// What is said of processes means nothing for environments, which come and go by themselves.
    fn refuse_of_processes(&mut self, raw: &ConsumerRaw) {
        let given = [
            ("instances", raw.instances.as_ref().map(|given| given.span)),
            ("restart", raw.restart.as_ref().map(|given| given.span)),
            ("sequential", raw.sequential.as_ref().map(|given| given.span)),
        ];
        for (key, span) in given {
            if let Some(span) = span {
                let message = format!("a function has no `{key}`: its environments come and go as needed");
                self.problem(span, message, "remove it; `reserved_concurrency` limits environments");
            }
        }
    }

    fn the_queue(&mut self, raw: &ConsumerRaw, name: Span) -> Option<String> {
        let queues = &raw.queue.as_ref()?.0;
        match queues.as_slice() {
            [only] => Some(only.0.clone()),
            _ => {
                let message = "a function's mapping has one queue";
                self.problem(name, message, "make another consumer of the function for each queue");
                None
            }
        }
    }

    /// With the place that a problem with it is told at.
    fn timeout(&mut self, raw: &Sp<LambdaRaw>) -> Option<Sp<StackDuration>> {
        let Some(timeout) = &raw.timeout else {
            let given = raw.has("timeout");
            return (!given).then_some(Sp { value: DEFAULT_TIMEOUT, span: raw.span });
        };
        let whole = timeout.0.as_micros() % SECOND == 0;
        if !whole || timeout.0 > LONGEST_TIMEOUT {
            self.problem(timeout.span, "a function's timeout has whole seconds", "from 1s to 15m");
            return None;
        }
        Some(Sp { value: timeout.0, span: timeout.span })
    }

    /// Lambda refuses a mapping whose function may run longer than a message is hidden.
    fn check_visibility(&mut self, timeout: &Sp<StackDuration>, queue: &str) {
        let known = self.template.queues.get(queue);
        let Some(visibility) = known.map(|queue| queue.visibility_timeout) else { return };
        if visibility < timeout.value {
            let message = format!(
                "the visibility timeout of `{queue}` is {} s, and the function may run for {} s",
                visibility.as_secs(),
                timeout.value.as_secs()
            );
            let hint =
                "Lambda refuses such a mapping; a visibility timeout of six times the function's is advised";
            self.problem(timeout.span, message, hint);
        }
    }

    fn lower_batching(&mut self, raw: &LambdaRaw, queue: Option<&str>) -> Option<Batching> {
        let batch_size = raw.batch_size.as_ref().map_or(10, |size| size.0);
        let window = raw.window.as_ref().map_or(StackDuration::ZERO, |window| window.0);
        if let Some(given) = &raw.window
            && (!window.as_micros().is_multiple_of(SECOND) || window > LONGEST_WINDOW)
        {
            self.problem(given.span, "a batching window has whole seconds", "from 0s to 5m");
            return None;
        }
        let fifo = queue.and_then(|queue| self.template.queues.get(queue)?.fifo.as_ref()).is_some();
        if let Some(given) = raw.window.as_ref().filter(|_| fifo && window > StackDuration::ZERO) {
            self.problem(given.span, "a FIFO queue's messages are not gathered", "remove `window`");
            return None;
        }
        if let Some(given) = raw.batch_size.as_ref().filter(|_| fifo && batch_size > LARGEST_UNGATHERED) {
            let message = format!("a FIFO queue gives at most {LARGEST_UNGATHERED} messages at a time");
            self.problem(given.span, message, "lower it");
            return None;
        }
        if let Some(given) = &raw.batch_size
            && batch_size > LARGEST_UNGATHERED
            && window == StackDuration::ZERO
        {
            let message = format!("more than {LARGEST_UNGATHERED} messages have to be gathered");
            self.problem(given.span, message, "add `window: 1s`, or more");
            return None;
        }
        Some(Batching {
            batch_size,
            window,
            report_batch_item_failures: raw.report_batch_item_failures.as_ref().is_some_and(|on| on.value),
            maximum_concurrency: raw.maximum_concurrency.as_ref().map(|most| most.0),
            filters: self.lower_filters(raw)?,
        })
    }

    fn lower_filters(&mut self, raw: &LambdaRaw) -> Option<Vec<String>> {
        let mut texts = Vec::new();
        for pattern in raw.filter.iter().flat_map(|filter| &filter.0) {
            let text = match &pattern.0 {
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            if Filters::parse([&text]).is_err() {
                let message = "this is no filter pattern that Lambda takes";
                self.problem(pattern.span, message, "`{ body: { type: [order.placed] } }`, for example");
                return None;
            }
            texts.push(text);
        }
        Some(texts)
    }
}
