//! The seeds of the fuzz targets, run as a fuzzer runs them.

#[path = "../../../../fuzz/src/wire.rs"]
mod targets;

use std::fs;

type Target = fn(&[u8]);

#[test]
fn no_seed_of_a_fuzz_target_makes_it_panic() {
    let targets: [(&str, Target); 4] = [
        ("json", targets::json),
        ("query", targets::query),
        ("cbor", targets::cbor),
        ("rest", targets::rest),
    ];
    for (name, run) in targets {
        let folder = format!("{}/../../fuzz/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
        let seeds: Vec<_> = fs::read_dir(&folder).expect("each target has seeds").collect();
        assert!(seeds.len() > 2, "{folder}");
        for seed in seeds {
            run(&fs::read(seed.expect("a seed").path()).expect("a seed can be read"));
        }
    }
}
