//! Queues of more than one account, called as clients call: a 12-digit access key names the caller.

use bytes::Bytes;
use havoq_base::clock::Pace;
use havoq_base::{Clock, RunStart, Seed, StackTime};
use havoq_wire::{Upstream, decode_error};
use serde_json::{Value, json};

use crate::shell::{Places, Sandbox, Settings};

const OWNER: &str = "111111111111";
const OTHER: &str = "222222222222";

fn sandbox() -> Sandbox {
    let clock = Clock::new(Pace::Virtual, StackTime::from_secs(1_800_000_000), RunStart::now());
    let settings = Settings {
        clock,
        seed: Seed(1),
        account: OWNER.into(),
        region: "eu-central-1".into(),
        places: Places::Many,
    };
    Sandbox::new(settings, Box::new(|_, _| {}))
}

/// The result, or the code and text of the error.
async fn call(
    sandbox: &Sandbox,
    account: &str,
    operation: &str,
    params: Value,
) -> Result<Value, (String, String)> {
    let scope = format!("Credential={account}/20270115/eu-central-1/sqs/aws4_request");
    let request = http::Request::post("/")
        .header("host", "h")
        .header("x-amz-target", format!("AmazonSQS.{operation}"))
        .header("content-type", "application/x-amz-json-1.0")
        .header("authorization", format!("AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=x"));
    let request = request.body(Bytes::from(params.to_string())).expect("a valid request");
    let response = sandbox.forward(request).await.expect("an answer");
    match decode_error(&response) {
        Some(error) => Err(error),
        None => Ok(serde_json::from_slice(response.body()).unwrap_or_default()),
    }
}

#[tokio::test]
async fn others_call_on_a_queue_by_its_url_as_far_as_its_policy_lets_them() {
    let sandbox = sandbox();
    let queue = call(&sandbox, OWNER, "CreateQueue", json!({ "QueueName": "q" })).await.expect("created");
    let url = &queue["QueueUrl"];
    let send = json!({ "QueueUrl": url, "MessageBody": "m" });
    let (code, text) = call(&sandbox, OTHER, "SendMessage", send.clone()).await.expect_err("denied");
    assert_eq!(code, "AccessDenied");
    assert!(text.ends_with("because no resource-based policy allows the sqs:sendmessage action"), "{text}");

    let permission = json!({
        "QueueUrl": url, "Label": "l", "AWSAccountIds": [OTHER], "Actions": ["SendMessage", "GetQueueUrl"],
    });
    call(&sandbox, OTHER, "AddPermission", permission.clone()).await.expect_err("it is the owner's alone");
    call(&sandbox, OWNER, "AddPermission", permission).await.expect("added");
    call(&sandbox, OTHER, "SendMessage", send).await.expect("allowed");
    call(&sandbox, OTHER, "ReceiveMessage", json!({ "QueueUrl": url })).await.expect_err("denied");
    let named = json!({ "QueueName": "q", "QueueOwnerAWSAccountId": OWNER });
    let found = call(&sandbox, OTHER, "GetQueueUrl", named).await.expect("allowed");
    assert_eq!(&found["QueueUrl"], url);
}

#[tokio::test]
async fn a_bare_name_instead_of_a_url_means_the_callers_own_queue() {
    let sandbox = sandbox();
    for account in [OWNER, OTHER] {
        call(&sandbox, account, "CreateQueue", json!({ "QueueName": "q" })).await.expect("created");
    }
    let send = json!({ "QueueUrl": "q", "MessageBody": "m" });
    call(&sandbox, OTHER, "SendMessage", send).await.expect("sent");
    for (account, messages) in [(OWNER, "0"), (OTHER, "1")] {
        let input = json!({ "QueueUrl": "q", "AttributeNames": ["ApproximateNumberOfMessages"] });
        let attributes = call(&sandbox, account, "GetQueueAttributes", input).await.expect("given");
        assert_eq!(attributes["Attributes"]["ApproximateNumberOfMessages"], messages);
    }
}
