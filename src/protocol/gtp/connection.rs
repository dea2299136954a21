//! GTP commands that query the connection reader: connect, disconnect, break in, block off.

use super::wire::{Answer, Arguments, Failure};
use super::{Command, Session, command};
use tengen_go::board::{Board, Vertex};
use tengen_go::connection::ConnectionReader;
use tengen_go::tactics::{Reader, Reading};

pub(super) const COMMANDS: &[Command] = &[
    command("connect", |s, w| pair(s, w, ConnectionReader::connect)),
    command("disconnect", |s, w| pair(s, w, ConnectionReader::disconnect)),
    command("break_in", |s, w| area(s, w, ConnectionReader::break_in)),
    command("block_off", |s, w| area(s, w, ConnectionReader::block_off)),
];

/// Runs a question with the session's reader, under a running trace if there is one, and counts its nodes.
fn ask(session: &mut Session, question: impl FnOnce(&mut ConnectionReader, &Board) -> Reading) -> Answer {
    let limits = session.effort().question.links;
    let known = session.connections.take().filter(|reader| reader.limits() == limits);
    let mut reader = known.unwrap_or_else(|| ConnectionReader::new(limits));
    if let Some(trace) = session.reader.as_mut().and_then(Reader::finish_trace) {
        reader.resume_trace(trace);
    }
    let reading = question(&mut reader, session.board());
    if let (Some(tactical), Some(trace)) = (&mut session.reader, reader.finish_trace()) {
        tactical.resume_trace(trace);
    }
    session.connections = Some(reader);
    session.counters.connection += reading.nodes;
    Ok(if reading.code.works() {
        format!("{} {}", reading.code.gtp(), reading.point.to_gtp(session.board().size()))
    } else {
        "0".into()
    })
}

fn pair(
    session: &mut Session,
    words: &Arguments<'_>,
    question: fn(&mut ConnectionReader, &Board, Vertex, Vertex) -> Reading,
) -> Answer {
    let a = words.stone(0, session.board())?;
    let b = words.stone(1, session.board())?;
    if session.board().color_at(a) != session.board().color_at(b) {
        return Err(Failure::new("vertices must have same color"));
    }
    ask(session, |reader, board| question(reader, board, a, b))
}

fn area(
    session: &mut Session,
    words: &Arguments<'_>,
    question: fn(&mut ConnectionReader, &Board, Vertex, &[Vertex]) -> Reading,
) -> Answer {
    let v = words.stone(0, session.board())?;
    let area: Vec<Vertex> =
        (1..words.len()).map(|i| words.vertex(i, session.board())).collect::<Result<_, _>>()?;
    ask(session, |reader, board| question(reader, board, v, &area))
}
