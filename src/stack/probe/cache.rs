//! Findings of earlier probes, kept for a day: one file a stack, below the user's cache folder.
//! It is a convenience: what cannot be read or written is as if it were not there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use havoq_base::clock::wall_clock;
use havoq_base::{Seed, StackDuration, StackTime};
use serde::{Deserialize, Serialize};

use super::finding::{Finding, Outcome};
use super::identity::identity;

/// Emulators are changed and restarted with other settings without a word.
const KEPT: StackDuration = StackDuration::from_secs(86_400);

/// What is known of one stack.
#[derive(Debug)]
pub struct Cache {
    /// `None` where nothing can be kept.
    file: Option<PathBuf>,
    known: Known,
}

#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    at: StackTime,
    finding: Finding,
}

/// What its file holds.
#[derive(Debug, Serialize, Deserialize)]
struct Known {
    /// Checks change with havoq.
    havoq: String,
    identity: String,
    findings: BTreeMap<String, Kept>,
}

impl Cache {
    /// What is known of the stack at this URL, as it is now.
    pub async fn open(url: &str) -> Self {
        Self::open_in(folder(), url, identity(url).await)
    }

    fn open_in(folder: Option<PathBuf>, url: &str, identity: Option<String>) -> Self {
        let file = folder
            .zip(identity.as_ref())
            .map(|(folder, _)| folder.join(format!("{:016x}.json", Seed(0).fork(url).0)));
        let nothing = Known {
            havoq: env!("CARGO_PKG_VERSION").to_owned(),
            identity: identity.unwrap_or_default(),
            findings: BTreeMap::new(),
        };
        let known = file.as_deref().and_then(read);
        let known = known.filter(|known| known.havoq == nothing.havoq && known.identity == nothing.identity);
        Self { file, known: known.unwrap_or(nothing) }
    }

    /// What was found of this check within a day.
    pub fn find(&self, check: &str) -> Option<&Finding> {
        let kept = self.known.findings.get(check)?;
        (wall_clock().since(kept.at) < KEPT).then_some(&kept.finding)
    }

    /// Keeps what is clear.
    pub fn keep(&mut self, findings: &[Finding]) {
        let mut clear = findings.iter().filter(|finding| finding.outcome != Outcome::Unclear).peekable();
        if clear.peek().is_none() {
            return;
        }
        let at = wall_clock();
        for finding in clear {
            let kept = Kept { at, finding: finding.clone() };
            self.known.findings.insert(finding.check.clone(), kept);
        }
        let Some(file) = &self.file else { return };
        // Under another name first, so that nobody reads half of it.
        let unfinished = file.with_extension(format!("{}.tmp", std::process::id()));
        let written = file.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| {
            let text = serde_json::to_vec_pretty(&self.known)?;
            std::fs::write(&unfinished, text)?;
            std::fs::rename(&unfinished, file)
        });
        if written.is_err() {
            std::fs::remove_file(&unfinished).ok();
        }
    }
}

fn read(file: &Path) -> Option<Known> {
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

/// `$XDG_CACHE_HOME/havoq/probe`, else `~/.cache/havoq/probe`.
fn folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
    Some(cache?.join("havoq").join("probe"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "http://127.0.0.1:4566";

    fn found(outcome: Outcome) -> Finding {
        Finding { check: "sqs-x".into(), outcome, expected: "a".into(), seen: "b".into() }
    }

    fn open(folder: &Path, url: &str, identity: &str) -> Cache {
        Cache::open_in(Some(folder.to_owned()), url, Some(identity.to_owned()))
    }

    #[test]
    fn findings_are_kept_for_their_stack_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        open(folder.path(), URL, "stack 1").keep(&[found(Outcome::Wrong)]);
        let again = open(folder.path(), URL, "stack 1");
        assert_eq!(again.find("sqs-x"), Some(&found(Outcome::Wrong)));
        assert_eq!(again.find("sqs-y"), None);
        for (url, identity) in [(URL, "stack 2"), ("http://127.0.0.1:4567", "stack 1")] {
            assert_eq!(open(folder.path(), url, identity).find("sqs-x"), None);
        }
    }

    #[test]
    fn what_is_unclear_is_not_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        open(folder.path(), URL, "stack").keep(&[found(Outcome::Unclear)]);
        assert_eq!(open(folder.path(), URL, "stack").find("sqs-x"), None);
    }

    #[test]
    fn without_news_nothing_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut cache = open(folder.path(), URL, "stack");
        for nothing in [&[][..], &[found(Outcome::Unclear)]] {
            cache.keep(nothing);
            assert!(!cache.file.as_ref().expect("a file").exists());
        }
    }

    #[test]
    fn findings_grow_old() {
        let mut cache = Cache::open_in(None, URL, None);
        cache.keep(&[found(Outcome::Right)]);
        assert!(cache.find("sqs-x").is_some());
        for kept in cache.known.findings.values_mut() {
            kept.at = wall_clock() - KEPT;
        }
        assert_eq!(cache.find("sqs-x"), None);
    }

    #[test]
    fn a_broken_file_is_as_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = open(folder.path(), URL, "stack");
        std::fs::write(cache.file.as_ref().expect("a file"), "{").expect("written");
        let mut again = open(folder.path(), URL, "stack");
        assert_eq!(again.find("sqs-x"), None);
        again.keep(&[found(Outcome::Right)]);
        assert!(open(folder.path(), URL, "stack").find("sqs-x").is_some());
    }
}
