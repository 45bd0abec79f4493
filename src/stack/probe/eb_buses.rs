//! Event buses (semantics 3.1, 3.2).

use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use serde_json::json;

use super::bus::{SOURCE, event_names, everything, target};
use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::refusal::{not_accepted, refused};
use super::schedule::role_beside;

checks! { EventBridge:
    Seconds "eb-bus-own" "3.1" "an event on a bus runs the rules of that bus, and no others" own;
    Seconds "eb-bus-default" "3.1" "an event that names no bus comes to the default bus" default;
    Seconds "eb-bus-arn" "3.1" "PutEvents takes a bus by its ARN too" by_arn;
    Seconds "eb-bus-missing" "3.1" "an event for a bus that is not there is taken, and gone" missing;
    Seconds "eb-bus-again" "3.1" "a bus that is created again is refused" again;
    Seconds "eb-bus-with-rules" "3.1" "a bus that has rules cannot be deleted" with_rules;
    Seconds "eb-bus-default-stays" "3.1" "the default bus cannot be deleted" default_stays;
    Seconds "eb-bus-to-bus" "3.4" "a target that is a bus gets the event with its id" to_bus;
}

async fn own(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    let (other, _, heard) = lab.routed().await?;
    bus.put(&json!({ "name": "first" })).await?;
    other.put(&json!({ "name": "second" })).await?;
    for (queue, expected) in [(queue, "first"), (heard, "second")] {
        same("events of the bus:", event_names(&queue.take(2).await?)?, vec![expected.to_owned()])?;
    }
    Ok(())
}

async fn default(lab: Lab) -> Shown {
    let (bus, queue, mark) = (lab.default_bus(), lab.queue(&[]).await?, lab.name("")?);
    let rule = bus.rule(&json!({ "source": [SOURCE], "detail": { "name": [mark] } })).await?;
    rule.to("1", &queue).await?;
    let entry = PutEventsRequestEntry::builder().source(SOURCE).detail_type("probe");
    bus.put_all(vec![entry.detail(json!({ "name": mark }).to_string()).build()]).await?;
    same("events:", event_names(&queue.take(1).await?)?, vec![mark])
}

async fn by_arn(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    let mut event = bus.event(&json!({ "name": "a" }));
    event.event_bus_name = Some(bus.arn.clone());
    bus.put_all(vec![event]).await?;
    same("events:", event_names(&queue.take(1).await?)?, vec!["a".to_owned()])
}

async fn missing(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    let mut event = bus.event(&json!({ "name": "gone" }));
    event.event_bus_name = Some(lab.short_name()?);
    let answer = bus.put_all(vec![event, bus.event(&json!({ "name": "here" }))]).await?;
    same("FailedEntryCount", answer.failed_entry_count(), 0)?;
    ensure(answer.entries().iter().all(|entry| entry.event_id().is_some()), "an EventId for each", "none")?;
    same("events:", event_names(&queue.take(2).await?)?, vec!["here".to_owned()])
}

async fn again(lab: Lab) -> Shown {
    let bus = lab.bus().await?;
    let again = lab.events().create_event_bus().name(&bus.name).send().await;
    refused(again, &["ResourceAlreadyExistsException"])
}

async fn with_rules(lab: Lab) -> Shown {
    let (bus, _, queue) = lab.routed().await?;
    not_accepted(lab.events().delete_event_bus().name(&bus.name).send().await, "the bus has a rule")?;
    bus.put(&json!({ "name": "still" })).await?;
    same("events:", event_names(&queue.take(1).await?)?, vec!["still".to_owned()])
}

async fn default_stays(lab: Lab) -> Shown {
    // Where the bus is not there at all, a refusal shows nothing.
    lab.events().describe_event_bus().name("default").send().await?;
    not_accepted(lab.events().delete_event_bus().name("default").send().await, "it is the default bus")?;
    lab.events().describe_event_bus().name("default").send().await?;
    Ok(())
}

async fn to_bus(lab: Lab) -> Shown {
    let (behind, _, queue) = lab.routed().await?;
    let bus = lab.bus().await?;
    let role = role_beside(&behind.arn);
    let rule = bus.rule(&everything()).await?;
    rule.put_target(target("1", &behind.arn).role_arn(role)).await?;
    let id = bus.put(&json!({ "name": "on" })).await?;
    let event = super::bus::delivered(&queue).await?;
    same("the event's id", event["id"].as_str(), Some(id.as_str()))
}
