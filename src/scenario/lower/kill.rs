//! `kill`: which of its keys go together, and where it may stand.

use super::super::decode::{Given, Sp};
use super::super::model::{Crash, CrashPoint, HeldCall, Kill, Restart, Signal};
use super::super::problem::Span;
use super::super::raw::KillRaw;
use super::Context;
use super::labels::Order;

impl Context<'_, '_> {
    pub(super) fn lower_kill(&mut self, raw: &Sp<KillRaw>, order: Order) -> Option<Kill> {
        let consumer = self.consumer(raw.consumer.as_ref());
        let signal = raw.signal.as_ref().map_or(Signal::Kill, |signal| signal.0);
        let at = match &raw.at {
            Some(point) => Some(self.lower_crash(raw, point.0, order)),
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
        if let Some(at) = raw.at.as_ref().filter(|at| !at.0.is_of_effect()) {
            let message = format!("`{}` is a call of Lambda's poller, which cannot be killed", at.0);
            self.problem(at.span, message, "use `before-effect` or `after-effect`, or leave `at` out");
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

    fn lower_crash(&mut self, raw: &Sp<KillRaw>, point: CrashPoint, order: Order) -> Option<Crash> {
        let span = raw.at.as_ref().map_or(raw.span, |at| at.span);
        self.check_point(point, span)?;
        self.check_call(raw, point)?;
        if !raw.has("of") {
            self.problem(span, "`at` needs the label of the messages", "add `of: victim`, for example");
        }
        let of = self.label_after(raw.of.as_ref(), order)?;
        Some(Crash {
            point,
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

    fn check_call(&mut self, raw: &KillRaw, point: CrashPoint) -> Option<()> {
        let before = matches!(point, CrashPoint::BeforeEffect | CrashPoint::BeforeDelete);
        match &raw.call {
            Some(call) if !before => {
                let message = format!("at `{point}` no call is held");
                self.problem(call.span, message, "remove `call`, or use a point `before-...`");
                None
            }
            _ => Some(()),
        }
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
