//! Random enclosed problems of life and death, and their answers by a plain search of all positions.
//!
//! # Notation
//! The *field* is an area that White's wall encloses. The wall has two eyes elsewhere, so it lives for any play. The
//! *group* is the set of all Black's stones at the start. It is dead once none of them is left.
//!
//! # Steps
//! 1. [`Problem::random`] lets an area in the corner, at the side or in the centre grow cell by cell. Some cells get
//!    stones. A problem has at most [`MOST_EMPTY`] empty cells.
//! 2. [`Problem::truth`] finds all positions that play in the field can reach, by the rules of the game. It solves them
//!    backwards from the positions in which the group is gone. Black may pass. White may not pass, and loses if he has
//!    no move.
//! 3. The question is asked three times, as in all reading: one side, neither side, or the other side may retake any ko
//!    at once. A line without end kills nobody.
//!
//! # Cost
//! About a hundred bytes and two microseconds for each position, of which there may be a million.

use std::collections::HashMap;
use tengen_go::Effort;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::owl::{LifeQuestion, LifeReader, LifeReading};
use tengen_go::tactics::Code;

/// The most empty cells of a field.
pub(crate) const MOST_EMPTY: usize = 12;

/// The size of the boards.
const SIZE: usize = 9;

/// Numbers by a linear congruence (D. Knuth, "The Art of Computer Programming", volume 2, MMIX).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Whether a side with this code succeeds where nobody may retake a ko at once.
pub(crate) fn succeeds(code: Code) -> bool {
    matches!(code, Code::Win | Code::KoA)
}

/// The codes of the attack and of the defence that the reader gives, in the terms of [`Problem::truth`]. `None` if a limit
/// ended a reading.
pub(crate) fn read(reader: &mut LifeReader, problem: &Problem) -> Option<[Code; 2]> {
    let mut alive = vec![false; problem.board.padded_len()];
    problem.wall.iter().for_each(|v| alive[v.at()] = true);
    let dead = vec![false; problem.board.padded_len()];
    let limits = Effort::default().question.life;
    let question = LifeQuestion::new(&problem.board, &problem.group, (&alive, &dead), limits);
    let (attack, defence) = reader.attack_and_defend(&question);
    let code = |found: LifeReading| if found.code.works() { found.code } else { Code::KoB };
    (attack.certain && defence.certain).then(|| [code(attack), code(defence)])
}

/// A problem.
pub(crate) struct Problem {
    /// The whole board: Black's group, and White's wall with its eyes.
    pub(crate) board: Board,
    /// Black's stones.
    pub(crate) group: Vec<Vertex>,
    /// The stones of White's string around the field. Some may stand in it.
    pub(crate) wall: Vec<Vertex>,
    /// The cells of the field.
    field: Vec<Vertex>,
}

/// A position of a field, in sets of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    black: u32,
    white: u32,
    /// The cell that ko forbids, as a set.
    ko: u32,
    black_moves: bool,
}

/// The field as a graph.
struct Graph {
    near: Vec<u32>,
    /// Cells beside the wall, whose stones of White's cannot be taken.
    beside_wall: u32,
    /// Whether Black and White may retake any ko at once.
    retakes: [bool; 2],
}

impl Problem {
    /// Step 1. `None` if the area drawn makes no problem.
    pub(crate) fn random(random: &mut Random) -> Option<Self> {
        let [row, col] = [[0, 0], [0, 4], [4, 4]][random.below(3)];
        let size = 6 + random.below(11);
        let mut field = vec![Vertex::new(row, col, SIZE)];
        let mut board = Board::new(SIZE);
        while field.len() < size {
            let from = field[random.below(field.len())];
            let ways: Vec<Vertex> = board.neighbors4(from).filter(|v| !field.contains(v)).collect();
            if let Some(&v) = ways.get(random.below(4)) {
                field.push(v);
            }
        }
        field.sort_unstable();
        // Two single eyes of the wall, in the corners away from the field.
        let eyes = [[8, 8], [8, 0]].map(|[row, col]| Vertex::new(row, col, SIZE));
        let clear = |eye: Vertex| !field.contains(&eye) && board.neighbors8(eye).all(|v| !field.contains(&v));
        if !eyes.into_iter().all(clear) {
            return None;
        }
        let outside: Vec<Vertex> =
            board.vertices().filter(|v| !field.contains(v) && !eyes.contains(v)).collect();
        for &v in &outside {
            board.place(Color::White, v).ok()?;
        }
        for &v in &field {
            match random.below(10) {
                0..=4 => board.place(Color::Black, v).ok()?,
                5 => board.place(Color::White, v).ok()?,
                _ => {}
            }
        }
        let group: Vec<Vertex> =
            field.iter().copied().filter(|v| board.color_at(*v) == Some(Color::Black)).collect();
        let empty = field.iter().filter(|v| board.is_empty(**v)).count();
        let breathe = board.vertices().all(|v| board.is_empty(v) || board.liberties(v) > 0);
        let one_wall = outside.iter().all(|v| board.origin(*v) == board.origin(outside[0]));
        let sensible = group.len() >= 3 && (3..=MOST_EMPTY).contains(&empty) && breathe && one_wall;
        let wall = board.stones(outside[0]).collect();
        sensible.then_some(Self { board, group, wall, field })
    }

    /// Steps 2 and 3: the codes of the attack and of the defence. [`Code::KoB`] stands for a ko as well as for none:
    /// the side that moves first fails if nobody may retake a ko at once. `None` if a search has more positions than this.
    pub(crate) fn truth(&self, most: usize) -> Option<[Code; 2]> {
        let bit = |v: Vertex| self.field.iter().position(|&cell| cell == v).map_or(0, |i| 1 << i);
        let set = |color| {
            let cells = self.field.iter().filter(|v| self.board.color_at(**v) == Some(color));
            cells.map(|&v| bit(v)).sum::<u32>()
        };
        let near = self.field.iter().map(|&v| self.board.neighbors4(v).map(bit).sum()).collect();
        let beside = |v: &&Vertex| self.board.neighbors4(**v).any(|n| !self.field.contains(&n));
        let mut graph = Graph {
            near,
            beside_wall: self.field.iter().filter(beside).map(|&v| bit(v)).sum(),
            retakes: [false; 2],
        };
        let (black, white) = (set(Color::Black), set(Color::White));
        let mut killed = |retakes| {
            graph.retakes = retakes;
            graph.solve(State { black, white, ko: 0, black_moves: false }, black, most)
        };
        let [hard_attack, _] = killed([true, false])?;
        let [attack, defence] = killed([false, false])?;
        let [_, hard_defence] = killed([false, true])?;
        let code = |hard: bool, plain: bool| match (hard, plain) {
            (true, _) => Code::Win,
            (false, true) => Code::KoA,
            (false, false) => Code::KoB,
        };
        Some([code(hard_attack, attack), code(!hard_defence, !defence)])
    }
}

impl Graph {
    /// The string of these stones among all of a colour, and the cells around it.
    fn string(&self, seed: u32, all: u32) -> (u32, u32) {
        let (mut string, mut around) = (seed, 0);
        loop {
            around =
                (0..self.near.len()).filter(|i| string >> i & 1 != 0).fold(around, |a, i| a | self.near[i]);
            let more = string | around & all;
            if more == string {
                return (string, around & !string);
            }
            string = more;
        }
    }

    /// The position after a move; `None` if the rules forbid it.
    fn play(&self, s: State, cell: usize) -> Option<State> {
        let bit = 1_u32 << cell;
        if (s.black | s.white) & bit != 0 || s.ko & bit != 0 {
            return None;
        }
        let (mut mine, theirs) = if s.black_moves { (s.black, s.white) } else { (s.white, s.black) };
        mine |= bit;
        let fixed = |string: u32, black: bool| !black && string & self.beside_wall != 0;
        let mut taken = 0;
        for next in (0..self.near.len()).filter(|i| (self.near[cell] & theirs) >> i & 1 != 0) {
            if taken >> next & 1 != 0 {
                continue;
            }
            let (string, around) = self.string(1 << next, theirs);
            if around & !(mine | theirs) == 0 && !fixed(string, !s.black_moves) {
                taken |= string;
            }
        }
        let theirs = theirs & !taken;
        let (string, around) = self.string(bit, mine);
        let liberties = around & !(mine | theirs);
        if liberties == 0 && !fixed(string, s.black_moves) {
            return None;
        }
        let is_ko =
            taken.count_ones() == 1 && string == bit && liberties == taken && !fixed(string, s.black_moves);
        let retakes = self.retakes[usize::from(s.black_moves)];
        let (black, white) = if s.black_moves { (mine, theirs) } else { (theirs, mine) };
        let ko = if is_ko && !retakes { taken } else { 0 };
        Some(State { black, white, ko, black_moves: !s.black_moves })
    }

    /// Whether the group dies with White to move and with Black to move.
    fn solve(&self, white_first: State, group: u32, most: usize) -> Option<[bool; 2]> {
        let mut number: HashMap<State, u32> = HashMap::new();
        let mut states = vec![white_first, State { black_moves: true, ..white_first }];
        for (i, &s) in states.iter().enumerate() {
            number.insert(s, i as u32);
        }
        // By position: those before it, and the number of those after it that are not known to be killed.
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); 2];
        let mut open = Vec::new();
        let mut won = Vec::new();
        let mut at = 0;
        while at < states.len() {
            let s = states[at];
            let mut after: Vec<State> = Vec::new();
            if s.black & group == 0 {
                won.push(at as u32);
            } else {
                after.extend((0..self.near.len()).filter_map(|cell| self.play(s, cell)));
                if s.black_moves {
                    after.push(State { ko: 0, black_moves: false, ..s });
                }
            }
            open.push(after.len() as u32);
            for next in after {
                let n = *number.entry(next).or_insert_with(|| {
                    states.push(next);
                    before.push(Vec::new());
                    states.len() as u32 - 1
                });
                before[n as usize].push(at as u32);
            }
            if states.len() > most {
                return None;
            }
            at += 1;
        }
        let mut killed = vec![false; states.len()];
        won.iter().for_each(|&at| killed[at as usize] = true);
        while let Some(at) = won.pop() {
            for &earlier in &before[at as usize] {
                let e = earlier as usize;
                open[e] -= 1;
                if !killed[e] && (!states[e].black_moves || open[e] == 0) {
                    killed[e] = true;
                    won.push(earlier);
                }
            }
        }
        Some([killed[0], killed[1]])
    }
}
