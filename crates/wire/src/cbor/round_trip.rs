//! Results written as CBOR and read back, and bytes that are none.

use bytes::Bytes;
use proptest::prelude::*;

use super::input::read;
use super::output::write;
use crate::call::{Protocol, decode};
use crate::model::arbitrary;

proptest! {
    #[test]
    fn a_result_written_as_cbor_is_read_as_it_was(
        (service, _, id, value) in arbitrary::operation(Protocol::Cbor, |operation| operation.output)
    ) {
        let model = service.model();
        let bytes = write(model, id, &value).expect("a value of the shape");
        prop_assert_eq!(read(model, id, &bytes).expect("cbor of the shape"), value);
    }

    #[test]
    fn a_cut_is_noticed((service, _, id, value) in arbitrary::operation(Protocol::Cbor, |operation| operation.output), at: usize) {
        let model = service.model();
        let bytes = write(model, id, &value).expect("a value of the shape");
        let cut = &bytes[..at % bytes.len()];
        prop_assert!(read(model, id, cut).is_err());
    }

    #[test]
    fn no_bytes_make_the_readers_panic(
        body: Vec<u8>,
        (service, _, id, value) in arbitrary::operation(Protocol::Cbor, |operation| operation.input),
        at: usize,
        with: u8,
    ) {
        let mut near = write(service.model(), id, &value).expect("a value of the shape");
        let length = near.len();
        near[at % length] = with;
        for body in [body, near] {
            super::read_error(&body);
            let request = http::Request::post("/service/GraniteServiceVersion20100801/operation/PutMetricData")
                .header("smithy-protocol", "rpc-v2-cbor")
                .body(Bytes::from(body));
            let _ = decode(&request.expect("a valid request"));
        }
    }
}
