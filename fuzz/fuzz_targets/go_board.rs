//! Fuzz target: games of Go under drawn rules, analysed.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::go_board(data));
