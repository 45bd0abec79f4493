//! `havoq tap`: from the command line to the last signal.

use std::path::PathBuf;
use std::sync::Arc;

use havoq_base::clock::wall_clock;
use havoq_base::{Clock, Pace, RunStart, Seed};
use havoq_fault::FaultSpec;
use havoq_wire::Upstream;
use tokio::runtime::Builder;

use super::behind::{Behind, url};
use super::control::Control;
use crate::aws::{Signed, SignedSettings};
use crate::cli::interrupt::Signals;
use crate::cli::load::complain;
use crate::cli::serving::{Loopback, account};
use crate::cli::startup::{block_on, told};
use crate::history::{HistoryFile, Recorder};
use crate::report::Exit;
use crate::scenario::parse_faults;
use crate::stack::forward_to;
use crate::tap::{self, Front};

/// Stand between any clients and a stack, or AWS, and record what passes.
///
/// Clients are given its URL as AWS_ENDPOINT_URL. For `--upstream aws` each call is signed anew with
/// the credentials that the AWS CLI would use, whatever the client has, but only if they are of the
/// account that --account names (else exit 4). Whoever can run programs on this machine can use
/// them by way of the tap while it runs. Ctrl-C ends it (exit 0); a port that is taken is exit 5.
#[derive(clap::Args)]
pub(in crate::cli) struct Tap {
    /// What is behind it: a URL, or `aws`.
    #[arg(long, value_name = "URL|aws")]
    upstream: Behind,
    /// Where to listen, on loopback; port 0 takes a free one, which is printed.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: Loopback,
    /// The one account that may be used, of 12 digits; `--upstream aws` needs it.
    #[arg(long, value_parser = account)]
    account: Option<String>,
    /// The profile whose credentials are used for AWS, rather than those of the environment.
    #[arg(long)]
    profile: Option<String>,
    /// Where signed calls go, rather than to AWS's own hosts: a VPC endpoint, or a stack that
    /// checks signatures.
    #[arg(long, value_parser = url)]
    endpoint: Option<String>,
    /// A file of faults that are armed from the start: those of a scenario's `fault` steps, as a list,
    /// or rules in the form of LocalStack's chaos API.
    #[arg(long)]
    faults: Option<PathBuf>,
    /// The file that the history is written to, one event a line; not kept when absent.
    #[arg(long)]
    history: Option<PathBuf>,
    /// Makes the faults' probabilities repeatable.
    #[arg(long)]
    seed: Option<Seed>,
}

impl Tap {
    pub(in crate::cli) fn execute(self) -> Exit {
        block_on(&mut Builder::new_multi_thread(), self.serve()).unwrap_or_else(|exit| exit)
    }

    async fn serve(self) -> Result<Exit, Exit> {
        self.fits().map_err(told(Exit::Usage))?;
        let armed = self.faults_from_file()?;
        let signals = Signals::listening()?;
        let (listener, address) = self.listen.bind().await?;
        if let Behind::Url(url) = &self.upstream
            && url
                .parse::<http::Uri>()
                .is_ok_and(|url| url.authority().is_some_and(|at| at.as_str() == address.to_string()))
        {
            return Err(told(Exit::Usage)(format!(
                "--upstream {url} is the tap itself\nhint: name what is to be behind it"
            )));
        }
        let upstream = self.upstream().await?;
        let nowhere = || PathBuf::from("/dev/null");
        let history = HistoryFile::create(self.history.clone().unwrap_or_else(nowhere));
        let history = Arc::new(history.map_err(told(Exit::Error))?);
        let clock = Clock::new(Pace::Real, wall_clock(), RunStart::now());
        let recorder = Recorder::streaming("tap", clock, Arc::clone(&history));
        let seed = self.seed.unwrap_or_else(Seed::fresh);
        let control = |faults| {
            let control = Control::new(self.upstream.to_string(), seed, faults);
            for fault in armed {
                control.arm(fault);
            }
            Arc::new(control) as Arc<dyn Front>
        };
        let tap = tap::alone(listener, recorder, upstream, seed, control);
        let tap = tap.map_err(|error| format!("cannot serve: {error}")).map_err(told(Exit::Error))?;
        println!("listening on http://{address}");
        let exit = tokio::select! {
            error = history.failed() => Err(told(Exit::Error)(error)),
            () = signals.first() => Ok(Exit::Pass),
        };
        tap.gate().close();
        exit
    }

    /// Whether the options go together.
    fn fits(&self) -> Result<(), String> {
        let for_aws = [
            ("--account", self.account.is_some()),
            ("--profile", self.profile.is_some()),
            ("--endpoint", self.endpoint.is_some()),
        ];
        match self.upstream {
            Behind::Aws if self.account.is_none() => {
                Err("--upstream aws needs --account: calls are signed with real \
                 credentials, and reach no account but the one that is named\n\
                 hint: `aws sts get-caller-identity` says which account that would be"
                    .to_owned())
            }
            Behind::Aws => Ok(()),
            Behind::Url(_) => match for_aws.iter().find(|(_, given)| *given) {
                Some((option, _)) => {
                    Err(format!("{option} is for `--upstream aws` alone: nothing is signed for a URL"))
                }
                None => Ok(()),
            },
        }
    }

    fn faults_from_file(&self) -> Result<Vec<FaultSpec>, Exit> {
        let Some(file) = &self.faults else { return Ok(Vec::new()) };
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"));
        let text = text.map_err(told(Exit::Usage))?;
        parse_faults(&name, &text).map_err(|problems| {
            complain(&problems);
            Exit::Usage
        })
    }

    async fn upstream(&self) -> Result<Arc<dyn Upstream>, Exit> {
        match &self.upstream {
            Behind::Url(url) => Ok(forward_to(url)),
            Behind::Aws => {
                let settings = SignedSettings {
                    account: self.account.clone().unwrap_or_default(),
                    profile: self.profile.clone(),
                    endpoint: self.endpoint.clone(),
                };
                Ok(Arc::new(Signed::open(settings).await.map_err(told(Exit::Refused))?))
            }
        }
    }
}
