//! Fuzz target: whole GTP sessions.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::gtp_session(data));
