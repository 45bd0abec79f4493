//! The JSON that endpoints get (semantics 2.1): notifications and requests to confirm. The layout,
//! spaces and all, is AWS's.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::notification::Notification;
use super::pending::Occasion;
use super::subscription::Subscription;

/// The members, in order; values are JSON already.
#[derive(Default)]
struct Envelope(Vec<(&'static str, String)>);

impl Envelope {
    fn text(&mut self, name: &'static str, value: &str) {
        self.0.push((name, json(value)));
    }

    /// The four members about the signature. It is made up and nobody's: it changes with what it
    /// is of, and no certificate proves it.
    fn sign(&mut self, version_2: bool, region: &str) {
        let signed: String = self.0.iter().map(|(name, value)| format!("{name}\n{value}\n")).collect();
        self.text("SignatureVersion", signature_version(version_2));
        self.text("Signature", &signature(&signed));
        self.text("SigningCertURL", &certificate_url(region));
    }

    fn finish(self) -> String {
        let lines = self.0.iter().map(|(name, value)| format!("  \"{name}\" : {value}"));
        format!("{{\n{}\n}}", lines.collect::<Vec<_>>().join(",\n"))
    }
}

fn signature_version(version_2: bool) -> &'static str {
    if version_2 { "2" } else { "1" }
}

fn certificate_url(region: &str) -> String {
    format!("https://sns.{region}.amazonaws.com/SimpleNotificationService-{CERTIFICATE}.pem")
}

fn unsubscribe_url(sub: &Subscription) -> String {
    format!("{}/?Action=Unsubscribe&SubscriptionArn={}", sub.address, sub.arn)
}

const CERTIFICATE: &str = "00000000000000000000000000000000";

/// As long as an RSA signature of 2,048 bits.
fn signature(signed: &str) -> String {
    let blocks =
        (0..8_u8).flat_map(|block| Sha256::new().chain_update([block]).chain_update(signed).finalize());
    STANDARD.encode(blocks.collect::<Vec<u8>>())
}

fn json(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

pub(super) fn notification(notification: &Notification, occasion: Occasion, sub: &Subscription) -> String {
    let mut envelope = Envelope::default();
    envelope.text("Type", "Notification");
    envelope.text("MessageId", notification.id.as_str());
    if let Some(mark) = &notification.fifo {
        envelope.text("SequenceNumber", &mark.sequence_number);
    }
    envelope.text("TopicArn", &notification.topic_arn);
    if let Some(subject) = &notification.subject {
        envelope.text("Subject", subject);
    }
    envelope.text("Message", notification.text(sub.endpoint.protocol()));
    envelope.text("Timestamp", &timestamp(notification.at));
    if notification.fifo.is_none() {
        envelope.sign(notification.signature_version_2, sub.region());
    }
    envelope.text("UnsubscribeURL", &unsubscribe_url(sub));
    if !notification.attributes.is_empty() {
        envelope.0.push(("MessageAttributes", attributes(notification)));
    }
    // A boolean, semantics 2.4; where AWS puts it is not documented.
    if occasion == Occasion::Replayed {
        envelope.0.push(("Replayed", true.to_string()));
    }
    envelope.finish()
}

/// What a function gets: one record, with members that are named a little otherwise.
pub(super) fn function_event(notification: &Notification, sub: &Subscription) -> String {
    let text = notification.text(sub.endpoint.protocol());
    let attributes = notification.attributes.iter().map(|(name, attribute)| {
        (name.clone(), json!({ "Type": attribute.data_type, "Value": attribute.value }))
    });
    let signed = format!("Message\n{text}\nMessageId\n{}\n", notification.id.as_str());
    let message = json!({
        "Type": "Notification",
        "MessageId": notification.id.as_str(),
        "TopicArn": notification.topic_arn,
        "Subject": notification.subject,
        "Message": text,
        "Timestamp": timestamp(notification.at),
        "SignatureVersion": signature_version(notification.signature_version_2),
        "Signature": signature(&signed),
        "SigningCertUrl": certificate_url(sub.region()),
        "UnsubscribeUrl": unsubscribe_url(sub),
        "MessageAttributes": serde_json::Map::from_iter(attributes),
    });
    let record = json!({
        "EventSource": "aws:sns",
        "EventVersion": "1.0",
        "EventSubscriptionArn": &*sub.arn,
        "Sns": message,
    });
    json!({ "Records": [record] }).to_string()
}

fn attributes(notification: &Notification) -> String {
    let lines = notification.attributes.iter().map(|(name, attribute)| {
        let (kind, value) = (json(&attribute.data_type), json(&attribute.value));
        format!("    {} : {{\"Type\":{kind},\"Value\":{value}}}", json(name))
    });
    format!("{{\n{}\n  }}", lines.collect::<Vec<_>>().join(",\n"))
}

pub(super) fn confirmation(id: &MessageId, at: StackTime, sub: &Subscription) -> String {
    let (topic, token) = (&sub.topic_arn, sub.token().map_or("", |token| &token.text));
    let mut envelope = Envelope::default();
    envelope.text("Type", "SubscriptionConfirmation");
    envelope.text("MessageId", id.as_str());
    envelope.text("Token", token);
    envelope.text("TopicArn", topic);
    envelope.text(
        "Message",
        &format!(
            "You have chosen to subscribe to the topic {topic}.\nTo confirm the subscription, visit the SubscribeURL \
             included in this message."
        ),
    );
    let url = format!("{}/?Action=ConfirmSubscription&TopicArn={topic}&Token={token}", sub.address);
    envelope.text("SubscribeURL", &url);
    envelope.text("Timestamp", &timestamp(at));
    envelope.sign(false, sub.region());
    envelope.finish()
}

/// With milliseconds, where the clock has microseconds.
pub(crate) fn timestamp(at: StackTime) -> String {
    format!("{}Z", at.rfc3339().get(..23).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_have_milliseconds_and_a_z() {
        assert_eq!(timestamp(StackTime::from_micros(1_800_000_000_123_999)), "2027-01-15T08:00:00.123Z");
        assert_eq!(timestamp(StackTime::from_secs(1_800_000_000)), "2027-01-15T08:00:00.000Z");
    }

    #[test]
    fn a_signature_is_as_long_as_a_real_one_and_changes_with_its_text() {
        assert_eq!(signature("a").len(), 344);
        assert_ne!(signature("a"), signature("b"));
    }
}
