//! Queue policies: that they are enforced, not only kept.

use serde_json::{Value, json};

use super::check::checks;
use super::finding::Shown;
use super::lab::Lab;
use super::queue::Queue;
use super::refusal::{refused, succeeds};

checks! { Sqs:
    Seconds "sqs-policy-denies-send" "2.3" "a policy that denies SendMessage refuses a send" denies_send;
    Seconds "sqs-policy-denies-receive" "2.3" "a policy that denies ReceiveMessage refuses a receive" denies_receive;
    Seconds "sqs-policy-denies-no-more" "2.3" "an action that is not denied goes on" denies_no_more;
    Seconds "sqs-policy-cleared" "2.3" "a policy that was taken away denies nothing" cleared;
}

/// A queue whose policy denies everyone this action.
async fn denying(lab: &Lab, action: &str) -> Shown<Queue> {
    let queue = lab.queue(&[]).await?;
    queue.set("Policy", &policy("Deny", action, &queue, json!("*")).to_string()).await?;
    Ok(queue)
}

/// A policy of one statement.
pub(super) fn policy(effect: &str, action: &str, queue: &Queue, principal: Value) -> Value {
    json!({
        "Version": "2012-10-17",
        "Statement": [
            { "Sid": "one", "Effect": effect, "Principal": principal, "Action": action, "Resource": queue.arn }
        ],
    })
}

async fn denies_send(lab: Lab) -> Shown {
    let queue = denying(&lab, "sqs:SendMessage").await?;
    refused(queue.sending("a").send().await, &["AccessDenied"])?;
    queue.none("no message of a send that was denied").await
}

async fn denies_receive(lab: Lab) -> Shown {
    let queue = denying(&lab, "sqs:ReceiveMessage").await?;
    refused(queue.receiving().send().await, &["AccessDenied"])
}

async fn denies_no_more(lab: Lab) -> Shown {
    let queue = denying(&lab, "sqs:ReceiveMessage").await?;
    succeeds("SendMessage, which is not denied,", queue.send("a").await)?;
    // Where nothing is denied at all, that shows nothing.
    refused(queue.receiving().send().await, &["AccessDenied"])
}

async fn cleared(lab: Lab) -> Shown {
    let queue = denying(&lab, "sqs:SendMessage").await?;
    refused(queue.sending("a").send().await, &["AccessDenied"])?;
    queue.set("Policy", "").await?;
    succeeds("a send after the policy was taken away", queue.send("b").await)
}
