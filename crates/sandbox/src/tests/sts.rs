//! STS says who calls, as the credentials have it.

use bytes::Bytes;
use havoq_base::clock::Pace;
use havoq_base::{Clock, RunStart, Seed, StackTime};
use havoq_wire::{Upstream, decode_error};

use crate::shell::{Places, Sandbox, Settings};

async fn ask(access_key: &str, action: &str) -> (u16, String, Option<String>) {
    let settings = Settings {
        clock: Clock::new(Pace::Virtual, StackTime::from_secs(1_800_000_000), RunStart::now()),
        seed: Seed(1),
        account: "000000000000".into(),
        region: "us-east-1".into(),
        places: Places::Many,
    };
    let sandbox = Sandbox::new(settings, Box::new(|_, _| {}));
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential={access_key}/20260101/eu-west-1/sts/aws4_request, SignedHeaders=host, Signature=00"
    );
    let request = http::Request::post("/")
        .header("host", "127.0.0.1:9324")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("authorization", authorization)
        .body(Bytes::from(format!("Action={action}&Version=2011-06-15")));
    let response = sandbox.forward(request.expect("a valid request")).await.expect("an answer");
    let text = String::from_utf8_lossy(response.body()).into_owned();
    (response.status().as_u16(), text, decode_error(&response).map(|(code, _)| code))
}

#[tokio::test]
async fn the_caller_is_the_root_of_the_account_that_its_key_names() {
    for (key, account) in [("test", "000000000000"), ("111111111111", "111111111111")] {
        let (status, text, _) = ask(key, "GetCallerIdentity").await;
        assert_eq!(status, 200, "{text}");
        for member in [
            format!("<Account>{account}</Account>"),
            format!("<Arn>arn:aws:iam::{account}:root</Arn>"),
            format!("<UserId>{account}</UserId>"),
        ] {
            assert!(text.contains(&member), "{text}");
        }
    }
}

#[tokio::test]
async fn nothing_else_is_done() {
    let (status, text, code) = ask("test", "AssumeRole").await;
    assert_eq!((status, code.as_deref()), (400, Some("InvalidAction")), "{text}");
}
