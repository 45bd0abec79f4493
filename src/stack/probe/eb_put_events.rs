//! PutEvents: what is taken, and the envelope (semantics 3.1).

use aws_sdk_eventbridge::primitives::DateTime;
use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use serde_json::json;

use super::bus::{Bus, SOURCE, delivered, event_names};
use super::check::checks;
use super::finding::{Shown, ensure, same, wrong};
use super::lab::Lab;
use super::queue::Queue;
use super::refusal::refused;

checks! { EventBridge:
    Seconds "eb-event-envelope" "3.1" "a target gets the event in its envelope" envelope;
    Seconds "eb-event-id" "3.1" "the envelope has the EventId of PutEvents" id;
    Seconds "eb-event-time" "3.1" "a time that was given is the event's, in seconds" time;
    Seconds "eb-event-resources" "3.1" "resources are the event's, an empty list where none were given" resources;
    Seconds "eb-put-ten" "3.1" "ten events are taken in a call" ten;
    Seconds "eb-put-eleven" "3.1" "eleven are refused whole" eleven;
    Seconds "eb-put-none" "3.1" "a call without events is refused" none;
    Seconds "eb-put-too-large" "3.1" "more than 1 MB in all is refused whole" too_large;
    Seconds "eb-put-large" "3.1" "1 MB less some is taken" large;
    Seconds "eb-put-partial" "3.1" "a bad entry fails at its index, and the others are delivered" partial;
    Seconds "eb-put-source" "3.1" "an entry without a source fails with InvalidArgument" source;
    Seconds "eb-put-type" "3.1" "an entry without a detail type fails with InvalidArgument" detail_type;
    Seconds "eb-put-malformed" "3.1" "a detail that is no JSON fails with MalformedDetail" malformed;
    Seconds "eb-put-no-object" "3.1" "a detail that is no object fails with MalformedDetail" no_object;
    Seconds "eb-put-reserved" "3.1" "a source that begins with aws. fails" reserved;
}

async fn envelope(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    bus.put(&json!({ "name": "a" })).await?;
    let event = delivered(&queue).await?;
    let parts: Vec<&str> = bus.arn.split(':').collect();
    let expected = json!({
        "version": "0", "id": event["id"], "detail-type": "probe", "source": SOURCE,
        "account": parts.get(4), "time": event["time"], "region": parts.get(3), "resources": [],
        "detail": { "name": "a" },
    });
    same("the event", event, expected)
}

async fn id(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    let id = bus.put(&json!({ "name": "a" })).await?;
    same("the event's id", delivered(&queue).await?["id"].as_str(), Some(id.as_str()))
}

async fn time(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    let mut event = bus.event(&json!({ "name": "a" }));
    event.time = Some(DateTime::from_secs(1_700_000_000));
    bus.put_all(vec![event]).await?;
    same("the event's time", delivered(&queue).await?["time"].as_str(), Some("2023-11-14T22:13:20Z"))
}

async fn resources(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    let mut event = bus.event(&json!({ "name": "a" }));
    event.resources = Some(vec!["arn:one".to_owned(), "arn:two".to_owned()]);
    bus.put_all(vec![event]).await?;
    same("the resources", &delivered(&queue).await?["resources"], &json!(["arn:one", "arn:two"]))?;
    bus.put(&json!({ "name": "b" })).await?;
    same("the resources", &delivered(&queue).await?["resources"], &json!([]))
}

fn numbered(bus: &Bus, count: usize) -> Vec<PutEventsRequestEntry> {
    (0..count).map(|number| bus.event(&json!({ "name": format!("{number}") }))).collect()
}

async fn ten(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    same("FailedEntryCount", bus.put_all(numbered(&bus, 10)).await?.failed_entry_count(), 0)?;
    same("events delivered:", queue.take(10).await?.len(), 10)
}

/// Nothing of what is refused whole is delivered.
async fn nothing(lab: &Lab, queue: &Queue) -> Shown {
    lab.pass(1).await;
    queue.none("no event of a call that was refused").await
}

async fn eleven(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    let put = lab.events().put_events().set_entries(Some(numbered(&bus, 11)));
    refused(put.send().await, &["ValidationException"])?;
    nothing(&lab, &queue).await
}

async fn none(lab: Lab) -> Shown {
    lab.bus().await?;
    refused(lab.events().put_events().set_entries(Some(Vec::new())).send().await, &["ValidationException"])
}

/// Two events that are this long together.
fn long(bus: &Bus, length: usize) -> Vec<PutEventsRequestEntry> {
    let half = json!({ "name": "long", "text": "x".repeat(length / 2) });
    vec![bus.event(&half), bus.event(&half)]
}

async fn too_large(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    let put = lab.events().put_events().set_entries(Some(long(&bus, 1_048_576)));
    refused(put.send().await, &["ValidationException"])?;
    nothing(&lab, &queue).await
}

async fn large(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    let put = bus.put_all(long(&bus, 1_040_000)).await;
    super::refusal::succeeds("PutEvents of less than 1 MB", put)?;
    same("events:", event_names(&queue.take(2).await?)?.len(), 2)
}

/// An entry that is bad for this must fail with this code, and its neighbours must be delivered.
async fn fails(lab: &Lab, code: Option<&str>, spoil: impl Fn(&mut PutEventsRequestEntry)) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    let mut events = ["before", "bad", "after"].map(|name| bus.event(&json!({ "name": name })));
    spoil(&mut events[1]);
    let answer = bus.put_all(events.to_vec()).await?;
    same("FailedEntryCount", answer.failed_entry_count(), 1)?;
    let failed: Vec<bool> = answer.entries().iter().map(|entry| entry.error_code().is_some()).collect();
    same("failed at each index:", failed, vec![false, true, false])?;
    let seen = answer.entries()[1].error_code();
    ensure(code.is_none() || seen == code, format!("ErrorCode {code:?}"), format!("{seen:?}"))?;
    let names = event_names(&queue.take(3).await?)?;
    if names == ["after", "before"] { Ok(()) } else { wrong("the other two", format!("{names:?}")) }
}

async fn partial(lab: Lab) -> Shown {
    fails(&lab, None, |event| event.detail = Some("no JSON".to_owned())).await
}

async fn source(lab: Lab) -> Shown {
    fails(&lab, Some("InvalidArgument"), |event| event.source = None).await
}

async fn detail_type(lab: Lab) -> Shown {
    fails(&lab, Some("InvalidArgument"), |event| event.detail_type = None).await
}

async fn malformed(lab: Lab) -> Shown {
    fails(&lab, Some("MalformedDetail"), |event| event.detail = Some("{".to_owned())).await
}

async fn no_object(lab: Lab) -> Shown {
    fails(&lab, Some("MalformedDetail"), |event| event.detail = Some("[1]".to_owned())).await
}

async fn reserved(lab: Lab) -> Shown {
    fails(&lab, Some("NotAuthorizedForSourceException"), |event| event.source = Some("aws.s3".to_owned()))
        .await
}
