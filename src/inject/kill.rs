//! `kill`: a signal to a consumer, at once or at a crash point.

use nix::sys::signal::Signal as Unix;

use super::context::{Context, StepError};
use crate::consumer::{KillPlan, Restart as Policy};
use crate::history::{Kind, Source};
use crate::scenario::{Crash, CrashAt, CrashPoint, HeldCall, Kill, Restart, Side, Signal};
use crate::tap::{CrashSpec, Point, Release, When};

pub(super) async fn run(step: &Kill, fault: &str, context: &Context<'_>) -> Result<(), StepError> {
    let plan = plan(step, fault);
    let description = describe(step);
    context.recorder.record(Source::Engine, Kind::FaultArmed { fault: fault.to_owned(), description });
    if let Some(crash) = &step.at {
        context.fleet.arm(crash_spec(step, crash, fault), plan);
        return Ok(());
    }
    if context.fleet.strike(&step.consumer, &plan).await {
        return Ok(());
    }
    context.fleet.end_fault(fault, false, Some("no process of the consumer was alive"));
    Err(StepError::NobodyToKill(step.consumer.clone()))
}

fn plan(step: &Kill, fault: &str) -> KillPlan {
    let release = match step.at.as_ref().map(|crash| crash.call) {
        Some(HeldCall::Forward) => Release::Forward,
        Some(HeldCall::Drop) | None => Release::Drop,
    };
    KillPlan {
        fault: fault.to_owned(),
        signal: unix(step.signal),
        release,
        resume: step.resume,
        restart: step.restart.map(policy),
    }
}

fn crash_spec(step: &Kill, crash: &Crash, fault: &str) -> CrashSpec {
    CrashSpec {
        fault: fault.to_owned(),
        consumer: step.consumer.clone(),
        point: point(&crash.at),
        of: crash.of.clone(),
        nth: crash.nth,
        answers: matches!(step.signal, Signal::Stop | Signal::Cont),
    }
}

fn point(at: &CrashAt) -> Point {
    match at {
        CrashAt::Point(CrashPoint::AfterReceive) => Point::AfterReceive,
        CrashAt::Point(CrashPoint::BeforeEffect) => Point::BeforeEffect,
        CrashAt::Point(CrashPoint::AfterEffect) => Point::AfterEffect,
        CrashAt::Point(CrashPoint::BeforeDelete) => Point::BeforeDelete,
        CrashAt::Point(CrashPoint::AfterDelete) => Point::AfterDelete,
        CrashAt::Call { operation, side: Side::Before } => Point::Call(operation.clone(), When::Before),
        CrashAt::Call { operation, side: Side::After } => Point::Call(operation.clone(), When::After),
    }
}

fn describe(step: &Kill) -> String {
    let signal = unix(step.signal);
    match &step.at {
        Some(crash) => {
            let of = crash.of.as_ref().map_or_else(String::new, |of| format!(" of {of}"));
            format!(
                "{signal} to {} at {}{of}, crossing {}",
                step.consumer,
                point(&crash.at).name(),
                crash.nth
            )
        }
        None => format!("{signal} to {}", step.consumer),
    }
}

fn unix(signal: Signal) -> Unix {
    match signal {
        Signal::Kill => Unix::SIGKILL,
        Signal::Term => Unix::SIGTERM,
        Signal::Stop => Unix::SIGSTOP,
        Signal::Cont => Unix::SIGCONT,
    }
}

/// A restart policy in the fleet's terms.
pub fn policy(restart: Restart) -> Policy {
    match restart {
        Restart::Never => Policy::Never,
        Restart::AtOnce => Policy::AtOnce,
        Restart::After(pause) => Policy::After(pause),
        Restart::Times(times) => Policy::Times(times),
    }
}
