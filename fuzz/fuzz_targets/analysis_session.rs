//! Fuzz target: whole sessions of KataGo's analysis protocol.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::analysis_session(data));
