//! Receives (semantics 1.4).

use aws_sdk_sqs::types::MessageSystemAttributeName as System;
use havoq_base::clock::sleep;
use havoq_base::{RealDuration, RunStart};
use serde_json::json;

use super::check::checks;
use super::finding::{Shown, ensure, same, wrong};
use super::lab::Lab;
use super::queue::{bodies, receives, system, text};
use super::refusal::refused;

checks! { Sqs:
    Seconds "sqs-receive-ten" "1.4" "a receive gives ten messages at most" ten;
    Seconds "sqs-receive-eleven" "1.4" "a receive that asks for eleven is refused" eleven;
    Seconds "sqs-receive-wait-range" "1.4" "a wait of more than 20 s is refused" wait_range;
    Seconds "sqs-receive-empty" "1.4" "an empty receive has no Messages member" empty;
    Seconds "sqs-receive-waits" "1.4" "a long poll of an empty queue waits" waits;
    Seconds "sqs-receive-waits-by-default" "1.4" "a receive without a wait has the queue's" waits_by_default;
    Seconds "sqs-receive-wakes" "1.4" "a long poll answers as soon as a message is there" wakes;
    Seconds "sqs-receive-wakes-on-return" "1.4" "a long poll answers when a hidden message comes back" wakes_on_return;
    Seconds "sqs-receive-unasked" "1.4" "no attribute is given that was not asked for" unasked;
    Seconds "sqs-receive-count" "1.4" "ApproximateReceiveCount rises with each receive" count;
    Seconds "sqs-receive-first" "1.4" "the times of sending and of the first receive stay as they are" first;
    Seconds "sqs-receive-names" "1.4" "message attributes are chosen by exact name and by prefix" names;
}

async fn ten(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    for n in 0..12 {
        queue.send(&n.to_string()).await?;
    }
    let seen = queue.receiving().send().await?.messages.unwrap_or_default();
    // Fewer may come; an AWS short poll asks some servers only.
    ensure((1..=10).contains(&seen.len()), "one to ten of twelve messages", format!("{}", seen.len()))
}

async fn eleven(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let asked = queue.receiving().max_number_of_messages(11).send().await;
    refused(asked, &["InvalidParameterValue", "ReadCountOutOfRange"])
}

async fn wait_range(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let asked = queue.receiving().wait_time_seconds(21).send();
    match tokio::time::timeout(std::time::Duration::from_secs(5), asked).await {
        Ok(answered) => refused(answered, &["InvalidParameterValue"]),
        Err(_) => wrong("ReceiveMessage to be refused with InvalidParameterValue", "it waits"),
    }
}

async fn empty(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let answer = lab.json("/", "ReceiveMessage", &json!({ "QueueUrl": queue.url })).await?;
    let is_right = answer.status == 200 && answer.json().get("Messages").is_none();
    ensure(is_right, "an answer without Messages", answer.told())
}

async fn waits(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let began = RunStart::now();
    queue.receiving().wait_time_seconds(2).send().await?;
    let waited = began.elapsed().as_secs_f64();
    ensure(waited > 1.5, "an answer after about 2 s", format!("one after {waited:.1} s"))
}

async fn waits_by_default(lab: Lab) -> Shown {
    let queue = lab.queue(&[("ReceiveMessageWaitTimeSeconds", "2")]).await?;
    let began = RunStart::now();
    lab.sqs().receive_message().queue_url(&queue.url).send().await?;
    let waited = began.elapsed().as_secs_f64();
    ensure(waited > 1.5, "an answer after about 2 s", format!("one after {waited:.1} s"))
}

async fn wakes(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let poll = queue.receiving().wait_time_seconds(8);
    let poll = tokio::spawn(async move {
        let began = RunStart::now();
        (poll.send().await, began.elapsed().as_secs_f64())
    });
    sleep(RealDuration::from_millis(500)).await;
    queue.send("a").await?;
    let Ok((received, waited)) = poll.await else { return wrong("an answer", "none") };
    let received = received?.messages.unwrap_or_default();
    same("a message within the poll:", received.len(), 1)?;
    ensure(waited < 6.0, "an answer right after the send", format!("one after {waited:.1} s"))
}

async fn wakes_on_return(lab: Lab) -> Shown {
    let queue = lab.queue(&[("VisibilityTimeout", "600")]).await?;
    queue.send("a").await?;
    let message = queue.one("the message that was sent").await?;
    let poll = queue.receiving().wait_time_seconds(8);
    let poll = tokio::spawn(async move { poll.send().await });
    sleep(RealDuration::from_millis(500)).await;
    queue.hide(&message, 0).await?;
    let Ok(received) = poll.await else { return wrong("an answer", "none") };
    same("a message within the poll:", received?.messages.unwrap_or_default().len(), 1)
}

async fn unasked(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.sending("a").message_attributes("colour", text("red")).send().await?;
    let receive = lab.sqs().receive_message().queue_url(&queue.url).wait_time_seconds(2);
    let seen = receive.send().await?.messages.unwrap_or_default();
    let Some(message) = seen.first() else { return wrong("the message that was sent", "no message") };
    let system = message.attributes.as_ref().map_or(0, |all| all.len());
    let own = message.message_attributes.as_ref().map_or(0, |all| all.len());
    same("attributes that were not asked for:", (system, own), (0, 0))
}

async fn count(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    for count in ["1", "2", "3"] {
        let message = queue.one("the message again").await?;
        same("ApproximateReceiveCount", receives(&message), count)?;
        queue.hide(&message, 0).await?;
    }
    Ok(())
}

async fn first(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    queue.send("a").await?;
    let first = queue.one("the message that was sent").await?;
    lab.pass(1).await;
    queue.hide(&first, 0).await?;
    let second = queue.one("the message again").await?;
    for name in [System::SentTimestamp, System::ApproximateFirstReceiveTimestamp] {
        let (before, after) = (system(&first, name.clone()), system(&second, name.clone()));
        let is_millis = before.is_some_and(|time| time.len() == 13);
        ensure(is_millis, format!("{name} in milliseconds"), format!("{before:?}"))?;
        same(name.as_str(), after, before)?;
    }
    Ok(())
}

async fn names(lab: Lab) -> Shown {
    let queue = lab.queue(&[]).await?;
    let send = queue.sending("a").message_attributes("a.one", text("1"));
    send.message_attributes("a.two", text("2")).message_attributes("b", text("3")).send().await?;
    for (asked, expected) in [("a.*", vec!["a.one", "a.two"]), ("b", vec!["b"]), ("c", vec![])] {
        let receive = lab.sqs().receive_message().queue_url(&queue.url).visibility_timeout(0);
        let receive = receive.wait_time_seconds(2).message_attribute_names(asked);
        let seen = receive.send().await?.messages.unwrap_or_default();
        let Some(message) = seen.first() else { return wrong("the message", bodies(&seen)) };
        let mut found: Vec<&str> =
            message.message_attributes.iter().flatten().map(|(name, _)| name.as_str()).collect();
        found.sort_unstable();
        same(&format!("for `{asked}`"), found, expected)?;
    }
    Ok(())
}
