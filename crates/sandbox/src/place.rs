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

    /// Another account's place in the same region; the same place when no account is told.
    pub(crate) fn beside(&mut self, place: Place, account: Option<&str>) -> Place {
        let Some(account) = account else { return place };
        let region = Arc::clone(&self.name(place).region);
        self.at(account, &region)
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
