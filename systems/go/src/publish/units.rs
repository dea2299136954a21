//! The components of the entities of a board. Fields have the names of the GNU Go 3.8 manual, chapters "Worms and
//! Dragons" and "Influence".

use crate::board::{Color, Vertex};
use crate::dragons::{Play, Rule, Safety, Status, Threat};
use crate::eyes::{EyeValue, HalfEye};
use crate::moves::{Cause, Reason, Terms};
use crate::surround::Surround;
use crate::tactics::{Code, Reading};
use crate::worms::WormColor;
use bevy_ecs::prelude::*;

/// A string, by its index in `WormMap`. Written by `publish_worms`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Worm(pub u16);

/// An empty worm, by its index in `WormMap`. Written by `publish_worms`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cavity(pub u16);

/// Strings that share their fate, by the index in `DragonMap`. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dragon(pub u16);

/// Cavities that count as one, by the index in `CaveMap`. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cave(pub u16);

/// An eye space: Black's by their origins, then White's. Written by `publish_eyes`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Eye(pub u16);

/// A source of influence, Black's by their vertices, then White's. Written by `publish_sources`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source(pub u16);

/// A break-in into a territory, by its index in `BreakIns`. Written by `publish_break_ins`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BreakIn(pub u16);

/// A candidate move, by its index in `MoveList`. Written by `publish_moves`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move(pub u16);

/// The distinguished vertex: the first one in vertex order; of a source or a move its only one. Written with the marker.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(pub Vertex);

/// The colour of the stones, or the owner of an eye space or a source. Written with the marker.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoneColor(pub Color);

/// The border colour of a cavity or a cave. Written with the marker.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BorderColor(pub WormColor);

/// Number of vertices. Written with the marker.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(pub u16);

/// Stones and their share of the empty vertices around. Written by `publish_worms`, `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct EffectiveSize(pub f32);

/// The area that changes sides if the stones are taken instead of saved, in points. Written by `publish_worms`,
/// `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Value(pub f32);

/// What holds of a string however its opponent plays. Written by `publish_worms`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unconditional {
    /// Whether it can never be taken.
    pub invincible: bool,
    /// Alive, dead or undecided.
    pub status: crate::unconditional::Status,
}

/// Number of liberties of order 1, 2, 3, 4. Written by `publish_worms`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Liberties(pub [u16; 4]);

/// The cuts of a string. Written by `publish_worms`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutting {
    /// 2 for a cutting stone, 1 for a potential one, else 0.
    pub cutstone: u8,
    /// The number of cutting points that saving it would make.
    pub cutstone2: u8,
}

/// Connected components of the complement, minus one. Written by `publish_worms`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Genus(pub u16);

/// Whether a worm is in a ko. Written by `publish_worms`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ko(pub bool);

/// No life potential unless a surrounding string is killed. Written by `publish_worms`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inessential(pub bool);

/// An enemy string that can be captured, by its origin. Written by `publish_worms`, `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lunch(pub Option<Vertex>);

/// The readings of a string; all codes fail if reading was not requested. Written by `publish_worms`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tactics {
    /// The opponent's result, moving first.
    pub attack: Code,
    /// His move; a pass if there is none.
    pub attack_point: Vertex,
    /// The owner's result, moving first, if the attack works.
    pub defense: Code,
    /// The owner's move; a pass if there is none.
    pub defense_point: Vertex,
    /// Whether a node limit cut the reading off.
    pub limit_hit: bool,
}

/// The moves that reading found for and against a string, each list with the best known first; empty if reading was not
/// requested. Written by `publish_worms`.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub struct TacticalPoints {
    /// Moves that capture it.
    pub attack: Vec<(Vertex, Code)>,
    /// Moves that save it.
    pub defense: Vec<(Vertex, Code)>,
    /// Moves after which an attack works that does not now.
    pub attack_threats: Vec<(Vertex, Code)>,
    /// Moves after which a second move saves it although it cannot be saved now.
    pub defense_threats: Vec<(Vertex, Code)>,
}

/// The strings of a dragon: [`Worm`] entities in vertex order. Written by `publish_dragons`.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct Strings(pub Vec<Entity>);

/// The eyes of a dragon. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eyes {
    /// The sum of its eye spaces' values.
    pub genus: EyeValue,
    /// Number of half eyes.
    pub heyes: u32,
    /// A vital point of one.
    pub heye: Option<Vertex>,
}

/// The moyo around a dragon. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Moyo {
    /// Vertices.
    pub size: u32,
    /// Their territorial value.
    pub territorial_value: f32,
}

/// Potential to escape, after the effect of being surrounded. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escape(pub u32);

/// Potential to escape without this effect. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escape2(pub u32);

/// The vertices at distance four over whose escape values [`Escape2`] sums, in vertex order. Written by
/// `publish_dragons`.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct DistanceFour(pub Vec<Vertex>);

/// What reaching a dragon is worth to a friend that runs: 6 if it lives, 0 if it is dead, else 2. Written by
/// `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct FriendValue(pub u8);

/// The share of two eyes that a dragon makes, in the mean of either side moving first. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Vitality(pub f32);

/// Whether and how a dragon is surrounded. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surrounded(pub Surround);

/// Whether a dragon lives, and why that is believed. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// By eyes and tactics alone.
    pub crude_status: Status,
    /// The best trusted status.
    pub status: Status,
    /// The rule that gave it.
    pub rule: Rule,
    /// The finer class.
    pub safety: Safety,
    /// Whether a single question found the status.
    pub asked: bool,
}

/// The dragons near a dragon: [`Dragon`] entities. Written by `publish_dragons`.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct Neighbors {
    /// They, of both colours, in the order of `DragonMap`.
    pub dragons: Vec<Entity>,
    /// The number of hostile ones among them.
    pub hostile: u32,
}

/// The hull of the stones around a dragon. Written by `publish_dragons`.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct Hull {
    /// The surround set: the stones and their feet that the hull goes around, in vertex order.
    pub set: Vec<Vertex>,
    /// Its corners in order around it, as (column, row) from the top left.
    pub corners: Vec<(i32, i32)>,
    /// The vertices inside it, whether or not it holds the dragon.
    pub inside: Vec<Vertex>,
    /// The vertices next to it from outside.
    pub margin: Vec<Vertex>,
}

/// The answers of life-and-death reading about a dragon. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwlReading {
    /// Alive, dead, critical; unknown if it was not asked.
    pub status: Status,
    /// The attacker moving first.
    pub attack: Play,
    /// The owner moving first.
    pub defense: Play,
}

/// The strings that the lines of life-and-death reading take, by their origins. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kworms {
    /// The first of the dragon's strings that the attack takes.
    pub attack: Option<Vertex>,
    /// The first enemy string that the defence takes.
    pub defense: Option<Vertex>,
}

/// Two moves in a row that kill or save a dragon; unchecked unless `GoEngine::read_threats` reads it. `publish_dragons`
/// writes it anew at each analysis.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwlThreat(pub Threat);

/// The cavities of a cave: [`Cavity`] entities in vertex order. Several are the boundary components of inessential
/// strings. Written by `publish_dragons`.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct Cavities(pub Vec<Entity>);

/// The part of a dragon in capturing races. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semeai {
    /// The number of its races.
    pub count: u32,
    /// Its rival moving first, where that matters.
    pub attack: Play,
    /// The dragon moving first.
    pub defense: Play,
}

/// The weakness of a dragon before life-and-death reading. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct WeaknessPreOwl(pub f32);

/// The weakness of a dragon: 0 safe, 1 dead or critical. Written by `publish_dragons`.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Weakness(pub f32);

/// The value of an eye space. Written by `publish_eyes`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct EyeWorth {
    /// Eyes, by the side that moves first and its number of moves.
    pub value: EyeValue,
    /// The number of its marginal vertices.
    pub marginal: u16,
}

/// The half and false eyes of an eye space, in vertex order. Written by `publish_eyes`.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct HalfEyes(pub Vec<HalfEye>);

/// Moves that decide an eye space, best known first; none unless its value is hot. Written by `publish_eyes`.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct VitalPoints {
    /// The attacker's.
    pub attack: Vec<Vertex>,
    /// The defender's.
    pub defence: Vec<Vertex>,
}

/// The strength of a source, and how fast its influence fades. Written by `publish_sources`.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The influence at its own vertex.
    pub strength: f32,
    /// The divisor of each step.
    pub attenuation: f32,
}

/// The territory of a break-in, and what reading found. Written by `publish_break_ins`.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct Intrusion {
    /// A vertex in the midst of the territory.
    pub around: Vertex,
    /// The intruder's result, moving first.
    pub break_in: Reading,
    /// The result of the territory's owner, moving first.
    pub block_off: Reading,
    /// The vertices that leave the territory.
    pub lost: Vec<Vertex>,
}

/// Why a move might be good, in the order in which it was found. Written by `publish_moves`.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct MoveReasons(pub Vec<Reason>);

/// The value of a move in points. Written by `publish_moves`.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct MoveValue {
    /// The sum of the terms, by which moves are compared.
    pub value: f32,
    /// Its terms.
    pub terms: Terms,
    /// The gain of a second move here; half of it counts, and no more than the move itself gains.
    pub followup: f32,
    /// The same for the opponent if he had moved here first.
    pub reverse_followup: f32,
}

/// The causes of the terms of a move's value. Written by `publish_moves`.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct MoveCauses(pub Vec<Cause>);
