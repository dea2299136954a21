//! The value of a move: named terms in points, and their sources.
//!
//! # Source
//! GNU Go 3.8 manual, "Valuation of suggested moves": territorial, strategical, shape and secondary value, minimum
//! values, and "Threats and Followup Value". The same manual, chapter "Influence", section "Influence and Territory",
//! for sente and reverse sente. T. Ogawa and J. Davies, "The Endgame" (1976), for the value of a follow-up. E.
//! Berlekamp and D. Wolfe, "Mathematical Go" (1994), for the limit between gote and sente.
//!
//! # Notation
//! `T` is the gain of the move itself (territory and strategic value). `F` is the gain of a second move of the same
//! player. `R` is the gain of the opponent's second move if he had moved here first. Each of them is the difference
//! between the two players moving first, as in the manual.
//!
//! # Steps
//! 1. With a follow-up `F` the position after the move is worth `F / 2` more, because either player may play the
//!    follow-up. So the move gains `T + F / 2` in gote. From `F = 2 T` on the opponent must answer. The move is then
//!    sente and counts double. So the follow-up adds `min(F / 2, T)`.
//! 2. The same holds for `R`. From `R = 2 T` on the opponent's move would be sente, so this move is reverse sente.
//! 3. The shape factor multiplies the sum so far.
//! 4. The least and the greatest value are applied last.

use crate::board::Vertex;
use crate::names::named;

named! {
    /// A part of a move's value.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Term {
        /// Change of expected territory, prisoners included.
        Territory = "territory",
        /// Change of the safety of dragons.
        Strategic = "strategic",
        /// The gain of a second move here.
        Followup = "followup",
        /// The gain of the opponent's second move if he had moved here first.
        ReverseFollowup = "reverse_followup",
        /// Reasons that alone do not justify a move.
        Secondary = "secondary",
        /// The effect of the shape factor.
        Shape = "shape",
        /// The effect of a least or a most value.
        Limit = "limit",
    }
}

/// The terms of a value, in points. Their sum is the value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms([f32; Term::ALL.len()]);

impl Terms {
    /// One of them.
    #[must_use]
    pub const fn get(&self, term: Term) -> f32 {
        self.0[term as usize]
    }

    /// Sets one of them.
    pub const fn set(&mut self, term: Term, points: f32) {
        self.0[term as usize] = points;
    }

    /// Adds to one of them.
    pub fn add(&mut self, term: Term, points: f32) {
        self.0[term as usize] += points;
    }

    /// The terms that are not 0, in their order.
    pub fn named(&self) -> impl Iterator<Item = (Term, f32)> + '_ {
        Term::ALL.into_iter().map(|term| (term, self.get(term))).filter(|(_, points)| *points != 0.0)
    }

    /// Their sum.
    #[must_use]
    pub fn total(&self) -> f32 {
        self.0.iter().sum()
    }

    /// `T`: the gain of the move itself, 0 if it loses.
    #[must_use]
    pub fn own_gain(&self) -> f32 {
        (self.get(Term::Territory) + self.get(Term::Strategic)).max(0.0)
    }

    /// Steps 1 and 2: sets what follow-ups of these values add.
    pub fn count_followups(&mut self, followup: f32, reverse: f32) {
        let gain = self.own_gain();
        let share = |value: f32| (value / 2.0).clamp(0.0, gain);
        self.set(Term::Followup, share(followup));
        self.set(Term::ReverseFollowup, share(reverse));
    }

    /// Steps 3 and 4. A negative value is left to itself by the factor.
    pub fn finish(&mut self, factor: f32, least: f32, most: f32) {
        self.set(Term::Shape, 0.0);
        self.set(Term::Limit, 0.0);
        let sum = self.total();
        self.set(Term::Shape, sum.max(0.0) * (factor - 1.0));
        let shaped = self.total();
        self.set(Term::Limit, shaped.min(most).max(least) - shaped);
    }
}

/// The cause of a term.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// The term.
    pub term: Term,
    /// Points before sente, shape and limits are counted.
    pub points: f32,
    /// The reason behind it, by its number among the candidate's; `None`: influence.
    pub reason: Option<usize>,
    /// The vertices it is about: those whose territory changes, or where the second move would be.
    pub at: Vec<Vertex>,
}

#[cfg(test)]
mod tests;
