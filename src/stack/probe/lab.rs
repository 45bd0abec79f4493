//! Where one check runs: the clients, names of its own, and a way to let time pass.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use havoq_base::clock::{sleep, wall_clock};
use havoq_base::{Clock, Pace, RealDuration, RunStart, Seed, StackDuration};
use havoq_sandbox::{Places, Sandbox, Settings, serve};
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio::task::JoinSet;

use super::finding::{Not, Shown};
use super::made::Made;
use super::schedule::role_beside;
use super::script::Played;
use crate::aws::{ACCOUNT, Clients, REGION};
use crate::guard::Permit;

/// How long functions are waited for that have begun before a sandbox's clock is moved on. They end at
/// once, or never.
const ENDING: usize = 50;

/// How far a stack may be behind its own timeouts: emulators sweep about once a second.
const LAG: RealDuration = RealDuration::from_millis(1_200);
/// SQS's limit for names.
const LONGEST: usize = 80;

/// A check's laboratory; clones share it.
#[derive(Clone)]
pub(super) struct Lab(pub(super) Arc<Inside>);

pub(super) struct Inside {
    pub(super) check: &'static str,
    pub(super) url: String,
    pub(super) clients: Clients,
    pub(super) permit: Permit,
    pub(super) made: Made,
    time: Time,
    prefix: String,
    named: AtomicU32,
    role: OnceCell<String>,
}

/// How time passes.
enum Time {
    /// It is waited for.
    Real,
    /// On a sandbox of the check's own it is moved on.
    Own { sandbox: Sandbox, _tasks: JoinSet<()> },
}

impl Lab {
    /// On somebody's stack.
    pub(super) fn at(url: &str, clients: Clients, check: &'static str, permit: &Permit) -> Self {
        Self::new(url.to_owned(), clients, check, permit, Time::Real)
    }

    /// On a sandbox that is made for this check alone, so that it can move the clock as it likes.
    pub(super) async fn own(check: &'static str, permit: &Permit) -> std::io::Result<Self> {
        let settings = Settings {
            clock: Clock::new(Pace::Real, wall_clock(), RunStart::now()),
            seed: Seed(0).fork(check),
            account: ACCOUNT.to_owned(),
            region: REGION.to_owned(),
            places: Places::One,
        };
        let sandbox = Sandbox::new(settings, Box::new(|_, _| {}));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let mut tasks = JoinSet::new();
        tasks.spawn(serve(listener, Arc::new(sandbox.clone())));
        tasks.spawn(sandbox.clone().run());
        sandbox.set_functions(Arc::new(Played));
        let clients = Clients::once(&url);
        Ok(Self::new(url, clients, check, permit, Time::Own { sandbox, _tasks: tasks }))
    }

    fn new(url: String, clients: Clients, check: &'static str, permit: &Permit, time: Time) -> Self {
        let prefix = permit.prefix().unwrap_or("havoq-probe-").to_owned();
        Self(Arc::new(Inside {
            check,
            url,
            clients,
            permit: permit.clone(),
            made: Made::default(),
            time,
            prefix,
            named: AtomicU32::new(0),
            role: OnceCell::new(),
        }))
    }

    pub(super) fn sqs(&self) -> &aws_sdk_sqs::Client {
        &self.0.clients.sqs
    }

    pub(super) fn sns(&self) -> &aws_sdk_sns::Client {
        &self.0.clients.sns
    }

    pub(super) fn cloudwatch(&self) -> &aws_sdk_cloudwatch::Client {
        &self.0.clients.cloudwatch
    }

    pub(super) fn events(&self) -> aws_sdk_eventbridge::Client {
        self.0.clients.events()
    }

    pub(super) fn lambda(&self) -> aws_sdk_lambda::Client {
        self.0.clients.lambda()
    }

    pub(super) fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        self.0.clients.dynamodb()
    }

    pub(super) fn scheduler(&self) -> aws_sdk_scheduler::Client {
        self.0.clients.scheduler()
    }

    pub(super) fn pipes(&self) -> aws_sdk_pipes::Client {
        self.0.clients.pipes()
    }

    /// A name that nothing else has, for something that is about to be made.
    pub(super) fn name(&self, suffix: &str) -> Shown<String> {
        let number = self.0.named.fetch_add(1, Ordering::Relaxed);
        let end = format!("-{number}{suffix}");
        let mut name = format!("{}{}", self.0.prefix, self.0.check);
        name.truncate(LONGEST - end.len());
        name.push_str(&end);
        self.0.permit.covers(&name).map_err(|refusal| Not::Unclear(refusal.to_string()))?;
        Ok(name)
    }

    /// The same, with no more than the 48 characters that the strictest service allows.
    pub(super) fn short_name(&self) -> Shown<String> {
        let number = self.0.named.fetch_add(1, Ordering::Relaxed);
        let check = Seed(0).fork(self.0.check).0 as u32;
        let name = format!("{}{check:08x}-{number}", self.0.prefix);
        self.0.permit.covers(&name).map_err(|refusal| Not::Unclear(refusal.to_string()))?;
        Ok(name)
    }

    /// A role of the stack's own account, which the ARN of a queue tells.
    pub(super) async fn role(&self) -> Shown<String> {
        let made = || async { Ok(role_beside(&self.queue(&[]).await?.arn)) };
        self.0.role.get_or_try_init(made).await.cloned()
    }

    /// Lets time pass on the stack, and a little more where it is behind its clock.
    pub(super) async fn pass(&self, seconds: u64) {
        match &self.0.time {
            Time::Real => sleep(RealDuration::from_secs(seconds) + LAG).await,
            Time::Own { sandbox, .. } => {
                // No step passes the timeout of a function that begins in it.
                for _ in 0..seconds {
                    let_functions_end(sandbox).await;
                    sandbox.advance_clock(StackDuration::from_secs(1)).await;
                }
            }
        }
    }

    /// Looks every few seconds until `look` finds something or the time is over.
    pub(super) async fn until<T, Looking: Future<Output = Shown<Option<T>>>>(
        &self,
        within_seconds: u64,
        look: impl Fn() -> Looking,
    ) -> Shown<Option<T>> {
        const EVERY: u64 = 5;
        for _ in 0..=within_seconds / EVERY {
            if let Some(found) = look().await? {
                return Ok(Some(found));
            }
            self.pass(EVERY).await;
        }
        look().await
    }

    /// The stack's time, as far as it is known.
    pub(super) fn now_seconds(&self) -> i64 {
        let now = match &self.0.time {
            Time::Real => wall_clock(),
            Time::Own { sandbox, .. } => sandbox.now(),
        };
        now.as_secs() as i64
    }
}

/// A clock that is moved on may pass the timeout of a function that was about to end.
async fn let_functions_end(sandbox: &Sandbox) {
    for _ in 0..ENDING {
        if sandbox.freeze().invocations_under_way() == 0 {
            return;
        }
        sleep(RealDuration::from_millis(5)).await;
    }
}
