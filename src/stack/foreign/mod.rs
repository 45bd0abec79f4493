//! A stack at a URL that is not ours: LocalStack, moto, MiniStack, ElasticMQ and their kin. Only
//! what this run makes there is touched, and all of it is taken away again.

mod alarms;
mod calls;
mod ears;
mod errors;
mod look;
mod make;
mod remove;
mod rewrite;
mod upstream;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use havoq_wire::Upstream;
use tokio::sync::watch;

use super::names::{self, Naming};
use super::spec::{StackError, StackSpec};
use crate::aws::{ACCOUNT, Clients, Directory};
use crate::guard::Permit;
use crate::history::{Kind, Resource, Source};

pub use look::{Depth, Peeked};
pub use upstream::forward_to;

/// The resources of one attempt on a foreign stack.
pub struct Foreign {
    url: String,
    clients: Clients,
    directory: Arc<Directory>,
    resources: Vec<Resource>,
    account: String,
    /// As the stack itself names them, by logical id.
    queue_urls: BTreeMap<String, String>,
    /// What it cannot do, one line each.
    lacks: Vec<String>,
    /// The queue that hears what topics are told.
    ears: Option<String>,
    /// Everything that must be taken away, in the order in which it was made.
    made: Mutex<Vec<Made>>,
    gone: watch::Sender<Option<String>>,
}

/// Something that was made, or may have been: noted before the call that makes it.
#[derive(Clone, Debug)]
enum Made {
    Queue { name: String },
    Topic { name: String, arn: Option<String> },
    Alarm { name: String },
}

impl Foreign {
    /// Makes the template's resources there. What was made is taken away if that fails midway.
    pub async fn provision(permit: &Permit, url: &str, spec: &StackSpec<'_>) -> Result<Self, StackError> {
        let prefix = permit.prefix().unwrap_or_default();
        let mut stack = Self {
            url: url.trim_end_matches('/').to_owned(),
            clients: Clients::at(url),
            directory: Arc::new(names::directory(spec.template, &Naming::Prefix(prefix), spec.seed)),
            resources: Vec::new(),
            account: ACCOUNT.to_owned(),
            queue_urls: BTreeMap::new(),
            lacks: Vec::new(),
            ears: None,
            made: Mutex::default(),
            gone: watch::Sender::new(None),
        };
        match stack.make_all(permit, spec).await {
            Ok(()) => Ok(stack),
            Err(error) => {
                if let Err(left) = stack.remove(permit).await {
                    spec.recorder.record(Source::Engine, Kind::HarnessError { message: left.to_string() });
                }
                Err(error)
            }
        }
    }

    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    pub fn directory(&self) -> &Arc<Directory> {
        &self.directory
    }

    pub fn account(&self) -> &str {
        &self.account
    }

    /// What of the template it refused to make, one line each.
    pub fn lacks(&self) -> &[String] {
        &self.lacks
    }

    pub fn upstream(&self) -> Arc<dyn Upstream> {
        Arc::new(upstream::Proxy::new(&self.url, self.queue_urls.values(), self.gone.clone()))
    }

    pub(super) fn subscribe_gone(&self) -> watch::Receiver<Option<String>> {
        self.gone.subscribe()
    }

    /// How it was seen that the stack is gone, once it was.
    pub fn gone_reason(&self) -> Option<String> {
        self.gone.borrow().clone()
    }

    fn is_gone(&self, reason: String) {
        self.gone.send_if_modified(|gone| {
            let first = gone.is_none();
            gone.get_or_insert(reason);
            first
        });
    }

    fn arn_of(&self, id: &str) -> Option<&str> {
        self.resources.iter().find(|resource| resource.id == id).map(|resource| resource.arn.as_str())
    }

    /// The stack's own URL of a queue; of one that it does not know, its name.
    fn url_of<'a>(&'a self, id: &'a str) -> &'a str {
        self.queue_urls.get(id).map_or(id, String::as_str)
    }
}
