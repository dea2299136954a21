//! One of the many games of a vector environment.

use super::{PLANES, Saved, Settings};
use crate::board::{Color, Vertex, zobrist};
use crate::playout::board::{CELLS, EMPTY, PlayoutBoard, WALL, cell};
use tengen_core::derive_seed;

/// A game, and what its rules must know of its past.
#[derive(Clone)]
pub(super) struct Lane {
    board: PlayoutBoard,
    superko: bool,
    /// 1 Black, 2 White.
    color: u8,
    /// The actions played.
    moves: Vec<u16>,
    /// Whether the side that was to move made an illegal one and lost.
    pub(super) forfeited: bool,
    /// The key of the stones, and the keys of all positions before; only under superko.
    hash: u64,
    before: Vec<u64>,
    /// Whether a stone was ever taken: before that no position can come up again.
    taken: bool,
    pub(super) seed: u64,
    pub(super) drawn: u64,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome {
    /// Whether it was cut off.
    pub(super) truncated: bool,
    /// White's points less Black's; 0 if it was not counted.
    pub(super) lead: f32,
    /// 0 Black, 1 White.
    pub(super) winner: Option<usize>,
}

/// The key of a stone of this code.
fn key(color: u8, v: usize) -> u64 {
    zobrist::stone(if color == 1 { Color::Black } else { Color::White }, cell(v))
}

impl Lane {
    pub(super) fn new(size: usize, superko: bool, seed: u64) -> Self {
        Self {
            board: PlayoutBoard::new(size),
            superko,
            color: 1,
            moves: Vec::new(),
            forfeited: false,
            hash: 0,
            before: Vec::new(),
            taken: false,
            seed,
            drawn: 0,
        }
    }

    /// Starts again; the random numbers go on.
    pub(super) fn start(&mut self, empty: &Self) {
        self.board.clone_from(&empty.board);
        self.color = 1;
        self.moves.clear();
        self.before.clear();
        (self.forfeited, self.hash, self.taken) = (false, 0, false);
    }

    pub(super) fn saved(&self) -> Saved {
        Saved { moves: self.moves.clone(), forfeited: self.forfeited, drawn: self.drawn }
    }

    fn vertices(&self) -> usize {
        self.board.size() * self.board.size()
    }

    /// Who is to move: 0 Black, 1 White.
    pub(super) fn turn(&self) -> i32 {
        i32::from(self.color) - 1
    }

    pub(super) fn role(&self) -> &'static str {
        ["black", "white"][self.turn() as usize]
    }

    /// Whether the side to move may take this action, in a game that is not over.
    pub(super) fn is_legal(&self, action: usize) -> bool {
        let vertices = self.vertices();
        if action >= vertices {
            return action == vertices;
        }
        let v = Vertex::from_index(action, self.board.size()).at();
        self.board.color[v] == EMPTY && self.may_play(v)
    }

    /// Whether the side to move may play on the empty vertex.
    #[inline]
    fn may_play(&self, v: usize) -> bool {
        self.board.is_legal(v, self.color) && !(self.superko && self.taken && self.repeats(v))
    }

    /// Whether the stones after a move were on the board before.
    fn repeats(&self, v: usize) -> bool {
        self.before.contains(&self.hash_after(v))
    }

    /// The key of the stones after a move of the side to move.
    fn hash_after(&self, v: usize) -> u64 {
        let mut hash = self.hash ^ key(self.color, v);
        let enemy = 3 - self.color;
        let mut heads = [0; 4];
        for (i, n) in self.board.neighbours(v).into_iter().enumerate() {
            if self.board.color[n] == enemy && self.board.liberty_count(n) == 1 {
                let head = self.board.head(n);
                if !heads.contains(&head) {
                    heads[i] = head;
                    self.board.for_each_stone(n, |stone| hash ^= key(enemy, stone));
                }
            }
        }
        hash
    }

    /// Takes a legal action.
    pub(super) fn play(&mut self, action: usize) {
        self.moves.push(action as u16);
        if action == self.vertices() {
            self.board.pass();
        } else {
            let v = Vertex::from_index(action, self.board.size()).at();
            if self.superko {
                self.before.push(self.hash);
                self.hash = self.hash_after(v);
            }
            self.taken |= self.board.play(v, self.color) > 0;
        }
        self.color = 3 - self.color;
    }

    /// The end of the game, if it is over.
    pub(super) fn outcome(&self, settings: &Settings) -> Option<Outcome> {
        let turn = self.turn() as usize;
        if self.forfeited {
            return Some(Outcome { truncated: false, lead: 0.0, winner: Some(1 - turn) });
        }
        let pass = self.vertices() as u16;
        if let [.., a, b] = self.moves[..]
            && (a, b) == (pass, pass)
        {
            let lead = self.area() as f32 + settings.komi;
            let winner = (lead != 0.0).then_some(usize::from(lead > 0.0));
            return Some(Outcome { truncated: false, lead, winner });
        }
        let long = settings.max_moves > 0 && self.moves.len() >= settings.max_moves as usize;
        long.then_some(Outcome { truncated: true, lead: 0.0, winner: None })
    }

    /// White's area less Black's, all stones alive.
    fn area(&self) -> i32 {
        let (board, mut seen) = (&self.board, [false; CELLS]);
        let (mut points, mut region) = ([0, 0], Vec::new());
        for index in 0..self.vertices() {
            let start = Vertex::from_index(index, board.size()).at();
            match board.color[start] {
                EMPTY if !seen[start] => {}
                EMPTY => continue,
                color => {
                    points[usize::from(color) - 1] += 1;
                    continue;
                }
            }
            seen[start] = true;
            region.push(start);
            let (mut count, mut borders) = (0, [false; 2]);
            while let Some(v) = region.pop() {
                count += 1;
                for n in board.neighbours(v) {
                    match board.color[n] {
                        WALL => {}
                        EMPTY if seen[n] => {}
                        EMPTY => {
                            seen[n] = true;
                            region.push(n);
                        }
                        color => borders[usize::from(color) - 1] = true,
                    }
                }
            }
            match borders {
                [true, false] => points[0] += count,
                [false, true] => points[1] += count,
                _ => {}
            }
        }
        points[1] - points[0]
    }

    /// A legal action, all equally likely; a pass where the game is over.
    pub(super) fn sample(&mut self, settings: &Settings) -> usize {
        let pass = self.vertices();
        if self.outcome(settings).is_some() {
            return pass;
        }
        self.drawn += 1;
        let mut random = tengen_core::SplitMix64::new(derive_seed(self.seed, &[self.drawn]));
        let empty = self.board.empty_count();
        // A draw that is not legal is drawn again, so that the legal ones stay equally likely.
        loop {
            let drawn = random.below(empty as u32 + 1) as usize;
            if drawn == empty {
                return pass;
            }
            let v = self.board.empty(drawn);
            if self.may_play(v) {
                return cell(v).index(self.board.size());
            }
        }
    }

    /// Writes the legal actions, none where the game is over, and the planes; an array of length 0 is left out.
    pub(super) fn show(&self, legal: &mut [u8], planes: &mut [u8], over: bool) {
        let (board, size, vertices) = (&self.board, self.board.size(), self.vertices());
        legal.fill(0);
        planes.fill(0);
        let writes_legal = !legal.is_empty();
        if writes_legal && !over {
            legal[vertices] = 1;
        }
        let writes_planes = planes.len() == PLANES * vertices;
        let mut index = 0;
        for row in 0..size {
            let first = Vertex::new(row, 0, size).at();
            for v in first..first + size {
                match board.color[v] {
                    EMPTY => {
                        let may = self.may_play(v);
                        if writes_legal && !over {
                            legal[index] = u8::from(may);
                        }
                        if writes_planes && !may {
                            planes[2 * vertices + index] = 1;
                        }
                    }
                    color if writes_planes => {
                        planes[usize::from(color != self.color) * vertices + index] = 1;
                        let liberties = usize::from(board.liberty_count(v)).clamp(1, 3);
                        planes[(2 + liberties) * vertices + index] = 1;
                    }
                    _ => {}
                }
                index += 1;
            }
        }
        if writes_planes {
            if let Some(last) = self.moves.last().filter(|&&last| usize::from(last) < vertices) {
                planes[6 * vertices + usize::from(*last)] = 1;
            }
            planes[7 * vertices..].fill(u8::from(self.color == 1));
        }
    }
}
