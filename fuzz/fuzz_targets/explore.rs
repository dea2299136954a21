//! Fuzz target: lines of `tengen gdl explore`.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::explore(data));
