//! The schemes on offer, by name.

use super::detect::{Detect, OpenFlag, SideTable, Walk};
use super::exact::Exact;
use super::keep::{Cautious, Everything, Keep, NoZero};
use super::shadow::{Shadow, ShadowLiteral};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A detector and a keeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum Scheme {
    /// Key stack; the table keeps everything (naive).
    Walk,
    /// Thompson's open flag; the table keeps everything.
    Open,
    /// Moreland's secondary table; the table keeps everything.
    Side,
    /// Values of 0 are not stored.
    NoZero,
    /// Values that rest on a draw above are not stored.
    Cautious,
    /// Muller's posting as printed.
    ShadowLiteral,
    /// Muller's posting, mended.
    Shadow,
    /// Proof filters: exact.
    #[default]
    Exact,
}

/// Something compiled once per scheme.
pub trait SchemeVisitor {
    /// What it gives.
    type Output;
    /// Runs with a detector and a keeper.
    fn visit<D: Detect + Default, K: Keep>(self) -> Self::Output;
}

impl Scheme {
    /// All, naive first.
    pub const ALL: [Self; 8] = [
        Self::Walk,
        Self::Open,
        Self::Side,
        Self::NoZero,
        Self::Cautious,
        Self::ShadowLiteral,
        Self::Shadow,
        Self::Exact,
    ];

    /// The name on the command line, in scenes and as UCI option value.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Open => "open",
            Self::Side => "side",
            Self::NoZero => "no-zero",
            Self::Cautious => "cautious",
            Self::ShadowLiteral => "shadow-literal",
            Self::Shadow => "shadow",
            Self::Exact => "exact",
        }
    }

    /// Runs `visitor` with the scheme's detector and keeper.
    pub fn visit<V: SchemeVisitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Walk => visitor.visit::<Walk, Everything>(),
            Self::Open => visitor.visit::<OpenFlag, Everything>(),
            Self::Side => visitor.visit::<SideTable, Everything>(),
            Self::NoZero => visitor.visit::<Walk, NoZero>(),
            Self::Cautious => visitor.visit::<Walk, Cautious>(),
            Self::ShadowLiteral => visitor.visit::<Walk, ShadowLiteral>(),
            Self::Shadow => visitor.visit::<Walk, Shadow>(),
            Self::Exact => visitor.visit::<Walk, Exact>(),
        }
    }
}

impl FromStr for Scheme {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = if text.eq_ignore_ascii_case("naive") { "walk" } else { text };
        Self::ALL.into_iter().find(|s| s.name().eq_ignore_ascii_case(text)).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|s| s.name()).collect();
            format!("`{text}` is no repetition scheme; there are {}", names.join(", "))
        })
    }
}
