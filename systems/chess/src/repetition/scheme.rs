//! The offered repetition schemes by name. Each is a detector and a keeper.

use super::added::{self, AddedScheme};
use super::cautious::Cautious;
use super::detect::Detect;
use super::everything::Everything;
use super::exact::Exact;
use super::keep::Keep;
use super::key_stack::KeyStack;
use super::move_chains::MoveChains;
use super::no_zero::NoZero;
use super::open_flag::{OpenFlag, OpenLiteral};
use super::shadow::{Shadow, ShadowEarly};
use super::shadow_literal::ShadowLiteral;
use super::side_table::SideTable;
use super::twin::Twin;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A detector and a keeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum Scheme {
    /// Key stack; the table keeps everything (naive).
    Walk,
    /// Moves that cancel, no keys; the table keeps everything.
    Chains,
    /// Thompson's open flag as described, unconfirmed; the table keeps everything.
    OpenLiteral,
    /// Thompson's open flag, confirmed; the table keeps everything.
    Open,
    /// Moreland's secondary table; the table keeps everything.
    Side,
    /// Values of 0 are not stored.
    NoZero,
    /// Values that rest on a draw above are not stored.
    Cautious,
    /// Muller's posting as printed.
    ShadowLiteral,
    /// Muller's posting, corrected, without the early update.
    Shadow,
    /// Muller's posting, corrected, with the early update.
    ShadowEarly,
    /// Kishimoto and Müller's general solution: bounds with their path.
    Twin,
    /// Proof filters: exact.
    #[default]
    Exact,
    /// An added scheme ([`added`]).
    Own(AddedScheme),
}

/// A function that is compiled once for each scheme.
pub(crate) trait SchemeVisitor {
    /// Its result.
    type Output;
    /// Runs with a detector and a keeper.
    fn visit<D: Detect, K: Keep>(self) -> Self::Output;
    /// Runs with the detector and keeper of an added scheme.
    fn own(self, scheme: AddedScheme) -> Self::Output;
}

impl Scheme {
    /// The built-in schemes, naive first.
    pub const ALL: [Self; 12] = [
        Self::Walk,
        Self::Chains,
        Self::OpenLiteral,
        Self::Open,
        Self::Side,
        Self::NoZero,
        Self::Cautious,
        Self::ShadowLiteral,
        Self::Shadow,
        Self::ShadowEarly,
        Self::Twin,
        Self::Exact,
    ];

    /// All schemes of this process: the built-in and the added ones.
    #[must_use]
    pub fn offered() -> Vec<Self> {
        Self::ALL.into_iter().chain(added::schemes().into_iter().map(Self::Own)).collect()
    }

    /// The name on the command line, in scenes and as UCI option value.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Chains => "chains",
            Self::OpenLiteral => "open-literal",
            Self::Open => "open",
            Self::Side => "side",
            Self::NoZero => "no-zero",
            Self::Cautious => "cautious",
            Self::ShadowLiteral => "shadow-literal",
            Self::Shadow => "shadow",
            Self::ShadowEarly => "shadow-early",
            Self::Twin => "twin",
            Self::Exact => "exact",
            Self::Own(own) => own.name(),
        }
    }

    /// Whether it marks elements of the transposition table.
    #[must_use]
    pub fn marks(self) -> bool {
        match self {
            Self::Own(own) => own.properties().marks,
            scheme => matches!(scheme, Self::OpenLiteral | Self::Open),
        }
    }

    /// Whether its root value in exact mode is the history-aware minimax value.
    #[must_use]
    pub fn is_exact(self) -> bool {
        match self {
            Self::Own(own) => own.properties().proves,
            scheme => matches!(scheme, Self::Twin | Self::Exact),
        }
    }

    /// Runs `visitor` with the scheme's detector and keeper.
    pub(crate) fn visit<V: SchemeVisitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Walk => visitor.visit::<KeyStack, Everything>(),
            Self::Chains => visitor.visit::<MoveChains, Everything>(),
            Self::OpenLiteral => visitor.visit::<OpenLiteral, Everything>(),
            Self::Open => visitor.visit::<OpenFlag, Everything>(),
            Self::Side => visitor.visit::<SideTable, Everything>(),
            Self::NoZero => visitor.visit::<KeyStack, NoZero>(),
            Self::Cautious => visitor.visit::<KeyStack, Cautious>(),
            Self::ShadowLiteral => visitor.visit::<KeyStack, ShadowLiteral>(),
            Self::Shadow => visitor.visit::<KeyStack, Shadow>(),
            Self::ShadowEarly => visitor.visit::<KeyStack, ShadowEarly>(),
            Self::Twin => visitor.visit::<KeyStack, Twin>(),
            Self::Exact => visitor.visit::<KeyStack, Exact>(),
            Self::Own(own) => visitor.own(own),
        }
    }
}

impl FromStr for Scheme {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = if text.eq_ignore_ascii_case("naive") { "walk" } else { text };
        let offered = Self::offered();
        offered.iter().copied().find(|s| s.name().eq_ignore_ascii_case(text)).ok_or_else(|| {
            let names: Vec<_> = offered.iter().map(|s| s.name()).collect();
            format!("`{text}` is no repetition scheme; there are {}", names.join(", "))
        })
    }
}
