//! How callers name a function: by its name, by an ARN or by the end of one, with or without a
//! qualifier.

use havoq_lambda::LATEST;
use havoq_wire::ServiceError;

use super::errors::{invalid, not_found, validation};
use crate::place::{Place, PlaceName, Places, is_account, is_name_byte};

/// What a caller named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// None when nobody has spoken of the account there.
    pub(super) place: Option<Place>,
    pub(super) name: String,
    /// Without a qualifier.
    pub(super) arn: String,
    pub(super) qualifier: Option<String>,
}

impl Named {
    /// Reads a FunctionName, and a Qualifier beside it. A function of another region is nowhere.
    pub(super) fn read(
        places: &Places,
        place: Place,
        text: &str,
        qualifier: Option<&str>,
    ) -> Result<Self, ServiceError> {
        let home = places.name(place);
        let Parts { region, account, name, qualifier: own } = parts(text).ok_or_else(|| malformed(text))?;
        if let Some(region) = region.filter(|region| **region != *home.region) {
            return Err(not_found(format!(
                "Functions from '{region}' are not reachable in this region ('{}')",
                home.region
            )));
        }
        if own.zip(qualifier).is_some_and(|(own, given)| own != given) {
            return Err(invalid(
                "The derived qualifier from the function name does not match the specified qualifier.",
            ));
        }
        let PlaceName { account: own_account, region } = home;
        let account = account.unwrap_or(own_account);
        Ok(Self {
            place: places.beside(place, Some(account)),
            name: name.to_owned(),
            arn: format!("arn:aws:lambda:{region}:{account}:function:{name}"),
            qualifier: own.or(qualifier).map(str::to_owned),
        })
    }

    /// With the qualifier, if one was given.
    pub(super) fn qualified(&self) -> String {
        match &self.qualifier {
            Some(qualifier) => format!("{}:{qualifier}", self.arn),
            None => self.arn.clone(),
        }
    }

    /// With the qualifier that it stands for where none was given.
    pub(super) fn of_version(&self) -> String {
        format!("{}:{}", self.arn, self.qualifier.as_deref().unwrap_or(LATEST))
    }

    /// Whether it is of the one version that there is.
    pub(super) fn is_latest(&self) -> bool {
        self.qualifier.as_deref().is_none_or(|qualifier| qualifier == LATEST)
    }
}

struct Parts<'a> {
    region: Option<&'a str>,
    account: Option<&'a str>,
    name: &'a str,
    qualifier: Option<&'a str>,
}

fn parts(text: &str) -> Option<Parts<'_>> {
    let all: Vec<_> = text.split(':').collect();
    let (region, account, rest) = match all[..] {
        ["arn", "aws", "lambda", region, account, "function", ref rest @ ..] => {
            (Some(region), Some(account), rest)
        }
        [account, "function", ref rest @ ..] => (None, Some(account), rest),
        ["function", ref rest @ ..] if !rest.is_empty() => (None, None, rest),
        ref rest => (None, None, rest),
    };
    let (name, qualifier) = match *rest {
        [name] => (name, None),
        [name, qualifier] => (name, Some(qualifier)),
        _ => return None,
    };
    let is_name = (1..=64).contains(&name.len()) && name.bytes().all(is_name_byte);
    let is_qualifier = |text: &str| {
        text == LATEST || (!text.is_empty() && text.bytes().all(|byte| is_name_byte(byte) || byte == b'$'))
    };
    let fits = is_name && qualifier.is_none_or(is_qualifier) && account.is_none_or(is_account);
    fits.then_some(Parts { region, account, name, qualifier })
}

fn malformed(text: &str) -> ServiceError {
    validation(format!(
        "1 validation error detected: Value '{text}' at 'functionName' failed to satisfy constraint: Member must \
         satisfy regular expression pattern: (arn:(aws[a-zA-Z-]*)?:lambda:)?((eusc-)?[a-z]{{2}}((-gov)|(-iso([a-z]?)))?\
         -[a-z]+-\\d{{1}}:)?(\\d{{12}}:)?(function:)?([a-zA-Z0-9-_\\.]+)(:(\\$LATEST(\\.PUBLISHED)?|[a-zA-Z0-9-_]+))?"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARN: &str = "arn:aws:lambda:eu-central-1:123456789012:function:f";

    fn read(text: &str, qualifier: Option<&str>) -> Result<Named, ServiceError> {
        Named::read(&Places::new("123456789012", "eu-central-1"), Place::HOME, text, qualifier)
    }

    #[test]
    fn a_function_is_named_by_its_name_its_arn_or_the_end_of_it() {
        for text in ["f", ARN, "123456789012:function:f", "function:f"] {
            let named = read(text, None).expect("a name");
            assert_eq!((&*named.arn, named.qualifier, named.place), (ARN, None, Some(Place::HOME)), "{text}");
        }
        for (text, qualifier) in [("f:1", None), ("f", Some("1")), ("f:1", Some("1"))] {
            assert_eq!(read(text, qualifier).expect("a name").qualified(), format!("{ARN}:1"));
        }
        assert_eq!(read("111111111111:function:f", None).expect("a name").place, None);
    }

    #[test]
    fn names_that_cannot_be_are_refused() {
        let error = read("f:1", Some("2")).expect_err("two qualifiers");
        assert_eq!(
            error.message,
            "The derived qualifier from the function name does not match the specified qualifier."
        );
        let error = read("arn:aws:lambda:us-east-1:123456789012:function:f", None).expect_err("elsewhere");
        assert_eq!(
            error.message,
            "Functions from 'us-east-1' are not reachable in this region ('eu-central-1')"
        );
        for text in ["", "a b", "f:1:2", "arn:aws:sqs:eu-central-1:123456789012:q", "12:function:f"] {
            assert_eq!(&*read(text, None).expect_err(text).query_code, "ValidationError", "{text}");
        }
    }
}
