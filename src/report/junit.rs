//! `junit.xml`: a suite a scenario, a case a claim. A false claim is a failure, a fault of havoq or
//! of the stack an error, and what could not be judged is skipped with its reason.

use std::time::Duration;

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::exit::Exit;
use super::explain;
use super::format::{Format, RenderError};
use super::grid;
use super::model::Report;
use super::style::printable;
use crate::check::{ClaimVerdict, Judgement, Sweep, Verdict};

pub(super) struct Junit;

impl Format for Junit {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn file_name(&self) -> Option<&'static str> {
        Some("junit.xml")
    }

    fn render(&self, report: &Report) -> Result<Vec<u8>, RenderError> {
        let mut junit = quick_junit::Report::new("havoq");
        junit.timestamp = report.started.rfc3339().parse().ok();
        junit.time = seconds(report.wall_s);
        junit.add_test_suites(report.scenarios.iter().map(|scenario| suite(report, scenario)));
        junit.add_test_suites(report.sweep.as_ref().map(swept));
        junit.add_test_suites(cut_short(report));
        let mut bytes = Vec::new();
        junit.serialize(&mut bytes)?;
        Ok(bytes)
    }
}

fn suite(report: &Report, scenario: &Judgement) -> TestSuite {
    let mut suite = TestSuite::new(printable(&scenario.name));
    suite.time = seconds(scenario.wall_s);
    for (name, value) in [
        ("seed", report.seed.to_string()),
        ("stack", printable(&report.stack)),
        ("run_id", printable(&report.run_id)),
        ("clock", printable(&report.clock)),
        ("havoq", report.havoq.clone()),
        ("file", printable(&scenario.file)),
        ("attempts", scenario.attempts.to_string()),
        ("virtual_s", scenario.virtual_s.to_string()),
    ] {
        suite.add_property((name, value.as_str()));
    }
    suite.add_test_cases(scenario.claims.iter().map(|claim| case(scenario, claim)));
    suite.add_test_cases(unaccounted(scenario));
    suite
}

fn case(scenario: &Judgement, claim: &ClaimVerdict) -> TestCase {
    let mut status = status(claim.verdict, &printable(&claim.reason));
    if claim.verdict != Verdict::Pass {
        let mut text = format!("{}\n", explain::place(scenario, claim));
        text.push_str(&explain::lines(claim, usize::MAX).join("\n"));
        status.set_description(text);
    }
    if let (Verdict::Fail, Some(diagnosis)) = (claim.verdict, &claim.diagnosis) {
        status.set_type(printable(diagnosis));
    }
    let mut case = TestCase::new(printable(&claim.id), status);
    case.set_classname(printable(&scenario.name));
    case.extra.insert("file".into(), printable(&scenario.file).into());
    case.extra.insert("line".into(), claim.line.to_string().into());
    case
}

fn status(verdict: Verdict, message: &str) -> TestCaseStatus {
    let mut status = match verdict {
        Verdict::Pass => return TestCaseStatus::success(),
        Verdict::Inconclusive => TestCaseStatus::skipped(),
        Verdict::Fail => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Verdict::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    status.set_message(message);
    status
}

/// A case for a verdict that no claim accounts for: a suite must not look better than its scenario.
fn unaccounted(scenario: &Judgement) -> Option<TestCase> {
    let reason = explain::unaccounted(scenario)?;
    let mut case = TestCase::new("scenario", status(scenario.verdict, &reason));
    case.set_classname(printable(&scenario.name));
    Some(case)
}

/// A suite of its own for a run that was cut short, since the scenarios that did not run have none.
fn cut_short(report: &Report) -> Option<TestSuite> {
    let reason = match report.exit {
        Exit::Interrupted => "the run was interrupted",
        Exit::Refused => "a guard refused what the run needed",
        _ => return None,
    };
    let mut suite = TestSuite::new("run");
    suite.add_test_case(TestCase::new("completes", status(Verdict::Error, reason)));
    Some(suite)
}

/// A suite for what a sweep covered: a case a boundary. What came of the kill there stands in the
/// suite of its own run, so that nothing is counted twice.
fn swept(sweep: &Sweep) -> TestSuite {
    let mut suite = TestSuite::new("sweep");
    suite.add_property(("boundaries", sweep.boundaries.to_string().as_str()));
    suite.add_property(("tried", sweep.tried.to_string().as_str()));
    let mut add = |name: String, why: Option<&str>| {
        let status = why.map_or_else(TestCaseStatus::success, |why| status(Verdict::Inconclusive, why));
        let mut case = TestCase::new(printable(&name), status);
        case.set_classname(printable(&sweep.scenario));
        suite.add_test_case(case);
    };
    for row in &sweep.rows {
        let name = format!("{} {} #{} is tried", row.consumer, row.point, row.nth);
        add(name, (!row.fired).then_some("the kill never took hold"));
    }
    for untried in &sweep.untried {
        let name = format!("{} {} #{} is tried", untried.consumer, untried.point, untried.nth);
        add(name, Some(grid::why(untried.why)));
    }
    if sweep.boundaries == 0 {
        add("there is something to sweep".to_owned(), Some("no consumer crossed a boundary"));
    }
    suite
}

/// `None` for what is not a span of time: a figure is left out rather than made up.
fn seconds(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures;

    fn render(report: &Report) -> String {
        String::from_utf8(Junit.render(report).unwrap()).unwrap()
    }

    #[test]
    fn a_failing_run() {
        insta::assert_snapshot!(render(&fixtures::failing()));
    }

    #[test]
    fn what_could_not_be_judged_is_skipped() {
        insta::assert_snapshot!(render(&fixtures::inconclusive()));
    }

    #[test]
    fn an_error_that_no_claim_accounts_for_has_a_case() {
        let xml = render(&fixtures::broken());
        assert!(
            xml.contains(r#"<testsuites name="havoq" tests="2" skipped="0" failures="0" errors="1""#),
            "{xml}"
        );
        assert!(
            xml.contains("<error message=\"the scenario ended as error and no claim of it says why\"/>"),
            "{xml}"
        );
    }

    #[test]
    fn a_run_that_was_cut_short_is_not_green() {
        let facts = crate::report::RunFacts { interrupted: true, ..fixtures::facts() };
        let xml = render(&Report::new(facts, Vec::new()));
        assert!(xml.contains("<error message=\"the run was interrupted\"/>"), "{xml}");
    }

    #[test]
    fn a_sweep_tells_each_boundary_that_was_not_tried() {
        let xml = render(&fixtures::swept());
        assert!(
            xml.contains(r#"<testsuite name="sweep" tests="3" skipped="1" errors="0" failures="0">"#),
            "{xml}"
        );
        assert!(xml.contains(r#"<skipped message="the sweep ended before"/>"#), "{xml}");
    }

    #[test]
    fn hostile_text_cannot_break_the_document() {
        let hostile = "]]>&<'\"\u{0}\u{1b}[2J\u{8}\u{b}\u{fffe}\u{ffff}\u{9b}\u{7f}</failure>é\u{1f980}";
        let claim = ClaimVerdict {
            text: hostile.to_owned(),
            reason: hostile.to_owned(),
            diagnosis: Some(hostile.to_owned()),
            ..fixtures::claim(hostile, Verdict::Fail)
        };
        let scenario = fixtures::scenario(hostile, vec![claim]);
        let facts = crate::report::RunFacts { run_id: hostile.to_owned(), ..fixtures::facts() };
        let xml = render(&Report::new(facts, vec![scenario]));
        assert!(xml.chars().all(is_xml_char), "a character that XML 1.0 excludes: {xml}");
        assert!(xml.contains("\\u{0}\\u{1b}[2J"), "what was excluded shows as an escape: {xml}");
        assert!(xml.contains("é\u{1f980}"), "{xml}");
        assert_eq!(open_tags(&xml), Vec::<String>::new());
        assert_eq!(xml.matches("</failure>").count(), 1);
    }

    /// The `Char` production of XML 1.0.
    fn is_xml_char(c: char) -> bool {
        matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
    }

    /// Walks the tags of a document and returns those left open; panics on what is not well-formed.
    fn open_tags(xml: &str) -> Vec<String> {
        let mut open: Vec<String> = Vec::new();
        for piece in xml.split('<').skip(1) {
            let (tag, text) = piece.split_once('>').expect("a tag ends");
            assert!(!text.contains("]]>"), "a section end in text: {text}");
            assert_eq!(tag.matches('"').count() % 2, 0, "an open quotation: {tag}");
            match (tag.strip_prefix('/'), tag.ends_with('/') || tag.starts_with('?')) {
                (Some(name), _) => assert_eq!(open.pop().as_deref(), Some(name)),
                (None, true) => {}
                (None, false) => open.push(tag.split(' ').next().unwrap_or_default().to_owned()),
            }
        }
        open
    }
}
