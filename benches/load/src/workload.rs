//! What a server is loaded with for a while, over some connections at once.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use havoq_base::{RealDuration, RealTime, RunStart};
use tokio::task::JoinSet;

use crate::Result;
use crate::calls::Queue;
use crate::connection::Connection;
use crate::server::Running;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// SendMessage, one after the other.
    Send,
    /// SendMessageBatch of 10, ReceiveMessage of 10, DeleteMessageBatch of what was received.
    Cycle,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Send => "SendMessage",
            Self::Cycle => "batch cycle",
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Workload {
    pub(crate) kind: Kind,
    pub(crate) connections: usize,
    /// The length of a message's body.
    pub(crate) body: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// Messages a second, sent or sent and received and deleted.
    pub(crate) rate: f64,
    /// The server's processor time for a message, in microseconds.
    pub(crate) processor: f64,
}

impl Workload {
    /// Loads a server for a while, in a queue of its own.
    pub(crate) async fn run(self, server: &Running, time: RealDuration) -> Result<Measured> {
        static QUEUES: AtomicU64 = AtomicU64::new(0);
        let mut connection = Connection::new(server.address);
        let name = format!("load-{}", QUEUES.fetch_add(1, Ordering::Relaxed));
        let queue = Queue::create(&mut connection, &name).await?;
        let (began, processor) = (RunStart::now(), server.processor_time()?);
        let end = RealTime::from_micros(0) + time;
        let mut workers = JoinSet::new();
        for _ in 0..self.connections {
            workers.spawn(self.work(Connection::new(server.address), queue.clone(), began, end));
        }
        let mut messages = 0;
        while let Some(done) = workers.join_next().await {
            messages += done??;
        }
        let (elapsed, processor) = (began.elapsed(), server.processor_time()?.saturating_sub(processor));
        connection.call(&queue.delete()).await?;
        let messages = messages as f64;
        Ok(Measured {
            rate: messages / elapsed.as_secs_f64(),
            processor: processor.as_micros() as f64 / messages,
        })
    }

    async fn work(
        self,
        mut connection: Connection,
        queue: Queue,
        began: RunStart,
        end: RealTime,
    ) -> Result<usize> {
        let (send, send_batch) = (queue.send(self.body), queue.send_batch(self.body));
        let receive = queue.receive();
        let mut messages = 0;
        while began.elapsed() < end {
            match self.kind {
                Kind::Send => {
                    connection.call(&send).await?;
                    messages += 1;
                }
                Kind::Cycle => {
                    connection.call(&send_batch).await?;
                    let received = connection.call(&receive).await?;
                    if let Some((count, delete)) = queue.delete_batch(received) {
                        connection.call(&delete).await?;
                        messages += count;
                    }
                }
            }
        }
        Ok(messages)
    }
}
