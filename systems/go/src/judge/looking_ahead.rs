//! A judge that looks ahead. It combines a small search by the embedded net with playouts, for either side to move.
//!
//! # Source
//! The search is [`super::search`], the playouts are those of [`super::Playouts`]. Two estimates whose errors differ
//! are better combined than each alone: J. M. Bates, C. W. J. Granger, "The Combination of Forecasts" (1969). The two
//! views are balanced as in [`Embedded`].
//!
//! # Steps
//! 1. Search the position with Black to move, and with White to move. For the side that made the latest move, the
//!    history gets a pass of its opponent.
//! 2. Owners and leads are means over the positions that the search looks at. Likelihoods are shares of the visits; the
//!    net's own likelihoods count as [`OWN_VISITS`] visits. The spread of leads comes from a single look.
//! 3. Combine the owners with those of [`PLAYOUTS`] playouts for each look (`upright`), by mixing the logarithms of the
//!    odds. The lead is the sum of owners that are made surer than those of the map.
//! 4. Balance the two views (`balance`).
//!
//! # Departures
//! On boards that are too large for playouts the means of the search stand.
//!
//! # Cost
//! The requested number of looks for each side to move, and the playouts, which take as long.

use super::balance::balance;
use super::embedded::{may_judge, past_for, view_of};
use super::net::Verdict;
use super::search::{Question, search};
use super::upright::owner_by_playouts;
use super::{Answer, Embedded, Judge, JudgeInForce, View};
use crate::board::{Color, Vertex};
use crate::playout::{self, Findings, LADDERS, Limits, Policy};
use crate::world::Position;
use std::sync::Arc;

/// The visits that the net's own likelihoods count as. Own choice, unmeasured.
const OWN_VISITS: f32 = 10.0;

/// Playouts for each look. Own choice: as many as take the time of a look.
const PLAYOUTS: u32 = 10;

/// The weight of the playouts in the logarithms of the odds, and the factors of these in the map and in the lead.
///
/// Chosen on the 303 truth positions of part `choose`: `experiments/2026-11-29-go-judge-with-playouts.md`.
const WEIGHT: f32 = 0.4;
const OF_MAP: f32 = 1.1;
const OF_LEAD: f32 = 1.3;

/// Surer owners than this count as this sure.
const SUREST: f32 = 0.9995;

/// The seed of the playouts.
const SEED: u64 = 0x6a6f_696e;

/// Searches each position with either side to move.
#[derive(Clone, Debug)]
pub struct LookingAhead {
    net: Embedded,
    judge: JudgeInForce,
    looks: u32,
}

impl LookingAhead {
    /// With the weights of the program, and this number of looks for each side to move.
    #[must_use]
    pub fn new(looks: u32) -> Self {
        let net = Embedded::own();
        Self { judge: JudgeInForce(Arc::new(net.clone())), net, looks }
    }

    /// Steps 1 and 2, from the side to move.
    fn see(&self, position: &Position, color: Color) -> Option<Verdict> {
        let Position { board, komi, past, .. } = position;
        let before = past_for(board, *past, color);
        let mut verdict = self.net.look(board, color, before);
        let question = Question {
            board: &board.without_history(),
            color,
            komi: *komi,
            looks: self.looks,
            allowed: None,
            before,
            threads: 1,
            kept: None,
        };
        let found = search(&self.judge, &question, &mut || false)?;
        take_means(&mut verdict, &found, color, board.size());
        if board.size() <= playout::board::MAX_SIZE {
            let limits = Limits {
                playouts: PLAYOUTS * self.looks,
                policy: Policy::default(),
                win_share: 0.0,
                warm_up: self.looks,
                ladders: LADDERS,
                seed: SEED,
            };
            let played = owner_by_playouts(board, color, [before[0], before[1]], &limits);
            join(&mut verdict, &played);
        }
        Some(verdict)
    }
}

/// Step 2.
fn take_means(verdict: &mut Verdict, found: &Findings, color: Color, size: usize) {
    let sign = if color == Color::White { 1.0 } else { -1.0 };
    verdict.owner = found.owner.iter().map(|owner| sign * owner).collect();
    verdict.lead = sign * found.white_lead;
    let visits: u32 = found.moves.iter().map(|m| m.visits).sum();
    let all = visits as f32 + OWN_VISITS;
    verdict.likelihood.iter_mut().for_each(|p| *p *= OWN_VISITS / all);
    for m in &found.moves {
        let at = if m.vertex == Vertex::PASS { size * size } else { m.vertex.index(size) };
        verdict.likelihood[at] += m.visits as f32 / all;
    }
}

/// Step 3, from the mover's side.
fn join(verdict: &mut Verdict, played: &[f32]) {
    let odds = |owner: f32| libm::atanhf(owner.clamp(-SUREST, SUREST));
    let mixed: Vec<f32> = verdict
        .owner
        .iter()
        .zip(played)
        .map(|(&a, &b)| (1.0 - WEIGHT) * odds(a) + WEIGHT * odds(b))
        .collect();
    // Sums of doubles, so that turning the board does not show in them.
    verdict.lead = mixed.iter().map(|x| f64::from(libm::tanhf(OF_LEAD * x))).sum::<f64>() as f32;
    verdict.owner = mixed.iter().map(|x| libm::tanhf(OF_MAP * x)).collect();
}

impl Judge for LookingAhead {
    fn name(&self) -> String {
        format!("{}:{}", self.net.name(), self.looks)
    }

    fn views(&self, positions: &[&Position]) -> Vec<Answer> {
        let judged = |position: &&Position| {
            let [black, white] = Color::BOTH.map(|side| self.see(position, side));
            let mut verdicts = [black?, white?];
            balance(&mut verdicts);
            let [black, white] = verdicts;
            let komi = position.komi;
            Some([view_of(black, Color::Black, komi), view_of(white, Color::White, komi)])
        };
        let answer = |position: &&Position| may_judge(&position.board).then(|| judged(position)).flatten();
        positions.iter().map(|position| Ok(answer(position))).collect()
    }

    fn view(&self, position: &Position) -> Option<View> {
        if !may_judge(&position.board) {
            return None;
        }
        self.see(position, position.to_move).map(|verdict| view_of(verdict, position.to_move, position.komi))
    }

    /// A search for a move looks once at each of its positions.
    fn view_each(&self, positions: &[Position]) -> Vec<Option<View>> {
        self.net.view_each(positions)
    }

    fn looks(&self, asked: u32) -> u32 {
        asked
    }
}
