//! The referee of a finished game. It tells which rule would have ended the game and when, who could claim a draw, and
//! whether the result agrees.
//!
//! # Source
//! FIDE Laws 5.1, 5.2, 9.2, 9.3, 9.6.
//!
//! # Notation
//! A *ply* is the number of moves played so far (0 at the start). At a ply, two sides can claim. The side to move can
//! claim, because the position has just appeared (9.2.2). The side that made the move could claim by announcing the
//! move (9.2.1).
//!
//! # Steps
//! 1. Play the moves, and store the keys since the last irreversible move.
//! 2. At each ply, check the occurrences, the fifty-move count and dead material. Note the first ply of each rule.
//! 3. At the end, check for mate and stalemate, and whether the rules allow the result.
//! 4. For a game record, check whether its tag and the end of its movetext give the same result.
//!
//! # Cost
//! Each ply costs a move, a key, and one look-up in the table of the run, however long the run is.

use super::game::insufficient_material;
use super::identity::{Key, identity};
use super::line::is_reversible;
use crate::rules::fen::Setup;
use crate::rules::pgn_read::PgnRecord;
use cozy_chess::{Color, Move};
use serde::Serialize;
use std::collections::HashMap;
use std::hash::Hash;

/// The rule that ended a game without a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move.
    Stalemate,
    /// Fifth occurrence.
    Fivefold,
    /// Seventy-five moves.
    SeventyFiveMoves,
    /// Neither side can mate.
    DeadPosition,
}

/// A claim that was possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// `threefold` or `fifty_moves`.
    pub rule: &'static str,
    /// Moves played when the rule first held.
    pub ply: usize,
    /// The side whose move brought it about (`None` at the start), which could claim before the move.
    pub mover: Option<&'static str>,
    /// The side to move, which could claim it.
    pub to_move: &'static str,
    /// The number of plies of the game at which the rule held.
    pub times: usize,
}

/// The referee's verdict on a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Moves.
    pub plies: usize,
    /// Claims, the first of each rule.
    pub claims: Vec<Claim>,
    /// Ply of the first fifth occurrence.
    pub fivefold: Option<usize>,
    /// Ply at which seventy-five moves were complete.
    pub seventy_five: Option<usize>,
    /// Ply at which the material was dead.
    pub dead: Option<usize>,
    /// The rule that ended the game without a claim, and its ply, if there was one.
    pub end: Option<(End, usize)>,
    /// Whether moves were played after that.
    pub played_on: bool,
    /// The result the rules dictate, if they do.
    pub dictated: Option<&'static str>,
    /// Whether the given result agrees, and a record gives no other one at its end.
    pub agrees: bool,
}

/// Judges a game as read, null moves and all: nothing repeats a position from before a null move.
#[must_use]
pub fn judge_record(record: &PgnRecord) -> Verdict {
    let Some((last, before)) = record.stretches.split_last() else {
        return judge(&Setup::default(), &[], &record.result);
    };
    let mut whole = judge(&last.start, &last.moves, &record.result);
    let mut begins = record.plies() - last.moves.len();
    whole.shift(begins);
    for stretch in before.iter().rev() {
        begins -= stretch.moves.len() + 1;
        let mut earlier = judge(&stretch.start, &stretch.moves, "*");
        earlier.shift(begins);
        whole.follow(earlier, &record.result);
    }
    whole.agrees &= record.contradicting_marker().is_none();
    whole
}

impl Verdict {
    /// Counts its plies from an earlier one on.
    fn shift(&mut self, by: usize) {
        let places = [&mut self.fivefold, &mut self.seventy_five, &mut self.dead];
        places.into_iter().flatten().for_each(|ply| *ply += by);
        self.claims.iter_mut().for_each(|claim| claim.ply += by);
        self.end.iter_mut().for_each(|(_, ply)| *ply += by);
        self.plies += by;
    }

    /// Prepends the verdict on the moves before a null move.
    fn follow(&mut self, earlier: Self, result: &str) {
        for claim in earlier.claims.into_iter().rev() {
            match self.claims.iter_mut().find(|known| known.rule == claim.rule) {
                Some(known) => *known = Claim { times: known.times + claim.times, ..claim },
                None => self.claims.insert(0, claim),
            }
        }
        self.fivefold = earlier.fivefold.or(self.fivefold);
        self.seventy_five = earlier.seventy_five.or(self.seventy_five);
        self.dead = earlier.dead.or(self.dead);
        if earlier.end.is_some() {
            (self.end, self.played_on, self.dictated) = (earlier.end, true, earlier.dictated);
            self.agrees = earlier.dictated.is_none_or(|dictated| dictated == result);
        }
    }
}

/// Counts a rule's plies.
#[derive(Default)]
struct Stands {
    first: Option<usize>,
    times: usize,
}

impl Stands {
    fn note(&mut self, ply: usize, stands: bool) {
        if stands {
            self.first.get_or_insert(ply);
            self.times += 1;
        }
    }
}

/// The occurrences of each position since the last irreversible move.
struct Run<K>(HashMap<K, usize>);

impl<K: Eq + Hash> Run<K> {
    /// Notes a position and returns its occurrences so far.
    fn note(&mut self, key: K) -> usize {
        let times = self.0.entry(key).or_default();
        *times += 1;
        *times
    }
}

/// Judges a game of legal moves.
#[must_use]
pub fn judge(start: &Setup, moves: &[Move], result: &str) -> Verdict {
    judge_by::<Key>(start, moves, result)
}

/// The same with keys of any type, so that a test can count how often they are compared.
fn judge_by<K: Eq + Hash + From<Key>>(start: &Setup, moves: &[Move], result: &str) -> Verdict {
    // Step 1.
    let (mut board, mut clock) = (start.board.clone(), start.clock);
    let mut run = Run(HashMap::<K, usize>::new());
    let (mut three, mut five, mut fifty, mut more, mut dead) =
        (Stands::default(), Stands::default(), Stands::default(), Stands::default(), Stands::default());
    for ply in 0..=moves.len() {
        // Step 2.
        let occurrences = run.note(identity(&board).into());
        three.note(ply, occurrences >= 3);
        five.note(ply, occurrences >= 5);
        if clock >= 100 && board.generate_moves(|_| true) {
            fifty.note(ply, true);
            more.note(ply, clock >= 150);
        }
        dead.note(ply, board.occupied().len() <= 16 && insufficient_material(&board));
        if let Some(&mv) = moves.get(ply) {
            let before = board.clone();
            board.play_unchecked(mv);
            clock = if board.halfmove_clock() == 0 { 0 } else { clock.saturating_add(1) };
            if !is_reversible(&before, &board) {
                run.0.clear();
            }
        }
    }
    // Step 3.
    let first_side = start.board.side_to_move();
    let claims = [("threefold", three), ("fifty_moves", fifty)]
        .into_iter()
        .filter_map(|(rule, stands)| Some(claim(rule, stands.first?, stands.times, first_side)))
        .collect();
    let last = moves.len();
    let no_move = !board.generate_moves(|_| true);
    let at_end = match (no_move, board.checkers().is_empty()) {
        (true, true) => Some((End::Stalemate, last)),
        (true, false) => Some((End::Checkmate, last)),
        _ => None,
    };
    let by_rule =
        [(End::Fivefold, five.first), (End::SeventyFiveMoves, more.first), (End::DeadPosition, dead.first)];
    let end = by_rule
        .into_iter()
        .filter_map(|(end, ply)| Some((end, ply?)))
        .min_by_key(|(_, ply)| *ply)
        .filter(|(_, ply)| at_end.is_none() || *ply < last)
        .or(at_end);
    let dictated = end.map(|(end, _)| match end {
        End::Checkmate if board.side_to_move() == Color::Black => "1-0",
        End::Checkmate => "0-1",
        _ => "1/2-1/2",
    });
    Verdict {
        plies: last,
        claims,
        fivefold: five.first,
        seventy_five: more.first,
        dead: dead.first,
        end,
        played_on: end.is_some_and(|(_, ply)| ply < last),
        dictated,
        agrees: dictated.is_none_or(|dictated| dictated == result),
    }
}

fn claim(rule: &'static str, ply: usize, times: usize, first: Color) -> Claim {
    let name = |odd: usize| match (first, odd % 2) {
        (Color::White, 0) | (Color::Black, 1) => "white",
        _ => "black",
    };
    Claim { rule, ply, mover: (ply > 0).then(|| name(ply + 1)), to_move: name(ply), times }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::Square;
    use std::cell::Cell;
    use std::hash::Hasher;

    thread_local! {
        /// How often keys were compared.
        static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    /// A key that counts its comparisons.
    struct Counted(Key);

    impl From<Key> for Counted {
        fn from(key: Key) -> Self {
            Self(key)
        }
    }

    impl PartialEq for Counted {
        fn eq(&self, other: &Self) -> bool {
            COMPARED.set(COMPARED.get() + 1);
            self.0 == other.0
        }
    }

    impl Eq for Counted {}

    impl Hash for Counted {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }

    /// Both sides move a knight to and fro.
    fn knights(plies: usize) -> Vec<Move> {
        let steps = [
            (Square::G1, Square::F3),
            (Square::G8, Square::F6),
            (Square::F3, Square::G1),
            (Square::F6, Square::G8),
        ];
        let steps = steps.map(|(from, to)| Move { from, to, promotion: None });
        steps.into_iter().cycle().take(plies).collect()
    }

    #[test]
    fn twice_the_plies_take_twice_the_comparisons_and_no_more() {
        let compared = |plies: usize| {
            COMPARED.set(0);
            let verdict = judge_by::<Counted>(&Setup::default(), &knights(plies), "*");
            assert_eq!(verdict, judge(&Setup::default(), &knights(plies), "*"));
            assert_eq!((verdict.plies, verdict.fivefold), (plies, Some(16)));
            COMPARED.get()
        };
        let (once, twice) = (compared(4_000), compared(8_000));
        assert!(once > 0 && twice <= 2 * once + 4_000, "{once}, then {twice}");
    }
}
