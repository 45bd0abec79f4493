//! `havoq prove`: show that a suite can fail.

use std::path::PathBuf;

use havoq_base::{RealDuration, Seed};

use super::run::{Job, Run, timeout};
use crate::engine::mutations;
use crate::guard::Target;
use crate::report::Exit;

/// Show that a suite can fail: run each scenario as it is, and then once for each mutation, with
/// something made to go wrong behind its back.
///
/// An expectation is proven when a mutation has made it false. One that held with every mutation is
/// vacuous: it is listed with its line, and the exit is 1. One that could be told with none is not
/// proven. A scenario that does not pass as it is, is not run with mutations.
///
/// Exit codes: 0 every expectation is proven, 1 one is vacuous or a scenario does not pass as it is,
/// 2 bad usage or scenario file, 3 something could not be told, 4 refused, 5 havoq or the stack
/// broke in a run without a mutation, 130 interrupted.
#[derive(clap::Args)]
#[command(after_long_help = listed())]
pub(super) struct Prove {
    /// Scenario files, or folders of them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Where to run: only `sandbox`, which can be made to go wrong.
    #[arg(long, default_value_t = Target::Sandbox)]
    on: Target,
    /// Makes a proof repeatable; printed in every report.
    #[arg(long)]
    seed: Option<Seed>,
    /// Real time for each attempt at a scenario as it is, such as `90s`.
    #[arg(long, default_value = "60s", value_parser = timeout)]
    timeout: RealDuration,
    /// The same for each attempt with a mutation. Some keep messages on the move for days of the
    /// stack's time, and end by this: what is undecided then proves nothing.
    #[arg(long, default_value = "20s", value_parser = timeout)]
    mutation_timeout: RealDuration,
    /// How many runs go side by side.
    #[arg(long, short)]
    jobs: Option<std::num::NonZeroUsize>,
    /// Where the proofs' folders go.
    #[arg(long, default_value = "reports")]
    reports: PathBuf,
    /// No progress, only the report.
    #[arg(long, short)]
    quiet: bool,
}

impl Prove {
    pub(super) fn execute(self) -> Exit {
        let Self { paths, on, seed, timeout, mutation_timeout, jobs, reports, quiet } = self;
        if on != Target::Sandbox {
            eprintln!(
                "error: a proof cannot run on {on}: its mutations change the stack under way\n\
                 hint: leave --on out; an expectation that can fail on the sandbox can fail there too"
            );
            return Exit::Usage;
        }
        let run = Run { paths, on, seed, clock: None, scale: None, timeout, jobs, reports, quiet };
        run.carry_out(Job::Prove { mutation_timeout })
    }
}

fn listed() -> String {
    let lines = mutations().map(|(name, about)| format!("  {name:<18} {about}"));
    format!("Mutations:\n{}", lines.collect::<Vec<_>>().join("\n"))
}
