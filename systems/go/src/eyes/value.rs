//! Eye values: the number of eyes that a space makes, by the side to move and the number of its moves.

/// The number of eyes of one eye space, 0 to 2, in four cases (GNU Go 3.8 manual, "Eye Local Game Values").
///
/// Two eyes suffice to live, so higher numbers count as two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct EyeValue {
    /// The attacker moves twice before the defender answers.
    pub a: u8,
    /// The attacker moves first, then in turn.
    pub b: u8,
    /// The defender moves first, then in turn.
    pub c: u8,
    /// The defender moves twice before the attacker answers.
    pub d: u8,
}

impl EyeValue {
    /// No eye, with either side moving first.
    pub const NONE: Self = Self::exactly(0);
    /// Two eyes, with either side moving first.
    pub const TWO: Self = Self::exactly(2);

    /// The value that does not depend on who moves.
    #[must_use]
    pub const fn exactly(eyes: u8) -> Self {
        Self { a: eyes, b: eyes, c: eyes, d: eyes }
    }

    /// Eyes if the attacker moves first.
    #[must_use]
    pub const fn min_eyes(self) -> u8 {
        self.b
    }

    /// Eyes if the defender moves first.
    #[must_use]
    pub const fn max_eyes(self) -> u8 {
        self.c
    }

    /// Whether the first move matters.
    #[must_use]
    pub const fn is_hot(self) -> bool {
        self.b != self.c
    }

    /// The four numbers added one by one (the manual's `add_eyevalues`): no attempt to play the sum well.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { a: self.a + other.a, b: self.b + other.b, c: self.c + other.c, d: self.d + other.d }
    }
}

/// Eyes of a sum of eye spaces when the players take the hottest space in turn: `(attacker first, defender first)`.
///
/// Exact when each space is a simple switch `{c|b}`; threats (`a`, `d`) are not played.
#[must_use]
pub fn eyes_of_sum(values: &[EyeValue]) -> (u8, u8) {
    let mut base = 0_u8;
    let mut counts = [0_u8; 3]; // spaces by c - b
    for value in values {
        base = base.saturating_add(value.b);
        counts[usize::from(value.c.saturating_sub(value.b)).min(2)] += 1;
    }
    let (mut attacker, mut defender) = (base, base);
    let mut turn = 0;
    for gain in [2_u8, 1] {
        for _ in 0..counts[usize::from(gain)] {
            if turn % 2 == 0 {
                defender = defender.saturating_add(gain);
            } else {
                attacker = attacker.saturating_add(gain);
            }
            turn += 1;
        }
    }
    (attacker, defender)
}

impl std::fmt::Display for EyeValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}{}", self.a, self.b, self.c, self.d)
    }
}
