//! Counted random playouts, for `tengen gdl perf` and the playout scenes.

use super::backward::Backward;
use super::compiled::playout::Games;
use super::differential::Differential;
use super::lanes::Lanes;
use super::player::Player;
use super::playout_nets::PlayoutNets;
use super::single::Single;
use std::sync::Arc;

/// The names of all kinds of playouts, for options and tables.
pub const NAMES: [&str; 13] = [
    "naive",
    "ordered",
    "backward",
    "internal",
    "undeferred",
    "differential",
    "compiled",
    "lanes64",
    "lanes128",
    "lanes256",
    "lanes512",
    "lanes1024",
    "hybrid",
];

/// The player with this name; `None` if there is none.
#[must_use]
pub fn by_name(name: &str, nets: &PlayoutNets, seed: u64) -> Option<Box<dyn Player + Send>> {
    Some(match name {
        // These are not called through a table of functions.
        "undeferred" => single(nets.differential(false), nets, seed),
        "differential" => single(nets.differential(true), nets, seed),
        "compiled" => match nets.plan() {
            Some(plan) => Box::new(Games::new(plan, &nets.goals.net, seed)),
            None => single(nets.differential(true), nets, seed),
        },
        "lanes64" => Box::new(Lanes::<1>::new(nets, seed)),
        "lanes128" => Box::new(Lanes::<2>::new(nets, seed)),
        "lanes256" => Box::new(Lanes::<4>::new(nets, seed)),
        "lanes512" => Box::new(Lanes::<8>::new(nets, seed)),
        "lanes1024" => Box::new(Lanes::<16>::new(nets, seed)),
        "hybrid" => return by_name(hybrid_choice(nets), nets, seed),
        _ => {
            let walk = super::by_name(name, &nets.walk)?;
            let goals = Backward::new(Arc::clone(&nets.goals));
            Box::new(Single::new(walk, &nets.walk.net, Some(goals), seed))
        }
    })
}

fn single(walk: Differential, nets: &PlayoutNets, seed: u64) -> Box<dyn Player + Send> {
    Box::new(Single::new(walk, &nets.walk.net, None, seed))
}

/// Chooses the kind of playouts for the hybrid. It compares the links that a random move touches with one pass over the
/// net, shared by all lanes. Costs are in units of one touched link.
#[must_use]
pub fn hybrid_choice(nets: &PlayoutNets) -> &'static str {
    let touched = nets.activity(nets.goals_are) + 20.0;
    let net = &nets.lanes.net;
    let pass = (net.edges.len() as f64 + 4.0 * net.inputs() as f64 + 2.0 * net.bases() as f64) * 0.1;
    if pass / 64.0 < touched { "lanes512" } else { single_choice(nets) }
}

/// Chooses the way to play one game after the other, by counts.
#[must_use]
pub fn single_choice(nets: &PlayoutNets) -> &'static str {
    match nets.plan().and_then(|plan| Games::cost(&plan, &nets.goals.net)) {
        Some(compiled) if compiled < nets.differential_cost() => "compiled",
        _ => "differential",
    }
}
