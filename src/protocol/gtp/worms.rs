//! GTP commands about worms: the strings, their shape, and the results of reading.

use super::wire::{Answer, Arguments, Failure, color, vertices};
use super::{Command, Session, command};
use std::fmt::Write as _;
use tengen_go::AnalyseSystems;
use tengen_go::board::{Board, Vertex};
use tengen_go::tactics::{Code, TacticsMap};
use tengen_go::unconditional::{Status, UnconditionalMap};
use tengen_go::worms::WormMap;

pub(super) const COMMANDS: &[Command] = &[
    command("worm_data", worm_data),
    command("worm_stones", worm_stones),
    command("worm_cutstone", worm_cutstone),
];

fn worm_data(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let wanted = words.word(0).map(|_| words.vertex(0, session.board())).transpose()?;
    let board = session.board().clone();
    let unconditional = UnconditionalMap::build(&board);
    let engine = session.analyse(session.to_move, AnalyseSystems::Tactics);
    let worms: Option<&WormMap> = engine.result(0, AnalyseSystems::Tactics);
    let tactics: Option<&TacticsMap> = engine.result(0, AnalyseSystems::Tactics);
    let (worms, tactics) = worms.zip(tactics).ok_or_else(|| Failure::new("the worms could not be read"))?;
    let rows = |v: Vertex| data_of(&board, worms, tactics, &unconditional, v);
    Ok(match wanted {
        Some(v) => rows(v),
        None => board.vertices().map(rows).collect::<Vec<_>>().join("\n"),
    })
}

/// The worm at a vertex, one field on each line, as GNU Go lists it; an empty vertex has zeros.
fn data_of(
    board: &Board,
    worms: &WormMap,
    tactics: &TacticsMap,
    unconditional: &UnconditionalMap,
    v: Vertex,
) -> String {
    let name = |v: Vertex| v.to_gtp(board.size());
    let color = board.color_at(v);
    let worm = worms.get(v).filter(|_| color.is_some());
    let reading = tactics.at(board, v);
    let status = unconditional.at(v);
    let code = |code: Option<Code>| code.map_or(0, worm_code).to_string();
    let truth = |b: bool| u8::from(b).to_string();
    let liberties = |order: usize| worm.map_or(0, |w| w.liberties[order]).to_string();
    let point = |point: Option<Vertex>| name(point.unwrap_or(Vertex::PASS));
    let rows: [(&str, String); 18] = [
        ("origin", name(worm.map_or(v, |w| w.origin))),
        ("color", color.map_or_else(|| "empty".into(), |c| c.to_string())),
        ("size", worm.map_or(0, |w| w.size).to_string()),
        (
            "effective_size",
            format!("{:.2}", worm.map_or(0.0, tengen_go::worms::Worm::recorded_effective_size)),
        ),
        ("liberties", liberties(0)),
        ("liberties2", liberties(1)),
        ("liberties3", liberties(2)),
        ("liberties4", liberties(3)),
        ("attack_code", code(reading.map(|r| r.attack))),
        ("attack_point", point(reading.map(|r| r.attack_point))),
        ("defense_code", code(reading.map(|r| r.defense))),
        ("defense_point", point(reading.map(|r| r.defense_point))),
        ("lunch", point(worm.and_then(|w| w.lunch))),
        ("cutstone", worm.map_or(0, |w| w.cutstone).to_string()),
        ("cutstone2", worm.map_or(0, |w| w.cutstone2).to_string()),
        ("genus", worm.map_or(0, |w| w.genus).to_string()),
        ("inessential", truth(worm.is_some_and(|w| w.inessential))),
        ("invincible", truth(color.is_some() && status == Status::Alive)),
    ];
    let mut text = format!("{}:\n", name(v));
    for (key, value) in rows {
        // Writing to a String can't fail.
        let _ = writeln!(text, "{key:<21}{value}");
    }
    let status = if status == Status::Undecided { "unknown".into() } else { status.to_string() };
    let _ = write!(text, "{:<21}{status}", "unconditional_status");
    text
}

/// GNU Go's number of a reading in the worm's data: 0 lose, 1 ko B, 4 ko A, 5 win.
const fn worm_code(code: Code) -> u8 {
    match code {
        Code::Fail => 0,
        Code::KoB => 1,
        Code::KoA => 4,
        Code::Win => 5,
    }
}

fn worm_stones(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let board = session.board();
    let stones = |v: Vertex| vertices(board.stones(v), board.size());
    let wanted = match words.word(0) {
        None => None,
        Some(word) => match color(word) {
            Some(color) => Some(color),
            None => {
                let v = words.vertex(0, board)?;
                let empty = || Failure::new("worm_stones called on an empty vertex");
                return board.color_at(v).map(|_| stones(v)).ok_or_else(empty);
            }
        },
    };
    let strings = board.vertices().filter(|&v| {
        board.color_at(v).is_some_and(|c| wanted.is_none_or(|w| w == c)) && board.origin(v) == v
    });
    Ok(strings.map(stones).collect::<Vec<_>>().join("\n"))
}

fn worm_cutstone(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.stone(0, session.board())?;
    let found = session.look::<WormMap>(AnalyseSystems::Worms);
    let cutstone = found.and_then(|(worms, _)| worms.get(v)).map_or(0, |w| w.cutstone);
    // GNU Go puts a blank before the number.
    Ok(format!(" {cutstone}"))
}
