//! What a signature says about a request. Nothing is verified (semantics 8.4).

use crate::call::header;
use crate::service::Service;
use crate::upstream::Request;

/// The service that a request is signed for.
pub(crate) fn service(request: &Request) -> Option<Service> {
    let signed = header(request, "authorization").and_then(|value| scope(value.split_once("Credential=")?.1));
    let query = || request.uri().query().and_then(presigned);
    Service::of_signing_name(&signed.map(str::to_owned).or_else(query)?)
}

fn presigned(query: &str) -> Option<String> {
    let mut fields = form_urlencoded::parse(query.as_bytes());
    let (_, credential) = fields.find(|(name, _)| name.eq_ignore_ascii_case("x-amz-credential"))?;
    scope(&credential).map(str::to_owned)
}

/// The service in `key/date/region/service/aws4_request`. A key may hold slashes.
fn scope(text: &str) -> Option<&str> {
    let credential = text.split([',', ' ']).next()?;
    credential.rsplit('/').nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    fn signed(authorization: &str) -> Option<Service> {
        let builder = http::Request::post("/").header("authorization", authorization);
        service(&builder.body(Bytes::new()).expect("a valid request"))
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
    fn a_presigned_address_has_the_scope_in_its_query() {
        let address =
            "/?Action=X&X-Amz-Credential=AK%2F20260102%2Fus-east-1%2Fsns%2Faws4_request&X-Amz-Date=0";
        let request = http::Request::get(address).body(Bytes::new()).expect("a valid request");
        assert_eq!(service(&request), Some(Service::Sns));
    }
}
