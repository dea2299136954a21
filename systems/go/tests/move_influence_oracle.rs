//! Compares influence after a move, and its follow-up, with the recordings of GNU Go 3.8.
#![allow(clippy::print_stdout, reason = "a test that compares shows the figures")]

mod support;

use serde_json::{Value, json};
use support::Oracle;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::effort::Limits;
use tengen_go::influence::StoneStatus;
use tengen_go::influence::after_move::{self, MoveInfluence, MoveQuestion};
use tengen_go::influence::after_moves::MoveTrial;
use tengen_go::influence::recorded::Recorded;
use tengen_go::patterns::PatternDatabases;
use tengen_go::spread::field::vertices;
use tengen_go::spread::permeability::{block_safe_stones, unround};
use tengen_go::spread::{Field, Spreader};
use tengen_go::tactics::Reader;

/// A recorded move of the side to move.
struct Move<'a> {
    oracle: &'a Oracle,
    color: Color,
    at: Vertex,
    board: Board,
    /// The matrices after it.
    map: &'a Value,
    followup: &'a Value,
}

fn moves(oracle: &Oracle) -> Vec<Move<'_>> {
    let color = if oracle.json["to_move"] == "black" { Color::Black } else { Color::White };
    let recorded = oracle.json["move_influence"].as_object().expect("moves").iter();
    recorded
        .map(|(name, map)| {
            let at = Vertex::from_gtp(name, oracle.size).expect("a vertex");
            let mut board = support::board(oracle);
            board.play_ignoring_ko(color, at).expect("a legal move");
            let followup = &oracle.json["followup_influence"][name];
            Move { oracle, color, at, board, map, followup }
        })
        .collect()
}

impl Move<'_> {
    fn matrix(&self, name: &str) -> Vec<f32> {
        support::matrix(&self.map[name], self.oracle.size)
    }

    /// The recorded inputs in the form of a file of inputs.
    fn inputs(&self) -> Value {
        let mut inputs = self.map.clone();
        inputs["size"] = json!(self.oracle.size);
        for color in Color::BOTH {
            let of = |v: &Vertex| self.board.color_at(*v) == Some(color);
            let names = self.board.vertices().filter(of).map(|v| v.to_gtp(self.oracle.size));
            inputs[color.to_string()] = json!(names.collect::<Vec<_>>());
        }
        inputs
    }

    /// The status of every stone afterwards, as recorded.
    fn status(&self) -> Vec<StoneStatus> {
        let mut field = Field::new(self.oracle.size);
        for color in Color::BOTH {
            field.strength[color.index()] = self.matrix(&format!("{color}_strength"));
            field.permeability[color.index()] = self.matrix(&format!("{color}_permeability"));
        }
        let mut stones = vec![None; field.blocked.len()];
        for v in self.board.vertices() {
            stones[v.at()] = self.board.color_at(v);
        }
        block_safe_stones(&mut field, &stones);
        unround(&mut field, &stones, Some(self.color.other()));
        let of = |at: usize| match stones[at].filter(|_| field.blocked[at]) {
            Some(color) => StoneStatus { safe: true, strength: field.strength[Color::index(color)][at] },
            None => StoneStatus::default(),
        };
        (0..stones.len()).map(of).collect()
    }

    /// Both maps by patterns, from the recorded statuses.
    fn compute(&self, databases: &PatternDatabases, reader: &mut Reader) -> MoveInfluence {
        let before = support::board(self.oracle);
        let status = self.status();
        let beside = before.neighbors4(self.at).filter(|&n| before.color_at(n) == Some(self.color));
        let saved: Vec<Vertex> = beside.filter(|v| status[v.at()].safe).collect();
        let trial = MoveTrial { at: self.at, stone: status[self.at.at()], saved: &saved, killed: &[] };
        let question = MoveQuestion { board: &before, color: self.color, trial, status: &status };
        after_move::compute(&question, &self.board, &status, databases, reader)
    }

    /// The recorded change of territory, for the mover, prisoners included.
    fn delta(&self) -> f32 {
        let before = self.oracle.initial(self.color.other(), "territory_value");
        let after = self.matrix("territory_value");
        let sum: f32 = vertices(self.oracle.size).map(|v| after[v.at()] - before[v.at()]).sum();
        let taken = |v: &Vertex| {
            support::board(self.oracle).color_at(*v) == Some(self.color.other()) && self.board.is_empty(*v)
        };
        let captured = self.board.vertices().filter(taken).count() as f32;
        captured + if self.color == Color::White { sum } else { -sum }
    }
}

#[test]
fn recorded_inputs_after_a_move_give_the_recorded_influence() {
    let (mut maps, mut exact) = (0, 0);
    for oracle in support::oracles() {
        for move_ in moves(&oracle) {
            let recorded = Recorded::from_json(&move_.inputs(), move_.color.other()).expect("inputs");
            let ours = recorded.compute(&mut Spreader::new());
            for color in Color::BOTH {
                let theirs = move_.matrix(&format!("{color}_influence"));
                let off = |v: Vertex| (ours.influence[color.index()][v.at()] - theirs[v.at()]).abs();
                maps += 1;
                exact += usize::from(vertices(oracle.size).map(off).fold(0.0, f32::max) <= 0.018);
            }
        }
    }
    if maps > 0 {
        println!("{exact} of {maps} maps after a move exact");
        assert!(exact * 326 >= 300 * maps, "{exact} of {maps}");
    }
}

#[test]
fn patterns_after_a_move_give_nearly_the_recorded_territory_and_follow_up() {
    let Some(shared) = support::shared() else { return };
    let texts = ["influence.db", "barriers.db"].map(|file| {
        let path = shared.join("suites/go/gnugo-patterns").join(file);
        (file, std::fs::read_to_string(path).expect("a file"))
    });
    let (theirs, _) = PatternDatabases::load(texts.iter().map(|(f, t)| (*f, t.as_str()))).expect("sound");
    for (name, databases, least) in
        [("GNU Go's", theirs, 97.0), ("our own", PatternDatabases::default(), 90.0)]
    {
        let mut reader = Reader::new(Limits::of_constraints());
        let (mut count, mut near, mut points) = (0, 0, 0);
        let (mut error, mut followups) = (Vec::new(), Vec::new());
        for oracle in support::oracles() {
            for move_ in moves(&oracle) {
                let found = move_.compute(&databases, &mut reader);
                let after = move_.matrix("territory_value");
                for v in vertices(oracle.size) {
                    points += 1;
                    near += usize::from((found.map.territory[v.at()] - after[v.at()]).abs() <= 0.3);
                }
                let sum = |m: &[f32]| vertices(oracle.size).map(|v| m[v.at()]).sum::<f32>();
                error.push((sum(&found.map.territory) - sum(&after)).abs());
                count += 1;
                if move_.followup.is_object() {
                    let then = support::matrix(&move_.followup["territory_value"], oracle.size);
                    let sign = if move_.color == Color::White { 1.0 } else { -1.0 };
                    followups
                        .push((found.followup_value(move_.color) - sign * (sum(&then) - sum(&after))).abs());
                }
                assert!(move_.delta().is_finite());
            }
        }
        let share = 100.0 * near as f64 / points as f64;
        let median = |list: &mut Vec<f32>| {
            list.sort_by(f32::total_cmp);
            list.get(list.len() / 2).copied().unwrap_or(f32::NAN)
        };
        println!(
            "{name}: {count} moves, territory after them within 0.3 at {share:.2} %, sums off by {:.2} (median), \
             follow-ups of {} by {:.2}",
            median(&mut error),
            followups.len(),
            median(&mut followups),
        );
        assert!(share >= least, "{share}");
    }
}
