//! Making dragons: the steps, each of which is a system of the schedule, and all of them in one call.
//!
//! # Source
//! "Worms and Dragons"; GNU Go manual, "Dragons", "Escape", "Surrounded Dragons", "The Owl Code".
//!
//! # Steps
//! 1. `find_eye_spaces`: lively strings by tactics; domains; eye spaces with their values.
//! 2. `join_strings`: which strings are of one dragon ([`super::amalgamate`], [`super::links`]).
//! 3. `measure_dragons`: eyes, neighbours, sizes, what is certain ([`super::measure`]).
//! 4. `find_escapes`: how they are surrounded, how far they run ([`super::escapes`]).
//! 5. `read_life`: life and death of those in doubt ([`super::life`]).
//! 6. `read_races`: races between those still in doubt ([`super::races`]).
//! 7. `read_sekis`: dragons that can't be taken without loss ([`super::seki`]).
//! 8. `decide_status`: the verdict over what all of these claim ([`super::claims`], [`super::decide`]).
//!
//! # Cost
//! Mostly in steps 2 and 5; their limits are fields of [`Effort`].

use super::amalgamate::{Partition, amalgamate};
use super::decide::{Evidence, decide};
use super::escapes::find_escapes;
use super::life::read_life;
use super::links::Links;
use super::map::{DragonMap, EyeMap};
use super::measure::measure;
use super::races::read_races;
use super::seki::read_sekis;
use super::tactics::ReadTactics;
use crate::board::{Board, Color, Vertex};
use crate::effort::Effort;
use crate::eyes::{Domains, EyeSolver, space};
use crate::owl::LifeReader;
use crate::semeai::RaceReader;
use crate::spread::InfluenceMap;
use crate::tactics::{Reader, TacticsMap};
use crate::worms::WormMap;

/// The readers and scratch memory that making dragons needs. One per thread; nothing in it changes an answer.
pub struct Tools {
    /// Tactical reading.
    pub reader: Reader,
    /// Life-and-death reading.
    pub life: LifeReader,
    /// Capturing races.
    pub races: RaceReader,
    /// Eye values.
    pub solver: EyeSolver,
    domains: Domains,
    /// What strings are joined by.
    pub links: Links,
    /// How far all of it reads.
    pub effort: Effort,
}

impl Default for Tools {
    fn default() -> Self {
        Self::new(Effort::default())
    }
}

impl Tools {
    /// Tools that read so far.
    #[must_use]
    pub fn new(effort: Effort) -> Self {
        Self {
            reader: Reader::new(effort.strings),
            life: LifeReader::new(effort.eyes),
            races: RaceReader::default(),
            solver: EyeSolver::with_budget(effort.eyes.board),
            domains: Domains::default(),
            links: Links::new(effort.links),
            effort,
        }
    }
}

/// The first influence pass, as far as dragons look at it.
#[derive(Clone, Copy, Debug)]
pub struct Influences<'a> {
    /// With Black, with White to move.
    pub maps: &'a [InfluenceMap; 2],
    /// Nobody to move.
    pub escape: &'a InfluenceMap,
}

/// Step 1.
pub fn find_eye_spaces(
    board: &Board,
    tactics: &ReadTactics<'_>,
    solver: &mut EyeSolver,
    domains: &mut Domains,
) -> EyeMap {
    let lively = |v: Vertex| tactics.lively(v);
    domains.compute(board, board.vertices(), |_| true, lively);
    EyeMap {
        spaces: Color::BOTH.map(|color| {
            let mut spaces = space::partition(board, domains, color, board.vertices(), lively);
            space::evaluate_all(board, &mut spaces, color, tactics, solver);
            spaces
        }),
    }
}

/// Step 2.
pub fn join_strings(board: &Board, eyes: &EyeMap, tactics: &ReadTactics<'_>, links: &mut Links) -> Partition {
    let mut partition = Partition::of_strings(board);
    let mut links = links.at(board, tactics);
    for color in Color::BOTH {
        amalgamate(color, &eyes.spaces[color.index()], &mut partition, &mut links);
    }
    partition
}

/// All steps. What `read` knows of strings is not read again.
#[must_use]
pub fn build(
    board: &Board,
    worms: &WormMap,
    read: Option<&TacticsMap>,
    influences: Option<Influences<'_>>,
    tools: &mut Tools,
) -> (EyeMap, DragonMap) {
    let Tools { reader, life, races, solver, domains, links, effort } = tools;
    let cut_off = reader.cut_off();
    let tactics = ReadTactics::new(board, reader, effort.safe_move_nodes);
    read.into_iter().for_each(|read| tactics.know(read));
    let eyes = find_eye_spaces(board, &tactics, solver, domains);
    let partition = join_strings(board, &eyes, &tactics, links);
    let (mut measured, certain) = measure(board, worms, &eyes, &partition, influences, &tactics);
    drop(tactics);
    measured.cut_off = reader.cut_off() - cut_off;
    let first = Evidence { measured: &measured, escapes: &[], claims: &[&certain] };
    let escapes = find_escapes(board, influences, &first.map());
    let known = Evidence { escapes: &escapes, ..first };
    let by_life = read_life(board, &known, life, effort.life);
    let known = Evidence { claims: &[&certain, &by_life], ..known };
    let by_races = read_races(board, &known.map(), races, effort.race_nodes);
    let known = Evidence { claims: &[&certain, &by_life, &by_races], ..known };
    let by_sekis = read_sekis(board, &known, life, effort.life);
    let known = Evidence { claims: &[&certain, &by_life, &by_races, &by_sekis], ..known };
    (eyes, decide(worms, &known))
}
