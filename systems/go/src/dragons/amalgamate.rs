//! Amalgamation: joins strings that live or die together into dragons.
//!
//! # Source
//! GNU Go 2.7 manual (2001), "Worms and Dragons", section Amalgamation; GNU Go 3.8 manual, "How two Worms are
//! amalgamated" and "Connections".
//!
//! # Notation
//! A *string* is named by its origin. A *link* is an empty vertex next to two strings of one colour. A link is
//! *sealed* if the opponent cannot play there without being captured. Two strings are *parted* if the opponent,
//! moving first, can capture exactly one of them without a ko. The capture cuts any link between them.
//!
//! # Steps
//! 1. The strings around a closed eye space of three to seven vertices become one dragon.
//! 2. Two strings become one dragon if no capture threatens them and both touch the same lost enemy stone. The enemy
//!    string may have at most two liberties. A string with more liberties takes several moves to capture, and the
//!    enemy answers each.
//! 3. Cutting points: links where a B pattern of `conn.db` finds a cut (see [`super::links`]).
//! 4. Strings become one dragon if they have a sealed link that is not a cutting point, or two links that are not.
//!    With one such link they become one dragon if connection reading finds no cut, not even by ko. Parted strings
//!    stay separate.
//! 5. The C patterns of `conn.db` join further strings, and so do the actions of its patterns.
//! 6. The enemy's stone at a cutting point cuts once: the owner answers on the other common liberty of two of the
//!    strings around it. The most valuable pair that he could save in this way becomes one dragon. Two equally
//!    valuable pairs both stay separate.
//!
//! # Departures
//! The 2001 manual joins the strings around every eye space. Around the smallest and around wide spaces this also joins
//! strings over diagonals that the enemy can cut. The strings that it joins rightly have other links.
//!
//! # Cost
//! Linear in vertices and links, apart from the reading behind [`Tactics`].

use super::links::LinkReader;
use crate::board::{Board, Color, Vertex};
use crate::eyes::{EyeSpace, Tactics};
use crate::tactics::Code;

/// Whether the opponent can't put a stone at `v` that stays.
pub fn sealed(v: Vertex, owner: Color, tactics: &impl Tactics) -> bool {
    tactics.safe_move(v, owner.other()) == Code::Fail
}

/// Liberties of a lost string that holds those around it together.
const LOST_LIBERTIES: usize = 2;

/// Step 2: the pairs of strings of `owner` that touch one stone of a lost string of the enemy.
fn around_lost<T: Tactics>(board: &Board, owner: Color, links: &LinkReader<'_, T>) -> Vec<(Vertex, Vertex)> {
    let lost = board.vertices().filter(|&v| {
        board.color_at(v) == Some(owner.other()) && board.liberties(v) <= LOST_LIBERTIES && links.lost(v)
    });
    let mut pairs = Vec::new();
    for v in lost {
        let around: Vec<Vertex> = board
            .strings_next_to(v, owner)
            .map(|s| board.origin(s))
            .filter(|&s| !links.capturable(s))
            .collect();
        pairs.extend(around.windows(2).map(|pair| (pair[0], pair[1])));
    }
    pairs
}

/// Step 4 for one colour, without reading; the pairs that need it.
fn join_by_links<T: Tactics>(owner: Color, reader: &mut LinkReader<'_, T>) -> Vec<(Vertex, Vertex)> {
    let board = reader.board;
    let mut links: Vec<(Vertex, Vertex, Vertex)> = Vec::new();
    for v in board.vertices().filter(|&v| board.is_empty(v)) {
        let around: Vec<Vertex> = board.strings_next_to(v, owner).map(|s| board.origin(s)).collect();
        for (i, &a) in around.iter().enumerate() {
            for &b in &around[..i] {
                links.push((a.min(b), a.max(b), v));
            }
        }
    }
    links.sort_unstable();
    let open = |pair: &[(Vertex, Vertex, Vertex)]| pair.iter().filter(|l| !reader.cuts[l.2.at()]).count();
    let mut single = Vec::new();
    for pair in links.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
        let (a, b, _) = pair[0];
        if reader.partition.same(a, b) || reader.parted(a, b) {
            continue;
        }
        if open(pair) >= 2 {
            reader.partition.join(a, b);
        } else {
            single.push(pair);
        }
    }
    // What is joined by now, through whatever other strings, costs no reading of the cutter's stone.
    let mut doubtful = Vec::new();
    for pair in single {
        let (a, b, _) = pair[0];
        if reader.partition.same(a, b) {
            continue;
        }
        if pair.iter().any(|l| !reader.cuts[l.2.at()] && sealed(l.2, owner, reader.tactics)) {
            reader.partition.join(a, b);
        } else if open(pair) == pair.len() && !reader.lost(a) && !reader.lost(b) {
            doubtful.push((a, b));
        }
    }
    doubtful
}

/// Step 6 for one colour.
fn join_most_valuable<T: Tactics>(owner: Color, reader: &mut LinkReader<'_, T>) {
    let board = reader.board;
    for v in board.vertices().filter(|v| reader.cuts[v.at()]) {
        let around: Vec<Vertex> = board.strings_next_to(v, owner).map(|s| board.origin(s)).collect();
        let mut saved: Vec<(usize, Vertex, Vertex)> = Vec::new();
        for (i, &a) in around.iter().enumerate() {
            for &b in &around[..i] {
                let answer = |w: &Vertex| *w != v && !reader.cuts[w.at()] && board.is_liberty(*w, b);
                if !reader.partition.same(a, b)
                    && !reader.parted(a, b)
                    && board.liberty_vertices(a).any(|w| answer(&w))
                {
                    let stones = |string| reader.partition.stones(board, string);
                    saved.push((stones(a) + stones(b), a, b));
                }
            }
        }
        saved.sort_unstable();
        if let Some(&(most, a, b)) = saved.last()
            && saved.iter().filter(|pair| pair.0 == most).count() == 1
        {
            reader.partition.join(a, b);
        }
    }
}

/// The sizes of an eye space that binds the strings around it. A space of these sizes has a vital point, which concerns
/// all of them.
const SHARED_ROOM: std::ops::RangeInclusive<usize> = 3..=7;

/// All steps for one colour.
pub fn amalgamate<T: Tactics>(owner: Color, spaces: &[EyeSpace], links: &mut LinkReader<'_, T>) {
    let board = links.board;
    for space in
        spaces.iter().filter(|space| space.is_closed() && SHARED_ROOM.contains(&space.vertices.len()))
    {
        let strings = space.strings_around(board, owner);
        strings.windows(2).for_each(|pair| links.partition.join(pair[0], pair[1]));
    }
    for (a, b) in around_lost(board, owner, links) {
        links.partition.join(a, b);
    }
    links.find_cuts(owner);
    let mut doubtful = join_by_links(owner, links);
    let mut shapes = links.shapes(owner);
    // 4. and 5.: first what needs no reading.
    for reads in [false, true] {
        links.reads = reads;
        doubtful.retain(|&(a, b)| {
            if links.partition.same(a, b) {
                return false;
            }
            let found = links.disconnect(a, b);
            if found == Some(Code::Fail) {
                links.partition.join(a, b);
            }
            found.is_none()
        });
        links.join_by_shapes(&mut shapes);
    }
    links.join_by_actions(owner);
    join_most_valuable(owner, links);
}

#[cfg(test)]
mod tests;
