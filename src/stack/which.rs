//! One stack, embedded or foreign: what the engine and the steps do with either.

use std::sync::Arc;

use havoq_base::ids::MessageId;
use havoq_wire::Upstream;

use super::foreign::Foreign;
use super::provision::Embedded;
use super::spec::{Change, Outgoing, RedriveState, StackError, StackSpec};
use crate::aws::Directory;
use crate::guard::{Permit, Target};
use crate::history::Resource;

/// A provisioned stack. Clones share it.
#[derive(Clone)]
pub enum Stack {
    /// A sandbox, which tells its own facts and whose clock can jump.
    Embedded(Arc<Embedded>),
    /// Somebody else's, known only from outside.
    Foreign(Arc<Foreign>),
}

impl Stack {
    /// Makes the template's resources where the target says.
    pub async fn provision(permit: &Permit, on: &Target, spec: &StackSpec<'_>) -> Result<Self, StackError> {
        match on {
            Target::Url(url) => Ok(Self::Foreign(Arc::new(Foreign::provision(permit, url, spec).await?))),
            Target::Sandbox | Target::Aws => {
                Ok(Self::Embedded(Arc::new(Embedded::provision(permit, spec).await?)))
            }
        }
    }

    pub fn resources(&self) -> &[Resource] {
        match self {
            Self::Embedded(stack) => stack.resources(),
            Self::Foreign(stack) => stack.resources(),
        }
    }

    /// What of the template it does not do, one line each.
    pub fn lacks(&self) -> &[String] {
        match self {
            Self::Embedded(stack) => stack.lacks(),
            Self::Foreign(stack) => stack.lacks(),
        }
    }

    pub fn directory(&self) -> &Arc<Directory> {
        match self {
            Self::Embedded(stack) => stack.directory(),
            Self::Foreign(stack) => stack.directory(),
        }
    }

    /// The account that its queue URLs speak of.
    pub fn account(&self) -> &str {
        match self {
            Self::Embedded(_) => crate::aws::ACCOUNT,
            Self::Foreign(stack) => stack.account(),
        }
    }

    /// Where taps forward to.
    pub fn upstream(&self) -> Arc<dyn Upstream> {
        match self {
            Self::Embedded(stack) => stack.upstream(),
            Self::Foreign(stack) => stack.upstream(),
        }
    }

    pub async fn send(
        &self,
        permit: &Permit,
        queue: &str,
        message: &Outgoing,
    ) -> Result<MessageId, StackError> {
        match self {
            Self::Embedded(stack) => stack.send(permit, queue, message),
            Self::Foreign(stack) => stack.send(permit, queue, message).await,
        }
    }

    /// Changes it by a call of its own account, in the API's names.
    pub async fn change(&self, permit: &Permit, change: &Change) -> Result<(), StackError> {
        match self {
            Self::Embedded(stack) => stack.change(permit, change).await,
            Self::Foreign(_) => Err(StackError::Unsupported {
                call: change.operation,
                reason: "havoq changes no stack but its own under way".to_owned(),
            }),
        }
    }

    /// Starts moving what lies in the dead-letter queue `from`; the task.
    pub async fn start_redrive(
        &self,
        permit: &Permit,
        from: &str,
        to: Option<&str>,
        rate: Option<u32>,
    ) -> Result<String, StackError> {
        match self {
            Self::Embedded(stack) => stack.start_redrive(permit, from, to, rate),
            Self::Foreign(stack) => stack.start_redrive(permit, from, to, rate).await,
        }
    }

    pub async fn redrive_state(&self, task: &str) -> Result<RedriveState, StackError> {
        match self {
            Self::Embedded(stack) => stack.redrive_state(task),
            Self::Foreign(stack) => stack.redrive_state(task).await,
        }
    }

    /// Waits until the stack is known to be gone: how that was seen. Never, for one of our own.
    pub fn gone(&self) -> impl Future<Output = String> + Send + 'static {
        let gone = match self {
            Self::Embedded(_) => None,
            Self::Foreign(stack) => Some(stack.subscribe_gone()),
        };
        async move {
            if let Some(mut gone) = gone
                && let Ok(reason) = gone.wait_for(Option::is_some).await
                && let Some(reason) = &*reason
            {
                return reason.clone();
            }
            std::future::pending().await
        }
    }

    /// How it was seen that the stack is gone, if it is.
    pub fn gone_reason(&self) -> Option<String> {
        match self {
            Self::Embedded(_) => None,
            Self::Foreign(stack) => stack.gone_reason(),
        }
    }

    /// Takes away all that was made where it does not end by itself.
    pub async fn remove(&self, permit: &Permit) -> Result<(), StackError> {
        match self {
            Self::Embedded(_) => Ok(()),
            Self::Foreign(stack) => stack.remove(permit).await,
        }
    }
}
