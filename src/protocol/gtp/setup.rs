//! GTP commands that set up a position: board size, komi, handicap, moves, trial moves, game records.

use super::session::Session;
use super::wire::{Answer, Arguments, Failure, vertices};
use super::{Command, command};
use crate::files;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use tengen_go::board::handicap::fixed_handicap;
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Board, Color, Rules, Vertex};

pub(super) const COMMANDS: &[Command] = &[
    command("boardsize", boardsize),
    command("clear_board", clear_board),
    command("orientation", orientation),
    command("komi", komi),
    command("get_komi", |s, _| Ok(format!("{:4.1}", s.komi))),
    command("get_handicap", |s, _| Ok(s.handicap.to_string())),
    command("play", play),
    command("black", |s, w| play_as(s, w, Color::Black)),
    command("playwhite", |s, w| play_as(s, w, Color::White)),
    command("white", |s, w| play_as(s, w, Color::White)),
    command("undo", |s, _| s.undo(1).map(|()| String::new())),
    command("gg-undo", gg_undo),
    command("trymove", |s, w| trymove(s, w, false)),
    command("tryko", |s, w| trymove(s, w, true)),
    command("popgo", popgo),
    command("fixed_handicap", |s, w| handicap(s, w, fixed_handicap)),
    command("place_free_handicap", |s, w| handicap(s, w, free_handicap)),
    command("set_free_handicap", set_free_handicap),
    command("loadsgf", loadsgf),
    command("printsgf", printsgf),
    command("savesgf", printsgf),
];

/// The largest board, as in GNU Go.
const MAX_SIZE: usize = 19;

fn boardsize(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let size: i64 = words.number(0).ok_or_else(|| Failure::new("boardsize not an integer"))?;
    if words.word(1).is_some_and(|other| other.parse() != Ok(size)) {
        return Err(Failure::new("unacceptable size"));
    }
    let size = usize::try_from(size)
        .ok()
        .filter(|s| (tengen_go::board::MIN_SIZE..=MAX_SIZE).contains(s))
        .ok_or_else(|| Failure::new("unacceptable size"))?;
    session.begin(Board::new(size));
    Ok(String::new())
}

fn clear_board(session: &mut Session, _: &Arguments<'_>) -> Answer {
    session.begin(Board::with_rules(session.board().size(), session.board().rules()));
    Ok(String::new())
}

fn orientation(_: &mut Session, words: &Arguments<'_>) -> Answer {
    match words.number(0) {
        None => Err(Failure::new("orientation not an integer")),
        Some(0) => Ok(String::new()),
        // Boards are shown as they are played.
        Some(_) => Err(Failure::new("unacceptable orientation")),
    }
}

fn komi(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let komi: f32 = words.number(0).ok_or_else(|| Failure::new("komi not a float"))?;
    if !komi.is_finite() {
        return Err(Failure::new("komi not a float"));
    }
    session.komi = komi;
    session.forget();
    Ok(String::new())
}

fn play(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let (color, v) = words.play(0, session.board())?;
    session.play(color, v)?;
    Ok(String::new())
}

fn play_as(session: &mut Session, words: &Arguments<'_>, color: Color) -> Answer {
    let v = words
        .word(0)
        .and_then(|text| Vertex::from_gtp(text, session.board().size()))
        .ok_or_else(|| Failure::new("invalid coordinate"))?;
    session.play(color, v)?;
    Ok(String::new())
}

fn gg_undo(session: &mut Session, words: &Arguments<'_>) -> Answer {
    session.undo(words.number(0).unwrap_or(1))?;
    Ok(String::new())
}

fn trymove(session: &mut Session, words: &Arguments<'_>, ignore_ko: bool) -> Answer {
    let (color, v) = words.play(0, session.board())?;
    session.try_move(color, v, ignore_ko)?;
    Ok(String::new())
}

fn popgo(session: &mut Session, _: &Arguments<'_>) -> Answer {
    if session.pop_trial() { Ok(String::new()) } else { Err(Failure::new("Stack empty.")) }
}

/// Free placement: the fixed points, which are good ones, if there are enough.
fn free_handicap(size: usize, stones: usize) -> Option<Vec<Vertex>> {
    fixed_handicap(size, stones).or_else(|| {
        let most = fixed_handicap(size, 9).or_else(|| fixed_handicap(size, 4))?;
        let rest = (0..size * size)
            .map(|i| Vertex::from_index(i, size))
            .filter(|v| !most.contains(v) && v.row(size) % 3 == 2 && v.col(size) % 3 == 2);
        let all: Vec<Vertex> = most.iter().copied().chain(rest).take(stones).collect();
        (stones >= 2 && all.len() == stones).then_some(all)
    })
}

fn is_bare(board: &Board) -> bool {
    board.vertices().all(|v| board.is_empty(v))
}

fn handicap(
    session: &mut Session,
    words: &Arguments<'_>,
    points: fn(usize, usize) -> Option<Vec<Vertex>>,
) -> Answer {
    if !is_bare(session.board()) {
        return Err(Failure::new("board not empty"));
    }
    let stones: i64 = words.number(0).ok_or_else(|| Failure::new("handicap not an integer"))?;
    let size = session.board().size();
    let stones = usize::try_from(stones)
        .ok()
        .and_then(|stones| points(size, stones))
        .ok_or_else(|| Failure::new("invalid handicap"))?;
    session.place_handicap(&stones)?;
    Ok(vertices(stones, size))
}

fn set_free_handicap(session: &mut Session, words: &Arguments<'_>) -> Answer {
    if !is_bare(session.board()) {
        return Err(Failure::new("board not empty"));
    }
    let size = session.board().size();
    let stones = words
        .from(0)
        .iter()
        .map(|text| Vertex::from_gtp(text, size).filter(|&v| v != Vertex::PASS))
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| Failure::new("invalid coordinate"))?;
    if stones.len() < 2 || stones.len() >= size * size {
        return Err(Failure::new("invalid handicap"));
    }
    session.place_handicap(&stones)?;
    Ok(String::new())
}

fn loadsgf(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let (path, last) = words.path(true).ok_or_else(|| Failure::new("missing filename"))?;
    let fail = || Failure::new(format!("cannot open or parse '{path}'"));
    let text = files::bytes(Path::new(&path)).map_err(|_| fail())?;
    let tree = sgf::parse(&text).map_err(|_| fail())?;
    let line = tree.line(&[]);
    let until = match last {
        None => Until::End,
        Some(word) => match word.parse() {
            Ok(n) => Until::Move(n),
            Err(_) => {
                let all = sgf::load(&tree, &line, Until::End, Rules::default()).map_err(|_| fail())?;
                Until::Vertex(Vertex::from_gtp(word, all.board.size()).ok_or_else(fail)?)
            }
        },
    };
    let game = sgf::load(&tree, &line, until, Rules::default()).map_err(|_| fail())?;
    if game.board.size() > MAX_SIZE {
        return Err(fail());
    }
    for warning in tree.warnings.iter().chain(&game.warnings) {
        // A controller may have closed our stderr.
        let _ = writeln!(std::io::stderr(), "{}", warning.diagnostic(&text).in_file(path.as_str()));
    }
    // Stones that a record sets up later may end what can be undone.
    let floor = game.board.history_len().saturating_sub(game.moves);
    session.komi = game.komi;
    let (board, to_move) = (game.board, game.to_move);
    session.resume(board, floor, to_move);
    session.handicap = game.handicap;
    Ok(to_move.to_string())
}

fn printsgf(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let text = session_record(session);
    let path = words.path(false).map(|(path, _)| path);
    match path.as_deref() {
        None | Some("-") => Ok(text),
        Some(path) => fs::write(path, text)
            .map(|()| String::new())
            .map_err(|_| Failure::new(format!("cannot open or parse '{path}'"))),
    }
}

/// The game so far as SGF, the reasons for our moves as comments.
pub(super) fn session_record(session: &Session) -> String {
    let root = [
        ("KM", format!("{:.1}", session.komi)),
        ("HA", session.handicap.to_string()),
        ("RU", session.scoring.name().to_owned()),
        ("PL", if session.to_move == Color::Black { "B".into() } else { "W".to_owned() }),
    ];
    let board = session.board();
    let first = board.history_len() - board.moves().count();
    let comment =
        |i: usize| session.comments.iter().find(|(at, _)| *at == first + i + 1).map(|(_, c)| c.clone());
    sgf::write(&sgf::record(board, &root, comment))
}
