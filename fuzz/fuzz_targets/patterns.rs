//! Fuzz target: pattern databases of Go.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::patterns(data));
