#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| havoq_fuzz::wire::rest(data));
