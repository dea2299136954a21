//! The systems that make the entities of a board. Each system makes one or two kinds. They treat the map of a stage
//! that was not requested as empty, because its content belongs to an earlier position.

use super::reached::{last_pass, reached};
use super::{
    BorderColor, BreakIn, Cave, Cavities, Cavity, Cutting, DistanceFour, Dragon, DragonOf, EffectiveSize,
    Escape, Escape2, Eye, EyeWorth, Eyes, FriendValue, Genus, HalfEyes, Hull, Inessential, Intrusion, Ko,
    Kworms, Liberties, Life, Lunch, Move, MoveCauses, MoveReasons, MoveValue, Moyo, Neighbors, Origin,
    OwlReading, OwlThreat, Semeai, Size, Source, StoneColor, Strength, Strings, Surrounded, TacticalPoints,
    Tactics, Unconditional, Units, Value, VitalPoints, Vitality, Weakness, WeaknessPreOwl, Worm,
};
use crate::board::Color;
use crate::dragons::{self, CaveMap, DragonMap, EyeMap};
use crate::influence::{BreakIns, FirstInfluence, SecondInfluence};
use crate::moves::MoveList;
use crate::schedule::{AnalyseSystems, LastStage};
use crate::tactics::TacticsMap;
use crate::unconditional::UnconditionalMap;
use crate::world::{BoardSlot, Position};
use crate::worms::WormMap;
use bevy_ecs::prelude::*;

type WithWorms<'a> = (
    &'a BoardSlot,
    &'a Position,
    Option<&'a WormMap>,
    Option<&'a UnconditionalMap>,
    Option<&'a TacticsMap>,
    &'a mut Units,
);

/// Makes [`Worm`]s and [`Cavity`]s.
pub(super) fn publish_worms(last: Res<LastStage>, mut boards: Query<WithWorms<'_>>, mut commands: Commands) {
    for (&slot, position, worms, certain, tactics, mut units) in &mut boards {
        let worms = reached(worms, *last, AnalyseSystems::Worms).map_or(&[][..], |w| &w.worms);
        let certain = reached(certain, *last, AnalyseSystems::Worms);
        let tactics = reached(tactics, *last, AnalyseSystems::Tactics);
        let numbered = || worms.iter().zip(0_u16..);
        let strings = numbered().filter_map(|(worm, i)| {
            let read = tactics.and_then(|t| t.at(&position.board, worm.origin));
            let tactics = read.map_or_else(Tactics::default, |read| Tactics {
                attack: read.attack,
                attack_point: read.attack_point,
                defense: read.defense,
                defense_point: read.defense_point,
                limit_hit: read.limit_hit,
            });
            let points = read.map_or_else(TacticalPoints::default, |read| TacticalPoints {
                attack: read.attack_points.clone(),
                defense: read.defense_points.clone(),
                attack_threats: read.attack_threats.clone(),
                defense_threats: read.defense_threats.clone(),
            });
            let facts = (
                Origin(worm.origin),
                StoneColor(worm.color.stone()?),
                Size(worm.size),
                EffectiveSize(worm.effective_size),
                Liberties(worm.liberties),
                Cutting { cutstone: worm.cutstone, cutstone2: worm.cutstone2 },
                Genus(worm.genus),
                Ko(worm.ko),
                Inessential(worm.inessential),
                Lunch(worm.lunch),
                Value(worm.value()),
                Unconditional {
                    invincible: certain.is_some_and(|map| map.is_invincible(worm.origin)),
                    status: certain.map_or_else(Default::default, |map| map.at(worm.origin)),
                },
                tactics,
                points,
            );
            Some((Worm(i), facts))
        });
        let stones = worms.iter().filter(|worm| worm.color.stone().is_some());
        units.worms.assign(&mut commands, slot, stones.map(|worm| (worm.origin, worm.color.stone())));
        units.worms.write(&mut commands, strings);
        let cavities = || numbered().filter(|(worm, _)| worm.color.stone().is_none());
        units.cavities.assign(&mut commands, slot, cavities().map(|(worm, _)| (worm.origin, None)));
        let facts = cavities().map(|(worm, i)| {
            (Cavity(i), (Origin(worm.origin), BorderColor(worm.color), Size(worm.size), Ko(worm.ko)))
        });
        units.cavities.write(&mut commands, facts);
    }
}

type WithDragons<'a> =
    (&'a BoardSlot, Option<&'a WormMap>, Option<&'a DragonMap>, Option<&'a CaveMap>, &'a mut Units);

/// Makes [`Dragon`]s and [`Cave`]s.
pub(super) fn publish_dragons(
    last: Res<LastStage>,
    mut boards: Query<WithDragons<'_>>,
    mut commands: Commands,
) {
    for (&slot, worms, map, caves, mut units) in &mut boards {
        let units = &mut *units;
        let map = reached(map, *last, AnalyseSystems::Dragons);
        let worms = worms.map_or(&[][..], |w| &w.worms);
        let strings = worms.iter().filter(|w| w.color.stone().is_some()).zip(units.worms.live());
        let worm_of: Vec<_> = strings.map(|(worm, &entity)| (worm.origin, entity)).collect();
        let cavities = worms.iter().filter(|w| w.color.stone().is_none()).zip(units.cavities.live());
        let cavity_of: Vec<_> = cavities.map(|(worm, &entity)| (worm.origin, entity)).collect();
        let dragons = map.map_or(&[][..], |m| &m.dragons);
        units.dragons.assign(&mut commands, slot, dragons.iter().map(|d| (d.origin, Some(d.color))));
        let entities = units.dragons.live();
        let facts = dragons.iter().zip(0_u16..).map(|(d, i)| {
            let strings = d.strings.iter().filter_map(|s| {
                let at = worm_of.binary_search_by_key(s, |w| w.0).ok()?;
                Some(worm_of[at].1)
            });
            let near = d.neighbors.iter().filter_map(|&n| entities.get(usize::from(n)).copied());
            let facts = (
                Origin(d.origin),
                StoneColor(d.color),
                Size(d.size() as u16),
                EffectiveSize(d.effective_size),
                Strings(strings.collect()),
                Eyes { genus: d.genus, heyes: d.heyes, heye: d.heye },
                Moyo { size: d.moyo_size, territorial_value: d.moyo_territorial_value },
                Escape(d.escape_route),
                Escape2(d.escape2),
                DistanceFour(d.distance_four.clone()),
                FriendValue(d.friend_value),
                Value(d.value()),
                Vitality(d.vitality()),
                Surrounded(d.surround.status),
                Lunch(d.lunch),
                Life {
                    crude_status: d.crude_status,
                    status: d.status,
                    rule: d.rule,
                    safety: d.safety,
                    asked: d.was_asked(),
                },
                Weakness(d.weakness),
                WeaknessPreOwl(d.weakness_pre_owl),
                Neighbors { dragons: near.collect(), hostile: d.hostile_neighbors },
                hull(d),
                OwlReading { status: d.owl.status, attack: d.owl.attack, defense: d.owl.defense },
                Kworms { attack: d.attack_kworm, defense: d.defense_kworm },
                OwlThreat::default(),
                Semeai { count: d.semeai.count, attack: d.semeai.attack, defense: d.semeai.defense },
            );
            (Dragon(i), facts)
        });
        units.dragons.write(&mut commands, facts);
        let caves = reached(caves, *last, AnalyseSystems::Dragons).map_or(&[][..], |c| &c.caves);
        let dragons = units.dragons.live();
        units.caves.assign(&mut commands, slot, caves.iter().map(|cave| (cave.origin, None)));
        let facts = caves.iter().zip(0_u16..).map(|(cave, i)| {
            let border =
                cave.border.zip(map).and_then(|(v, map)| dragons.get(usize::from(map.index[v.at()])));
            let border = DragonOf(border.copied());
            let parts = cave.cavities.iter().filter_map(|origin| {
                let at = cavity_of.binary_search_by_key(origin, |c| c.0).ok()?;
                Some(cavity_of[at].1)
            });
            let parts = Cavities(parts.collect());
            (Cave(i), (Origin(cave.origin), BorderColor(cave.color), Size(cave.size), border, parts))
        });
        units.caves.write(&mut commands, facts);
    }
}

/// The surroundings of a dragon.
fn hull(d: &dragons::Dragon) -> Hull {
    Hull {
        set: d.surround.set.clone(),
        corners: d.surround.hull.iter().map(|p| (p.x, p.y)).collect(),
        inside: d.surround.inside.clone(),
        margin: d.surround.margin.clone(),
    }
}

/// Makes [`Eye`]s.
pub(super) fn publish_eyes(
    last: Res<LastStage>,
    mut boards: Query<(&BoardSlot, Option<&EyeMap>, &mut Units)>,
    mut commands: Commands,
) {
    for (&slot, eyes, mut units) in &mut boards {
        let eyes = reached(eyes, *last, AnalyseSystems::Dragons);
        let of = |color: Color| eyes.map_or(&[][..], |e| &e.spaces[color.index()]).iter();
        let spaces = || Color::BOTH.into_iter().flat_map(|color| of(color).map(move |space| (color, space)));
        let known_by = spaces().map(|(color, space)| (space.origin(), Some(color)));
        units.eyes.assign(&mut commands, slot, known_by);
        let facts = spaces().zip(0_u16..).map(|((color, space), i)| {
            let facts = (
                Origin(space.origin()),
                StoneColor(color),
                Size(space.vertices.len() as u16),
                EyeWorth { value: space.value, marginal: space.marginal_count() as u16 },
                VitalPoints { attack: space.attack_points.clone(), defence: space.defence_points.clone() },
                HalfEyes(space.half_eyes.clone()),
            );
            (Eye(i), facts)
        });
        units.eyes.write(&mut commands, facts);
    }
}

type WithInfluence<'a> =
    (&'a BoardSlot, &'a Position, Option<&'a FirstInfluence>, Option<&'a SecondInfluence>, &'a mut Units);

/// Makes [`Source`]s.
pub(super) fn publish_sources(
    last: Res<LastStage>,
    mut boards: Query<WithInfluence<'_>>,
    mut commands: Commands,
) {
    for (&slot, position, first, second, mut units) in &mut boards {
        let field = last_pass(position, *last, first, second).map(|map| &map.field);
        let sources = field.into_iter().flat_map(|field| {
            Color::BOTH.into_iter().flat_map(move |color| {
                position.board.vertices().filter_map(move |v| {
                    let strength = field.strength[color.index()][v.at()];
                    let attenuation = field.attenuation[color.index()][v.at()];
                    (strength > 0.0).then_some((v, color, Strength { strength, attenuation }))
                })
            })
        });
        let sources: Vec<_> = sources.collect();
        units.sources.assign(&mut commands, slot, sources.iter().map(|&(v, color, _)| (v, Some(color))));
        let facts = sources
            .into_iter()
            .zip(0_u16..)
            .map(|((v, color, strength), i)| (Source(i), (Origin(v), StoneColor(color), strength)));
        units.sources.write(&mut commands, facts);
    }
}

/// Makes [`BreakIn`]s.
pub(super) fn publish_break_ins(
    last: Res<LastStage>,
    mut boards: Query<(&BoardSlot, Option<&BreakIns>, &mut Units)>,
    mut commands: Commands,
) {
    for (&slot, found, mut units) in &mut boards {
        let found = reached(found, *last, AnalyseSystems::SecondInfluence).map_or(&[][..], |found| &found.0);
        let known_by = found.iter().map(|of| (of.intruder, Some(of.owner)));
        units.break_ins.assign(&mut commands, slot, known_by);
        let facts = found.iter().zip(0_u16..).map(|(of, i)| {
            let intrusion = Intrusion {
                around: of.around,
                break_in: of.break_in.clone(),
                block_off: of.block_off.clone(),
                lost: of.lost.clone(),
            };
            (BreakIn(i), (Origin(of.intruder), StoneColor(of.owner), intrusion))
        });
        units.break_ins.write(&mut commands, facts);
    }
}

/// Makes [`Move`]s.
pub(super) fn publish_moves(
    last: Res<LastStage>,
    mut boards: Query<(&BoardSlot, Option<&MoveList>, &mut Units)>,
    mut commands: Commands,
) {
    for (&slot, list, mut units) in &mut boards {
        let list = reached(list, *last, AnalyseSystems::MoveEvaluation);
        let candidates = list.map_or(&[][..], |l| &l.candidates);
        units.moves.assign(&mut commands, slot, candidates.iter().map(|candidate| (candidate.vertex, None)));
        let facts = candidates.iter().zip(0_u16..).map(|(candidate, i)| {
            let value = MoveValue {
                value: candidate.value,
                terms: candidate.terms,
                followup: candidate.followup_value,
                reverse_followup: candidate.reverse_value,
            };
            let facts = (
                Origin(candidate.vertex),
                MoveReasons(candidate.reasons.clone()),
                value,
                MoveCauses(candidate.causes.clone()),
            );
            (Move(i), facts)
        });
        units.moves.write(&mut commands, facts);
    }
}
