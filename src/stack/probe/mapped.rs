//! A queue whose messages a mapping hands to a function, and what becomes of them.

use super::finding::{Shown, wrong};
use super::function::{Function, VISIBILITY};
use super::lab::Lab;
use super::queue::{Counts, Queue, body};
use super::script::Script;

/// How long a stack may take until nothing is left in a queue.
const DRAINED: u64 = 30;

pub(super) struct Mapped {
    pub(super) function: Function,
    pub(super) queue: Queue,
    /// Where messages go that were received once.
    pub(super) dead: Queue,
}

impl Lab {
    /// A function and a queue for it, without a mapping yet.
    pub(super) async fn unmapped(&self, script: Script, fifo: bool) -> Shown<Mapped> {
        let function = self.function(script).await?;
        let dead = if fifo { self.fifo(&[]).await? } else { self.queue(&[]).await? };
        let policy = dead.redrive_policy(1);
        let attributes = [("VisibilityTimeout", VISIBILITY), ("RedrivePolicy", &policy)];
        let queue = if fifo { self.fifo(&attributes).await? } else { self.queue(&attributes).await? };
        Ok(Mapped { function, queue, dead })
    }

    /// What is dead-lettered of these messages, which are in the queue before the mapping is, so that
    /// they are of one batch.
    pub(super) async fn dead_lettered(
        &self,
        script: Script,
        reports: bool,
        messages: &[&str],
    ) -> Shown<Vec<String>> {
        let mapped = self.unmapped(script, false).await?;
        for message in messages {
            mapped.queue.send(message).await?;
        }
        mapped.function.mapping(&mapped.queue, reports).send().await?;
        mapped.drained().await?;
        mapped.dead_letters(messages.len()).await
    }
}

impl Mapped {
    pub(super) async fn drained(&self) -> Shown {
        drained(&self.queue).await
    }

    pub(super) async fn dead_letters(&self, most: usize) -> Shown<Vec<String>> {
        all_bodies(&self.dead, most).await
    }
}

/// Waits until everything in the queue was deleted or moved.
pub(super) async fn drained(queue: &Queue) -> Shown {
    let nothing = Counts { visible: 0, in_flight: 0, delayed: 0 };
    let look = || async { Ok((queue.counts().await? == nothing).then_some(())) };
    if queue.lab.until(DRAINED, look).await?.is_some() {
        return Ok(());
    }
    let seen = queue.counts().await?;
    wrong(format!("nothing left in the source queue within {DRAINED} s"), format!("{seen:?}"))
}

/// The bodies of up to so many messages, sorted.
pub(super) async fn all_bodies(queue: &Queue, most: usize) -> Shown<Vec<String>> {
    let messages = queue.take(most).await?;
    let mut bodies: Vec<String> = messages.iter().map(|message| body(message).to_owned()).collect();
    bodies.sort();
    Ok(bodies)
}
