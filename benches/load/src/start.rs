//! How soon a server answers after its start, and how much memory it holds when idle.

use havoq_base::RealDuration;
use havoq_base::clock::sleep;

use crate::Result;
use crate::server::Server;
use crate::stats::{median, quantile};

#[derive(clap::Args)]
pub(crate) struct Start {
    /// `NAME: COMMAND`
    #[arg(long = "server", required = true)]
    servers: Vec<Server>,
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

/// After this a server that has answered once is idle.
const SETTLING: RealDuration = RealDuration::from_secs(1);

impl Start {
    pub(crate) async fn run(self) -> Result<()> {
        println!("| | first answer, median (worst) | idle memory |");
        println!("|---|---|---|");
        for server in &self.servers {
            let (mut answers, mut memory) = (Vec::new(), Vec::new());
            for _ in 0..self.rounds {
                let running = server.start().await?;
                answers.push(running.first_answer.as_secs_f64() * 1e3);
                sleep(SETTLING).await;
                memory.push(running.memory()? as f64 / 1e6);
            }
            let (answer, worst, memory) = (median(&answers), quantile(&answers, 1.0), median(&memory));
            println!("| {} | {answer:.1} ms ({worst:.1}) | {memory:.1} MB |", server.name);
        }
        Ok(())
    }
}
