//! Facts about a net that hold in all of its states, each with its proof.
//!
//! # Source
//! S. Draper and A. Rose, the player Sancho, for the use of latches. The proofs are Tengen's own.
//!
//! # Notation
//! A *latch* is a base that keeps a value once it has it. A part *stays true* if it is true in each later state once it
//! is true.
//!
//! # Steps
//! 1. Assume that one base has a value, and nothing else. An AND with a false input is false, and an AND with only true
//!    inputs is true. For an OR it is the other way round. If the base's transition follows with the same value, the
//!    base is a latch. The parts on the way to that value are the proof.
//! 2. A latch with the value true stays true, and so does the inverse of a latch with the value false. A part that
//!    reads only such wires stays true. The parts themselves are the proof.
//! 3. [`Structure`] proves groups, turns, a constant sum and sub-games.
//!
//! # Cost
//! The parts that the value of a base reaches, for each base. After `MOST_WORK` such parts the list ends early.

use super::structure::{Alike, Group, Structure};
use super::{Inspection, Kind, Part, Wire};
use crate::net::{Names, Net};
use crate::propagate::Topology;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most parts that are looked at.
const MOST_WORK: usize = 20_000_000;

/// A base that keeps a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latch {
    /// Its part.
    pub base: usize,
    /// The value it keeps.
    pub value: bool,
    /// The parts whose values follow from that one and lead to the transition, in order.
    pub by: Vec<usize>,
}

/// Facts of a net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The latches found, by base.
    pub latches: Vec<Latch>,
    /// Terminal and the goals that stay true once they are.
    pub stay_true: Vec<usize>,
    /// Groups, turns, the sum of goals, sub-games.
    pub structure: Structure,
    /// Whether all bases were looked at, and no proof was given up for its cost.
    pub complete: bool,
}

impl Facts {
    /// Finds them; `inspection` is of the same net.
    #[must_use]
    pub fn new(topology: &Arc<Topology>, inspection: &Inspection) -> Self {
        let structure = Structure::new(topology);
        let mut facts = Self { complete: structure.complete, structure, ..Self::default() };
        let mut work = 0;
        let parts = &inspection.parts;
        let bases: Vec<usize> = (0..inspection.nodes).filter(|&p| parts[p].kind == Kind::Base).collect();
        // Transitions come in the order of bases.
        let nexts = (inspection.nodes..parts.len()).filter(|&p| parts[p].kind == Kind::Next);
        for (&base, next) in bases.iter().zip(nexts) {
            for value in [true, false] {
                if work > MOST_WORK {
                    facts.complete = false;
                    continue;
                }
                if let Some(by) = proof(inspection, (base, value), next, &mut work) {
                    facts.latches.push(Latch { base, value, by });
                }
            }
        }
        facts.stay_true = staying(inspection, &facts.latches);
        facts
    }

    /// As JSON; bases are given by their parts.
    #[must_use]
    pub fn json(&self, net: &Net) -> Value {
        let latch = |l: &Latch| json!({ "base": l.base, "value": l.value, "by": l.by });
        let parts = |bases: &[u32]| bases.iter().map(|&b| net.base_node(b as usize)).collect::<Vec<_>>();
        let group = |group: &Group| json!({ "bases": parts(&group.bases), "exact": group.exact });
        let Structure { groups, turns, sum, sub_games, .. } = &self.structure;
        json!({
            "latches": self.latches.iter().map(latch).collect::<Vec<_>>(),
            "stay_true": self.stay_true,
            "groups": groups.iter().map(group).collect::<Vec<_>>(),
            "turns": parts(turns),
            "sum": sum,
            "sub_games": sub_games.iter().map(|bases| parts(bases)).collect::<Vec<_>>(),
            "complete": self.complete,
        })
    }

    /// As sentences, one for each kind of fact.
    #[must_use]
    pub fn sentences(&self, names: &Names) -> Vec<String> {
        let Structure { turns, sum, sub_games, .. } = &self.structure;
        let mut out = self.structure.alike(names).iter().map(Alike::sentence).collect::<Vec<_>>();
        if !turns.is_empty() {
            let turn =
                |(role, &base): (&String, &u32)| format!("{role} where {} holds", names.bases[base as usize]);
            let all: Vec<String> = names.roles.iter().zip(turns).map(turn).collect();
            out.push(format!("One role at a time has a choice: {}.", all.join(", ")));
        }
        if let (Some(sum), [a, b]) = (sum, names.roles.as_slice()) {
            out.push(format!("The goals of {a} and {b} add up to {sum}."));
        }
        if !sub_games.is_empty() {
            let sizes: Vec<String> = sub_games.iter().map(|bases| bases.len().to_string()).collect();
            let count = sub_games.len();
            out.push(format!("The game has {count} independent sub-games, of {} facts.", sizes.join(", ")));
        }
        for value in [true, false] {
            let kept: Vec<&Latch> = self.latches.iter().filter(|latch| latch.value == value).collect();
            let Some(first) = kept.first() else { continue };
            let (count, fact) = (kept.len(), &names.bases[first.base - 1]);
            out.push(match (value, count) {
                (true, 1) => format!("1 fact holds until the end once it holds: {fact}."),
                (true, _) => format!("{count} facts hold until the end once they hold, such as {fact}."),
                (false, 1) => format!("1 fact never comes back once it is gone: {fact}."),
                (false, _) => format!("{count} facts never come back once they are gone, such as {fact}."),
            });
        }
        if !self.complete {
            out.push("Some proofs were given up for their cost, so more may hold.".into());
        }
        out
    }
}

/// Step 1: the parts that lead from the value of a base to the same value of its transition.
fn proof(
    inspection: &Inspection,
    (base, value): (usize, bool),
    next: usize,
    work: &mut usize,
) -> Option<Vec<usize>> {
    // The value of each part that follows, and the parts it follows from.
    let mut known: BTreeMap<usize, (bool, Vec<usize>)> = BTreeMap::from([(0, (false, Vec::new()))]);
    known.insert(base, (value, Vec::new()));
    let mut open: BTreeSet<usize> = inspection.read_by[base].iter().copied().collect();
    open.insert(next);
    while let Some(part) = open.pop_first() {
        *work += 1;
        let of_wire = |&(from, inverse): &Wire| known.get(&from).map(|k| k.0 ^ inverse);
        let reads = &inspection.parts[part].reads;
        // The value of one input that decides alone.
        let strong = inspection.parts[part].kind == Kind::Or;
        let found = match reads.iter().find(|wire| of_wire(wire) == Some(strong)) {
            Some(one) => Some((strong, vec![one.0])),
            None if reads.iter().all(|wire| of_wire(wire).is_some()) => {
                Some((!strong, reads.iter().map(|wire| wire.0).collect()))
            }
            None => None,
        };
        if let Some(found) = found {
            open.extend(inspection.read_by[part].iter().copied());
            known.insert(part, found);
        }
    }
    if known.get(&next)?.0 != value {
        return None;
    }
    let (mut by, mut open) = (BTreeSet::from([next]), vec![next]);
    while let Some(part) = open.pop() {
        open.extend(known[&part].1.iter().copied().filter(|&from| by.insert(from)));
    }
    Some(by.into_iter().collect())
}

/// Step 2: terminal and the goals that stay true.
fn staying(inspection: &Inspection, latches: &[Latch]) -> Vec<usize> {
    // Of each part whether it stays true, and whether its inverse does.
    let kept: BTreeSet<(usize, bool)> = latches.iter().map(|l| (l.base, l.value)).collect();
    let mut stays: Vec<[bool; 2]> = Vec::with_capacity(inspection.parts.len());
    for (part, Part { kind, reads, .. }) in inspection.parts.iter().enumerate() {
        stays.push(match kind {
            Kind::Constant => [true, true],
            Kind::Input => [false, false],
            Kind::Base => [true, false].map(|value| kept.contains(&(part, value))),
            _ => [false, true].map(|inverted| {
                reads.iter().all(|&(from, inverse)| stays[from][usize::from(inverse ^ inverted)])
            }),
        });
    }
    let is_asked = |part: &usize| matches!(inspection.parts[*part].kind, Kind::Terminal | Kind::Goal);
    (0..stays.len()).filter(is_asked).filter(|&part| stays[part][0]).collect()
}
