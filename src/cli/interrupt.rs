//! Ctrl-C and SIGTERM: the first one ends a run in good order, the second one at once.

use havoq_base::{RealDuration, clock};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use super::startup::told;
use crate::report::Exit;

/// How long a run may take to close its books once everything was killed.
const LAST_WORDS: RealDuration = RealDuration::from_secs(2);

/// The signals that ask for the end.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// A limit on file sizes must show as a failed write, and not as the death of havoq.
    _file_size: Signal,
}

impl Signals {
    /// From now on they do not end the process by themselves.
    pub(super) fn listening() -> Result<Self, Exit> {
        Self::listen()
            .map_err(|error| format!("cannot listen for signals: {error}"))
            .map_err(told(Exit::Error))
    }

    fn listen() -> std::io::Result<Self> {
        let file_size = SignalKind::from_raw(nix::sys::signal::Signal::SIGXFSZ as i32);
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            _file_size: signal(file_size)?,
        })
    }

    /// Tells the run of the first, and sees to it that the second is obeyed at once.
    pub(super) async fn obey(mut self, interrupted: watch::Sender<bool>) {
        self.next().await;
        interrupted.send_replace(true);
        eprintln!("interrupted: cleaning up; press Ctrl-C again to stop at once");
        self.next().await;
        // The run, whose consumers are gone, now comes to its end by itself.
        crate::consumer::kill_everything();
        tokio::select! {
            () = self.next() => {}
            () = clock::sleep(LAST_WORDS) => {}
        }
        std::process::exit(i32::from(Exit::Interrupted.code()));
    }

    /// Waits for the first, where there is nothing to clean up.
    pub(super) async fn first(mut self) {
        self.next().await;
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
