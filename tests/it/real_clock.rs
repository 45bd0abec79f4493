//! With timeouts of seconds, the real clock gives the verdicts of the jumping one.

use std::path::Path;

use crate::support::{Havoq, root, scenario};

const DRILLS: [&str; 4] = ["poison-message", "consumer-killed", "duplicate-send", "redrive"];

/// The drills with every wait cut down to seconds.
fn shortened(folder: &Path) {
    let stack = std::fs::read_to_string(root().join("scenarios/stacks/orders.yaml")).expect("the stack");
    let stack = stack.replace("Type: Number, Default: 180", "Type: Number, Default: 2");
    let stack = stack.replace("Type: Number, Default: 300", "Type: Number, Default: 10");
    std::fs::create_dir(folder.join("stacks")).expect("a folder");
    std::fs::write(folder.join("stacks/orders.yaml"), stack).expect("the stack");
    for drill in DRILLS {
        let text = std::fs::read_to_string(root().join(format!("scenarios/{drill}.yaml"))).expect("a drill");
        let text = text.replace("not_before: 180s", "not_before: 2s").replace("gap: 20m", "gap: 3s");
        std::fs::write(folder.join(format!("{drill}.yaml")), text).expect("a drill");
    }
}

fn verdicts(clock: &str, bug: Option<&str>) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    shortened(folder.path());
    let mut havoq = Havoq::run(&[folder.path()], &["--clock", clock, "--timeout", "170s"]);
    if let Some(bug) = bug {
        havoq = havoq.env("HAVOQ_WORKER_BUG", bug);
    }
    let ran = havoq.ran();
    let report = ran.report();
    let verdicts = DRILLS.iter().flat_map(|drill| {
        let claims = scenario(&report, drill)["claims"].as_array().expect("claims").clone();
        claims.into_iter().map(move |claim| {
            let text = |member: &str| claim[member].as_str().unwrap_or_default().to_owned();
            (format!("{drill} {}", text("id")), text("verdict"))
        })
    });
    let verdicts: Vec<_> = verdicts.collect();
    assert!(!verdicts.is_empty(), "{}", ran.all());
    verdicts
}

/// The two clocks may differ by inconclusive, and never contradict.
fn agree(bug: Option<&str>) -> Vec<(String, String)> {
    let (real, jumping) = std::thread::scope(|scope| {
        let real = scope.spawn(|| verdicts("real", bug));
        let jumping = verdicts("virtual", bug);
        (real.join().expect("the real clock's run"), jumping)
    });
    for ((claim, real), (other, jumping)) in real.iter().zip(&jumping) {
        assert_eq!(claim, other);
        let contradict = [real, jumping].map(String::as_str);
        assert!(
            !matches!(contradict, ["pass", "fail"] | ["fail", "pass"]),
            "{claim}: real {real}, jumping {jumping}"
        );
    }
    real
}

#[test]
fn a_correct_worker_passes_on_both_clocks() {
    let real = agree(None);
    assert!(real.iter().all(|(_, verdict)| verdict == "pass"), "{real:?}");
}

#[test]
fn a_worker_without_idempotency_fails_on_both_clocks() {
    let real = agree(Some("no-idempotency"));
    assert!(real.iter().any(|(_, verdict)| verdict == "fail"), "{real:?}");
}
