//! The arena: the part of the board around a dragon where the fight takes place.
//!
//! # Steps
//! 1. Find the distance of every vertex to the nearest attacking stone and to the nearest living friend.
//! 2. Walk from the goal outwards over empty vertices and friends, up to [`REACH`] steps. Crossing an attacking string
//!    with few liberties costs [`WEAK_COST`] steps. The walk ends behind the liberties of a safe attacker.
//! 3. The empty vertices from which the walk would go on form the *rim*. The arena is open there.
//! 4. Find the distances to the rim and to living friends. They give the directions in which the dragon can run.

use std::collections::VecDeque;

use super::watched::Sources;
use super::{Escape, Ground, Marks, WayOut};
use crate::board::{Board, Color, Vertex};
use crate::escape::distances_from;

/// The number of steps over empty vertices that the arena goes from the goal.
///
/// Origin: own choice, unmeasured.
const REACH: u8 = 5;

/// Steps it costs to look beyond an attacking string that might fall.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `weak`.
const WEAK_COST: u8 = 2;
/// The most liberties of an attacking string that might fall.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `weak`.
pub(crate) const WEAK_LIBERTIES: usize = 4;

/// An attacker's string with this many liberties counts as safe, for any status of its dragon. Filling its liberties
/// would be a capturing race, which is another question.
///
/// Origin: measured, commit b914525, together with six other changes.
const SAFE_LIBERTIES: usize = 5;

/// And this many if its dragon lives: a string of a living dragon may fall all the same.
///
/// Origin: measured, commit b914525, together with six other changes.
const ALIVE_LIBERTIES: usize = 3;

/// The known status of stones in the rest of the board. The default knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// Per padded cell: stones of dragons that live, of either colour.
    pub alive: Option<&'a [bool]>,
    /// Per padded cell: stones of dragons that are dead, of either colour.
    pub dead: Option<&'a [bool]>,
    /// Per padded cell: attacker's stones that must not be taken as safe (the other side of a capturing race).
    pub contested: Option<&'a [bool]>,
}

/// The vertices that matter, and the known facts about them.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    /// The owner of the dragon.
    pub(crate) color: Color,
    /// The dragon's stones.
    pub(crate) goal: Vec<Vertex>,
    /// The part of the board that it covers.
    pub(crate) ground: Ground,
    /// Per padded cell: attacker's stones that can't be captured.
    pub(crate) safe_foe: Marks,
    /// Per padded cell: attacker's stones that were found dead before the search.
    pub(crate) dead_foe: Marks,
    /// Per padded cell: friends that live and are not of the goal.
    pub(crate) safe_friend: Marks,
    /// For each vertex: the escape value of reaching it (0 to 4).
    pub(crate) escape: Escape,
    /// Steps over empty vertices to an open side of the arena or to a liberty of a living friend.
    pub(crate) out: WayOut,
}

fn flag(set: Option<&[bool]>, v: Vertex) -> bool {
    set.is_some_and(|set| set[v.at()])
}

impl Arena {
    /// The side to move: the attacker or the owner.
    pub(crate) const fn mover(&self, attacking: bool) -> Color {
        if attacking { self.color.other() } else { self.color }
    }

    /// The number of its empty vertices.
    pub(crate) fn room(&self, board: &Board) -> usize {
        self.ground.cells.iter().filter(|&&v| board.is_empty(v)).count()
    }

    /// The arena around a dragon.
    pub(crate) fn new(board: &Board, color: Color, goal: &[Vertex], known: &Surroundings<'_>) -> Self {
        let padded = board.padded_len();
        let foe = color.other();
        let columns = board.unwatched(|board| {
            let [mut safe_foe, mut dead_foe, mut safe_friend] = [(); 3].map(|()| vec![false; padded]);
            for v in board.vertices() {
                match board.color_at(v) {
                    Some(c) if c == foe => {
                        dead_foe[v.at()] = flag(known.dead, v);
                        safe_foe[v.at()] = !flag(known.dead, v)
                            && !flag(known.contested, v)
                            && board.liberties(v)
                                >= if flag(known.alive, v) { ALIVE_LIBERTIES } else { SAFE_LIBERTIES };
                    }
                    Some(_) => safe_friend[v.at()] = flag(known.alive, v) && !goal.contains(&v),
                    None => {}
                }
            }
            [safe_foe, dead_foe, safe_friend]
        });
        let [safe_foe, dead_foe, safe_friend] = columns.map(|marks| Marks::new(board, marks));
        let empty = || board.empty_unwatched();
        let mut arena = Self {
            color,
            goal: goal.to_vec(),
            ground: Ground { cells: Vec::new(), inside: vec![false; padded], rim: vec![false; padded] },
            safe_foe,
            dead_foe,
            safe_friend,
            escape: board.unwatched(|board| escape_values(board, color, goal, known)),
            out: WayOut::new(board, Vec::new(), empty),
        };
        arena.spread(board);
        let friendly = |v: Vertex| board.neighbors4(v).any(|n| arena.safe_friend[n.at()]);
        let open = |&&v: &&Vertex| arena.ground.rim[v.at()] || board.is_empty(v) && friendly(v);
        let open = board.marks(arena.ground.cells.iter().filter(open).copied());
        let steps = board.unwatched(|board| distances(board, |v| open[v.at()]));
        arena.out = WayOut::new(board, steps, empty);
        arena
    }

    /// Steps 2 and 3.
    fn spread(&mut self, board: &Board) {
        let mut distance = vec![u8::MAX; board.padded_len()];
        let mut queue = VecDeque::new();
        for &v in &self.goal {
            distance[v.at()] = 0;
            queue.push_back(v);
        }
        while let Some(v) = queue.pop_front() {
            let d = distance[v.at()];
            self.ground.inside[v.at()] = true;
            if self.safe_foe[v.at()] || self.safe_friend[v.at()] {
                continue;
            }
            let empty = board.is_empty(v);
            let foe = Some(self.color.other());
            let blocked = empty && d >= 2 && board.neighbors4(v).any(|n| board.color_at(n) == foe);
            if board.color_at(v) == foe && board.liberties(v) > WEAK_LIBERTIES {
                continue;
            }
            if blocked || d >= REACH {
                let open = board.neighbors4(v).any(|n| board.is_empty(n) && distance[n.at()] == u8::MAX);
                self.ground.rim[v.at()] = empty && open && !blocked;
                // Stones next to the border still matter for domains.
                for n in board.neighbors4(v) {
                    if board.color_at(n).is_some() && distance[n.at()] == u8::MAX {
                        self.ground.inside[n.at()] = true;
                    }
                }
                continue;
            }
            for n in board.neighbors4(v) {
                let step = match board.color_at(n) {
                    None => 1,
                    Some(c) if Some(c) == foe && board.color_at(v) != foe => WEAK_COST,
                    Some(_) if empty && d > 0 && !self.goal.contains(&n) => 1,
                    Some(_) => 0,
                };
                if distance[n.at()] > d + step {
                    distance[n.at()] = d + step;
                    let later = queue.iter().position(|q| distance[q.at()] > d + step);
                    queue.insert(later.unwrap_or(queue.len()), n);
                }
            }
        }
        self.ground.cells = board.vertices().filter(|v| self.ground.inside[v.at()]).collect();
    }
}

/// Escape values of a vertex: the friend is much nearer, nearer, neither is near, the attacker is nearer.
///
/// Origin: manual, "Escape": values between 0 and 4.
const ESCAPE: [u8; 4] = [4, 2, 1, 0];

/// The most steps to the friend for the first and for the second of the [`ESCAPE`] values.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `running`.
const FRIEND_STEPS: [u8; 2] = [4, 5];

/// The least steps to the attacker for the third of the [`ESCAPE`] values: alone, and if the friend is as near.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `running`.
const FOE_STEPS: [u8; 2] = [4, 2];

/// Steps to a stone where there is none.
///
/// Origin: definition, stands for no way.
const NOWHERE: u8 = 100;

/// Step 1: escape values after the manual's scale, from distances instead of influence.
fn escape_values(board: &Board, color: Color, goal: &[Vertex], known: &Surroundings<'_>) -> Escape {
    let is_foe = |v: Vertex| board.color_at(v) == Some(color.other()) && !flag(known.dead, v);
    let is_friend = |v: Vertex| {
        let lives = known.alive.map_or(!flag(known.dead, v), |alive| alive[v.at()]);
        board.color_at(v) == Some(color) && !goal.contains(&v) && lives
    };
    let (to_foe, to_friend) = (distances(board, is_foe), distances(board, is_friend));
    let mut values = vec![0; board.padded_len()];
    for v in board.vertices().filter(|&v| board.is_empty(v)) {
        let (f, d) = (to_friend[v.at()], to_foe[v.at()]);
        values[v.at()] = if f + 1 < d && f <= FRIEND_STEPS[0] {
            ESCAPE[0]
        } else if f < d && f <= FRIEND_STEPS[1] {
            ESCAPE[1]
        } else if d >= FOE_STEPS[0] || (f == d && d >= FOE_STEPS[1]) {
            ESCAPE[2]
        } else {
            ESCAPE[3]
        };
    }
    Escape::new(board, values, || Sources {
        empty: board.empty_unwatched(),
        foes: board.vertices().filter(|&v| is_foe(v)).collect(),
        friends: board.vertices().filter(|&v| is_friend(v)).collect(),
    })
}

/// Steps over empty vertices to the nearest source, [`NOWHERE`] if there is none.
fn distances(board: &Board, source: impl Fn(Vertex) -> bool) -> Vec<u8> {
    let steps = distances_from(board, source, |_| true);
    steps.into_iter().map(|d| u8::try_from(d).unwrap_or(NOWHERE).min(NOWHERE)).collect()
}
