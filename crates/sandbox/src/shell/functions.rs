//! Functions that run: what the core wants invoked is given to whoever runs functions, and the core
//! is told how it ended.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use havoq_lambda::{Functions, Returned};
use tokio::task::{AbortHandle, JoinSet};

use super::sandbox::Sandbox;
use crate::lambda::{Order, RunId};

/// What an invocation comes to where nothing runs functions.
const NOBODY: &str = "this sandbox runs no functions";

/// The invocations that were begun, until they end.
#[derive(Default)]
pub(super) struct Begun(BTreeMap<RunId, AbortHandle>);

impl Begun {
    /// Does as the core orders. Tasks are put to those that `tasks` has; an aborted one drops its
    /// invocation, and so ends the function's process.
    pub(super) fn obey(&mut self, sandbox: &Sandbox, orders: Vec<Order>, tasks: &mut JoinSet<()>) {
        self.0.retain(|_, begun| !begun.is_finished());
        for order in orders {
            match order {
                Order::Run(id, invocation) => {
                    let (sandbox, functions) = (sandbox.clone(), sandbox.functions());
                    let begun = tasks.spawn(async move {
                        let returned = match functions {
                            Some(functions) => functions.invoke(invocation).await,
                            None => Returned::NotRun(NOBODY.to_owned()),
                        };
                        sandbox.enter(|core, now| core.invocation_ended(now, id, returned));
                    });
                    self.0.insert(id, begun);
                }
                Order::Abort(id) => {
                    if let Some(begun) = self.0.remove(&id) {
                        begun.abort();
                    }
                }
            }
        }
    }
}

impl Sandbox {
    /// Lets functions run. Without it, an invocation ends with an error that says so.
    pub fn set_functions(&self, functions: Arc<dyn Functions>) {
        *self.0.functions.lock().unwrap_or_else(PoisonError::into_inner) = Some(functions);
    }

    fn functions(&self) -> Option<Arc<dyn Functions>> {
        self.0.functions.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
