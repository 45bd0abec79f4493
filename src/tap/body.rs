//! Reading a request's body whole.

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Incoming;

/// The whole body; none when it is larger than `most`. It is read to its end all the same: a client
/// that still writes would not see the answer.
pub async fn whole_body(mut body: Incoming, most: usize) -> Result<Option<Bytes>, hyper::Error> {
    let mut whole = BytesMut::new();
    let mut fits = true;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        fits &= whole.len() + data.len() <= most;
        if fits {
            whole.extend_from_slice(&data);
        }
    }
    Ok(fits.then(|| whole.freeze()))
}
