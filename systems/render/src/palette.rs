//! The meanings of colours, and the colours themselves for paper and for a terminal.

/// The meaning of a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Nothing.
    #[default]
    Plain,
    /// Black's.
    Black,
    /// White's.
    White,
    /// Good, alive, the best.
    Good,
    /// In danger: the side to move decides.
    Danger,
    /// Unknown, or second best.
    Unsure,
    /// Lost: dead.
    Gone,
    /// A remark: a line, a hull.
    Note,
}

impl Ink {
    /// The colour on paper.
    #[must_use]
    pub const fn paper(self) -> &'static str {
        match self {
            Self::Plain => "#000000",
            Self::Black => "#0072b2",
            Self::White => "#e69f00",
            Self::Good => "#009e73",
            Self::Danger => "#d55e00",
            Self::Unsure => "#f0e442",
            Self::Gone => "#8c8c8c",
            Self::Note => "#cc79a7",
        }
    }

    /// The colour of a filled place on a wooden board. Black's places are dark and White's are light, like the stones.
    #[must_use]
    pub const fn wood(self) -> &'static str {
        match self {
            Self::Black => "#2a2a2e",
            Self::White => "#fffdf6",
            other => other.paper(),
        }
    }

    /// The number of the colour in a terminal; 0 for none.
    #[must_use]
    pub const fn terminal(self) -> u8 {
        match self {
            Self::Plain => 0,
            Self::Black => 36,
            Self::White | Self::Gone => 37,
            Self::Good => 32,
            Self::Danger => 31,
            Self::Unsure => 33,
            Self::Note => 35,
        }
    }
}
