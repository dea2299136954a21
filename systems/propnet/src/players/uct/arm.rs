//! Arms of a node, and the choice among them by their bounds.
//!
//! # Source
//! P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time analysis of the multiarmed bandit problem" (2002), for the
//! confidence term; S. Gelly, D. Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go"
//! (2011), section 4, for the weight of the moves of playouts.
//!
//! # Notation
//! The *bound* of an arm is its mean plus a confidence term C sqrt(ln N / n), for N visits of its node and n of its own.

/// Subtracted from the bound of an arm whose child is solved. A visit learns nothing there, so the arm is taken only
/// when all children are solved.
///
/// Origin: definition, more than any bound.
pub(super) const LEARNT: f64 = 1000.0;

/// The child number of an arm without a child.
///
/// Origin: definition, the layout of an arm.
const NO_CHILD: u32 = u32::MAX >> 1;

/// Flag in the child number of an arm: the child is solved, and the sum of the arm is its goal.
///
/// Origin: definition, the layout of an arm.
const PROVEN: u32 = 1 << 31;

/// A move of one role in a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    /// The child, of a mover's arm.
    pub(super) child: u32,
    /// The number of picks.
    pub(super) visits: u32,
    /// The sum of goals, 0 to 100 each; the goal itself once proven.
    pub(super) sum: f64,
}

impl Arm {
    /// An arm that nobody has visited.
    ///
    /// Origin: definition, no visit.
    pub(super) const NEW: Self = Self { child: NO_CHILD, visits: 0, sum: 0.0 };

    /// Whether the child is solved.
    pub(super) fn is_proven(self) -> bool {
        self.child & PROVEN != 0
    }

    /// The child, if it has one.
    pub(super) fn child(self) -> Option<u32> {
        Some(self.child & !PROVEN).filter(|&child| child != NO_CHILD)
    }

    /// Gives the arm a child. A proven arm keeps its own.
    pub(super) fn set_child(&mut self, child: u32) {
        if !self.is_proven() {
            self.child = child;
        }
    }

    /// The child is solved with this goal.
    pub(super) fn prove(&mut self, goal: f64) {
        (self.child, self.sum) = (self.child | PROVEN, goal);
    }

    /// Adds the goal of a leaf. A proven arm keeps its own.
    pub(super) fn add(&mut self, goal: f64) {
        if !self.is_proven() {
            self.sum += goal;
        }
    }

    /// The same arm with another number for its child, or without a child.
    pub(super) fn moved(self, child: Option<u32>) -> Self {
        match child {
            Some(child) => Self { child: child | (self.child & PROVEN), ..self },
            // Of a proven arm the sum was the goal.
            None if self.is_proven() => {
                Self { child: NO_CHILD, sum: self.sum * f64::from(self.visits), ..self }
            }
            None => Self { child: NO_CHILD, ..self },
        }
    }

    /// The mean goal; 0 without visits.
    pub(super) fn mean(self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.sum / f64::from(self.visits) }
    }
}

/// The number of the arm with the highest bound, the first of several.
pub(super) fn highest(arms: &[Arm], log: f64, exploration: f64) -> usize {
    let (mut best, mut highest) = (0, f64::NEG_INFINITY);
    for (n, arm) in arms.iter().enumerate() {
        let bound = if arm.is_proven() {
            arm.sum - LEARNT
        } else if arm.visits == 0 {
            // No bound is higher than that of an arm without visits.
            return n;
        } else {
            let visits = f64::from(arm.visits);
            arm.sum / visits + exploration * (log / visits).sqrt()
        };
        if bound > highest {
            (best, highest) = (n, bound);
        }
    }
    best
}

/// The moves of a node from which on those of playouts count. With fewer, each is soon visited itself.
///
/// Origin: measured, commit 3b36521: games with more moves gained, games with fewer did not.
pub(super) const MANY: usize = 30;

/// The visits at which a move's own mean and that of the playouts' moves weigh about the same.
///
/// Origin: ablation, commit 3b36521: 21 of 26 games of hex, 8 of 14 and 10 of 18 of two others.
const EQUIVALENCE: f64 = 30.0;

/// The weight of the confidence term where moves of playouts count.
///
/// Origin: ablation, commit 3b36521: 21 of 26 games of hex, 8 of 14 and 10 of 18 of two others.
const EXPLORATION_OF_ALL: f64 = 25.0;

/// The same with the moves of playouts: D. Silver's schedule of weights, sqrt(k / (3 n + k)).
pub(super) fn highest_of_all_moves(arms: &[Arm], all: &[[f32; 2]], log: f64) -> usize {
    let (mut best, mut highest) = (0, f64::NEG_INFINITY);
    for (n, (arm, &[games, sum])) in arms.iter().zip(all).enumerate() {
        let bound = if arm.is_proven() {
            arm.sum - LEARNT
        } else {
            let visits = f64::from(arm.visits);
            // Without a game the value is even.
            let by_playouts = f64::from(sum + 50.0) / f64::from(games + 1.0);
            let weight = (EQUIVALENCE / (3.0 * visits + EQUIVALENCE)).sqrt();
            let own = if arm.visits == 0 { by_playouts } else { arm.sum / visits };
            (1.0 - weight) * own + weight * by_playouts + EXPLORATION_OF_ALL * (log / (visits + 1.0)).sqrt()
        };
        if bound > highest {
            (best, highest) = (n, bound);
        }
    }
    best
}
