//! The results of reading for every string of a board.
//!
//! # Steps
//! For each string ([`read_worm`]):
//! 1. Read the attack. If it works, read the defence.
//! 2. Find all points of attack and of defence among the candidates at the root.
//! 3. Find the threats. After such a move, if the other side plays elsewhere, an attack (or a defence) works that did
//!    not work before.
//!
//! # Cost
//! One question for each candidate of a string that can be attacked. One question for each liberty of a string with up
//! to four liberties.

use super::ATTACKABLE;
use super::code::Code;
use super::reader::Reader;
use crate::board::{Board, Vertex};
use bevy_ecs::prelude::Component;

/// The readings of one string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WormTactics {
    /// The string: its first stone in vertex order.
    pub origin: Vertex,
    /// The opponent's result, moving first.
    pub attack: Code,
    /// His move; a pass if the attack fails.
    pub attack_point: Vertex,
    /// The owner's result, moving first, if the attack works; [`Code::Fail`] if there is none, as in `worm_data`.
    pub defense: Code,
    /// The owner's move.
    pub defense_point: Vertex,
    /// Every move found to attack, `attack_point` first, then in vertex order.
    pub attack_points: Vec<(Vertex, Code)>,
    /// Every move found to defend, `defense_point` first, then in vertex order.
    pub defense_points: Vec<(Vertex, Code)>,
    /// Moves after which an attack works that does not now.
    pub attack_threats: Vec<(Vertex, Code)>,
    /// Moves after which a second move saves a string that cannot be saved now.
    pub defense_threats: Vec<(Vertex, Code)>,
    /// The principal line of the attack, the attacker first.
    pub line: Vec<Vertex>,
    /// Positions looked at.
    pub nodes: u64,
    /// Whether a node limit cut a reading off.
    pub limit_hit: bool,
}

impl WormTactics {
    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        let lists = [&self.attack_points, &self.defense_points, &self.attack_threats, &self.defense_threats];
        let points: usize = lists.iter().map(|list| list.capacity()).sum();
        size_of::<Self>() + points * size_of::<(Vertex, Code)>() + self.line.capacity() * size_of::<Vertex>()
    }

    /// Whether the side that moves first decides its fate.
    #[must_use]
    pub const fn is_critical(&self) -> bool {
        self.attack.works() && self.defense.works()
    }
}

/// The readings of every string of a board. Written by the tactics plugin.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub struct TacticsMap {
    /// One per string, by origin in vertex order.
    pub worms: Vec<WormTactics>,
}

impl TacticsMap {
    /// The readings of the string at `v`, on the board they were made on.
    #[must_use]
    pub fn at(&self, board: &Board, v: Vertex) -> Option<&WormTactics> {
        board.color_at(v)?;
        let origin = board.origin(v);
        let index = self.worms.binary_search_by_key(&origin, |worm| worm.origin).ok()?;
        Some(&self.worms[index])
    }

    /// Positions looked at for all strings.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.worms.iter().map(|worm| worm.nodes).sum()
    }
}

/// The strings of a board that were asked about by themselves, by origin. Written by [`crate::GoEngine::refine`]; empty for a new
/// position.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub struct QueriedStrings(pub(crate) Vec<Vertex>);

impl QueriedStrings {
    /// Reads the strings that were asked about with this reader, too. A different result replaces the earlier one,
    /// unless a limit cut off only the new reading.
    pub(super) fn refine(&self, map: &mut TacticsMap, reader: &mut Reader, board: &mut Board) {
        let said = |worm: &WormTactics| (worm.attack, worm.attack_point, worm.defense, worm.defense_point);
        for worm in map.worms.iter_mut().filter(|worm| self.0.contains(&worm.origin)) {
            let deeper = read_worm(reader, board, worm.origin);
            if said(&deeper) != said(worm) && (worm.limit_hit || !deeper.limit_hit) {
                *worm = deeper;
            }
        }
    }
}

/// Reads every string of a board.
pub fn read(reader: &mut Reader, board: &mut Board) -> TacticsMap {
    let strings: Vec<Vertex> = board.strings().collect();
    TacticsMap { worms: strings.into_iter().map(|origin| read_worm(reader, board, origin)).collect() }
}

/// Liberties of a string above which no threats against it are looked for.
///
/// Origin: definition, the most liberties that an attack is read against.
pub(super) const MOST_READ: usize = ATTACKABLE[0];

/// Reads one string. Starts from an empty cache, so that the counts too depend on nothing else.
pub fn read_worm(reader: &mut Reader, board: &mut Board, origin: Vertex) -> WormTactics {
    reader.forget();
    let before = reader.total_nodes();
    // 1.
    let attack = reader.attack_on(board, origin);
    let mut worm = WormTactics {
        origin,
        attack: attack.code,
        attack_point: attack.point,
        line: attack.line,
        limit_hit: attack.limit_hit,
        ..WormTactics::default()
    };
    if attack.code.works() {
        let defense = reader.defend_on(board, origin);
        (worm.defense, worm.defense_point) = (defense.code, defense.point);
        worm.limit_hit |= defense.limit_hit;
        // 2. and 3.
        reader.within(reader.limits().second_nodes, |reader| {
            worm.attack_points = points(reader, board, &worm, true);
            if worm.defense.works() {
                worm.defense_points = points(reader, board, &worm, false);
            } else {
                worm.defense_threats = threats(reader, board, origin, false);
            }
        });
    } else if board.liberties(origin) <= MOST_READ {
        let ask = |reader: &mut Reader| threats(reader, board, origin, true);
        worm.attack_threats = reader.within(reader.limits().threat_nodes, ask);
    }
    worm.nodes = reader.total_nodes() - before;
    worm
}

// 2.
fn points(
    reader: &mut Reader,
    board: &mut Board,
    worm: &WormTactics,
    attacking: bool,
) -> Vec<(Vertex, Code)> {
    let (first, code) =
        if attacking { (worm.attack_point, worm.attack) } else { (worm.defense_point, worm.defense) };
    let mut found = vec![(first, code)];
    let mut candidates = reader.root_candidates(board, worm.origin, attacking);
    candidates.sort_unstable();
    for v in candidates.into_iter().filter(|&v| v != first) {
        let code = reader.does_on(board, v, worm.origin, attacking);
        if code.works() {
            found.push((v, code));
        }
    }
    found
}

// 3.
fn threats(reader: &mut Reader, board: &mut Board, origin: Vertex, attacking: bool) -> Vec<(Vertex, Code)> {
    let Some(owner) = board.color_at(origin) else { return Vec::new() };
    let mut candidates: Vec<Vertex> = if attacking {
        board.liberty_vertices(origin).collect()
    } else {
        reader.root_candidates(board, origin, false)
    };
    candidates.sort_unstable();
    let mut found = Vec::new();
    let ask = if attacking { Reader::attack_on } else { Reader::defend_on };
    for v in candidates {
        let mover = if attacking { owner.other() } else { owner };
        let code = board.tried(mover, v, |board| ask(reader, board, origin).code);
        found.extend(code.filter(|code| code.works()).map(|code| (v, code)));
    }
    found
}
