//! Fuzz target: the weights of likely Go moves.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::moves(data));
