//! Evaluates a position of a race without search: liberties, eyes, ways out, and unsettled features.
//!
//! # Steps
//! 1. Strings in enclosed regions of the other colour are *hidden*: they lie inside an eye space.
//! 2. Find the eye spaces of both colours, and the strings that are connected to each dragon.
//! 3. Count liberties. Those of an eye space count by its size and the stones in it. A liberty that the other side
//!    cannot fill at once counts twice, the rest once. Vertices next to both dragons are shared.
//! 4. *Slack* is the possible error of the count. An undecided eye, a string that can be caught, liberties that can be
//!    gained, and a way out add to it. A kill after which mine has too little room to live adds to it as well.

use super::count::{Runner, eye_class, eye_liberties, margin};
use super::race::{Question, Race};
use crate::board::{Board, Color, Vertex};
use crate::escape;
use crate::eyes::{EyeSpace, EyeValue, eyes_of_sum};
use crate::local_view::{Eyesight, Fight, linked_strings, sure_value};
use std::sync::Arc;

/// The largest region a hidden string may lie in.
const REGION: usize = 14;
/// Slack of an undecided eye, of a string that can be caught, of a way out.
const EYE_SLACK: u32 = 6;
const CATCH_SLACK: u32 = 12;
const ESCAPE_SLACK: u32 = 12;
/// Escape values that are enough when the owner, and when the other side is to move.
const ESCAPED: [u32; 2] = [8, 12];
/// Room with more vertices counts as life: no nakade fills it.
const LARGE: usize = 6;
/// The exclusive liberties of a side that lives.
const ALIVE: u32 = 200;

/// One dragon of the race in a position.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    /// Whether no goal stone is left.
    pub(super) gone: bool,
    /// Whether it lives for any result of the race.
    pub(super) alive: bool,
    /// For each padded cell: stones that are connected to the goal.
    pub(super) dragon: Vec<bool>,
    /// All eye spaces of the colour.
    pub(super) spaces: Arc<[EyeSpace]>,
    /// Which of them touch the dragon.
    pub(super) touching: Vec<usize>,
    /// Liberties outside its eyes that are not shared.
    pub(super) outside: Vec<Vertex>,
    /// Liberties in total, eyes counted by the moves they take.
    pub(super) exclusive: u32,
    /// Class of the largest eye it has even if the other side moves first.
    pub(super) eye: u32,
    /// Eyes if the other side, and if it moves first.
    pub(super) eyes: (u8, u8),
    /// Its stones and the vertices of its eye spaces: the room that its capturer gets.
    pub(super) spoils: usize,
    /// Escape values at distance four.
    pub(super) escape: u32,
    /// Step 4: the possible error of the count in its favour.
    pub(super) hopes: u32,
    /// The part of these that has nothing to do with liberties: eyes, catches, ways out.
    pub(super) chances: u32,
    /// Step 4: the possible error against it.
    pub(super) fears: u32,
}

/// Both dragons, indexed by colour.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) sides: [Side; 2],
    /// Empty vertices next to both dragons.
    pub(super) shared: Vec<Vertex>,
    /// Per padded cell: stones inside an eye space of the other colour.
    pub(super) hidden: Vec<bool>,
}

/// The judgement of a question without search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The victim is lost.
    Killed,
    /// It is not, or mine cannot live though it is.
    Survives,
    /// Undecided; the killer's margin by count.
    Open(i32),
}

impl View {
    /// All steps.
    pub(super) fn new(board: &Board, race: &Race, to_move: Color, eyesight: &mut Eyesight) -> Self {
        let mut view = Self { hidden: hidden(board, race), ..Self::default() };
        let visible: Vec<bool> = view.hidden.iter().map(|hidden| !hidden).collect();
        for color in Color::BOTH {
            // 2.
            let spaces = eyesight.spaces(board, &race.ground, color, &visible, |v| visible[v.at()]);
            let dragon = dragon_of(board, race, color, &spaces);
            let side = &mut view.sides[color.index()];
            side.gone = race.standing(board, color).next().is_none();
            side.touching = (0..spaces.len())
                .filter(|&i| spaces[i].value.d > 0 && spaces[i].touches(board, |n| dragon[n.at()]))
                .collect();
            side.spaces = spaces;
            side.dragon = dragon;
        }
        view.count_liberties(board, race);
        for color in Color::BOTH {
            view.judge_side(board, race, color, to_move);
        }
        view
    }

    /// Step 3.
    fn count_liberties(&mut self, board: &Board, race: &Race) {
        for v in race.ground.cells.iter().copied().filter(|&v| board.is_empty(v)) {
            let near = Color::BOTH.map(|c| board.neighbors4(v).any(|n| self.sides[c.index()].dragon[n.at()]));
            if near == [true, true] {
                self.shared.push(v);
            } else if let Some(of) = near.iter().position(|n| *n) {
                self.sides[of].outside.push(v);
            }
        }
        for color in Color::BOTH {
            let foe = color.other();
            let side = &mut self.sides[color.index()];
            let (mut exclusive, mut eye) = (0, 0);
            for &i in &side.touching {
                let space = &side.spaces[i];
                if space.value.b == 0 {
                    continue;
                }
                let proper: Vec<Vertex> = space.proper().collect();
                let stones = proper.iter().filter(|&&u| board.color_at(u) == Some(foe)).count() as u32;
                let size = proper.len() as u32;
                exclusive += eye_liberties(size, stones);
                eye = eye.max(eye_class(size));
                side.outside.retain(|v| !proper.contains(v));
            }
            let approaches = side.outside.iter().filter(|&&l| needs_approach(board, foe, l)).count() as u32;
            // Without an eye the last liberty can be one that costs nothing more: filling it captures.
            exclusive += side.outside.len() as u32 + approaches.saturating_sub(u32::from(eye == 0));
            side.exclusive = exclusive;
            side.eye = eye;
        }
    }

    /// The life of each side alone, and step 4.
    fn judge_side(&mut self, board: &Board, race: &Race, color: Color, to_move: Color) {
        let foe = color.other();
        let other = self.sides[foe.index()].dragon.clone();
        let hidden = &self.hidden;
        let side = &mut self.sides[color.index()];
        let own_turn = to_move == color;
        let values: Vec<EyeValue> = side.touching.iter().map(|&i| side.spaces[i].value).collect();
        let sure: Vec<EyeValue> = side
            .touching
            .iter()
            .map(|&i| sure_value_of(board, race, &side.spaces[i], color, own_turn))
            .collect();
        side.eyes = eyes_of_sum(&values);
        let room: usize = side.touching.iter().map(|&i| side.spaces[i].vertices.len()).sum();
        side.spoils = race.standing(board, color).count() + room;
        let (sure_attacked, _) = eyes_of_sum(&sure);
        let values = &race.escape[color.index()];
        side.escape = escape::route(board, &side.dragon, color, |v| values.at(v), |_| 0, |v| !hidden[v.at()]);
        let linked = race.ground.cells.iter().any(|&v| race.safe[v.at()] && side.dragon[v.at()]);
        side.alive =
            !side.gone && (linked || sure_attacked >= 2 || side.escape >= ESCAPED[usize::from(!own_turn)]);
        if side.gone || side.alive {
            return;
        }
        // 4.
        let hot = side.touching.iter().filter(|&&i| side.spaces[i].value.is_hot()).count() as u32;
        let mut hopes = hot * EYE_SLACK;
        if side.eyes.1 >= 2 {
            hopes += CATCH_SLACK;
        }
        if side.escape > u32::from(!own_turn) {
            hopes += ESCAPE_SLACK;
        }
        let catches = race.ground.strings(board, |v| {
            board.color_at(v) == Some(foe)
                && !(hidden[v.at()] || other[v.at()] || race.safe[v.at()])
                && board.liberties(v) <= 1 + usize::from(own_turn)
                && board.neighbors4(v).any(|n| side.dragon[n.at()])
        });
        hopes += CATCH_SLACK * catches.len() as u32;
        side.chances = hopes;
        let mut gain = 0;
        let weakest = race.standing(board, color).map(|v| board.liberties(v)).min();
        for &l in side.outside.iter().chain(&self.shared) {
            let now: usize =
                board.strings_next_to(l, color).map(|n| board.liberties(n)).max().unwrap_or_default();
            let then = board.liberties_after(color, l);
            // A new string linked to it doesn't count twice: two strings that already hang together gain nothing.
            let joined = board.strings_next_to(l, color).filter(|n| side.dragon[n.at()]).count();
            if joined <= 1 {
                gain = gain.max(then.saturating_sub(now));
            }
        }
        hopes += gain as u32 + u32::from(gain > 1);
        if weakest.is_some_and(|least| least <= 1) && side.exclusive as usize + self.shared.len() > 2 {
            side.fears = CATCH_SLACK;
        }
        side.hopes = hopes;
    }

    /// One side, as its moves are looked for.
    pub(super) fn fight<'a>(&'a self, board: &'a Board, race: &'a Race, color: Color) -> Fight<'a> {
        let side = &self.sides[color.index()];
        Fight {
            board,
            ground: &race.ground,
            color,
            dragon: &side.dragon,
            spaces: &side.spaces,
            safe: [&race.safe; 2],
            escape: &race.escape[color.index()],
        }
    }

    /// The result of the count for a question with `to_move` to move. `trust` is subtracted from its possible error.
    pub(super) fn verdict(&self, asked: Question, to_move: Color, trust: u32) -> Verdict {
        let (victim, mine) = (asked.victim, asked.mine);
        let (prey, killer) = (&self.sides[victim.index()], &self.sides[victim.other().index()]);
        let own = &self.sides[mine.index()];
        let outcome =
            |lives: bool| if lives == (victim != mine) { Verdict::Killed } else { Verdict::Survives };
        if own.gone {
            return outcome(false);
        }
        if prey.gone || killer.gone {
            // Theirs is off the board; mine still has to live.
            return match own.lives_alone(to_move == mine, trust) {
                Ok(lives) => outcome(lives),
                Err(lead) => Verdict::Open(if victim == mine { -lead } else { lead }),
            };
        }
        if prey.alive {
            return Verdict::Survives;
        }
        let runner = |side: &Side| Runner {
            exclusive: if side.alive { ALIVE } else { side.exclusive },
            eye: if side.alive { ALIVE } else { side.eye },
        };
        let margin = margin(runner(killer), runner(prey), self.shared.len() as u32, to_move != victim);
        let (hopes, fears) = if killer.alive { (prey.chances, 0) } else { (prey.hopes, killer.fears) };
        let spoils = if victim != mine && !killer.lives_by(prey) { CATCH_SLACK } else { 0 };
        let against = ((hopes + fears).saturating_sub(trust) + spoils.saturating_sub(trust)) as i32;
        let in_favour = (killer.hopes + prey.fears).saturating_sub(trust) as i32;
        // A living killer wins every count; only the victim's own prospects speak against it.
        let sure = if killer.alive { against == 0 } else { margin >= against };
        if margin >= 0 && sure {
            Verdict::Killed
        } else if margin < 0 && -margin > in_favour {
            Verdict::Survives
        } else {
            Verdict::Open(margin)
        }
    }
}

impl Side {
    /// Whether it lives, or may be taken to live, once it has captured `prey`: the room becomes a large eye, or a second one. A
    /// nakade of few stones, or a single stone, gives less.
    pub(super) const fn lives_by(&self, prey: &Self) -> bool {
        self.alive || prey.spoils > LARGE || (prey.spoils > 1 && self.eye > 0)
    }

    /// Whether it lives with the other side of the race off the board; a lead in moves if that is open.
    fn lives_alone(&self, own_turn: bool, trust: u32) -> Result<bool, i32> {
        let eyes = if own_turn { self.eyes.1 } else { self.eyes.0 };
        if self.alive || (eyes >= 2 && trust >= EYE_SLACK) {
            Ok(true)
        } else if self.chances.saturating_sub(trust) == 0 && eyes < 2 {
            Ok(false)
        } else if eyes >= 2 {
            Err(2)
        } else {
            Err(-2)
        }
    }
}

/// Step 1.
fn hidden(board: &Board, race: &Race) -> Vec<bool> {
    let mut hidden = race.dead.clone();
    for wall in Color::BOTH {
        let mut seen = vec![false; board.padded_len()];
        for &start in &race.ground.cells {
            if board.color_at(start) != Some(wall.other()) || seen[start.at()] {
                continue;
            }
            let region = board.region(start, &mut seen, |n| board.color_at(n) != Some(wall));
            let open = |&v: &Vertex| {
                race.ground.rim[v.at()]
                    || !race.ground.inside[v.at()]
                    || board.color_at(v).is_some() && race.is_anchor(board, v)
            };
            if region.len() <= REGION && !region.iter().any(open) {
                region.iter().filter(|&&v| !board.is_empty(v)).for_each(|v| hidden[v.at()] = true);
            }
        }
    }
    hidden
}

/// Whether a string of `color` on `l` could be taken at once, so that the liberty costs another move first.
fn needs_approach(board: &Board, color: Color, l: Vertex) -> bool {
    board.liberties_after(color, l) <= 1
        && !board.strings_next_to(l, color.other()).any(|n| board.liberties(n) == 1)
}

/// Step 2: the goal's strings and those connected to them.
fn dragon_of(board: &Board, race: &Race, color: Color, spaces: &[EyeSpace]) -> Vec<bool> {
    let mut part = vec![0; board.padded_len()];
    for v in race.standing(board, color) {
        let sealed = |l| board.liberties_after(color.other(), l) < 2;
        linked_strings(board, spaces, v, 1, &mut part, sealed);
    }
    part.into_iter().map(|part| part != 0).collect()
}

/// The certain value of a space, with either side to move: nothing behind a wall in atari.
fn sure_value_of(board: &Board, race: &Race, space: &EyeSpace, color: Color, own_turn: bool) -> EyeValue {
    let weak = |&s: &Vertex| board.liberties(s) == 1;
    let sure = sure_value(board, &race.ground, color, space);
    let falls = !own_turn && space.strings_around(board, color).iter().any(weak);
    if falls { EyeValue { a: 0, b: 0, ..sure } } else { sure }
}
