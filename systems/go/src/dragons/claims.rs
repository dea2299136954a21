//! The claims of readings about a dragon, and the rules that turn them into a status. Only the function [`verdict`]
//! applies these rules.
//!
//! # Source
//! GNU Go 3.8 manual, "Dragons" (`status`, `safety`, `owl_status`, `semeais`), for the statements about a dragon.
//!
//! # Notation
//! A *claim* is the result of one reading about one dragon. It holds a status, the result with either side moving first
//! and its line, and whether the reading came to its end. A claim is *certain* if the reading came to its end with
//! either side moving first. It is *asked* if a single question made it ([`super::queries`]).
//!
//! # The table
//! The first line that applies gives the status.
//!
//! | claims | status | safety |
//! | --- | --- | --- |
//! | life that needs no answer | alive | invincible |
//! | an asked life-and-death reading that is certain | its result | dead, critical, alive |
//! | the odds, if they differ from tactics, life and death or a race | their result | dead, critical, alive |
//! | life and death proved in a closed field | its result | dead, critical, alive |
//! | its only string can be captured and cannot be saved | dead | tactically dead |
//! | two eyes even after two moves of the enemy; or room | alive | strongly alive |
//! | a race that it survives moving second, unless a certain claim of life and death says that it is dead or critical | alive | alive; in seki if it kills nothing |
//! | a race that it survives moving first, if life and death says dead without certainty | critical | critical |
//! | an asked race that it loses, if the claim of life and death is not certain | the race's result | dead, critical |
//! | life and death says alive, but its only string can be captured | critical | critical |
//! | life and death | its result | dead, critical, alive |
//! | nothing | unknown | unknown |

use super::map::{Dragon, Owl, Play, Race, Rule, Safety, Status};
use crate::board::Line;

/// The claim of one reading about one dragon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its basis.
    pub basis: Rule,
    /// The status of the dragon; unknown if the reading says nothing.
    pub status: Status,
    /// Whether it lives without killing anything or making two eyes.
    pub seki: bool,
    /// Whether a single question found it. The odds do not change it.
    pub asked: bool,
    /// The enemy moving first.
    pub attack: Play,
    /// The owner moving first.
    pub defense: Play,
}

impl Claim {
    /// A claim that needs no moves.
    #[must_use]
    pub const fn of(basis: Rule, status: Status) -> Self {
        Self { basis, status, seki: false, asked: false, attack: Play::NONE, defense: Play::NONE }
    }

    /// As life-and-death data.
    pub(super) const fn owl(&self) -> Owl {
        let Self { status, attack, defense, asked, .. } = *self;
        Owl { status, attack, defense, asked }
    }
}

/// The conclusion from the claims about a dragon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The status.
    pub status: Status,
    /// Its basis.
    pub rule: Rule,
    /// The finer class.
    pub safety: Safety,
    /// The data of life-and-death reading, or of tactical reading of the only string.
    pub owl: Owl,
    /// Its part in races.
    pub race: Race,
    /// The moves of the enemy and of the owner that the odds prefer, if they gave the status.
    pub likely: [Line; 2],
}

impl Verdict {
    /// Writes it into a dragon.
    pub(super) const fn enter(&self, dragon: &mut Dragon) {
        (dragon.status, dragon.rule, dragon.safety) = (self.status, self.rule, self.safety);
        (dragon.owl, dragon.semeai) = (self.owl, self.race);
        dragon.likely = self.likely;
    }
}

/// The verdict of these claims about one dragon, in the order in which they were made.
#[must_use]
pub fn verdict(claims: &[&Claim]) -> Verdict {
    let by = |basis: Rule| claims.iter().rev().find(|c| c.basis == basis).copied();
    let owl = life_and_death(by(Rule::Tactics), by(Rule::LifeAndDeath));
    let race = races(claims, &owl);
    let likely = [Line::NONE; 2];
    let found = |status, rule, safety| Verdict { status, rule, safety, owl, race, likely };
    if by(Rule::Unconditional).is_some() {
        return found(Status::Alive, Rule::Unconditional, Safety::Invincible);
    }
    if by(Rule::LifeAndDeath).is_some_and(|c| c.owl().is_firm()) {
        return found(owl.status, Rule::LifeAndDeath, safety(owl.status));
    }
    if let Some(claim) = by(Rule::Odds) {
        let likely = [claim.attack.line, claim.defense.line];
        return Verdict { likely, ..found(claim.status, Rule::Odds, safety(claim.status)) };
    }
    if by(Rule::LifeAndDeath).is_some_and(|c| c.owl().is_proved()) {
        return found(owl.status, Rule::LifeAndDeath, safety(owl.status));
    }
    if by(Rule::Tactics).is_some_and(|c| c.status == Status::Dead) {
        return found(Status::Dead, Rule::Tactics, Safety::TacticallyDead);
    }
    if let Some(claim) = by(Rule::Eyes).or_else(|| by(Rule::Room)) {
        return found(Status::Alive, claim.basis, Safety::StronglyAlive);
    }
    let revised = claims.iter().filter(|c| c.basis == Rule::Semeai && may_revise(c, &owl));
    let revised = revised.max_by_key(|c| (c.status == Status::Alive, c.status == Status::Critical, !c.seki));
    match revised {
        Some(claim) if claim.status == Status::Alive => {
            let safety = if claim.seki { Safety::AliveInSeki } else { Safety::Alive };
            found(Status::Alive, Rule::Semeai, safety)
        }
        Some(claim) if owl.status == Status::Dead || claim.asked && !owl.is_sure() => {
            found(claim.status, Rule::Semeai, safety(claim.status))
        }
        _ => {
            let judged = by(Rule::LifeAndDeath).map_or(Status::Unknown, |c| c.status);
            let rule = match (judged, owl.status) {
                (Status::Unknown, _) => Rule::None,
                (Status::Alive, Status::Critical) => Rule::Tactics,
                _ => Rule::LifeAndDeath,
            };
            found(owl.status, rule, safety(owl.status))
        }
    }
}

/// The class of a dragon of which reading says this.
const fn safety(status: Status) -> Safety {
    match status {
        Status::Dead => Safety::Dead,
        Status::Critical => Safety::Critical,
        Status::Alive => Safety::Alive,
        Status::Unknown => Safety::Unknown,
    }
}

/// The claim of life and death. A single string that can be captured is at least critical, for any eyes and ways out.
fn life_and_death(tactics: Option<&Claim>, life: Option<&Claim>) -> Owl {
    match (tactics, life) {
        (None, None) => Claim::of(Rule::None, Status::Unknown).owl(),
        (Some(tactics), Some(life))
            if life.status == Status::Alive
                && tactics.attack.code.works()
                && !life.owl().is_proved()
                && !life.owl().is_firm() =>
        {
            Owl { status: Status::Critical, ..tactics.owl() }
        }
        (_, Some(life)) => life.owl(),
        (Some(tactics), None) if tactics.status == Status::Dead => tactics.owl(),
        // What becomes of it is not asked yet.
        (Some(tactics), None) => Owl { status: Status::Unknown, ..tactics.owl() },
    }
}

/// Whether a race adds something to life and death: its search knows which surrounding strings can be taken.
fn may_revise(race: &Claim, owl: &Owl) -> bool {
    let proved = owl.is_sure().then_some(owl.status);
    match race.status {
        Status::Alive => {
            let lives = race.asked && owl.status == Status::Alive;
            !lives && !matches!(proved, Some(Status::Dead | Status::Critical))
        }
        Status::Critical => proved != Some(Status::Dead),
        Status::Dead => race.asked && proved.is_none(),
        Status::Unknown => false,
    }
}

/// The number of races, and the points of the last one that depends on the side to move first.
fn races(claims: &[&Claim], owl: &Owl) -> Race {
    let mut race = Race::default();
    for claim in claims.iter().filter(|c| c.basis == Rule::Semeai) {
        race.count += 1;
        race.asked |= claim.asked;
        if claim.status == Status::Critical && may_revise(claim, owl) {
            (race.attack, race.defense) = (claim.attack, claim.defense);
        }
    }
    race
}

#[cfg(test)]
mod tests;
