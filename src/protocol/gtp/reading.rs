//! GTP commands that query the tactical reader: attack, defend and similar questions, reading counters, and traces.

use super::wire::{Answer, Arguments, Failure, vertices};
use super::{Command, Session, command};
use tengen_go::Finding;
use tengen_go::board::{Board, Vertex, sgf};
use tengen_go::tactics::{self, Code, Limits, Reader, Reading, Trace};

pub(super) const COMMANDS: &[Command] = &[
    command("attack", |s, w| ask(s, w, |reader, board, v| reader.attack(board, v))),
    command("defend", |s, w| ask(s, w, |reader, board, v| reader.defend(board, v))),
    command("ladder_attack", ladder_attack),
    command("does_attack", |s, w| move_against(s, w, |reader, board, m, v| reader.does(board, m, v, true))),
    command("does_defend", |s, w| move_against(s, w, |reader, board, m, v| reader.does(board, m, v, false))),
    command("attack_either", |s, w| pair(s, w, |reader, board, a, b| reader.attack_either(board, a, b).code)),
    command("defend_both", |s, w| pair(s, w, |reader, board, a, b| reader.defend_both(board, a, b))),
    command("combination_attack", combination_attack),
    command("combination_defend", combination_defend),
    command("aa_confirm_safety", confirm_safety),
    command("start_sgftrace", start_trace),
    command("finish_sgftrace", finish_trace),
];

/// Runs a question with the session's reader and adds its nodes to the counter.
fn with_reader<T>(session: &mut Session, question: impl FnOnce(&mut Reader, &mut Board) -> T) -> T {
    let limits = session.effort().question.strings.deeper_by(session.depth_offset);
    with_limits(session, limits, question)
}

/// The same under other limits.
fn with_limits<T>(
    session: &mut Session,
    limits: Limits,
    question: impl FnOnce(&mut Reader, &mut Board) -> T,
) -> T {
    let mut reader =
        session.reader.take().filter(|r| r.limits() == limits).unwrap_or_else(|| Reader::new(limits));
    let mut board = session.board().clone();
    let before = reader.total_nodes();
    let answer = question(&mut reader, &mut board);
    session.counters.reading += reader.total_nodes() - before;
    session.reader = Some(reader);
    answer
}

fn say(reading: &Reading, size: usize) -> String {
    if reading.code.works() {
        format!("{} {}", reading.code.gtp(), reading.point.to_gtp(size))
    } else {
        "0".into()
    }
}

fn ladder_attack(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.stone(0, session.board())?;
    let size = session.board().size();
    Ok(say(&with_reader(session, |reader, board| reader.ladder_attack(board, v)), size))
}

fn ask(
    session: &mut Session,
    words: &Arguments<'_>,
    question: impl FnOnce(&mut Reader, &mut Board, Vertex) -> Reading,
) -> Answer {
    let v = words.stone(0, session.board())?;
    let size = session.board().size();
    Ok(say(&about(session, &[v], |reader, board| question(reader, board, v)), size))
}

/// Runs a question about these strings, which the record then knows as far.
fn about<T>(
    session: &mut Session,
    strings: &[Vertex],
    question: impl FnOnce(&mut Reader, &mut Board) -> T,
) -> T {
    let answer = with_reader(session, question);
    if session.depth_offset >= 0 {
        strings.iter().for_each(|&v| session.refine(Finding::String(v)));
    }
    answer
}

fn move_against(
    session: &mut Session,
    words: &Arguments<'_>,
    question: impl FnOnce(&mut Reader, &mut Board, Vertex, Vertex) -> Code,
) -> Answer {
    let point = words.vertex(0, session.board())?;
    let v = words.stone(1, session.board())?;
    Ok(about(session, &[v], |reader, board| question(reader, board, point, v)).gtp().to_string())
}

fn pair(
    session: &mut Session,
    words: &Arguments<'_>,
    question: impl FnOnce(&mut Reader, &mut Board, Vertex, Vertex) -> Code,
) -> Answer {
    let a = words.stone(0, session.board())?;
    let b = words.stone(1, session.board())?;
    Ok(about(session, &[a, b], |reader, board| question(reader, board, a, b)).gtp().to_string())
}

fn combination_attack(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    let found = with_limits(session, session.effort().question.combinations, |reader, board| {
        tactics::combination_attack(reader, board, color)
    });
    Ok(found.map_or(Vertex::PASS, |c| c.point).to_gtp(session.board().size()))
}

fn combination_defend(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    let points = with_limits(session, session.effort().question.combinations, |reader, board| {
        tactics::combination_defend(reader, board, color)
    });
    let size = session.board().size();
    Ok(if points.is_empty() { "PASS".into() } else { vertices(points, size) })
}

/// `aa_confirm_safety COLOR VERTEX [SIZE]`: 1 if no combination of the opponent captures a string of at least this
/// size after the move. Otherwise 0 and a move that prevents it.
fn confirm_safety(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let (color, at) = words.play(0, session.board())?;
    if !session.board().is_legal(color, at) {
        return Err(Failure::new("invalid move"));
    }
    let least = words.word(2).map_or(Some(0), |_| words.number::<usize>(2));
    let least = least.ok_or_else(|| Failure::new("invalid minsize"))?;
    let limits = session.effort().question.combinations;
    let defence = with_limits(session, limits, |reader, board| {
        board.play(color, at).ok()?;
        let found = tactics::combination_attack(reader, board, color.other())?;
        let is_large = board.string_size(found.target) >= least;
        let defences = tactics::combination_defend(reader, board, color.other());
        is_large.then(|| defences.first().copied().unwrap_or(Vertex::PASS))
    });
    let size = session.board().size();
    Ok(defence.map_or_else(|| "1".into(), |v| format!("0 {}", v.to_gtp(size))))
}

fn start_trace(session: &mut Session, _: &Arguments<'_>) -> Answer {
    with_reader(session, |reader, board| reader.resume_trace(Trace::new(board)));
    Ok(String::new())
}

fn finish_trace(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let path = words.word(0).ok_or_else(|| Failure::new("missing filename"))?;
    let trace = session.reader.as_mut().and_then(Reader::finish_trace);
    let trace = trace.ok_or_else(|| Failure::new("no trace was started"))?;
    std::fs::write(path, sgf::write(trace.tree())).map_err(|_| Failure::new("unable to write the file"))?;
    Ok(String::new())
}
