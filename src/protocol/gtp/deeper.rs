//! GTP commands that ask about dragons after one or two moves: threats, connections, captures, races. One command asks
//! whether stones surround a dragon.
//!
//! # Source
//! GNU Go 3.8 manual, "GTP command reference", for the forms of questions and answers.
//!
//! # Departures
//! The manual does not say with which moves a threat may begin. [`tengen_go::dragons::threats`] chooses them. The
//! reading after each move has the limits of the analysis for life and death, not the wider limits of a single
//! question.

use super::dragons::{look, race_of, the_dragon};
use super::session::Questions;
use super::wire::{Answer, Arguments, Failure};
use super::{Command, Session, command};
use tengen_go::board::{Board, Vertex};
use tengen_go::dragons::life::{known_of_race, known_to_dragon};
use tengen_go::dragons::threats::{stones_left as left, two_moves};
use tengen_go::dragons::{DragonMap, Status};
use tengen_go::owl::{LifeQuestion, LifeReading};
use tengen_go::semeai::RaceResult;
use tengen_go::surround::{Surround, surround};
use tengen_go::tactics::Code;

pub(super) const COMMANDS: &[Command] = &[
    command("owl_threaten_attack", |s, w| threaten(s, w, true)),
    command("owl_threaten_defense", |s, w| threaten(s, w, false)),
    command("owl_connection_defends", connection_defends),
    command("owl_substantial", substantial),
    command("analyze_semeai_after_move", race_after_move),
    command("tactical_analyze_semeai", tactical_race),
    command("does_surround", does_surround),
];

/// Asks whether the dragon of these stones can be killed, or saved, on another board than the session's.
fn read(session: &mut Session, board: &Board, goal: &[Vertex], attack: bool) -> Result<LifeReading, Failure> {
    let (now, limits) = (session.board().clone(), session.effort().life);
    let (map, questions) = look(session)?;
    let (alive, dead) = known_to_dragon(&now, map, goal);
    let question = LifeQuestion::new(board, goal, (&alive, &dead), limits);
    let Questions { life, .. } = questions;
    let found =
        if attack { life.attack_and_defend(&question).0 } else { life.defend_and_attack(&question).0 };
    session.counters.owl += found.nodes;
    Ok(found)
}

/// `owl_threaten_attack`, `owl_threaten_defense`: the result of two moves in a row, and these moves.
fn threaten(session: &mut Session, words: &Arguments<'_>, attack: bool) -> Answer {
    let v = words.stone(0, session.board())?;
    let board = session.board().clone();
    let (map, _) = look(session)?;
    let dragon = the_dragon(map, v)?.clone();
    let mut fault = None;
    let found = two_moves(&board, &dragon, attack, |after, goal| {
        read(session, after, goal, attack).map_err(|failure| fault = Some(failure)).ok()
    });
    if let Some(fault) = fault {
        return Err(fault);
    }
    let size = board.size();
    Ok(if found.code.works() {
        format!("{} {} {}", found.code.gtp(), found.first.to_gtp(size), found.second.to_gtp(size))
    } else {
        "0".into()
    })
}

/// `owl_connection_defends MOVE DRAGON DRAGON`: whether the dragons that the move joins can't be killed.
fn connection_defends(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let board = session.board().clone();
    let at = words.vertex(0, &board)?;
    let (a, b) = (words.stone(1, &board)?, words.stone(2, &board)?);
    let (map, _) = look(session)?;
    let (one, other) = (the_dragon(map, a)?, the_dragon(map, b)?);
    if one.color != other.color {
        return Err(Failure::new("vertices must have same color"));
    }
    let (owner, stones) = (one.color, [&one.stones[..], &other.stones[..], &[at]].concat());
    let mut after = board.without_history();
    after.play(owner, at).map_err(|_| Failure::new("illegal move"))?;
    let goal = left(&after, owner, &stones);
    let attack = read(session, &after, &goal, true)?;
    Ok(attack.code.reverse().gtp().to_string())
}

/// `owl_substantial STRING`: whether the strings around one live if it is taken off.
fn substantial(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let board = session.board().clone();
    let v = words.stone(0, &board)?;
    let taken = board.color_at(v).unwrap_or_default();
    let mut bare = Board::with_rules(board.size(), board.rules());
    for stone in board.vertices().filter(|&u| !board.same_string(u, v)) {
        if let Some(color) = board.color_at(stone) {
            bare.place(color, stone).map_err(|_| Failure::new("bad vertex list"))?;
        }
    }
    let takers: Vec<Vertex> = board.adjacent_strings(v).into_iter().flat_map(|s| board.stones(s)).collect();
    let goal = left(&bare, taken.other(), &takers);
    if goal.is_empty() {
        return Ok("0".into());
    }
    let attack = read(session, &bare, &goal, true)?;
    Ok(u8::from(!attack.code.works()).to_string())
}

/// `analyze_semeai_after_move COLOR VERTEX DRAGON DRAGON`: the race, the first dragon moving first, after a move.
fn race_after_move(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let board = session.board().clone();
    let (color, at) = words.play(0, &board)?;
    let (a, b) = (words.stone(2, &board)?, words.stone(3, &board)?);
    let nodes = session.effort().question.race_nodes;
    let mut after = board.without_history();
    after.play(color, at).map_err(|_| Failure::new("illegal move"))?;
    let (map, questions) = look(session)?;
    let (mine, theirs) = (the_dragon(map, a)?, the_dragon(map, b)?);
    if mine.color == theirs.color {
        return Err(Failure::new("vertices must be of different color"));
    }
    let goals = [left(&after, mine.color, &mine.stones), left(&after, theirs.color, &theirs.stones)];
    if goals[0].is_empty() || goals[1].is_empty() {
        let wins = u8::from(goals[1].is_empty());
        return Ok(format!("{wins} {wins} PASS"));
    }
    let (alive, dead) = known_of_race(&board, map);
    let found = questions.races.analyse(&after, &goals[0], &goals[1], (&alive, &dead), nodes);
    session.counters.owl += found.nodes;
    Ok(format!("{} {} {}", found.defense.gtp(), found.attack.gtp(), found.line.start().to_gtp(board.size())))
}

/// `tactical_analyze_semeai DRAGON DRAGON`: the fate of both if the first moves first, read no further than the
/// analysis reads races.
fn tactical_race(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let (board, a, b) = race_of(session, words)?;
    let nodes = session.effort().race_nodes;
    let (map, questions) = look(session)?;
    let (mine, theirs) = (the_dragon(map, a)?.stones.clone(), the_dragon(map, b)?.stones.clone());
    let (alive, dead) = known_of_race(&board, map);
    let found = questions.races.analyse(&board, &mine, &theirs, (&alive, &dead), nodes);
    session.counters.owl += found.nodes;
    let [mine, theirs] = statuses(&found);
    Ok(format!("{} {}", mine.name(), theirs.name()))
}

/// The fates of both dragons of a race with the first moving first. Unknown if a ko decides or reading did not reach
/// its end.
const fn statuses(found: &RaceResult) -> [Status; 2] {
    match (found.defense, found.attack, found.certain) {
        (Code::Win, Code::Win, _) => [Status::Alive, Status::Dead],
        (Code::Win, Code::Fail, true) => [Status::Alive, Status::Alive],
        (Code::Fail, _, true) => [Status::Dead, Status::Alive],
        _ => [Status::Unknown, Status::Unknown],
    }
}

/// `does_surround MOVE DRAGON`: whether the dragon is surrounded after the move.
fn does_surround(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let board = session.board().clone();
    let at = words.vertex(0, &board)?;
    if !board.is_empty(at) {
        return Err(Failure::new("vertex must be empty"));
    }
    let v = words.stone(1, &board)?;
    let (map, _) = look(session)?;
    let dragon = the_dragon(map, v)?;
    let mut after = board.without_history();
    after.play(dragon.color.other(), at).map_err(|_| Failure::new("illegal move"))?;
    let goal = left(&after, dragon.color, &dragon.stones);
    let found = surround(&after, &goal, |u| u == at || is_near(map, dragon.origin, u));
    Ok(u8::from(found.status == Surround::Surrounded).to_string())
}

/// Whether a stone belongs to a neighbour of a dragon.
fn is_near(map: &DragonMap, dragon: Vertex, stone: Vertex) -> bool {
    let Some(dragon) = map.at(dragon) else { return false };
    let number = map.index.get(stone.at());
    number.is_some_and(|number| dragon.neighbors.binary_search(number).is_ok())
}
