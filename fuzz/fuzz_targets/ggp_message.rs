//! Fuzz target: messages of the GGP protocol.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::ggp_message(data));
