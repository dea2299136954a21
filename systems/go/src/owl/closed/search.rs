//! Df-pn search over all moves of a field, with the numbers of [`proof`](crate::proof) and a table of a fixed size.
//!
//! # Steps
//! 1. [`Solver::answers`] looks for threats: moves by which the side not to move would decide at once. Then only
//!    captures and moves that touch the basis of the threat are searched. Two threats without a common basis leave no
//!    move, so the node is decided.
//! 2. The first numbers of a position come from the odds that the dragon is killed ([`Field::odds`]). They also depend
//!    on how often the move that leads there has decided other positions of the same search.
//! 3. The table keeps two numbers for each position. A small separate table keeps the moves that step 1 leaves.
//!
//! # Cost
//! About 1.5 microseconds for each position opened. On 500 fields of the suites' questions 200,000 positions solve 454.
//! Without threats, success rates and odds they solve 420, in no less time.

mod shapes;

use super::field::{Field, NONE, Sight, Stones, mix};
use super::{FieldQuestion, Solved};
use crate::board::{Vertex, ones};
use crate::memory::{self, QuestionKind, ReadingMemory};
use crate::proof::{Numbers, choose};
use shapes::Shapes;

/// Lines longer than this count as if they went round.
///
/// Origin: ablation, commit 677cf3b: closed problems as a whole.
const MAX_DEPTH: usize = 64;
/// Places of the table for each position that may be opened, because its children are kept too.
///
/// Origin: measured, commit fe86db7, together with another change.
const PLACES: u32 = 4;
/// The least number of places.
///
/// Origin: measured, commit fe86db7, together with another change.
const LEAST_PLACES: usize = 1 << 12;
/// The greatest number of places (64 MB).
///
/// Origin: measured, `experiments/2026-11-22-go-life-and-death.md`: a million places instead of 131,072; four million since.
const MOST_PLACES: usize = 1 << 22;
/// The number of places for one key.
///
/// Origin: definition, entries of a cache line.
const WAYS: usize = 4;
/// Places of the table of moves that threats leave.
///
/// Origin: definition, a capacity: no answer depends on it.
const ANSWER_PLACES: usize = 1 << 12;
/// Stands for a pass.
///
/// Origin: definition, the number after the last cell.
const PASS: u8 = 64;
/// The limit of another first move that nobody named, in addition to twice the positions of the answer.
///
/// Origin: ablation, commit 677cf3b: closed problems as a whole.
const OTHERS: u32 = 20_000;
/// The positions of the answer count this often in that limit.
///
/// Origin: ablation, commit 677cf3b: closed problems as a whole.
const OTHERS_FACTOR: u32 = 2;

/// The first number of a position for even odds.
///
/// Origin: ablation, `experiments/2026-11-22-go-closed-problems.md`, "A faster search": first numbers from learned odds.
const EVEN: u32 = 16;
/// The largest first number.
///
/// Origin: ablation, `experiments/2026-11-22-go-closed-problems.md`, "A faster search": first numbers from learned
/// odds.
const MOST: u32 = 400;

/// Two to the power of `eighths` eighths, as a first number.
fn doubled(eighths: i32) -> u32 {
    /// Two to the power of 0 to 7 eighths, times 256.
    ///
    /// Origin: definition, rounded powers.
    const ROOTS: [u32; 8] = [256, 279, 304, 332, 362, 395, 431, 470];
    let root = ROOTS[eighths.rem_euclid(8) as usize] * EVEN;
    let doublings = eighths.div_euclid(8);
    let number = if doublings < 0 { root >> (-doublings).min(31) } else { root << doublings.min(8) };
    (number / 256).clamp(1, MOST)
}

/// The numbers of a child that was not looked at.
///
/// Origin: definition, the first numbers of proof-number search.
const UNSEEN: Numbers = Numbers { proof: 1, disproof: 1 };

/// The numbers that are kept of a position that was settled by a line that came back: in another line it is open.
///
/// Origin: definition, from the largest number.
const OF_LINE: Numbers = Numbers { proof: MOST, disproof: MOST };

/// The moves that the other side's threats leave, if it has no threat.
///
/// Origin: definition, every cell.
const ALL: u64 = u64::MAX;

#[derive(Clone, Copy)]
struct Entry {
    /// The key, except its lowest bits, which hold the work of the numbers as far as it fits.
    key_and_work: u64,
    numbers: Numbers,
}

/// The bits of an entry's key that hold its work.
///
/// Origin: definition, the layout of an entry.
const WORK_BITS: u64 = 0xFFFF;

impl Entry {
    /// No position.
    ///
    /// Origin: definition, no key.
    const EMPTY: Self = Self { key_and_work: 0, numbers: Numbers::DISPROVED };

    fn holds(&self, key: u64) -> bool {
        self.key_and_work != 0 && (self.key_and_work ^ key) & !WORK_BITS == 0
    }
}

#[derive(Clone, Copy)]
struct Child {
    cell: u8,
    stones: Stones,
    key: u64,
    numbers: Numbers,
}

/// The number of times a move decided a position for the side that played it.
#[derive(Clone, Copy, Default)]
struct Success {
    decided: u32,
    tried: u32,
}

impl Success {
    /// The weight, in moves, of the success of a move without data.
    ///
    /// Origin: ablation, `experiments/2026-11-22-go-closed-problems.md`, "A faster search": how often a move decided.
    const PRIOR: u32 = 4;
    /// The rate, in 256ths, of the success of a move without data.
    ///
    /// Origin: ablation, `experiments/2026-11-22-go-closed-problems.md`, "A faster search": how often a move decided.
    const PRIOR_RATE: u32 = 77;

    /// The rate, of 256.
    fn rate(self) -> u32 {
        (256 * self.decided + Self::PRIOR * Self::PRIOR_RATE) / (self.tried + Self::PRIOR)
    }

    /// First numbers of a position that this move leads to, for the side that played it and the other; eight is one.
    fn weigh(self, mine: u32, theirs: u32) -> (u32, u32) {
        let rate = self.rate();
        let own = mine * (256 + Self::PRIOR_RATE - rate) / 32;
        (own.max(1), (theirs * (256 - Self::PRIOR_RATE + rate) / 32).max(1))
    }
}

/// The answer of a run, `None` if its limit came first, and the positions it opened.
#[derive(Clone, Debug)]
struct Run {
    found: Option<Solved>,
    opened: u64,
}

/// The search with its table.
pub(in super::super) struct Solver {
    table: Vec<Entry>,
    /// Places of the table that this run uses, a power of two.
    places: usize,
    /// The places that this run filled. They are emptied before the next run, so that no run depends on another.
    filled: Vec<u32>,
    /// Keeps the answers of runs.
    pub(in super::super) memory: Option<ReadingMemory>,
    /// Keys of positions, and which moves threats leave there.
    kept_answers: Vec<(u64, u64)>,
    /// By side (defender, attacker) and cell.
    success: [[Success; 65]; 2],
    children: Vec<Child>,
    path: Vec<u64>,
    /// Made by the first question; a solver of spaces has none.
    shapes: Option<Box<Shapes>>,
    /// The key of this question in the table. Its positions are separate, because the value of a repeating line
    /// depends on the line.
    question: u64,
    /// The value of a line that repeats.
    repeated: Numbers,
    /// The first position of the line, by its number, to which a line below came back.
    came_back_to: usize,
    nodes: u32,
    limit: u32,
    ko_seen: bool,
    /// As in [`FieldQuestion`].
    favoured: [bool; 2],
    /// Positions opened since it was made.
    pub(in super::super) spent: u64,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            table: Vec::new(),
            places: 0,
            filled: Vec::new(),
            memory: None,
            kept_answers: Vec::new(),
            success: [[Success::default(); 65]; 2],
            children: Vec::new(),
            path: Vec::new(),
            shapes: None,
            question: 0,
            repeated: Numbers::settled(false),
            came_back_to: usize::MAX,
            nodes: 0,
            limit: 0,
            ko_seen: false,
            favoured: [false; 2],
            spent: 0,
        }
    }
}

/// Mixes the words of a position, and that of the question.
const fn key_of(s: Stones, attacking: bool, question: u64) -> u64 {
    let side = ((s.ko as u64) << 1 | attacking as u64) + 1;
    let key = mix(s.own ^ mix(s.foe ^ mix(side ^ question)));
    key ^ (key >> 31) | 1
}

impl Solver {
    /// Forgets all, so that the answers to come depend on nothing that was asked before.
    pub(in super::super) fn forget(&mut self) {
        self.table.clear();
        self.filled.clear();
        self.kept_answers.clear();
        self.shapes = None;
    }

    /// The same, with spaces solved apart.
    pub(super) fn run_with_spaces(
        &mut self,
        field: &Field,
        stones: Stones,
        asked: FieldQuestion<'_>,
    ) -> Option<Solved> {
        self.shapes.get_or_insert_default();
        let Some(memory) = self.memory.clone() else { return self.run(field, stones, asked) };
        let FieldQuestion { attack, first, named, alternatives, limit, favoured, repeated_kills, .. } = asked;
        let how = (attack, first, named, alternatives, limit, favoured, repeated_kills);
        let question = memory::Name::new(QuestionKind::Field, (field.name(), field.size, stones, how));
        let before = self.spent;
        let bytes = |run: &Run| size_of::<Run>() + run.found.as_ref().map_or(0, |found| 2 * found.good.len());
        let run = memory.answer_anywhere(question, bytes, || {
            let found = self.run(field, stones, asked);
            Run { found, opened: self.spent - before }
        });
        self.spent = before + run.opened;
        run.found
    }

    /// Asks one field; `None` if the limit comes first.
    pub(super) fn run(
        &mut self,
        field: &Field,
        mut stones: Stones,
        asked: FieldQuestion<'_>,
    ) -> Option<Solved> {
        let places = asked.limit.saturating_mul(PLACES) as usize;
        let places = places.next_power_of_two().clamp(LEAST_PLACES, MOST_PLACES);
        for at in self.filled.drain(..) {
            self.table[at as usize] = Entry::EMPTY;
        }
        if self.table.len() < places {
            self.table.resize(places, Entry::EMPTY);
        }
        self.places = places;
        if self.kept_answers.is_empty() {
            self.kept_answers.resize(ANSWER_PLACES, (0, 0));
        }
        self.success = [[Success::default(); 65]; 2];
        let kos = u64::from(asked.favoured[0]) + 2 * u64::from(asked.favoured[1]);
        self.came_back_to = usize::MAX;
        self.question = mix(field.name() ^ mix(kos));
        self.repeated = Numbers::settled(asked.repeated_kills);
        self.children.clear();
        self.path.clear();
        (self.nodes, self.limit, self.ko_seen, self.favoured) = (0, asked.limit, false, asked.favoured);
        let mut attacking = asked.attack;
        if let Some(v) = asked.first {
            let after = if v == Vertex::PASS {
                Some(Stones { ko: NONE, ..stones })
            } else {
                let cell = field.cells.binary_search(&v).ok()?;
                let free = field.empty(stones) >> cell & 1 != 0 && self.may_play(stones, attacking, cell);
                if free { field.play(stones, attacking, cell) } else { None }
            };
            let Some(after) = after else {
                return Some(Solved { killed: !attacking, ko_seen: self.ko_seen, good: Vec::new() });
            };
            stones = after;
            attacking = !attacking;
        }
        let root = self.enter(stones, attacking);
        let found = self.descend(field, root, attacking, Numbers::OPEN, 0);
        let killed = found.proof == 0;
        let mut good = Vec::new();
        if asked.first.is_none() && killed == attacking && found.is_settled() {
            good = self.good_moves(field, root, attacking, asked);
        }
        self.spent += u64::from(self.nodes);
        found.is_settled().then_some(Solved { killed, ko_seen: self.ko_seen, good })
    }

    /// Step 4: the named moves, then those found on the way, then, if all are wanted, the others.
    fn good_moves(
        &mut self,
        field: &Field,
        root: Child,
        attacking: bool,
        asked: FieldQuestion<'_>,
    ) -> Vec<Vertex> {
        let start = self.children.len();
        self.expand(field, root, attacking, ALL);
        let others = asked.limit.min(OTHERS_FACTOR * self.nodes + OTHERS);
        let last = self.nodes.saturating_add(asked.limit);
        let mut good: Vec<Vertex> = Vec::new();
        for (named, budget) in [(true, asked.limit), (false, 0), (false, others)] {
            if !good.is_empty() && !asked.alternatives {
                break;
            }
            for at in start..self.children.len() {
                let child = self.children[at];
                if child.cell == PASS {
                    continue;
                }
                let v = field.cells[usize::from(child.cell)];
                if asked.named.contains(&v) != named || good.contains(&v) {
                    continue;
                }
                self.limit = last.min(self.nodes + budget);
                self.path.truncate(1);
                let found = self.descend(field, child, !attacking, Numbers::OPEN, 1);
                if found.of(attacking).0 == 0 {
                    good.push(v);
                }
            }
        }
        self.children.truncate(start);
        good
    }

    /// A position that no move led to.
    fn enter(&mut self, mut stones: Stones, attacking: bool) -> Child {
        if stones.ko != NONE && self.favoured[usize::from(attacking)] {
            self.ko_seen = true;
            stones.ko = NONE;
        }
        Child { cell: PASS, stones, key: key_of(stones, attacking, self.question), numbers: UNSEEN }
    }

    fn may_play(&mut self, stones: Stones, attacking: bool, cell: usize) -> bool {
        if usize::from(stones.ko) == cell {
            self.ko_seen = true;
            return self.favoured[usize::from(attacking)];
        }
        true
    }

    /// Step 1: the cells where the side to move can answer the other side's threat; [`ALL`] if there is no threat.
    fn answers(&mut self, field: &Field, stones: Stones, attacking: bool) -> u64 {
        let quiet = Stones { ko: NONE, ..stones };
        let mut left = ALL;
        for cell in ones(field.empty(quiet)) {
            if attacking && field.is_own_eye(quiet, cell) {
                continue;
            }
            let Some(after) = field.play(quiet, !attacking, cell) else { continue };
            if attacking {
                if let Some(zone) = field.life(after).or_else(|| self.space_life(field, after)) {
                    left &= zone | 1 << cell;
                }
            } else {
                match field.judge(after) {
                    Err(true) => left &= 1 << cell,
                    Ok(sight) if self.space_death(field, after, &sight, false) => {
                        left &= sight.hopes | 1 << cell
                    }
                    _ => {}
                }
            }
            if left == 0 {
                break;
            }
        }
        if left == ALL { ALL } else { left | field.captures(quiet, attacking) }
    }

    /// Whether the remaining hopes fail, with this side to move.
    fn space_death(&mut self, field: &Field, stones: Stones, sight: &Sight, attacking: bool) -> bool {
        !sight.linked
            && self.shapes.as_mut().is_some_and(|shapes| shapes.dies(field, stones, sight.hopes, attacking))
    }

    /// The space by which the dragon lives with the attacker to move.
    fn space_life(&mut self, field: &Field, stones: Stones) -> Option<u64> {
        self.shapes.as_mut()?.life(field, stones)
    }

    /// The same, looked up if it was found lately.
    fn known_answers(&mut self, field: &Field, node: Child, attacking: bool) -> u64 {
        let place = (node.key >> 40) as usize & (ANSWER_PLACES - 1);
        let (key, answers) = self.kept_answers[place];
        if key == node.key {
            return answers;
        }
        let answers = self.answers(field, node.stones, attacking);
        self.kept_answers[place] = (node.key, answers);
        answers
    }

    /// Pushes the positions after each of these moves, and after a pass of the defender's that no threat forbids.
    fn expand(&mut self, field: &Field, node: Child, attacking: bool, answers: u64) {
        let stones = node.stones;
        for cell in ones(field.empty(stones) & answers) {
            if !self.may_play(stones, attacking, cell) || !attacking && field.is_own_eye(stones, cell) {
                continue;
            }
            if let Some(after) = field.play(stones, attacking, cell) {
                let child = self.enter(after, !attacking);
                self.children.push(Child { cell: cell as u8, ..child });
            }
        }
        if !attacking && answers == ALL {
            let child = self.enter(Stones { ko: NONE, ..stones }, true);
            self.children.push(child);
        }
    }

    /// Enters the numbers of the children from this one on, until one decides for the side to move.
    fn look_at_children(&mut self, field: &Field, start: usize, attacking: bool) {
        // The places are read in advance, all at once: one by one each would wait for memory.
        let places = self.children[start..].iter().map(|c| self.table[self.place(c.key)].key_and_work);
        std::hint::black_box(places.fold(0, |all, word| all ^ word));
        for at in start..self.children.len() {
            let numbers = self.look(field, self.children[at], !attacking);
            self.children[at].numbers = numbers;
            if numbers.of(attacking).0 == 0 {
                break;
            }
        }
    }

    /// Counts the successes of a decided position's children: the one that decided, or all that failed.
    fn learn(&mut self, start: usize, attacking: bool, won: bool) {
        for child in &self.children[start..] {
            let decided = child.numbers.of(attacking).0 == 0;
            if decided == won {
                let success = &mut self.success[usize::from(attacking)][usize::from(child.cell)];
                success.tried += 1;
                success.decided += u32::from(decided);
            }
        }
    }

    /// The numbers of a child; judged if it has not been met.
    fn look(&mut self, field: &Field, child: Child, attacking: bool) -> Numbers {
        if let Some(at) = self.path.iter().position(|&key| key == child.key) {
            self.came_back_to = self.came_back_to.min(at);
            return self.repeated;
        }
        if let Some(e) = self.find(child.key) {
            return e.numbers;
        }
        let numbers = match field.judge(child.stones) {
            Err(killed) => Numbers::settled(killed),
            Ok(_) if self.space_life(field, child.stones).is_some() => Numbers::settled(false),
            Ok(sight) if self.space_death(field, child.stones, &sight, attacking) => Numbers::settled(true),
            Ok(sight) => {
                let odds = field.odds(child.stones, &sight, usize::from(child.cell), attacking);
                let success = self.success[usize::from(!attacking)][usize::from(child.cell)];
                let (mine, theirs) = if attacking { (odds, -odds) } else { (-odds, odds) };
                let (own, other) = success.weigh(doubled(mine), doubled(theirs));
                Numbers::from(!attacking, own, other)
            }
        };
        self.store(child.key, numbers, 0);
        numbers
    }

    /// The first of the places of a key, by the bits that entries don't keep.
    fn place(&self, key: u64) -> usize {
        key as usize & (self.places - 1) & !(WAYS - 1)
    }

    fn find(&self, key: u64) -> Option<Entry> {
        let at = self.place(key);
        self.table[at..at + WAYS].iter().find(|e| e.holds(key)).copied()
    }

    fn store(&mut self, key: u64, numbers: Numbers, work: u32) {
        let at = self.place(key);
        let places = &mut self.table[at..at + WAYS];
        let work = (1 + u64::from(work)).min(WORK_BITS);
        let entry = Entry { key_and_work: key & !WORK_BITS | work, numbers };
        let place = places.iter().position(|e| e.holds(key)).unwrap_or_else(|| {
            let least = places.iter().enumerate().min_by_key(|(_, e)| e.key_and_work & WORK_BITS);
            least.map_or(0, |(i, _)| i)
        });
        if places[place].key_and_work == 0 {
            self.filled.push((at + place) as u32);
        }
        places[place] = entry;
    }

    /// The numbers of a node, searched within these limits.
    fn descend(
        &mut self,
        field: &Field,
        node: Child,
        attacking: bool,
        limits: Numbers,
        depth: usize,
    ) -> Numbers {
        let known = self.path.contains(&node.key);
        let numbers = self.look(field, node, attacking);
        if known || numbers.is_beyond(limits) {
            return numbers;
        }
        if depth >= MAX_DEPTH {
            let numbers = self.repeated;
            self.store(node.key, numbers, 0);
            return numbers;
        }
        self.nodes += 1;
        let before = self.nodes;
        let elsewhere = std::mem::replace(&mut self.came_back_to, usize::MAX);
        let start = self.children.len();
        let answers = self.known_answers(field, node, attacking);
        self.expand(field, node, attacking, answers);
        self.path.push(node.key);
        self.look_at_children(field, start, attacking);
        let found = loop {
            let choice = choose(self.children[start..].iter().map(|child| child.numbers), attacking);
            let numbers = choice.numbers;
            if numbers.is_settled() {
                self.learn(start, attacking, numbers.of(attacking).0 == 0);
            }
            if numbers.is_beyond(limits) || self.nodes >= self.limit {
                break numbers;
            }
            let best = start + choice.best;
            let limits = choice.limits(limits, attacking);
            self.children[best].numbers =
                self.descend(field, self.children[best], !attacking, limits, depth + 1);
        };
        self.path.pop();
        self.children.truncate(start);
        let work = 1 + self.nodes - before;
        // What rests on a position above holds in this line only.
        let is_of_line = self.came_back_to < depth && found == self.repeated;
        self.store(node.key, if is_of_line { OF_LINE } else { found }, work);
        self.came_back_to = self.came_back_to.min(elsewhere);
        found
    }
}

#[cfg(test)]
mod tests;
