//! Runs one of the targets under libFuzzer; `HONE_FUZZ_TARGET` names it.
#![no_main]

mod targets;

use fastrand::Rng;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use std::sync::OnceLock;
use xtask::mutate::mutate;

static TARGET: OnceLock<String> = OnceLock::new();

fn target() -> &'static str {
    TARGET.get().map_or("", String::as_str)
}

fuzz_target!(
    init: {
        let name = std::env::var("HONE_FUZZ_TARGET").unwrap_or_default();
        assert!(targets::NAMES.contains(&name.as_str()), "HONE_FUZZ_TARGET: one of {:?}", targets::NAMES);
        TARGET.get_or_init(|| name);
    },
    |bytes: &[u8]| targets::run(target(), bytes)
);

// Half of the mutations of texts are of words: what changes single bytes mostly ends in the parser.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed.is_multiple_of(2) && target() != "terms" {
        let mut bytes = data[..size].to_vec();
        mutate(&mut bytes, &mut Rng::with_seed(seed.into()));
        bytes.truncate(max_size);
        if !bytes.is_empty() {
            data[..bytes.len()].copy_from_slice(&bytes);
            return bytes.len();
        }
    }
    fuzzer_mutate(data, size, max_size)
});
