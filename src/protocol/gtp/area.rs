//! GTP commands about the search area. A controller limits the choice of moves to this area.
//!
//! # Source
//! GNU Go 3.8 manual, "GTP command reference" (`set_search_diamond`, `reset_search_mask`, `limit_search`,
//! `set_search_limit`, `draw_search_area`, `tune_move_ordering`).
//!
//! # Departures
//! The manual gives no size for the diamond. Here the diamond reaches four lines from its centre. While the search is
//! limited, the engine chooses only marked vertices, or passes if there is none. The limit does not change reading.
//! Reading has no parameters for move ordering, so `tune_move_ordering` accepts none.

use super::search_area::SearchArea;
use super::session::Session;
use super::wire::{Answer, Arguments, Failure};
use super::{Command, command};
use tengen_go::board::Vertex;

pub(super) const COMMANDS: &[Command] = &[
    command("set_search_diamond", diamond),
    command("reset_search_mask", reset),
    command("limit_search", limit),
    command("set_search_limit", mark),
    command("draw_search_area", draw),
    command("tune_move_ordering", tune),
];

/// The reach of the diamond in lines.
const REACH: usize = 4;

/// `set_search_diamond VERTEX`: limits the search to the vertices near this one.
fn diamond(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let board = session.board();
    let (at, size) = (words.vertex(0, board)?, board.size());
    let near = |v: &Vertex| v.row(size).abs_diff(at.row(size)) + v.col(size).abs_diff(at.col(size)) <= REACH;
    let marked = board.vertices().filter(near).collect();
    session.limit_to(SearchArea { is_limited: true, marked });
    Ok(String::new())
}

fn reset(session: &mut Session, _: &Arguments<'_>) -> Answer {
    let area = SearchArea { marked: Vec::new(), ..session.area().clone() };
    session.limit_to(area);
    Ok(String::new())
}

/// `limit_search 0|1`.
fn limit(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let value = words.number::<i32>(0).ok_or_else(|| Failure::new("invalid value for search limit"))?;
    let area = SearchArea { is_limited: value != 0, ..session.area().clone() };
    session.limit_to(area);
    Ok(String::new())
}

/// `set_search_limit VERTEX`: marks a vertex.
fn mark(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.vertex(0, session.board())?;
    let mut area = session.area().clone();
    area.mark(v);
    session.limit_to(area);
    Ok(String::new())
}

fn draw(session: &mut Session, _: &Arguments<'_>) -> Answer {
    let text = session.area().drawing(session.board());
    // A controller may have closed our stderr.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
    Ok(String::new())
}

fn tune(_: &mut Session, words: &Arguments<'_>) -> Answer {
    if words.is_empty() {
        Ok(String::new())
    } else {
        Err(Failure::new("incorrect arguments: reading has 0 parameters for the order of moves"))
    }
}
