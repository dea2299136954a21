//! Liberties of order 1 to 4: step 3.
//!
//! A liberty of order *n* is an empty vertex that *n* stones connect to the string, and no fewer. The way may pass
//! through strings of the same colour. Stones at a distance above 1 may not touch the enemy. No way leads on from a
//! ko cavity, nor from a liberty of order 1 flanked on both sides by the enemy or the edge.

use super::WormMap;
use crate::board::{Board, Color, Vertex};

/// Not reached yet.
const FAR: u8 = u8::MAX;

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

/// Per padded vertex whether a stone of `color` there would touch the enemy.
fn enemy_near(board: &Board, color: Color) -> Vec<bool> {
    let mut near = vec![false; board.padded_len()];
    for v in board.vertices().filter(|&v| board.color_at(v) == Some(color.other())) {
        for n in board.around(v) {
            near[n.at()] = true;
        }
    }
    near
}

struct Search<'a> {
    board: &'a Board,
    enemy_near: [Vec<bool>; 2],
    /// The ko cavities.
    ko: Vec<Vertex>,
    /// Stones needed to reach a vertex; own stones have the distance of the way to them.
    distance: Vec<u8>,
    touched: Vec<Vertex>,
}

impl<'a> Search<'a> {
    fn new(board: &'a Board, map: &WormMap) -> Self {
        Self {
            board,
            enemy_near: Color::BOTH.map(|c| enemy_near(board, c)),
            ko: board.vertices().filter(|&v| board.is_empty(v) && map.get(v).is_some_and(|w| w.ko)).collect(),
            distance: vec![FAR; board.padded_len()],
            touched: Vec::new(),
        }
    }

    fn orders(&mut self, string: Vertex, color: Color) -> [Vec<Vertex>; 4] {
        let board = self.board;
        let mut layers: [Vec<Vertex>; 4] = Default::default();
        let mut layer: Vec<Vertex> = board.liberty_vertices(string).collect();
        self.reach(board.stones(string), 0);
        self.reach(layer.iter().copied(), 1);
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
                        self.step(n, order + 1, color, &mut next);
                    } else if board.color_at(n) == Some(color) && self.distance[n.at()] == FAR {
                        self.reach(board.stones(n), order);
                        strings.push(n);
                    }
                }
            }
            for s in strings {
                for liberty in board.liberty_vertices(s) {
                    self.step(liberty, order + 1, color, &mut next);
                }
            }
            layers[order as usize - 1] = std::mem::replace(&mut layer, next);
        }
        for v in self.touched.drain(..) {
            self.distance[v.at()] = FAR;
        }
        layers
    }

    fn reach(&mut self, vertices: impl Iterator<Item = Vertex>, distance: u8) {
        for v in vertices {
            self.distance[v.at()] = distance;
            self.touched.push(v);
        }
    }

    /// Adds an empty vertex to the next layer if a stone may stand there and it is new.
    fn step(&mut self, v: Vertex, order: u8, color: Color, next: &mut Vec<Vertex>) {
        if self.distance[v.at()] == FAR && !self.enemy_near[color.index()][v.at()] {
            self.reach(std::iter::once(v), order);
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
