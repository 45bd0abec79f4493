//! `kill`: which of its keys go together, and where it may stand.

use super::super::decode::{Given, Sp};
use super::super::model::{Crash, CrashAt, CrashPoint, HeldCall, Kill, Restart, Side, Signal};
use super::super::problem::Span;
use super::super::raw::{AtRaw, KillRaw};
use super::Context;
use super::labels::Order;

/// What Lambda calls for a function.
const OF_POLLER: [&str; 5] = [
    "ReceiveMessage",
    "DeleteMessage",
    "DeleteMessageBatch",
    "ChangeMessageVisibility",
    "ChangeMessageVisibilityBatch",
];

impl Context<'_, '_> {
    pub(super) fn lower_kill(&mut self, raw: &Sp<KillRaw>, order: Order) -> Option<Kill> {
        let consumer = self.consumer(raw.consumer.as_ref());
        let signal = raw.signal.as_ref().map_or(Signal::Kill, |signal| signal.0);
        let at = match &raw.at {
            Some(at) => Some(self.lower_crash(raw, at, order)),
            None => {
                if !raw.has("at") {
                    self.refuse_without_at(raw);
                }
                None
            }
        };
        let restart = self.lower_kill_restart(raw, signal);
        let lambda = consumer.as_ref().and_then(|consumer| self.consumers.get(consumer.as_str()).copied());
        if lambda.flatten().is_some_and(|consumer| consumer.lambda.is_some()) {
            self.check_kill_of_function(raw, signal);
        }
        if let Some(consumer) = &consumer {
            self.check_kill_of_deployed(consumer, raw, signal);
        }
        if let Some(resume) = raw.resume.as_ref().filter(|_| signal != Signal::Stop) {
            let hint = "add `signal: SIGSTOP`, or use `restart`";
            self.problem(resume.span, format!("`resume` does not go with {signal}"), hint);
        }
        Some(Kill {
            consumer: consumer?,
            at: match at {
                Some(crash) => Some(crash?),
                None => None,
            },
            signal,
            resume: raw.resume.as_ref().map(|resume| resume.0),
            restart,
        })
    }

    /// Only the environments of a function can be struck, at the calls of the function itself; the
    /// polling is Lambda's. The next invocation starts another environment.
    fn check_kill_of_function(&mut self, raw: &Sp<KillRaw>, signal: Signal) {
        if let Some(Sp { value: AtRaw::Point(point), span }) = raw.at.as_ref()
            && !point.0.is_of_effect()
        {
            let message = format!("`{}` is a call of Lambda's poller, which cannot be killed", point.0);
            self.problem(*span, message, "use `before-effect` or `after-effect`, or leave `at` out");
        }
        if let Some(AtRaw::Call(call)) = raw.at.as_ref().map(|at| &at.value)
            && let Some(id) = call.call.as_ref().filter(|id| OF_POLLER.contains(&id.0.as_str()))
        {
            let message = format!("{} is a call of Lambda's poller, which cannot be killed", id.0);
            self.problem(id.span, message, "name a call that the function makes");
        }
        if let Some(span) = raw.signal.as_ref().map(|signal| signal.span)
            && matches!(signal, Signal::Stop | Signal::Cont)
        {
            let message = format!("{signal} does not go with a function: Lambda stops no environment");
            self.problem(span, message, "use SIGKILL or SIGTERM");
        }
        if let Some(restart) = &raw.restart {
            let message = "a function needs no `restart`: the next invocation starts an environment";
            self.problem(restart.span, message, "remove it");
        }
    }

    fn lower_kill_restart(&mut self, raw: &KillRaw, signal: Signal) -> Option<Restart> {
        let restart = raw.restart.as_ref()?;
        if matches!(signal, Signal::Stop | Signal::Cont) {
            let message = format!("{signal} ends no process, so there is nothing to restart");
            let hint = "use `resume: 30s`, or another signal";
            self.problem(restart.span, message, hint);
        }
        restart.lower()
    }

    fn lower_crash(&mut self, raw: &Sp<KillRaw>, at: &Sp<AtRaw>, order: Order) -> Option<Crash> {
        let (crash, side) = match &at.value {
            AtRaw::Point(point) => {
                self.check_point(point.0, at.span)?;
                if !raw.has("of") {
                    let hint = "add `of: victim`, for example";
                    self.problem(at.span, "`at` needs the label of the messages", hint);
                }
                raw.of.as_ref()?;
                let before = matches!(point.0, CrashPoint::BeforeEffect | CrashPoint::BeforeDelete);
                (CrashAt::Point(point.0), if before { Side::Before } else { Side::After })
            }
            AtRaw::Call(call) => {
                let operation = self.known_operation(call.call.as_ref()?, None)?;
                let side = call.when.as_ref()?.0;
                (CrashAt::Call { operation, side }, side)
            }
        };
        self.check_call(raw, side, &crash)?;
        let of = match &raw.of {
            Some(of) => Some(self.label_after(Some(of), order)?),
            None => None,
        };
        Some(Crash {
            at: crash,
            of,
            nth: raw.nth.as_ref().map_or(1, |nth| nth.0),
            call: raw.call.as_ref().map_or(HeldCall::Drop, |call| call.0),
        })
    }

    /// The effect points are seen only where the effect passes through havoq.
    fn check_point(&mut self, point: CrashPoint, span: Span) -> Option<()> {
        if point.is_of_effect() && self.effects.is_empty() {
            let message = format!("`{point}` is seen only at an effect, and the scenario has none");
            self.problem(span, message, "use `before-delete`, or add an effect");
            return None;
        }
        Some(())
    }

    fn check_call(&mut self, raw: &KillRaw, side: Side, crash: &CrashAt) -> Option<()> {
        let Some(call) = raw.call.as_ref().filter(|_| side == Side::After) else { return Some(()) };
        let at = match crash {
            CrashAt::Point(point) => format!("at `{point}`"),
            CrashAt::Call { operation, .. } => format!("after {operation}"),
        };
        let message = format!("{at} no call is held");
        self.problem(call.span, message, "remove `call`, or use a point `before-...`");
        None
    }

    fn refuse_without_at(&mut self, raw: &KillRaw) {
        let given = [
            ("of", raw.of.as_ref().map(|value| value.span)),
            ("nth", raw.nth.as_ref().map(|value| value.span)),
            ("call", raw.call.as_ref().map(|value| value.span)),
        ];
        for (key, span) in given {
            if let Some(span) = span {
                let message = format!("`{key}` only goes with `at`");
                self.problem(span, message, "add `at: before-delete`, for example");
            }
        }
    }
}
