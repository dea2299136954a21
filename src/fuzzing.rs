//! One function per parser of text that comes from outside: it must return, whatever the bytes.
//!
//! `fuzz/fuzz_targets` runs each under cargo-fuzz; `tests/fuzz_corpus.rs` runs each over the committed corpus, over
//! mutations of it and over noise, on the stable compiler.

use crate::protocol::ggp;
use crate::protocol::gtp::wire;
use std::path::Path;
use std::time::{Duration, Instant};

/// A fuzz target: its name (the folder of its corpus) and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 10] = [
    ("scene", scene),
    ("sgf", sgf),
    ("diagram", diagram),
    ("patterns", patterns),
    ("moves", moves),
    ("gdl", gdl),
    ("ggp_http", ggp_http),
    ("ggp_message", ggp_message),
    ("gtp", gtp),
    ("chess_text", chess_text),
];

/// A scene file.
pub fn scene(data: &[u8]) {
    let _ = crate::scene::load::parse(Path::new("fuzz.ron"), String::from_utf8_lossy(data).into_owned());
}

/// A game record, and what its main line leads to; a record that is read is written and read again.
pub fn sgf(data: &[u8]) {
    use tengen_go::board::{Rules, sgf};
    if let Ok(tree) = sgf::parse(data) {
        let line = tree.line(&[]);
        let _ = sgf::load(&tree, &line, sgf::Until::End, Rules::default());
        let text = sgf::write(&tree);
        assert!(sgf::parse(text.as_bytes()).is_ok(), "a written record can be read: {text:?}");
    }
}

/// A diagram of a Go position.
pub fn diagram(data: &[u8]) {
    let _ = tengen_go::board::Board::from_diagram(&String::from_utf8_lossy(data));
}

/// A pattern database.
pub fn patterns(data: &[u8]) {
    let _ = tengen_go::patterns::parse("fuzz.db", &String::from_utf8_lossy(data));
}

/// Weights of likely moves.
pub fn moves(data: &[u8]) {
    let _ = tengen_go::playout::prediction::Model::parse(&String::from_utf8_lossy(data));
}

/// A rulesheet, up to clauses.
pub fn gdl(data: &[u8]) {
    let _ = tengen_propnet::program::Program::read(&String::from_utf8_lossy(data));
}

/// An HTTP request to the GGP player.
pub fn ggp_http(data: &[u8]) {
    let _ = ggp::http::read_request(&mut &*data, 1 << 16, Instant::now() + Duration::from_secs(1));
}

/// A message of a game manager.
pub fn ggp_message(data: &[u8]) {
    let _ = ggp::message::parse(&String::from_utf8_lossy(data));
}

/// A line of GTP.
pub fn gtp(data: &[u8]) {
    let line = wire::clean(data);
    let _ = wire::Request::parse(&line);
}

/// FEN, EPD and moves in both notations.
pub fn chess_text(data: &[u8]) {
    use tengen_chess::rules::{epd, fen, notation};
    let text = String::from_utf8_lossy(data);
    let _ = epd::parse(&text);
    let (position, word) = text.rsplit_once('\n').unwrap_or((&text, "e2e4"));
    if let Ok(setup) = fen::parse(position) {
        let _ = notation::parse_uci(&setup.board, word);
        let _ = notation::parse_san(&setup.board, word);
    }
}
