//! Liberties of order 1 to 4 (step 3 of [`super`]).
//!
//! A liberty of order *n* is an empty vertex that *n* stones connect to the string, and no fewer. The way may pass
//! through strings of the same colour. Stones at a distance above 1 may not touch the enemy. No way leads on from a ko
//! cavity. No way leads on from a liberty of order 1 that the enemy or the edge flanks on both sides.

use super::WormMap;
use crate::board::{Board, Color, Vertex, VertexSet};

/// Counts the liberties of all strings.
pub(super) fn count(board: &Board, map: &mut WormMap) {
    let mut search = Search::new(board, map);
    for worm in &mut map.worms {
        if let Some(color) = worm.color.stone() {
            worm.liberties = search.orders(worm.origin, color).map(|layer| layer.len() as u16);
        }
    }
}

/// The liberties of order 1, 2, 3, 4 of the string at a vertex, each in vertex order; none for an empty vertex.
#[must_use]
pub fn by_order(board: &Board, map: &WormMap, v: Vertex) -> [Vec<Vertex>; 4] {
    let Some(color) = board.color_at(v) else { return Default::default() };
    Search::new(board, map).orders(v, color).map(|mut layer| {
        layer.sort_unstable();
        layer
    })
}

struct Search<'a> {
    board: &'a Board,
    /// The vertices where a stone of the colour would touch the enemy.
    enemy_near: [VertexSet; 2],
    /// The ko cavities.
    ko: Vec<Vertex>,
    /// The vertices reached.
    reached: VertexSet,
}

impl<'a> Search<'a> {
    fn new(board: &'a Board, map: &WormMap) -> Self {
        Self {
            board,
            enemy_near: Color::BOTH.map(|c| board.all_stones(c.other()).around(board.size() as i32 + 1)),
            ko: board.vertices().filter(|&v| board.is_empty(v) && map.get(v).is_some_and(|w| w.ko)).collect(),
            reached: VertexSet::EMPTY,
        }
    }

    fn orders(&mut self, string: Vertex, color: Color) -> [Vec<Vertex>; 4] {
        let board = self.board;
        let mut layers: [Vec<Vertex>; 4] = Default::default();
        let mut layer: Vec<Vertex> = board.liberty_vertices(string).collect();
        self.reached = layer.iter().copied().chain(board.stones(string)).collect();
        for order in 1..=4_u8 {
            if order == 4 {
                layers[3] = layer;
                break;
            }
            let mut next = Vec::new();
            let mut strings = Vec::new();
            for &v in &layer {
                if self.ko.contains(&v) {
                    continue;
                }
                let closed = order == 1 && self.is_flanked(v, string, color);
                for n in board.neighbors4(v) {
                    if board.is_empty(n) && !closed {
                        self.step(n, color, &mut next);
                    } else if board.color_at(n) == Some(color) && !self.reached.holds(n) {
                        self.reached.unite(board.stone_bits(n));
                        strings.push(n);
                    }
                }
            }
            for s in strings {
                for liberty in board.liberty_vertices(s) {
                    self.step(liberty, color, &mut next);
                }
            }
            layers[order as usize - 1] = std::mem::replace(&mut layer, next);
        }
        layers
    }

    /// Adds an empty vertex to the next layer if a stone may stand there and it is new.
    fn step(&mut self, v: Vertex, color: Color, next: &mut Vec<Vertex>) {
        if !self.reached.holds(v) && !self.enemy_near[color.index()].holds(v) {
            self.reached.insert(v);
            next.push(v);
        }
    }

    /// Whether both sides of the liberty, seen from a stone of the string, are enemy or edge.
    fn is_flanked(&self, liberty: Vertex, string: Vertex, color: Color) -> bool {
        let board = self.board;
        let shut = |v: Vertex| !board.on_board(v) || board.color_at(v) == Some(color.other());
        let [north, west, east, south] = board.around(liberty);
        let from = |v: Vertex| board.same_string(v, string);
        (from(north) || from(south)) && shut(west) && shut(east)
            || (from(west) || from(east)) && shut(north) && shut(south)
    }
}
