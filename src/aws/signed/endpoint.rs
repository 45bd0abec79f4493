//! Where AWS has a service in a region.

use super::refusal::Refusal;
use super::scope::Scope;

/// The services whose hosts begin with the name that their requests are signed with.
const SERVICES: [&str; 16] = [
    "dynamodb",
    "events",
    "firehose",
    "kinesis",
    "kms",
    "lambda",
    "logs",
    "monitoring",
    "pipes",
    "scheduler",
    "secretsmanager",
    "sns",
    "sqs",
    "ssm",
    "states",
    "sts",
];

/// What the regions' names begin with in the partitions beside the first, and their domains.
const PARTITIONS: [(&str, &str); 6] = [
    ("cn-", "amazonaws.com.cn"),
    ("eusc-", "amazonaws.eu"),
    ("us-iso-", "c2s.ic.gov"),
    ("us-isob-", "sc2s.sgov.gov"),
    ("eu-isoe-", "cloud.adc-e.uk"),
    ("us-isof-", "csp.hci.ic.gov"),
];

/// The URL of the service in the region, without a path.
pub(super) fn endpoint(scope: &Scope) -> Result<String, Refusal> {
    let Scope { region, service } = scope;
    if !SERVICES.contains(&service.as_str()) {
        return Err(Refusal::Service(service.clone()));
    }
    if !is_region(region) {
        return Err(Refusal::Region(region.clone()));
    }
    let domain = PARTITIONS.iter().find(|(prefix, _)| region.starts_with(prefix));
    let domain = domain.map_or("amazonaws.com", |(_, domain)| domain);
    Ok(format!("https://{service}.{region}.{domain}"))
}

/// It becomes a part of the host's name, so it must be no more than a region: `eu-west-1`,
/// `us-gov-east-1`.
fn is_region(name: &str) -> bool {
    let mut parts = name.rsplit('-');
    let number = parts.next().unwrap_or_default();
    let words: Vec<&str> = parts.collect();
    let is_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    words.len() >= 2
        && words.iter().all(is_word)
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(service: &str, region: &str) -> Result<String, Refusal> {
        endpoint(&Scope { region: region.to_owned(), service: service.to_owned() })
    }

    #[test]
    fn service_and_region_name_the_host() {
        for (service, region, url) in [
            ("sqs", "eu-west-1", "https://sqs.eu-west-1.amazonaws.com"),
            ("monitoring", "us-gov-east-1", "https://monitoring.us-gov-east-1.amazonaws.com"),
            ("sns", "cn-north-1", "https://sns.cn-north-1.amazonaws.com.cn"),
            ("events", "eusc-de-east-1", "https://events.eusc-de-east-1.amazonaws.eu"),
            ("sqs", "us-isob-east-1", "https://sqs.us-isob-east-1.sc2s.sgov.gov"),
        ] {
            assert_eq!(at(service, region).as_deref(), Ok(url));
        }
    }

    #[test]
    fn nothing_else_becomes_a_host() {
        for region in [
            "",
            "*",
            "us-east-1.evil.example",
            "us-east-1@evil",
            "us-east-1?",
            "US-EAST-1",
            "east-1",
            "us-east-",
        ] {
            assert_eq!(at("sqs", region), Err(Refusal::Region(region.to_owned())));
        }
        for service in ["s3", "execute-api", "", "sqs.evil.example"] {
            assert_eq!(at(service, "us-east-1"), Err(Refusal::Service(service.to_owned())));
        }
    }
}
