//! Players of random games, and their counts.

use crate::net::{Bases, Net};

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

/// No playouts yet.
pub(super) fn new_tally(net: &Net) -> Tally {
    Tally { goals: net.names.goal_values.iter().map(|v| vec![0; v.len()]).collect(), ..Tally::default() }
}

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
