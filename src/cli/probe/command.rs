//! `havoq probe`: from the command line to the exit code.

use std::collections::{BTreeMap, BTreeSet};

use havoq_base::clock::wall_clock;
use tokio::runtime::Builder;
use tokio::sync::watch;

use super::outcome::Probed;
use super::table::table;
use crate::cli::interrupt::Signals;
use crate::cli::run_id::run_id;
use crate::cli::startup::{block_on, told};
use crate::cli::terminal;
use crate::guard::{Permit, Target, admit};
use crate::report::Exit;
use crate::scenario::nearest;
use crate::stack::probe::{Battery, Cache, Check, Finding, checks, select};

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
        self.show_stack().unwrap_or_else(|exit| exit)
    }

    fn show_stack(&self) -> Result<Exit, Exit> {
        let permit = admit(&self.on).map_err(told(Exit::Refused))?.for_run(&run_id(wall_clock()));
        let (wanted, left_out) = self.wanted().map_err(told(Exit::Usage))?;
        let probe = self.probe(permit, wanted, left_out);
        let (probed, left_behind) = block_on(&mut Builder::new_multi_thread(), probe)?;
        let exit = self.show(&probed);
        left_behind.iter().for_each(|what| eprintln!("error: {what}"));
        Ok(exit)
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
        let mut seen = BTreeSet::new();
        wanted.retain(|check| seen.insert(check.id));
        Ok((wanted, left_out.len()))
    }

    async fn probe(
        &self,
        permit: Permit,
        wanted: Vec<&'static Check>,
        left_out: usize,
    ) -> Result<(Probed, Option<String>), Exit> {
        let (interrupted, interrupt) = watch::channel(false);
        tokio::spawn(Signals::listening()?.obey(interrupted));
        let mut cache = match &self.on {
            Target::Url(url) => Some(Cache::open(url).await),
            Target::Sandbox | Target::Aws => None,
        };
        let known = |check: &Check| cache.as_ref().filter(|_| !self.fresh)?.find(check.id).cloned();
        let mut left_behind = None;
        let mut findings: BTreeMap<String, Finding> =
            wanted.iter().filter_map(|check| Some((check.id.to_owned(), known(check)?))).collect();
        let is_open = |check: &&'static Check| !findings.contains_key(check.id);
        let open: Vec<&'static Check> = wanted.iter().copied().filter(is_open).collect();
        if !open.is_empty() {
            let progress = progress(open.len());
            let battery = Battery { on: self.on.clone(), permit, checks: open, interrupt: interrupt.clone() };
            let found = battery.run(|check, _| progress.found(check)).await.map_err(told(Exit::Error))?;
            if let Some(cache) = &mut cache {
                cache.keep(&found.findings);
            }
            findings.extend(found.findings.into_iter().map(|finding| (finding.check.clone(), finding)));
            left_behind = found.left_behind;
        }
        let found =
            wanted.into_iter().filter_map(|check| Some((check, findings.remove(check.id)?))).collect();
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
