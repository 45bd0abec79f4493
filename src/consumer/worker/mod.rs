//! The reference consumer: a real subprocess, one message at a time, correct unless told otherwise.
//! It uses nothing of havoq's but its environment, as any consumer would.

mod bug;
mod charge;
mod marks;
mod order;
mod work;

use std::path::PathBuf;
use std::time::Duration;

use aws_config::BehaviorVersion;
use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::Message;
use aws_smithy_http_client::Connector;
use thiserror::Error;

pub use bug::Bug;

/// How the worker is to behave; its addresses come from the environment.
#[derive(Clone, Debug)]
pub struct Options {
    pub bug: Option<Bug>,
    /// How long the work on a message takes.
    pub work: Duration,
    /// Where the side effect goes.
    pub effect_url: Option<String>,
    /// Treats messages of a version above 1 as poison.
    pub rejects_next_version: bool,
    pub queue_url: String,
    pub state_dir: PathBuf,
}

#[derive(Debug, Error)]
pub enum WorkerError {
    #[error("cannot use the state folder {path}: {source}")]
    State { path: PathBuf, source: std::io::Error },
    #[error("crashed on a message that cannot be understood: {0}")]
    Crashed(order::Invalid),
}

/// Consumes until it is stopped from outside, or crashes.
pub async fn run(options: Options) -> Result<(), WorkerError> {
    let client = client().await;
    let worker = work::Worker::new(options, client.clone())?;
    loop {
        match receive(&client, &worker).await {
            Ok(messages) => {
                for message in messages {
                    worker.handle(message).await?;
                }
            }
            Err(error) => {
                eprintln!("cannot receive: {error}");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

async fn client() -> Client {
    let http = aws_smithy_http_client::Builder::new().build_with_connector_fn(|settings, components| {
        let mut connector = Connector::builder();
        connector.set_connector_settings(settings.cloned());
        if let Some(sleep) = components.and_then(|components| components.sleep_impl()) {
            connector.set_sleep_impl(Some(sleep));
        }
        connector.build_http()
    });
    let config = aws_config::defaults(BehaviorVersion::latest()).http_client(http).load().await;
    Client::new(&config)
}

async fn receive(client: &Client, worker: &work::Worker) -> Result<Vec<Message>, String> {
    let poll = client.receive_message().queue_url(worker.queue_url()).max_number_of_messages(1);
    let poll = poll.wait_time_seconds(20).set_visibility_timeout(worker.visibility());
    let answer =
        poll.send().await.map_err(|error| aws_sdk_sqs::error::DisplayErrorContext(&error).to_string())?;
    Ok(answer.messages.unwrap_or_default())
}
