//! The final status by playouts and dragons: who lives and who has won when a game is over.
//!
//! # Steps
//! 1. Take the upright image of the board ([`crate::board::upright`]), without its last moves and without komi.
//! 2. Analyse the image up to the dragons, in a separate engine with the same judge, effort and patterns.
//! 3. Find the final status of the image ([`crate::score`]) and turn it back.
//!
//! # Cost
//! One analysis up to the dragons, and the playouts.

use crate::board::upright::Upright;
use crate::board::{Board, Color, Vertex};
use crate::dragons::DragonMap;
use crate::effort::Effort;
use crate::engine::GoEngine;
use crate::patterns::PatternDatabases;
use crate::schedule::AnalyseSystems;
use crate::score::{self, FinalStatus};
use crate::world::Position;

/// Finds final statuses.
#[derive(Default)]
pub struct StatusFinder {
    engine: Option<GoEngine>,
}

impl StatusFinder {
    /// The final status of a board, as an engine like this one reads it, by playouts with this seed.
    pub fn find(&mut self, of: &GoEngine, board: &Board, to_move: Color, seed: u64) -> FinalStatus {
        // 1.
        let upright = Upright::of(board, to_move, [Vertex::PASS; 2]);
        // 2.
        let effort = of.world().get_resource::<Effort>().copied().unwrap_or_default();
        let engine = self.engine.get_or_insert_with(|| GoEngine::new(1));
        engine.judge_by(of.judge());
        engine.read_under(effort);
        if let Some(patterns) = of.world().get_resource::<PatternDatabases>() {
            engine.world_mut().insert_resource(patterns.clone());
        }
        engine.put(0, Position::new(upright.image.clone(), Color::Black));
        engine.analyse(AnalyseSystems::Dragons);
        // 3.
        let dragons = engine.result::<DragonMap>(0, AnalyseSystems::Dragons);
        let found = score::on_image(&upright.image, seed, effort.status, dragons);
        score::turned_back(&found, &upright, board)
    }
}

#[cfg(test)]
mod tests;
