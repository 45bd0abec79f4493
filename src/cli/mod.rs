//! The command line: one file a subcommand. Only here is anything printed or the process ended.

/// As the standard ones, but a reader that has gone away is no reason to panic: neither the exit
/// code nor the reports may depend on it.
macro_rules! println {
    ($($text:tt)*) => { $crate::cli::terminal::say(std::io::stdout(), format_args!($($text)*)) };
}
macro_rules! eprintln {
    ($($text:tt)*) => { $crate::cli::terminal::say(std::io::stderr(), format_args!($($text)*)) };
}

mod check;
mod interrupt;
mod load;
mod probe;
mod progress;
mod report;
mod run;
mod run_id;
mod sandbox;
mod schema;
mod serving;
mod startup;
mod sweep;
mod tap;
mod terminal;
mod worker;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::report::Exit;

/// Chaos and failure-path tests for systems built on AWS messaging.
///
/// Exit codes: 0 all passed, 1 a claim was false, 2 bad usage or scenario file, 3 inconclusive,
/// 4 refused, 5 havoq or the stack broke, 130 interrupted.
#[derive(Parser)]
#[command(name = "havoq", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Sweep(sweep::Sweep),
    Probe(probe::Probe),
    Sandbox(sandbox::Sandbox),
    Tap(tap::Tap),
    Check(check::Check),
    Report(report::Rejudge),
    Schema(schema::Schema),
    Worker(worker::Worker),
}

/// Parses the command line and carries it out.
pub fn main() -> ExitCode {
    // Before anything else: every start of a consumer waits for this.
    if std::env::args_os().nth(1).is_some_and(|command| command == "supervise") {
        return supervise();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors, and a closed pipe is nobody's fault.
            error.print().ok();
            return if error.use_stderr() { Exit::Usage } else { Exit::Pass }.into();
        }
    };
    let exit = match cli.command {
        Command::Run(run) => run.execute(),
        Command::Sweep(sweep) => sweep.execute(),
        Command::Probe(probe) => probe.execute(),
        Command::Sandbox(sandbox) => sandbox.execute(),
        Command::Tap(tap) => tap.execute(),
        Command::Check(check) => check.execute(),
        Command::Report(report) => report.execute(),
        Command::Schema(schema) => schema.execute(),
        Command::Worker(worker) => worker.execute(),
    };
    exit.into()
}

/// `havoq supervise`, which is for havoq alone. Whoever reads its words is told there what failed.
fn supervise() -> ExitCode {
    match crate::consumer::supervise() {
        Ok(()) => Exit::Pass.into(),
        Err(error) => {
            eprintln!("error: {error}");
            Exit::Error.into()
        }
    }
}
