//! Consumers and effects.

use std::collections::BTreeMap;

use super::super::decode::{AnyText, Given, Several, Sp};
use super::super::model::{Consumer, ConsumerTime, Effect, Program, Restart, Worker};
use super::super::place::At;
use super::super::problem::Span;
use super::super::raw::{ConsumerRaw, LambdaRaw, ScenarioRaw, WorkerRaw};
use super::Context;

impl Context<'_, '_> {
    pub(super) fn lower_consumers(&mut self, raw: &ScenarioRaw) -> BTreeMap<String, Consumer> {
        let mut consumers = BTreeMap::new();
        for (name, consumer) in raw.consumers.iter().flat_map(|table| &table.value.0) {
            let Some(consumer) = consumer else { continue };
            if let Some(consumer) = self.lower_consumer(name, consumer) {
                consumers.insert(name.value.clone(), consumer);
            }
        }
        consumers
    }

    fn lower_consumer(&mut self, name: &Sp<String>, raw: &ConsumerRaw) -> Option<Consumer> {
        let given = ["worker", "command", "lambda", "deployed"].iter().any(|key| raw.has(key));
        let runs = match (&raw.deployed, &raw.lambda) {
            (Some(deployed), _) => self.lower_deployed(raw, deployed).map(Program::Deployed),
            (None, Some(lambda)) => self.lower_function(lambda, raw, name.span),
            (None, None) => self.lower_program(raw.worker.as_ref(), raw.command.as_ref(), given, name.span),
        };
        let fixed = raw.fixed.as_ref().map(|fixed| {
            if let (Some(worker), Some(_)) = (&fixed.worker, &raw.lambda) {
                self.problem(worker.span, "a worker is no function", "give the fixed function's `command`");
                return None;
            }
            let given = fixed.has("worker") || fixed.has("command");
            self.lower_program(fixed.worker.as_ref(), fixed.command.as_ref(), given, fixed.span)
        });
        let of_stack = raw.lambda.as_ref().is_some_and(|lambda| lambda.has("function"));
        let queues = match &runs {
            Some(Program::Lambda(lambda)) if of_stack && !raw.has("queue") => {
                Some(self.queue_of_mapping(lambda, name.span))
            }
            // What is wrong with the function has been said.
            None if of_stack && !raw.has("queue") => None,
            _ => self.lower_queues(raw, name.span),
        };
        let env = self.lower_env(raw);
        let ready = self.lower_ready(raw);
        let restart = raw.restart.as_ref().map_or(Some(Restart::Never), |restart| restart.lower());
        Some(Consumer {
            place: name.span.place,
            runs: runs?,
            fixed: match fixed {
                Some(fixed) => Some(fixed?),
                None => None,
            },
            queues: queues?,
            instances: raw.instances.as_ref().map_or(1, |count| count.0),
            restart: restart?,
            ready: ready?,
            sequential: raw.sequential.as_ref().is_some_and(|declared| declared.value),
            bound: raw.bound.as_ref().map(|bound| bound.0),
            time: raw.time.as_ref().map_or(ConsumerTime::Unset, |time| time.0),
            keeps_no_wall_clock_state: raw.wall_clock.is_some(),
            env,
        })
    }

    fn lower_function(&mut self, lambda: &Sp<LambdaRaw>, raw: &ConsumerRaw, name: Span) -> Option<Program> {
        let given = [
            ("worker", raw.worker.as_ref().map(|worker| worker.span)),
            ("command", raw.command.as_ref().map(|command| command.span)),
        ];
        for (key, span) in given {
            if let Some(span) = span {
                self.problem(span, format!("both `lambda` and `{key}` are given"), "keep one of them");
            }
        }
        self.lower_lambda(lambda, raw, name).map(Program::Lambda)
    }

    fn lower_program(
        &mut self,
        worker: Option<&Sp<WorkerRaw>>,
        command: Option<&Sp<Several<AnyText>>>,
        given: bool,
        span: Span,
    ) -> Option<Program> {
        match (worker, command) {
            (Some(worker), None) => self.lower_worker(worker).map(Program::Worker),
            (None, Some(command)) => {
                Some(Program::Command(command.0.iter().map(|part| part.0.clone()).collect()))
            }
            (Some(_), Some(command)) => {
                self.problem(command.span, "both `worker` and `command` are given", "keep one of them");
                None
            }
            // A wrong value has been noted already.
            (None, None) if given => None,
            (None, None) => {
                self.problem(
                    span,
                    "there is nothing to run",
                    "add `worker: {}` or `command: [python3, worker.py]`",
                );
                None
            }
        }
    }

    fn lower_worker(&mut self, raw: &Sp<WorkerRaw>) -> Option<Worker> {
        let effect = match &raw.effect {
            Some(effect) => Some(self.effect(effect)?),
            // Without an effect in the scenario its work shows in nothing but the delete.
            None if self.effects.is_empty() => None,
            None => Some(self.only_effect(raw.span, "effect")?),
        };
        Some(Worker {
            bug: raw.bug.as_ref().map(|bug| bug.0),
            work: raw.work.as_ref().map(|work| work.0),
            effect,
            rejects: raw.rejects.as_ref().map(|rejects| rejects.0),
        })
    }

    /// The scenario's only effect, where none is named by `key`.
    pub(super) fn only_effect(&mut self, span: Span, key: &str) -> Option<String> {
        match self.effects.as_slice() {
            [only] => Some((*only).to_owned()),
            [] => {
                self.problem(
                    span,
                    "this needs an effect, and the scenario has none",
                    "add `effects: { charges: { http: /charges, key: $.orderId } }`",
                );
                None
            }
            [first, ..] => {
                let hint = format!("name one, such as `{key}: {first}`");
                let message =
                    format!("the scenario has {} effects, so `{key}` must name one", self.effects.len());
                self.problem(span, message, hint);
                None
            }
        }
    }

    fn lower_queues(&mut self, raw: &ConsumerRaw, name: Span) -> Option<Vec<At<String>>> {
        if !raw.has("queue") {
            self.problem(name, "`queue` is missing", "add `queue: OrderQueue`, for example");
        }
        let mut queues: Vec<At<String>> = Vec::new();
        for id in &raw.queue.as_ref()?.0 {
            let Some(queue) = self.queue(Some(id)) else { continue };
            if queues.iter().any(|known| known.value == queue) {
                self.problem(id.span, format!("`{queue}` is listed twice"), "remove one of them");
                continue;
            }
            queues.push(At { value: queue, place: id.span.place });
        }
        Some(queues)
    }

    fn lower_env(&mut self, raw: &ConsumerRaw) -> BTreeMap<String, String> {
        let mut env = BTreeMap::new();
        for (name, value) in raw.env.iter().flat_map(|table| &table.value.0) {
            let Some(value) = value else { continue };
            self.check_variable(&value.0, value.span);
            env.insert(name.value.clone(), value.0.clone());
        }
        env
    }

    pub(super) fn lower_effects(&mut self, raw: &ScenarioRaw) -> BTreeMap<String, Effect> {
        let mut effects = BTreeMap::new();
        let mut paths: BTreeMap<String, String> = BTreeMap::new();
        let mut variables: BTreeMap<String, String> = BTreeMap::new();
        for (name, effect) in raw.effects.iter().flat_map(|table| &table.value.0) {
            let Some(effect) = effect else { continue };
            let (Some(path), Some(key)) = (&effect.http, &effect.key) else { continue };
            if let Some(other) = paths.insert(path.0.clone(), name.value.clone()) {
                let message = format!("the effect `{other}` has this path already");
                self.problem(path.span, message, "give each effect a path of its own");
            }
            // Both would be handed to consumers as one variable, HAVOQ_EFFECT_<NAME>_URL.
            let variable = name.value.to_ascii_uppercase().replace('-', "_");
            if let Some(other) = variables.insert(variable, name.value.clone()) {
                let message = format!("the effect `{other}` has the same variable as this one");
                self.problem(
                    name.span,
                    message,
                    "give the effects names that differ in more than case and dashes",
                );
            }
            effects.insert(
                name.value.clone(),
                Effect { place: name.span.place, path: path.0.clone(), key: key.0.clone() },
            );
        }
        effects
    }
}
