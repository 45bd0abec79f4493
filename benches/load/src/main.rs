//! The load generator of the benchmarks: it starts servers, loads them in turns, and prints tables
//! of their ratios. `benches/run` calls it. It knows the wire and nothing of the sandbox, so that
//! all servers are met in the same way.

mod calls;
mod compare;
mod connection;
mod depth;
mod response;
mod server;
mod start;
mod stats;
mod workload;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

type Error = Box<dyn std::error::Error + Send + Sync>;
type Result<T> = std::result::Result<T, Error>;

#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Messages a second of several servers, measured in turns
    Compare(compare::Compare),
    /// The time to a first answer, and the memory of an idle server
    Start(start::Start),
    /// The cost of a receive and the memory, as a queue grows
    Depth(depth::Depth),
}

/// One thread, so that a server has the rest of the machine.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let work = async {
        match Args::parse().what {
            What::Compare(compare) => compare.run().await,
            What::Start(start) => start.run().await,
            What::Depth(depth) => depth.run().await,
        }
    };
    // An interrupt drops the servers, which ends them.
    let done = tokio::select! {
        done = work => done,
        _ = tokio::signal::ctrl_c() => Err("interrupted".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
