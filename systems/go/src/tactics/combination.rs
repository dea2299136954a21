//! Combination attacks: a sequence of threats after which a string falls that no single attack takes.
//!
//! # Source
//! GNU Go 3.8 manual, "Combination Attacks": "a sequence of ataris culminating in an unexpected change of status of
//! any opponent string". The search is our own.
//!
//! # Notation
//! A string is *safe* if no attack on it works in the position of the question. A *threat* is a move on a liberty of a
//! safe string, or *beside* one, after which an attack on it works. *Near* means at most three lines from a move of the
//! sequence, both vertically and horizontally.
//!
//! # Steps
//! 1. Find the opponent's safe strings, because a combination can win only these.
//! 2. For one threat, then two, up to [`MOST_THREATS`]: try each threat of the position. Threats on liberties come
//!    first. After the first threat, threats beside liberties follow, up to [`BESIDE_POSITIONS`] positions.
//! 3. For each threat, the opponent's replies are all moves found to save the threatened string without a ko. A remote
//!    reply counts only against the first threat if the node limit alone prevents its refutation. It then gets a
//!    thorough reading.
//! 4. The threat works if every reply leaves a safe string of enough worth that can be attacked, or a further working
//!    threat nearby. Two stones of safe strings are worth enough. One stone is worth enough if a single threat also
//!    threatens more stones.
//! 5. A result stands if a wider reading also calls the string safe. It does not stand if a single attack that
//!    captures something nearby already loses the string.
//!
//! # Departures
//! The shortest sequence is found first, so nothing has to be left out of it afterwards.
//!
//! # Invariants
//! Within one question, the reader's first answer about a position is kept. Nothing is kept from question to question.
//!
//! # Cost
//! One reading for each string, and a small tree of readings near each threat.

use super::ATTACKABLE;
use super::code::{Code, Reading};
use super::reader::Reader;
use crate::board::{Board, Color, Vertex, in_order};
use crate::effort::Limits;
use std::collections::{HashMap, HashSet};

/// The longest sequence of threats.
///
/// Origin: own choice, unmeasured.
const MOST_THREATS: usize = 4;
/// Positions looked at for threats beside liberties, in all.
///
/// Origin: measured, commit 92b7c79, together with four other changes.
const BESIDE_POSITIONS: u64 = 100_000;
/// The distance of the next threat, in lines.
///
/// Origin: own choice, unmeasured.
const NEAR: usize = 3;
/// The most liberties of a string that may fall.
///
/// Origin: definition, the most liberties that an attack is read against.
const MOST_LIBERTIES: usize = ATTACKABLE[0];
/// The most liberties of a string that a move may threaten.
///
/// Origin: definition, one liberty less than those of a string that may fall.
const MOST_THREATENED: usize = MOST_LIBERTIES - 1;

/// A combination that works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// The first threat.
    pub point: Vertex,
    /// Moves of one line of it, the attacker first.
    pub line: Vec<Vertex>,
    /// A stone of the string that falls in that line.
    pub target: Vertex,
}

/// A combination by which `color` takes something that is safe against any single attack. The reader should have
/// [`Limits::of_combinations`].
pub fn combination_attack(reader: &mut Reader, board: &mut Board, color: Color) -> Option<Combination> {
    reader.forget();
    // 1.
    let safe = safe_strings(reader, board, color.other());
    let mut search = Search {
        reader,
        thorough: Reader::new(Limits::single()),
        color,
        prizes: stones_of(board, &safe),
        safe,
        beside: false,
        until: u64::MAX,
        threatened: 0,
        played: Vec::new(),
        known: HashMap::new(),
        sound: HashMap::new(),
        failed: HashSet::new(),
    };
    let mut wide = Reader::default();
    let mut left = BESIDE_POSITIONS;
    // 2.
    for threats in 1..=MOST_THREATS {
        for beside in [false, true] {
            let begun = search.reader.total_nodes();
            search.beside = beside;
            search.until = if beside { begun + left } else { u64::MAX };
            while let Some(found) = search.attack(board, threats, Vertex::PASS) {
                // 5.
                if is_won_only_so(&mut wide, board, &found, &search.safe) {
                    return Some(found);
                }
                let string = board.origin(found.target);
                search.safe.retain(|&v| v != string);
                search.prizes = stones_of(board, &search.safe);
            }
            if beside {
                left = left.saturating_sub(search.reader.total_nodes() - begun);
            }
        }
    }
    None
}

/// The moves by which the opponent of `color` prevents a combination of `color`, among those it passes through.
pub fn combination_defend(reader: &mut Reader, board: &mut Board, color: Color) -> Vec<Vertex> {
    let Some(combination) = combination_attack(reader, board, color) else { return Vec::new() };
    let mut points = combination.line.clone();
    points.extend(board.liberty_vertices(combination.target));
    for &v in &combination.line {
        points.extend(board.neighbors4(v).filter(|&n| board.is_empty(n)));
    }
    let mut points = in_order(points);
    points.retain(|&v| {
        board.tried(color.other(), v, |board| combination_attack(reader, board, color)) == Some(None)
    });
    points
}

/// The strings of `owner` that no attack takes, as their origins.
fn safe_strings(reader: &mut Reader, board: &mut Board, owner: Color) -> Vec<Vertex> {
    let mut safe: Vec<Vertex> = board.strings().filter(|&v| board.color_at(v) == Some(owner)).collect();
    safe.retain(|&v| board.liberties(v) > MOST_LIBERTIES || !reader.attack_on(board, v).code.works());
    safe
}

/// All stones of these strings.
fn stones_of(board: &Board, strings: &[Vertex]) -> Vec<Vertex> {
    strings.iter().flat_map(|&v| board.stones(v)).collect()
}

/// 5. Whether no single attack takes the target, nor leaves it lost once it has taken another string near by.
fn is_won_only_so(reader: &mut Reader, board: &mut Board, found: &Combination, safe: &[Vertex]) -> bool {
    if reader.attack(board, found.target).code.works() {
        return false;
    }
    let owner = board.color_at(found.target);
    let mut others: Vec<Vertex> = board.strings().filter(|&v| board.color_at(v) == owner).collect();
    others.retain(|&v| board.liberties(v) <= MOST_LIBERTIES && !safe.contains(&v));
    others.retain(|&v| board.liberty_vertices(v).any(|l| found.line.iter().any(|&p| near(board, l, p))));
    for other in others {
        let attack = reader.attack(board, other);
        let Some(attacker) = owner.map(Color::other).filter(|_| attack.code.works()) else { continue };
        let saved = board.tried(attacker, attack.point, |board| {
            board.color_at(found.target) == owner && reader.defend(board, found.target).code.works()
        });
        if saved == Some(false) {
            return false;
        }
    }
    true
}

/// Whether two vertices are at most [`NEAR`] lines apart both ways.
fn near(board: &Board, a: Vertex, b: Vertex) -> bool {
    let size = board.size();
    a.row(size).abs_diff(b.row(size)) <= NEAR && a.col(size).abs_diff(b.col(size)) <= NEAR
}

/// The readings of a string.
#[derive(Clone, Copy)]
struct Known {
    code: Code,
    point: Vertex,
    limit_hit: bool,
}

struct Search<'a> {
    reader: &'a mut Reader,
    /// The thorough reader for remote replies.
    thorough: Reader,
    color: Color,
    /// One stone of each safe string of the position of the question.
    safe: Vec<Vertex>,
    /// All their stones.
    prizes: Vec<Vertex>,
    /// Whether threats beside liberties are tried.
    beside: bool,
    /// No more threats are tried once the reader has looked at this many positions.
    until: u64,
    /// Stones of the string that the first threat is against.
    threatened: usize,
    played: Vec<Vertex>,
    /// By position, string, and the reply if one was asked for.
    known: HashMap<(u64, Vertex, Vertex), Known>,
    /// Likewise, whether a reply stood the thorough reading.
    sound: HashMap<(u64, Vertex, Vertex), bool>,
    /// Positions out of which the threats left, this number of them, achieved nothing.
    failed: HashSet<Failed>,
}

/// The key of a stored result: the position, the string just saved in it, the remaining threats, and whether threats
/// beside liberties counted. Also the data of [`Search::prize`]: the moves, and the stones of the first threat.
type Failed = (u64, Vertex, usize, bool, Vec<Vertex>, usize);

impl Search<'_> {
    /// The safe strings that still stand, near the moves so far, with at most this many liberties.
    fn targets(&self, board: &Board, most: usize) -> Vec<Vertex> {
        let stands =
            |v: &Vertex| board.color_at(*v) == Some(self.color.other()) && board.liberties(*v) <= most;
        let is_near = |v: &Vertex| {
            self.played.is_empty()
                || self.played.iter().any(|&p| board.liberty_vertices(*v).any(|l| near(board, l, p)))
        };
        board.origins(self.safe.iter().copied().filter(stands).filter(is_near))
    }

    /// The attacker to move, with this many threats left; the last reply has just `saved` a string. The same position is met
    /// by threats in another order.
    fn attack(&mut self, board: &mut Board, threats: usize, saved: Vertex) -> Option<Combination> {
        let mut played = self.played.clone();
        played.sort_unstable();
        let key = (board.situation_hash(self.color), saved, threats, self.beside, played, self.threatened);
        if self.failed.contains(&key) {
            return None;
        }
        let found = self.attack_anew(board, threats, saved);
        if found.is_none() && self.reader.total_nodes() < self.until {
            self.failed.insert(key);
        }
        found
    }

    fn attack_anew(&mut self, board: &mut Board, threats: usize, saved: Vertex) -> Option<Combination> {
        if !self.played.is_empty() {
            for target in self.targets(board, MOST_LIBERTIES) {
                if board.same_string(target, saved) {
                    continue;
                }
                let Some(prize) = self.prize(board, target) else { continue };
                let Known { code, point, .. } = self.attack_on(board, target);
                if code == Code::Win {
                    return Some(Combination { point, line: vec![point], target: prize });
                }
            }
        }
        if threats == 0 || self.reader.total_nodes() >= self.until {
            return None;
        }
        for target in self.targets(board, MOST_THREATENED) {
            let points = self.threats(board, target);
            for point in points {
                let found =
                    board.tried(self.color, point, |board| self.threaten(board, target, point, threats));
                if let Some(Some(found)) = found {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Whether the string can be attacked; each question about a position is read once.
    fn attack_on(&mut self, board: &mut Board, target: Vertex) -> Known {
        let Self { known, reader, color, .. } = self;
        *known.entry((board.situation_hash(*color), target, Vertex::PASS)).or_insert_with(|| {
            let Reading { code, point, limit_hit, .. } = reader.attack_on(board, target);
            Known { code, point, limit_hit }
        })
    }

    /// Whether a doubtful reply saves the string by a thorough reading, likewise.
    fn is_sound(&mut self, board: &mut Board, reply: Vertex, target: Vertex) -> bool {
        let Self { sound, thorough, color, .. } = self;
        let sound = sound.entry((board.situation_hash(color.other()), target, reply));
        *sound.or_insert_with(|| thorough.does(board, reply, target, false) == Code::Win)
    }

    /// Whether the reply saves the string, likewise.
    fn does_defend(&mut self, board: &mut Board, reply: Vertex, target: Vertex) -> Known {
        let Self { known, reader, color, .. } = self;
        *known.entry((board.situation_hash(color.other()), target, reply)).or_insert_with(|| {
            let code = reader.does_on(board, reply, target, false);
            Known { code, point: reply, limit_hit: reader.limit_hit }
        })
    }

    /// A stone of the string that makes it worth a combination, if one does (step 4).
    fn prize(&self, board: &Board, target: Vertex) -> Option<Vertex> {
        let mut stones = board.stones(target).filter(|s| self.prizes.contains(s));
        let first = stones.next();
        let worth = stones.next().is_some() || (self.played.len() == 2 && self.threatened > 1);
        first.filter(|_| worth)
    }

    /// Moves that may threaten the string.
    fn threats(&self, board: &Board, target: Vertex) -> Vec<Vertex> {
        let mut points: Vec<Vertex> = board.liberty_vertices(target).collect();
        if self.beside && !self.played.is_empty() {
            for i in 0..points.len() {
                for y in board.neighbors4(points[i]) {
                    if board.is_empty(y) && !points.contains(&y) {
                        points.push(y);
                    }
                }
            }
        }
        points
    }

    /// 3 and 4: the threat `point` against `target`, which has been played.
    fn threaten(
        &mut self,
        board: &mut Board,
        target: Vertex,
        point: Vertex,
        threats: usize,
    ) -> Option<Combination> {
        if self.played.is_empty() {
            self.threatened = board.string_size(target);
        }
        if self.attack_on(board, target).code != Code::Win {
            return None;
        }
        let (sure, doubtful) = self.replies(board, target, point);
        let mut line: Option<Combination> = None;
        for (i, &reply) in sure.iter().chain(&doubtful).enumerate() {
            let stands = i < sure.len() || self.is_sound(board, reply, target);
            if !stands || board.play(self.color.other(), reply).is_err() {
                continue;
            }
            self.played.extend([point, reply]);
            let next = self.attack(board, threats - 1, target);
            self.played.truncate(self.played.len() - 2);
            board.undo();
            let next = next?;
            line.get_or_insert_with(|| {
                let mut moves = vec![point, reply];
                moves.extend(&next.line);
                Combination { point, line: moves, target: next.target }
            });
        }
        if line.is_some() {
            return line;
        }
        self.prize(board, target).map(|prize| Combination { point, line: vec![point], target: prize })
    }

    /// 3. The replies to the threat `point` against `target`, and the doubtful ones.
    fn replies(&mut self, board: &mut Board, target: Vertex, point: Vertex) -> (Vec<Vertex>, Vec<Vertex>) {
        let mut replies = self.reader.root_candidates(board, target, false);
        // Whoever can take the threatening stone answers by that too.
        replies.extend((board.liberties(point) == 1).then(|| board.liberty_vertices(point).next()).flatten());
        let (mut sure, mut doubtful) = (Vec::new(), Vec::new());
        for reply in in_order(replies) {
            let Known { code, limit_hit, .. } = self.does_defend(board, reply, target);
            if code != Code::Win {
                continue;
            }
            if !limit_hit || board.is_liberty(reply, target) {
                sure.push(reply);
            } else if self.played.is_empty() {
                doubtful.push(reply);
            }
        }
        (sure, doubtful)
    }
}

#[cfg(test)]
mod tests;
