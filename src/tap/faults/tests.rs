//! Which calls the armed faults take hold of, and what they keep.

use std::sync::Arc;

use havoq_base::ids::Marker;
use havoq_base::{Clock, Pace, RunStart, Seed, StackDuration, StackTime};
use havoq_fault::{FaultSpec, Gauge, Matching, Stage, Values};
use havoq_wire::Call;
use serde_json::{Value, json};

use super::armed::{Crossing, Faults};
use super::stash::{Kept, Stash};
use crate::history::{Event, HistoryFile, Instance, Kind, Recorder, Source};
use crate::tap::{Activity, Limits};

struct World {
    _folder: tempfile::TempDir,
    recorder: Recorder,
    faults: Arc<Faults>,
    by: Instance,
}

fn world() -> World {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = Clock::new(Pace::Virtual, StackTime::from_secs(1_000), RunStart::now());
    let file = HistoryFile::create(folder.path().join("history.jsonl")).expect("a file");
    let recorder = Recorder::new("s", 1, clock.clone(), Arc::new(file));
    for (marker, label) in [("victim-1", "victim"), ("victim-2", "victim"), ("other-1", "other")] {
        let kind = Kind::Sent {
            queue: "Orders".into(),
            message_id: marker.into(),
            marker: marker.into(),
            label: Some(label.into()),
            copy: 1,
            poison: None,
        };
        recorder.record(Source::Engine, kind);
    }
    let activity = Arc::new(Activity::new(clock, Limits::default()));
    let faults = Arc::new(Faults::new(recorder.clone(), activity, Seed(1)));
    let by = Instance { consumer: "c".into(), instance: 0, start: 1 };
    World { _folder: folder, recorder, faults, by }
}

fn spec(kind: &str, matching: Matching, gauge: Gauge) -> FaultSpec {
    let def = havoq_fault::find(kind).expect("a kind");
    FaultSpec::new(def, Values::default(), matching, gauge).expect("good values")
}

fn call(operation: &str, params: Value) -> Call {
    let request = http::Request::post("/").header("x-amz-target", format!("AmazonSQS.{operation}"));
    let request = request.body(params.to_string().into()).expect("a request");
    havoq_wire::decode(&request).expect("a call")
}

impl World {
    /// The positions that the first fault is aimed at.
    fn aim(&self, stage: Stage, call: &Call, items: &[&str]) -> Option<Vec<usize>> {
        let items: Vec<Option<Marker>> = items.iter().map(|marker| Some((*marker).into())).collect();
        let crossing = Crossing { stage, by: &self.by, call, queue: Some("Orders"), items: &items };
        self.faults.strike(0, &crossing).map(|(_, strike)| strike.aim.at)
    }

    fn events(&self) -> Vec<Event> {
        self.recorder.events()
    }
}

#[tokio::test]
async fn a_fault_takes_hold_of_the_calls_that_it_is_for() {
    let world = world();
    assert!(world.faults.are_none());
    let matching = Matching {
        operations: vec!["DeleteMessage".into()],
        queue: Some("Orders".into()),
        consumer: Some("c".into()),
        ..Matching::default()
    };
    world.faults.arm("f", spec("denied", matching.clone(), Gauge { times: Some(2), ..Gauge::default() }));
    assert!(!world.faults.are_none());
    let (delete, receive) = (call("DeleteMessage", json!({})), call("ReceiveMessage", json!({})));
    assert_eq!(world.aim(Stage::Request, &receive, &[]), None, "another operation");
    assert_eq!(world.aim(Stage::Answer, &delete, &["other-1"]), None, "another stage");
    assert_eq!(world.aim(Stage::Request, &delete, &["other-1"]), Some(vec![0]));
    assert_eq!(world.aim(Stage::Request, &delete, &["victim-1"]), Some(vec![0]));
    assert_eq!(world.aim(Stage::Request, &delete, &["victim-2"]), None, "twice is enough");
    for other in [
        Matching { queue: Some("Other".into()), ..matching.clone() },
        Matching { consumer: Some("d".into()), ..matching },
    ] {
        world.faults.disarm("f");
        world.faults.arm("f", spec("denied", other, Gauge::default()));
        assert_eq!(world.aim(Stage::Request, &delete, &["other-1"]), None);
    }
}

#[tokio::test]
async fn labelled_entries_are_hit_alone_and_each_is_counted_for_itself() {
    let world = world();
    let matching = Matching { label: Some("victim".into()), ..Matching::default() };
    world.faults.arm("f", spec("failed-entries", matching, Gauge { times: Some(1), ..Gauge::default() }));
    let batch = call("DeleteMessageBatch", json!({ "Entries": [{}, {}, {}] }));
    let aim = |items: &[&str]| world.aim(Stage::Request, &batch, items);
    assert_eq!(aim(&["other-1", "victim-1"]), Some(vec![1]));
    assert_eq!(aim(&["victim-2", "other-1", "victim-1"]), Some(vec![0]), "victim-1 has had its turn");
    assert_eq!(aim(&["victim-2", "victim-1"]), None);
    let single = call("DeleteMessage", json!({}));
    assert_eq!(world.aim(Stage::Request, &single, &["victim-1"]), None, "it is no batch");
}

#[tokio::test]
async fn what_would_change_nothing_is_not_counted() {
    let world = world();
    world.faults.arm("f", spec("reorder", Matching::default(), Gauge { first: Some(1), ..Gauge::default() }));
    let receive = call("ReceiveMessage", json!({}));
    assert_eq!(world.aim(Stage::Answer, &receive, &["victim-1"]), None);
    assert_eq!(world.aim(Stage::Answer, &receive, &["victim-1", "other-1"]), Some(vec![0, 1]));
}

#[tokio::test]
async fn a_fault_that_never_took_hold_says_so_at_its_end() {
    let world = world();
    world.faults.arm("a", spec("reset", Matching::default(), Gauge::default()));
    world.faults.arm("b", spec("reset", Matching::default(), Gauge::default()));
    world.faults.fired("a", &world.by, "SendMessage", None);
    world.faults.end_all();
    assert!(world.faults.are_none());
    let ended = world.events().into_iter().filter_map(|event| match event.kind {
        Kind::FaultEnded { fault, fired, reason } => Some((fault, fired, reason.is_some())),
        _ => None,
    });
    assert_eq!(ended.collect::<Vec<_>>(), [("a".into(), true, false), ("b".into(), false, true)]);
    assert_eq!(world.faults.disarm("a"), None);
}

#[tokio::test]
async fn a_window_ends_on_the_stack_s_clock_and_holds_it_there() {
    let world = world();
    let window = Gauge { window: Some(StackDuration::from_secs(30)), ..Gauge::default() };
    world.faults.arm("f", spec("throttle", Matching::default(), window));
    let clock = world.recorder.clock().clone();
    let end = clock.next_timer().expect("a timer");
    assert!(clock.jump_to(end).is_some());
    let over = async {
        while !world.faults.are_none() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), over).await.expect("it ends");
}

#[tokio::test]
async fn what_is_kept_is_delivered_to_its_consumer_when_it_is_due() {
    let clock = Clock::new(Pace::Virtual, StackTime::from_secs(1_000), RunStart::now());
    let stash = Stash::default();
    let due = clock.now() + StackDuration::from_secs(60);
    let kept = Kept {
        fault: "f".into(),
        queue: "Orders".into(),
        consumer: "c".into(),
        due,
        marker: None,
        message: json!({}),
        hidden_until: due,
    };
    stash.put(kept.clone(), &clock);
    assert_eq!(stash.take("Orders", "c", clock.now(), 10), []);
    assert!(clock.next_timer().is_some_and(|timer| timer <= due), "the clock stops there");
    assert!(clock.jump_to(due).is_some());
    let waited = stash.due("Orders", "c", &clock);
    tokio::time::timeout(std::time::Duration::from_secs(10), waited).await.expect("it is due");
    assert_eq!(stash.take("Orders", "d", due, 10), [], "another consumer's");
    assert_eq!(stash.left("f"), 1);
    assert_eq!(clock.next_timer(), Some(due), "the clock stands until it is taken");
    assert_eq!(stash.take("Orders", "c", due, 0), [], "no room");
    assert_eq!(stash.take("Orders", "c", due, 10), [kept]);
    assert_eq!(stash.left("f"), 0);
    let goes_on = async {
        while clock.next_timer().is_some() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(5), goes_on).await.expect("it goes on at once");
}
