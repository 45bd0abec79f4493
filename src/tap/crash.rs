//! Crash points: a call of a targeted message is held until the process has been dealt with.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use havoq_base::ids::Marker;
use tokio::sync::{mpsc, oneshot};

use super::proxy::Part;
use crate::history::{Identity, Instance, Withheld};

/// What side effects are called among the operations.
pub(super) const EFFECT: &str = "effect";

/// On which side of the stack a call is held. `Before`: it was not forwarded. `After`: it was done
/// and its answer is kept back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    Before,
    After,
}

/// Where a call can be held.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    AfterReceive,
    BeforeEffect,
    AfterEffect,
    BeforeDelete,
    AfterDelete,
    /// Any call, by its operation.
    Call(String, When),
}

impl Point {
    pub fn name(&self) -> String {
        match self {
            Self::AfterReceive => "after-receive".to_owned(),
            Self::BeforeEffect => "before-effect".to_owned(),
            Self::AfterEffect => "after-effect".to_owned(),
            Self::BeforeDelete => "before-delete".to_owned(),
            Self::AfterDelete => "after-delete".to_owned(),
            Self::Call(operation, When::Before) => format!("before {operation}"),
            Self::Call(operation, When::After) => format!("after {operation}"),
        }
    }

    pub fn when(&self) -> When {
        match self {
            Self::BeforeEffect | Self::BeforeDelete | Self::Call(_, When::Before) => When::Before,
            Self::AfterReceive | Self::AfterEffect | Self::AfterDelete | Self::Call(_, When::After) => {
                When::After
            }
        }
    }

    /// Whether a call of this operation crosses it on that side.
    fn is_at(&self, operation: &str, when: When) -> bool {
        let is_of = match self {
            Self::AfterReceive => operation == "ReceiveMessage",
            Self::BeforeEffect | Self::AfterEffect => operation == EFFECT,
            Self::BeforeDelete | Self::AfterDelete => {
                matches!(operation, "DeleteMessage" | "DeleteMessageBatch")
            }
            Self::Call(wanted, _) => operation == wanted,
        };
        is_of && self.when() == when
    }
}

/// Which crossing of which point to hold.
#[derive(Clone, Debug)]
pub struct CrashSpec {
    pub fault: String,
    pub consumer: String,
    pub point: Point,
    /// Label of the targeted messages; without one any call at the point counts.
    pub of: Option<String>,
    /// Counted from when the fault was armed, from 1; per marker where messages are targeted.
    pub nth: u32,
    /// A stopped process gets its answer when it goes on; one that is ended never does.
    pub answers: bool,
}

/// What to do with a held call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// Neither forwarded nor answered.
    Drop,
    /// Forwarded, if it was not yet, and not answered.
    Forward,
    /// Forwarded, if it was not yet, and answered.
    Deliver,
}

/// A call that must wait at a point.
#[derive(Debug)]
pub(super) struct Held {
    release: oneshot::Receiver<Release>,
    answers: bool,
}

impl Held {
    pub(super) fn withheld(&self) -> Withheld {
        if self.answers { Withheld::No } else { Withheld::Yes }
    }

    /// Waits for the word. With nobody left to give it, the run is over.
    pub(super) async fn released(self) -> Release {
        self.release.await.unwrap_or(Release::Drop)
    }
}

/// A call that is being held.
#[derive(Debug)]
pub struct Hold {
    pub fault: String,
    pub by: Instance,
    pub part: Part,
    pub point: Point,
    pub marker: Option<Marker>,
    pub release: oneshot::Sender<Release>,
}

/// All armed crash points of one attempt. Each holds one call, once.
#[derive(Debug)]
pub struct CrashPoints {
    armed: Mutex<Vec<Armed>>,
    holds: mpsc::UnboundedSender<Hold>,
}

#[derive(Debug)]
struct Armed {
    spec: CrashSpec,
    crossings: HashMap<Option<Marker>, u32>,
}

impl CrashPoints {
    /// The points, and where the held calls come out.
    pub fn new() -> (Self, mpsc::UnboundedReceiver<Hold>) {
        let (holds, receiver) = mpsc::unbounded_channel();
        (Self { armed: Mutex::default(), holds }, receiver)
    }

    pub fn arm(&self, spec: CrashSpec) {
        self.with_armed(|armed| armed.push(Armed { spec, crossings: HashMap::new() }));
    }

    /// Takes a point back. False when it has held its call already.
    pub fn disarm(&self, fault: &str) -> bool {
        self.with_armed(|armed| {
            let before = armed.len();
            armed.retain(|point| point.spec.fault != fault);
            armed.len() < before
        })
    }

    /// The faults that have not held a call yet.
    pub fn waiting(&self) -> Vec<String> {
        self.with_armed(|armed| armed.iter().map(|point| point.spec.fault.clone()).collect())
    }

    /// A call crosses a point; what is returned says that it must wait there.
    pub(super) fn cross(
        &self,
        identity: &Identity,
        (by, part): (&Instance, Part),
        (operation, when): (&str, When),
        markers: &[Marker],
    ) -> Option<Held> {
        let (spec, marker) = self.with_armed(|armed| {
            let mut due = None;
            for (index, point_armed) in armed.iter_mut().enumerate() {
                let marker = point_armed.count(identity, by, (operation, when), markers);
                due = due.or(marker.map(|marker| (index, marker)));
            }
            due.map(|(index, marker)| (armed.remove(index).spec, marker))
        })?;
        let (release, held) = oneshot::channel();
        let answers = spec.answers;
        let hold = Hold { fault: spec.fault, by: by.clone(), part, point: spec.point, marker, release };
        // With nobody left to deal with it the run is over, and the call goes its way.
        self.holds.send(hold).ok().map(|()| Held { release: held, answers })
    }

    fn with_armed<T>(&self, change: impl FnOnce(&mut Vec<Armed>) -> T) -> T {
        change(&mut self.armed.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Armed {
    /// Counts the crossing, for each targeted marker; whose turn it is.
    fn count(
        &mut self,
        identity: &Identity,
        by: &Instance,
        (operation, when): (&str, When),
        markers: &[Marker],
    ) -> Option<Option<Marker>> {
        if self.spec.consumer != by.consumer || !self.spec.point.is_at(operation, when) {
            return None;
        }
        let targets: Vec<Option<Marker>> = match &self.spec.of {
            Some(label) => {
                let labelled = markers.iter().filter(|marker| identity.is_labelled(marker, label));
                labelled.cloned().map(Some).collect()
            }
            None => vec![None],
        };
        let mut due = None;
        for target in targets {
            let crossings = self.crossings.entry(target.clone()).or_default();
            *crossings += 1;
            if *crossings == self.spec.nth {
                due = Some(target);
            }
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{HistoryFile, Kind, Recorder, Source};
    use havoq_base::{Clock, Pace, RunStart, StackTime};
    use std::sync::Arc;

    fn recorder(folder: &tempfile::TempDir) -> Recorder {
        let clock = Clock::new(Pace::Virtual, StackTime::from_secs(1_000), RunStart::now());
        let file = HistoryFile::create(folder.path().join("history.jsonl")).expect("a file");
        let recorder = Recorder::new("s", 1, clock, Arc::new(file));
        for marker in ["victim-1", "victim-2"] {
            recorder.record(
                Source::Engine,
                Kind::Sent {
                    queue: "Orders".into(),
                    message_id: marker.into(),
                    marker: marker.into(),
                    label: Some("victim".into()),
                    copy: 1,
                    poison: None,
                },
            );
        }
        recorder
    }

    fn spec(nth: u32) -> CrashSpec {
        CrashSpec {
            fault: "inject[0]".into(),
            consumer: "c".into(),
            point: Point::AfterReceive,
            of: Some("victim".into()),
            nth,
            answers: false,
        }
    }

    #[test]
    fn a_point_holds_the_nth_crossing_of_one_marker_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let recorder = recorder(&folder);
        let (points, mut holds) = CrashPoints::new();
        points.arm(spec(2));
        let by = |consumer: &str| Instance { consumer: consumer.into(), instance: 0, start: 1 };
        let cross = |consumer: &str, at: (&str, When), marker: &str| {
            points.cross(recorder.identity(), (&by(consumer), Part::Whole), at, &[marker.into()]).is_some()
        };
        let (received, deleting) = (("ReceiveMessage", When::After), ("DeleteMessage", When::Before));
        assert!(!cross("c", received, "victim-1"));
        assert!(!cross("c", received, "victim-2"), "counted per marker");
        assert!(!cross("c", deleting, "victim-1"), "another point");
        assert!(!cross("d", received, "victim-1"), "another consumer");
        assert!(!cross("c", received, "bystander"), "another label");
        assert!(cross("c", received, "victim-1"));
        assert_eq!(holds.try_recv().expect("a hold").marker.expect("a marker").as_str(), "victim-1");
        assert!(!cross("c", received, "victim-2"), "it holds once");
        assert!(points.waiting().is_empty());
    }

    #[test]
    fn a_disarmed_point_holds_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let recorder = recorder(&folder);
        let (points, _holds) = CrashPoints::new();
        points.arm(spec(1));
        assert_eq!(points.waiting(), ["inject[0]"]);
        assert!(points.disarm("inject[0]"));
        assert!(!points.disarm("inject[0]"));
        let by = Instance { consumer: "c".into(), instance: 0, start: 1 };
        let crossed = points.cross(
            recorder.identity(),
            (&by, Part::Whole),
            ("ReceiveMessage", When::After),
            &["victim-1".into()],
        );
        assert!(crossed.is_none());
    }

    #[test]
    fn a_point_of_any_call_is_that_of_its_operation_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let recorder = recorder(&folder);
        let (points, _holds) = CrashPoints::new();
        let by = Instance { consumer: "c".into(), instance: 0, start: 1 };
        let cross = |operation: &str, when| {
            points.cross(recorder.identity(), (&by, Part::Whole), (operation, when), &[]).is_some()
        };
        points.arm(CrashSpec { point: Point::Call("PutItem".into(), When::After), of: None, ..spec(2) });
        assert!(!cross("PutItem", When::Before) && !cross("GetItem", When::After));
        assert!(!cross("PutItem", When::After), "the first");
        assert!(cross("PutItem", When::After));
        points.arm(CrashSpec { point: Point::BeforeDelete, of: None, ..spec(1) });
        assert!(cross("DeleteMessageBatch", When::Before), "a delete by whatever call");
    }
}
