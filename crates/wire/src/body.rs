//! The body of a request as its sender meant it: SDKs compress the large ones of some operations.

use std::borrow::Cow;
use std::io::Read;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;

use crate::not_a_call::NotACall;
use crate::upstream::Request;

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
    let Some(encoding) = request.headers().get(http::header::CONTENT_ENCODING) else {
        return Ok(Cow::Borrowed(request.body()));
    };
    match encoding.as_bytes().to_ascii_lowercase().as_slice() {
        b"" | b"identity" => Ok(Cow::Borrowed(request.body())),
        b"gzip" => unzip(request.body()).map(Cow::Owned).map_err(NotACall::Body),
        _ => Err(NotACall::Body(format!("the content encoding {encoding:?} is not understood"))),
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
    fn what_cannot_be_unpacked_is_refused() {
        let refused = |encoding, body| of(&request(encoding, body)).expect_err("no body").to_string();
        assert!(refused("gzip", b"abc".into()).contains("not the gzip"));
        assert!(refused("br", b"abc".into()).contains("\"br\" is not understood"));
        let bomb = zip(&vec![0; usize::try_from(LONGEST).expect("it fits") + 1]);
        assert!(bomb.len() < 100_000);
        assert!(refused("gzip", bomb).contains("more than 16777216 bytes"));
    }
}
