//! Long polls: the waiting that the core does not do.

use havoq_base::clock::sleep;
use havoq_base::{RealDuration, StackDuration};
use tokio::sync::oneshot;

use super::sandbox::Sandbox;
use crate::sqs::{PollAnswer, PollId};

/// A poll that is parked; it is taken back when its caller goes away.
struct Waiting<'a> {
    sandbox: &'a Sandbox,
    poll: PollId,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        // After an answer there is nothing to take back. Messages given to a caller that left stay
        // in flight until their visibility ends, as on AWS (semantics 8.1).
        self.sandbox.0.lock().unpark(self.poll, false);
    }
}

impl Sandbox {
    /// Waits for a parked poll's answer. The wait runs in real time: while the clock jumps over
    /// days, a poll is parked rather than answered thousands of times.
    pub(super) async fn wait(
        &self,
        poll: PollId,
        mut answer: oneshot::Receiver<PollAnswer>,
        wait: StackDuration,
    ) -> PollAnswer {
        let waiting = Waiting { sandbox: self, poll };
        tokio::select! {
            biased;
            answered = &mut answer => return answered.unwrap_or_else(|_| Ok(Vec::new())),
            () = sleep(RealDuration::from_micros(wait.as_micros())) => {}
        }
        if waiting.sandbox.enter(|core, _| core.unpark(poll, true)) {
            return Ok(Vec::new());
        }
        // The answer came in the moment in which the time ran out.
        answer.try_recv().unwrap_or_else(|_| Ok(Vec::new()))
    }
}
