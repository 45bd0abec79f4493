//! `ready` and `deployed`: what goes together.

use super::super::decode::{AnyText, Given, Several, Sp};
use super::super::model::{ConsumerTime, Deployed, Ready, Restart, Sign, Signal};
use super::super::problem::Span;
use super::super::raw::{ConsumerRaw, DeployedRaw, KillRaw, ReadyDetail, ReadyRaw};
use super::Context;

/// One of the commands of a deployed consumer, by its key.
#[derive(Clone, Copy)]
pub(super) enum Lever {
    Kill,
    Restart,
    Fix,
}

impl Lever {
    fn key(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Restart => "restart",
            Self::Fix => "fix",
        }
    }

    fn example(self) -> &'static str {
        match self {
            Self::Kill => "`kill: [docker, kill, NAME]`",
            Self::Restart => "`restart: [docker, start, NAME]`",
            Self::Fix => "`fix: [docker, start, NAME]`",
        }
    }
}

fn words(command: &Several<AnyText>) -> Vec<String> {
    command.0.iter().map(|part| part.0.clone()).collect()
}

impl Context<'_, '_> {
    /// `None` when a problem was noted.
    pub(super) fn lower_ready(&mut self, raw: &ConsumerRaw) -> Option<Ready> {
        let Some(ready) = &raw.ready else { return (!raw.has("ready")).then(Ready::default) };
        if raw.has("lambda") {
            let message = "a function has no `ready`: its environments start when there is work for them";
            self.problem(ready.span, message, "remove it");
        }
        let ReadyRaw::Detailed(detail) = &ready.value else { return Some(Ready::default()) };
        self.check_sign(raw, detail);
        let sign = match (&detail.log, &detail.port, &detail.command) {
            (Some(pattern), ..) => Sign::Log(pattern.0.clone()),
            (_, Some(port), _) => Sign::Port(u16::try_from(port.0).ok()?),
            (.., Some(command)) => Sign::Command(words(command)),
            (None, None, None) => Sign::Poll,
        };
        Some(Ready { sign, within: detail.within.as_ref().map(|within| within.0) })
    }

    fn check_sign(&mut self, raw: &ConsumerRaw, detail: &ReadyDetail) {
        if let Some(log) = detail.log.as_ref().filter(|_| raw.has("deployed")) {
            let message = "havoq does not see what a deployed consumer writes";
            self.problem(log.span, message, "use `port` or `command`");
        }
        let Some(port) = &detail.port else { return };
        if raw.instances.as_ref().is_some_and(|instances| instances.0 > 1) {
            let message = "one port says nothing about several instances";
            self.problem(port.span, message, "use `log`, or a `command` that looks at HAVOQ_INSTANCE");
        }
        let others = self.consumers.values().flatten();
        let ports = others.filter_map(|other| match &other.ready.as_ref()?.value {
            ReadyRaw::Detailed(detail) => Some(detail.port.as_ref()?.0),
            ReadyRaw::Poll => None,
        });
        if ports.filter(|other| *other == port.0).count() > 1 {
            let message = format!("two consumers are to be ready on port {}", port.0);
            self.problem(port.span, message, "give each a port of its own");
        }
    }

    pub(super) fn lower_deployed(
        &mut self,
        raw: &ConsumerRaw,
        deployed: &Sp<DeployedRaw>,
    ) -> Option<Deployed> {
        self.refuse_of_started(raw);
        let listen = deployed.listen.as_ref()?;
        let others = self.consumers.values().flatten();
        let addresses = others.filter_map(|other| Some(other.deployed.as_ref()?.listen.as_ref()?.0));
        if addresses.filter(|other| *other == listen.0).count() > 1 {
            let message = format!("two consumers are to be tapped at {}", listen.0);
            self.problem(listen.span, message, "give each an address of its own");
        }
        if let Some(restart) = &raw.restart
            && restart.lower().is_some_and(|restart| restart != Restart::Never)
        {
            self.need(deployed, Lever::Restart, restart.span);
        }
        let command = |command: &Option<Sp<Several<AnyText>>>| command.as_ref().map(|command| words(command));
        Some(Deployed {
            listen: listen.0,
            kill: command(&deployed.kill),
            restart: command(&deployed.restart),
            fix: command(&deployed.fix),
        })
    }

    /// What is said of processes that havoq starts means nothing for one that is there already.
    fn refuse_of_started(&mut self, raw: &ConsumerRaw) {
        let one = "make it another consumer, with an address of its own";
        let follows = raw.time.as_ref().filter(|time| time.0 == ConsumerTime::Follow);
        let given = [
            ("worker", raw.worker.as_ref().map(|given| given.span), "keep one of them"),
            ("command", raw.command.as_ref().map(|given| given.span), "keep one of them"),
            ("lambda", raw.lambda.as_ref().map(|given| given.span), "keep one of them"),
            ("instances", raw.instances.as_ref().map(|given| given.span), one),
            ("fixed", raw.fixed.as_ref().map(|given| given.span), "use `fix` in `deployed`"),
            (
                "time: follow",
                follows.map(|given| given.span),
                "havoq cannot show it the clock; see docs/clock.md",
            ),
        ];
        for (key, span, hint) in given {
            if let Some(span) = span {
                self.problem(span, format!("a deployed consumer has no `{key}`"), hint);
            }
        }
    }

    fn need(&mut self, deployed: &DeployedRaw, lever: Lever, span: Span) {
        if !deployed.has(lever.key()) {
            let message = format!("this needs `{}` of the deployed consumer", lever.key());
            self.problem(span, message, format!("add {} to it", lever.example()));
        }
    }

    /// A step needs these commands, where the consumer is deployed.
    pub(super) fn check_levers(&mut self, consumer: &str, levers: &[Lever], span: Span) {
        let raw = self.consumers.get(consumer).copied().flatten();
        let Some(deployed) = raw.and_then(|raw| raw.deployed.as_ref()) else { return };
        levers.iter().for_each(|lever| self.need(deployed, *lever, span));
    }

    /// Signals go to processes that havoq started; for another it runs the command.
    pub(super) fn check_kill_of_deployed(&mut self, consumer: &str, raw: &Sp<KillRaw>, signal: Signal) {
        let known = self.consumers.get(consumer).copied().flatten();
        if known.is_none_or(|known| known.deployed.is_none()) {
            return;
        }
        if let Some(span) = raw.signal.as_ref().map(|signal| signal.span).filter(|_| signal != Signal::Kill) {
            let message = format!("{signal} cannot be sent to a deployed consumer");
            self.problem(span, message, "remove it: the consumer's own `kill` command says how it is ended");
            return;
        }
        self.check_levers(consumer, &[Lever::Kill], raw.span);
        if let Some(restart) = &raw.restart
            && restart.lower().is_some_and(|restart| restart != Restart::Never)
        {
            self.check_levers(consumer, &[Lever::Restart], restart.span);
        }
    }
}
