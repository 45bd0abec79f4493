//! What a foreign stack is known not to do, before a scenario runs there.

use std::collections::BTreeSet;

use super::suite::Options;
use crate::check::rests_on;
use crate::guard::Target;
use crate::history::{Kind, Recorder, Source};
use crate::scenario::Scenario;
use crate::stack::probe::{Battery, Cache, Check, Finding, Outcome, ProbeError, select};

/// What is known of the stack, as far as the scenarios' claims rest on it.
#[derive(Default)]
pub(super) struct Probed {
    findings: Vec<Finding>,
    /// The probe could not take away what it had made.
    error: Option<String>,
}

impl Probed {
    /// Looks at the behaviours that the scenarios rest on. Checks that take minutes are not run for
    /// this; what an earlier probe found of them counts.
    pub(super) async fn of(scenarios: &[Scenario], options: &Options) -> Self {
        let Target::Url(url) = &options.on else { return Self::default() };
        let needed: BTreeSet<&str> = scenarios.iter().flat_map(rests_on).collect();
        let needed: Vec<&'static Check> = needed.into_iter().flat_map(select).collect();
        if needed.is_empty() {
            return Self::default();
        }
        let mut cache = Cache::open(url).await;
        let mut findings: Vec<Finding> =
            needed.iter().filter_map(|check| cache.find(check.id)).cloned().collect();
        let open = needed.into_iter().filter(|check| !check.is_slow() && cache.find(check.id).is_none());
        let battery = Battery {
            on: options.on.clone(),
            permit: options.permit.clone(),
            checks: open.collect(),
            interrupt: options.interrupt.clone(),
        };
        let error = match battery.run(|_, _| {}).await {
            Ok(found) => {
                cache.keep(&found.findings);
                findings.extend(found.findings);
                found.left_behind
            }
            // The scenarios will find that out by themselves.
            Err(ProbeError::NoAnswer { .. }) => None,
        };
        Self { findings, error }
    }

    /// Tells the history what is not as on AWS, of what this scenario rests on.
    pub(super) fn record(&self, scenario: &Scenario, recorder: &Recorder) {
        let needed = rests_on(scenario);
        for finding in &self.findings {
            let is_against = matches!(finding.outcome, Outcome::Wrong | Outcome::Absent);
            if is_against && needed.contains(finding.check.as_str()) {
                let (check, outcome) = (finding.check.clone(), finding.outcome.name().to_owned());
                let kind = Kind::StackProbed { check, outcome, finding: finding.words() };
                recorder.record(Source::Observer, kind);
            }
        }
        if let Some(message) = &self.error {
            recorder.record(Source::Engine, Kind::HarnessError { message: message.clone() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_claims_rest_on_is_checked() {
        for file in crate::scenario::find(&["scenarios".into()]).expect("the scenarios") {
            let scenario = crate::scenario::load(&file).expect("a scenario");
            for id in rests_on(&scenario) {
                assert_eq!(select(id).len(), 1, "{id}");
            }
        }
    }
}
