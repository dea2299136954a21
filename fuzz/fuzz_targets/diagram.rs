//! Fuzz target: diagrams of Go boards.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::diagram(data));
