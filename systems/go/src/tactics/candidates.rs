//! The moves that attacker and defender try in tactical reading, best first. Generators never evaluate a position; the
//! search does.
//!
//! # Notation
//! The *target* is the string in question. A *liberty of order two* is an empty vertex next to a liberty. A
//! *surrounding* string is an attacker's string that touches the target. A *friend* is a string of the owner that
//! touches a liberty of the target.

use super::ATTACKABLE;
use super::node::Node;
use crate::board::{Board, Color, SmallList, Vertex};
use crate::effort::Limits;

/// The moves to generate first, and those to generate only if the first were not enough.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Liberties of the target.
    Near,
    /// All other moves: the attacker has a limited number of them in a line ([`Limits::far_moves`]).
    Far,
}

/// The kind of moves to generate.
#[derive(Clone, Copy)]
pub(super) struct ReadingTask {
    pub(super) target: Vertex,
    pub(super) owner: Color,
    pub(super) order: u8,
    pub(super) node: Node,
    /// Whether it is the attacker who moves.
    pub(super) attacking: bool,
}

/// The effects of a stone on each liberty of the target. They hold while no stone is put or taken.
#[derive(Clone, Copy, Default)]
pub(super) struct Gains {
    list: SmallList<Gain, MOST_GAINS>,
    /// Whether the scores are known.
    scored: bool,
}

/// The effects of a stone on a liberty of the target.
#[derive(Clone, Copy, Default, PartialEq)]
struct Gain {
    at: Vertex,
    /// The liberties of the target after the owner's stone.
    liberties: u16,
    /// Whether the owner's stone takes something.
    takes: bool,
    /// How early the attacker tries it.
    score: i16,
}

/// The most liberties of a target that is still read.
///
/// Origin: definition, the most liberties that an attack is read against.
const MOST_GAINS: usize = ATTACKABLE[0];

/// Gains of positions met lately: a position is read for several orders, and after other moves. By stones and target.
#[derive(Clone, Default)]
pub(super) struct KnownGains(Vec<(u64, Gains)>);

/// The most stored positions.
///
/// Origin: definition, a capacity: no answer depends on it.
const MOST_KNOWN: usize = 512;

impl KnownGains {
    fn key(board: &Board, target: Vertex) -> u64 {
        let place = u64::from(board.origin(target).0) << 8 | board.size() as u64;
        // Gains that another question found would hide looks from the watch of this one.
        let salt = place ^ board.watch_id() << 32;
        board.hash() ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The gains for a target, stored or new.
    pub(super) fn of(&mut self, board: &Board, target: Vertex, owner: Color) -> Gains {
        let key = Self::key(board, target);
        match self.0.get(key as usize % MOST_KNOWN) {
            Some(&(known, gains)) if known == key => gains,
            _ => {
                let gains = Gains::new(board, target, owner);
                self.keep(board, target, gains);
                gains
            }
        }
    }

    /// These are known from now on.
    pub(super) fn keep(&mut self, board: &Board, target: Vertex, gains: Gains) {
        if self.0.is_empty() {
            self.0.resize(MOST_KNOWN, (0, Gains::default()));
        }
        let key = Self::key(board, target);
        self.0[key as usize % MOST_KNOWN] = (key, gains);
    }
}

impl Gains {
    pub(super) fn new(board: &Board, target: Vertex, owner: Color) -> Self {
        let mut list = SmallList::default();
        for at in board.liberty_vertices(target).take(MOST_GAINS) {
            let (liberties, takes) = board.after(owner, at);
            list.push(Gain { at, liberties: liberties as u16, takes, score: 0 });
        }
        Self { list, scored: false }
    }

    /// Finds out how early the attacker tries each; false where that was known.
    pub(super) fn score(&mut self, board: &Board, owner: Color) -> bool {
        if self.scored {
            return false;
        }
        for gain in self.list.iter_mut() {
            let safe = match board.after(owner.other(), gain.at) {
                (_, true) => ORDER.takes,
                (0..=1, _) => ORDER.in_atari,
                (own, _) => (own as i16).min(ORDER.safe),
            };
            let gained = (gain.liberties as i16).min(ORDER.liberty_gains);
            gain.score = ORDER.liberty + ORDER.liberty_gain * gained + safe;
        }
        self.scored = true;
        true
    }

    /// The liberties of the target after the owner's stone at `x`.
    #[inline]
    fn at(&self, board: &Board, owner: Color, x: Vertex) -> usize {
        let known = self.list.iter().find(|g| g.at == x);
        known.map_or_else(|| board.liberties_after(owner, x), |g| usize::from(g.liberties))
    }

    /// A liberty where the owner gets more than `most`, if he may play there.
    pub(super) fn extension(&self, board: &Board, owner: Color, most: usize) -> Option<Vertex> {
        let mut list = self.list.iter();
        list.find(|g| usize::from(g.liberties) > most && board.is_legal(owner, g.at)).map(|g| g.at)
    }

    /// The number of replies that leave the target more than `most` liberties after any attacker's move except that
    /// reply itself. One liberty more is enough, because a stone removes one liberty.
    pub(super) fn ways_out(&self, most: usize) -> usize {
        self.list.iter().filter(|g| usize::from(g.liberties) > most + 1 && !g.takes).count()
    }

    /// Whether the owner's reply to a stone at `x` leaves the target more than `most` liberties.
    pub(super) fn outruns(&self, board: &Board, owner: Color, x: Vertex, most: usize) -> bool {
        self.list.iter().any(|g| {
            g.at != x
                && usize::from(g.liberties) > most
                && !g.takes
                && (usize::from(g.liberties) > most + 1 || !is_liberty_after(board, owner, g.at, x))
        })
    }
}

/// Whether `x` would be a liberty of the string of a stone at `y`.
fn is_liberty_after(board: &Board, owner: Color, y: Vertex, x: Vertex) -> bool {
    board.around(y).contains(&x) || board.strings_next_to(y, owner).any(|s| board.is_liberty(x, s))
}

/// A move to try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Candidate {
    v: Vertex,
    /// Higher is tried earlier; ties in vertex order.
    score: i16,
}

impl Candidate {
    /// Moves that are tried earlier have a higher one.
    #[inline]
    fn rank(self) -> i32 {
        i32::from(self.score) << 16 | i32::from(!self.v.0)
    }
}

/// The most moves of a list.
///
/// Origin: own choice, unmeasured.
const MOST: usize = 40;

/// How early a move is tried that clears the way for an atari.
///
/// Origin: ablation, `experiments/2026-11-27-go-rules-without-effect.md`: moves that clear the way for an atari.
const CLEAR: i16 = 3;
/// The most liberties of a string that is taken for that.
///
/// Origin: ablation, `experiments/2026-11-27-go-rules-without-effect.md`: moves that clear the way for an atari.
const CLEAR_LIBERTIES: usize = 2;

/// How early moves are tried, and the liberties up to which strings have a part in a reading.
struct Order {
    /// The attacker's move on a liberty, and more for each liberty that the owner would get there, up to a number.
    liberty: i16,
    liberty_gain: i16,
    liberty_gains: i16,
    /// More if the attacker's stone takes something, less if it is in atari, else more for its liberties up to a number.
    takes: i16,
    in_atari: i16,
    safe: i16,
    /// The move that carries out the threat.
    threat: i16,
    /// A move that gives a later stone its liberties, directly, or by a string with at most this many liberties.
    backfill: i16,
    backfill_string: i16,
    backfill_liberties: usize,
    /// The rescue of a surrounding string with one liberty, and with two.
    surrounding: [i16; 2],
    /// The capture of a string that endangers it, and a move against one with up to this many liberties.
    endangers: [i16; 2],
    /// The most liberties of such a string, near the root and deeper.
    endangers_liberties: [usize; 2],
    /// A net, for each liberty beside it, with friends around up to a number, and for each of the other side's stones.
    net_liberty: i16,
    net_friends: i16,
    net_stone: i16,
    /// The attacker's moves against friends of the target with at most this many liberties, near the root and deeper.
    attacked_friends: [usize; 2],
    /// The owner's move on a liberty, and for each liberty that he gets there, up to a number.
    extension: i16,
    extension_gain: i16,
    extension_gains: i16,
    /// The capture of a surrounding string, and for each of its stones up to a number.
    capture: i16,
    capture_stones: usize,
    /// The most liberties of a surrounding string that is raced with near the root, and deeper.
    race: usize,
    race_deep: usize,
    /// A move against a surrounding string with two liberties, with more, and less if the stone is in atari.
    chain: [i16; 2],
    chain_in_atari: i16,
    /// The most liberties of a surrounding string whose holders are helped, and of such a holder, near the root and deeper.
    held_liberties: usize,
    holder_liberties: [usize; 2],
    /// The rescue of a holder, the capture and the attack of what endangers it, and less if it is not in atari.
    holder: i16,
    holder_capture: i16,
    holder_attack: i16,
    holder_quiet: i16,
    /// The most liberties of a friend that the owner helps, near the root and deeper.
    helped_friends: [usize; 2],
    /// A liberty of a friend, and less for each liberty of it.
    friend: i16,
    friend_liberty: i16,
    /// The capture of a string that endangers a friend, a move against one, and the most liberties of such a string.
    friend_capture: i16,
    friend_attack: i16,
    friend_liberties: usize,
}

/// The order in use.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `order`.
const ORDER: Order = Order {
    liberty: 40,
    liberty_gain: 4,
    liberty_gains: 8,
    takes: 6,
    in_atari: -8,
    safe: 4,
    threat: 35,
    backfill: 25,
    backfill_string: 24,
    backfill_liberties: 2,
    surrounding: [35, 15],
    endangers: [38, 5],
    endangers_liberties: [3, 1],
    net_liberty: 8,
    net_friends: 3,
    net_stone: 2,
    attacked_friends: [4, 3],
    extension: 30,
    extension_gain: 4,
    extension_gains: 9,
    capture: 60,
    capture_stones: 9,
    race: 4,
    race_deep: 2,
    chain: [22, 10],
    chain_in_atari: 15,
    held_liberties: 3,
    holder_liberties: [2, 1],
    holder: 20,
    holder_capture: 25,
    holder_attack: 3,
    holder_quiet: 15,
    helped_friends: [4, 2],
    friend: 20,
    friend_liberty: 4,
    friend_capture: 30,
    friend_attack: 2,
    friend_liberties: 3,
};

/// A short list of moves, each vertex once.
#[derive(Default)]
pub(super) struct Moves {
    list: SmallList<Candidate, MOST>,
    /// The number of moves at the start of the list that were given out.
    taken: usize,
}

impl Moves {
    fn add(&mut self, v: Vertex, score: i16) {
        match self.list.iter_mut().find(|c| c.v == v) {
            Some(old) => old.score = old.score.max(score),
            None => self.list.push(Candidate { v, score }),
        }
    }

    /// All liberties of a string.
    fn add_liberties(&mut self, board: &Board, string: Vertex, score: i16) {
        board.liberty_vertices(string).for_each(|v| self.add(v, score));
    }

    /// Tries this one before all others, if it is in the list.
    pub(super) fn prefer(&mut self, v: Vertex) {
        if let Some(found) = self.list[self.taken..].iter_mut().find(|c| c.v == v) {
            found.score = i16::MAX;
        }
    }

    /// The best move not handed out yet.
    pub(super) fn take_best(&mut self) -> Option<Vertex> {
        let rest = &self.list[self.taken..];
        let best = (0..rest.len()).max_by_key(|&i| rest[i].rank())?;
        self.list.swap(self.taken, self.taken + best);
        self.taken += 1;
        Some(self.list[self.taken - 1].v)
    }

    /// The attacker's moves of this order; the gains must have their scores.
    pub(super) fn attack(
        &mut self,
        board: &Board,
        asked: ReadingTask,
        gains: &Gains,
        limits: &Limits,
        stage: Stage,
    ) {
        let ReadingTask { target, owner, order, node: Node { depth, .. }, .. } = asked;
        let attacker = owner.other();
        if stage == Stage::Near {
            for gain in gains.list.iter() {
                self.list.push(Candidate { v: gain.at, score: gain.score });
            }
            return;
        }
        // What is no liberty leaves the target as many as it has.
        let distant = order > 1 && board.liberties(target) <= (order as usize).min(3);
        if distant && depth <= limits.backfill_depth {
            for x in board.liberty_vertices(target) {
                if board.liberties_after(attacker, x) <= 1 {
                    self.backfill(board, target, attacker, x);
                }
            }
            self.save_surrounding(board, target, attacker, depth, limits);
        }
        if distant && depth <= limits.wide_depth {
            self.second_order(board, target, owner.other());
            self.friends(
                board,
                target,
                owner,
                ORDER.attacked_friends[usize::from(depth > limits.prepare_depth)],
                false,
            );
        }
    }

    /// Adds a vertex, if it can be played.
    pub(super) fn also(&mut self, board: &Board, v: Vertex) {
        if board.is_empty(v) {
            self.add(v, ORDER.threat);
        }
    }

    /// A liberty at `x` is self-atari: first play where the stone at `x` would get its liberties.
    fn backfill(&mut self, board: &Board, target: Vertex, attacker: Color, x: Vertex) {
        for n in board.neighbors4(x) {
            if board.is_empty(n) && !board.is_liberty(n, target) {
                self.add(n, ORDER.backfill);
            } else if board.color_at(n) == Some(attacker) && board.liberties(n) <= ORDER.backfill_liberties {
                for y in board.liberty_vertices(n).filter(|&y| y != x && !board.is_liberty(y, target)) {
                    self.add(y, ORDER.backfill_string);
                }
            }
        }
    }

    /// Surrounding strings in danger: extend them, or take what endangers them.
    fn save_surrounding(
        &mut self,
        board: &Board,
        target: Vertex,
        attacker: Color,
        depth: u16,
        limits: &Limits,
    ) {
        board.each_adjacent(target, |c| {
            let liberties = board.liberties(c);
            if liberties > 2 || (liberties == 2 && depth > limits.prepare_depth) {
                return;
            }
            for x in board.liberty_vertices(c) {
                if board.liberties_after(attacker, x) > 1 {
                    self.add(x, ORDER.surrounding[usize::from(liberties != 1)]);
                }
            }
            board.each_adjacent(c, |d| {
                let reach = ORDER.endangers_liberties[usize::from(depth > limits.prepare_depth)];
                if board.liberties(d) <= reach && !board.same_string(d, target) {
                    self.add_liberties(board, d, ORDER.endangers[usize::from(board.liberties(d) != 1)]);
                }
            });
        });
    }

    /// Nets and distant blocks: liberties of order two, those next to two liberties first, and vertices beside stones
    /// of `color`. A net that removes more liberties from the target is better.
    fn second_order(&mut self, board: &Board, target: Vertex, color: Color) {
        let net = board.color_at(target) != Some(color);
        for x in board.liberty_vertices(target) {
            for y in board.neighbors4(x).filter(|&y| board.is_empty(y) && !board.is_liberty(y, target)) {
                let near = board.neighbors4(y).filter(|&z| board.is_liberty(z, target)).count() as i16;
                let helps = stones(board, board.neighbors8(y), color);
                let hurts =
                    if net { ORDER.net_stone * stones(board, board.neighbors4(y), color.other()) } else { 0 };
                self.add(y, ORDER.net_liberty * near + helps.min(ORDER.net_friends) + hurts);
            }
        }
    }

    /// The owner's moves.
    pub(super) fn defend(
        &mut self,
        board: &Board,
        asked: ReadingTask,
        gains: &Gains,
        limits: &Limits,
        stage: Stage,
    ) {
        let ReadingTask { target, owner, order, node: Node { depth, .. }, .. } = asked;
        let count = board.liberties(target);
        if stage == Stage::Near {
            for x in board.liberty_vertices(target) {
                let after = gains.at(board, owner, x) as i16;
                // With one liberty it would be taken at once.
                if after > 1 {
                    self.add(x, ORDER.extension + ORDER.extension_gain * after.min(ORDER.extension_gains));
                }
            }
            board.each_adjacent(target, |c| {
                if board.liberties(c) == 1 {
                    self.add_liberties(
                        board,
                        c,
                        ORDER.capture + board.string_size(c).min(ORDER.capture_stones) as i16,
                    );
                }
            });
            return;
        }
        // In atari only a lone stone has time for more: it can perhaps be taken back.
        if count == 1 && board.string_size(target) > 1 {
            return;
        }
        if order > 1 {
            if count > 1 {
                // The first moves may begin a race from further behind.
                let most = match depth {
                    0..=1 => ORDER.race,
                    _ if depth <= limits.race_depth => ORDER.race.min(count + 1),
                    _ => ORDER.race_deep,
                };
                self.break_chain(board, target, owner, most);
            }
            if depth <= limits.chain_depth {
                let most = ORDER.holder_liberties[usize::from(depth + 2 > limits.chain_depth)];
                self.save_holders(board, target, owner, most);
            }
            if depth <= limits.friends_depth {
                self.friends(
                    board,
                    target,
                    owner,
                    ORDER.helped_friends[usize::from(depth > limits.race_depth)],
                    true,
                );
            }
        }
        if order > 1 || count == 1 {
            self.second_order(board, target, owner);
        }
    }

    /// Surrounding strings of two liberties, which can be put in atari, to this many, which can be outrun in a race.
    fn break_chain(&mut self, board: &Board, target: Vertex, owner: Color, most: usize) {
        board.each_adjacent(target, |c| {
            let liberties = board.liberties(c);
            if liberties == 1 || liberties > most {
                return;
            }
            for x in board.liberty_vertices(c) {
                let safe = board.liberties_after(owner, x) > 1;
                let score = ORDER.chain[usize::from(liberties != 2)];
                self.add(x, if safe { score } else { score - ORDER.chain_in_atari });
                if !safe {
                    self.clear_the_way(board, owner, x);
                }
            }
        });
    }

    /// A stone at `x` would be captured at once: first play where it gets liberties, or capture a string beside it.
    fn clear_the_way(&mut self, board: &Board, color: Color, x: Vertex) {
        for n in board.neighbors4(x) {
            if board.is_empty(n) {
                self.add(n, CLEAR);
            } else if board.color_at(n) == Some(color.other()) && board.liberties(n) <= CLEAR_LIBERTIES {
                for y in board.liberty_vertices(n).filter(|&y| y != x) {
                    self.add(y, CLEAR);
                }
            }
        }
    }

    /// Own strings of at most this many liberties that hold a surrounding string: taken, they would set it free. They
    /// are extended, or what endangers them is taken or attacked.
    fn save_holders(&mut self, board: &Board, target: Vertex, owner: Color, most: usize) {
        board.each_adjacent(target, |c| {
            if board.liberties(c) > ORDER.held_liberties {
                return;
            }
            board.each_adjacent(c, |g| {
                if board.liberties(g) > most || board.same_string(g, target) {
                    return;
                }
                let quiet = if board.liberties(g) > 1 { ORDER.holder_quiet } else { 0 };
                for x in board.liberty_vertices(g) {
                    if board.liberties_after(owner, x) > 1 {
                        self.add(x, ORDER.holder - quiet);
                    }
                }
                board.each_adjacent(g, |d| {
                    if board.liberties(d) <= most {
                        self.add_liberties(
                            board,
                            d,
                            if board.liberties(d) > 1 {
                                ORDER.holder_attack
                            } else {
                                ORDER.holder_capture - quiet
                            },
                        );
                    }
                });
            });
        });
    }

    /// Friends of at most `most` liberties: taking them takes away the way out. The target may want to join them. A
    /// threat to them is a threat to the target.
    fn friends(&mut self, board: &Board, target: Vertex, owner: Color, most: usize, help: bool) {
        let is_one = |f: &Vertex| !board.same_string(*f, target) && board.liberties(*f) <= most;
        for f in board.liberty_vertices(target).flat_map(|x| board.strings_next_to(x, owner)).filter(is_one) {
            self.add_liberties(board, f, ORDER.friend - ORDER.friend_liberty * board.liberties(f) as i16);
            if help {
                board.each_adjacent(f, |c| {
                    if board.liberties(c) <= ORDER.friend_liberties {
                        self.add_liberties(
                            board,
                            c,
                            if board.liberties(c) == 1 { ORDER.friend_capture } else { ORDER.friend_attack },
                        );
                    }
                });
            }
        }
    }
}

/// The number of these vertices that hold stones of a colour.
fn stones(board: &Board, vertices: impl Iterator<Item = Vertex>, color: Color) -> i16 {
    vertices.filter(|&z| board.color_at(z) == Some(color)).count() as i16
}
