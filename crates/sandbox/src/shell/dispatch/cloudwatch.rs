//! CloudWatch's operations.

use super::{Answer, Dispatch, unknown};
use crate::cloudwatch::unsupported;

impl Dispatch<'_> {
    pub(super) fn cloudwatch(&self) -> Answer {
        let place = self.place;
        match self.head.operation.as_str() {
            "PutMetricData" => self.plain(|core, now, input| core.put_metric_data(now, place, input)),
            "GetMetricData" => self.plain(|core, _, input| core.get_metric_data(place, input)),
            "GetMetricStatistics" => self.plain(|core, _, input| core.get_metric_statistics(place, input)),
            "ListMetrics" => self.plain(|core, now, input| core.list_metrics(now, place, input)),
            "PutMetricAlarm" => self.plain(|core, now, input| core.put_metric_alarm(now, place, input)),
            "PutCompositeAlarm" => self.plain(|core, now, input| core.put_composite_alarm(now, place, input)),
            "DescribeAlarms" => self.plain(|core, _, input| core.describe_alarms(place, input)),
            "DescribeAlarmsForMetric" => {
                self.plain(|core, _, input| core.describe_alarms_for_metric(place, input))
            }
            "DescribeAlarmHistory" => self.plain(|core, _, input| core.describe_alarm_history(place, input)),
            "SetAlarmState" => self.plain(|core, now, input| core.set_alarm_state(now, place, input)),
            "EnableAlarmActions" => {
                self.plain(|core, now, input| core.switch_alarm_actions(now, place, input, true))
            }
            "DisableAlarmActions" => {
                self.plain(|core, now, input| core.switch_alarm_actions(now, place, input, false))
            }
            "DeleteAlarms" => self.plain(|core, now, input| core.delete_alarms(now, place, input)),
            "TagResource" => self.plain(|core, _, input| core.tag_alarm(place, input)),
            "UntagResource" => self.plain(|core, _, input| core.untag_alarm(place, input)),
            "ListTagsForResource" => self.plain(|core, _, input| core.list_alarm_tags(place, input)),
            operation if is_known(operation) => Err(unsupported(operation)),
            operation => Err(unknown(operation)),
        }
    }
}

/// Whether CloudWatch has such an operation, which this sandbox does not.
fn is_known(operation: &str) -> bool {
    const PARTS: [&str; 13] = [
        "AlarmContributors",
        "AlarmMuteRule",
        "AnomalyDetector",
        "Dashboard",
        "Dataset",
        "InsightRule",
        "LogAlarm",
        "MetricDataQueryDefinition",
        "MetricStream",
        "MetricWidgetImage",
        "OTelEnrichment",
        "ResourceMetricsConfiguration",
        "ManagedInsightRule",
    ];
    PARTS.iter().any(|part| operation.contains(part))
}
