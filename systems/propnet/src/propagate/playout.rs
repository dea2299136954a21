//! Counted random playouts, for `tengen gdl perf` and the playout scenes.

use super::backward::Backward;
use super::compiled::plan::Plan;
use super::compiled::playout::Games;
use super::differential::{Differential, Goals};
use super::lanes::Lanes;
use super::{Propagator, Topology};
use crate::net::Bases;
use crate::net::Net;
use crate::net::passes::{for_lanes, goals_only, guarded, without_goals, without_idle_bases};
use std::sync::{Arc, OnceLock};
use tengen_core::SplitMix64;

/// Counts of the playouts so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Joint moves made.
    pub changes: u64,
    /// Games that ended in a terminal state.
    pub rollouts: u64,
    /// Games broken off: a role without a legal move, or more moves than [`MAX_LENGTH`].
    pub broken: u64,
    /// For each role and goal value the number of games that gave it.
    pub goals: Vec<Vec<u64>>,
}

/// A playout longer than this is broken off (by the propagators of a single state).
pub const MAX_LENGTH: u64 = 100_000;

/// A player of random games, one after the other or many at once.
pub trait Player {
    /// Makes at least `changes` more joint moves.
    fn play(&mut self, changes: u64);

    /// The counts so far.
    fn tally(&self) -> &Tally;

    /// Makes further games start from this state.
    fn start_from(&mut self, state: &Bases);
}

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
    fn differential(&self, deferred: bool) -> Differential {
        Differential::new(Arc::clone(&self.whole), deferred, self.goals_are)
    }

    /// The activity of one move of a random game: links of flipped nodes, and inputs looked at for goals.
    fn activity(&self, goals: Goals) -> f64 {
        let probe = self.probe(goals);
        probe.walk.activity() as f64 / probe.tally.changes.max(1) as f64
    }

    /// A short walk through random games, ends included.
    fn probe(&self, goals: Goals) -> Single<Differential> {
        let walk = Differential::new(Arc::clone(&self.whole), true, goals);
        let mut probe = Single::new(walk, true, self, 1);
        for _ in 0..PROBE_CHANGES {
            probe.play(1);
            if probe.walk.activity() > PROBE_ACTIVITY {
                break;
            }
        }
        probe
    }

    /// About the nanoseconds of one move of a random game with the differential propagator.
    fn differential_cost(&self) -> f64 {
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

/// A player whose loop may use the instructions of newer processors.
pub(super) trait Loop {
    /// What [`Player::play`] does.
    fn play_on(&mut self, changes: u64);
}

/// Plays with the instructions of newer processors where there are some.
pub(super) fn play_fast(player: &mut impl Loop, changes: u64) {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(simd) = pulp::x86::V3::try_new() {
        return simd.vectorize(Newer(player, changes));
    }
    player.play_on(changes);
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
struct Newer<'a, P>(&'a mut P, u64);

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl<P: Loop> pulp::NullaryFnOnce for Newer<'_, P> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.0.play_on(self.1);
    }
}

/// Playouts with a propagator of a single state.
pub struct Single<P> {
    walk: P,
    /// The propagator that answers goals, if the walker does not.
    goals: Option<Backward>,
    start: Bases,
    length: u64,
    rng: SplitMix64,
    tally: Tally,
    moves: Vec<u32>,
}

impl<P: Propagator> Single<P> {
    /// Playouts on `walk`. Its topology must be that of the nets without goals, or it must answer goals itself.
    pub fn new(walk: P, asked_for_goals: bool, nets: &PlayoutNets, seed: u64) -> Self {
        let names = &nets.walk.net.names;
        Self {
            walk,
            goals: (!asked_for_goals).then(|| Backward::new(Arc::clone(&nets.goals))),
            start: names.initial.clone(),
            length: 0,
            rng: SplitMix64::new(seed),
            tally: new_tally(&nets.walk.net),
            moves: Vec::new(),
        }
    }

    /// One move, or the end of a game and the start of the next.
    fn step(&mut self) {
        if self.walk.terminal() {
            self.score();
            self.restart();
            return;
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        for role in 0..self.tally.goals.len() {
            let legal = self.walk.legal(role);
            if legal.is_empty() || self.length > MAX_LENGTH {
                self.tally.broken += 1;
                self.moves = moves;
                self.restart();
                return;
            }
            moves.push(legal[self.rng.below(legal.len() as u32) as usize]);
        }
        self.walk.advance(&moves);
        self.moves = moves;
        self.length += 1;
        self.tally.changes += 1;
    }

    fn score(&mut self) {
        if let Some(goals) = &mut self.goals {
            goals.enter(self.walk.state());
        }
        for (role, values) in self.tally.goals.iter_mut().enumerate() {
            for (value, count) in values.iter_mut().enumerate() {
                let holds = match &mut self.goals {
                    Some(goals) => goals.goal(role, value),
                    None => self.walk.goal(role, value),
                };
                *count += u64::from(holds);
            }
        }
        self.tally.rollouts += 1;
    }

    fn restart(&mut self) {
        self.length = 0;
        self.walk.restart(&self.start);
    }
}

pub(super) fn new_tally(net: &Net) -> Tally {
    Tally { goals: net.names.goal_values.iter().map(|v| vec![0; v.len()]).collect(), ..Tally::default() }
}

impl<P: Propagator> Player for Single<P> {
    fn play(&mut self, changes: u64) {
        let end = self.tally.changes + changes;
        let mut ended = 0_u64;
        while self.tally.changes < end && ended < changes + 16 {
            let before = self.tally.changes;
            self.step();
            // A start that is terminal already makes no move, for ever.
            ended += u64::from(self.tally.changes == before);
        }
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn start_from(&mut self, state: &Bases) {
        self.start.clone_from(state);
        self.restart();
    }
}

impl Propagator for Box<dyn Propagator + Send> {
    fn enter(&mut self, state: &Bases) {
        (**self).enter(state);
    }
    fn restart(&mut self, start: &Bases) {
        (**self).restart(start);
    }
    fn state(&self) -> &Bases {
        (**self).state()
    }
    fn terminal(&mut self) -> bool {
        (**self).terminal()
    }
    fn legal(&mut self, role: usize) -> &[u32] {
        (**self).legal(role)
    }
    fn goal(&mut self, role: usize, value: usize) -> bool {
        (**self).goal(role, value)
    }
    fn successor(&mut self, inputs: &[u32]) -> &Bases {
        (**self).successor(inputs)
    }
    fn advance(&mut self, inputs: &[u32]) {
        (**self).advance(inputs);
    }
    fn watch(&mut self) {
        (**self).watch();
    }
    fn visits(&mut self) -> super::watch::Visits {
        (**self).visits()
    }
}

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
        "compiled" => match Games::new(nets, seed) {
            Some(games) => Box::new(games),
            None => single(nets.differential(true), nets, seed),
        },
        "lanes64" => Box::new(Lanes::<1>::new(nets, seed)),
        "lanes128" => Box::new(Lanes::<2>::new(nets, seed)),
        "lanes256" => Box::new(Lanes::<4>::new(nets, seed)),
        "lanes512" => Box::new(Lanes::<8>::new(nets, seed)),
        "lanes1024" => Box::new(Lanes::<16>::new(nets, seed)),
        "hybrid" => return by_name(hybrid_choice(nets), nets, seed),
        _ => Box::new(Single::new(super::by_name(name, &nets.walk)?, false, nets, seed)),
    })
}

fn single(walk: Differential, nets: &PlayoutNets, seed: u64) -> Box<dyn Player + Send> {
    Box::new(Single::new(walk, true, nets, seed))
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
    match Games::cost(nets) {
        Some(compiled) if compiled < nets.differential_cost() => "compiled",
        _ => "differential",
    }
}
