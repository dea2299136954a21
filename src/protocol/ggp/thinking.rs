//! What Tengen's own players need to think in a match: their settings, their role, and the prover. The prover knows the
//! rules before the net is built.

use super::Time;
use anyhow::Context as _;
use std::sync::Arc;
use std::time::Duration;
use tengen_propnet::game::LoadLimits;
use tengen_propnet::machine::ProverMachine;
use tengen_propnet::players::Kind;
use tengen_propnet::program::Program;

/// The longest that the goals of a match that has ended are worked out.
pub(super) const FAREWELL: Duration = Duration::from_millis(500);

/// Plays with the players of [`tengen_propnet::players`], on the net where the game has one.
#[derive(Clone, Copy, Debug)]
pub struct Thinking {
    /// Which player.
    pub kind: Kind,
    /// The seed of its random choices.
    pub seed: u64,
    /// The limits of the net.
    pub limits: LoadLimits,
}

/// The number of a role.
pub(super) fn role_of(roles: &[String], role: &str) -> anyhow::Result<usize> {
    roles
        .iter()
        .position(|r| r == role)
        .with_context(|| format!("`{role}` is not a role of this game; its roles are {}", roles.join(", ")))
}

/// The prover's machine, if its initial state is there in time.
pub(super) fn prover(program: Program, time: &Time) -> anyhow::Result<ProverMachine> {
    Ok(ProverMachine::sharing(Arc::new(program), Arc::default(), time.stop())?)
}
