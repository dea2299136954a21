//! Eye spaces that one string encloses, solved apart from the rest of the field.
//!
//! # Source
//! T. Wolf, "Forward pruning and other heuristic search techniques in tsume go" (2000), for eye spaces that are solved
//! once and looked up.
//!
//! # Notation
//! A *space* is the union of the regions of a string. A region consists of empty cells and attacker's stones that only
//! this string surrounds. Its liberties elsewhere do not count.
//!
//! *Hopes* are the cells that may still become eyes.
//!
//! # Steps
//! 1. The regions of each string of the dragon are united, if they have no more than [`MOST_CELLS`] cells.
//! 2. The space with the string around it is a separate field. The attacker moves first in it and may retake kos.
//! 3. If the string survives, it lives for any play elsewhere. The result is kept for the field.
//! 4. At most [`MOST_HOPES`] remaining hopes without a way out form a separate field. Everything around them counts as
//!    the dragon's, with a few liberties elsewhere. The defender may retake kos. If the dragon dies there, it is dead.
//!
//! # Cost
//! Each space takes one search of at most [`LIMIT`] positions. On 2,635 questions about published problems, 10,000
//! positions each, 1,666 are solved with spaces and hopes. Without them 1,602 are solved, in a fifth more time. None of
//! the 499 questions that both solve has another answer.

use super::super::FieldQuestion;
use super::super::field::{Field, NONE, Stones, mix};
use super::Solver;
use crate::board::MixMap;

/// Larger spaces are left to the search of the whole field.
///
/// Origin: ablation, the module's head, "Cost": spaces and hopes together.
const MOST_CELLS: u32 = 9;

/// The fewest empty cells of a space in which a string may live moving second, apart from life by Benson's algorithm.
///
/// Origin: ablation, the module's head, "Cost": spaces and hopes together.
const FEWEST_EMPTY: u32 = 3;

/// Positions of one space.
///
/// Origin: ablation, the module's head, "Cost": spaces and hopes together.
const LIMIT: u32 = 3000;

/// More hopes are left to the search of the whole field.
///
/// Origin: ablation, the module's head, "Cost": spaces and hopes together.
const MOST_HOPES: u32 = 6;

/// Liberties elsewhere beyond this number make no difference.
///
/// Origin: ablation, the module's head, "Cost": spaces and hopes together.
const MOST_OUTSIDE: u32 = 4;

/// The question whether the attacker, moving first and retaking kos, kills the string around a space.
///
/// Origin: definition, a question.
const SPACE: FieldQuestion<'static> = FieldQuestion {
    attack: true,
    first: None,
    careful: true,
    judged: None,
    named: &[],
    alternatives: false,
    limit: LIMIT,
    favoured: [false, true],
    repeated_kills: true,
};

/// The solved spaces of a field.
#[derive(Default)]
pub(super) struct Shapes {
    solver: Solver,
    known: MixMap<u64, bool>,
}

impl Shapes {
    /// Steps 1 to 3: the space by which some string of the dragon lives with the attacker to move.
    pub(super) fn life(&mut self, field: &Field, s: Stones) -> Option<u64> {
        for &(string, space) in field.spaces(s, FEWEST_EMPTY).iter() {
            if space.count_ones() <= MOST_CELLS && self.lives(field, string, space, s) {
                return Some(space);
            }
        }
        None
    }

    /// Step 4: whether these hopes can never become eyes with this side to move. Everything around them counts as the
    /// dragon's, and the defender may retake any ko.
    pub(super) fn dies(&mut self, field: &Field, s: Stones, hopes: u64, attacking: bool) -> bool {
        if hopes.count_ones() > MOST_HOPES || attacking && s.ko != NONE {
            return false;
        }
        let outside = (field.empty(s) & !hopes).count_ones().min(MOST_OUTSIDE);
        let (own, foe) = (s.own & hopes, s.foe & hopes);
        let side = u64::from(outside) << 1 | u64::from(attacking);
        let key = mix(hopes ^ mix(own ^ mix(foe ^ mix(side ^ field.name()))));
        if let Some(&dies) = self.known.get(&key) {
            return dies;
        }
        let dies = field.around_hopes(hopes, outside).is_some_and(|(inner, wall)| {
            let stones = Stones { own: own | wall, foe, ko: NONE };
            let asked =
                FieldQuestion { attack: attacking, favoured: [true, false], repeated_kills: false, ..SPACE };
            self.solver.run(&inner, stones, asked).is_some_and(|found| found.killed)
        });
        self.known.insert(key, dies);
        dies
    }

    fn lives(&mut self, field: &Field, string: u64, space: u64, s: Stones) -> bool {
        let foe = s.foe & space;
        let key = mix(space ^ mix(foe ^ field.name()));
        if let Some(&lives) = self.known.get(&key) {
            return lives;
        }
        let inner = field.within(string, space);
        let stones = Stones { own: string, foe, ko: NONE };
        let found = self.solver.run(&inner, stones, SPACE);
        let lives = found.is_some_and(|found| !found.killed);
        self.known.insert(key, lives);
        lives
    }
}
