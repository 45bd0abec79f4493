//! Metrics: own ones, and those that queues and topics emit (semantics 1.16, 2.5, 4.3).

use super::alarm::OWN;
use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::queue::Queue;
use super::sqs_dead_letters::dead_letter;

checks! { CloudWatch:
    Seconds "cw-statistics" "4.3" "Sum, Average, Minimum, Maximum and SampleCount of a minute are right" statistics;
    Seconds "cw-dimensions" "4.3" "a metric with other dimensions is another metric" dimensions;
    Minutes "cw-queue-depth" "1.16" "a queue emits ApproximateNumberOfMessagesVisible" depth;
    Minutes "cw-queue-age" "1.16" "a queue emits ApproximateAgeOfOldestMessage" age;
    Minutes "cw-queue-sent" "1.16" "a queue emits NumberOfMessagesSent" sent;
    Minutes "cw-queue-received" "1.16" "NumberOfMessagesReceived counts each receive" received;
    Minutes "cw-dlq-sent" "1.16" "NumberOfMessagesSent of a dead-letter queue does not count what is moved there" dlq_sent;
    Minutes "cw-topic-published" "2.5" "a topic emits NumberOfMessagesPublished" published;
}

async fn statistics(lab: Lab) -> Shown {
    let metric = lab.name("")?;
    let minute = lab.now_seconds() / 60 * 60 - 60;
    for (value, after) in [(1.0, 5), (2.0, 10), (6.0, 20)] {
        lab.measure_at(&metric, value, minute + after).await?;
    }
    let look = || async { Ok(lab.minutes(OWN, &metric, None).await?.into_iter().next()) };
    let Some(seen) = lab.until(20, look).await? else {
        return super::finding::wrong("a datapoint of what was put", "none");
    };
    let seen = [seen.sum, seen.average, seen.minimum, seen.maximum, seen.sample_count];
    let seen = seen.map(Option::unwrap_or_default);
    same("Sum, Average, Minimum, Maximum, SampleCount", seen, [9.0, 3.0, 1.0, 6.0, 3.0])
}

async fn dimensions(lab: Lab) -> Shown {
    let metric = lab.name("")?;
    lab.measure(&metric, 1.0).await?;
    let look = || async { Ok(lab.minutes(OWN, &metric, None).await?.into_iter().next()) };
    let there = lab.until(20, look).await?.is_some();
    ensure(there, "a datapoint of what was put", "none")?;
    let other = lab.minutes(OWN, &metric, Some(("Colour", "red"))).await?;
    same("datapoints with a dimension that was not put:", other.len(), 0)
}

/// The queue's metric must show, within minutes, a minute that is as wanted.
async fn shows(lab: &Lab, queue: &Queue, metric: &str, least: f64) -> Shown {
    let there = lab.queue_metric(queue, metric, |minute| minute.maximum.is_some_and(|most| most >= least));
    ensure(there.await?, format!("{metric} of at least {least}"), "no such datapoint")
}

async fn depth(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    queue.send("b").await?;
    shows(&lab, &queue, "ApproximateNumberOfMessagesVisible", 2.0).await
}

async fn age(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    shows(&lab, &queue, "ApproximateAgeOfOldestMessage", 20.0).await
}

async fn sent(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    let there = lab.queue_metric(&queue, "NumberOfMessagesSent", |minute| minute.sum == Some(1.0)).await?;
    ensure(there, "a minute with a Sum of 1", "none")
}

async fn received(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    for _ in 0..2 {
        let message = queue.one("the message").await?;
        queue.hide(&message, 0).await?;
    }
    lab.queue_metric(&queue, "NumberOfMessagesReceived", |minute| minute.sum.is_some_and(|sum| sum > 0.0))
        .await?;
    let minutes =
        lab.minutes("AWS/SQS", "NumberOfMessagesReceived", Some(("QueueName", &queue.name))).await?;
    let total: f64 = minutes.iter().filter_map(|minute| minute.sum).sum();
    same("receives:", total, 2.0)
}

async fn dlq_sent(lab: Lab) -> Shown {
    let (queue, dead) = lab.with_dead_letters(1, &[]).await?;
    dead_letter(&queue, 1).await?;
    // The same minute's depth shows that its metrics are there at all.
    shows(&lab, &dead, "ApproximateNumberOfMessagesVisible", 1.0).await?;
    let minutes = lab.minutes("AWS/SQS", "NumberOfMessagesSent", Some(("QueueName", &dead.name))).await?;
    let total: f64 = minutes.iter().filter_map(|minute| minute.sum).sum();
    same("the Sum of NumberOfMessagesSent:", total, 0.0)
}

async fn published(lab: Lab) -> Shown {
    let topic = lab.topic().await?;
    topic.publish("a").await?;
    let look = || async {
        let dimension = Some(("TopicName", topic.name.as_str()));
        let minutes = lab.minutes("AWS/SNS", "NumberOfMessagesPublished", dimension).await?;
        Ok(minutes.iter().any(|minute| minute.sum == Some(1.0)).then_some(()))
    };
    let there = lab.until(super::alarm::EVALUATED, look).await?.is_some();
    ensure(there, "a minute with a Sum of 1", "none")
}
