//! A tap on its own, in front of clients that havoq did not start: nobody is killed, nothing is an
//! effect, and no clock jumps. Faults it can do.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use havoq_base::Seed;
use havoq_wire::{Request, Response, Upstream};
use tokio::net::TcpListener;

use super::activity::{Activity, Limits};
use super::crash::CrashPoints;
use super::effect::{EffectSink, Sighting};
use super::faults::Faults;
use super::front::Front;
use super::proxy::{Part, Tap, Wiring};
use super::witness::Witness;
use crate::aws::Directory;
use crate::history::{Instance, Recorder};

/// Nobody looks at who polls, and nothing is an effect.
struct Nobody;

/// Serves all clients of the listener as one consumer, `tap`. `front` is told of its faults.
pub fn alone(
    listener: TcpListener,
    recorder: Recorder,
    upstream: Arc<dyn Upstream>,
    seed: Seed,
    front: impl FnOnce(Arc<Faults>) -> Arc<dyn Front>,
) -> io::Result<Tap> {
    let by = Instance { consumer: "tap".to_owned(), instance: 0, start: 1 };
    let activity = Arc::new(Activity::new(recorder.clock().clone(), Limits::default()).forgetful());
    let faults = Arc::new(Faults::new(recorder.clone(), Arc::clone(&activity), seed));
    let front = front(Arc::clone(&faults));
    activity.started(&by, &[]);
    let (points, _) = CrashPoints::new();
    let wiring = Wiring {
        recorder,
        activity,
        points: Arc::new(points),
        faults,
        upstream,
        sink: Arc::new(Nobody),
        witness: Arc::new(Nobody),
        directory: Arc::new(Directory::default()),
    };
    Tap::on(listener, by, Part::Whole, Arc::new(wiring), Some(front))
}

impl EffectSink for Nobody {
    fn look(&self, _request: &Request) -> Option<Sighting> {
        None
    }

    fn take(&self, _sighting: &Sighting, _request: &Request) -> (bool, Response) {
        (false, Response::default())
    }
}

impl Witness for Nobody {
    fn polls(&self, _by: &Instance, _peer: SocketAddr, _tap: SocketAddr) {}
}
