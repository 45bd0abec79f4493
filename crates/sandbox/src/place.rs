//! Whose resources a call means: one account's corner of one region. Names are unique within one,
//! and ARNs name it.

use std::collections::BTreeMap;
use std::sync::Arc;

/// An account in a region, by its number here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place(u32);

impl Place {
    /// Where everything is that nobody else's credentials made.
    pub(crate) const HOME: Self = Self(0);
}

/// An account and a region, in words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PlaceName {
    pub(crate) account: Arc<str>,
    pub(crate) region: Arc<str>,
}

/// The places that were ever spoken of.
#[derive(Debug)]
pub(crate) struct Places {
    names: Vec<PlaceName>,
    /// By account and region.
    numbers: BTreeMap<Arc<str>, BTreeMap<Arc<str>, Place>>,
}

impl Places {
    /// With the place that is [`Place::HOME`].
    pub(crate) fn new(account: &str, region: &str) -> Self {
        let mut places = Self { names: Vec::new(), numbers: BTreeMap::new() };
        places.at(account, region);
        places
    }

    /// The place of an account in a region, noted if it is new.
    pub(crate) fn at(&mut self, account: &str, region: &str) -> Place {
        self.find(account, region).unwrap_or_else(|| {
            let place = Place(self.names.len() as u32);
            let name = PlaceName { account: Arc::from(account), region: Arc::from(region) };
            let of_account = self.numbers.entry(Arc::clone(&name.account)).or_default();
            of_account.insert(Arc::clone(&name.region), place);
            self.names.push(name);
            place
        })
    }

    fn find(&self, account: &str, region: &str) -> Option<Place> {
        self.numbers.get(account)?.get(region).copied()
    }

    /// Another account's place in the same region, if anybody has spoken of it; the same place when
    /// no account is told.
    pub(crate) fn beside(&self, place: Place, account: Option<&str>) -> Option<Place> {
        account.map_or(Some(place), |account| self.find(account, &self.name(place).region))
    }

    pub(crate) fn name(&self, place: Place) -> &PlaceName {
        // Places are made by `at` alone, so each has a name.
        &self.names[place.0 as usize]
    }

    /// The ARN of something in a place.
    pub(crate) fn arn(&self, place: Place, service: &str, resource: &str) -> String {
        let PlaceName { account, region } = self.name(place);
        format!("arn:aws:{service}:{region}:{account}:{resource}")
    }

    /// The place and the resource that an ARN of this service names; a place that nobody has
    /// spoken of holds nothing.
    pub(crate) fn resource<'a>(&self, service: &str, arn: &'a str) -> Option<(Place, &'a str)> {
        let mut parts = arn.strip_prefix("arn:aws:")?.splitn(4, ':');
        let (of, region, account, resource) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let place = self.find(account, region).filter(|_| of == service)?;
        Some((place, resource))
    }
}

/// A byte of what AWS calls alphanumeric characters, hyphens and underscores.
pub(crate) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

pub(crate) fn is_account(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The account that an ARN names.
pub(crate) fn account_of(arn: &str) -> &str {
    arn.split(':').nth(4).unwrap_or_default()
}

/// The region that an ARN names.
pub(crate) fn region_of(arn: &str) -> &str {
    arn.split(':').nth(3).unwrap_or_default()
}

/// The physical name at the end of an ARN.
pub(crate) fn name_of(arn: &str) -> &str {
    arn.rsplit(':').next().unwrap_or_default()
}

/// The ARN of an account's root, which stands for everybody in it.
pub(crate) fn root_of(account: &str) -> String {
    format!("arn:aws:iam::{account}:root")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_names_a_place_and_what_is_there() {
        let mut places = Places::new("000000000000", "us-east-1");
        let other = places.at("111111111111", "eu-central-1");
        assert_eq!(places.at("000000000000", "us-east-1"), Place::HOME);
        assert_eq!(places.at("111111111111", "eu-central-1"), other);

        let arn = places.arn(other, "sqs", "q");
        assert_eq!(arn, "arn:aws:sqs:eu-central-1:111111111111:q");
        assert_eq!(places.resource("sqs", &arn), Some((other, "q")));
        let topic = "arn:aws:sns:us-east-1:000000000000:t:6b0e71bd";
        assert_eq!(places.resource("sns", topic), Some((Place::HOME, "t:6b0e71bd")));
        for arn in ["arn:aws:sqs:eu-west-1:111111111111:q", "arn:aws:sqs:x", "q", topic] {
            assert_eq!(places.resource("sqs", arn), None, "{arn}");
        }
    }
}
