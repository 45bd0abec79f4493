//! A schedule of a check's own.

use aws_sdk_scheduler::operation::create_schedule::builders::CreateScheduleFluentBuilder as Create;
use aws_sdk_scheduler::types::builders::TargetBuilder;
use aws_sdk_scheduler::types::{FlexibleTimeWindow, FlexibleTimeWindowMode, Target};
use havoq_base::StackTime;

use super::finding::Shown;
use super::lab::Lab;
use super::made::Thing;
use super::queue::Queue;
use crate::aws::ACCOUNT;

impl Lab {
    /// A schedule with this expression and target, not sent yet.
    pub(super) fn scheduling(&self, name: &str, expression: &str, target: TargetBuilder) -> Create {
        self.0.made.note(Thing::Schedule { name: name.to_owned() });
        let create = self.scheduler().create_schedule().name(name).schedule_expression(expression);
        create
            .flexible_time_window(window(FlexibleTimeWindowMode::Off, None))
            .target(target.build().expect("its ARN and its role are given"))
    }

    /// A schedule that sends to a new queue; its name too.
    pub(super) async fn scheduled(
        &self,
        expression: &str,
        with: impl FnOnce(Create) -> Create,
    ) -> Shown<(String, Queue)> {
        let (name, queue) = (self.short_name()?, self.queue(&[]).await?);
        with(self.scheduling(&name, expression, target(&queue.arn).input("tick"))).send().await?;
        Ok((name, queue))
    }

    /// The time that is so many seconds away, as expressions have it, where UTC is so many hours
    /// behind.
    pub(super) fn at_time(&self, seconds: i64, hours: i64) -> String {
        let time = self.now_seconds() + seconds + hours * 3_600;
        let time = StackTime::from_secs(time.max(0) as u64).rfc3339();
        format!("at({})", time.get(..19).unwrap_or_default())
    }
}

/// A target that is called in a role of its own account.
pub(super) fn target(arn: &str) -> TargetBuilder {
    Target::builder().arn(arn).role_arn(role_beside(arn))
}

/// A role of the account that this ARN names.
pub(super) fn role_beside(arn: &str) -> String {
    let account = arn.split(':').nth(4).unwrap_or(ACCOUNT);
    format!("arn:aws:iam::{account}:role/probe")
}

pub(super) fn window(mode: FlexibleTimeWindowMode, minutes: Option<i32>) -> FlexibleTimeWindow {
    let window = FlexibleTimeWindow::builder().mode(mode).set_maximum_window_in_minutes(minutes);
    window.build().expect("its mode is given")
}
