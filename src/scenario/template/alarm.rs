//! `AWS::CloudWatch::Alarm` on one metric. Ranges: semantics 4.1.

use havoq_base::StackDuration;

use super::super::decode::Sp;
use super::super::lower::Kind;
use super::super::model::{Alarm, Comparison, DimensionValue, MissingData, Statistic};
use super::identity::arn_prefix;
use super::properties::{Maybe, Properties, plain_text};
use super::value::{Piece, Value};

const DAY: u64 = 86_400;

pub(super) fn read(properties: &mut Properties<'_, '_, '_>) -> Option<Alarm> {
    refuse_unbuilt(properties)?;
    // All are read before any is judged, so that all problems show.
    let namespace = required_text(properties, "Namespace");
    let metric = required_text(properties, "MetricName");
    let dimensions = dimensions(properties);
    let statistic = properties.word("Statistic", &STATISTICS);
    let statistic = properties.required("Statistic", statistic);
    let period = properties.whole("Period", 10..=7 * DAY);
    let period = properties.required("Period", period);
    let evaluation_periods = properties.whole("EvaluationPeriods", 1..=7 * DAY);
    let evaluation_periods = properties.required("EvaluationPeriods", evaluation_periods);
    let datapoints = properties.whole("DatapointsToAlarm", 1..=7 * DAY);
    let comparison = properties.word("ComparisonOperator", &COMPARISONS);
    let comparison = properties.required("ComparisonOperator", comparison);
    let threshold = threshold(properties);
    let missing_data = properties.word("TreatMissingData", &MISSING_DATA);
    let actions_enabled = properties.boolean("ActionsEnabled");
    let [alarm_actions, ok_actions, insufficient_data_actions] =
        ["AlarmActions", "OKActions", "InsufficientDataActions"].map(|name| actions(properties, name));
    let (period, evaluation_periods) = (period?, evaluation_periods?);
    check_window(properties, period, evaluation_periods)?;
    let datapoints = datapoints?.unwrap_or(evaluation_periods);
    if datapoints > evaluation_periods {
        let span = properties.given("DatapointsToAlarm").unwrap_or(properties.span);
        return properties.problem(span, "DatapointsToAlarm is above EvaluationPeriods".to_owned(), None);
    }
    let metric = metric?;
    check_unit(properties, &metric)?;
    Some(Alarm {
        name: properties.stack.physical.get(properties.id).cloned(),
        namespace: namespace?,
        metric,
        dimensions: dimensions?,
        statistic: statistic?,
        period: StackDuration::from_secs(period),
        evaluation_periods: evaluation_periods as u32,
        datapoints_to_alarm: datapoints as u32,
        comparison: comparison?,
        threshold: threshold?,
        missing_data: missing_data?.unwrap_or(MissingData::Missing),
        actions_enabled: actions_enabled?.unwrap_or(true),
        alarm_actions: alarm_actions?,
        ok_actions: ok_actions?,
        insufficient_data_actions: insufficient_data_actions?,
    })
}

const STATISTICS: [(&str, Statistic); 5] = [
    ("SampleCount", Statistic::SampleCount),
    ("Average", Statistic::Average),
    ("Sum", Statistic::Sum),
    ("Minimum", Statistic::Minimum),
    ("Maximum", Statistic::Maximum),
];

const COMPARISONS: [(&str, Comparison); 4] = [
    ("GreaterThanOrEqualToThreshold", Comparison::GreaterThanOrEqualToThreshold),
    ("GreaterThanThreshold", Comparison::GreaterThanThreshold),
    ("LessThanThreshold", Comparison::LessThanThreshold),
    ("LessThanOrEqualToThreshold", Comparison::LessThanOrEqualToThreshold),
];

const MISSING_DATA: [(&str, MissingData); 4] = [
    ("missing", MissingData::Missing),
    ("ignore", MissingData::Ignore),
    ("breaching", MissingData::Breaching),
    ("notBreaching", MissingData::NotBreaching),
];

/// A claim may name the alarm, so leaving it out silently would be worse than refusing it.
fn refuse_unbuilt(properties: &mut Properties<'_, '_, '_>) -> Option<()> {
    for name in
        ["Metrics", "ExtendedStatistic", "ThresholdMetricId", "EvaluationCriteria", "EvaluationInterval"]
    {
        if let Some(span) = properties.given(name) {
            return properties.problem(span, format!("alarms with {name} are not built yet"), None);
        }
    }
    Some(())
}

fn required_text(properties: &mut Properties<'_, '_, '_>, name: &str) -> Option<String> {
    let text = properties.text(name);
    let text = properties.required(name, text)?;
    if text.is_empty() {
        return properties.problem(text.span, format!("{name} is empty"), None);
    }
    Some(text.value)
}

fn threshold(properties: &mut Properties<'_, '_, '_>) -> Option<f64> {
    let text = properties.text("Threshold");
    let text = properties.required("Threshold", text)?;
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Some(number),
        _ => {
            let message = format!("Threshold must be a number, not `{}`", text.value);
            properties.problem(text.span, message, None)
        }
    }
}

fn check_window(properties: &mut Properties<'_, '_, '_>, period: u64, periods: u64) -> Option<()> {
    let span = properties.given("Period").unwrap_or(properties.span);
    if !matches!(period, 10 | 20 | 30) && !period.is_multiple_of(60) {
        let message = format!("Period cannot be {period}");
        return properties.problem(span, message, Some("10, 20, 30 or a multiple of 60".to_owned()));
    }
    let limit = if period < 3_600 { DAY } else { 7 * DAY };
    if period.saturating_mul(periods) > limit {
        let message = format!("Period x EvaluationPeriods is above {} days", limit / DAY);
        let message = if limit == DAY { message.replace("1 days", "a day") } else { message };
        return properties.problem(span, message, None);
    }
    Some(())
}

/// An alarm with another unit than the metric's sees no data.
fn check_unit(properties: &mut Properties<'_, '_, '_>, metric: &str) -> Option<()> {
    let Some(unit) = properties.text("Unit")? else { return Some(()) };
    let of_metric = match metric {
        "ApproximateAgeOfOldestMessage" => "Seconds",
        "SentMessageSize" => "Bytes",
        _ => "Count",
    };
    if unit.value != of_metric {
        let message = format!("alarms on {metric} with the unit `{}` are not built yet", unit.value);
        return properties.problem(unit.span, message, Some(format!("`{of_metric}`, or leave it out")));
    }
    Some(())
}

fn dimensions(properties: &mut Properties<'_, '_, '_>) -> Option<Vec<(String, DimensionValue)>> {
    let Some(value) = properties.get("Dimensions")? else { return Some(Vec::new()) };
    let Value::List(items) = value.value else {
        let message = format!("expected a list of dimensions, found {}", value.value.kind());
        return properties.problem(value.span, message, None);
    };
    items.into_iter().map(|item| dimension(properties, item)).collect()
}

fn dimension(properties: &mut Properties<'_, '_, '_>, item: Sp<Value>) -> Option<(String, DimensionValue)> {
    let (mut name, mut value) = (None, None);
    if let Value::Map(fields) = item.value {
        for (key, field) in fields {
            match key.as_str() {
                "Name" => name = Some(field),
                "Value" => value = Some(field),
                other => {
                    let message = format!("a dimension has no `{other}`");
                    return properties.problem(key.span, message, Some("`Name` and `Value`".to_owned()));
                }
            }
        }
    }
    let (Some(name), Some(value)) = (name, value) else {
        let hint = "`{ Name: QueueName, Value: !GetAtt OrderDLQ.QueueName }`".to_owned();
        return properties.problem(item.span, "a dimension needs `Name` and `Value`".to_owned(), Some(hint));
    };
    let name = plain_text(properties.stack, name)?.value;
    let value = if name == "QueueName" {
        queue_name(properties, value)?
    } else {
        DimensionValue::Literal(plain_text(properties.stack, value)?.value)
    };
    Some((name, value))
}

/// By reference, or by the name that the template gives the queue.
fn queue_name(properties: &mut Properties<'_, '_, '_>, value: Sp<Value>) -> Option<DimensionValue> {
    if let Value::Text(pieces) = &value.value
        && let [Piece::NameOf(id)] = pieces.parts()
        && properties.stack.resources.get(id).is_some_and(|resource| resource.kind == Kind::Queue)
    {
        return Some(DimensionValue::QueueNameOf(id.clone()));
    }
    let text = plain_text(properties.stack, value)?;
    Some(match properties.stack.named(&text, Kind::Queue) {
        Some(id) => DimensionValue::QueueNameOf(id.to_owned()),
        None => DimensionValue::Literal(text.value),
    })
}

/// At most five (PutMetricAlarm).
fn actions(properties: &mut Properties<'_, '_, '_>, name: &str) -> Option<Vec<String>> {
    let value: Maybe<Sp<Value>> = properties.get(name);
    let Some(value) = value? else { return Some(Vec::new()) };
    let Value::List(items) = value.value else {
        let message = format!("{name} must be a list, not {}", value.value.kind());
        return properties.problem(value.span, message, None);
    };
    if items.len() > 5 {
        return properties.problem(value.span, format!("{name} has more than 5 actions"), None);
    }
    let actions: Vec<_> = items.into_iter().map(|item| action(properties, name, item)).collect();
    let actions: Option<Vec<_>> = actions.into_iter().collect();
    Some(actions?.into_iter().flatten().collect())
}

/// A topic's logical id, another ARN as it is, or nothing for a resource that is not implemented.
fn action(properties: &mut Properties<'_, '_, '_>, name: &str, item: Sp<Value>) -> Maybe<String> {
    let prefix = arn_prefix("sns", "");
    if let Value::Text(pieces) = &item.value {
        // A function could be called as well, and so could what has no other name than its own.
        let named = pieces.parts().iter().find_map(|piece| match piece {
            Piece::NameOf(id) if !properties.stack.is(id, Kind::Topic) => Some(id.as_str()),
            _ => None,
        });
        if let Some(id) = pieces.foreign().or(named) {
            properties
                .ignored
                .push(format!("`{}`: the action `{id}` of {name} is not implemented", properties.id));
            return Some(None);
        }
        if let Some(id) = properties.by_arn(pieces, Kind::Topic, &prefix) {
            return Some(Some(id));
        }
    }
    let text = plain_text(properties.stack, item)?;
    if !text.starts_with("arn:") {
        let message = format!("`{}` is not an ARN", text.value);
        return properties.problem(text.span, message, Some("`!Ref OpsTopic`, for example".to_owned()));
    }
    Some(Some(text.value))
}
