//! Solves the eye space exactly, as a local game on a small graph.
//!
//! # Source
//! GNU Go 3.8 manual, "The eyespace as local game", "Underlying graphs" and "Eye Local Game Values".
//!
//! # Notation
//! The owner of the space is the *defender* (O in the manual), the other the *attacker* (X). A vertex is empty (`.`),
//! holds an attacker's stone (`X`), or is *marginal* (`!`). Sets of vertices are bit masks.
//!
//! # Steps
//! 1. The defender may fill an empty or marginal vertex. The vertex then leaves the graph. Suicide is excluded. A
//!    vertex is *afloat* if none of its neighbours was filled or belongs to the wall. A move on such a vertex is
//!    suicide if the attacker's stones surround it and the move captures none of them.
//! 2. The attacker may put a stone on an empty vertex. A string of his without a liberty (an empty or marginal
//!    neighbour) after the defender's move is captured: its vertices become empty. The attacker may not play suicide.
//!    The defender may take strings that have no liberty at the start (their last one is a false margin) instead of a
//!    move.
//! 3. The attacker may take a marginal vertex. The vertex leaves the graph, and so do the stones connected to it. The
//!    empty vertices next to the removed ones become marginal.
//! 4. Either side may pass. After two passes each connected part that has a vertex which is not marginal is one eye.
//! 5. The value is the minimax number of eyes, at most two. It is computed for either first mover, and with one extra
//!    move for either side.
//! 6. A connected part whose number of eyes no move can change is not played out. A part without a vertex that is not
//!    marginal never holds an eye. A part without a marginal vertex always holds one, because the attacker's stones
//!    alone never fill it. It holds two if it has two vertices that are not marginal and no neighbours. A part with a
//!    known number is left out: moves in it count as passes, because the winning side can answer them with a pass.
//!
//! # Invariants
//! The value of a graph is the value of the game played to its end (a test plays it).
//!
//! # Departures
//! The manual leaves the end of the game undefined and looks shapes up in a table. Here step 4 ends the game and a
//! memoised search plays it. The extra attacking move follows only a first move that is itself best, as the manual's
//! example (`1122`) requires. Captures by the attacker, liberties outside and kos are left to reading.
//!
//! # Cost
//! An eye space from a game has about ten to a hundred states, a large space hundreds. Values are cached by graph. A
//! space above [`MAX_VERTICES`] vertices, or beyond the state budget, counts as two eyes.

use super::value::EyeValue;
use crate::board::{MixMap, SmallList, ones};

#[cfg(test)]
mod oracle_tests;
#[cfg(test)]
mod tests;

/// Largest graph that is searched.
pub const MAX_VERTICES: usize = 14;

/// The number of states that one search may visit before the space counts as two eyes; a solver may have another limit.
pub const STATE_BUDGET: usize = 5_000;

/// An eye space as a graph: neighbours of each vertex and the kinds of the vertices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EyeGraph {
    /// Neighbours of each vertex as a bit mask.
    neighbours: SmallList<u16, MAX_VERTICES>,
    /// Vertices with an attacker's stone.
    pub stones: u16,
    /// Marginal vertices.
    pub marginal: u16,
    /// Vertices without a neighbour in the wall: the defender's stone there lives on its liberties.
    pub afloat: u16,
}

/// The result of the search: the value and the first moves that reach it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EyeSolution {
    /// Eyes in the four cases.
    pub value: EyeValue,
    /// The attacker's first moves that hold the defender to `value.b`; empty unless the value is hot.
    pub attack_points: u16,
    /// The defender's first moves that reach `value.c`; empty unless the value is hot.
    pub defence_points: u16,
    /// False if the space was too large to search.
    pub exact: bool,
}

/// The number of stored solutions after which a solver clears its store. No answer depends on it.
const MOST_SOLVED: usize = 1 << 16;

/// A position of the local game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    space: u16,
    stones: u16,
    marginal: u16,
}

/// Solves eye graphs and remembers them.
#[derive(Clone, Debug)]
pub struct EyeSolver {
    solved: MixMap<EyeGraph, EyeSolution>,
    memo: MixMap<u64, bool>,
    budget: usize,
    /// For a space with [`MANY`] vertices that are not marginal, or more.
    large_budget: usize,
}

/// The number of vertices that are not marginal from which a graph is large.
const MANY: u32 = 5;

impl Default for EyeSolver {
    fn default() -> Self {
        Self::with_budgets(STATE_BUDGET, STATE_BUDGET)
    }
}

impl EyeGraph {
    /// A graph of `n` vertices without edges. Vertices beyond [`MAX_VERTICES`] are left out, and joining one of them
    /// panics. The caller checks the size first.
    #[must_use]
    pub fn with_vertices(n: usize) -> Self {
        let mut graph = Self::default();
        (0..n).for_each(|_| graph.neighbours.push(0));
        graph
    }

    /// Joins two vertices.
    pub fn join(&mut self, a: usize, b: usize) {
        self.neighbours[a] |= 1 << b;
        self.neighbours[b] |= 1 << a;
    }
}

/// The vertices of a mask, lowest first.
pub(super) fn bits(mask: u16) -> impl Iterator<Item = usize> {
    ones(mask.into())
}

impl EyeSolver {
    /// A solver whose searches visit at most `budget` states each; a space that needs more counts as two eyes. Searches
    /// of a space of five or more vertices that are not marginal visit at most `large_budget`. With few hundred states
    /// four in five of these are not solved.
    #[must_use]
    pub fn with_budgets(budget: usize, large_budget: usize) -> Self {
        Self { solved: MixMap::default(), memo: MixMap::default(), budget, large_budget }
    }

    /// The value of a graph, from the cache or by search.
    pub fn solve(&mut self, graph: &EyeGraph) -> EyeSolution {
        if let Some(&known) = self.solved.get(graph) {
            return known;
        }
        if self.solved.len() >= MOST_SOLVED {
            self.solved.clear();
        }
        self.memo.clear();
        let proper = graph.neighbours.len() as u32 - graph.marginal.count_ones();
        let budget = if proper < MANY { self.budget } else { self.large_budget };
        let mut game = Game::of(graph, &mut self.memo, budget);
        let solution = game.solve(graph);
        self.solved.insert(graph.clone(), solution);
        solution
    }
}

/// Not a vertex: the defender captures the strings without a liberty.
const TAKE: u8 = u8::MAX;

/// Proper vertices that may all be neighbours of each other.
const MOST_SINGLE: u32 = 2;

/// Vertices whose common neighbours are looked up at once.
const HALF: usize = MAX_VERTICES / 2;

/// One search of one graph.
struct Game<'a> {
    neighbours: &'a [u16],
    /// The neighbours of every set of vertices of the lower and of the upper half.
    around: [[u16; 1 << HALF]; 2],
    afloat: u16,
    memo: &'a mut MixMap<u64, bool>,
    left: usize,
    /// The attacker's stones that have no liberty to begin with: there for the taking.
    caught: u16,
    /// In which order the attacker's and the defender's moves are tried: what decided last comes first, to begin with the
    /// vertices with most neighbours.
    order: [[u8; MAX_VERTICES]; 2],
}

/// A position with the number of eyes asked for, or whether that is reached.
enum Reduced {
    Open(State, u32),
    Known(bool),
}

impl<'a> Game<'a> {
    fn of(graph: &'a EyeGraph, memo: &'a mut MixMap<u64, bool>, left: usize) -> Self {
        let neighbours = &graph.neighbours[..];
        let mut around = [[0; 1 << HALF]; 2];
        for (set, half) in (1..1 << HALF).flat_map(|set| [(set, 0), (set, 1)]) {
            let last: usize = set & (set - 1);
            let v = (set ^ last).trailing_zeros() as usize + half * HALF;
            around[half][set] = around[half][last] | neighbours.get(v).copied().unwrap_or(0);
        }
        let mut order = std::array::from_fn(|v| v as u8);
        order[..neighbours.len()]
            .sort_by_key(|&v| std::cmp::Reverse(neighbours[usize::from(v)].count_ones()));
        let mut game =
            Self { neighbours, around, afloat: graph.afloat, memo, left, caught: 0, order: [order; 2] };
        let start = game.start(graph);
        game.caught = start.stones & !game.take(start, start.stones).stones;
        game
    }

    /// The position the game begins with.
    fn start(&self, graph: &EyeGraph) -> State {
        let space = (1 << self.neighbours.len()) - 1;
        State { space, stones: graph.stones & !graph.marginal, marginal: graph.marginal }
    }

    fn solve(&mut self, graph: &EyeGraph) -> EyeSolution {
        let start = self.start(graph);
        let b = self.eyes(start, false);
        let c = self.eyes(start, true);
        let hot = b != c;
        let attacks = if hot || b > 0 { self.first_moves(start, false, b) } else { 0 };
        let defences = if hot { self.first_moves(start, true, c) } else { 0 };
        let (mut a, mut d) = (b, c);
        for v in bits(attacks) {
            while a > 0 && self.play(start, v, false).is_some_and(|s| !self.reaches(s, false, a.into())) {
                a -= 1;
            }
        }
        for v in bits(start.space) {
            while d < 2 && self.play(start, v, true).is_some_and(|s| self.reaches(s, true, u32::from(d) + 1))
            {
                d += 1;
            }
        }
        if self.left == 0 {
            return EyeSolution { value: EyeValue::TWO, ..EyeSolution::default() };
        }
        let attack_points = if hot { attacks } else { 0 };
        EyeSolution { value: EyeValue { a, b, c, d }, attack_points, defence_points: defences, exact: true }
    }

    /// First moves of one side after which there are no more, or no less, than `goal` eyes.
    fn first_moves(&mut self, state: State, defender: bool, goal: u8) -> u16 {
        let wanted = u32::from(goal) + u32::from(!defender);
        let mut moves = 0;
        for v in bits(state.space) {
            if let Some(next) = self.play(state, v, defender)
                && self.reaches(next, !defender, wanted) == defender
            {
                moves |= 1 << v;
            }
        }
        moves
    }

    /// Step 5: eyes with this side to move.
    fn eyes(&mut self, state: State, defender: bool) -> u8 {
        if self.reaches(state, defender, 2) {
            return 2;
        }
        u8::from(self.reaches(state, defender, 1))
    }

    /// Whether the defender gets at least `goal` eyes with this side to move.
    fn reaches(&mut self, state: State, defender: bool, goal: u32) -> bool {
        match self.reduce(state, goal) {
            Reduced::Open(state, goal) => self.plays(state, defender, false, goal),
            Reduced::Known(reached) => reached,
        }
    }

    /// The same for a position that is already reduced.
    fn plays(&mut self, state: State, defender: bool, passed: bool, goal: u32) -> bool {
        if passed && defender && self.count_eyes(state) >= goal {
            return true;
        }
        let key = u64::from(state.space)
            | u64::from(state.stones) << 16
            | u64::from(state.marginal) << 32
            | u64::from(defender) << 48
            | u64::from(passed) << 49
            | u64::from(goal) << 50;
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        if self.left == 0 {
            return true;
        }
        self.left -= 1;
        let result = self.search(state, defender, passed, goal);
        self.memo.insert(key, result);
        result
    }

    /// Whether the mover has a move, or a pass, that decides for his side.
    fn search(&mut self, state: State, defender: bool, passed: bool, goal: u32) -> bool {
        let side = usize::from(defender);
        let mut open = [(state, goal, TAKE); MAX_VERTICES + 1];
        let mut count = 0;
        let mut keep = |next: State, goal: u32, v: u8| {
            open[count] = (next, goal, v);
            count += 1;
        };
        let whole =
            defender && self.string(state.space & state.space.wrapping_neg(), state.space) == state.space;
        // Moves that decide at once come first.
        for at in 0..self.neighbours.len() {
            let v = self.order[side][at];
            let Some(next) = self.play(state, usize::from(v), defender) else { continue };
            if next.space == state.space || whole && self.keeps_whole(state, usize::from(v)) {
                // Step 6 finds nothing new.
                keep(next, goal, v);
                continue;
            }
            match self.reduce(next, goal) {
                Reduced::Known(reached) if reached == defender => {
                    self.prefer(side, v);
                    return defender;
                }
                Reduced::Known(_) => {}
                Reduced::Open(next, goal) => keep(next, goal, v),
            }
        }
        if defender && state.stones & self.caught != 0 {
            let taken = self.take(state, state.stones);
            if taken != state {
                keep(taken, goal, TAKE);
            }
        }
        // Then the pass: it is the cheapest refutation of both sides.
        let after_pass =
            if passed { self.count_eyes(state) >= goal } else { self.plays(state, !defender, true, goal) };
        if after_pass == defender {
            return defender;
        }
        for &(next, goal, v) in &open[..count] {
            if self.plays(next, !defender, false, goal) == defender {
                self.prefer(side, v);
                return defender;
            }
        }
        !defender
    }

    /// This move is the first to be tried from now on.
    fn prefer(&mut self, side: usize, v: u8) {
        if let Some(at) = self.order[side].iter().position(|&u| u == v) {
            self.order[side][..=at].rotate_right(1);
        }
    }

    /// Whether a defender's stone at `v` leaves a space of one part connected, equally open, and with room for two
    /// eyes.
    fn keeps_whole(&self, state: State, v: usize) -> bool {
        let (bit, near) = (1 << v, self.neighbours[v] & state.space);
        let first = near & near.wrapping_neg();
        let linked = match near.count_ones() {
            1 => true,
            2 => self.around(first) & self.around(near ^ first) & state.space & !bit != 0,
            _ => false,
        };
        linked && state.marginal & bit == 0 && (state.space & !state.marginal).count_ones() > MOST_SINGLE + 1
    }

    /// Step 6: the part that is left to play for.
    fn reduce(&self, mut state: State, mut goal: u32) -> Reduced {
        let (mut left, mut sure, mut most) = (state.space, 0, 0);
        while left != 0 {
            let part = self.string(left & left.wrapping_neg(), left);
            left &= !part;
            let proper = part & !state.marginal;
            let closed = proper == part;
            let single = bits(proper).all(|v| proper & !self.neighbours[v] == 1 << v);
            if proper == 0 || closed && single {
                goal = goal.saturating_sub(u32::from(closed));
                state.space &= !part;
                state.stones &= !part;
                state.marginal &= !part;
            } else {
                sure += u32::from(closed);
                most += 2 - u32::from(single);
            }
        }
        if sure >= goal {
            return Reduced::Known(true);
        }
        if most < goal { Reduced::Known(false) } else { Reduced::Open(state, goal) }
    }

    /// Steps 1 to 3: the state after a move, `None` if it is no move.
    fn play(&self, state: State, v: usize, defender: bool) -> Option<State> {
        let bit = 1 << v;
        if state.stones & bit != 0 || state.space & bit == 0 {
            return None;
        }
        if defender {
            let next = self.fill(state, bit);
            let taken = self.neighbours[v] & state.stones & !next.stones != 0;
            let hemmed = self.afloat & bit != 0 && self.neighbours[v] & !state.stones == 0;
            return (taken || !hemmed).then_some(next);
        }
        if state.marginal & bit != 0 {
            return Some(self.intrude(state, v));
        }
        let stones = state.stones | bit;
        let string = self.string(bit, stones);
        let open = state.space & !stones;
        (self.around(string) & open != 0).then_some(State { stones, ..state })
    }

    /// Step 1, and the captures of step 2.
    fn fill(&self, state: State, bit: u16) -> State {
        let near = self.around(bit) | self.caught;
        self.take(
            State { space: state.space & !bit, stones: state.stones, marginal: state.marginal & !bit },
            near,
        )
    }

    /// Takes the strings without a liberty that have one of these stones.
    fn take(&self, state: State, of: u16) -> State {
        let mut next = state;
        let mut left = state.stones & of;
        while left != 0 {
            let string = self.string(left & left.wrapping_neg(), state.stones);
            left &= !string;
            if self.around(string) & state.space & !state.stones == 0 {
                next.stones &= !string;
            }
        }
        next
    }

    /// Step 3.
    fn intrude(&self, state: State, v: usize) -> State {
        let bit = 1 << v;
        let joined = self.string(bit, state.stones | bit);
        let space = state.space & !joined;
        let stones = state.stones & !joined;
        let exposed = self.around(joined) & space & !stones;
        State { space, stones, marginal: (state.marginal & space) | exposed }
    }

    /// The connected part of `within` that holds `seed`.
    fn string(&self, seed: u16, within: u16) -> u16 {
        let (mut part, mut edge) = (seed, seed);
        while edge != 0 {
            edge = self.around(edge) & within & !part;
            part |= edge;
        }
        part
    }

    /// All neighbours of a set.
    fn around(&self, set: u16) -> u16 {
        let set = usize::from(set);
        self.around[0][set & ((1 << HALF) - 1)] | self.around[1][set >> HALF & ((1 << HALF) - 1)]
    }

    /// Step 4.
    fn count_eyes(&self, state: State) -> u32 {
        let (mut left, mut eyes) = (state.space, 0);
        while left != 0 {
            let part = self.string(left & left.wrapping_neg(), state.space);
            left &= !part;
            eyes += u32::from(part & !state.marginal != 0);
        }
        eyes
    }
}
