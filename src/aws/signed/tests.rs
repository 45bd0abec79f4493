//! The worked examples of the specification, and what becomes of requests that clients signed.

mod renewal;

use aws_sdk_sqs::config::{Credentials, SharedCredentialsProvider};
use bytes::Bytes;
use havoq_base::StackTime;
use havoq_wire::{Request, Upstream, decode_error};
use http::Method;

use super::credentials::Keeper;
use super::scope::Scope;
use super::signature::sign_anew;
use super::upstream::{Signed, SignedSettings};

/// The time, the key and the scope of the examples of AWS's test suite for Signature Version 4.
const AT: StackTime = StackTime::from_micros(1_440_938_160_000_000);
const KEY: &str = "AKIDEXAMPLE";
const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const SUITE: &str = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ";

fn scope(service: &str) -> Scope {
    Scope { region: "us-east-1".to_owned(), service: service.to_owned() }
}

/// A request as a client with dummy credentials sends it.
fn dummy(method: Method, url: &str, headers: &[(&str, &str)], body: &'static str) -> Request {
    let builder = http::Request::builder().method(method).uri(url).header("host", "example.amazonaws.com");
    let builder = builder
        .header("authorization", "AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/service/aws4_request")
        .header("x-amz-date", "20200101T000000Z")
        .header("x-amz-security-token", "dummy");
    let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value));
    builder.body(Bytes::from_static(body.as_bytes())).expect("a valid request")
}

fn signed(request: Request, token: Option<&str>) -> Request {
    let credentials = Credentials::new(KEY, SECRET, token.map(str::to_owned), None, "test");
    sign_anew(request, &scope("service"), &credentials, AT).expect("it is signed")
}

fn authorization(request: &Request) -> &str {
    request.headers()["authorization"].to_str().expect("text")
}

/// The suite's name, method, path, headers beside the host, body, and what comes of them.
type Example =
    (&'static str, Method, &'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

#[test]
fn the_examples_of_the_test_suite_are_signed_as_it_says() {
    let examples: [Example; 8] = [
        (
            "get-vanilla",
            Method::GET,
            "/",
            &[],
            "",
            "SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
        ),
        (
            "post-vanilla",
            Method::POST,
            "/",
            &[],
            "",
            "SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
        ),
        (
            "get-vanilla-query-order-key-case",
            Method::GET,
            "/?Param2=value2&Param1=value1",
            &[],
            "",
            "SignedHeaders=host;x-amz-date, Signature=b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
        ),
        (
            "get-unreserved",
            Method::GET,
            "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            &[],
            "",
            "SignedHeaders=host;x-amz-date, Signature=07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
        ),
        (
            "get-header-key-duplicate",
            Method::GET,
            "/",
            &[("my-header1", "value2"), ("my-header1", "value2"), ("my-header1", "value1")],
            "",
            "SignedHeaders=host;my-header1;x-amz-date, Signature=c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea",
        ),
        (
            "get-slash-dot-slash-normalized",
            Method::GET,
            "/./",
            &[],
            "",
            "SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
        ),
        (
            "an ARN in the path, as botocore signs it",
            Method::POST,
            "/2015-03-31/functions/arn%3Aaws%3Alambda%3Aus-east-1%3A000000000000%3Afunction%3Af/invocations",
            &[],
            "",
            "SignedHeaders=host;x-amz-date, Signature=804f1f1f33d3cbc73f3a37377f325e0535aed922808519ecfea3b00bd2547e03",
        ),
        (
            "post-x-www-form-urlencoded",
            Method::POST,
            "/",
            &[
                ("content-type", "application/x-www-form-urlencoded"),
                ("content-length", "13"),
                ("x-amz-content-sha256", "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e"),
            ],
            "Param1=value1",
            "SignedHeaders=content-length;content-type;host;x-amz-content-sha256;x-amz-date, Signature=d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b",
        ),
    ];
    for (name, method, path, headers, body, expected) in examples {
        let request = dummy(method, &format!("https://example.amazonaws.com{path}"), headers, body);
        let request = signed(request, None);
        assert_eq!(authorization(&request), format!("{SUITE}{expected}"), "{name}");
        assert_eq!(request.headers()["x-amz-date"], "20150830T123600Z", "{name}");
        assert!(
            !request.headers().contains_key("x-amz-security-token"),
            "{name}: the client's token is gone"
        );
        assert_eq!(request.body(), body, "{name}");
    }
}

#[test]
fn a_session_token_of_ours_takes_the_clients_place() {
    let token = "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==";
    let request = signed(dummy(Method::POST, "https://example.amazonaws.com/", &[], ""), Some(token));
    assert_eq!(request.headers().get_all("x-amz-security-token").iter().count(), 1);
    assert_eq!(request.headers()["x-amz-security-token"], token);
    let expected = "SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead";
    assert_eq!(authorization(&request), format!("{SUITE}{expected}"));
}

#[test]
fn the_hash_of_the_body_is_the_clients_where_it_gave_one() {
    let hash = "UNSIGNED-PAYLOAD";
    let of = |body| {
        let headers = [("x-amz-content-sha256", hash)];
        let request = signed(dummy(Method::POST, "https://example.amazonaws.com/", &headers, body), None);
        assert_eq!(request.headers()["x-amz-content-sha256"], hash);
        authorization(&request).to_owned()
    };
    assert_eq!(of("a"), of("b"), "it is the hash that is signed");
}

#[test]
fn all_headers_of_aws_and_of_the_sdk_are_signed() {
    let headers =
        [("amz-sdk-request", "attempt=1"), ("x-amz-target", "AmazonSQS.ListQueues"), ("user-agent", "x")];
    let request = signed(dummy(Method::POST, "https://example.amazonaws.com/", &headers, "{}"), None);
    let names = "SignedHeaders=amz-sdk-request;host;x-amz-date;x-amz-target,";
    assert!(authorization(&request).contains(names), "{}", authorization(&request));
}

/// What AWS is not asked, and what the client is told instead.
async fn refused(request: Request) -> (u16, String, String) {
    let settings = SignedSettings { account: "1".to_owned(), profile: None, endpoint: None };
    let provider = SharedCredentialsProvider::new(Credentials::new(KEY, SECRET, None, None, "test"));
    let upstream = Signed::new(settings, Keeper::new(provider), "us-east-1".to_owned());
    let response = upstream.forward(request).await.expect("an answer");
    let (code, message) = decode_error(&response).expect("an error");
    (response.status().as_u16(), code, message)
}

fn call(url: &str, headers: &[(&str, &str)]) -> Request {
    let builder = http::Request::post(url).header("host", "127.0.0.1:4000");
    let builder = builder.header("x-amz-target", "AmazonSQS.ListQueues");
    let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value));
    builder.body(Bytes::from_static(b"{}")).expect("a valid request")
}

#[tokio::test]
async fn what_cannot_be_signed_anew_is_refused_and_says_why() {
    let for_sqs = "AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/sqs/aws4_request, Signature=0";
    let for_s3 = "AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/s3/aws4_request, Signature=0";
    let nowhere = "AWS4-HMAC-SHA256 Credential=test/20200101/evil.example/sqs/aws4_request, Signature=0";
    let streaming = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
    for (request, told) in [
        (call("/", &[]), "no Authorization header"),
        (call("/?X-Amz-Signature=0&X-Amz-Credential=a", &[]), "signed in its address"),
        (call("/?X-Amz-Signature=0", &[("authorization", for_sqs)]), "signed in its address"),
        (call("/", &[("authorization", for_sqs), ("x-amz-content-sha256", streaming)]), "piece by piece"),
        (call("/", &[("authorization", "Bearer t")]), "\"Bearer\""),
        (call("/", &[("authorization", "AWS4-ECDSA-P256-SHA256 Credential=a")]), "only AWS4-HMAC-SHA256"),
        (call("/", &[("authorization", "AWS4-HMAC-SHA256 Credential=a/b")]), "KEY/DATE/REGION"),
        (call("/", &[("authorization", nowhere)]), "none of AWS's"),
        (call("/", &[("authorization", for_s3)]), "AWS_ENDPOINT_URL_SQS"),
    ] {
        let (status, code, message) = refused(request).await;
        assert_eq!((status, code.as_str()), (403, "AccessDenied"), "{message}");
        assert!(message.starts_with("havoq: ") && message.contains(told), "{message}");
    }
}

#[tokio::test]
async fn a_page_that_calls_this_machine_by_another_name_is_refused() {
    let for_sqs = "AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/sqs/aws4_request, Signature=0";
    let mut request = call("/", &[("authorization", for_sqs)]);
    request.headers_mut().insert("host", http::HeaderValue::from_static("rebound.example:4000"));
    let (_, _, message) = refused(request).await;
    assert!(message.contains("\"rebound.example:4000\""), "{message}");
}
