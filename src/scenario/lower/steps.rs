//! Steps other than `kill`.

use havoq_base::StackDuration;

use super::super::decode::Sp;
use super::super::model::{Action, Duplicate, Poison, RedriveStep, Send, Step};
use super::super::raw::{
    DuplicateRaw, PoisonRaw, RedriveRaw, RestartStepRaw, ScenarioRaw, SendRaw, SteadyRaw, StepRaw, SwapRaw,
    WaitRaw,
};
use super::Context;
use super::claims::When;
use super::labels::Order;
use super::ready::Lever;

/// SQS's limit.
const MAX_DELAY: StackDuration = StackDuration::from_secs(900);

impl Context<'_, '_> {
    pub(super) fn lower_steady_state(&mut self, raw: &ScenarioRaw) -> Vec<Step> {
        let mut steps = Vec::new();
        for (order, item) in raw.steady_state.iter().flat_map(|list| &list.value).enumerate() {
            let action = match &item.value {
                SteadyRaw::Claim(claim) => {
                    self.lower_claim(claim, When::Here(Order(order))).map(Action::Await)
                }
                SteadyRaw::Step(StepRaw::Send(step)) => self.lower_send(step),
                SteadyRaw::Step(StepRaw::Wait(step)) => self.lower_wait(step, Order(order)),
                SteadyRaw::Step(_) => {
                    let message = "a fault has no place in the steady state";
                    self.problem(item.span, message, "move it to `inject`");
                    None
                }
            };
            steps.extend(action.map(|action| Step { place: item.span.place, action }));
        }
        steps
    }

    pub(super) fn lower_inject(&mut self, raw: &ScenarioRaw) -> Vec<Step> {
        let first = self.labels.first_injected;
        let mut steps = Vec::new();
        for (index, item) in raw.inject.iter().flat_map(|list| &list.value.0).enumerate() {
            let action = self.lower_step(&item.value.0, Order(first + index));
            steps.extend(action.map(|action| Step { place: item.span.place, action }));
        }
        steps
    }

    fn lower_step(&mut self, raw: &StepRaw, order: Order) -> Option<Action> {
        match raw {
            StepRaw::Send(step) => self.lower_send(step),
            StepRaw::Poison(step) => self.lower_poison(step),
            StepRaw::Duplicate(step) => self.lower_duplicate(step),
            StepRaw::Kill(step) => self.lower_kill(step, order).map(Action::Kill),
            StepRaw::Fault(step) => self.lower_fault(step, order).map(Action::Fault),
            StepRaw::Restart(step) => self.lower_restart(step),
            StepRaw::Swap(step) => self.lower_swap(step),
            StepRaw::Redrive(step) => self.lower_redrive(step),
            StepRaw::Wait(step) => self.lower_wait(step, order),
        }
    }

    fn lower_send(&mut self, raw: &Sp<SendRaw>) -> Option<Action> {
        let to = self.queue(raw.to.as_ref());
        if let Some(body) = &raw.body {
            self.check_body(&body.0, body.span);
        }
        if let Some(delay) = raw.delay.as_ref().filter(|delay| delay.0 > MAX_DELAY) {
            self.problem(delay.span, "a message can be delayed by at most 15m", "use `wait` before the send");
        }
        Some(Action::Send(Send {
            to: to?,
            count: raw.count.as_ref().map_or(1, |count| count.0),
            label: raw.label.as_ref()?.0.clone(),
            body: raw.body.as_ref().map(|body| body.0.clone()),
            id: raw.id.as_ref().map(|id| id.0.clone()),
            delay: raw.delay.as_ref().map(|delay| delay.0),
            group: raw.group.as_ref().map(|group| group.0.clone()),
        }))
    }

    fn lower_poison(&mut self, raw: &PoisonRaw) -> Option<Action> {
        let to = self.queue(raw.to.as_ref());
        Some(Action::Poison(Poison {
            to: to?,
            count: raw.count.as_ref().map_or(1, |count| count.0),
            label: raw.label.as_ref()?.0.clone(),
            form: raw.form.as_ref()?.0,
            group: raw.group.as_ref().map(|group| group.0.clone()),
        }))
    }

    fn lower_duplicate(&mut self, raw: &DuplicateRaw) -> Option<Action> {
        let to = self.queue(raw.to.as_ref());
        Some(Action::Duplicate(Duplicate {
            to: to?,
            label: raw.label.as_ref()?.0.clone(),
            count: raw.count.as_ref().map_or(1, |count| count.0),
            copies: raw.copies.as_ref().map_or(2, |copies| copies.0),
            gap: raw.gap.as_ref().map_or(StackDuration::ZERO, |gap| gap.0),
        }))
    }

    fn lower_restart(&mut self, raw: &RestartStepRaw) -> Option<Action> {
        let consumer = self.consumer(raw.consumer.as_ref())?;
        let span = raw.consumer.as_ref()?.span;
        self.check_levers(&consumer, &[Lever::Kill, Lever::Restart], span);
        Some(Action::Restart { consumer })
    }

    fn lower_swap(&mut self, raw: &Sp<SwapRaw>) -> Option<Action> {
        let consumer = self.consumer(raw.consumer.as_ref())?;
        let span = raw.consumer.as_ref().map_or(raw.span, |consumer| consumer.span);
        self.check_levers(&consumer, &[Lever::Kill, Lever::Fix], span);
        let known = self.consumers.get(consumer.as_str()).copied().flatten();
        if known.is_some_and(|consumer| consumer.fixed.is_none() && consumer.deployed.is_none()) {
            let message = format!("the consumer `{consumer}` has no fixed variant");
            self.problem(span, message, "add `fixed: { worker: {} }` to it, for example");
            return None;
        }
        raw.to.as_ref().map(|_| Action::Swap { consumer })
    }

    fn lower_redrive(&mut self, raw: &Sp<RedriveRaw>) -> Option<Action> {
        let from = self.dead_letter_queue(raw.from.as_ref());
        let to = match &raw.to {
            Some(to) => Some(self.queue(Some(to))?),
            None => None,
        };
        let from = from?;
        if to.as_ref() == Some(&from) {
            let span = raw.to.as_ref().map_or(raw.span, |to| to.span);
            self.problem(span, "the messages would go back to where they are", "name their source queue");
            return None;
        }
        Some(Action::Redrive(RedriveStep { from, to, rate: raw.rate.as_ref().map(|rate| rate.0) }))
    }

    fn lower_wait(&mut self, raw: &Sp<WaitRaw>, order: Order) -> Option<Action> {
        match &raw.value {
            WaitRaw::Span(span) => Some(Action::Wait(span.0)),
            WaitRaw::Claim(claim) => self.lower_claim(claim, When::Here(order)).map(Action::Await),
        }
    }
}
