//! Merges the answers of single GTP questions into the scheduled analysis of the dragons.
//!
//! # Notation
//! A claim is *asked* if a single question made it, with the limits of [`Effort::question`]. An answer is *certain* if
//! the reading came to its end.
//!
//! # Rules
//! 1. An answer belongs to the dragon with exactly these stones, as long as the position stays the same. The first
//!    answer stands. A question for one side to move may also give a result for the other side. The answer to a direct
//!    question replaces that result.
//! 2. An asked claim replaces what eyes, room and reading claim, for either side moving first. An answer that is not
//!    certain replaces only claims that are not certain either. An answer equal to the claim of eyes, room or a capture
//!    adds nothing. A dragon that certainly cannot be killed lives. One that certainly cannot be saved is dead, unless
//!    it certainly cannot be killed.
//! 3. Life that needs no answer stands. The odds do not change asked claims. Races revise them only where the attack is
//!    not certain.

use super::claims::{Claim, Verdict};
use super::decide::Evidence;
use super::map::{Owl, Play, Rule, Safety, Status};
use crate::board::Vertex;
#[cfg(doc)]
use crate::effort::Effort;
use crate::owl::LifeReading;
use crate::semeai::RaceResult;
use bevy_ecs::prelude::Component;

/// The answers about the life of a dragon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifeAnswer {
    /// The dragon's stones in vertex order.
    pub stones: Vec<Vertex>,
    /// Its enemy moving first, its owner moving first.
    pub readings: [LifeReading; 2],
    /// Which of the two the question was for.
    pub named: [bool; 2],
}

/// The answers about the race between two dragons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceAnswer {
    /// Their stones in vertex order.
    pub stones: [Vec<Vertex>; 2],
    /// The first moving first, the second moving first.
    pub results: [RaceResult; 2],
}

/// All answers about the dragons of a board. Written by [`crate::GoEngine::refine`]; empty for a new position.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryAnswers {
    life: Vec<LifeAnswer>,
    races: Vec<RaceAnswer>,
}

impl QueryAnswers {
    /// Takes an answer in; says whether that is news.
    pub(crate) fn add_life(&mut self, found: LifeAnswer) -> bool {
        let Some(known) = self.life.iter_mut().find(|known| known.stones == found.stones) else {
            self.life.push(found);
            return true;
        };
        let news = [0, 1].map(|side| found.named[side] && !known.named[side]);
        for side in (0..2).filter(|&side| news[side]) {
            (known.readings[side], known.named[side]) = (found.readings[side], true);
        }
        news.contains(&true)
    }

    /// The same for a race.
    pub(crate) fn add_race(&mut self, found: RaceAnswer) -> bool {
        let news = self.race(&found.stones[0], &found.stones[1]).is_none();
        if news {
            self.races.push(found);
        }
        news
    }

    /// The answers about the dragon with these stones, with its enemy and its owner moving first.
    #[must_use]
    pub fn life(&self, stones: &[Vertex], attack: bool) -> Option<LifeReading> {
        let known = self.life.iter().find(|known| known.stones == stones)?;
        let side = usize::from(!attack);
        known.named[side].then_some(known.readings[side])
    }

    /// The answers about the race of the two dragons with these stones, with the first and the second moving first.
    #[must_use]
    pub fn race(&self, first: &[Vertex], second: &[Vertex]) -> Option<[RaceResult; 2]> {
        self.races.iter().find_map(|RaceAnswer { stones: [a, b], results: [ours, theirs] }| {
            match (a == first && b == second, a == second && b == first) {
                (true, _) => Some([*ours, *theirs]),
                (_, true) => Some([*theirs, *ours]),
                _ => None,
            }
        })
    }

    /// The stones of each pair that was asked about.
    pub(super) fn pairs(&self) -> impl Iterator<Item = &[Vec<Vertex>; 2]> {
        self.races.iter().map(|race| &race.stones)
    }

    /// Rule 2: the asked claims about life, by the number of the dragon.
    pub(super) fn claims(&self, known: &Evidence<'_>) -> Vec<Vec<Claim>> {
        let asked = |number: usize, stones: &[Vertex]| {
            let before = known.with(number, &[]);
            let claim = self.life.iter().find(|life| life.stones == stones)?.claim(&before);
            let is_plain =
                matches!(before.safety, Safety::StronglyAlive | Safety::Invincible | Safety::TacticallyDead);
            (!is_plain || claim.status != before.status).then_some(claim)
        };
        let dragons = known.measured.dragons.iter().enumerate();
        dragons.map(|(number, dragon)| asked(number, &dragon.stones).into_iter().collect()).collect()
    }
}

impl LifeAnswer {
    /// The claim that follows from the two answers, with this claim known before.
    fn claim(&self, before: &Verdict) -> Claim {
        let [mut attack, mut defense] = self.readings.map(|found| Play::from(&found));
        let lost = defense.certain && !defense.code.works() && !attack.certain;
        if before.rule != Rule::None && !lost {
            let Owl { attack: enemy_first, defense: owner_first, .. } = before.owl;
            if !attack.certain && enemy_first.certain {
                attack = enemy_first;
            }
            if !defense.certain && owner_first.certain && enemy_first.code.works() {
                defense = owner_first;
            }
        }
        let status = match (attack.code.works(), defense.code.works()) {
            (true, true) => Status::Critical,
            (true, false) => Status::Dead,
            (false, _) if lost => Status::Dead,
            (false, _) => Status::Alive,
        };
        Claim { attack, defense, asked: true, ..Claim::of(Rule::LifeAndDeath, status) }
    }
}

#[cfg(test)]
mod tests;
