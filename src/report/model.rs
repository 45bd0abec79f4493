//! `report.json`: the whole finding of a run. Every other format is a view of it.

use havoq_base::{Seed, StackTime};
use schemars::JsonSchema;
use serde::Serialize;

use super::exit::Exit;
use super::ledger;
use crate::check::{Judgement, Sweep, Totals, Verdict};

/// The version of the report format, its `schema` member.
pub const SCHEMA_VERSION: u32 = 1;

/// What is known of a run besides its judgements.
#[derive(Clone, Debug)]
pub struct RunFacts {
    pub run_id: String,
    pub seed: Seed,
    /// Where it ran: `sandbox`, a URL or `aws`.
    pub stack: String,
    /// `virtual` or `real`.
    pub clock: String,
    pub started: StackTime,
    /// Real time from the run's start to its end, in seconds.
    pub wall_s: f64,
    pub interrupted: bool,
    /// A guard refused something that the run needed.
    pub refused: bool,
}

/// The finding of a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "havoq report")]
pub struct Report {
    /// The version of this format.
    pub schema: u32,
    /// The version of havoq that judged.
    pub havoq: String,
    pub run_id: String,
    #[schemars(with = "u64")]
    pub seed: Seed,
    /// Where it ran: `sandbox`, a URL or `aws`.
    pub stack: String,
    /// `virtual` or `real`.
    pub clock: String,
    /// When the run began, RFC 3339 in UTC.
    #[schemars(with = "String")]
    pub started: StackTime,
    /// Real time from the run's start to its end, in seconds.
    pub wall_s: f64,
    /// Stack time that the scenarios covered, added up, in seconds.
    pub virtual_s: f64,
    /// The exit code: 0 all passed, 1 a claim was false, 3 inconclusive, 4 refused, 5 havoq or the
    /// stack broke, 130 interrupted.
    #[schemars(with = "u8")]
    pub exit: Exit,
    pub totals: RunTotals,
    pub scenarios: Vec<Judgement>,
    /// Of `havoq sweep`: where the consumers were killed, and what came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
}

/// Sums over all scenarios.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunTotals {
    pub scenarios: Counts,
    pub claims: Counts,
    /// The ledgers' totals, added up.
    pub messages: Totals,
}

/// How many ended with each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    pub pass: u64,
    pub inconclusive: u64,
    pub fail: u64,
    pub error: u64,
}

impl Counts {
    pub fn total(self) -> u64 {
        self.pass + self.inconclusive + self.fail + self.error
    }
}

impl FromIterator<Verdict> for Counts {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        let mut counts = Self::default();
        for verdict in verdicts {
            match verdict {
                Verdict::Pass => counts.pass += 1,
                Verdict::Inconclusive => counts.inconclusive += 1,
                Verdict::Fail => counts.fail += 1,
                Verdict::Error => counts.error += 1,
            }
        }
        counts
    }
}

impl Report {
    pub fn new(run: RunFacts, scenarios: Vec<Judgement>) -> Self {
        let verdicts = || scenarios.iter().map(|scenario| scenario.verdict);
        let claims = scenarios.iter().flat_map(|scenario| &scenario.claims);
        let totals = RunTotals {
            scenarios: verdicts().collect(),
            claims: claims.map(|claim| claim.verdict).collect(),
            messages: ledger::sum(scenarios.iter().map(|scenario| &scenario.ledger.totals)),
        };
        Self {
            schema: SCHEMA_VERSION,
            havoq: env!("CARGO_PKG_VERSION").to_owned(),
            run_id: run.run_id,
            seed: run.seed,
            stack: run.stack,
            clock: run.clock,
            started: run.started,
            wall_s: run.wall_s,
            virtual_s: scenarios.iter().map(|scenario| scenario.virtual_s).sum(),
            exit: Exit::of_run(run.interrupted, run.refused, verdicts()),
            totals,
            scenarios,
            sweep: None,
        }
    }

    /// The report of a sweep. One that left out a boundary, or found none, has not passed.
    pub fn with_sweep(mut self, sweep: Option<Sweep>) -> Self {
        if self.exit == Exit::Pass && sweep.as_ref().is_some_and(|sweep| !sweep.is_whole()) {
            self.exit = Exit::Inconclusive;
        }
        self.sweep = sweep;
        self
    }
}
