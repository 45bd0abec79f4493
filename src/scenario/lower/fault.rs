//! `fault`: which of its keys go together, and which calls can be meant.

use havoq_fault::{FaultSpec, Gauge, Kind, Matching, Stage};
use havoq_wire::Service;

use super::super::decode::{Given, Id, Sp};
use super::super::raw::{DoesRaw, FaultRaw};
use super::super::suggest::hint_for;
use super::Context;
use super::labels::Order;

impl Context<'_, '_> {
    pub(super) fn lower_fault(&mut self, raw: &Sp<FaultRaw>, order: Order) -> Option<Vec<FaultSpec>> {
        if raw.has("rules") {
            return self.lower_rules(raw);
        }
        if !raw.has("does") {
            self.problem(raw.span, "`does` is missing", "add `does: throttle`, for example");
        }
        let queue = match &raw.queue {
            Some(queue) => Some(self.queue(Some(queue))?),
            None => None,
        };
        let consumer = match &raw.consumer {
            Some(consumer) => Some(self.consumer(Some(consumer))?),
            None => None,
        };
        let label = match &raw.of {
            Some(of) => Some(self.label_after(Some(of), order)?),
            None => None,
        };
        let does = raw.does.as_ref()?;
        let service = raw.service.as_ref().map(|service| service.0);
        let kind = (does.kind.build)(&does.values).ok()?;
        let operations = self.operations(raw, does, &*kind, service)?;
        let matching = Matching { service, operations, queue, consumer, label };
        let gauge = Gauge {
            times: raw.times.as_ref().map(|times| times.0),
            first: raw.first.as_ref().map(|first| first.0),
            every: raw.every.as_ref().map(|every| every.0),
            probability: raw.probability.as_ref().map(|probability| probability.0),
            window: raw.window.as_ref().map(|window| window.0),
        };
        FaultSpec::new(does.kind, does.values.clone(), matching, gauge).ok().map(|fault| vec![fault])
    }

    /// A fault of a tap on its own.
    pub(super) fn lower_alone(&mut self, raw: &Sp<FaultRaw>) -> Option<Vec<FaultSpec>> {
        let given = [
            ("of", raw.of.as_ref().map(|of| of.span), "labels"),
            ("consumer", raw.consumer.as_ref().map(|consumer| consumer.span), "consumers"),
        ];
        for (key, span, what) in given {
            if let Some(span) = span {
                self.problem(span, format!("a tap on its own knows no {what}"), format!("remove `{key}`"));
                return None;
            }
        }
        self.lower_fault(raw, Order(0))
    }

    fn lower_rules(&mut self, raw: &Sp<FaultRaw>) -> Option<Vec<FaultSpec>> {
        if raw.has_more_than(&["rules"]) {
            self.problem(raw.span, "`rules` stands alone", "give the other keys a `fault` of their own");
            return None;
        }
        let rules = raw.rules.as_ref()?;
        match havoq_fault::chaos_rules(&rules.0.to_string()) {
            Ok(faults) if faults.is_empty() => {
                self.log.report(rules.span, "this list is empty");
                None
            }
            Ok(faults) => Some(faults),
            Err(bad) => {
                self.log.report(rules.span, bad.to_string());
                None
            }
        }
    }

    /// The calls that are meant; `None` when one of them cannot be.
    fn operations(
        &mut self,
        raw: &FaultRaw,
        does: &DoesRaw,
        kind: &dyn Kind,
        service: Option<Service>,
    ) -> Option<Vec<String>> {
        let calls = raw.call.iter().flat_map(|calls| &calls.0);
        let mut operations = Some(Vec::new());
        for call in calls {
            match self.operation(call, raw, does, kind, service) {
                Some(operation) => operations.iter_mut().for_each(|known| known.push(operation.clone())),
                None => operations = None,
            }
        }
        operations
    }

    fn operation(
        &mut self,
        call: &Sp<Id>,
        raw: &FaultRaw,
        does: &DoesRaw,
        kind: &dyn Kind,
        service: Option<Service>,
    ) -> Option<String> {
        let name = self.known_operation(call, service)?;
        let mut services = Service::ALL.iter().filter(|known| service.is_none_or(|wanted| wanted == **known));
        if !services.any(|service| service.has_operation(&name) && kind.fits(*service, &name)) {
            let message = format!("`{}` cannot be done to {name}", does.kind.name);
            self.log.report(call.span, message);
            return None;
        }
        if name == "ReceiveMessage" && raw.has("of") && kind.stage() == Stage::Request {
            let message = format!(
                "`{}` cannot be aimed at messages of a receive: which they are is known only from its answer",
                does.kind.name
            );
            self.problem(
                call.span,
                message,
                "remove `of`, or use `lost-receive`, `late` or `duplicate-delivery`",
            );
            return None;
        }
        Some(name)
    }

    /// An operation of a service that is understood.
    pub(super) fn known_operation(&mut self, call: &Sp<Id>, service: Option<Service>) -> Option<String> {
        let services =
            || Service::ALL.iter().filter(move |known| service.is_none_or(|wanted| wanted == **known));
        if services().any(|service| service.has_operation(&call.0)) {
            return Some(call.0.clone());
        }
        let known: Vec<&str> = services().flat_map(|service| service.operations()).collect();
        let of = service.map_or_else(String::new, |service| format!(" of {}", service.name()));
        self.log
            .report(call.span, format!("`{}` is no operation{of} that is understood", call.0))
            .hint_if(hint_for(&call.0, known.iter().copied()));
        None
    }
}
