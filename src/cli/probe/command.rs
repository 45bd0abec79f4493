//! `havoq probe`: from the command line to the exit code.

use havoq_base::clock::wall_clock;
use tokio::sync::watch;

use super::outcome::Probed;
use super::table::table;
use crate::cli::interrupt::Signals;
use crate::cli::run_id::run_id;
use crate::cli::terminal;
use crate::guard::{Permit, Target, admit};
use crate::report::Exit;
use crate::scenario::nearest;
use crate::stack::probe::{Battery, Cache, Check, Finding, ProbeError, checks, select};

/// Show what a stack has of AWS's behaviour, check by check.
///
/// Each check observes an effect on resources of its own, which are removed at the end. What was
/// found at a URL is kept for a day below the user's cache folder. Exit codes: 0 all are right,
/// 1 something is wrong, 2 bad usage, 3 something is absent or unclear, 4 refused, 5 the stack did
/// not answer or something was left behind, 130 interrupted.
#[derive(clap::Args)]
pub(in crate::cli) struct Probe {
    /// The stack: `sandbox`, or a URL.
    #[arg(long, default_value_t = Target::Sandbox)]
    on: Target,
    /// How to show it.
    #[arg(long, default_value = "table", value_parser = ["table", "json"])]
    format: String,
    /// Only this check, or those whose ids begin with this, such as `sqs-fifo`; can be repeated.
    #[arg(long)]
    only: Vec<String>,
    /// Also the checks that take minutes of real time. On the sandbox they always run.
    #[arg(long)]
    slow: bool,
    /// Look again at what was found before.
    #[arg(long)]
    fresh: bool,
}

impl Probe {
    pub(in crate::cli) fn execute(self) -> Exit {
        let permit = match admit(&self.on) {
            Ok(permit) => permit.for_run(&run_id(wall_clock())),
            Err(refusal) => {
                eprintln!("error: {refusal}");
                return Exit::Refused;
            }
        };
        let (wanted, left_out) = match self.wanted() {
            Ok(wanted) => wanted,
            Err(error) => {
                eprintln!("error: {error}");
                return Exit::Usage;
            }
        };
        let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                eprintln!("error: cannot start: {error}");
                return Exit::Error;
            }
        };
        let probed = runtime.block_on(self.probe(permit, wanted, left_out));
        runtime.shutdown_background();
        match probed {
            Ok((probed, left_behind)) => {
                let exit = self.show(&probed);
                left_behind.iter().for_each(|what| eprintln!("error: {what}"));
                exit
            }
            Err(error) => {
                eprintln!("error: {error}");
                Exit::Error
            }
        }
    }

    /// The checks that are asked for, and how many slow ones are not.
    fn wanted(&self) -> Result<(Vec<&'static Check>, usize), String> {
        let mut wanted: Vec<&'static Check> = Vec::new();
        for id in &self.only {
            let selected = select(id);
            if selected.is_empty() {
                let near = nearest(id, checks().map(|check| check.id));
                let hint = near.map_or_else(
                    || "docs/probe.md lists the checks".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                return Err(format!("there is no check `{id}`\nhint: {hint}"));
            }
            wanted.extend(selected);
        }
        if self.only.is_empty() {
            wanted.extend(checks());
        }
        let is_slow_here = matches!(self.on, Target::Url(_)) && !self.slow;
        // Who names a slow check wants it.
        let is_left_out =
            |check: &Check| is_slow_here && check.is_slow() && !self.only.iter().any(|only| only == check.id);
        let (left_out, mut wanted): (Vec<_>, Vec<_>) =
            wanted.into_iter().partition(|check| is_left_out(check));
        let mut seen = std::collections::BTreeSet::new();
        wanted.retain(|check| seen.insert(check.id));
        Ok((wanted, left_out.len()))
    }

    async fn probe(
        &self,
        permit: Permit,
        wanted: Vec<&'static Check>,
        left_out: usize,
    ) -> Result<(Probed, Option<String>), ProbeError> {
        let (interrupted, interrupt) = watch::channel(false);
        if let Ok(signals) = Signals::listen() {
            tokio::spawn(signals.obey(interrupted));
        }
        let mut cache = match &self.on {
            Target::Url(url) => Some(Cache::open(url).await),
            Target::Sandbox | Target::Aws => None,
        };
        let known = |check: &Check| cache.as_ref().filter(|_| !self.fresh)?.find(check.id).cloned();
        let mut left_behind = None;
        let mut findings: Vec<Finding> = wanted.iter().filter_map(|check| known(check)).collect();
        let is_open = |check: &&&'static Check| findings.iter().all(|finding| finding.check != check.id);
        let open: Vec<&'static Check> = wanted.iter().filter(is_open).copied().collect();
        if !open.is_empty() {
            let progress = progress(open.len());
            let battery = Battery { on: self.on.clone(), permit, checks: open, interrupt: interrupt.clone() };
            let found = battery.run(|check, _| progress.found(check)).await?;
            if let Some(cache) = &mut cache {
                cache.keep(&found.findings);
            }
            findings.extend(found.findings);
            left_behind = found.left_behind;
        }
        let mut take = |check: &'static Check| {
            let at = findings.iter().position(|finding| finding.check == check.id)?;
            Some((check, findings.swap_remove(at)))
        };
        let found = wanted.into_iter().filter_map(&mut take).collect();
        let mut probed = Probed::new(self.on.to_string(), found, left_out, *interrupt.borrow());
        if left_behind.is_some() && probed.exit != Exit::Interrupted {
            probed.exit = Exit::Error;
        }
        Ok((probed, left_behind))
    }

    fn show(&self, probed: &Probed) -> Exit {
        let text = match self.format.as_str() {
            "json" => match serde_json::to_string_pretty(probed) {
                Ok(json) => json + "\n",
                Err(error) => {
                    eprintln!("error: {error}");
                    return Exit::Error;
                }
            },
            _ => table(probed, terminal::style()),
        };
        terminal::print(text.as_bytes());
        probed.exit
    }
}

/// One live line on a terminal, nothing elsewhere.
struct Progress(Option<indicatif::ProgressBar>);

fn progress(checks: usize) -> Progress {
    let bar = terminal::stderr_is_live().then(|| indicatif::ProgressBar::new(checks as u64));
    if let (Some(bar), Ok(style)) =
        (&bar, indicatif::ProgressStyle::with_template("{spinner} {pos}/{len} {wide_msg}"))
    {
        bar.set_style(style);
    }
    Progress(bar)
}

impl Progress {
    fn found(&self, check: &Check) {
        if let Some(bar) = &self.0 {
            bar.set_message(check.id);
            bar.inc(1);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
