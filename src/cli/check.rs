//! `havoq check`: validate, run nothing.

use std::path::PathBuf;

use super::load::{complain, load};
use crate::report::Exit;

/// Validate scenario files without running them.
#[derive(clap::Args)]
pub(super) struct Check {
    /// Scenario files, or folders of them.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

impl Check {
    pub(super) fn execute(self) -> Exit {
        match load(&self.paths) {
            Ok(scenarios) => {
                for scenario in &scenarios {
                    for ignored in &scenario.stack.ignored {
                        eprintln!("warning: {}: {ignored}", scenario.file);
                    }
                }
                let (count, s) = (scenarios.len(), if scenarios.len() == 1 { "" } else { "s" });
                println!("{count} scenario{s} valid");
                Exit::Pass
            }
            Err(problems) => {
                complain(&problems);
                Exit::Usage
            }
        }
    }
}
