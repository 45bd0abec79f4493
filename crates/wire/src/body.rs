//! Bodies as their senders meant them: SDKs compress the large requests of some operations, and a
//! server may compress an answer.

use std::borrow::Cow;
use std::io::Read;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;

use crate::not_a_call::NotACall;
use crate::upstream::{Request, Response};

/// No call of a service that is understood is longer; a few bytes can unpack to gigabytes.
const LONGEST: u64 = 16 << 20;

/// The body of a request, not copied where it came as its sender meant it.
pub fn body(request: &Request) -> Result<Bytes, NotACall> {
    Ok(match of(request)? {
        Cow::Borrowed(_) => request.body().clone(),
        Cow::Owned(body) => Bytes::from(body),
    })
}

pub(crate) fn of(request: &Request) -> Result<Cow<'_, [u8]>, NotACall> {
    plain(request.headers(), request.body()).map_err(NotACall::Body)
}

/// The answer without compression, so that it can be read on its way. Says why it cannot.
pub fn unpack(mut response: Response) -> Result<Response, String> {
    if let Cow::Owned(body) = plain(response.headers(), response.body())? {
        *response.body_mut() = Bytes::from(body);
        response.headers_mut().remove(CONTENT_ENCODING);
    }
    Ok(response)
}

fn plain<'a>(headers: &HeaderMap, body: &'a Bytes) -> Result<Cow<'a, [u8]>, String> {
    let Some(encoding) = headers.get(CONTENT_ENCODING) else {
        return Ok(Cow::Borrowed(body));
    };
    match encoding.as_bytes().to_ascii_lowercase().as_slice() {
        b"" | b"identity" => Ok(Cow::Borrowed(body)),
        b"gzip" => unzip(body).map(Cow::Owned),
        _ => Err(format!("the content encoding {encoding:?} is not understood")),
    }
}

fn unzip(body: &[u8]) -> Result<Vec<u8>, String> {
    let mut plain = Vec::new();
    let read = MultiGzDecoder::new(body).take(LONGEST + 1).read_to_end(&mut plain);
    match read {
        Ok(length) if length as u64 > LONGEST => {
            Err(format!("the body unpacks to more than {LONGEST} bytes"))
        }
        Ok(_) => Ok(plain),
        Err(error) => Err(format!("the body is not the gzip that it is said to be: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn request(encoding: &str, body: Vec<u8>) -> Request {
        let builder = http::Request::post("/").header("content-encoding", encoding);
        builder.body(Bytes::from(body)).expect("a valid request")
    }

    fn zip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(plain).expect("memory takes all");
        encoder.finish().expect("memory takes all")
    }

    #[test]
    fn a_zipped_body_is_unpacked_and_another_is_as_it_came() {
        assert_eq!(of(&request("gzip", zip(b"abc"))).expect("a body").as_ref(), b"abc");
        assert_eq!(of(&request("identity", b"abc".into())).expect("a body").as_ref(), b"abc");
    }

    #[test]
    fn a_zipped_answer_is_unpacked_and_says_so_no_more() {
        let mut response = Response::new(Bytes::from(zip(b"abc")));
        response.headers_mut().insert(CONTENT_ENCODING, http::HeaderValue::from_static("gzip"));
        let response = unpack(response).expect("an answer");
        assert_eq!((response.body().as_ref(), response.headers().len()), (&b"abc"[..], 0));
        assert_eq!(unpack(response).expect("an answer").body().as_ref(), b"abc");
    }

    #[test]
    fn what_cannot_be_unpacked_is_refused() {
        let refused = |encoding, body| of(&request(encoding, body)).expect_err("no body").to_string();
        assert!(refused("gzip", b"abc".into()).contains("not the gzip"));
        assert!(refused("br", b"abc".into()).contains("\"br\" is not understood"));
        let bomb = zip(&vec![0; usize::try_from(LONGEST).expect("it fits") + 1]);
        assert!(bomb.len() < 100_000);
        assert!(refused("gzip", bomb).contains("more than 16777216 bytes"));
    }
}
