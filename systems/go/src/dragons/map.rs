//! The map of the dragons and their data.

use super::partition::Partition;
use crate::board::{Board, Color, Line, Vertex};
use crate::eyes::{EyeSpace, EyeValue, HalfEye};
use crate::names::named;
use crate::owl::{Basis, LifeReading};
use crate::surround::SurroundMap;
use crate::tactics::Code;
use bevy_ecs::prelude::Component;
use serde::{Deserialize, Serialize};

named! {
    /// The status of a dragon.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Status {
        /// It lives with either side moving first.
        Alive = "alive",
        /// It dies with either side moving first.
        Dead = "dead",
        /// The side that moves first decides.
        Critical = "critical",
        /// Not known.
        #[default]
        Unknown = "unknown",
    }
}

named! {
    /// The finer classes of GNU Go's manual.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Safety {
        /// A single string that reading finds dead.
        TacticallyDead = "tactically dead",
        /// Found alive by reading, or by eyes.
        Alive = "alive",
        /// Alive without much question.
        StronglyAlive = "strongly alive",
        /// Alive against any play.
        Invincible = "invincible",
        /// Alive in seki.
        AliveInSeki = "alive in seki",
        /// The side that moves first decides.
        Critical = "critical",
        /// Found dead by life-and-death reading.
        Dead = "dead",
        /// Dead and of no importance.
        Inessential = "inessential",
        /// Not known.
        #[default]
        Unknown = "unknown",
    }
}

/// The rule that gave a dragon its status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Rule {
    /// None yet.
    #[default]
    None,
    /// Life that needs no answer (Benson).
    Unconditional,
    /// Tactical reading of its only string.
    Tactics,
    /// Two eyes even after two attacking moves.
    Eyes,
    /// A large moyo or a wide way out.
    Room,
    /// Life-and-death reading.
    LifeAndDeath,
    /// A capturing race.
    Semeai,
    /// Life-and-death reading, contradicted by how such dragons mostly end.
    Odds,
}

/// The result of a side that moves first, and its move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Play {
    /// The result.
    pub code: Code,
    /// Its move and the line after it, up to the end of the reading. Empty if no move is known or needed.
    pub line: Line,
    /// Whether the reading came to its end.
    pub certain: bool,
    /// Whether every move of a closed field was read to its end, and nothing around the field can change the result.
    /// Only odds beyond doubt contradict such a claim.
    pub proved: bool,
}

impl Play {
    /// A certain failure.
    pub const NONE: Self = Self { code: Code::Fail, line: Line::NONE, certain: true, proved: false };
}

impl From<&LifeReading> for Play {
    /// A failure, which has no line.
    fn from(found: &LifeReading) -> Self {
        let line = if found.code.works() { found.line } else { Line::NONE };
        Self { code: found.code, line, certain: found.certain, proved: found.basis == Basis::Proof }
    }
}

/// The data of life-and-death reading about a dragon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owl {
    /// Alive, dead, critical; unknown if it was not asked.
    pub status: Status,
    /// The attacker moving first.
    pub attack: Play,
    /// The owner moving first.
    pub defense: Play,
    /// Whether a single question found it.
    pub asked: bool,
}

impl Owl {
    /// Whether the reading came to its end, with either side moving first.
    #[must_use]
    pub const fn is_sure(&self) -> bool {
        self.attack.certain && self.defense.certain
    }

    /// Whether closed fields prove the status: that it cannot be killed, or its fate with either side moving first.
    #[must_use]
    pub const fn is_proved(&self) -> bool {
        self.attack.proved && (!self.attack.code.works() || self.defense.proved)
    }

    /// Whether a single question found for certain that it can be killed, that it cannot, or that it cannot be saved.
    #[must_use]
    pub const fn is_firm(&self) -> bool {
        self.asked && (self.attack.certain || self.defense.certain && !self.defense.code.works())
    }
}

impl Default for Owl {
    /// The data without any question.
    fn default() -> Self {
        Self { status: Status::Unknown, attack: Play::NONE, defense: Play::NONE, asked: false }
    }
}

/// The part of a dragon in capturing races.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Race {
    /// The number of its races.
    pub count: u32,
    /// Its rival moving first, where that matters.
    pub attack: Play,
    /// The dragon moving first.
    pub defense: Play,
    /// Whether a single question asked about a race.
    pub asked: bool,
}

/// One dragon; the fields have the names of the manual.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dragon {
    /// Its colour.
    pub color: Color,
    /// Its first stone in vertex order.
    pub origin: Vertex,
    /// All stones in vertex order.
    pub stones: Vec<Vertex>,
    /// Origins of its strings in vertex order.
    pub strings: Vec<Vertex>,
    /// Stones and the empty vertices nearer to it than to any other.
    pub effective_size: f32,
    /// The sum of its eye spaces' values.
    pub genus: EyeValue,
    /// Number of half eyes: spaces whose eye depends on who moves.
    pub heyes: u32,
    /// A vital point of such a space.
    pub heye: Option<Vertex>,
    /// Potential to escape, after the effect of being surrounded.
    pub escape_route: u32,
    /// The same without this effect: how far it could run if nothing but its way mattered.
    pub escape2: u32,
    /// The vertices at distance four, over whose escape values the sum goes, in vertex order.
    pub distance_four: Vec<Vertex>,
    /// What reaching this dragon is worth to a friend that runs: 6 if it lives, 0 if it is dead, else 2.
    pub friend_value: u8,
    /// A neighbouring string that it can capture and that could be saved: its origin.
    pub lunch: Option<Vertex>,
    /// The status by eyes and tactics alone.
    pub crude_status: Status,
    /// The data of life-and-death reading.
    pub owl: Owl,
    /// The first of its strings that the line of the attack takes, by its origin.
    pub attack_kworm: Option<Vertex>,
    /// The first enemy string that the line of the defence takes, by its origin.
    pub defense_kworm: Option<Vertex>,
    /// The best trusted status.
    pub status: Status,
    /// The rule that gave the status.
    pub rule: Rule,
    /// The finer class.
    pub safety: Safety,
    /// 0 for safe, 1 for dead or critical.
    pub weakness: f32,
    /// The same before life-and-death reading.
    pub weakness_pre_owl: f32,
    /// Whether and how it is surrounded.
    pub surround: SurroundMap,
    /// Vertices of the moyo around it.
    pub moyo_size: u32,
    /// Their territorial value.
    pub moyo_territorial_value: f32,
    /// Indices of the dragons near it, of both colours, ascending.
    pub neighbors: Vec<u16>,
    /// The number of hostile ones among them.
    pub hostile_neighbors: u32,
    /// Its capturing races.
    pub semeai: Race,
    /// If the odds gave the status: the moves of the enemy and of the owner that their searches prefer.
    pub likely: [Line; 2],
}

impl Dragon {
    /// Number of stones.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.stones.len()
    }

    /// The effective size as GNU Go 3.8 prints it: the stones plus half of the empty vertices.
    #[must_use]
    pub fn recorded_effective_size(&self) -> f32 {
        let stones = self.size() as f32;
        stones + (self.effective_size - stones) / 2.0
    }

    /// The value of the dragon: twice its effective size, as of a string ([`crate::worms::Worm::value`]).
    #[must_use]
    pub fn value(&self) -> f32 {
        2.0 * self.effective_size
    }

    /// The life potential: the share of two eyes that it makes, in the mean of its enemy and its owner moving first,
    /// from 0 to 1. In a race the side of more vitality has more liberties inside, and needs fewer outside.
    #[must_use]
    pub fn vitality(&self) -> f32 {
        f32::from(self.genus.b.min(2) + self.genus.c.min(2)) / 4.0
    }

    /// The attack and the defence of a critical dragon. The race gives them if it gave the status, or if life and
    /// death has no attack. Where reading has no line and the odds gave the status, it is their move alone.
    #[must_use]
    pub fn main_lines(&self) -> Option<[Line; 2]> {
        let (owl, race) = (&self.owl, &self.semeai);
        let raced = race.count > 0 && (self.rule == Rule::Semeai || owl.attack.line.is_empty());
        let [attack, defense] =
            if raced { [&race.attack, &race.defense] } else { [&owl.attack, &owl.defense] };
        let known = |line: Line, likely: Line| if line.is_empty() { likely } else { line };
        let [attack, defense] = [known(attack.line, self.likely[0]), known(defense.line, self.likely[1])];
        (self.status == Status::Critical).then_some([attack, defense])
    }

    /// The first moves of these lines; passes if none is known.
    #[must_use]
    pub fn vital_points(&self) -> Option<(Vertex, Vertex)> {
        self.main_lines().map(|[attack, defense]| (attack.start(), defense.start()))
    }

    /// Whether the status comes from a single question.
    #[must_use]
    pub const fn was_asked(&self) -> bool {
        self.rule_of_asked(self.owl.asked)
    }

    /// Whether it is, and reading came to its end.
    #[must_use]
    pub const fn is_firm(&self) -> bool {
        self.rule_of_asked(self.owl.is_firm())
    }

    const fn rule_of_asked(&self, life: bool) -> bool {
        match self.rule {
            Rule::LifeAndDeath => life,
            Rule::Semeai => self.semeai.asked,
            _ => false,
        }
    }

    /// Whether it is a single string.
    #[must_use]
    pub const fn is_single_string(&self) -> bool {
        self.strings.len() == 1
    }
}

/// The eye spaces of a board.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct EyeMap {
    /// Black's and White's eye spaces, by their first vertices in vertex order.
    pub spaces: [Vec<EyeSpace>; 2],
    /// The false margins beside Black's and White's spaces, in vertex order. They belong to no space.
    pub false_margins: [Vec<Vertex>; 2],
}

impl EyeMap {
    /// The space of this colour that holds the vertex.
    #[must_use]
    pub fn at(&self, v: Vertex, color: Color) -> Option<&EyeSpace> {
        self.spaces[color.index()].iter().find(|space| space.holds(v))
    }

    /// The half or false eye at a vertex.
    #[must_use]
    pub fn half_eye(&self, v: Vertex) -> Option<&HalfEye> {
        self.spaces.iter().flatten().flat_map(|space| &space.half_eyes).find(|half| half.vertex == v)
    }
}

/// The dragons of a board. Written by [`super::DragonsPlugin`].
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct DragonMap {
    /// All dragons by their origins in vertex order.
    pub dragons: Vec<Dragon>,
    /// Per padded vertex the index into `dragons`; `u16::MAX` where there is none.
    pub index: Vec<u16>,
    /// Per padded vertex: the index of the dragon whose eye space the empty vertex belongs to (a cave with one border
    /// colour); `u16::MAX` elsewhere.
    pub cave_border: Vec<u16>,
    /// Tactical questions that the node limit cut off; for life and death each dragon's [`Owl`] says it.
    pub cut_off: u64,
}

impl DragonMap {
    /// The number of dragons whose life-and-death reading the node limit cut off.
    #[must_use]
    pub fn life_cut_off(&self) -> usize {
        let is_cut_off = |d: &&Dragon| !d.owl.is_sure();
        let read = |d: &&Dragon| matches!(d.rule, Rule::LifeAndDeath | Rule::Odds);
        self.dragons.iter().filter(read).filter(is_cut_off).count()
    }

    /// The dragon at a vertex.
    #[must_use]
    pub fn at(&self, v: Vertex) -> Option<&Dragon> {
        self.dragons.get(usize::from(*self.index.get(v.at())?))
    }

    /// Whether two stones are of one dragon.
    #[must_use]
    pub fn same(&self, a: Vertex, b: Vertex) -> bool {
        let index = |v: Vertex| self.index.get(v.at()).copied().filter(|&i| i != u16::MAX);
        index(a).is_some() && index(a) == index(b)
    }

    /// The dragons of a partition, with stones, strings and colours only.
    #[must_use]
    pub fn of_partition(board: &Board, partition: &Partition) -> Self {
        let mut map = Self {
            dragons: Vec::new(),
            index: vec![u16::MAX; board.padded_len()],
            cave_border: vec![u16::MAX; board.padded_len()],
            cut_off: 0,
        };
        let mut number_of_root = vec![u16::MAX; board.padded_len()];
        for v in board.vertices() {
            let Some(color) = board.color_at(v) else { continue };
            let root = partition.root(v);
            if number_of_root[root.at()] == u16::MAX {
                number_of_root[root.at()] = map.dragons.len() as u16;
                map.dragons.push(Dragon { color, origin: v, ..Dragon::default() });
            }
            let number = number_of_root[root.at()];
            map.index[v.at()] = number;
            let dragon = &mut map.dragons[usize::from(number)];
            dragon.stones.push(v);
            if board.origin(v) == v {
                dragon.strings.push(v);
            }
        }
        map
    }
}

#[cfg(test)]
mod tests;
