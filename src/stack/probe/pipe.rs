//! A pipe of a check's own, from a queue.

use aws_sdk_pipes::operation::create_pipe::builders::CreatePipeFluentBuilder as Create;
use aws_sdk_pipes::types::{
    Filter, FilterCriteria, PipeSourceParameters, PipeSourceSqsQueueParameters, PipeState,
    PipeTargetParameters,
};

use super::finding::{Not, Shown};
use super::lab::Lab;
use super::made::Thing;
use super::mapped::{all_bodies, drained};
use super::queue::Queue;
use super::schedule::role_beside;

/// How long a stack may take until a pipe runs.
const RUNNING: u64 = 50;

/// A queue that is a pipe's source, and where its messages go that were received once.
pub(super) struct Source {
    pub(super) queue: Queue,
    pub(super) dead: Queue,
}

impl Lab {
    pub(super) async fn source(&self) -> Shown<Source> {
        let (queue, dead) = self.with_dead_letters(1, &[("VisibilityTimeout", "6")]).await?;
        Ok(Source { queue, dead })
    }

    /// A pipe that takes one message at a time, not sent yet.
    pub(super) fn piping(&self, name: &str, source: &Source, target_arn: &str) -> Create {
        self.0.made.note(Thing::Pipe { name: name.to_owned() });
        let create = self.pipes().create_pipe().name(name).role_arn(role_beside(target_arn));
        create.source(&source.queue.arn).target(target_arn).source_parameters(one_at_a_time(None))
    }

    /// The same, sent now; it runs, or stands if that was asked.
    pub(super) async fn piped(&self, create: Create) -> Shown {
        let name = create.get_name().clone().unwrap_or_default();
        create.send().await?;
        self.settled(&name).await
    }

    /// Waits until a pipe has come to a state.
    pub(super) async fn settled(&self, name: &str) -> Shown {
        let look = || async {
            let state = self.pipes().describe_pipe().name(name).send().await?.current_state;
            Ok(state.filter(|state| !state.as_str().ends_with("ING") || *state == PipeState::Running))
        };
        match self.until(RUNNING, look).await? {
            Some(PipeState::Running | PipeState::Stopped) => Ok(()),
            other => Err(Not::Absent(format!("the pipe came to {other:?}"))),
        }
    }
}

pub(super) fn one_at_a_time(pattern: Option<&str>) -> PipeSourceParameters {
    let one = PipeSourceSqsQueueParameters::builder().batch_size(1).build();
    let filter = pattern.map(|pattern| Filter::builder().pattern(pattern).build());
    let criteria = filter.map(|filter| FilterCriteria::builder().filters(filter).build());
    PipeSourceParameters::builder().sqs_queue_parameters(one).set_filter_criteria(criteria).build()
}

pub(super) fn template(template: &str) -> PipeTargetParameters {
    PipeTargetParameters::builder().input_template(template).build()
}

impl Source {
    /// Waits until everything was deleted or moved; the bodies of what was moved, sorted.
    pub(super) async fn left_over(&self) -> Shown<Vec<String>> {
        drained(&self.queue).await?;
        all_bodies(&self.dead, 5).await
    }
}
