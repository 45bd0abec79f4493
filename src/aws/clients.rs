//! SDK clients for an endpoint that speaks AWS's protocols.

use std::time::Duration;

use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_sqs::config::{Credentials, SharedCredentialsProvider, SharedHttpClient};
use aws_smithy_http_client::Connector;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};

use super::REGION;

/// A local stack answers in milliseconds; one that does not in this time is gone.
const CONNECT: Duration = Duration::from_secs(3);
/// Some load a service at the first call of it, which takes them well over ten seconds.
const ATTEMPT: Duration = Duration::from_secs(30);

/// The clients of every service that a stack is made from, and ways to the others, whose clients
/// only the probe needs: they are made when asked for, and share the connections.
#[derive(Clone, Debug)]
pub struct Clients {
    pub sqs: aws_sdk_sqs::Client,
    pub sns: aws_sdk_sns::Client,
    pub cloudwatch: aws_sdk_cloudwatch::Client,
    config: SdkConfig,
}

impl Clients {
    /// Clients with dummy credentials, which is what emulators expect. Nothing of the user's own
    /// AWS settings is read, so none can send these calls elsewhere.
    pub fn at(url: &str) -> Self {
        Self::with(url, 2)
    }

    /// Clients that ask once: a second try may hide what the first one showed.
    pub fn once(url: &str) -> Self {
        Self::with(url, 1)
    }

    fn with(url: &str, attempts: u32) -> Self {
        let credentials = Credentials::new("test", "test", None, None, "havoq");
        let timeouts = TimeoutConfig::builder().connect_timeout(CONNECT).operation_attempt_timeout(ATTEMPT);
        let config = SdkConfig::builder()
            .behavior_version(BehaviorVersion::latest())
            .endpoint_url(url)
            .region(Region::new(REGION))
            .credentials_provider(SharedCredentialsProvider::new(credentials))
            .retry_config(RetryConfig::standard().with_max_attempts(attempts))
            .timeout_config(timeouts.build())
            .http_client(http_client(url))
            .build();
        Self {
            sqs: aws_sdk_sqs::Client::new(&config),
            sns: aws_sdk_sns::Client::new(&config),
            cloudwatch: aws_sdk_cloudwatch::Client::new(&config),
            config,
        }
    }

    pub fn events(&self) -> aws_sdk_eventbridge::Client {
        aws_sdk_eventbridge::Client::new(&self.config)
    }

    pub fn lambda(&self) -> aws_sdk_lambda::Client {
        aws_sdk_lambda::Client::new(&self.config)
    }

    pub fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        aws_sdk_dynamodb::Client::new(&self.config)
    }

    pub fn scheduler(&self) -> aws_sdk_scheduler::Client {
        aws_sdk_scheduler::Client::new(&self.config)
    }

    pub fn pipes(&self) -> aws_sdk_pipes::Client {
        aws_sdk_pipes::Client::new(&self.config)
    }
}

pub(super) fn http_client(url: &str) -> SharedHttpClient {
    let builder = aws_smithy_http_client::Builder::new();
    if url.starts_with("https://") {
        return builder.tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
    }
    // The plain one never loads the machine's certificates.
    builder.build_with_connector_fn(|settings, components| {
        let mut connector = Connector::builder();
        connector.set_connector_settings(settings.cloned());
        if let Some(sleep) = components.and_then(|components| components.sleep_impl()) {
            connector.set_sleep_impl(Some(sleep));
        }
        connector.build_http()
    })
}
