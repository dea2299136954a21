//! Writes a position as a query of the analysis protocol.

use serde_json::{Value, json};
use tengen_go::board::{Board, Color, KoRule, SuicideRule, Vertex};
use tengen_go::world::Position;

/// The board sizes that the protocol takes.
const SIZES: std::ops::RangeInclusive<usize> = 2..=19;

/// One question: a position with one side to move.
pub(super) struct Question {
    /// The board without its history.
    pub board: Board,
    /// The side to move.
    pub to_move: Color,
    /// The part of the komi that the query cannot express, because it takes only half points. White's.
    pub rest_of_komi: f32,
    /// The moves played before the position.
    pub turn: usize,
    /// The query without an id.
    body: Value,
}

impl Question {
    /// The question about a position with this side to move. `None` for a board that the protocol does not take, or with a
    /// string that has no liberty.
    pub(super) fn new(position: &Position, to_move: Color, visits: u32) -> Option<Self> {
        let board = &position.board;
        let size = board.size();
        if !SIZES.contains(&size) || board.strings().any(|v| board.liberties(v) == 0) {
            return None;
        }
        let (mut start, mut moves) = board.set_up_and_moves();
        if moves.last().is_some_and(|m| m.0 == to_move) || (moves.is_empty() && to_move != position.to_move) {
            (start, moves) = (board.without_history(), Vec::new());
        }
        let side = |color: Color| if color == Color::Black { "B" } else { "W" };
        let name = |v: Vertex| if v == Vertex::PASS { "pass".into() } else { v.to_gtp(size) };
        let stones: Vec<Value> =
            start.vertices().filter_map(|v| Some(json!([side(start.color_at(v)?), name(v)]))).collect();
        let moves: Vec<Value> = moves.iter().map(|&(color, v)| json!([side(color), name(v)])).collect();
        let komi = (position.komi * 2.0).round() / 2.0;
        let rules = board.rules();
        let first = moves.first().and_then(|m| m[0].as_str()).unwrap_or_else(|| side(to_move)).to_owned();
        let body = json!({
            "initialStones": stones,
            "initialPlayer": first,
            "moves": moves,
            "rules": {
                "ko": match rules.ko { KoRule::Simple => "SIMPLE", KoRule::PositionalSuperko => "POSITIONAL" },
                "scoring": "AREA", "tax": "NONE", "suicide": rules.suicide != SuicideRule::Forbidden,
                "hasButton": false, "whiteHandicapBonus": "0", "friendlyPassOk": true,
            },
            "komi": komi,
            "boardXSize": size,
            "boardYSize": size,
            "maxVisits": visits,
            "includeOwnership": true,
            "includePolicy": true,
            "overrideSettings": { "reportAnalysisWinratesAs": "BLACK", "rootNumSymmetriesToSample": 1 },
        });
        let turn = moves.len();
        Some(Self { board: board.without_history(), to_move, rest_of_komi: position.komi - komi, turn, body })
    }

    /// The query; the connection gives it its id.
    pub(super) fn query(&self) -> Value {
        self.body.clone()
    }

    /// The text that identifies a question.
    pub(super) fn key(&self) -> String {
        self.body.to_string()
    }
}
