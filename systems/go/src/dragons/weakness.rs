//! The weakness of a dragon: a number from 0 (safe) to 1 (dead).
//!
//! # Source
//! The field `weakness` of GNU Go 3.8's dragons; the rules are measured against GNU Go 3.8's answers.
//!
//! # Steps
//! 1. Three tables give a number each, with linear interpolation between their entries. They depend on the moyo's
//!    territorial value, on the escape route, and on the eyes. The number of eyes is half of a sum. The sum adds the
//!    eyes with the attacker moving first, the eyes with the defender moving first, and one for a lunch.
//! 2. The weakness is the smaller of `0.7 x + 0.3 y` and `1.3 x`, where `x <= y` are the two smallest numbers.
//! 3. Uncertain readings add to it.

use super::map::{Dragon, Safety, Status};
use crate::territory::interpolate;

const MOYO: &[(f32, f32)] = &[(0.0, 1.0), (3.0, 0.65), (6.0, 0.3), (9.0, 0.15), (12.0, 0.05), (15.0, 0.0)];
const ESCAPE: &[(f32, f32)] = &[(0.0, 1.0), (5.0, 0.6), (10.0, 0.3), (15.0, 0.1), (20.0, 0.05), (25.0, 0.0)];
const EYES: &[(f32, f32)] =
    &[(0.0, 1.0), (0.5, 0.95), (1.0, 0.8), (1.5, 0.5), (2.0, 0.2), (2.5, 0.1), (3.0, 0.0)];

/// Steps 1 and 2.
#[must_use]
pub fn of_room(moyo_territorial_value: f32, escape_route: u32, eyes: f32) -> f32 {
    let mut parts = [
        interpolate(MOYO, moyo_territorial_value),
        interpolate(ESCAPE, escape_route as f32),
        interpolate(EYES, eyes),
    ];
    parts.sort_by(f32::total_cmp);
    let [x, y, _] = parts;
    (0.7 * x + 0.3 * y).min(1.3 * x)
}

/// Eyes as step 1 counts them.
#[must_use]
pub fn eyes(dragon: &Dragon) -> f32 {
    let lunch = u8::from(dragon.lunch.is_some());
    f32::from(dragon.genus.b + dragon.genus.c + lunch) / 2.0
}

/// All steps for a dragon whose status is known.
#[must_use]
pub fn of_dragon(dragon: &Dragon) -> f32 {
    match (dragon.safety, dragon.status) {
        (Safety::Invincible | Safety::Inessential, _) => return 0.0,
        (Safety::TacticallyDead, _) | (_, Status::Dead | Status::Critical) => return 1.0,
        _ => {}
    }
    let mut weakness = of_room(dragon.moyo_territorial_value, dragon.escape_route, eyes(dragon));
    for certain in [dragon.owl.attack.certain, dragon.owl.defense.certain] {
        if !certain {
            weakness += (0.25 * (1.0 - weakness)).min(0.25 * weakness);
        }
    }
    weakness
}

#[cfg(test)]
mod tests;
