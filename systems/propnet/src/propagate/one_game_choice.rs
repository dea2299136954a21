//! Chooses how one game at a time is played: on the compiled net or by differential propagation, whichever costs less by
//! counts.

use super::Propagator;
use super::compiled::playout::Games;
use super::differential::Differential;
use super::one_game::{Course, OneGame};
use super::playout::single_choice;
use super::playout_nets::PlayoutNets;
use crate::net::Bases;
use tengen_core::SplitMix64;

/// The way for a net that costs least by counts.
pub(crate) fn of(nets: &PlayoutNets) -> Box<dyn OneGame> {
    match single_choice(nets) {
        "compiled" => compiled(nets).unwrap_or_else(|| differential(nets)),
        _ => differential(nets),
    }
}

/// On the compiled net; `None` if it is too large.
pub(super) fn compiled(nets: &PlayoutNets) -> Option<Box<dyn OneGame>> {
    nets.plan().map(|plan| Box::new(Games::new(plan, &nets.goals.net, 1)) as _)
}

/// By differential propagation.
pub(super) fn differential(nets: &PlayoutNets) -> Box<dyn OneGame> {
    let roles = nets.whole.net.names.roles.len();
    Box::new(Walked { walk: nets.differential(true), roles, moves: Vec::new() })
}

/// About the nanoseconds of one random game from the initial state, by counts. `None` if no game ended in a short probe.
pub(crate) fn cost(nets: &PlayoutNets) -> Option<f64> {
    let length = nets.length()?;
    let compiled = nets.plan().and_then(|plan| Games::cost(&plan, &nets.goals.net));
    Some(length * compiled.unwrap_or(f64::INFINITY).min(nets.differential_cost()))
}

/// Games by differential propagation.
struct Walked {
    walk: Differential,
    roles: usize,
    moves: Vec<u32>,
}

impl OneGame for Walked {
    fn play(
        &mut self,
        from: &Bases,
        first: Option<&[u32]>,
        length: usize,
        random: &mut SplitMix64,
        made: &mut Vec<u32>,
    ) -> Course {
        self.walk.enter(from);
        if let Some(first) = first {
            self.walk.advance(first);
        }
        for at in 0..=length {
            if self.walk.terminal() {
                return Course::Ended(at);
            }
            self.moves.clear();
            for role in 0..self.roles {
                let legal = self.walk.legal(role);
                if legal.is_empty() {
                    return Course::Broken;
                }
                self.moves.push(legal[random.below(legal.len() as u32) as usize]);
            }
            made.extend_from_slice(&self.moves);
            self.walk.advance(&self.moves);
        }
        Course::Broken
    }

    fn end(&self) -> &Bases {
        self.walk.state()
    }

    fn has_goal(&mut self, role: usize, value: usize) -> bool {
        self.walk.goal(role, value)
    }
}
