//! The eye space as a local game on a small graph, solved exactly.
//!
//! # Source
//! GNU Go manual, "The eyespace as local game", "Underlying graphs" and "Eye Local Game Values".
//!
//! # Notation
//! The owner of the space is the *defender* (O in the manual), the other the *attacker* (X). A vertex is empty (`.`),
//! holds an attacker's stone (`X`), or is *marginal* (`!`). Sets of vertices are bit masks.
//!
//! # Steps
//! 1. The defender may fill an empty or marginal vertex: it leaves the graph. Not if it is afloat (no neighbour of it
//!    was filled or belongs to the wall), the attacker's stones are all around it, and none is captured: suicide.
//! 2. The attacker may put a stone on an empty vertex. A string of his without a liberty (an empty or marginal
//!    neighbour) after the defender's move is captured: its vertices become empty. His suicide is no move.
//!    Strings without a liberty to begin with (their last one is a false margin) the defender may take instead of a move.
//! 3. The attacker may take a marginal vertex: it leaves the graph, as do the stones connected to it; the empty
//!    vertices next to what left become marginal.
//! 4. Either may pass; after two passes each connected part that has a vertex which is not marginal is one eye.
//! 5. The value is the minimax of the eyes, at most two, for either first mover, and with one extra move for either.
//!
//! # Departures
//! The manual leaves the end of the game undefined and looks shapes up in a table; here step 4 ends it and a memoised
//! search plays it. The extra attacking move follows only a first move that is itself best, which is what the
//! manual's example (`1122`) asks for. Captures by the attacker, liberties outside and kos are left to reading.
//!
//! # Cost
//! A few hundred states for five vertices; spaces are cached by graph. Above [`MAX_VERTICES`] vertices, or when
//! the state budget ends, a space counts as two eyes.

use super::hash::MixMap;

use super::value::EyeValue;

/// Largest graph that is searched.
pub const MAX_VERTICES: usize = 14;

/// States one search may visit before the space is taken to hold two eyes, unless a solver is told otherwise.
pub const STATE_BUDGET: usize = 60_000;

/// An eye space as a graph: neighbours of each vertex and the kinds of the vertices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EyeGraph {
    /// Neighbours of each vertex as a bit mask.
    pub neighbours: Vec<u16>,
    /// Vertices with an attacker's stone.
    pub stones: u16,
    /// Marginal vertices.
    pub marginal: u16,
    /// Vertices without a neighbour in the wall: the defender's stone there lives on its liberties.
    pub afloat: u16,
}

/// What the search found: the value and the first moves that reach it.
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

/// Solutions a solver remembers; then it begins anew. No answer depends on it.
const MOST_SOLVED: usize = 1 << 16;

/// A position of the local game.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
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
}

impl Default for EyeSolver {
    fn default() -> Self {
        Self::with_budget(STATE_BUDGET)
    }
}

impl EyeGraph {
    /// A graph of `n` vertices without edges.
    #[must_use]
    pub fn with_vertices(n: usize) -> Self {
        Self { neighbours: vec![0; n], stones: 0, marginal: 0, afloat: 0 }
    }

    /// Joins two vertices.
    pub fn join(&mut self, a: usize, b: usize) {
        self.neighbours[a] |= 1 << b;
        self.neighbours[b] |= 1 << a;
    }

    /// Reads a picture: `.`, `X`, `!` are vertices, anything else is outside; rows are lines.
    ///
    /// Vertices are numbered row by row. `None` with more than [`MAX_VERTICES`] of them.
    #[must_use]
    pub fn from_picture(picture: &str) -> Option<Self> {
        let mut places: Vec<(usize, usize, u8)> = Vec::new();
        for (row, line) in picture.lines().enumerate() {
            for (col, kind) in line.bytes().enumerate() {
                if b".X!".contains(&kind) {
                    places.push((row, col, kind));
                }
            }
        }
        if places.len() > MAX_VERTICES {
            return None;
        }
        let mut graph = Self::with_vertices(places.len());
        for (i, &(row, col, kind)) in places.iter().enumerate() {
            match kind {
                b'X' => graph.stones |= 1 << i,
                b'!' => graph.marginal |= 1 << i,
                _ => {}
            }
            for (j, &(r, c, _)) in places.iter().enumerate().take(i) {
                if r.abs_diff(row) + c.abs_diff(col) == 1 {
                    graph.join(i, j);
                }
            }
        }
        Some(graph)
    }
}

/// The vertices of a mask, lowest first.
pub(super) fn bits(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let i = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            i
        })
    })
}

impl EyeSolver {
    /// A solver whose searches visit at most so many states each; a space that needs more is taken to hold two eyes.
    #[must_use]
    pub fn with_budget(budget: usize) -> Self {
        Self { solved: MixMap::default(), memo: MixMap::default(), budget }
    }

    /// The value of a graph, from the cache or by search.
    pub fn solve(&mut self, graph: &EyeGraph) -> EyeSolution {
        if graph.neighbours.len() > MAX_VERTICES {
            return EyeSolution { value: EyeValue::TWO, ..EyeSolution::default() };
        }
        if let Some(&known) = self.solved.get(graph) {
            return known;
        }
        if self.solved.len() >= MOST_SOLVED {
            self.solved.clear();
        }
        self.memo.clear();
        let mut game = Game {
            neighbours: &graph.neighbours,
            afloat: graph.afloat,
            memo: &mut self.memo,
            left: self.budget,
            caught: 0,
        };
        let solution = game.solve(graph);
        self.solved.insert(graph.clone(), solution);
        solution
    }
}

/// One search of one graph.
struct Game<'a> {
    neighbours: &'a [u16],
    afloat: u16,
    memo: &'a mut MixMap<u64, bool>,
    left: usize,
    /// The attacker's stones that have no liberty to begin with: there for the taking.
    caught: u16,
}

impl Game<'_> {
    fn solve(&mut self, graph: &EyeGraph) -> EyeSolution {
        let n = graph.neighbours.len();
        let all = if n == 16 { u16::MAX } else { (1 << n) - 1 };
        let start = State { space: all, stones: graph.stones & !graph.marginal, marginal: graph.marginal };
        self.caught = start.stones & !self.take(start).stones;
        let b = self.eyes(start, false);
        let c = self.eyes(start, true);
        let attacks = self.first_moves(start, false, b);
        let defences = self.first_moves(start, true, c);
        let twice = |game: &mut Self, moves: u16, defender: bool, own: u8| {
            let ends = bits(moves).filter_map(|v| game.play(start, v, defender)).collect::<Vec<_>>();
            let values = ends.into_iter().map(|state| game.eyes(state, defender));
            if defender { values.max().unwrap_or(own).max(own) } else { values.min().unwrap_or(own).min(own) }
        };
        let a = twice(self, attacks, false, b);
        let d = twice(self, all, true, c);
        if self.left == 0 {
            return EyeSolution { value: EyeValue::TWO, ..EyeSolution::default() };
        }
        let hot = b != c;
        EyeSolution {
            value: EyeValue { a, b, c, d },
            attack_points: if hot { attacks } else { 0 },
            defence_points: if hot { defences } else { 0 },
            exact: true,
        }
    }

    /// First moves of one side that reach `goal` eyes.
    fn first_moves(&mut self, state: State, defender: bool, goal: u8) -> u16 {
        let mut moves = 0;
        for v in bits(state.space) {
            if let Some(next) = self.play(state, v, defender)
                && self.eyes(next, !defender) == goal
            {
                moves |= 1 << v;
            }
        }
        moves
    }

    /// Step 5: eyes with this side to move.
    fn eyes(&mut self, state: State, defender: bool) -> u8 {
        u8::from(self.reaches(state, defender, false, 1)) + u8::from(self.reaches(state, defender, false, 2))
    }

    /// Whether the defender gets at least `goal` eyes.
    fn reaches(&mut self, state: State, defender: bool, passed: bool, goal: u32) -> bool {
        if passed && self.count_eyes(state) >= goal && defender {
            return true;
        }
        if state.space & !state.marginal == 0 {
            return false;
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
        // The pass first: it is the cheapest refutation of both sides.
        let after_pass =
            if passed { self.count_eyes(state) >= goal } else { self.reaches(state, !defender, true, goal) };
        if after_pass == defender {
            return defender;
        }
        if defender && state.stones & self.caught != 0 {
            let taken = self.take(state);
            if taken != state && self.reaches(taken, false, false, goal) {
                return true;
            }
        }
        for v in bits(state.space) {
            if let Some(next) = self.play(state, v, defender)
                && self.reaches(next, !defender, false, goal) == defender
            {
                return defender;
            }
        }
        !defender
    }

    /// Steps 1 to 3: the state after a move, `None` if it is no move.
    fn play(&self, state: State, v: usize, defender: bool) -> Option<State> {
        let bit = 1 << v;
        if state.stones & bit != 0 || state.space & bit == 0 {
            return None;
        }
        if defender {
            let next = self.fill(state, bit);
            let taken = next.stones != state.stones;
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
        self.take(State { space: state.space & !bit, stones: state.stones, marginal: state.marginal & !bit })
    }

    /// Takes the strings without a liberty.
    fn take(&self, state: State) -> State {
        let mut next = state;
        let mut left = state.stones;
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
        let mut part = seed;
        loop {
            let grown = part | (self.around(part) & within);
            if grown == part {
                return part;
            }
            part = grown;
        }
    }

    /// All neighbours of a set.
    fn around(&self, set: u16) -> u16 {
        bits(set).fold(0, |acc, v| acc | self.neighbours[v])
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

#[cfg(test)]
mod tests {
    use super::*;

    fn value(picture: &str) -> String {
        let graph = EyeGraph::from_picture(picture).expect("small");
        EyeSolver::default().solve(&graph).value.to_string()
    }

    #[test]
    fn well_known_shapes_have_their_textbook_values() {
        // Picture, eyes if the attacker and if the defender moves first.
        let cases = [
            (".", "11", "a single point"),
            ("!", "00", "a false eye"),
            ("!.", "01", "a half eye"),
            ("..", "11", "two in a row"),
            ("...", "12", "straight three"),
            ("..\n.", "12", "bent three"),
            ("....", "22", "straight four"),
            ("..\n..", "11", "square four"),
            (" .\n...", "12", "pyramid four"),
            ("..\n .\n .", "22", "bent four"),
            (" ..\n..", "22", "zigzag four"),
            ("..\n...", "12", "bulky five"),
            (" .\n...\n .", "12", "crossed five"),
            (".....", "22", "straight five"),
            (" ..\n...\n .", "12", "rabbity six"),
            ("...\n...", "22", "rectangular six"),
            ("X.X", "22", "two captures"),
            ("X", "11", "a stone whose last liberty is a false margin"),
            ("XXX", "11", "three such stones: the centre is retaken"),
            ("XXXX", "22", "four such stones in a row"),
            ("XX\nXX", "11", "four such stones in a square"),
            (".X.", "11", "straight three with its centre taken"),
            (".!.", "02", "the chimera"),
            ("!....", "12", "line with an open end"),
            ("!\n...\n...!", "11", "the manual's worked example"),
            ("  !\n .X\n!...", "11", "the manual's analysed graph"),
        ];
        for (picture, expected, name) in cases {
            let found = value(picture);
            assert_eq!(&found[1..3], expected, "{name}: {found}\n{picture}");
        }
    }

    #[test]
    fn threats_count_one_extra_move() {
        assert_eq!(value("!."), "0011");
        assert_eq!(value("...."), "1222");
        assert_eq!(value("!.."), "0111");
        assert_eq!(value("  !\n .X\n!..."), "0112");
    }

    #[test]
    fn the_centre_is_the_vital_point_of_three_in_a_row() {
        let graph = EyeGraph::from_picture("...").expect("small");
        let found = EyeSolver::default().solve(&graph);
        assert_eq!((found.attack_points, found.defence_points), (0b010, 0b010));
    }

    #[test]
    fn isomorphic_graphs_are_the_same_game() {
        assert_eq!(value(" ..\n.."), value("...."));
        assert_eq!(value("!.\n ..."), value("!...."));
    }

    #[test]
    fn a_stone_afloat_among_the_attackers_is_no_move() {
        // Four points in a row, the second and the fourth taken: filling the third makes two eyes of what is left, unless
        // nothing holds the filling stone.
        let mut graph = EyeGraph::from_picture(".X.X").expect("small");
        let held = EyeSolver::default().solve(&graph).value;
        graph.afloat = 0b0100;
        let afloat = EyeSolver::default().solve(&graph).value;
        assert!(afloat.c <= held.c, "{held} {afloat}");
        let mut game = EyeGraph::from_picture("X.X").expect("small");
        game.afloat = 0b010;
        let memo = &mut MixMap::default();
        let rules = Game { neighbours: &game.neighbours, afloat: game.afloat, memo, left: 9, caught: 0 };
        let state = State { space: 0b111, stones: 0b101, marginal: 0 };
        assert!(rules.play(state, 1, true).is_some(), "it captures both sides");
        let blocked = State { space: 0b111, stones: 0b101, marginal: 0b100 };
        assert!(rules.play(blocked, 1, true).is_some(), "one capture is enough");
    }
}
