//! One server as its queue grows: what a receive costs, and how much memory the queue takes.

use havoq_base::RunStart;

use crate::Result;
use crate::calls::{BATCH, Queue};
use crate::connection::Connection;
use crate::server::{Running, Server};
use crate::stats::{median, quantile};

#[derive(clap::Args)]
pub(crate) struct Depth {
    /// `NAME: COMMAND`
    #[arg(long)]
    server: Server,
    /// The numbers of messages at which it is measured, in rising order; of groups, with --fifo
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000, 1_000_000])]
    depths: Vec<usize>,
    /// The length of a message's body
    #[arg(long, default_value_t = 1024)]
    body: usize,
    /// How many receives are measured at each depth
    #[arg(long, default_value_t = 2_000)]
    receives: usize,
    /// A FIFO queue with this many messages in each group
    #[arg(long, value_name = "MESSAGES")]
    fifo: Option<usize>,
}

impl Depth {
    pub(crate) async fn run(self) -> Result<()> {
        let what = if self.fifo.is_some() { "groups" } else { "messages" };
        println!("| {what} | a receive of {BATCH}, median (99 %) | memory |");
        println!("|---|---|---|");
        let server = self.server.start().await?;
        for (round, &depth) in self.depths.iter().enumerate() {
            let mut queue = self.filled(&server, depth, round).await?;
            let memory = server.memory()? as f64 / 1e6;
            let costs = self.costs(&mut queue).await?;
            let (cost, worst) = (median(&costs), quantile(&costs, 0.99));
            println!("| {depth} | {cost:.0} us ({worst:.0}) | {memory:.0} MB |");
            queue.connection.call(&queue.queue.delete()).await?;
        }
        Ok(())
    }

    /// A new queue with as many messages, or groups of messages.
    async fn filled(&self, server: &Running, depth: usize, round: usize) -> Result<Filled> {
        let mut connection = Connection::new(server.address);
        let suffix = if self.fifo.is_some() { ".fifo" } else { "" };
        let queue = Queue::create(&mut connection, &format!("depth-{round}{suffix}")).await?;
        let mut filled = Filled { connection, queue, groups: depth, sent: 0 };
        while filled.sent < depth * self.fifo.unwrap_or(1) {
            self.send(&mut filled).await?;
        }
        Ok(filled)
    }

    /// The times of receives, in microseconds. What is received is deleted and replaced.
    async fn costs(&self, queue: &mut Filled) -> Result<Vec<f64>> {
        let receive = queue.queue.receive();
        let mut costs = Vec::with_capacity(self.receives);
        for _ in 0..self.receives {
            let began = RunStart::now();
            let received = queue.connection.call(&receive).await?;
            costs.push(began.elapsed().as_secs_f64() * 1e6);
            let (_, delete) = queue.queue.delete_batch(received).ok_or("a receive gave nothing")?;
            queue.connection.call(&delete).await?;
            self.send(queue).await?;
        }
        Ok(costs)
    }

    async fn send(&self, to: &mut Filled) -> Result<()> {
        let batch = match self.fifo {
            Some(_) => to.queue.send_fifo_batch(self.body, to.sent, to.groups),
            None => to.queue.send_batch(self.body),
        };
        to.connection.call(&batch).await?;
        to.sent += BATCH;
        Ok(())
    }
}

/// A queue and the way to it.
struct Filled {
    connection: Connection,
    queue: Queue,
    groups: usize,
    sent: usize,
}
