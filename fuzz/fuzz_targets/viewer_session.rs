//! Fuzz target: requests to the viewer, one after the other.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::viewer_session(data));
