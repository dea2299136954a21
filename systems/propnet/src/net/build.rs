//! Builds a propositional network from the ground instances of a rulesheet.
//!
//! # Steps
//! 1. The atoms of `true` are bases and those of `does` are inputs, sorted by role and spelling.
//! 2. Every other atom is the OR of its instances. An instance is the AND of its literals.
//! 3. Atoms are taken in the order of their dependencies. A loop (a recursive component of atoms, always free of
//!    negation) is solved as a whole, see `loops`.
//!
//! # Cost
//! Linear in the instances, apart from loops. A loop that takes too many gates ends in [`BuildError::Loop`].

use super::atoms::Atoms;
use super::loops::LoopError;
use super::{Builder, Lit, Names, Net};
use crate::ground::Grounding;
use crate::program::{Depends, PredId, known};
use crate::scc::components_by;
use crate::term::TermId;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Why no net was built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A loop that takes too many gates.
    #[error("the recursive atoms around `{atom}` ({atoms} of them) need more gates than a net can bear")]
    Loop {
        /// An atom of the loop.
        atom: String,
        /// How many atoms it has.
        atoms: usize,
    },
    /// The caller's time ran out.
    #[error("making the net was stopped before its end")]
    Stopped,
    /// An atom that depends on its own negation.
    #[error("`{atom}` depends on its own negation")]
    Unstratified {
        /// The atom.
        atom: String,
    },
}

/// Builds the net of a grounding, without any pass. `stop` is asked regularly whether to give up.
///
/// # Errors
/// [`BuildError`].
pub fn build(g: &Grounding, stop: &mut dyn FnMut() -> bool) -> Result<Net, BuildError> {
    let atoms = Atoms::new(g);
    let (names, base_rows, input_rows) = names(g);
    let names = Arc::new(names);
    let mut builder = Builder::new(Arc::clone(&names));
    let mut map = vec![Lit::FALSE; atoms.count];
    let mut is_leaf = vec![false; atoms.count];
    for (base, &row) in base_rows.iter().enumerate() {
        let atom = atoms.offset[known::TRUE.index()] + row as usize;
        map[atom] = Lit::of(1 + base);
        is_leaf[atom] = true;
    }
    for (input, &row) in input_rows.iter().enumerate() {
        let atom = atoms.offset[known::DOES.index()] + row as usize;
        map[atom] = Lit::of(1 + base_rows.len() + input);
        is_leaf[atom] = true;
    }
    let component = components_by(atoms.count, |atom, n| {
        if is_leaf[atom] { None } else { atoms.body(atom).get(n).map(|&l| l as usize >> 1) }
    });
    let mut order: Vec<u32> = (0..atoms.count as u32).collect();
    order.sort_by_key(|&a| component[a as usize]);
    let mut parts = Vec::new();
    let groups = order.chunk_by(|&a, &b| component[a as usize] == component[b as usize]);
    for (number, group) in groups.enumerate() {
        if number % 0x4000 == 0 && stop() {
            return Err(BuildError::Stopped);
        }
        let first = group[0] as usize;
        let inside = |l: u32| component[l as usize >> 1] == component[first];
        let is_loop = !is_leaf[first] && atoms.body(first).iter().any(|&l| inside(l));
        if group.len() == 1 && !is_loop {
            if !is_leaf[first] {
                map[first] = atoms.define(&mut builder, first, &map, &mut parts);
            }
            continue;
        }
        if group.iter().any(|&a| atoms.body(a as usize).iter().any(|&l| inside(l) && l & 1 == 1)) {
            return Err(BuildError::Unstratified { atom: atom_text(g, &atoms, first) });
        }
        super::loops::solve(&atoms, group, &mut builder, &mut map, stop).map_err(|why| match why {
            LoopError::Stopped => BuildError::Stopped,
            LoopError::TooLarge => BuildError::Loop { atom: atom_text(g, &atoms, first), atoms: group.len() },
        })?;
    }
    let value = |p: PredId, args: &[TermId]| {
        g.find(p, args).map_or(Lit::FALSE, |row| map[atoms.offset[p.index()] + row as usize])
    };
    let transitions = base_rows.iter().map(|&row| value(known::NEXT, g.args(known::TRUE, row))).collect();
    let legal = input_rows.iter().map(|&row| value(known::LEGAL, g.args(known::DOES, row))).collect();
    let goals = goal_rows(g)
        .into_iter()
        .map(|rows| {
            rows.into_iter().map(|row| map[atoms.offset[known::GOAL.index()] + row as usize]).collect()
        })
        .collect();
    Ok(builder.finish(transitions, legal, value(known::TERMINAL, &[]), goals))
}

fn atom_text(g: &Grounding, atoms: &Atoms, atom: usize) -> String {
    let p = (0..atoms.offset.len())
        .rev()
        .find(|&p| {
            atoms.offset[p] <= atom
                && g.program.predicates[p].depends != Depends::Static
                && atom - atoms.offset[p] < g.atoms(PredId(p as u32))
        })
        .unwrap_or(0);
    let args = g.args(PredId(p as u32), (atom - atoms.offset[p]) as u32);
    let args: String = args.iter().map(|&t| format!(" {}", g.program.text(t))).collect();
    format!("({}{args})", g.program.symbols.name(g.program.predicates[p].name))
}

/// The goal rows of each role, by value.
fn goal_rows(g: &Grounding) -> Vec<Vec<u32>> {
    let roles = g.program.roles();
    let mut rows = vec![Vec::new(); roles.len()];
    for row in 0..g.atoms(known::GOAL) as u32 {
        let args = g.args(known::GOAL, row);
        if let Some(role) = roles.iter().position(|&r| r == args[0]) {
            rows[role].push(row);
        }
    }
    for list in &mut rows {
        list.sort_by_cached_key(|&row| {
            let text = g.program.text(g.args(known::GOAL, row)[1]);
            (text.parse::<i64>().unwrap_or(i64::MAX), text)
        });
    }
    rows
}

/// Step 1: the names, and the rows of bases and inputs in their order.
fn names(g: &Grounding) -> (Names, Vec<u32>, Vec<u32>) {
    let text = |t: TermId| g.program.text(t);
    let mut bases: Vec<(String, u32)> =
        (0..g.atoms(known::TRUE) as u32).map(|row| (text(g.args(known::TRUE, row)[0]), row)).collect();
    bases.sort_unstable();
    let roles = g.program.roles();
    let role_of: FxHashMap<TermId, usize> = roles.iter().enumerate().map(|(n, &r)| (r, n)).collect();
    let mut inputs: Vec<(usize, String, u32)> = (0..g.atoms(known::DOES) as u32)
        .filter_map(|row| {
            let args = g.args(known::DOES, row);
            role_of.get(&args[0]).map(|&role| (role, text(args[1]), row))
        })
        .collect();
    inputs.sort_unstable();
    let mut initial = FixedBitSet::with_capacity(bases.len());
    for (n, (_, row)) in bases.iter().enumerate() {
        initial.set(n, g.find(known::INIT, g.args(known::TRUE, *row)).is_some());
    }
    let role_start = (0..=roles.len()).map(|r| inputs.partition_point(|i| i.0 < r)).collect();
    let goal_values = goal_rows(g)
        .iter()
        .map(|rows| rows.iter().map(|&row| text(g.args(known::GOAL, row)[1])).collect())
        .collect();
    let base_rows = bases.iter().map(|b| b.1).collect();
    let input_rows = inputs.iter().map(|i| i.2).collect();
    let names = Names {
        roles: roles.iter().map(|&r| text(r)).collect(),
        bases: bases.into_iter().map(|b| b.0).collect(),
        role_start,
        moves: inputs.into_iter().map(|i| i.1).collect(),
        goal_values,
        initial,
    };
    (names, base_rows, input_rows)
}
