//! Fuzz target: HTTP requests to the GGP player.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::ggp_http(data));
