//! The result code of a reading: the move fails, works, or depends on a ko.

use crate::board::Vertex;

/// The result of the player who moves first, worst first.
///
/// # Source
/// GNU Go 3.8 manual, "Return Codes".
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize,
)]
pub enum Code {
    /// He does not.
    #[default]
    Fail,
    /// With a ko for which he must make the first threat.
    KoB,
    /// With a ko for which the opponent must make the first threat.
    KoA,
    /// He does.
    Win,
}

impl Code {
    /// The same from the opponent's side, who would move before.
    #[must_use]
    pub const fn reverse(self) -> Self {
        match self {
            Self::Fail => Self::Win,
            Self::KoB => Self::KoA,
            Self::KoA => Self::KoB,
            Self::Win => Self::Fail,
        }
    }

    /// GTP's number: 0 fail, 1 win, 2 ko A, 3 ko B.
    #[must_use]
    pub const fn gtp(self) -> u8 {
        match self {
            Self::Fail => 0,
            Self::Win => 1,
            Self::KoA => 2,
            Self::KoB => 3,
        }
    }

    /// Anything but a failure.
    #[must_use]
    pub const fn works(self) -> bool {
        !matches!(self, Self::Fail)
    }
}

/// The best move of a question and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Answer {
    /// The first player's result.
    pub code: Code,
    /// His move; a pass when there is none, or none is needed.
    pub point: Vertex,
}

impl From<Reading> for Answer {
    fn from(Reading { code, point, .. }: Reading) -> Self {
        Self { code, point }
    }
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Reading {
    /// The first player's result.
    pub code: Code,
    /// His move; a pass when there is none, or none is needed.
    pub point: Vertex,
    /// The principal line from `point` on, colours alternating.
    pub line: Vec<Vertex>,
    /// Positions looked at, counted as if nothing had been remembered from one to the next.
    pub nodes: u64,
    /// Whether the node limit cut the reading off; the code is then what had been proved by that time.
    pub limit_hit: bool,
}

impl Reading {
    /// The bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.line.capacity() * size_of::<Vertex>()
    }
}
