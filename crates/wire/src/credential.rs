//! What a signature says about a request. Nothing is verified (semantics 8.4).

use std::borrow::Cow;

use crate::call::header;
use crate::service::Service;
use crate::upstream::Request;

/// The `key/date/region/service/aws4_request` that a request is signed with. A key may hold slashes.
pub struct Credential<'a>(Cow<'a, str>);

impl<'a> Credential<'a> {
    /// The one in the header, else the one of a presigned address.
    pub fn of(request: &'a Request) -> Option<Self> {
        let signed = header(request, "authorization").and_then(|value| value.split_once("Credential="));
        let signed = signed.and_then(|(_, text)| text.split([',', ' ']).next()).map(Cow::Borrowed);
        signed.or_else(|| presigned(request.uri().query()?)).map(Self)
    }

    /// The access key; empty when there is less than a whole scope behind it.
    pub fn key(&self) -> &str {
        self.0.rsplitn(5, '/').nth(4).unwrap_or_default()
    }

    pub fn region(&self) -> Option<&str> {
        self.0.rsplit('/').nth(2)
    }

    /// The service, under the name that its requests are signed with, whether it is understood or not.
    pub fn signing_name(&self) -> Option<&str> {
        self.0.rsplit('/').nth(1)
    }

    /// The service that the request is signed for.
    pub(crate) fn service(&self) -> Option<Service> {
        Service::of_signing_name(self.signing_name()?)
    }
}

fn presigned(query: &str) -> Option<Cow<'_, str>> {
    let mut fields = form_urlencoded::parse(query.as_bytes());
    fields.find(|(name, _)| name.eq_ignore_ascii_case("x-amz-credential")).map(|(_, credential)| credential)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    fn request(authorization: &str) -> Request {
        let builder = http::Request::post("/").header("authorization", authorization);
        builder.body(Bytes::new()).expect("a valid request")
    }

    fn signed(authorization: &str) -> Option<Service> {
        Credential::of(&request(authorization))?.service()
    }

    #[test]
    fn the_scope_of_a_signature_names_the_service() {
        let of = |service: &str| {
            signed(&format!(
                "AWS4-HMAC-SHA256 Credential=AK/20260102/us-east-1/{service}/aws4_request, SignedHeaders=host, Signature=0"
            ))
        };
        assert_eq!(of("monitoring"), Some(Service::CloudWatch));
        assert_eq!(of("sqs"), Some(Service::Sqs));
        assert_eq!(of("s3"), None);
        assert_eq!(signed("Bearer x"), None);
        assert_eq!(signed("Credential="), None);
    }

    #[test]
    fn it_names_the_key_and_the_region_and_a_key_may_hold_slashes() {
        let request =
            request("AWS4-HMAC-SHA256 Credential=a/b/20260102/eu-west-1/sqs/aws4_request, Signature=0");
        let credential = Credential::of(&request).expect("it is signed");
        assert_eq!((credential.key(), credential.region()), ("a/b", Some("eu-west-1")));
        assert_eq!(credential.signing_name(), Some("sqs"));
    }

    #[test]
    fn a_presigned_address_has_the_scope_in_its_query() {
        let address =
            "/?Action=X&X-Amz-Credential=AK%2F20260102%2Fus-east-1%2Fsns%2Faws4_request&X-Amz-Date=0";
        let request = http::Request::get(address).body(Bytes::new()).expect("a valid request");
        let credential = Credential::of(&request).expect("it is signed");
        assert_eq!(credential.service(), Some(Service::Sns));
        assert_eq!((credential.key(), credential.region()), ("AK", Some("us-east-1")));
    }
}
