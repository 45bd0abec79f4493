//! Lambda functions as consumers: what goes together, as Lambda checks it when a mapping is made.

use havoq_base::StackDuration;
use havoq_lambda::Filters;

use super::super::decode::{Given, Sp};
use super::super::model::{Batching, DEFAULT_TIMEOUT, Lambda};
use super::super::place::At;
use super::super::problem::Span;
use super::super::raw::{ConsumerRaw, LambdaRaw};
use super::Context;

/// Lambda's limits (semantics 5.1, 5.5).
const LONGEST_TIMEOUT: StackDuration = StackDuration::from_secs(900);
const LONGEST_WINDOW: StackDuration = StackDuration::from_secs(300);
const LARGEST_UNGATHERED: u32 = 10;
const SECOND: u64 = 1_000_000;

impl Context<'_, '_> {
    pub(super) fn lower_lambda(
        &mut self,
        raw: &Sp<LambdaRaw>,
        consumer: &ConsumerRaw,
        name: Span,
    ) -> Option<Lambda> {
        self.refuse_of_processes(consumer);
        let queue = self.the_queue(consumer, name);
        let timeout = self.timeout(raw);
        if let (Some(timeout), Some(queue)) = (&timeout, &queue) {
            self.check_visibility(timeout, queue);
        }
        let batching = self.lower_batching(raw);
        let timeout = timeout?;
        Some(Lambda {
            command: raw.command.as_ref()?.0.iter().map(|part| part.0.clone()).collect(),
            handler: raw.handler.as_ref().map(|handler| handler.0.clone()),
            code: raw.code.as_ref().map(|code| code.0.clone()),
            timeout: At { value: timeout.value, place: timeout.span.place },
            reserved_concurrency: raw.reserved_concurrency.as_ref().map(|most| most.0),
            batching: batching?,
        })
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
        let Some(visibility) = self.visibilities.get(queue).copied() else { return };
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

    fn lower_batching(&mut self, raw: &LambdaRaw) -> Option<Batching> {
        let batch_size = raw.batch_size.as_ref().map_or(10, |size| size.0);
        let window = raw.window.as_ref().map_or(StackDuration::ZERO, |window| window.0);
        if let Some(given) = &raw.window
            && (window.as_micros() % SECOND != 0 || window > LONGEST_WINDOW)
        {
            self.problem(given.span, "a batching window has whole seconds", "from 0s to 5m");
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
