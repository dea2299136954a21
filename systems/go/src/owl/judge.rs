//! The static judgement of a position of a life-and-death search.
//!
//! # Steps
//! 1. The dragon is dead if no stone of the goal is left.
//! 2. The *visible* attacking strings are the safe ones, those with room, and those that link up with visible ones. The
//!    others are inside the defender's eye space.
//! 3. Find the defender's eye spaces with their values, and his strings that are connected to the goal, in parts that
//!    one move cannot cut. Two eyes of different parts do not make life.
//! 4. The dragon is alive with two eyes that are certain with this side to move, in walls that reading finds sound.
//!    Closed spaces count at their value, less where the wall is short of liberties. Open spaces count at what two
//!    moves for each margin leave. The dragon escapes if escape values at distance four exceed a threshold, or if it
//!    has an uncuttable link to a living friend.
//! 5. The dragon is dead if three conditions hold. It has fewer than two eyes, even if the defender moves first and, on
//!    his turn, makes one more move in one space. It has no way out. It has nothing to capture, by counting liberties
//!    and by reading. With the attacker to move, the last two conditions also admit just one way on or one capture,
//!    which he stops. A thorough search also looks for attacking strings that cannot be saved although the attacker
//!    moves, and for eye spaces next to a living friend. A stone that joins a friend with eyes counts as a way on.

mod gains;

use crate::board::{Board, Color, Vertex};
use crate::effort::{EyeLimits, Limits};
use crate::eyes::{EyeSolver, EyeSpace, EyeValue, eyes_of_sum};
use crate::local_view::{
    Arena, Eyesight, WEAK_LIBERTIES, best_case_value, eyes_with_one_best_case, linked_strings, strings_among,
    sure_value,
};
use crate::tactics::{Code, Reader};
use std::sync::Arc;

/// The judgement of a position without search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The dragon lives.
    Alive,
    /// The dragon is lost.
    Dead,
    /// Undecided.
    Open,
}

/// Figures of a judged position, for candidates and for the first guess of the search.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    pub(super) verdict: Verdict,
    /// Eyes if the attacker, and if the defender moves first.
    pub(super) eyes: (u8, u8),
    /// Sum of escape values at distance four.
    pub(super) escape: u32,
    /// Links to living friends.
    pub(super) links: usize,
    /// No stone of the dragon is left; nothing else is known then.
    pub(super) no_goal: bool,
}

/// Escape values that are enough when the defender, and when the attacker is to move.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `running`.
const ESCAPED: [u32; 2] = [8, 12];

/// From this depth on a dragon without prospects is given up although further moves exist. The search is thorough
/// near the root, and stays within the budget elsewhere.
///
/// Origin: measured, commit b914525, together with six other changes.
const EAGER_DEPTH: u32 = 3;

/// Down to this depth a thorough search reads captures with more positions.
///
/// Origin: ablation, `experiments/2026-11-22-go-life-and-death.md`, "Single changes with the surroundings fixed".
const ROOT_DEPTH: u32 = 2;

/// A string with more liberties than these is not asked about.
///
/// Origin: ablation, `experiments/2026-11-27-go-rules-without-effect.md`: what can be taken.
const LEAF_LIBERTIES: usize = 3;

/// The largest room in which an attacking string is part of an eye space.
///
/// Origin: measured, commit 983ad47, together with other changes.
const ENCLOSED: usize = 9;

/// Eyes with which a dragon lives.
///
/// Origin: definition, the rules of Go.
const TWO_EYES: u8 = 2;

/// Judges positions; keeps scratch memory and the eye cache.
pub(super) struct Judge {
    reader: Reader,
    /// For the first moves of a question.
    root_reader: Reader,
    /// The vertex where reading last found that the defender can take an attacking string.
    pub(super) catches: Vec<Vertex>,
    /// The vertex where a stone joins the dragon to a friend with an eye space of its own, if that can make two eyes.
    pub(super) joins: Vec<Vertex>,
    eyesight: Eyesight,
    /// Per padded cell: attacker's stones that are visible.
    pub(super) visible: Vec<bool>,
    /// Eye spaces of the defender that touch the dragon.
    pub(super) spaces: Arc<[EyeSpace]>,
    /// For each padded cell: defender's stones that are connected to the goal.
    pub(super) dragon: Vec<bool>,
    /// Per padded cell: which part of the dragon the stone belongs to; 0 for none.
    part: Vec<u16>,
    /// The number of parts.
    parts: u16,
    /// Whether a dragon without prospects is given up only where nothing is left to try, however deep in the tree.
    pub(super) thorough: bool,
    /// Whether the question is thorough. Then, also in eager reading, a dragon with two prospects is not given up
    /// with the attacker to move. A dragon judged dead near the root is searched, and running moves are tried. A
    /// question with few nodes cannot afford this.
    pub(super) careful: bool,
}

impl Judge {
    /// A judge that spends so much on each eye space: there are thousands of them, and the tree goes on where one is not
    /// settled.
    pub(super) fn new(limits: EyeLimits) -> Self {
        let solver = EyeSolver::with_budgets(limits.tree, limits.large);
        Self {
            reader: Reader::new(Limits::of_leaves()),
            root_reader: Reader::new(Limits::of_roots()),
            catches: Vec::new(),
            joins: Vec::new(),
            eyesight: Eyesight::new(solver),
            visible: Vec::new(),
            spaces: Arc::default(),
            dragon: Vec::new(),
            part: Vec::new(),
            parts: 0,
            thorough: false,
            careful: false,
        }
    }

    /// All steps for one position, this many moves deep in the tree.
    pub(super) fn judge(
        &mut self,
        board: &mut Board,
        arena: &Arena,
        to_move: Color,
        depth: u32,
    ) -> Judgement {
        let dead = Judgement { verdict: Verdict::Dead, eyes: (0, 0), escape: 0, links: 0, no_goal: true };
        // Step 1.
        let color = arena.color;
        if !arena.goal.iter().any(|&v| board.color_at(v) == Some(color)) {
            return dead;
        }
        self.catches.clear();
        self.joins.clear();
        self.find_visible(board, arena, to_move);
        self.find_spaces(board, arena, to_move);
        self.find_dragon(board, arena);
        let values = self.dragon_values(board, arena);
        let attacker_first = to_move != color;
        let all: Vec<EyeValue> = values.iter().map(|(space, _)| space.value).collect();
        let best_cases: Vec<u8> = values
            .iter()
            .map(|(s, _)| best_case_value(board, &arena.ground, s, attacker_first, self.thorough))
            .collect();
        let eyes = eyes_of_sum(&all);
        // Step 4.
        let alive = (1..=self.parts).find(|&part| {
            let sure: Vec<EyeValue> = values
                .iter()
                .filter(|(space, _)| space.touches(board, |n| self.part[n.at()] == part))
                .map(|&(_, sure)| sure)
                .collect();
            let (attacked, defended) = eyes_of_sum(&sure);
            (if attacker_first { attacked } else { defended }) >= TWO_EYES
        });
        let (escape, links) = self.escape(board, arena);
        let enough = ESCAPED[usize::from(attacker_first)];
        drop(values);
        if escape >= enough
            || links > usize::from(attacker_first) && !(attacker_first && self.link_is_weak(board, arena))
            || alive.is_some_and(|part| !self.wall_is_weak(board, arena, part, attacker_first))
        {
            return Judgement { verdict: Verdict::Alive, eyes, escape, links, no_goal: false };
        }
        // Step 5.
        let best = eyes_with_one_best_case(all, &best_cases);
        if best < TWO_EYES {
            self.find_joins(board, arena, best);
        }
        let caged = escape <= u32::from(attacker_first)
            && links == 0
            && !(self.thorough && self.space_leads_to_friends(board, arena));
        if best < TWO_EYES
            && caged
            && self.nothing_to_gain(board, arena, attacker_first, !self.thorough && depth >= EAGER_DEPTH)
            && (attacker_first && !self.thorough || !self.can_catch(board, arena, attacker_first, depth))
        {
            return Judgement { verdict: Verdict::Dead, eyes, escape, links, no_goal: false };
        }
        Judgement { verdict: Verdict::Open, eyes, escape, links, no_goal: false }
    }

    /// Step 2.
    fn find_visible(&mut self, board: &Board, arena: &Arena, to_move: Color) {
        let foe = arena.color.other();
        self.visible.clear();
        self.visible.resize(board.padded_len(), false);
        let mut doubtful: Vec<Vertex> = Vec::new();
        for &v in &arena.ground.cells {
            if board.color_at(v) != Some(foe) || self.visible[v.at()] || doubtful.contains(&board.origin(v)) {
                continue;
            }
            let sure =
                arena.safe_foe[v.at()] || board.liberties(v) > WEAK_LIBERTIES && !arena.dead_foe[v.at()];
            if sure {
                self.show(board, v);
            } else {
                doubtful.push(board.origin(v));
            }
        }
        // The others are visible unless something speaks against them; links to visible ones count, so go round.
        loop {
            let mut changed = false;
            doubtful.retain(|&s| {
                let shown = !self.is_hidden(board, arena, s, to_move == foe);
                if shown {
                    self.show(board, s);
                    changed = true;
                }
                !shown
            });
            if !changed {
                break;
            }
        }
    }

    fn show(&mut self, board: &Board, v: Vertex) {
        for stone in board.stones(v) {
            self.visible[stone.at()] = true;
        }
    }

    /// Whether an attacking string lies inside the defender's eye space rather than around it.
    fn is_hidden(&self, board: &Board, arena: &Arena, s: Vertex, own_turn: bool) -> bool {
        let foe = arena.color.other();
        let linked = |l: &Vertex| {
            arena.ground.rim[l.at()]
                || board.neighbors4(*l).any(|n| board.color_at(n) == Some(foe) && self.visible[n.at()])
        };
        let links = board.liberty_vertices(s).filter(linked).count();
        let liberties = board.liberties(s);
        let cut_off = links == 0 || (links == 1 && !own_turn);
        if liberties == 1 {
            let out = board.liberty_vertices(s).next();
            let runs = own_turn && out.is_some_and(|out| board.liberties_after(foe, out) >= 2);
            let mut takes = false;
            board.each_adjacent(s, |d| takes |= own_turn && board.liberties(d) == 1);
            if !runs && !takes {
                return true;
            }
        }
        if !cut_off {
            return false;
        }
        if arena.dead_foe[s.at()] {
            return true;
        }
        self.is_enclosed(board, arena, s)
    }

    /// Whether the defender's stones leave a string no more than [`ENCLOSED`] vertices, none of them next to a visible
    /// attacker.
    fn is_enclosed(&self, board: &Board, arena: &Arena, s: Vertex) -> bool {
        let mut seen: Vec<Vertex> = vec![s];
        let mut next = 0;
        while next < seen.len() {
            let v = seen[next];
            next += 1;
            if arena.ground.rim[v.at()] || !arena.ground.inside[v.at()] {
                return false;
            }
            if board.is_empty(v) && board.neighbors4(v).any(|n| self.visible[n.at()]) {
                return false;
            }
            for n in board.neighbors4(v) {
                if board.color_at(n) != Some(arena.color) && !self.visible[n.at()] && !seen.contains(&n) {
                    seen.push(n);
                }
            }
            if seen.len() > ENCLOSED {
                return false;
            }
        }
        true
    }

    /// Step 3, the spaces.
    fn find_spaces(&mut self, board: &Board, arena: &Arena, to_move: Color) {
        let Self { eyesight, visible, .. } = self;
        let lively = |v: Vertex| {
            if board.color_at(v) == Some(arena.color) {
                to_move == arena.color || board.liberties(v) > 1
            } else {
                visible[v.at()]
            }
        };
        self.spaces = eyesight.spaces(board, &arena.ground, arena.color, visible, lively);
    }

    /// Step 3, the strings that are connected to the goal, part by part.
    fn find_dragon(&mut self, board: &Board, arena: &Arena) {
        self.part.clear();
        self.part.resize(board.padded_len(), 0);
        self.parts = 0;
        let sealed = |l| board.liberties_after(arena.color.other(), l) < 2;
        for &v in &arena.goal {
            if board.color_at(v) == Some(arena.color) && self.part[v.at()] == 0 {
                self.parts += 1;
                linked_strings(board, &self.spaces, v, self.parts, &mut self.part, sealed);
            }
        }
        self.dragon.clear();
        self.dragon.extend(self.part.iter().map(|&part| part != 0));
    }

    /// Whether the eyes are not certain: a string of the dragon around an eye is in atari, or reading lets the
    /// attacker capture it first.
    fn wall_is_weak(&mut self, board: &mut Board, arena: &Arena, part: u16, attacker_first: bool) -> bool {
        let most = if attacker_first { LEAF_LIBERTIES } else { 1 };
        let mut walls: Vec<Vertex> = Vec::new();
        for space in self.spaces.iter().filter(|s| s.value.b > 0) {
            for s in space.strings_around(board, arena.color) {
                if (self.thorough || self.part[s.at()] == part)
                    && board.liberties(s) <= most
                    && !walls.contains(&s)
                {
                    walls.push(s);
                }
            }
        }
        walls.into_iter().any(|s| board.liberties(s) == 1 || self.reader.attack(board, s).code.works())
    }

    /// Whether reading finds that the attacker, moving first, takes each string of the goal: no link helps them then.
    fn link_is_weak(&mut self, board: &mut Board, arena: &Arena) -> bool {
        let strings = strings_among(board, &arena.goal, |v| board.color_at(v) == Some(arena.color));
        strings.into_iter().all(|s| {
            board.liberties(s) == 1
                || board.liberties(s) <= LEAF_LIBERTIES && self.reader.attack(board, s).code.works()
        })
    }

    /// Whether reading finds that the defender captures an attacking string next to the dragon. He moves first; or,
    /// with the attacker to move, the string is one that cannot be saved.
    fn can_catch(&mut self, board: &mut Board, arena: &Arena, attacker_first: bool, depth: u32) -> bool {
        let deep = self.thorough && depth <= ROOT_DEPTH;
        let most = LEAF_LIBERTIES + usize::from(deep);
        let strings = arena.ground.strings(board, |v| {
            board.color_at(v) == Some(arena.color.other())
                && !arena.safe_foe[v.at()]
                && board.liberties(v) <= most
                && (!attacker_first || board.liberties(v) <= 2 && self.visible[v.at()])
                && board.neighbors4(v).any(|n| self.dragon[n.at()])
        });
        for s in strings {
            let reader = if deep { &mut self.root_reader } else { &mut self.reader };
            let found = reader.attack(board, s);
            let caught = if attacker_first {
                found.code == Code::Win && !reader.defend(board, s).code.works()
            } else {
                found.code.works()
            };
            if caught {
                self.catches.push(found.point);
            }
        }
        !self.catches.is_empty()
    }

    /// Whether an eye space next to the dragon lies next to a living friend as well: a capture there may link them.
    fn space_leads_to_friends(&self, board: &Board, arena: &Arena) -> bool {
        self.spaces.iter().any(|space| {
            space.touches(board, |n| self.dragon[n.at()])
                && space.touches(board, |n| arena.safe_friend[n.at()] && !self.dragon[n.at()])
        })
    }

    /// The values of the spaces next to the dragon, and the certain value of each.
    fn dragon_values(&self, board: &Board, arena: &Arena) -> Vec<(&EyeSpace, EyeValue)> {
        let near = |space: &&EyeSpace| space.value.d > 0 && space.touches(board, |n| self.dragon[n.at()]);
        let sure = |space| (space, sure_value(board, &arena.ground, arena.color, space));
        self.spaces.iter().filter(near).map(sure).collect()
    }
}
