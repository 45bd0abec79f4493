//! HTTP endpoints: confirmation, headers, and which answers are tried again (semantics 2.3).

use serde_json::{Value, json};

use super::ADDRESS;
use crate::fact::Fact;
use crate::place::Place;
use crate::sns::{Answered, Outbound, Signed};
use crate::sqs::parse;
use crate::tests::{World, arn, text};

const URL: &str = "http://localhost:8080/hook";

fn subscribe(world: &mut World, topic: &str, attributes: Value) -> String {
    let members = json!({
        "TopicArn": topic, "Protocol": "http", "Endpoint": URL, "Attributes": attributes, "ReturnSubscriptionArn": true,
    });
    let made = world.sns_ok("Subscribe", members);
    world.pass(0);
    text(&made["SubscriptionArn"])
}

fn one(world: &mut World) -> Outbound {
    let mut outbox = world.core.take_outbox();
    assert_eq!(outbox.len(), 1, "{outbox:?}");
    outbox.remove(0)
}

fn answer(world: &mut World, outbound: &Outbound, answered: Answered) {
    world.operate(|core, now| core.http_answered(now, outbound.delivery, answered));
}

/// `t` with a confirmed endpoint.
fn world(attributes: Value) -> (World, String, String) {
    let mut world = World::new();
    let (topic, sub) = confirmed(&mut world, attributes);
    (world, topic, sub)
}

fn confirmed(world: &mut World, attributes: Value) -> (String, String) {
    let topic = world.topic("t", json!({}));
    let sub = subscribe(world, &topic, attributes);
    let asked = one(world);
    answer(world, &asked, Answered::Status(200));
    let token = text(&serde_json::from_str::<Value>(&asked.body).expect("JSON")["Token"]);
    world.sns_ok("ConfirmSubscription", json!({ "TopicArn": topic, "Token": token }));
    world.facts();
    (topic, sub)
}

#[test]
fn an_endpoint_is_asked_before_it_gets_anything() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let members = json!({ "TopicArn": topic, "Protocol": "http", "Endpoint": URL });
    assert_eq!(world.sns_ok("Subscribe", members)["SubscriptionArn"], "pending confirmation");
    world.publish(&topic, "a");
    let asked = one(&mut world);
    assert_eq!(asked.url, URL);
    let body: Value = serde_json::from_str(&asked.body).expect("JSON");
    let names: Vec<_> = body.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "Type",
            "MessageId",
            "Token",
            "TopicArn",
            "Message",
            "SubscribeURL",
            "Timestamp",
            "SignatureVersion",
            "Signature",
            "SigningCertURL"
        ]
    );
    let token = text(&body["Token"]);
    assert_eq!(
        body["SubscribeURL"],
        format!("{ADDRESS}/?Action=ConfirmSubscription&TopicArn={topic}&Token={token}")
    );
    assert_eq!(
        body["Message"],
        format!(
            "You have chosen to subscribe to the topic {topic}.\nTo confirm the subscription, visit the SubscribeURL \
             included in this message."
        )
    );
    let header =
        |name: &str| asked.headers.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str());
    assert_eq!(header("x-amz-sns-message-type"), Some("SubscriptionConfirmation"));
    assert_eq!(header("x-amz-sns-message-id"), body["MessageId"].as_str());
    assert_eq!(header("x-amz-sns-topic-arn"), Some(&*topic));
    assert_eq!(header("x-amz-sns-subscription-arn"), None);
}

#[test]
fn tokens_are_checked_as_sns_checks_them() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let sub = subscribe(&mut world, &topic, json!({}));
    let token = text(&serde_json::from_str::<Value>(&one(&mut world).body).expect("JSON")["Token"]);
    for (topic, token, expected) in [
        ("not-an-arn", &*token, "Invalid parameter: Topic"),
        ("arn:aws:sns:eu-west-1:123456789012:t", &*token, "Invalid parameter: Topic"),
        (&*topic, "randomtoken", "Invalid token"),
        (&*topic, "abc123", "Invalid parameter: Token"),
    ] {
        let error = world.sns_error("ConfirmSubscription", json!({ "TopicArn": topic, "Token": token }));
        assert_eq!(error, format!("InvalidParameter: {expected}"));
    }
    // A link is not signed, and it may be followed twice.
    for _ in 0..2 {
        let input = parse(json!({ "TopicArn": topic, "Token": token })).expect("an input");
        let confirm = |core: &mut crate::core::Core, now| {
            core.confirm_subscription(now, Place::HOME, input, Signed::No)
        };
        assert_eq!(world.operate(confirm).expect("confirmed").subscription_arn, sub);
    }
    let shown =
        world.sns_ok("GetSubscriptionAttributes", json!({ "SubscriptionArn": sub }))["Attributes"].clone();
    assert_eq!(
        (&shown["PendingConfirmation"], &shown["ConfirmationWasAuthenticated"]),
        (&json!("false"), &json!("false"))
    );
}

#[test]
fn a_token_is_valid_for_two_days() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    subscribe(&mut world, &topic, json!({}));
    let token = text(&serde_json::from_str::<Value>(&one(&mut world).body).expect("JSON")["Token"]);
    world.pass(2 * 86_400 + 1);
    let error = world.sns_error("ConfirmSubscription", json!({ "TopicArn": topic, "Token": token }));
    assert_eq!(error, "InvalidParameter: Invalid parameter: Token");
}

#[test]
fn a_subscription_can_ask_for_signed_unsubscribes_only() {
    let mut world = World::new();
    let topic = world.topic("t", json!({}));
    let sub = subscribe(&mut world, &topic, json!({}));
    let token = text(&serde_json::from_str::<Value>(&one(&mut world).body).expect("JSON")["Token"]);
    let confirm = json!({ "TopicArn": topic, "Token": token, "AuthenticateOnUnsubscribe": "true" });
    world.sns_ok("ConfirmSubscription", confirm);
    let input = parse(json!({ "SubscriptionArn": sub })).expect("an input");
    let error = world.operate(|core, now| core.unsubscribe(now, input, Signed::No)).expect_err("refused");
    assert_eq!(error.query_code, "AuthorizationError");
    world.sns_ok("Unsubscribe", json!({ "SubscriptionArn": sub }));
}

#[test]
fn a_notification_has_the_headers_of_sns() {
    let (mut world, topic, sub) = world(json!({}));
    let id = world.publish(&topic, "a");
    let sent = one(&mut world);
    let body: Value = serde_json::from_str(&sent.body).expect("JSON");
    assert_eq!((&body["Type"], &body["MessageId"]), (&json!("Notification"), &json!(id)));
    assert_eq!(
        sent.headers,
        [
            ("x-amz-sns-message-type", "Notification".to_owned()),
            ("x-amz-sns-message-id", id),
            ("x-amz-sns-topic-arn", topic),
            ("x-amz-sns-subscription-arn", sub),
            ("content-type", "text/plain; charset=UTF-8".to_owned()),
            ("user-agent", "Amazon Simple Notification Service Agent".to_owned()),
            ("accept-encoding", "gzip,deflate".to_owned()),
        ]
    );
    answer(&mut world, &sent, Answered::Status(204));
    assert!(matches!(
        world.facts()[..],
        [Fact::Published { .. }, Fact::Delivered { attempts: 1, given_id: None, .. }]
    ));
}

#[test]
fn a_raw_notification_is_the_message_and_says_so() {
    let policy = json!({ "requestPolicy": { "headerContentType": "text/csv" } }).to_string();
    let (mut world, topic, _) = world(json!({ "RawMessageDelivery": "true", "DeliveryPolicy": policy }));
    world.publish(&topic, "a,b");
    let sent = one(&mut world);
    assert_eq!(sent.body, "a,b");
    assert!(sent.headers.contains(&("x-amz-sns-rawdelivery", "true".to_owned())));
    assert!(sent.headers.contains(&("content-type", "text/csv".to_owned())));
}

#[test]
fn server_errors_429_and_silence_are_retried_3_times_20_s_apart() {
    for answered in [Answered::Status(500), Answered::Status(429), Answered::Failed("refused".into())] {
        let (mut world, topic, _) = world(json!({}));
        world.publish(&topic, "a");
        for _ in 0..3 {
            let sent = one(&mut world);
            answer(&mut world, &sent, answered.clone());
            world.pass(19);
            assert!(world.core.take_outbox().is_empty());
            world.pass(1);
        }
        let sent = one(&mut world);
        answer(&mut world, &sent, answered);
        world.pass(3_600);
        assert!(world.core.take_outbox().is_empty());
        let facts = world.facts();
        assert_eq!(facts.iter().filter(|fact| matches!(fact, Fact::Retried { .. })).count(), 3);
        assert!(matches!(facts.last(), Some(Fact::Undelivered { attempts: 4, .. })));
    }
}

#[test]
fn other_statuses_are_for_good_and_go_to_the_dead_letter_queue() {
    for status in [400, 403, 404, 302] {
        let redrive = json!({ "deadLetterTargetArn": arn("dlq") }).to_string();
        let (mut world, topic, _) = world(json!({ "RedrivePolicy": redrive }));
        world.queue("dlq");
        world.publish(&topic, "a");
        let sent = one(&mut world);
        answer(&mut world, &sent, Answered::Status(status));
        assert_eq!(world.envelopes("dlq")[0]["Message"], "a");
        let facts = world.facts();
        assert!(
            matches!(&facts[1], Fact::DeadLettered { attempts: 1, reason, .. } if reason.ends_with(&status.to_string()))
        );
    }
}

#[test]
fn a_delivery_policy_of_its_own_is_kept_to() {
    let policy =
        json!({ "healthyRetryPolicy": { "numRetries": 1, "minDelayTarget": 5, "maxDelayTarget": 5 } });
    let (mut world, topic, sub) = world(json!({ "DeliveryPolicy": policy.to_string() }));
    world.publish(&topic, "a");
    let sent = one(&mut world);
    answer(&mut world, &sent, Answered::Status(503));
    world.pass(5);
    let sent = one(&mut world);
    answer(&mut world, &sent, Answered::Status(503));
    assert!(matches!(world.facts().last(), Some(Fact::Undelivered { attempts: 2, .. })));
    let shown = world.sns_ok("GetSubscriptionAttributes", json!({ "SubscriptionArn": sub }));
    assert!(text(&shown["Attributes"]["EffectiveDeliveryPolicy"]).contains(r#""numRetries":1"#));
}

#[test]
fn an_answer_for_a_subscription_that_is_gone_is_no_news() {
    let (mut world, topic, sub) = world(json!({}));
    world.publish(&topic, "a");
    let sent = one(&mut world);
    world.sns_ok("Unsubscribe", json!({ "SubscriptionArn": sub }));
    answer(&mut world, &sent, Answered::Status(500));
    assert!(matches!(world.facts().last(), Some(Fact::Undelivered { attempts: 1, .. })));
    assert_eq!(world.core.posts_without_answer(), 0);
}

#[test]
fn an_answer_from_before_a_reset_is_for_nothing_that_came_after_it() {
    let (mut world, topic, _) = world(json!({}));
    let publish = |world: &mut World, topic: &str| {
        world.publish(topic, "a");
        world.pass(0);
        one(world)
    };
    let early = publish(&mut world, &topic);
    world.core.reset();
    let (topic, _) = confirmed(&mut world, json!({}));
    let late = publish(&mut world, &topic);
    world.facts();
    answer(&mut world, &early, Answered::Status(200));
    assert_eq!(world.facts(), []);
    answer(&mut world, &late, Answered::Status(200));
    assert!(matches!(*world.facts(), [Fact::Delivered { .. }]));
}
