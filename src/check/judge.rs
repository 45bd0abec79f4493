//! Judges a scenario by its history: every claim, every precondition, the ledger.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use havoq_base::StackTime;

use super::always::{ALWAYS, Always};
use super::attempts::{Judged, Standing, Trial, settle, standing};
use super::claims::{Check, checker};
use super::conclude::{Conclusion, Ground, conclude};
use super::fate::{self, Ended};
use super::finding::{Breach, Finding};
use super::index::{Index, StepFact};
use super::ledger::ledger;
use super::preconditions::{Failed, PRECONDITIONS, Precondition};
use super::verdict::{ClaimVerdict, Judgement, Ledger, Verdict};
use super::view::{Role, View};
use super::{diagnosis, doubt, tell};
use crate::history::{Event, Phase};
use crate::scenario::{Action, Claim, Place, Scenario, Step};

/// Judges a scenario by all attempts at it. `events` are theirs, in order.
///
/// It never panics: a checker that does makes its claim an error, never a pass.
pub fn judge(scenario: &Scenario, events: &[Event]) -> Judgement {
    let attempts = by_attempt(events);
    let last = attempts.last().map(Vec::as_slice).unwrap_or_default();
    let number = last.first().map_or(0, |event| event.attempt);
    let mut trials: Vec<Trial> = attempts.iter().map(|events| try_one(scenario, events)).collect();
    if trials.is_empty() {
        trials.push(try_one(scenario, &[]));
    }
    let (claims, ledger) = settle(trials);
    let worst = claims.iter().map(|claim| claim.verdict).max();
    Judgement {
        name: scenario.name.value.clone(),
        file: scenario.file.clone(),
        verdict: worst.unwrap_or(Verdict::Inconclusive),
        attempts: number,
        virtual_s: span(last, |first, last| last.at.since(first.at).as_secs_f64()),
        wall_s: span(last, |first, last| last.real.since(first.real).as_secs_f64()),
        claims,
        ledger,
    }
}

/// Why a further attempt is called for after those so far, if it is.
pub fn further_attempt(scenario: &Scenario, events: &[Event]) -> Option<String> {
    let trials: Vec<Trial> = by_attempt(events).iter().map(|events| try_one(scenario, events)).collect();
    match standing(&trials).0 {
        Standing::Settled => None,
        Standing::Overran => Some("the clock overran a consumer at work".to_owned()),
        Standing::Hurried => Some("a consumer came back that had been given up".to_owned()),
        Standing::InDoubt(_) => Some("a false claim has to be confirmed".to_owned()),
    }
}

/// The events of each attempt. One that havoq was stopped before it could begin leaves none.
fn by_attempt(events: &[Event]) -> Vec<Vec<&Event>> {
    let mut attempts: BTreeMap<u32, Vec<&Event>> = BTreeMap::new();
    for event in events {
        attempts.entry(event.attempt).or_default().push(event);
    }
    attempts.into_values().collect()
}

/// Judges one attempt by itself.
fn try_one(scenario: &Scenario, events: &[&Event]) -> Trial {
    guarded(|| Court::new(scenario, events).try_all()).unwrap_or_else(|panic| Trial {
        attempt: events.first().map_or(0, |event| event.attempt),
        claims: vec![Judged { claim: crashed(panic), doubt: None }],
        ledger: Ledger::default(),
        overran: false,
        hurried: false,
        bounds: BTreeMap::new(),
        silences: BTreeMap::new(),
    })
}

fn span(events: &[&Event], between: impl Fn(&Event, &Event) -> f64) -> f64 {
    match (events.first(), events.last()) {
        (Some(first), Some(last)) => between(first, last),
        _ => 0.0,
    }
}

/// Runs a part of the judging; a panic in it becomes its text.
fn guarded<T>(part: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(part)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        format!("havoq's judge panicked: {}", text.unwrap_or_else(|| "no message".to_owned()))
    })
}

fn crashed(panic: String) -> ClaimVerdict {
    let conclusion =
        Conclusion { verdict: Verdict::Error, reason: panic, evidence: Vec::new(), breach: None };
    entry("always judged".to_owned(), "the history can be judged".to_owned(), Place::default(), conclusion)
}

fn entry(id: String, text: String, place: Place, conclusion: Conclusion) -> ClaimVerdict {
    let Conclusion { verdict, reason, evidence, .. } = conclusion;
    let (line, column) = (place.line, place.column);
    ClaimVerdict { id, text, line, column, verdict, reason, evidence, diagnosis: None, story: Vec::new() }
}

/// One attempt before the judge.
struct Court<'a> {
    events: &'a [&'a Event],
    index: Index,
    fates: Vec<Ended>,
    failed: Vec<Option<Failed>>,
}

impl<'a> Court<'a> {
    fn new(scenario: &Scenario, events: &'a [&'a Event]) -> Self {
        let mut index = Index::new(scenario);
        events.iter().for_each(|event| index.apply(event));
        let fates = fate::all(&index);
        let failed = PRECONDITIONS.iter().map(|precondition| (precondition.look)(&index)).collect();
        Self { events, index, fates, failed }
    }

    fn try_all(&self) -> Trial {
        let run = &self.index.run;
        Trial {
            attempt: self.events.first().map_or(0, |event| event.attempt),
            claims: self.claims(),
            ledger: ledger(&self.index, &self.fates),
            overran: !run.overruns.is_empty(),
            hurried: self.index.processes.values().any(|process| process.came_back),
            bounds: run.bounds.clone(),
            silences: self.index.silences.clone(),
        }
    }

    fn claims(&self) -> Vec<Judged> {
        let mut claims = self.waits(Phase::SteadyState);
        // A bound that was only broken later did not keep the injection from taking place.
        let mut steady = claims.iter().map(|judged| &judged.claim);
        let broken = steady.find(|claim| claim.verdict == Verdict::Fail);
        let unsteady = broken.filter(|_| self.index.run.gate_failed()).map(|claim| {
            format!("not judged: the steady state did not hold ({}: {})", claim.id, claim.reason)
        });
        claims.extend(self.waits(Phase::Inject));
        let expectations = self.index.scenario.claimed();
        claims.extend(expectations.map(|(at, expectation)| {
            self.expectation(at, &expectation.claim, expectation.place, unsteady.as_deref())
        }));
        claims.extend(ALWAYS.iter().filter_map(|always| self.always(always)));
        let preconditions = PRECONDITIONS.iter().zip(&self.failed);
        claims.extend(preconditions.map(|(one, failed)| {
            let claim = precondition(one, failed.as_ref());
            Judged { claim, doubt: None }
        }));
        claims
    }

    fn ground(&self, spoilable: bool) -> Ground<'_> {
        Ground::new(&self.index, self.failed.iter().flatten(), spoilable)
    }

    /// The claims of one phase's steps.
    fn waits(&self, phase: Phase) -> Vec<Judged> {
        let (steps, part): (&[Step], &str) = match phase {
            Phase::SteadyState => (&self.index.scenario.steady_state, "steady_state"),
            Phase::Inject => (&self.index.scenario.inject, "inject"),
        };
        let claims = steps.iter().enumerate().filter_map(|(at, step)| match &step.action {
            Action::Await(claim) => Some((at, step, claim)),
            _ => None,
        });
        claims
            .map(|(at, step, claim)| {
                let checker = checker(claim);
                let id = format!("{part}[{at}] {}", checker.kind());
                let fact = self.index.run.step(phase, at);
                let conclusion =
                    self.look(checker.as_ref(), || self.wait(phase, fact, checker.as_ref()), false);
                self.explained(id, checker.text(), step.place, conclusion, claim)
            })
            .collect()
    }

    fn wait(&self, phase: Phase, fact: Option<&StepFact>, checker: &dyn Check) -> Finding {
        let Some(fact) = fact else { return Finding::unclear("not judged: the step was never reached") };
        let Some(end) = &fact.ended else { return Finding::unclear("not judged: the step was not finished") };
        let role = match phase {
            Phase::SteadyState => Role::SteadyState,
            Phase::Inject => Role::Wait,
        };
        let view = View { index: &self.index, role, from: fact.started.at, until: Some(end.when.at) };
        match checker.look(&view) {
            // It came after the wait for it was given up, or the wait without a deadline was cut off.
            Finding::Holds { evidence, reason } if !end.ok => {
                let why = end.reason.as_deref().unwrap_or("no reason was given");
                Finding::Unclear { reason: format!("the wait ended before: {why}; later {reason}"), evidence }
            }
            finding => finding,
        }
    }

    fn expectation(&self, at: usize, claim: &Claim, place: Place, unsteady: Option<&str>) -> Judged {
        let checker = checker(claim);
        let id = format!("expect[{at}] {}", checker.kind());
        let finding = || match unsteady {
            Some(why) => Finding::unclear(why),
            None => self.expected(checker.as_ref()),
        };
        let conclusion = self.look(checker.as_ref(), finding, true);
        self.explained(id, checker.text(), place, conclusion, claim)
    }

    fn expected(&self, checker: &dyn Check) -> Finding {
        let run = &self.index.run;
        let has_steps = !self.index.scenario.inject.is_empty();
        if has_steps && run.injection().is_none() {
            return Finding::unclear("not judged: the injection never began");
        }
        let ended = run.phase_ended(Phase::Inject).or_else(|| run.phase_ended(Phase::SteadyState));
        let from = ended.or(run.first).map_or_else(StackTime::default, |when| when.at);
        checker.look(&View { index: &self.index, role: Role::Expect, from, until: None })
    }

    fn look(&self, checker: &dyn Check, finding: impl FnOnce() -> Finding, spoilable: bool) -> Conclusion {
        match guarded(finding) {
            Ok(finding) => conclude(finding, checker.judged_at_end(), &self.ground(spoilable)),
            Err(panic) => {
                Conclusion { verdict: Verdict::Error, reason: panic, evidence: Vec::new(), breach: None }
            }
        }
    }

    fn always(&self, always: &Always) -> Option<Judged> {
        let conclusion = match guarded(|| (always.look)(&self.index, &self.fates)) {
            Ok(finding) => {
                conclude(at_the_end(finding?, self.index.run.is_complete()), true, &self.ground(true))
            }
            Err(panic) => {
                Conclusion { verdict: Verdict::Error, reason: panic, evidence: Vec::new(), breach: None }
            }
        };
        let breach = conclusion.breach.clone();
        let entry =
            entry(format!("always {}", always.name), always.text.to_owned(), Place::default(), conclusion);
        Some(self.with_story(entry, breach, None))
    }

    fn explained(
        &self,
        id: String,
        text: String,
        place: Place,
        conclusion: Conclusion,
        claim: &Claim,
    ) -> Judged {
        let breach = conclusion.breach.clone();
        self.with_story(entry(id, text, place, conclusion), breach, Some(claim))
    }

    /// Adds the story, the likely cause and the doubt to a claim that failed. Only the doubt can
    /// change the verdict, once there is another attempt or can be none.
    fn with_story(&self, mut entry: ClaimVerdict, breach: Option<Breach>, claim: Option<&Claim>) -> Judged {
        let Some(breach) = breach.filter(|_| entry.verdict == Verdict::Fail) else {
            return Judged { claim: entry, doubt: None };
        };
        let doubt = doubt::of(&self.index, &breach);
        let told = guarded(|| {
            let story = tell::story(&self.index, self.events, breach.marker.as_ref(), claim);
            (story, diagnosis::diagnose(&self.index, &breach, claim))
        });
        if let Ok((story, cause)) = told {
            entry.story = story;
            entry.diagnosis = Some(cause.id.to_owned());
            if let Some(note) = cause.note {
                entry.reason = format!("{}; {note}", entry.reason);
            }
            entry.evidence.extend(cause.evidence);
            entry.evidence.sort_unstable();
            entry.evidence.dedup();
        }
        Judged { claim: entry, doubt }
    }
}

/// What became of a marker is settled only when nothing more can happen.
fn at_the_end(finding: Finding, complete: bool) -> Finding {
    match finding {
        Finding::Broken(breach) if !complete => {
            Finding::Unclear { reason: format!("undecided: {}", breach.reason), evidence: breach.evidence }
        }
        finding => finding,
    }
}

fn precondition(precondition: &Precondition, failed: Option<&Failed>) -> ClaimVerdict {
    let conclusion = match failed {
        None => Conclusion {
            verdict: Verdict::Pass,
            reason: "as it must be".to_owned(),
            evidence: Vec::new(),
            breach: None,
        },
        Some(failed) => Conclusion {
            verdict: failed.verdict,
            reason: failed.reason.clone(),
            evidence: failed.evidence.clone(),
            breach: None,
        },
    };
    entry(format!("always {}", precondition.name), precondition.text.to_owned(), Place::default(), conclusion)
}
