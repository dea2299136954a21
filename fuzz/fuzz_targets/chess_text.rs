//! Fuzz target: chess texts such as FEN, EPD, moves and PGN.

#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tengen::fuzzing::chess_text(data));
