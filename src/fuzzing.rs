//! Fuzz targets: functions that accept any bytes and must return without a panic. Each parser of text from outside has
//! a target. Each protocol also has a target for whole sessions.
//!
//! `fuzz/fuzz_targets` runs each target under cargo-fuzz. `tests/fuzz_corpus.rs` runs each target with the stable
//! compiler. Its inputs are the committed corpus, mutations of the corpus, and random bytes.

use crate::protocol::ggp;
use crate::protocol::gtp::wire;
use std::path::Path;
use std::time::{Duration, Instant};

/// A fuzz target: its name (the folder of its corpus) and its function.
pub type Target = (&'static str, fn(&[u8]));

/// The most lines of one session.
const MAX_LINES: usize = 40;
/// The same where an answer may need an analysis.
const MAX_ANALYSES: usize = 12;

/// The most moves of one game.
const MOST_MOVES: usize = 120;

/// All targets.
pub const TARGETS: [Target; 18] = [
    ("scene", scene),
    ("sgf", sgf),
    ("diagram", diagram),
    ("patterns", patterns),
    ("moves", moves),
    ("gdl", gdl),
    ("ggp_http", ggp_http),
    ("ggp_message", ggp_message),
    ("gtp", gtp),
    ("analysis", analysis),
    ("chess_text", chess_text),
    ("go_board", go_board),
    ("gtp_session", gtp_session),
    ("uci_session", uci_session),
    ("ggp_session", ggp_session),
    ("explore", explore),
    ("analysis_session", analysis_session),
    ("viewer_session", viewer_session),
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

/// A game of Go under rules drawn from the first three bytes, read up to the values of moves: the reading ends.
///
/// Every further byte is a move on the vertex of its number; the players take turns, and what is illegal is left out.
pub fn go_board(data: &[u8]) {
    use std::cell::RefCell;
    use tengen_go::board::{Board, Color, KoRule, Rules, SuicideRule, Vertex};
    use tengen_go::world::Position;
    use tengen_go::{AnalyseSystems, Effort, GoEngine, Level};
    thread_local! {
        static ENGINE: RefCell<GoEngine> = RefCell::new(GoEngine::new(1).effort(Effort::of(Level::Quick)));
    }
    let &[size, ko, suicide, ref moves @ ..] = data else { return };
    let ko = [KoRule::Simple, KoRule::PositionalSuperko][usize::from(ko % 2)];
    let suicide =
        [SuicideRule::Allowed, SuicideRule::MultiStone, SuicideRule::Forbidden][usize::from(suicide % 3)];
    let mut board = Board::with_rules(2 + usize::from(size % 6), Rules { ko, suicide });
    let vertices: Vec<Vertex> = board.vertices().collect();
    let mut color = Color::Black;
    for &byte in moves.iter().take(MOST_MOVES) {
        let v = vertices[usize::from(byte) % vertices.len()];
        if board.play(color, v).is_ok() {
            color = color.other();
        }
    }
    ENGINE.with_borrow_mut(|engine| {
        engine.put(0, Position::new(board, color));
        engine.analyse(AnalyseSystems::MoveEvaluation);
        assert!(engine.reached(AnalyseSystems::MoveEvaluation), "a position is analysed to its end");
    });
}

/// Lines of GTP as one session: every line gets an answer. Left out is what works long or names files.
pub fn gtp_session(data: &[u8]) {
    use crate::protocol::gtp::{Session, serve};
    const LEFT_OUT: [&str; 6] = ["sgf", "genmove", "final_", "owl", "all_moves", "dragon"];
    let text = String::from_utf8_lossy(data);
    let mut script = String::from("boardsize 5\n");
    for line in text.lines().take(MAX_LINES).filter(|line| !LEFT_OUT.iter().any(|word| line.contains(word))) {
        // Larger boards take longer and find nothing else.
        let line = if line.contains("boardsize") { "boardsize 4" } else { line };
        script += line;
        script.push('\n');
    }
    let mut session = Session::default();
    session.level = 0;
    let mut answers = Vec::new();
    assert!(serve(&mut session, script.as_bytes(), &mut answers).is_ok(), "a session does not end by a line");
}

/// Lines of UCI, one session, every search cut short.
pub fn uci_session(data: &[u8]) {
    use crate::protocol::uci::Session;
    let mut script = String::new();
    for line in String::from_utf8_lossy(data).lines().take(MAX_LINES) {
        let word = |wanted: &str| line.split_whitespace().any(|word| word.eq_ignore_ascii_case(wanted));
        // Tables and threads cost the time that fuzzing has.
        if ["hash", "threads", "bench"].into_iter().any(word) {
            continue;
        }
        script += line;
        if word("go") {
            script += " nodes 30 movetime 5\nstop";
        }
        script.push('\n');
    }
    Session::new(std::io::sink()).run(std::io::Cursor::new(script.into_bytes()));
}

/// Messages of a game manager, one a line, to one player.
pub fn ggp_session(data: &[u8]) {
    use crate::protocol::ggp::{Settings, players::Simple, server::Server};
    use std::sync::Arc;
    let server = Server::new(Settings::default(), Arc::new(Simple { seed: Some(1) }), Arc::new(|_| {}));
    for line in String::from_utf8_lossy(data).lines().take(MAX_LINES) {
        // A clock that has run out already: nothing here waits.
        let long_ago = Instant::now().checked_sub(Duration::from_secs(90_000)).unwrap_or_else(Instant::now);
        let _ = server.reply(line, long_ago, &mut || false);
    }
}

/// A query of KataGo's analysis protocol.
pub fn analysis(data: &[u8]) {
    let _ = crate::protocol::analysis::parse(&String::from_utf8_lossy(data));
}

/// Lines of `tengen gdl explore` on noughts and crosses.
pub fn explore(data: &[u8]) {
    use crate::cli::gdl::Walk;
    use tengen_propnet::game::{Game, NoNet};
    use tengen_propnet::net::build::BuildError;
    let rules = include_str!("../resources/gdl/noughts.kif");
    let Ok(program) = tengen_propnet::program::Program::read(rules) else { return };
    let game = Game::without_net(program, NoNet::Build(BuildError::Stopped));
    let Ok((mut walk, _)) = Walk::begin(&game, "prover") else { return };
    for line in data.split(|&b| b == b'\n').take(MAX_LINES) {
        let answer = walk.answer(line);
        assert!(answer.is_object(), "a line has an answer: {answer}");
    }
}

/// Lines of KataGo's analysis protocol as one session: every answer is an object. Boards are small and visits few.
pub fn analysis_session(data: &[u8]) {
    use crate::protocol::analysis::{Analyst, serve};
    use serde_json::{Value, json};
    let mut script = String::new();
    for line in String::from_utf8_lossy(data).lines().take(MAX_ANALYSES) {
        let Ok(Value::Object(mut fields)) = serde_json::from_str(line) else {
            script += line;
            script.push('\n');
            continue;
        };
        for (name, most) in [("boardXSize", 5), ("boardYSize", 5), ("maxVisits", 2)] {
            if let Some(value) = fields.get_mut(name)
                && value.as_f64().is_some_and(|number| number > f64::from(most))
            {
                *value = json!(most);
            }
        }
        script += &Value::Object(fields).to_string();
        script.push('\n');
    }
    let worker =
        Analyst::default().effort(Some(tengen_go::Level::Quick)).judge(crate::judges::named("none").ok());
    let mut answers = Vec::new();
    assert!(serve(script.as_bytes(), &mut answers, worker).is_ok(), "a session does not end by a line");
    for answer in String::from_utf8_lossy(&answers).lines() {
        let is_object = serde_json::from_str::<Value>(answer).is_ok_and(|value| value.is_object());
        assert!(is_object, "an answer is an object: {answer}");
    }
}

/// Requests to the viewer, one a line: what was opened (`go`, `chess` or `rules`), the page, its query and a form.
pub fn viewer_session(data: &[u8]) {
    #[cfg(feature = "viewer")]
    viewer::session(&String::from_utf8_lossy(data), MAX_ANALYSES);
    #[cfg(not(feature = "viewer"))]
    let _ = data;
}

#[cfg(feature = "viewer")]
mod viewer {
    use crate::view::analysis_cache::AnalysisCache;
    use crate::view::opened_games::OpenedGames;
    use crate::view::request::Request;
    use crate::view::site::{Root, Site};
    use crate::view::table::Table;
    use std::path::Path;
    use std::sync::Arc;
    use tengen_go::Level;

    /// Pages that look at every move of a game, or read a file as another target does.
    const LEFT_OUT: [&str; 4] = ["drop", "lead", "mistake", "tune"];
    /// Fields of work, and the most that is asked for.
    const MOST: [(&str, u64); 5] = [("depth", 2), ("level", 0), ("nodes", 500), ("size", 5), ("visits", 50)];

    /// Each request has a reply with a status of HTTP.
    pub(super) fn session(text: &str, most: usize) {
        let mut sites = [const { None::<Site> }; 3];
        for line in text.lines().take(most) {
            let mut words = line.splitn(4, ' ');
            let (Some(opened), Some(page)) = (words.next(), words.next()) else { continue };
            if LEFT_OUT.contains(&page) {
                continue;
            }
            let mut request = Request::new(page, words.next().unwrap_or(""), words.next());
            for (name, most) in MOST {
                if let Some(value) = request.fields.get_mut(name)
                    && value.parse::<u64>().is_ok_and(|number| number > most)
                {
                    *value = most.to_string();
                }
            }
            let number = match opened {
                "chess" => 1,
                "rules" => 2,
                _ => 0,
            };
            let reply = sites[number].get_or_insert_with(|| site(number)).answer(&request);
            assert!((200..600).contains(&reply.status), "{line}: {}", reply.status);
        }
    }

    fn site(number: usize) -> Site {
        let root = match number {
            1 => OpenedGames::of_text("3r2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").map(Root::Chess),
            2 => {
                let rules = include_str!("../resources/gdl/noughts.kif").to_owned();
                let table = Table::of_text(Path::new("noughts.kif"), rules, &mut || false).ok();
                table.map(|table| Root::Rules(Arc::new(table)))
            }
            _ => None,
        };
        Site::new(root.unwrap_or(Root::Empty(5)), AnalysisCache::new(None, Level::Quick), None)
    }
}
