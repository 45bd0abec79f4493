//! Rule 5 of quiescence: the clock jumps only while the engine waits, no further than what it
//! waits for, and never before the engine has read all that was recorded.

use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use havoq_base::StackTime;
use tokio::sync::watch;

use crate::history::Recorder;
use crate::inject::Patience;

/// What the engine waits for, as the clock's jumper sees it.
#[derive(Debug)]
pub(super) struct Waiting {
    recorder: Recorder,
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

#[derive(Clone, Debug, Default)]
struct State {
    /// How much of the history the engine has read.
    seen: usize,
    waits: bool,
    until: Option<StackTime>,
    cut: Option<String>,
    no_more_steps: bool,
}

/// Leave to jump.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant {
    pub seen: usize,
    /// Not past this.
    pub until: Option<StackTime>,
    /// Steps are left, which may send or bring consumers back.
    pub steps_left: bool,
}

impl Waiting {
    pub fn new(recorder: Recorder) -> Self {
        Self { recorder, state: Mutex::default(), changed: watch::Sender::new(()) }
    }

    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    pub fn grant(&self) -> Option<Grant> {
        let state = self.state();
        let grant = Grant { seen: state.seen, until: state.until, steps_left: !state.no_more_steps };
        (state.waits && state.cut.is_none()).then_some(grant)
    }

    /// All steps are done, and the engine only watches from now on.
    pub fn no_more_steps(&self) {
        self.state().no_more_steps = true;
    }

    /// Ends the run here: going on would not show what real time would.
    pub fn cut(&self, reason: String) {
        self.state().cut.get_or_insert(reason);
        self.changed.send_replace(());
    }

    pub fn cut_reason(&self) -> Option<String> {
        self.state().cut.clone()
    }

    /// Waits until the run is cut, and says why.
    pub async fn until_cut(&self) -> String {
        let mut changed = self.changed.subscribe();
        loop {
            if let Some(reason) = self.cut_reason() {
                return reason;
            }
            if changed.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Waits until more is recorded than when this last returned, until the time, or until the run
    /// is cut.
    pub async fn event_or(&self, until: Option<StackTime>) {
        let mut events = self.recorder.subscribe();
        if self.catch_up() {
            return;
        }
        let _permit = self.begin(until);
        let clock = self.recorder.clock();
        let due = async {
            match until {
                Some(until) => clock.sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        let seen = self.state().seen;
        tokio::select! {
            _ = events.wait_for(|length| *length > seen) => {}
            () = due => {}
            _ = self.until_cut() => {}
        }
        self.catch_up();
    }

    /// True when there was something unread.
    fn catch_up(&self) -> bool {
        let length = self.recorder.len();
        let mut state = self.state();
        let unread = length > state.seen;
        state.seen = length;
        unread
    }

    fn begin(&self, until: Option<StackTime>) -> Permit<'_> {
        let mut state = self.state();
        state.waits = true;
        state.until = until;
        drop(state);
        self.changed.send_replace(());
        Permit(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the wait when dropped, also when the waiting future is.
struct Permit<'a>(&'a Waiting);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.state().waits = false;
    }
}

impl Patience for Waiting {
    fn event_or(&self, until: Option<StackTime>) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            self.event_or(until).await;
            if self.cut_reason().is_some() {
                // Its time may never come, so a step must not go on asking for it: it is dropped.
                std::future::pending::<()>().await;
            }
        })
    }
}
