//! Fuzz target: game records in SGF.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::sgf(data));
