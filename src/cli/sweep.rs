//! `havoq sweep`: a scenario with a kill at each boundary in turn.

use std::path::PathBuf;

use havoq_base::{RealDuration, Seed};

use super::run::{Job, Run, timeout};
use crate::guard::Target;
use crate::report::Exit;
use crate::scenario;

/// Run a scenario once without a kill, and then once for each boundary that its consumers crossed,
/// with a kill there.
///
/// A boundary is a crossing of a call about a message: after-receive, before-effect, after-effect,
/// before-delete, after-delete, and both sides of any other call that is made with a message in
/// hand. The scenario's own kills are left out. The report ends in a grid of
/// boundaries by claims, worst first. Unless the run without a kill passes, nothing more is run.
///
/// Exit codes: 0 all passed at every boundary, 1 a claim was false, 2 bad usage or scenario file,
/// 3 inconclusive, or no boundary was found, 4 refused, 5 havoq or the stack broke, 130 interrupted.
#[derive(clap::Args)]
pub(super) struct Sweep {
    /// The scenario file.
    scenario: PathBuf,
    /// Where to run: only `sandbox`, whose clock need not be waited for.
    #[arg(long, default_value_t = Target::Sandbox)]
    on: Target,
    /// Makes a sweep repeatable; printed in every report.
    #[arg(long)]
    seed: Option<Seed>,
    /// `virtual` jumps over spans in which nothing can happen; `real` waits [default: virtual].
    #[arg(long, value_parser = ["virtual", "real"])]
    clock: Option<String>,
    /// Real time for each attempt at a run, such as `90s`; what is undecided then is inconclusive.
    #[arg(long, default_value = "60s", value_parser = timeout)]
    timeout: RealDuration,
    /// How many runs go side by side.
    #[arg(long, short)]
    jobs: Option<std::num::NonZeroUsize>,
    /// Where the sweeps' folders go.
    #[arg(long, default_value = "reports")]
    reports: PathBuf,
    /// No progress, only the report.
    #[arg(long, short)]
    quiet: bool,
}

impl Sweep {
    pub(super) fn execute(self) -> Exit {
        if let Some(refusal) = self.refusal() {
            eprintln!("error: {refusal}");
            return Exit::Usage;
        }
        let Self { scenario, on, seed, clock, timeout, jobs, reports, quiet } = self;
        let paths = vec![scenario];
        Run { paths, on, seed, clock, scale: None, timeout, jobs, reports, quiet }.carry_out(Job::Sweep)
    }

    fn refusal(&self) -> Option<String> {
        if self.on != Target::Sandbox {
            return Some(format!(
                "a sweep cannot run on {} yet: each of its kills would wait out a visibility timeout on that clock\n\
                 hint: leave --on out, and try single kills there with `havoq run`",
                self.on
            ));
        }
        match scenario::find(std::slice::from_ref(&self.scenario)) {
            Ok(files) if files.len() > 1 => Some(format!(
                "a sweep takes one scenario, and {} holds {}\nhint: name one of them",
                self.scenario.display(),
                files.len()
            )),
            // What is wrong with the file is told where it is loaded.
            _ => None,
        }
    }
}
