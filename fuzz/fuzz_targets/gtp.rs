//! Fuzz target: single GTP commands.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::gtp(data));
