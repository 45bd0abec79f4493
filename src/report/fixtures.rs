//! Reports for the tests of the formats.

use havoq_base::ids::Marker;
use havoq_base::{Seed, StackTime};

use super::model::{Report, RunFacts};
use crate::check::{
    ClaimVerdict, Column, Fate, Judgement, Ledger, LedgerRow, LeftOutLine, Row, StoryLine, Sweep, Totals,
    Untried, Verdict, Why,
};

pub(super) fn facts() -> RunFacts {
    RunFacts {
        run_id: "20260102T030405Z-1a2b".to_owned(),
        seed: Seed(123),
        stack: "sandbox".to_owned(),
        clock: "virtual".to_owned(),
        started: StackTime::from_secs(1_767_323_045),
        wall_s: 7.9,
        interrupted: false,
        refused: false,
    }
}

pub(super) fn passing() -> Report {
    let two = scenario("sent-twice", vec![claim("expect[0] effect", Verdict::Pass)]);
    Report::new(facts(), vec![poison(vec![claim("expect[0] dead_lettered", Verdict::Pass)]), two])
}

pub(super) fn failing() -> Report {
    let passed = scenario("sent-twice", vec![claim("expect[0] effect", Verdict::Pass)]);
    let not_judged = ClaimVerdict {
        reason: "not judged: the alarm's queue was never empty".to_owned(),
        ..claim("expect[1] alarm", Verdict::Inconclusive)
    };
    Report::new(facts(), vec![passed, poison(vec![false_claim(), not_judged, always()])])
}

pub(super) fn inconclusive() -> Report {
    let claim = ClaimVerdict {
        reason: "the fault kill-0 never fired: no call of fulfilment crossed before-effect".to_owned(),
        ..always_on("always every_fault_fired", Verdict::Inconclusive)
    };
    Report::new(facts(), vec![Judgement { attempts: 2, ..scenario("killed-consumer", vec![claim]) }])
}

/// An error that no claim accounts for.
pub(super) fn broken() -> Report {
    let scenario = scenario("sent-twice", vec![claim("expect[0] effect", Verdict::Pass)]);
    Report::new(facts(), vec![Judgement { verdict: Verdict::Error, ..scenario }])
}

/// A sweep of two boundaries, one of them red, and of one that was not tried.
pub(super) fn swept() -> Report {
    let claims = |verdict| vec![claim("expect[0] effect", verdict), always()];
    let scenarios = vec![
        scenario("orders", claims(Verdict::Pass)),
        scenario("orders [kill after-receive #1]", claims(Verdict::Pass)),
        scenario("orders [kill after-effect #1]", claims(Verdict::Fail)),
    ];
    Report::new(facts(), scenarios).with_sweep(Some(sweep()))
}

/// A sweep that ended with its clean run.
pub(super) fn unswept() -> Report {
    let untried = Untried { point: "after-receive".to_owned(), why: Why::CleanRunNotGreen, ..untried() };
    let sweep = Sweep {
        clean: Verdict::Fail,
        boundaries: 1,
        tried: 0,
        rows: Vec::new(),
        untried: vec![untried],
        ..sweep()
    };
    let clean = scenario("orders", vec![claim("expect[0] effect", Verdict::Fail)]);
    Report::new(facts(), vec![clean]).with_sweep(Some(sweep))
}

pub(super) fn sweep() -> Sweep {
    let column = |id: &str, line| Column { id: id.to_owned(), line, text: "a claim".to_owned() };
    Sweep {
        scenario: "orders".to_owned(),
        clean: Verdict::Pass,
        left_out: vec![LeftOutLine { id: "inject[0] kill".to_owned(), line: 17 }],
        boundaries: 3,
        tried: 2,
        columns: vec![column("expect[0] effect", 21), column("always nothing_lost", 0)],
        rows: vec![
            Row { effect: Some("charges".to_owned()), ..row("after-effect", Verdict::Fail) },
            Row { in_hand: 10, collateral: 9, ..row("after-receive", Verdict::Pass) },
        ],
        untried: vec![untried()],
    }
}

fn row(point: &str, verdict: Verdict) -> Row {
    Row {
        scenario: format!("orders [kill {point} #1]"),
        consumer: "w".to_owned(),
        point: point.to_owned(),
        nth: 1,
        of: "order".to_owned(),
        effect: None,
        in_hand: 1,
        collateral: 0,
        fired: true,
        verdict,
        cells: vec![verdict, Verdict::Pass],
    }
}

fn untried() -> Untried {
    let point = "before PutItem".to_owned();
    Untried { consumer: "w".to_owned(), point, nth: 1, why: Why::NotRun }
}

pub(super) fn scenario(name: &str, claims: Vec<ClaimVerdict>) -> Judgement {
    let verdict = claims.iter().map(|claim| claim.verdict).max().unwrap_or(Verdict::Inconclusive);
    Judgement {
        name: name.to_owned(),
        file: format!("scenarios/{name}.yaml"),
        verdict,
        attempts: 1,
        virtual_s: 330.0,
        wall_s: 0.7,
        claims,
        ledger: Ledger::default(),
    }
}

pub(super) fn claim(id: &str, verdict: Verdict) -> ClaimVerdict {
    ClaimVerdict {
        id: id.to_owned(),
        text: "each of 20 `healthy` has exactly 1 effect in charges".to_owned(),
        line: 21,
        column: 5,
        verdict,
        reason: "as claimed".to_owned(),
        evidence: Vec::new(),
        diagnosis: None,
        story: Vec::new(),
    }
}

fn always() -> ClaimVerdict {
    always_on("always nothing_lost", Verdict::Pass)
}

fn always_on(id: &str, verdict: Verdict) -> ClaimVerdict {
    ClaimVerdict { line: 0, column: 0, text: "every declared fault fired".to_owned(), ..claim(id, verdict) }
}

fn poison(claims: Vec<ClaimVerdict>) -> Judgement {
    let totals = Totals {
        attempted: 21,
        acknowledged: 21,
        ok: 21,
        dead_lettered: 1,
        effects: 20,
        by_fate: [(Fate::Processed, 20), (Fate::DeadLettered, 1)].into(),
        ..Totals::default()
    };
    let row = LedgerRow {
        marker: Marker::new("bad-0"),
        label: Some("bad".to_owned()),
        fate: Fate::DeadLettered,
        copies: 1,
        receives: 1,
        effects: 0,
        redriven: 0,
    };
    let ledger = Ledger { rows: vec![row], totals };
    Judgement { virtual_s: 905.2, wall_s: 1.9, ledger, ..scenario("poison-message", claims) }
}

fn false_claim() -> ClaimVerdict {
    let sent = StackTime::from_secs(1_767_323_046);
    let tell = |seq, since_sent: f64, text: &str| StoryLine {
        seq,
        at: StackTime::from_micros(sent.as_micros() + (since_sent * 1e6) as u64),
        since_sent,
        text: text.to_owned(),
    };
    ClaimVerdict {
        text: "`bad` is dead-lettered in OrderDLQ after exactly 5 receives, within 30m".to_owned(),
        line: 24,
        column: 7,
        reason: "bad-0 was dead-lettered after 1 receive, not 5".to_owned(),
        evidence: vec![31, 58],
        diagnosis: Some("max-receive-count-one".to_owned()),
        story: vec![
            tell(12, 0.0, "sent to OrderQueue as m-12"),
            tell(31, 0.012, "received by fulfilment-0-1 (receive 1, hidden for 180s)"),
            tell(58, 180.04, "moved from OrderQueue to OrderDLQ after 1 receive"),
        ],
        ..claim("expect[0] dead_lettered", Verdict::Fail)
    }
}
