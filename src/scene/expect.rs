//! The expectations of scenes: typed descriptions of the findings that a scene requires. An absent field is not
//! checked.
//!
//! The fields have the names of the GNU Go 3.8 manual, chapters "Worms and Dragons" and "Influence". Vertices are
//! spelled as in GTP (`D4`). The module `record` checks expectations, because a check needs the findings.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tengen_go::board::Color;
pub use tengen_go::dragons::{Safety, Status};
use tengen_go::eyes::topology::HalfEyeKind;
use tengen_go::surround::Surround;
pub use tengen_go::worms::WormColor;

/// One expectation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Expect {
    /// The worm at a vertex: a string, or a cavity if the vertex is empty.
    Worm {
        /// Any vertex of it.
        at: String,
        /// Its colour; for a cavity its border colour.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<WormColor>,
        /// Vertices.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<usize>,
        /// Size and its share of the empty vertices around, to 0.005.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effective_size: Option<f32>,
        /// Its distinguished member.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<String>,
        /// Numbers of liberties of order 1, 2, 3, 4; may stop earlier.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        liberties: Option<Vec<usize>>,
        /// 2 for a cutting stone, 1 for a potential one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cutstone: Option<u8>,
        /// Number of potential cuts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cutstone2: Option<u8>,
        /// Components of the complement, minus one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        genus: Option<i32>,
        /// In a ko.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ko: Option<bool>,
        /// Without life of its own unless the strings around it die.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        inessential: Option<bool>,
        /// Any stone of a string next to it that can be captured, or `none`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lunch: Option<String>,
        /// Whether the opponent, to move, captures it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attack: Option<Reading>,
        /// Whether the owner, to move, saves it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        defend: Option<Reading>,
    },
    /// Exactly these vertices are the liberties of an order of a string.
    Liberties {
        /// Any stone of it.
        of: String,
        /// 1 to 4.
        order: usize,
        /// In any order.
        are: Vec<String>,
    },
    /// The dragon at a vertex (a cave if the vertex is empty).
    Dragon {
        /// Any vertex of it.
        at: String,
        /// Vertices that belong to the same dragon.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<String>,
        /// Vertices that belong to others.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        apart: Vec<String>,
        /// Its colour; for a cave its border colour.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<WormColor>,
        /// Vertices.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<usize>,
        /// Eyes it has for sure, and at most.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        eyes: Option<(u8, u8)>,
        /// Whether it lives.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<Status>,
        /// Its half eyes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        half_eyes: Option<u32>,
        /// Its escape route, after the effect of being surrounded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        escape: Option<u32>,
        /// How it is surrounded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        surround: Option<Surround>,
        /// Its distinguished member.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<String>,
        /// Of a cave: any stone of the dragon around it, or `none`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        border: Option<String>,
        /// Size and its share of the empty vertices around, to 0.005.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effective_size: Option<f32>,
        /// Any stone of a string next to it that can be captured and be saved, or `none`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lunch: Option<String>,
        /// The finer status.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        safety: Option<Safety>,
        /// Whether it is in a capturing race.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        semeai: Option<bool>,
    },
    /// A half or false eye at an empty vertex.
    HalfEye {
        /// The vertex.
        at: String,
        /// Half or false; without it, neither.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is: Option<HalfEyeKind>,
    },
    /// The distance from an empty vertex to the stones of a colour; -1 is infinity.
    Distance {
        /// The vertex.
        at: String,
        /// The colour.
        to: Color,
        /// Not passing through a stone of the other colour.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        distance: Option<i32>,
        /// Nor, but at its beginning, through a liberty of one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        strategic: Option<i32>,
    },
    /// The influence of a colour at a vertex.
    Influence {
        /// The vertex.
        at: String,
        /// The colour.
        color: Color,
        /// The value.
        is: f32,
        /// How far off it may be.
        #[serde(default = "hundredth", skip_serializing_if = "is_hundredth")]
        within: f32,
    },
    /// How freely the influence of a colour gets through a vertex, from 0 to 1.
    Permeability {
        /// The vertex.
        at: String,
        /// The colour whose influence it is.
        color: Color,
        /// The value.
        is: f32,
        /// How far off it may be.
        #[serde(default = "hundredth", skip_serializing_if = "is_hundredth")]
        within: f32,
    },
    /// A pattern of the influence databases has done something, in the map of the player to move or in the escape map.
    Pattern {
        /// Its name in its database.
        name: String,
        /// Where; without it, anywhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<String>,
    },
    /// The effect of a move on territory. The opponent moves first everywhere, before and after the move.
    MoveInfluence {
        /// The move.
        at: String,
        /// Who plays it; without it, the player to move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<Color>,
        /// Points it gains.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        delta: Option<f32>,
        /// Points a second move in a row would gain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        followup: Option<f32>,
        /// How far off both may be.
        #[serde(default = "hundredth", skip_serializing_if = "is_hundredth")]
        within: f32,
    },
    /// The influence of a colour at all vertices, truncated to whole numbers: one row of numbers per line. Words that
    /// are not numbers are ignored.
    Field {
        /// The colour.
        color: Color,
        /// The figure.
        rows: String,
    },
    /// The order in which the vertices are visited from a lone source, as a figure like that of `Field`.
    Visits {
        /// The figure.
        rows: String,
    },
    /// Territory: at a vertex, or in all.
    Territory {
        /// The vertex.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<String>,
        /// Whose it is, or nobody's with `None` written out as `owner: Nobody`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<Owner>,
        /// With `at` the value there from -1 (Black's) to 1 (White's), else White's lead in points, komi included.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is: Option<f32>,
        /// How far off it may be.
        #[serde(default = "hundredth", skip_serializing_if = "is_hundredth")]
        within: f32,
    },
    /// The best move is one of these.
    BestMove(Vec<String>),
    /// Chess: the best move is none of these.
    AvoidMove(Vec<String>),
    /// A candidate move is there.
    Move {
        /// The vertex.
        at: String,
        /// Reasons it has, among others: the kind that records name (`expand_territory`), or a part of the sentence.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reasons: Vec<String>,
        /// Its value is at least this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_least: Option<f32>,
        /// And at most this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_most: Option<f32>,
        /// Terms of its value, by name: `territory`, `strategic`, `followup`, `reverse_followup`, `secondary`, `shape`,
        /// `limit`.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        terms: BTreeMap<String, f32>,
        /// Points a second move in a row would gain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        followup: Option<f32>,
        /// Points that a second move of the opponent would gain if he had moved here first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reverse_followup: Option<f32>,
        /// How far off the terms and follow-ups may be.
        #[serde(default = "hundredth", skip_serializing_if = "is_hundredth")]
        within: f32,
        /// Its place in the ranking is this or better, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rank: Option<usize>,
    },
    /// The score: chess in centipawns for the side to move, Go in points for White.
    Score {
        /// Not less.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_least: Option<f32>,
        /// Not more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_most: Option<f32>,
        /// Chess: mate in this number of moves; negative if the side to move is mated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mate: Option<i32>,
    },
    /// Of a finished game of Go: exactly these strings are dead and in seki, each named by any of its stones; all others live.
    FinalStatus {
        /// Strings that are taken off.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        dead: Vec<String>,
        /// Strings that stay without two eyes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        seki: Vec<String>,
    },
    /// A value of the record's `result` of a Go analysis, for example from a user's own system.
    Column {
        /// Where: names and places in lists from `result` on, with `/` between (`own/census/black`).
        name: String,
        /// The value.
        is: serde_json::Value,
        /// How far off a number may be.
        #[serde(default = "hundredth", skip_serializing_if = "is_hundredth")]
        within: f32,
    },
    /// A count of positions (perft).
    Nodes(u64),
    /// Goals of the roles in their order, of a terminal state or the mean of playouts.
    Goals {
        /// One per role.
        are: Vec<f32>,
        /// How far off each may be.
        #[serde(default = "hundredth", skip_serializing_if = "is_hundredth")]
        within: f32,
    },
    /// Facts of a rulesheet's current state.
    State {
        /// Whether it is terminal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        terminal: Option<bool>,
        /// Numbers of legal moves of the roles in their order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        legal: Option<Vec<usize>>,
    },
}

/// Whose a vertex is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
pub enum Owner {
    /// Black's.
    Black,
    /// White's.
    White,
    /// Neither's.
    Nobody,
}

/// The answer of an attack or a defence, with its move; several moves are written `C3|D4`, any move is `*`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
pub enum Reading {
    /// Code 0: it doesn't work.
    Fail,
    /// Code 1: it works, unconditionally.
    Win(String),
    /// Code 2: by a ko, the first threat being the other side's.
    KoA(String),
    /// Code 3: by a ko, for which the mover needs a threat first.
    KoB(String),
}

fn hundredth() -> f32 {
    0.01
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn is_hundredth(within: &f32) -> bool {
    *within == hundredth()
}
