//! The nets of a game that playouts need, and the cost of a move on them.

use super::Topology;
use super::compiled::plan::Plan;
use super::differential::{Differential, Goals};
use super::player::{Player, Tally};
use super::single::Single;
use crate::net::Net;
use crate::net::passes::{for_lanes, goals_only, guarded, without_goals, without_idle_bases};
use std::sync::{Arc, OnceLock};

/// The nets of a game that playouts need: one to walk on and one for goals at the end, or one for both.
#[derive(Clone, Debug)]
pub struct PlayoutNets {
    /// Without goals, with guards.
    pub walk: Arc<Topology>,
    /// With goals and guards: for the differential propagators, which skip gates that only goals need.
    pub whole: Arc<Topology>,
    /// Without goals, as small as possible.
    pub lanes: Arc<Topology>,
    /// Only goals.
    pub goals: Arc<Topology>,
    /// The cheaper way for the differential propagators to compute goals.
    pub goals_are: Goals,
    /// The compiled net, once somebody asked for it; `None` if it is too large.
    plan: Arc<OnceLock<Option<Arc<Plan>>>>,
}

impl PlayoutNets {
    /// Cuts a net in two.
    #[must_use]
    pub fn new(net: &Net) -> Self {
        let mut nets = Self {
            walk: Arc::new(Topology::with_guards(guarded(&without_goals(net)))),
            whole: Arc::new(Topology::with_guards(guarded(&without_idle_bases(net)))),
            lanes: Arc::new(Topology::new(for_lanes(net))),
            goals: Arc::new(Topology::new(goals_only(net))),
            goals_are: Goals::Asked,
            plan: Arc::default(),
        };
        if nets.activity(Goals::Kept) < nets.activity(Goals::Asked) {
            nets.goals_are = Goals::Kept;
        }
        nets
    }

    /// The compiled net; `None` if it is too large.
    pub(super) fn plan(&self) -> Option<Arc<Plan>> {
        self.plan.get_or_init(|| Plan::new(&self.whole).map(Arc::new)).clone()
    }

    /// A differential propagator for playouts.
    pub(super) fn differential(&self, deferred: bool) -> Differential {
        Differential::new(Arc::clone(&self.whole), deferred, self.goals_are)
    }

    /// The activity of one move of a random game: links of flipped nodes, and inputs looked at for goals.
    pub(super) fn activity(&self, goals: Goals) -> f64 {
        let probe = self.probe(goals);
        probe.walk.activity() as f64 / probe.tally.changes.max(1) as f64
    }

    /// The mean number of moves of a random game; `None` if none ended in a short walk.
    pub(super) fn length(&self) -> Option<f64> {
        let Tally { changes, rollouts, broken, .. } = self.probe(self.goals_are).tally;
        let ended = rollouts + broken;
        (ended > 0).then(|| changes as f64 / ended as f64)
    }

    /// A short walk through random games, ends included.
    fn probe(&self, goals: Goals) -> Single<Differential> {
        let walk = Differential::new(Arc::clone(&self.whole), true, goals);
        let mut probe = Single::new(walk, &self.walk.net, None, 1);
        for _ in 0..PROBE_CHANGES {
            probe.play(1);
            if probe.walk.activity() > PROBE_ACTIVITY {
                break;
            }
        }
        probe
    }

    /// About the nanoseconds of one move of a random game with the differential propagator.
    pub(super) fn differential_cost(&self) -> f64 {
        let probe = self.probe(self.goals_are);
        let changes = probe.tally.changes.max(1) as f64;
        let (links, nodes) = (probe.walk.activity() as f64 / changes, probe.walk.queued() as f64 / changes);
        let ended = (probe.tally.rollouts + probe.tally.broken) as f64 / changes;
        let net = &self.whole.net;
        let [fixed, link, node, role, copied] = DIFFERENTIAL_COST;
        let copied = copied * ended * net.nodes() as f64;
        fixed + link * links + node * nodes + role * net.names.roles.len() as f64 + copied
    }
}

/// Nanoseconds of a move of the differential propagator: fixed, for each link, for each queued node, for each role, for
/// each node that the start of a game copies. Fitted by least squares to 113 rulesheets
/// (`experiments/2026-11-29-compiled-single-states.md`).
const DIFFERENTIAL_COST: [f64; 5] = [38.0, 0.59, 4.55, 7.7, 0.082];

/// The length of a probe in moves.
const PROBE_CHANGES: u64 = 400;

/// A probe ends after touching this many links.
const PROBE_ACTIVITY: u64 = 2_000_000;
