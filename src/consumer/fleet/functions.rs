//! Consumers that are Lambda functions: havoq polls for them and runs their environments.

use std::io;
use std::sync::{Arc, Mutex};

use havoq_base::{RealDuration, Seed, clock};
use havoq_lambda::{Code, FunctionSpec, Functions, Invocation, LATEST, Returned};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

use super::environments::Environments;
use super::{Fleet, lock};
use crate::consumer::function::{Poller, Pool, Sight};
use crate::consumer::process::Running;
use crate::consumer::spec::{Function, Program, Spec};
use crate::history::{Instance, Kind};
use crate::tap::{Activity, Overrun, Part, Tap};

/// How long the last calls of a stopped poller may take.
const DRAIN: RealDuration = RealDuration::from_secs(2);

/// One instance of a function at work.
pub(super) struct Serving {
    by: Instance,
    /// The poller's.
    tap: Tap,
    grounds: Arc<Environments>,
    pool: Pool<Environments>,
    function: Arc<FunctionSpec>,
    activity: Arc<Activity>,
    stop: watch::Sender<bool>,
    poller: JoinHandle<()>,
    /// Turns true when the poller has seen out what was under way.
    done: watch::Receiver<bool>,
}

impl Serving {
    pub fn environments(&self) -> Vec<Arc<Running>> {
        lock(&self.grounds.running).values().cloned().collect()
    }

    pub fn environment(&self, number: u32) -> Option<Arc<Running>> {
        lock(&self.grounds.running).get(&number).cloned()
    }

    /// Waits until the poller has seen out what is under way, at most this long.
    async fn polled_out(&self, grace: RealDuration) {
        let mut done = self.done.clone();
        tokio::select! {
            _ = done.wait_for(|done| *done) => {}
            () = clock::sleep(grace) => {}
        }
    }
}

/// An invocation that the stack asked for, while it is under way.
struct Work {
    serving: Arc<Serving>,
    request_id: String,
}

impl Work {
    fn begin(serving: Arc<Serving>, request_id: &str) -> Self {
        serving.activity.work_began(&serving.by, request_id);
        Self { serving, request_id: request_id.to_owned() }
    }

    fn came_back(&self) -> Option<Overrun> {
        self.serving.activity.work_came_back(&self.serving.by, &self.request_id)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.serving.activity.work_ended(&self.serving.by, &self.request_id);
    }
}

/// What the stack invokes is run by the consumer that is this function.
impl Functions for Fleet {
    fn invoke(&self, invocation: Invocation) -> havoq_lambda::Running {
        let name = invocation.function.name.clone();
        let Some(serving) = self.serving_of(&name) else {
            let why = format!("no consumer of the scenario runs the function {name}");
            return Box::pin(std::future::ready(Returned::NotRun(why)));
        };
        let work = Work::begin(serving, &invocation.request_id);
        let fleet = self.clone();
        Box::pin(async move {
            // The stack says what is invoked, and the scenario what that runs.
            let function = Arc::clone(&work.serving.function);
            let reserved = work.serving.pool.reserve(&function).await;
            let returned = reserved.run(Invocation { function, ..invocation }).await;
            if let Some(overrun) = work.came_back().filter(|_| returned.is_answer()) {
                fleet.record(overrun.told(&work.serving.by));
            }
            returned
        })
    }
}

impl Fleet {
    /// Who runs the function of this name.
    fn serving_of(&self, name: &str) -> Option<Arc<Serving>> {
        let all = self.slots().into_iter();
        let mut serving = all.filter_map(|(consumer, instance)| self.serving(&consumer, instance));
        serving.find(|serving| serving.function.name == name)
    }

    /// Starts to poll for a function. Its environments start when there is work for them.
    pub(super) async fn serve(
        &self,
        spec: Spec,
        program: Program,
        fixed: bool,
        by: Instance,
    ) -> io::Result<()> {
        let Some(function) = spec.function.clone() else { return Ok(()) };
        let shared = &self.shared;
        let tap = Tap::open(by.clone(), Part::Poller, Arc::clone(&shared.wiring)).await?;
        let queues = spec.queues.clone();
        let wanted = Arc::new(self.function_spec(&spec, &function, &program, &by));
        let grounds = Arc::new(Environments {
            fleet: self.clone(),
            spec,
            program,
            by: by.clone(),
            running: Mutex::default(),
        });
        let pool = Pool::new(Arc::clone(&grounds));
        let poller = function.mapping.zip(queues.first()).map(|(mut settings, queue)| {
            settings.queue_arn = shared.surroundings.queue_arn(queue);
            Poller {
                endpoint: format!("http://{}", tap.address()),
                queue_url: shared.surroundings.queue_url(tap.address(), queue),
                visibility: shared.wiring.directory.visibility(queue),
                settings,
                function: Arc::clone(&wanted),
                reserved: function.reserved_concurrency.map(|most| self.reserved(&wanted.name, most)),
                ground: Arc::clone(&grounds),
                pool: pool.clone(),
                sight: Sight {
                    function: function.id.clone().unwrap_or_else(|| by.consumer.clone()),
                    by: by.clone(),
                    recorder: shared.wiring.recorder.clone(),
                    activity: Arc::clone(&shared.wiring.activity),
                },
                request_ids: Seed::fresh().stream(),
            }
        });
        shared.wiring.activity.started(&by, &queues);
        let (pid, bug) = (std::process::id(), None);
        self.record(Kind::ConsumerStarted { by: by.clone(), pid, fixed, bug, queues });
        let (stop, stopped) = watch::channel(false);
        let (end, done) = watch::channel(false);
        let poller = tokio::spawn(async move {
            if let Some(poller) = poller {
                poller.run(stopped).await;
            }
            end.send_replace(true);
        });
        let activity = Arc::clone(&shared.wiring.activity);
        let function = wanted;
        let serving = Serving { by: by.clone(), tap, grounds, pool, function, activity, stop, poller, done };
        let serving = Arc::new(serving);
        self.with_slot(&by.consumer, by.instance, |slot| slot.serving = Some(serving));
        Ok(())
    }

    /// What is left of a function's reserved concurrency; several consumers may poll for it.
    fn reserved(&self, name: &str, most: u32) -> Arc<Semaphore> {
        let mut reserved = lock(&self.shared.reserved);
        let left = reserved.entry(name.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(most as usize)));
        Arc::clone(left)
    }

    fn function_spec(
        &self,
        spec: &Spec,
        function: &Function,
        program: &Program,
        by: &Instance,
    ) -> FunctionSpec {
        let surroundings = &self.shared.surroundings;
        let (region, account) = (&surroundings.region, &surroundings.account);
        let (command, folder) = (program.argv.clone(), Some(function.folder.clone()));
        let directory = &self.shared.wiring.directory;
        let name = function.id.as_deref().map_or(&*by.consumer, |id| directory.name_of(id)).to_owned();
        FunctionSpec {
            arn: format!("arn:aws:lambda:{region}:{account}:function:{name}"),
            name,
            version: LATEST.to_owned(),
            handler: function.handler.clone(),
            runtime: None,
            timeout: function.timeout,
            memory_mb: function.memory_mb,
            environment: spec.env.clone(),
            code: Code::Command { command, folder },
        }
    }

    /// Ends the polling, and then the environments.
    pub(super) async fn stop_serving(&self, serving: &Arc<Serving>, why: String, grace: RealDuration) {
        serving.stop.send_replace(true);
        serving.polled_out(grace).await;
        // What is still under way is cut off, and its environments end.
        serving.poller.abort();
        serving.pool.close(&why);
        self.stop(serving.environments(), &why, RealDuration::ZERO).await;
        serving.tap.gate().close();
        tokio::select! {
            () = serving.tap.gate().empty() => {}
            () = clock::sleep(DRAIN) => {}
        }
        let (by, ended_by) = (serving.by.clone(), Some(why));
        let (code, signal, left_behind) = (None, None, false);
        self.record(Kind::ConsumerExited { by: by.clone(), code, signal, ended_by, left_behind });
        self.shared.wiring.activity.exited(&by);
        self.with_slot(&by.consumer, by.instance, |slot| slot.serving = None);
    }
}
