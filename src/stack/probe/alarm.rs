//! Alarms and metrics of a check's own.

use aws_sdk_cloudwatch::operation::put_metric_alarm::builders::PutMetricAlarmFluentBuilder as Put;
use aws_sdk_cloudwatch::primitives::DateTime;
use aws_sdk_cloudwatch::types::{
    ComparisonOperator, Datapoint, Dimension, MetricAlarm, MetricDatum, StateValue, Statistic,
};

use super::finding::{Not, Shown, ensure, wrong};
use super::lab::Lab;
use super::made::Thing;
use super::queue::Queue;

/// The namespace of what checks measure themselves.
pub(super) const OWN: &str = "havoq";

/// How long a stack that evaluates alarms each minute may take to tell.
pub(super) const EVALUATED: u64 = 200;

pub(super) struct Alarm {
    lab: Lab,
    pub(super) name: String,
}

impl Lab {
    /// An alarm on the highest value of a minute above 0.
    pub(super) async fn alarm(&self, metric: &str, with: impl FnOnce(Put) -> Put) -> Shown<Alarm> {
        let name = self.name("")?;
        with(self.putting_alarm(&name, metric)).send().await?;
        Ok(Alarm { lab: self.clone(), name })
    }

    /// The same, not sent yet.
    pub(super) fn putting_alarm(&self, name: &str, metric: &str) -> Put {
        self.0.made.note(Thing::Alarm { name: name.to_owned() });
        let put = self.cloudwatch().put_metric_alarm().alarm_name(name);
        put.namespace(OWN)
            .metric_name(metric)
            .statistic(Statistic::Maximum)
            .period(60)
            .evaluation_periods(1)
            .threshold(0.0)
            .comparison_operator(ComparisonOperator::GreaterThanThreshold)
    }

    /// An alarm on one of a queue's metrics.
    pub(super) async fn alarm_on(
        &self,
        queue: &Queue,
        metric: &str,
        with: impl FnOnce(Put) -> Put,
    ) -> Shown<Alarm> {
        let dimension = Dimension::builder().name("QueueName").value(&queue.name).build();
        self.alarm(metric, |put| with(put.namespace("AWS/SQS").dimensions(dimension))).await
    }

    /// Measures `value` now.
    pub(super) async fn measure(&self, metric: &str, value: f64) -> Shown {
        self.measure_at(metric, value, self.now_seconds()).await
    }

    pub(super) async fn measure_at(&self, metric: &str, value: f64, at: i64) -> Shown {
        let datum =
            MetricDatum::builder().metric_name(metric).value(value).timestamp(DateTime::from_secs(at));
        self.cloudwatch().put_metric_data().namespace(OWN).metric_data(datum.build()).send().await?;
        Ok(())
    }

    /// The minutes of the last ten of a metric.
    pub(super) async fn minutes(
        &self,
        namespace: &str,
        metric: &str,
        dimension: Option<(&str, &str)>,
    ) -> Shown<Vec<Datapoint>> {
        let now = self.now_seconds();
        let get = self.cloudwatch().get_metric_statistics().namespace(namespace).metric_name(metric);
        let get = get
            .start_time(DateTime::from_secs((now - 600) / 60 * 60))
            .end_time(DateTime::from_secs(now + 60))
            .period(60)
            .statistics(Statistic::Maximum)
            .statistics(Statistic::Minimum)
            .statistics(Statistic::Sum)
            .statistics(Statistic::Average)
            .statistics(Statistic::SampleCount);
        let dimension = dimension.map(|(name, value)| Dimension::builder().name(name).value(value).build());
        let got = get.set_dimensions(dimension.map(|one| vec![one])).send().await?;
        Ok(got.datapoints.unwrap_or_default())
    }

    /// Waits until a queue's metric has a minute that is as wanted.
    pub(super) async fn queue_metric(
        &self,
        queue: &Queue,
        metric: &str,
        wanted: impl Fn(&Datapoint) -> bool,
    ) -> Shown<bool> {
        let look = || async {
            let minutes = self.minutes("AWS/SQS", metric, Some(("QueueName", &queue.name))).await?;
            Ok(minutes.iter().any(&wanted).then_some(()))
        };
        Ok(self.until(EVALUATED, look).await?.is_some())
    }
}

impl Alarm {
    pub(super) async fn described(&self) -> Shown<MetricAlarm> {
        let described = self.lab.cloudwatch().describe_alarms().alarm_names(&self.name).send().await?;
        let found = described.metric_alarms.unwrap_or_default().into_iter().next();
        found.ok_or_else(|| Not::Absent("the alarm was accepted, and is not there".to_owned()))
    }

    pub(super) async fn state(&self) -> Shown<String> {
        Ok(self.described().await?.state_value.map(|state| state.as_str().to_owned()).unwrap_or_default())
    }

    /// Waits until it is in this state by evaluation.
    pub(super) async fn reaches(&self, state: &str, why: &str) -> Shown {
        let look = || async { Ok((self.state().await? == state).then_some(())) };
        if self.lab.until(EVALUATED, look).await?.is_some() {
            return Ok(());
        }
        let seen = self.state().await?;
        wrong(format!("{state} within {EVALUATED} s: {why}"), format!("it stayed {seen}"))
    }

    /// It must be in this state now.
    pub(super) async fn is(&self, state: &str, why: &str) -> Shown {
        let seen = self.state().await?;
        ensure(seen == state, format!("{state}: {why}"), seen)
    }

    /// Puts it into a state by hand.
    pub(super) async fn set(&self, state: StateValue) -> Shown {
        let set = self.lab.cloudwatch().set_alarm_state().alarm_name(&self.name).state_value(state);
        set.state_reason("the probe said so").send().await?;
        Ok(())
    }
}
