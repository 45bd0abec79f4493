//! Credentials that change under a tap that runs.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use aws_credential_types::provider::{self, future};
use aws_sdk_sqs::config::{Credentials, ProvideCredentials, SharedCredentialsProvider};
use havoq_base::clock::wall_clock;
use havoq_wire::Upstream;

use super::super::credentials::Keeper;
use super::super::upstream::{Signed, SignedSettings};
use super::call;

const OURS: &str = "111111111111";

/// Gives one after the other.
#[derive(Debug)]
struct InTurn(Mutex<VecDeque<Credentials>>);

impl ProvideCredentials for InTurn {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        let next = self.0.lock().expect("nobody panics").pop_front();
        future::ProvideCredentials::ready(
            next.ok_or_else(|| provider::error::CredentialsError::not_loaded("there are no more")),
        )
    }
}

/// Of a key that is good for so many seconds.
fn credentials(key: &str, seconds: u64) -> Credentials {
    let now = SystemTime::UNIX_EPOCH + Duration::from_micros(wall_clock().as_micros());
    Credentials::new(key, "secret", None, Some(now + Duration::from_secs(seconds)), "test")
}

/// Plays STS, to which the key `THEIRS` is of another account, and all other services. Says which
/// keys asked for what.
fn stack() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let told = Arc::clone(&told);
            std::thread::spawn(move || serve(&stream.expect("a client"), &told));
        }
    });
    (url, seen)
}

fn serve(stream: &TcpStream, told: &Mutex<Vec<String>>) {
    let mut requests = BufReader::new(stream);
    loop {
        let (mut who, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if requests.read_line(&mut line).unwrap_or_default() == 0 {
                return;
            }
            if line.trim().is_empty() {
                break;
            }
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            if lower.starts_with("authorization:") {
                let scope: Vec<&str> = line.split("Credential=").nth(1).expect("signed").split('/').collect();
                who = format!("{} {}", scope[0], scope[3]);
            }
        }
        requests.read_exact(&mut vec![0; length]).expect("a body");
        told.lock().expect("nobody panics").push(who.clone());
        let account = if who.starts_with("THEIRS") { "222222222222" } else { OURS };
        let body =
            format!("<R><GetCallerIdentityResult><Account>{account}</Account></GetCallerIdentityResult></R>");
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: {}\r\n\r\n", body.len());
        (&mut &*stream).write_all(format!("{head}{body}").as_bytes()).expect("answered");
    }
}

fn signed(url: &str, keys: Vec<Credentials>) -> Signed {
    let settings = SignedSettings { account: OURS.to_owned(), profile: None, endpoint: Some(url.to_owned()) };
    let provider = SharedCredentialsProvider::new(InTurn(Mutex::new(keys.into())));
    Signed::new(settings, Keeper::new(provider), "us-east-1".to_owned())
}

async fn list(upstream: &Signed) -> Result<u16, String> {
    let for_sqs = "AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/sqs/aws4_request, Signature=0";
    let answer = upstream.forward(call("/", &[("authorization", for_sqs)])).await;
    answer.map(|response| response.status().as_u16()).map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_new_key_of_another_account_is_not_used() {
    let (url, seen) = stack();
    // Each is over by the time of the next call.
    let upstream =
        signed(&url, vec![credentials("OURS", 1), credentials("THEIRS", 3600), credentials("OURS", 3600)]);
    assert_eq!(list(&upstream).await, Ok(200));
    let error = list(&upstream).await.expect_err("another account");
    assert!(error.contains("are of the account 222222222222, and --account names 111111111111"), "{error}");
    assert_eq!(list(&upstream).await, Ok(200), "they are asked for again");
    let seen = seen.lock().expect("nobody panics").clone();
    assert_eq!(seen, ["OURS sts", "OURS sqs", "THEIRS sts", "OURS sqs"]);
}

#[tokio::test]
async fn credentials_are_kept_until_they_expire() {
    let (url, seen) = stack();
    let upstream = signed(&url, vec![credentials("A", 3600)]);
    for _ in 0..3 {
        assert_eq!(list(&upstream).await, Ok(200));
    }
    assert_eq!(seen.lock().expect("nobody panics").len(), 4, "one of them asked whose they are");
    let without = signed(&url, Vec::new());
    let error = list(&without).await.expect_err("there are none");
    assert!(error.contains("there are no credentials for AWS") && error.contains("hint:"), "{error}");
}
