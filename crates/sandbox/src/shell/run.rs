//! The task that fires timers as time passes, sends what they have for HTTP endpoints, and has
//! functions invoked.

use std::future::pending;

use tokio::task::JoinSet;

use super::functions::Begun;
use super::sandbox::Sandbox;

impl Sandbox {
    /// Fires timers, sends what is for HTTP endpoints and has functions invoked, for ever. Without it
    /// timers fire at the next call only, nothing is sent, and no invocation comes to an end.
    pub async fn run(self) {
        let mut sending = JoinSet::new();
        let mut begun = Begun::default();
        loop {
            // To enter is to fire what is due.
            let (next, outbox, orders) =
                self.enter(|core, _| (core.timers.next(), core.take_outbox(), core.take_orders()));
            begun.obey(&self, orders, &mut sending);
            for outbound in outbox {
                sending.spawn(self.clone().send_out(outbound));
            }
            let due = async {
                match next {
                    Some(at) => self.0.clock.sleep_until(at).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                () = self.0.earlier.notified() => {}
                () = due => {}
                Some(_) = sending.join_next() => {}
            }
        }
    }
}
