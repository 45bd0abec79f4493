//! A fault as it is armed.

use std::fmt;
use std::sync::Arc;

use havoq_base::StackDuration;
use havoq_wire::Service;

use crate::gauge::Gauge;
use crate::kind::Kind;
use crate::param::{KindDef, Values};

/// A fault: what it does, to which calls, how often.
#[derive(Clone, Debug)]
pub struct FaultSpec {
    /// The name of its kind.
    pub does: &'static str,
    pub kind: Arc<dyn Kind>,
    /// What the kind was made with.
    pub values: Values,
    pub matching: Matching,
    pub gauge: Gauge,
}

impl FaultSpec {
    pub fn new(def: &KindDef, values: Values, matching: Matching, gauge: Gauge) -> Result<Self, String> {
        let kind = (def.build)(&values)?;
        Ok(Self { does: def.name, kind, values, matching, gauge })
    }

    /// The same with other spans on the stack's clock.
    pub fn with_spans(mut self, other: impl Fn(StackDuration) -> StackDuration) -> Self {
        self.gauge.window = self.gauge.window.map(&other);
        self.values.change_spans(other);
        // What was made with one span can be made with another.
        if let Some(Ok(kind)) = crate::kinds::find(self.does).map(|def| (def.build)(&self.values)) {
            self.kind = kind;
        }
        self
    }
}

/// Which calls a fault is for. What is absent does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    pub service: Option<Service>,
    /// As the API names them; any when empty.
    pub operations: Vec<String>,
    /// Of the queue.
    pub queue: Option<String>,
    pub consumer: Option<String>,
    /// The label of the messages.
    pub label: Option<String>,
}

impl Matching {
    /// Whether a call of this operation may be meant.
    pub fn is_for(&self, service: Service, operation: &str) -> bool {
        self.service.is_none_or(|wanted| wanted == service)
            && (self.operations.is_empty() || self.operations.iter().any(|wanted| wanted == operation))
    }
}

/// One line for the history and for people.
impl fmt::Display for FaultSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Matching { service, operations, queue, consumer, label } = &self.matching;
        write!(f, "{}", self.does)?;
        match (operations.as_slice(), service) {
            ([], None) => write!(f, " to any call")?,
            ([], Some(service)) => write!(f, " to any call of {}", service.name())?,
            (operations, _) => write!(f, " to {}", operations.join(", "))?,
        }
        if let Some(queue) = queue {
            write!(f, " on {queue}")?;
        }
        if let Some(label) = label {
            write!(f, " of {label}")?;
        }
        if let Some(consumer) = consumer {
            write!(f, " by {consumer}")?;
        }
        write!(f, "{}", self.gauge)
    }
}

impl fmt::Display for Gauge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { times, first, every, probability, window } = self;
        if let Some(times) = times {
            write!(f, ", {times} times")?;
        }
        if let Some(first) = first {
            write!(f, ", the first {first}")?;
        }
        if let Some(every) = every {
            write!(f, ", each {every}th")?;
        }
        if let Some(probability) = probability {
            write!(f, ", with probability {probability}")?;
        }
        if let Some(window) = window {
            write!(f, ", for {window}")?;
        }
        Ok(())
    }
}
