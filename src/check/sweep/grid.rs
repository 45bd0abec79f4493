//! The finding of a sweep: boundaries by claims.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::Serialize;

use super::boundaries::{Crossing, boundaries};
use super::{Tried, Verdict};
use crate::history::Kind;
use crate::scenario::{Boundary, LeftOut, SWEEP_FAULT};

/// What a sweep found: a row a boundary, a cell a claim.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Sweep")]
pub struct Sweep {
    /// The name of the scenario, which is that of its clean run.
    pub scenario: String,
    /// How the run without a kill ended. Unless it passed, no boundary was tried.
    pub clean: Verdict,
    /// The scenario's own kills, and the claims that rest on them.
    pub left_out: Vec<LeftOutLine>,
    /// How many boundaries the consumers crossed in the clean run.
    pub boundaries: u64,
    /// At how many of them a consumer was killed.
    pub tried: u64,
    pub columns: Vec<Column>,
    /// Worst first.
    pub rows: Vec<Row>,
    pub untried: Vec<Untried>,
}

/// A line of the scenario that took no part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LeftOutLine {
    pub id: String,
    pub line: u64,
}

/// A claim.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Column {
    pub id: String,
    /// 0 for those that are always on.
    pub line: u64,
    pub text: String,
}

/// A boundary at which the scenario was run with a kill.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Row {
    /// The name of that run, under which it stands in `scenarios`.
    pub scenario: String,
    pub consumer: String,
    /// A crash point, or `before PutItem` and the like.
    pub point: String,
    /// Which crossing, counted by message.
    pub nth: u32,
    /// The label of the messages, of which one was aimed at.
    pub of: String,
    /// The effect, at the points of one.
    pub effect: Option<String>,
    /// The most messages that a process had in hand there in the clean run: more than 1 is a batch.
    pub in_hand: u64,
    /// How many other messages the killed process had in hand.
    pub collateral: u64,
    /// Whether the kill took hold.
    pub fired: bool,
    pub verdict: Verdict,
    /// One for each column.
    pub cells: Vec<Verdict>,
}

/// A boundary at which nobody was killed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Untried {
    pub consumer: String,
    pub point: String,
    pub nth: u32,
    pub why: Why,
}

/// Why a boundary was not tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The run without a kill did not pass, so that nothing could be told from one with a kill.
    CleanRunNotGreen,
    /// The sweep ended before.
    NotRun,
}

impl Sweep {
    /// The finding of a sweep's runs; none where no run is a sweep's.
    pub fn of(runs: &[Tried]) -> Option<Self> {
        let clean = runs.iter().find(|run| is_clean(run))?;
        let found = boundaries(&clean.scenario, clean.last_attempt());
        let columns = clean.judgement.claims.iter().map(|claim| Column {
            id: claim.id.clone(),
            line: claim.line,
            text: claim.text.clone(),
        });
        let columns: Vec<Column> = columns.collect();
        let mut untried = Vec::new();
        let mut rows = Vec::new();
        for crossing in &found {
            match runs.iter().find(|run| aimed_at(run) == Some(&crossing.aim.boundary)) {
                Some(run) => rows.push(row(crossing, run, &columns)),
                None => untried.push(not_run(crossing, clean.judgement.verdict)),
            }
        }
        let failed = |row: &Row| row.cells.iter().filter(|cell| **cell == Verdict::Fail).count();
        rows.sort_by_key(|row| Reverse((row.verdict, failed(row))));
        Some(Self {
            scenario: clean.judgement.name.clone(),
            clean: clean.judgement.verdict,
            left_out: left_out(clean),
            boundaries: found.len() as u64,
            tried: rows.iter().filter(|row| row.fired).count() as u64,
            columns,
            rows,
            untried,
        })
    }

    /// Whether a consumer was killed at every boundary, and at one at least.
    pub fn is_whole(&self) -> bool {
        let all_told = self.boundaries == (self.rows.len() + self.untried.len()) as u64;
        all_told && self.untried.is_empty() && !self.rows.is_empty() && self.rows.iter().all(|row| row.fired)
    }
}

/// The runs of a sweep in its own order, whichever began first.
pub fn in_order(mut runs: Vec<Tried>) -> Vec<Tried> {
    if let Some(clean) = runs.iter().find(|run| is_clean(run)) {
        let found = boundaries(&clean.scenario, clean.last_attempt());
        let place = |boundary: &Boundary| found.iter().position(|known| known.aim.boundary == *boundary);
        // The clean run, which aims at none, comes first.
        runs.sort_by_key(|run| aimed_at(run).map(place));
    }
    runs
}

fn is_clean(run: &Tried) -> bool {
    run.scenario.swept.as_ref().is_some_and(|swept| swept.kill.is_none())
}

fn aimed_at(run: &Tried) -> Option<&Boundary> {
    run.scenario.swept_in().map(|kill| &kill.aim.boundary)
}

fn left_out(clean: &Tried) -> Vec<LeftOutLine> {
    let left_out = clean.scenario.swept.iter().flat_map(|swept| &swept.left_out);
    let line = |left: &LeftOut| LeftOutLine { id: left.id.clone(), line: left.place.line };
    left_out.map(line).collect()
}

fn row(crossing: &Crossing, run: &Tried, columns: &[Column]) -> Row {
    let Boundary { consumer, at, nth } = crossing.aim.boundary.clone();
    let fired = run.last_attempt().find_map(|event| match &event.kind {
        Kind::FaultFired { fault, collateral, .. } if fault == SWEEP_FAULT => Some(collateral.len()),
        _ => None,
    });
    let verdict_of = |column: &Column| {
        let claim = run.judgement.claims.iter().find(|claim| claim.id == column.id);
        // What was not judged has not passed.
        claim.map_or(Verdict::Inconclusive, |claim| claim.verdict)
    };
    Row {
        scenario: run.judgement.name.clone(),
        consumer,
        point: at.to_string(),
        nth,
        of: crossing.aim.of.clone(),
        effect: crossing.effect.clone(),
        in_hand: crossing.in_hand as u64,
        collateral: fired.unwrap_or(0) as u64,
        fired: fired.is_some(),
        verdict: run.judgement.verdict,
        cells: columns.iter().map(verdict_of).collect(),
    }
}

fn not_run(crossing: &Crossing, clean: Verdict) -> Untried {
    let Boundary { consumer, at, nth } = crossing.aim.boundary.clone();
    let why = if clean == Verdict::Pass { Why::NotRun } else { Why::CleanRunNotGreen };
    Untried { consumer, point: at.to_string(), nth, why }
}
