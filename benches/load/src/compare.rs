//! Several servers side by side: each workload goes round all of them, several times, so that what
//! else the machine does meets all alike; the median of the rounds counts.

use havoq_base::RealDuration;

use crate::Result;
use crate::server::{Running, Server};
use crate::stats::median;
use crate::workload::{Kind, Measured, Workload};

#[derive(clap::Args)]
pub(crate) struct Compare {
    /// `NAME: COMMAND`; the ratios are to the first
    #[arg(long = "server", required = true)]
    servers: Vec<Server>,
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// How long one workload takes on one server in one round, in milliseconds: short, so that
    /// what else the machine does is the same for all servers of a round
    #[arg(long, default_value_t = 700)]
    milliseconds: u64,
    /// The length of a message's body
    #[arg(long, default_value_t = 100)]
    body: usize,
    #[arg(long, value_delimiter = ',', default_values_t = [1, 8])]
    connections: Vec<usize>,
}

const WARM_UP: RealDuration = RealDuration::from_secs(2);

impl Compare {
    pub(crate) async fn run(self) -> Result<()> {
        let mut running = Vec::new();
        for server in &self.servers {
            running.push(server.start().await?);
        }
        let names: Vec<_> = running.iter().map(|server| server.name.as_str()).collect();
        println!("| messages a second; times {}; processor time | {} |", names[0], names.join(" | "));
        println!("|---|{}", "---|".repeat(names.len()));
        for kind in [Kind::Send, Kind::Cycle] {
            for &connections in &self.connections {
                let measured =
                    self.measure(&running, Workload { kind, connections, body: self.body }).await?;
                println!("| {kind}, {connections} connections | {} |", cells(&measured).join(" | "));
            }
        }
        Ok(())
    }

    /// The measurements of each server, one a round.
    async fn measure(&self, servers: &[Running], workload: Workload) -> Result<Vec<Vec<Measured>>> {
        let mut measured = vec![Vec::new(); servers.len()];
        for round in 0..=self.rounds {
            // The first round warms them up: compilers that work at run time need it.
            let time = if round == 0 { WARM_UP } else { RealDuration::from_millis(self.milliseconds) };
            for (server, measured) in servers.iter().zip(&mut measured) {
                let result = workload.run(server, time).await;
                let result = result.map_err(|error| format!("{}: {error}", server.name))?;
                if round > 0 {
                    measured.push(result);
                }
            }
        }
        Ok(measured)
    }
}

/// The ratio is the median of each round's own: a slow moment of the machine slows both sides.
fn cells(measured: &[Vec<Measured>]) -> Vec<String> {
    let Some(reference) = measured.first() else { return Vec::new() };
    let cell = |measured: &Vec<Measured>| {
        let rates: Vec<_> = measured.iter().map(|one| one.rate).collect();
        let ratios: Vec<_> = measured.iter().zip(reference).map(|(one, to)| one.rate / to.rate).collect();
        let processor: Vec<_> = measured.iter().map(|one| one.processor).collect();
        format!("{:.0}; {:.2}x; {:.1} us", median(&rates), median(&ratios), median(&processor))
    };
    measured.iter().map(cell).collect()
}
