//! The embedded stack of one attempt.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::ids::MessageId;
use havoq_lambda::Functions;
use havoq_sandbox::{AlarmSpec, Frozen, MoveStatus, Places, Sandbox, Settings};
use havoq_wire::{Service, ServiceError, Upstream};

use super::calls::{self, ApiCall};
use super::spec::{Change, MARKER_ATTRIBUTE, Outgoing, RedriveState, StackError, StackSpec};
use super::{facts, names};
use crate::aws::{ACCOUNT, Directory, REGION};
use crate::guard::Permit;
use crate::history::Resource;
use crate::scenario::{Alarm, DimensionValue, Queue, Template};

/// The status by which the sandbox says that it does not do something at all.
const NOT_IMPLEMENTED: u16 = 501;

/// A provisioned embedded stack.
pub struct Embedded {
    sandbox: Sandbox,
    directory: Arc<Directory>,
    resources: Vec<Resource>,
    /// What the sandbox does not do, one line each.
    lacks: Vec<String>,
}

impl Embedded {
    /// Makes a sandbox with the template's resources in it.
    pub async fn provision(_: &Permit, spec: &StackSpec<'_>) -> Result<Self, StackError> {
        let directory =
            Arc::new(names::directory(spec.template, &names::Naming::Stack(spec.name), spec.seed));
        let (recorder, names) = (spec.recorder.clone(), Arc::clone(&directory));
        let settings = Settings {
            clock: spec.clock.clone(),
            seed: spec.seed.fork("sandbox"),
            account: ACCOUNT.to_owned(),
            region: REGION.to_owned(),
            places: Places::One,
        };
        let record = move |at, fact| {
            for kind in facts::events(fact, &names) {
                recorder.record_at(at, crate::history::Source::Sandbox, kind);
            }
        };
        let sandbox = Sandbox::new(settings, Box::new(record));
        let mut stack = Self { sandbox, directory, resources: Vec::new(), lacks: Vec::new() };
        stack.make_all(spec.template).await?;
        Ok(stack)
    }

    /// Nothing refers to what is made after it.
    async fn make_all(&mut self, template: &Template) -> Result<(), StackError> {
        for (id, topic) in &template.topics {
            let name = self.directory.name_of(id).to_owned();
            let call = calls::topic(&name, topic, &self.directory);
            self.make(id, "AWS::SNS::Topic", name, vec![call]).await?;
        }
        self.make_queues(&template.queues)?;
        for (id, function) in &template.functions {
            let name = self.directory.name_of(id).to_owned();
            let calls = calls::function(&name, function, &self.directory);
            self.make(id, "AWS::Lambda::Function", name, calls).await?;
        }
        let mut others: Vec<_> = template.others.iter().collect();
        others.sort_by_key(|(_, made)| made.kind);
        for (id, made) in others {
            let name = self.directory.name_of(id).to_owned();
            let calls = calls::made(id, made, &self.directory);
            self.make(id, made.kind.resource_type(), name, calls).await?;
        }
        for (id, alarm) in &template.alarms {
            let spec = self.alarm_spec(id, alarm);
            let name = spec.name.clone();
            let made = self.sandbox.put_alarm(spec);
            self.made(id, "AWS::CloudWatch::Alarm", name, made)?;
        }
        Ok(())
    }

    /// Makes a resource by calls, of which the first tells its ARN.
    async fn make(
        &mut self,
        id: &str,
        kind: &str,
        name: String,
        calls: Vec<ApiCall>,
    ) -> Result<(), StackError> {
        let mut first = None;
        for ApiCall { service, operation, input } in calls {
            let answer = self.call(service, operation, &input).await;
            let answer = match answer {
                Ok(answer) => answer,
                // Claims on the rest can be judged all the same.
                Err(error) if error.status.as_u16() == NOT_IMPLEMENTED => {
                    self.lacks.push(format!("`{id}` could not be made: {}", error.message));
                    return Ok(());
                }
                Err(error) => return self.made(id, kind, name, Err(error)),
            };
            first.get_or_insert(answer);
        }
        let arn = first.as_ref().map(calls::arn_in).unwrap_or_default();
        self.made(id, kind, name, Ok(arn))
    }

    /// Dead-letter queues before their sources, which must name their ARN.
    fn make_queues(&mut self, queues: &BTreeMap<String, Queue>) -> Result<(), StackError> {
        let mut left: Vec<&String> = queues.keys().collect();
        while !left.is_empty() {
            let before = left.len();
            let mut waiting = Vec::new();
            for id in left {
                let queue = &queues[id];
                if queue.redrive.as_ref().is_some_and(|redrive| self.arn_of(&redrive.to).is_none()) {
                    waiting.push(id);
                    continue;
                }
                let name = self.directory.name_of(id).to_owned();
                let made = self.sandbox.create_queue(&name, &self.attributes(queue));
                self.made(id, "AWS::SQS::Queue", name, made)?;
            }
            if waiting.len() == before {
                let circle: Vec<&str> = waiting.iter().map(|id| id.as_str()).collect();
                return Err(StackError::Circle(circle.join(", ")));
            }
            left = waiting;
        }
        Ok(())
    }

    fn attributes(&self, queue: &Queue) -> BTreeMap<String, String> {
        let mut attributes = BTreeMap::from([
            ("VisibilityTimeout".to_owned(), queue.visibility_timeout.as_secs().to_string()),
            ("DelaySeconds".to_owned(), queue.delay.as_secs().to_string()),
            ("MessageRetentionPeriod".to_owned(), queue.retention.as_secs().to_string()),
            ("ReceiveMessageWaitTimeSeconds".to_owned(), queue.receive_wait.as_secs().to_string()),
            ("MaximumMessageSize".to_owned(), queue.maximum_message_size.to_string()),
        ]);
        if let Some(redrive) = &queue.redrive {
            let policy = serde_json::json!({
                "deadLetterTargetArn": self.arn_of(&redrive.to),
                "maxReceiveCount": redrive.max_receive_count,
            });
            attributes.insert("RedrivePolicy".to_owned(), policy.to_string());
        }
        if let Some(policy) = &queue.redrive_allow
            && let serde_json::Value::String(policy) = policy.resolve(&|id| self.directory.name_of(id))
        {
            attributes.insert("RedriveAllowPolicy".to_owned(), policy);
        }
        if let Some(fifo) = &queue.fifo {
            let content = fifo.content_based_deduplication.to_string();
            attributes.insert("FifoQueue".to_owned(), true.to_string());
            attributes.insert("ContentBasedDeduplication".to_owned(), content);
            let scope =
                fifo.deduplication_scope.clone().map(|scope| ("DeduplicationScope".to_owned(), scope));
            let limit = fifo.throughput_limit.clone().map(|limit| ("FifoThroughputLimit".to_owned(), limit));
            attributes.extend(scope.into_iter().chain(limit));
        }
        attributes
    }

    fn alarm_spec(&self, id: &str, alarm: &Alarm) -> AlarmSpec {
        let dimension = |(name, value): &(String, DimensionValue)| {
            let value = match value {
                DimensionValue::QueueNameOf(queue) => self.directory.name_of(queue).to_owned(),
                DimensionValue::Literal(text) => text.clone(),
            };
            (name.clone(), value)
        };
        let targets = |actions: &[String]| -> Vec<String> {
            actions.iter().map(|action| self.arn_of(action).unwrap_or(action).to_owned()).collect()
        };
        AlarmSpec {
            name: self.directory.name_of(id).to_owned(),
            namespace: alarm.namespace.clone(),
            metric: alarm.metric.clone(),
            dimensions: alarm.dimensions.iter().map(dimension).collect(),
            statistic: alarm_terms::statistic(alarm.statistic),
            period: alarm.period,
            evaluation_periods: alarm.evaluation_periods,
            datapoints_to_alarm: alarm.datapoints_to_alarm,
            comparison: alarm_terms::comparison(alarm.comparison),
            threshold: alarm.threshold,
            missing_data: alarm_terms::missing_data(alarm.missing_data),
            actions_enabled: alarm.actions_enabled,
            alarm_actions: targets(&alarm.alarm_actions),
            ok_actions: targets(&alarm.ok_actions),
            insufficient_data_actions: targets(&alarm.insufficient_data_actions),
        }
    }

    fn made(
        &mut self,
        id: &str,
        kind: &str,
        name: String,
        made: Result<String, ServiceError>,
    ) -> Result<(), StackError> {
        let arn = made.map_err(|error| StackError::Provision {
            resource: format!("{id} ({kind})"),
            source: error.into(),
        })?;
        self.resources.push(Resource { id: id.to_owned(), r#type: kind.to_owned(), name, arn });
        Ok(())
    }

    fn arn_of(&self, id: &str) -> Option<&str> {
        self.resources.iter().find(|resource| resource.id == id).map(|resource| resource.arn.as_str())
    }

    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// What of the template the sandbox does not do, one line each.
    pub fn lacks(&self) -> &[String] {
        &self.lacks
    }

    pub fn directory(&self) -> &Arc<Directory> {
        &self.directory
    }

    /// A call of the stack's own account, in the API's names.
    pub(super) async fn call(
        &self,
        service: Service,
        operation: &str,
        input: &serde_json::Value,
    ) -> Result<serde_json::Value, ServiceError> {
        self.sandbox.call(service, operation, input).await
    }

    pub(super) async fn change(&self, _: &Permit, change: &Change) -> Result<(), StackError> {
        let Change { service, operation, input, resource } = change;
        let done = self.call(*service, operation, input).await;
        done.map(drop).map_err(|error| StackError::Call {
            call: operation,
            resource: resource.clone(),
            source: error.into(),
        })
    }

    /// Lets the stack's functions run.
    pub fn set_functions(&self, functions: Arc<dyn Functions>) {
        self.sandbox.set_functions(functions);
    }

    /// Where taps forward to.
    pub fn upstream(&self) -> Arc<dyn Upstream> {
        Arc::new(self.sandbox.clone())
    }

    /// Fires the stack's timers as time passes, for ever.
    pub fn drive(&self) -> impl Future<Output = ()> + Send + 'static {
        self.sandbox.clone().run()
    }

    /// Holds the stack still, for the engine's clock.
    pub fn freeze(&self) -> Frozen<'_> {
        self.sandbox.freeze()
    }

    pub fn send(&self, _: &Permit, queue: &str, message: &Outgoing) -> Result<MessageId, StackError> {
        let is_fifo = self.directory.name_of(queue).ends_with(".fifo");
        let outgoing = havoq_sandbox::Outgoing {
            body: message.body.clone(),
            attributes: vec![(MARKER_ATTRIBUTE.to_owned(), message.marker.to_string())],
            delay: message.delay,
            group: is_fifo.then(|| (message.group.clone(), format!("{}-{}", message.marker, message.copy))),
        };
        let sent = self.sandbox.send(self.directory.name_of(queue), outgoing);
        sent.map_err(|error| StackError::Call {
            call: "SendMessage",
            resource: queue.to_owned(),
            source: error.into(),
        })
    }

    /// Starts moving what lies in the dead-letter queue `from`; the task.
    pub fn start_redrive(
        &self,
        _: &Permit,
        from: &str,
        to: Option<&str>,
        rate: Option<u32>,
    ) -> Result<String, StackError> {
        let from_arn = self.arn_of(from).unwrap_or(from);
        let to_arn = to.map(|to| self.arn_of(to).unwrap_or(to));
        let started = self.sandbox.start_move_task(from_arn, to_arn, rate);
        started.map_err(|error| StackError::Call {
            call: "StartMessageMoveTask",
            resource: from.to_owned(),
            source: error.into(),
        })
    }

    pub fn redrive_state(&self, task: &str) -> Result<RedriveState, StackError> {
        let task = self.sandbox.move_task(task).ok_or_else(|| StackError::NoTask(task.to_owned()))?;
        Ok(match task.status {
            MoveStatus::Completed => RedriveState::Completed { moved: task.moved },
            MoveStatus::Failed => {
                RedriveState::Failed(task.failure.unwrap_or_else(|| "no reason given".to_owned()))
            }
            MoveStatus::Cancelled => RedriveState::Failed("it was cancelled".to_owned()),
            _ => RedriveState::Running { look_again: None },
        })
    }
}

/// The template's terms in the sandbox's words.
mod alarm_terms {
    use crate::scenario as model;
    use havoq_sandbox as sandbox;

    pub(super) fn statistic(statistic: model::Statistic) -> sandbox::Statistic {
        match statistic {
            model::Statistic::SampleCount => sandbox::Statistic::SampleCount,
            model::Statistic::Average => sandbox::Statistic::Average,
            model::Statistic::Sum => sandbox::Statistic::Sum,
            model::Statistic::Minimum => sandbox::Statistic::Minimum,
            model::Statistic::Maximum => sandbox::Statistic::Maximum,
        }
    }

    pub(super) fn comparison(comparison: model::Comparison) -> sandbox::Comparison {
        use model::Comparison as C;
        match comparison {
            C::GreaterThanOrEqualToThreshold => sandbox::Comparison::GreaterThanOrEqualToThreshold,
            C::GreaterThanThreshold => sandbox::Comparison::GreaterThanThreshold,
            C::LessThanThreshold => sandbox::Comparison::LessThanThreshold,
            C::LessThanOrEqualToThreshold => sandbox::Comparison::LessThanOrEqualToThreshold,
        }
    }

    pub(super) fn missing_data(missing: model::MissingData) -> sandbox::MissingData {
        match missing {
            model::MissingData::Missing => sandbox::MissingData::Missing,
            model::MissingData::Ignore => sandbox::MissingData::Ignore,
            model::MissingData::Breaching => sandbox::MissingData::Breaching,
            model::MissingData::NotBreaching => sandbox::MissingData::NotBreaching,
        }
    }
}
