//! What judging a scenario yields.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_base::ids::Marker;
use schemars::JsonSchema;
use serde::Serialize;

/// The verdict algebra, from best to worst: the verdict of a whole is the worst of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Pass,
    /// The claim could not be judged.
    Inconclusive,
    /// The claim was false, and a counterexample is shown.
    Fail,
    /// havoq or the stack broke.
    Error,
}

/// All that is known at the end of one scenario.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Judgement {
    pub name: String,
    pub file: String,
    pub verdict: Verdict,
    /// How many attempts the history holds; the last one is judged.
    pub attempts: u32,
    /// Stack time covered by the judged attempt, in seconds.
    pub virtual_s: f64,
    /// Real time that it took, in seconds.
    pub wall_s: f64,
    pub claims: Vec<ClaimVerdict>,
    pub ledger: Ledger,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClaimVerdict {
    /// Stable within the scenario: `expect[0] dead_lettered`, `steady_state[1] effect`, `always nothing_lost`.
    pub id: String,
    /// The claim in one line of plain words.
    pub text: String,
    /// Where it stands in the scenario's file; 0 for those that are always on.
    pub line: u64,
    pub column: u64,
    pub verdict: Verdict,
    /// Why, in one sentence with the actual values.
    pub reason: String,
    /// Sequence numbers of the events that it rests on.
    pub evidence: Vec<u64>,
    /// The id of the likely anti-pattern, when the claim failed.
    pub diagnosis: Option<String>,
    /// For a failed claim: the ordered story of the message that broke it.
    pub story: Vec<StoryLine>,
}

/// One event of a message's story, in plain words.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StoryLine {
    pub seq: u64,
    #[schemars(with = "String")]
    pub at: StackTime,
    /// Seconds on the stack's clock since the message was first sent.
    pub since_sent: f64,
    pub text: String,
}

/// What finally became of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    Processed,
    DeadLettered,
    StillQueued,
    InFlight,
    Delayed,
    Expired,
    /// Its queue was purged.
    Purged,
    /// The send failed.
    Rejected,
    /// Deleted with no effect.
    Discarded,
    /// Acknowledged and nowhere.
    Lost,
}

#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Ledger {
    pub rows: Vec<LedgerRow>,
    pub totals: Totals,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LedgerRow {
    #[schemars(with = "String")]
    pub marker: Marker,
    pub label: Option<String>,
    pub fate: Fate,
    /// Accepted sends of this marker.
    pub copies: u64,
    pub receives: u64,
    pub effects: u64,
    pub redriven: u64,
}

/// The totals that queue checkers use; each counts markers, `effects` counts side effects.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Totals {
    pub attempted: u64,
    pub acknowledged: u64,
    /// Received at least once.
    pub ok: u64,
    pub lost: u64,
    /// More side effects than one.
    pub duplicated: u64,
    /// Effects or receives that belong to nothing that havoq sent.
    pub unexpected: u64,
    /// Received though the send was never acknowledged.
    pub recovered: u64,
    pub dead_lettered: u64,
    pub redriven: u64,
    pub effects: u64,
    pub by_fate: BTreeMap<Fate, u64>,
}
