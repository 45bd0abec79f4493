//! When a consumer is ready, and consumers that havoq does not start.

use havoq_base::RealDuration;
use serde_json::{Value, json};

use super::super::decode::{
    AnyText, Decode, Given, LongDuration, Loopback, Need, Pattern, Several, Whole, record,
};
use super::super::problem::Log;
use super::super::yaml::{Data, Node};

/// `poll`, or a mapping with what shows it.
#[derive(Clone, Debug)]
pub(in crate::scenario) enum ReadyRaw {
    Poll,
    Detailed(ReadyDetail),
}

record! {
    /// What shows that a started consumer is ready: one of `log`, `port` and `command`, else its
    /// first poll.
    ReadyDetail {
        /// A regular expression that matches in a line of its stdout or stderr.
        "log" => log: Pattern, Need::Optional, "started in .* seconds";
        /// It accepts connections on this port of 127.0.0.1.
        "port" => port: Whole<1, 65535>, Need::Optional, "8080";
        /// This exits with 0; until then it is tried again.
        "command" => command: Several<AnyText>, Need::Optional, "[curl, -f, \"http://127.0.0.1:8080/health\"]";
        /// How long it may take, in real time; `30s` when absent.
        "within" => within: LongDuration<RealDuration>, Need::Optional, "1m";
    }
}

/// What shows it, each a key of its own.
const SIGNS: [&str; 3] = ["log", "port", "command"];

impl Decode for ReadyRaw {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        match (&node.data, node.text()) {
            (Data::Map(_), _) => {
                let detail = ReadyDetail::decode(node, log)?;
                if SIGNS.iter().filter(|sign| detail.has(sign)).count() > 1 {
                    log.report(node.span, "a consumer is ready by one sign")
                        .hint("keep one of `log`, `port` and `command`");
                    return None;
                }
                if !detail.has_more_than(&[]) {
                    log.report(node.span, "this says nothing").hint("`ready: { port: 8080 }`, for example");
                    return None;
                }
                Some(Self::Detailed(detail))
            }
            (_, Some("poll")) => Some(Self::Poll),
            _ => {
                log.report(node.span, format!("{} does not say when a consumer is ready", node.kind())).hint(
                    "one of `poll`, `{ log: \"regex\" }`, `{ port: 8080 }`, `{ command: [curl, -f, URL] }`",
                );
                None
            }
        }
    }
    fn schema() -> Value {
        let mut detail = ReadyDetail::schema();
        detail["minProperties"] = 1.into();
        detail["maxProperties"] = 2.into();
        json!({ "anyOf": [{ "enum": ["poll"] }, detail] })
    }
}

record! {
    /// A consumer that is deployed already: havoq opens a tap for it, and runs commands to end it
    /// and to bring it back.
    DeployedRaw {
        /// The address on loopback that its `AWS_ENDPOINT_URL` leads to.
        "listen" => listen: Loopback, Need::Required, "\"127.0.0.1:4700\"";
        /// Ends it. It must be dead when this exits.
        "kill" => kill: Several<AnyText>, Need::Optional, "[docker, kill, orders]";
        /// Starts it again.
        "restart" => restart: Several<AnyText>, Need::Optional, "[docker, start, orders]";
        /// Starts its fixed variant, for `swap` and from then on.
        "fix" => fix: Several<AnyText>, Need::Optional, "[docker, start, orders-fixed]";
    }
}
