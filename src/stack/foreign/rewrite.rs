//! Which URL the stack itself has for a queue that a client speaks of.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http::Uri;

use crate::aws::queue_urls::{change, path_at};

/// The stack's own QueueUrls: of the queues that were made for the run, by name, and of those that
/// clients were told of, by region and path.
#[derive(Debug, Default)]
pub(super) struct QueueUrls {
    by_name: HashMap<String, String>,
    told: Mutex<HashMap<(Option<String>, String), String>>,
}

/// Through what a client speaks to the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'a> {
    /// The tap, as the client calls it.
    pub(super) tap: &'a str,
    /// The region that the client signs for.
    pub(super) region: Option<&'a str>,
    /// The stack's URL.
    pub(super) stack: &'a str,
}

impl QueueUrls {
    pub fn new<'a>(urls: impl Iterator<Item = &'a String>) -> Self {
        let by_name = urls.filter_map(|url| Some((last_part(url)?.to_owned(), url.clone())));
        Self { by_name: by_name.collect(), told: Mutex::default() }
    }

    /// The stack's own URL for one that a client named, unless it is somebody else's.
    pub fn own(&self, url: &str, way: Way<'_>) -> Option<String> {
        if let Some(own) = self.by_name.get(last_part(url)?) {
            return Some(own.clone());
        }
        let path = path_at(url, way.tap)?;
        let elsewhere = format!("{}{path}", way.stack);
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        Some(told.get(&(way.region.map(str::to_owned), path)).cloned().unwrap_or(elsewhere))
    }

    /// The path under which the stack has the queue that this path means.
    pub fn own_path(&self, path: &str) -> Option<String> {
        let own = self.by_name.get(last_part(path)?)?;
        Some(own.parse::<Uri>().ok()?.path().to_owned())
    }

    /// Remembers what the stack calls the queues of an answer, by what the client will call them.
    pub fn learn(&self, body: &Bytes, region: Option<&str>) {
        change(body, |url| {
            let path = url.parse::<Uri>().ok()?.path().to_owned();
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            told.insert((region.map(str::to_owned), path), url.to_owned());
            None
        });
    }
}

fn last_part(url: &str) -> Option<&str> {
    url.rsplit('/').next().filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "http://sqs.us-east-1.stack.example:4566/queue/us-east-1/000000000000/havoq-r-Orders";
    const TAPS: &str = "http://127.0.0.1:4000/000000000000/havoq-r-Orders";
    const WAY: Way<'_> =
        Way { tap: "127.0.0.1:4000", region: Some("us-east-1"), stack: "http://stack.example:4566" };

    #[test]
    fn the_stack_is_asked_for_its_own_url_of_the_runs_queues() {
        let urls = QueueUrls::new([OWN.to_owned()].iter());
        assert_eq!(urls.own(TAPS, WAY).as_deref(), Some(OWN));
        assert_eq!(
            urls.own_path("/000000000000/havoq-r-Orders").as_deref(),
            Some("/queue/us-east-1/000000000000/havoq-r-Orders")
        );
    }

    #[test]
    fn other_queues_are_asked_for_as_the_stack_named_them() {
        let urls = QueueUrls::default();
        let asked = "http://127.0.0.1:4000/queue/us-east-1/000000000000/havoq-r-Orders";
        let plain = "http://stack.example:4566/queue/us-east-1/000000000000/havoq-r-Orders";
        assert_eq!(urls.own(asked, WAY).as_deref(), Some(plain), "never heard of");
        urls.learn(&Bytes::from(format!("{{\"QueueUrl\":\"{OWN}\"}}")), Some("us-east-1"));
        assert_eq!(urls.own(asked, WAY).as_deref(), Some(OWN));
        let elsewhere = Way { region: Some("eu-west-1"), ..WAY };
        assert_eq!(urls.own(asked, elsewhere).as_deref(), Some(plain), "another region's");
        assert_eq!(urls.own("https://sqs.us-east-1.amazonaws.com/1/q", WAY), None, "not by the tap");
        assert_eq!(urls.own("", WAY), None);
    }
}
