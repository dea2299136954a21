//! Fuzz target: whole UCI sessions.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::uci_session(data));
