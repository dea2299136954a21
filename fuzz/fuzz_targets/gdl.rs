//! Fuzz target: rulesheets.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::gdl(data));
