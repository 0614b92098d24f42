//! Runs one of the targets under libFuzzer; `HONE_FUZZ_TARGET` names it.
#![no_main]

mod targets;

use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

static TARGET: OnceLock<String> = OnceLock::new();

fuzz_target!(
    init: {
        let name = std::env::var("HONE_FUZZ_TARGET").unwrap_or_default();
        assert!(targets::NAMES.contains(&name.as_str()), "HONE_FUZZ_TARGET: one of {:?}", targets::NAMES);
        TARGET.get_or_init(|| name);
    },
    |bytes: &[u8]| {
        if let Some(name) = TARGET.get() {
            targets::run(name, bytes);
        }
    }
);
