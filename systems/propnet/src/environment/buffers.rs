//! The buffers into which a step of an environment writes its results.

use super::{Environment, EnvironmentError};

/// The buffers of a step. Any buffer but `rewards`, `terminated` and `truncated` may be empty; a step does not write an
/// empty one.
#[derive(Debug, Default)]
pub struct Buffers<'a> {
    /// N x G x A: 1 where the action is legal; all 0 in games that wait to start again. Packed
    /// ([`Layout::Bits`](super::Layout::Bits)) it is N x G x ceil(A / 8), as are the observations with P.
    pub legal: &'a mut [u8],
    /// N x P: 1 where the fact holds.
    pub observation: &'a mut [u8],
    /// N x P: the last observation of each game that ended in this step; the other rows are left alone.
    pub last_observation: &'a mut [u8],
    /// N x R: goal values divided by 100 where a game ended, else 0.
    pub rewards: &'a mut [f32],
    /// N: 1 where the game ended by its rules, or by an illegal action.
    pub terminated: &'a mut [u8],
    /// N: 1 where it was cut off, by the limit of moves or because a role has no legal move.
    pub truncated: &'a mut [u8],
    /// N: the role on turn, where roles take turns.
    pub turn: &'a mut [i32],
}

/// Buffers of the right lengths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Screens {
    /// See [`Buffers::legal`].
    pub legal: Vec<u8>,
    /// See [`Buffers::observation`].
    pub observation: Vec<u8>,
    /// See [`Buffers::last_observation`].
    pub last_observation: Vec<u8>,
    /// See [`Buffers::rewards`].
    pub rewards: Vec<f32>,
    /// See [`Buffers::terminated`].
    pub terminated: Vec<u8>,
    /// See [`Buffers::truncated`].
    pub truncated: Vec<u8>,
    /// See [`Buffers::turn`].
    pub turn: Vec<i32>,
}

impl Screens {
    /// Buffers for an environment.
    #[must_use]
    pub fn new(of: &Environment) -> Self {
        let (n, [legal, width, roles]) = (of.games(), of.sizes());
        Self {
            legal: vec![0; n * legal],
            observation: vec![0; n * width],
            last_observation: vec![0; n * width],
            rewards: vec![0.0; n * roles],
            terminated: vec![0; n],
            truncated: vec![0; n],
            turn: vec![0; n],
        }
    }

    /// All of them.
    pub fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            legal: &mut self.legal,
            observation: &mut self.observation,
            last_observation: &mut self.last_observation,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            turn: &mut self.turn,
        }
    }
}

/// Cuts up to `items` from the front.
fn cut<'a, T>(slice: &mut &'a mut [T], items: usize) -> &'a mut [T] {
    let whole = std::mem::take(slice);
    let (front, rest) = whole.split_at_mut(items.min(whole.len()));
    *slice = rest;
    front
}

impl<'a> Buffers<'a> {
    /// The part of the next `games` games, with this many items each.
    pub(super) fn cut(&mut self, games: usize, sizes: [usize; 3]) -> Buffers<'a> {
        let [legal, width, roles] = sizes;
        Buffers {
            legal: cut(&mut self.legal, games * legal),
            observation: cut(&mut self.observation, games * width),
            last_observation: cut(&mut self.last_observation, games * width),
            rewards: cut(&mut self.rewards, games * roles),
            terminated: cut(&mut self.terminated, games),
            truncated: cut(&mut self.truncated, games),
            turn: cut(&mut self.turn, games),
        }
    }

    /// The same buffers with a shorter lifetime.
    pub(super) fn reborrow(&mut self) -> Buffers<'_> {
        Buffers {
            legal: self.legal,
            observation: self.observation,
            last_observation: self.last_observation,
            rewards: self.rewards,
            terminated: self.terminated,
            truncated: self.truncated,
            turn: self.turn,
        }
    }

    pub(super) fn check(&self, games: usize, sizes: [usize; 3]) -> Result<(), EnvironmentError> {
        let [legal, width, roles] = sizes;
        let lengths = [
            ("legal", self.legal.len(), games * legal, true),
            ("observation", self.observation.len(), games * width, true),
            ("last_observation", self.last_observation.len(), games * width, true),
            ("rewards", self.rewards.len(), games * roles, false),
            ("terminated", self.terminated.len(), games, false),
            ("truncated", self.truncated.len(), games, false),
            ("turn", self.turn.len(), games, true),
        ];
        match lengths.into_iter().find(|&(_, got, wanted, may_lack)| got != wanted && !(may_lack && got == 0))
        {
            Some((name, got, wanted, _)) => Err(EnvironmentError::BufferLength { name, got, wanted }),
            None => Ok(()),
        }
    }
}
