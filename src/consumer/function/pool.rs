//! Which environment runs an invocation: a warm one of the same function, or a new one.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use havoq_lambda::{FunctionSpec, Functions, Invocation, Returned, Running};

use super::environment::{Environment, Initialised, Ran};
use super::ground::Ground;

const FAILED_START: &str = "its start failed";
const STOPPED: &str = "its consumer was stopped";

/// The environments of some functions. Clones share them.
pub(crate) struct Pool<G>(Arc<Shared<G>>);

struct Shared<G> {
    ground: Arc<G>,
    /// Those that run nothing; the last used is the next.
    warm: Mutex<Vec<Arc<Environment>>>,
    started: AtomicU32,
    closed: AtomicBool,
}

impl<G> Clone for Pool<G> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<G: Ground> Pool<G> {
    pub fn new(ground: Arc<G>) -> Self {
        Self(Arc::new(Shared {
            ground,
            warm: Mutex::default(),
            started: AtomicU32::new(0),
            closed: AtomicBool::new(false),
        }))
    }

    /// An environment for one invocation: a warm one, or a new one that is through with its start.
    /// Where the start fails, the invocation tries once more (semantics 5.5).
    pub async fn reserve(&self, function: &Arc<FunctionSpec>) -> Reserved<G> {
        let mut reserved = Reserved { pool: self.clone(), function: Arc::clone(function), own: None };
        reserved.own = self.warm_one(function);
        if reserved.own.is_none() {
            let _held = self.0.ground.hold_clock();
            if reserved.start_another().await.is_ok()
                && !matches!(reserved.environment_initialised().await, Some(Initialised::Ready))
            {
                reserved.give_up(FAILED_START);
            }
        }
        reserved
    }

    fn warm_one(&self, function: &Arc<FunctionSpec>) -> Option<Arc<Environment>> {
        let mut warm = self.0.warm();
        warm.retain(|environment| environment.is_alive());
        let found = warm.iter().rposition(|environment| environment.function == *function);
        if found.is_none() {
            // What an older version of its code or settings runs is not used any more.
            let (old, kept) =
                warm.drain(..).partition(|environment| is_older(&environment.function, function));
            *warm = kept;
            let old: Vec<Arc<Environment>> = old;
            old.iter().for_each(|environment| environment.kill("the function has changed"));
        }
        found.map(|index| warm.remove(index))
    }

    /// Ends all that run nothing; what is given back later ends as well.
    pub fn close(&self, why: &str) {
        self.0.closed.store(true, Ordering::Release);
        self.0.warm().drain(..).for_each(|environment| environment.kill(why));
    }
}

fn is_older(of: &FunctionSpec, than: &FunctionSpec) -> bool {
    of.arn == than.arn && of.version == than.version && of != than
}

impl<G> Shared<G> {
    fn still_open(&self) -> Result<(), Returned> {
        match self.closed.load(Ordering::Acquire) {
            true => Err(Returned::NotRun(STOPPED.to_owned())),
            false => Ok(()),
        }
    }

    fn warm(&self) -> MutexGuard<'_, Vec<Arc<Environment>>> {
        self.warm.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<G: Ground> Functions for Pool<G> {
    fn invoke(&self, invocation: Invocation) -> Running {
        let pool = self.clone();
        Box::pin(async move { pool.reserve(&invocation.function).await.run(invocation).await })
    }
}

/// An environment that nobody else uses. Dropped before its work is done, it ends.
pub(crate) struct Reserved<G: Ground> {
    pool: Pool<G>,
    function: Arc<FunctionSpec>,
    /// None where its start has failed once.
    own: Option<Arc<Environment>>,
}

impl<G: Ground> Reserved<G> {
    /// Runs the invocation for as long as it takes.
    pub async fn run(mut self, invocation: Invocation) -> Returned {
        let deadline_ms = self.pool.0.ground.functions_time(invocation.deadline).as_millis();
        loop {
            if self.own.is_none()
                && let Err(failed) = self.start_within().await
            {
                return failed;
            }
            let Some(environment) = self.own.clone() else { continue };
            match environment.run(invocation.clone(), deadline_ms).await {
                Ran::Returned(returned) => {
                    self.give_back();
                    return returned;
                }
                Ran::NotTaken => self.give_up("it had ended"),
            }
        }
    }

    /// Which environment it is.
    pub fn number(&self) -> Option<u32> {
        self.own.as_ref().map(|environment| environment.number)
    }

    /// A start within an invocation, whose time it takes.
    async fn start_within(&mut self) -> Result<(), Returned> {
        let held = self.pool.0.ground.hold_clock();
        self.start_another().await?;
        let mut initialised = self.environment_initialised().await;
        drop(held);
        if let (Some(Initialised::Overdue), Some(environment)) = (&initialised, &self.own) {
            initialised = Some(environment.initialised_at_last().await);
        }
        match initialised {
            Some(Initialised::Failed(failed)) => {
                self.give_up(FAILED_START);
                Err(failed)
            }
            _ => Ok(()),
        }
    }

    async fn start_another(&mut self) -> Result<(), Returned> {
        let shared = Arc::clone(&self.pool.0);
        shared.still_open()?;
        let number = shared.started.fetch_add(1, Ordering::Relaxed) + 1;
        let started = Environment::start(&shared.ground, Arc::clone(&self.function), number).await;
        let environment = started.map_err(|error| Returned::NotRun(error.to_string()))?;
        self.own = Some(Arc::new(environment));
        // Whoever closed it meanwhile may not have seen this one.
        shared.still_open().inspect_err(|_| self.give_up(STOPPED))
    }

    async fn environment_initialised(&self) -> Option<Initialised> {
        Some(self.own.as_ref()?.initialised().await)
    }

    fn give_back(&mut self) {
        let Some(environment) = self.own.take() else { return };
        let shared = &self.pool.0;
        let mut warm = shared.warm();
        if shared.closed.load(Ordering::Acquire) {
            environment.kill("nobody needs it any more");
        } else {
            warm.push(environment);
        }
    }

    fn give_up(&mut self, why: &str) {
        if let Some(environment) = self.own.take() {
            environment.kill(why);
        }
    }
}

impl<G: Ground> Drop for Reserved<G> {
    fn drop(&mut self) {
        self.give_up("its invocation was cut off");
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::OnceLock;

    use havoq_base::{StackDuration, StackTime};
    use havoq_lambda::{Code, Exit, LATEST};
    use tokio::sync::watch;

    use super::*;
    use crate::consumer::function::{Child, NewEnvironment};

    /// Its processes have ended as soon as they are started.
    #[derive(Default)]
    struct Barren {
        starts: AtomicU32,
        kills: Arc<AtomicU32>,
        /// Is closed while a process starts.
        closing: OnceLock<Pool<Barren>>,
    }

    impl Ground for Barren {
        async fn start(self: Arc<Self>, _: NewEnvironment) -> std::io::Result<Child> {
            self.starts.fetch_add(1, Ordering::Relaxed);
            if let Some(pool) = self.closing.get() {
                pool.close("swap");
            }
            let kills = Arc::clone(&self.kills);
            let kill = move |_: &str| {
                kills.fetch_add(1, Ordering::Relaxed);
            };
            Ok(Child { ended: watch::Sender::new(Some(Exit::Status(1))).subscribe(), kill: Box::new(kill) })
        }

        fn hold_clock(&self) -> Box<dyn Send + Sync> {
            Box::new(())
        }

        fn functions_time(&self, at: StackTime) -> StackTime {
            at
        }

        fn asked(&self, _: SocketAddr, _: SocketAddr) {}
    }

    fn invocation() -> Invocation {
        let function = FunctionSpec {
            name: "f".into(),
            arn: "arn:aws:lambda:us-east-1:000000000000:function:f".into(),
            version: LATEST.into(),
            handler: None,
            runtime: None,
            timeout: StackDuration::from_secs(3),
            memory_mb: 128,
            environment: Default::default(),
            code: Code::Command { command: vec!["true".into()], folder: None },
        };
        Invocation {
            request_id: "r-1".into(),
            invoked_arn: function.arn.clone(),
            function: Arc::new(function),
            payload: Default::default(),
            deadline: StackTime::from_secs(1),
            trace_id: None,
            client_context: None,
        }
    }

    #[tokio::test]
    async fn a_closed_pool_starts_nothing() {
        let ground = Arc::new(Barren::default());
        let pool = Pool::new(Arc::clone(&ground));
        pool.close("swap");
        assert_eq!(pool.invoke(invocation()).await, Returned::NotRun(STOPPED.into()));
        assert_eq!(ground.starts.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn what_was_starting_when_the_pool_was_closed_runs_nothing() {
        let ground = Arc::new(Barren::default());
        let pool = Pool::new(Arc::clone(&ground));
        assert!(ground.closing.set(pool.clone()).is_ok());
        assert_eq!(pool.invoke(invocation()).await, Returned::NotRun(STOPPED.into()));
        assert_eq!(ground.starts.load(Ordering::Relaxed), 1);
        assert_eq!(ground.kills.load(Ordering::Relaxed), 1);
    }
}
