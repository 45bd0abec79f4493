//! The credentials of this machine's user, from wherever the SDK's chain finds them: the
//! environment, a profile, SSO, a web identity, the machine's own role.

use std::time::SystemTime;

use aws_config::default_provider::credentials::DefaultCredentialsChain;
use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::provider_config::ProviderConfig;
use aws_config::{BehaviorVersion, Region};
use aws_sdk_sqs::config::{Credentials, ProvideCredentials, SharedCredentialsProvider};
use havoq_base::clock::wall_clock;
use havoq_base::{StackDuration, StackTime};
use tokio::sync::Mutex;

use crate::aws::clients::http_client;
use crate::aws::{REGION, told};

/// How long before they expire credentials are not used any more; as the SDK's own cache has it.
const AHEAD: StackDuration = StackDuration::from_secs(10);

/// How long credentials are kept that do not say when they expire; as the SDK's own cache has it.
const KEPT: StackDuration = StackDuration::from_secs(15 * 60);

/// Gives credentials, and asks their source for new ones when it is time.
#[derive(Debug)]
pub(super) struct Keeper {
    provider: SharedCredentialsProvider,
    kept: Mutex<Option<(Credentials, StackTime)>>,
}

/// The credentials of a profile, or of the whole chain, and the region that goes with them.
pub(super) async fn chain(profile: Option<&str>) -> (Keeper, String) {
    let client = http_client("https://");
    let mut loader = aws_config::defaults(BehaviorVersion::latest()).http_client(client.clone());
    if let Some(profile) = profile {
        loader = loader.profile_name(profile);
    }
    let region = loader.load().await.region().cloned().unwrap_or(Region::from_static(REGION));
    let config = ProviderConfig::without_region().with_region(Some(region.clone())).with_http_client(client);
    let provider = match profile {
        // The chain would prefer credentials in the environment to a profile that was asked for.
        Some(profile) => {
            let provider = ProfileFileCredentialsProvider::builder().configure(&config);
            SharedCredentialsProvider::new(provider.profile_name(profile).build())
        }
        None => {
            let chain = DefaultCredentialsChain::builder().configure(config).build().await;
            SharedCredentialsProvider::new(chain)
        }
    };
    (Keeper::new(provider), region.to_string())
}

impl Keeper {
    pub(super) fn new(provider: SharedCredentialsProvider) -> Self {
        Self { provider, kept: Mutex::default() }
    }

    /// Credentials that are good now. Those that wait for the same answer wait together.
    pub(super) async fn credentials(&self) -> Result<Credentials, String> {
        let mut kept = self.kept.lock().await;
        let now = wall_clock();
        if let Some((credentials, until)) = &*kept
            && now < *until
        {
            return Ok(credentials.clone());
        }
        let credentials = self.provider.provide_credentials().await;
        let credentials =
            credentials.map_err(|error| format!("there are no credentials for AWS: {}", told(&error)))?;
        *kept = Some((credentials.clone(), good_until(&credentials, now)));
        Ok(credentials)
    }

    /// What was given is of no use, so the source is asked again.
    pub(super) async fn forget(&self) {
        *self.kept.lock().await = None;
    }
}

fn good_until(credentials: &Credentials, now: StackTime) -> StackTime {
    let expiry = credentials.expiry().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    match expiry {
        Some(since_epoch) => {
            let micros = u64::try_from(since_epoch.as_micros()).unwrap_or(u64::MAX);
            StackTime::from_micros(micros.saturating_sub(AHEAD.as_micros()))
        }
        None => now + KEPT,
    }
}
