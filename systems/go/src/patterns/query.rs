//! The questions that constraints ask, and the answers for a match.

use super::expr::{Arg, Expr, Op, Statement};
use super::functions::{Function, Role};
use super::matcher::Match;
use super::memo::Goal;
use super::status::{ALIVE, CRITICAL, DEAD, UNKNOWN};
use crate::board::{Board, Color, Vertex};
use crate::worms::ko_stone;

/// The answers to a constraint's questions. Codes are GNU Go's: 0 no, above 0 yes, the more the surer.
///
/// Questions that not every stage can answer have a default.
pub trait Queries {
    /// The position.
    fn board(&self) -> &Board;

    /// Liberties of this order (1 to 4) of the string at `v`.
    fn liberties(&mut self, v: Vertex, order: usize) -> i32 {
        if order == 1 { self.board().liberties(v) as i32 } else { 0 }
    }

    /// Liberties a stone of `color` would have at the empty vertex `v`.
    fn liberties_if_played(&mut self, color: Color, v: Vertex) -> i32 {
        let mut board = self.board().clone();
        if board.play_ignoring_ko(color, v).is_ok() { board.liberties(v) as i32 } else { 0 }
    }

    /// Whether the string at `v` can be captured now.
    fn attack(&mut self, v: Vertex) -> i32;

    /// Whether a string that can be captured can be saved now.
    fn defend(&mut self, v: Vertex) -> i32;

    /// `first` plays `moves[0]`, the other side `moves[1]`, ...: is the goal reached then? A goal about one string gets it twice.
    fn after(&mut self, goal: Goal, first: Color, moves: &[Vertex], strings: [Vertex; 2]) -> i32;

    /// Whether `color` can play at `v` without being captured right away.
    fn safe_move(&mut self, color: Color, v: Vertex) -> i32;

    /// Half eye at the empty vertex `v`.
    fn half_eye(&mut self, _v: Vertex) -> bool {
        false
    }

    /// False eye at the empty vertex `v`.
    fn false_eye(&mut self, _v: Vertex) -> bool {
        false
    }

    /// Whether `v` is a false eye that counts as its owner's territory; after a move, whether it was one before.
    fn false_eye_territory(&mut self, _v: Vertex) -> bool {
        false
    }

    /// The colour whose territory (3), moyo (2), area (1) the empty vertex is.
    fn holder(&mut self, _v: Vertex, _level: u8) -> Option<Color> {
        None
    }

    /// Whether the enemy of `color` can cut at `v`.
    fn cut(&mut self, _color: Color, _v: Vertex) -> bool {
        false
    }

    /// The matcher status of the dragon at `v`: [`UNKNOWN`] for all before dragons are known.
    fn status(&mut self, _v: Vertex) -> i32 {
        UNKNOWN
    }

    /// Whether two vertices belong to one dragon.
    fn same_dragon(&mut self, a: Vertex, b: Vertex) -> bool {
        self.board().same_string(a, b)
    }
}

/// The value of an expression for a match.
pub fn evaluate(expr: &Expr, found: &Match<'_>, queries: &mut dyn Queries) -> i32 {
    match expr {
        Expr::Number(n) => *n,
        Expr::Not(inner) => i32::from(evaluate(inner, found, queries) == 0),
        Expr::Call(function, args) => call(function, args, found, queries),
        Expr::Binary(op, a, b) => {
            let a = evaluate(a, found, queries);
            // What decides alone leaves the rest unasked.
            match (op, a != 0) {
                (Op::And, false) => return 0,
                (Op::Or, true) => return 1,
                _ => {}
            }
            let b = evaluate(b, found, queries);
            match op {
                Op::And | Op::Or => i32::from(b != 0),
                Op::Eq => i32::from(a == b),
                Op::Ne => i32::from(a != b),
                Op::Lt => i32::from(a < b),
                Op::Le => i32::from(a <= b),
                Op::Gt => i32::from(a > b),
                Op::Ge => i32::from(a >= b),
                Op::Sub => a.saturating_sub(b),
                Op::Add => a.saturating_add(b),
            }
        }
    }
}

/// Whether a match's constraint holds.
pub fn accepts(found: &Match<'_>, queries: &mut dyn Queries) -> bool {
    found.pattern.constraint.as_ref().is_none_or(|c| evaluate(c, found, queries) != 0)
}

/// The result of a match's actions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Acted {
    /// The calls that act, with the vertices of their arguments, in order.
    pub done: Vec<(&'static Function, Vec<Option<Vertex>>)>,
    /// The value of a `return`.
    pub returned: Option<i32>,
}

/// Runs the actions of a match up to a `return`. The caller of the matcher defines the meaning of the calls.
pub fn act(found: &Match<'_>, queries: &mut dyn Queries) -> Acted {
    let mut acted = Acted::default();
    for statement in &found.pattern.actions {
        run(statement, found, queries, &mut acted);
        if acted.returned.is_some() {
            break;
        }
    }
    acted
}

fn run(statement: &Statement, found: &Match<'_>, queries: &mut dyn Queries, acted: &mut Acted) {
    match statement {
        Statement::Return(value) => acted.returned = Some(evaluate(value, found, queries)),
        Statement::If(condition, then, otherwise) => {
            if evaluate(condition, found, queries) != 0 {
                run(then, found, queries, acted);
            } else if let Some(otherwise) = otherwise {
                run(otherwise, found, queries, acted);
            }
        }
        Statement::Do(Expr::Call(function, args)) if function.role == Role::Action => {
            acted.done.push((function, bind(args, found)));
        }
        Statement::Do(_) => {}
    }
}

/// The vertices of arguments; `None` for a move elsewhere.
fn bind(args: &[Arg], found: &Match<'_>) -> Vec<Option<Vertex>> {
    args.iter()
        .map(|arg| match arg {
            Arg::Label(label) => found.label(*label),
            Arg::Tenuki => None,
        })
        .collect()
}

fn call(function: &'static Function, args: &[Arg], found: &Match<'_>, queries: &mut dyn Queries) -> i32 {
    let vertices = bind(args, found);
    if function.role == Role::Action {
        return 0;
    }
    let (color, name) = match function.name.split_at_checked(1) {
        Some(("o", rest)) => (found.color, rest),
        Some(("x", rest)) => (found.color.other(), rest),
        _ => (found.color, ""),
    };
    if let Some(answer) = colored(name, color, &vertices, queries) {
        return answer;
    }
    let first = vertices[0].unwrap_or(Vertex::PASS);
    let second = vertices.get(1).copied().flatten().unwrap_or(Vertex::PASS);
    match function.name {
        "lib" => queries.liberties(first, 1),
        "lib2" => queries.liberties(first, 2),
        "lib3" => queries.liberties(first, 3),
        "lib4" => queries.liberties(first, 4),
        "attack" => queries.attack(first),
        "defend" => queries.defend(first),
        "safe_omove" => queries.safe_move(found.color, first),
        "safe_xmove" => queries.safe_move(found.color.other(), first),
        "legal_omove" => i32::from(queries.board().is_legal(found.color, first)),
        "legal_xmove" => i32::from(queries.board().is_legal(found.color.other(), first)),
        "x_suicide" => i32::from(queries.board().is_suicide(found.color.other(), first)),
        "o_somewhere" => somewhere(found.color, &vertices, queries),
        "x_somewhere" => somewhere(found.color.other(), &vertices, queries),
        "halfeye" => i32::from(queries.half_eye(first)),
        "false_eye" => i32::from(queries.false_eye(first)),
        "false_eye_territory" => i32::from(queries.false_eye_territory(first)),
        "status" => queries.status(first),
        "dead" => i32::from(queries.status(first) == DEAD),
        "alive" => i32::from(queries.status(first) == ALIVE),
        "critical" => i32::from(queries.status(first) == CRITICAL),
        "unknown" => i32::from(queries.status(first) == UNKNOWN),
        "same_worm" => i32::from(queries.board().same_string(first, second)),
        "same_dragon" => i32::from(queries.same_dragon(first, second)),
        "wormsize" => queries.board().string_size(first) as i32,
        "disconnect_helper" => queries.after(Goal::Disconnect, found.color.other(), &[], [first, second]),
        "adjacent_to_stone_in_atari" => i32::from(beside_atari(first, queries, false)),
        "adjacent_to_defendable_stone_in_atari" => i32::from(beside_atari(first, queries, true)),
        "ko" => i32::from(in_ko(queries.board(), first)),
        _ => 0,
    }
}

/// The functions whose name begins with their colour, `o` or `x`; `name` is the rest.
fn colored(name: &str, color: Color, args: &[Option<Vertex>], queries: &mut dyn Queries) -> Option<i32> {
    let first = args[0].unwrap_or(Vertex::PASS);
    if let Some(what) = name.strip_prefix("play_") {
        let (goal, strings) = match what {
            "attack" => (Goal::Attack, 1),
            "defend" => (Goal::Defend, 1),
            "attack_either" => (Goal::AttackEither, 2),
            "defend_both" => (Goal::DefendBoth, 2),
            "connect" => (Goal::Connect, 2),
            "disconnect" => (Goal::Disconnect, 2),
            // One of the three stones can be captured.
            "break_through" => (Goal::Attack, 3),
            _ => return None,
        };
        let moves: Vec<Vertex> = args.iter().map(|v| v.unwrap_or(Vertex::PASS)).collect();
        let (moves, strings) = moves.split_at(moves.len().saturating_sub(strings));
        return Some(match *strings {
            [v] => queries.after(goal, color, moves, [v; 2]),
            [a, b] => queries.after(goal, color, moves, [a, b]),
            _ => i32::from(strings.iter().any(|&v| queries.after(goal, color, moves, [v; 2]) > 0)),
        });
    }
    let held = |queries: &mut dyn Queries, level| {
        let stone = queries.board().color_at(first);
        i32::from(stone.or_else(|| queries.holder(first, level)) == Some(color))
    };
    Some(match name {
        "lib" => queries.liberties_if_played(color, first),
        "cut" => i32::from(queries.cut(color.other(), first)),
        "area" => held(queries, 1),
        "moyo" => held(queries, 2),
        "terri" => held(queries, 3),
        "defend_against" => {
            let second = args.get(1).copied().flatten().unwrap_or(Vertex::PASS);
            let mut board = queries.board().clone();
            if board.play(color, first).is_err() {
                return Some(0);
            }
            let can = board.is_legal(color.other(), second);
            let safe = can && queries.after(Goal::Attack, color, &[first, second], [second; 2]) == 0;
            i32::from(!safe)
        }
        _ => return None,
    })
}

fn somewhere(color: Color, vertices: &[Option<Vertex>], queries: &mut dyn Queries) -> i32 {
    i32::from(vertices.iter().flatten().any(|&v| queries.board().color_at(v) == Some(color)))
}

/// Whether an enemy string next to the string at `v` is in atari (and, if asked, can be saved).
fn beside_atari(v: Vertex, queries: &mut dyn Queries, defendable: bool) -> bool {
    let neighbours = queries.board().adjacent_strings(v);
    neighbours
        .into_iter()
        .any(|s| queries.board().liberties(s) == 1 && (!defendable || queries.defend(s) > 0))
}

/// Whether a vertex is a ko stone in atari or the empty vertex beside it.
fn in_ko(board: &Board, v: Vertex) -> bool {
    let cavity = if board.is_empty(v) {
        v
    } else if board.string_size(v) == 1 && board.liberties(v) == 1 {
        board.liberty_vertices(v).next().unwrap_or(v)
    } else {
        return false;
    };
    ko_stone(board, cavity).is_some()
}
