//! The atoms of a grounding in one numbering, and the rule instances that derive each of them.

use super::{Builder, Lit};
use crate::ground::{AtomRef, Grounding};
use crate::program::{Depends, PredId};

/// Ground atoms in one numbering, and their instances.
pub(super) struct Atoms {
    /// First atom of each predicate.
    pub(super) offset: Vec<usize>,
    pub(super) count: usize,
    /// Instances of atom a: `heads[a]..heads[a + 1]`.
    heads: Vec<u32>,
    /// Literals of instance i: `bodies[i]..bodies[i + 1]` of `literals`.
    bodies: Vec<u32>,
    /// Twice the atom, plus one where negated.
    literals: Vec<u32>,
}

impl Atoms {
    pub(super) fn new(g: &Grounding) -> Self {
        let mut offset = Vec::new();
        let mut count = 0;
        for (p, predicate) in g.program.predicates.iter().enumerate() {
            offset.push(count);
            if predicate.depends != Depends::Static {
                count += g.atoms(PredId(p as u32));
            }
        }
        let number = |a: &AtomRef| offset[a.predicate.index()] + a.row as usize;
        let mut heads = vec![0_u32; count + 1];
        g.for_each_instance(|head, _, _| heads[number(&head) + 1] += 1);
        for a in 0..count {
            heads[a + 1] += heads[a];
        }
        let instances = heads[count] as usize;
        let mut next = heads.clone();
        let mut lengths = vec![0_u32; instances + 1];
        g.for_each_instance(|head, positive, negative| {
            let slot = &mut next[number(&head)];
            lengths[*slot as usize + 1] = (positive.len() + negative.len()) as u32;
            *slot += 1;
        });
        for i in 0..instances {
            lengths[i + 1] += lengths[i];
        }
        let bodies = lengths;
        let mut literals = vec![0_u32; bodies[instances] as usize];
        let mut next = heads.clone();
        g.for_each_instance(|head, positive, negative| {
            let slot = &mut next[number(&head)];
            let mut at = bodies[*slot as usize] as usize;
            *slot += 1;
            for (list, sign) in [(positive, 0), (negative, 1)] {
                for a in list {
                    literals[at] = 2 * number(a) as u32 + sign;
                    at += 1;
                }
            }
        });
        Self { offset, count, heads, bodies, literals }
    }

    pub(super) fn instances(&self, atom: usize) -> impl Iterator<Item = &[u32]> {
        (self.heads[atom] as usize..self.heads[atom + 1] as usize)
            .map(|i| &self.literals[self.bodies[i] as usize..self.bodies[i + 1] as usize])
    }

    /// All body literals of an atom's instances as one list.
    pub(super) fn body(&self, atom: usize) -> &[u32] {
        let (first, last) = (self.heads[atom] as usize, self.heads[atom + 1] as usize);
        &self.literals[self.bodies[first] as usize..self.bodies[last] as usize]
    }

    /// The literal of an atom; `map` holds those made so far.
    pub(super) fn define(
        &self,
        builder: &mut Builder,
        atom: usize,
        map: &[Lit],
        parts: &mut Vec<Lit>,
    ) -> Lit {
        parts.clear();
        for body in self.instances(atom) {
            let lit = builder.and(body.iter().map(|&l| map[l as usize >> 1].xor(l & 1 == 1)));
            parts.push(lit);
        }
        builder.or(parts.iter().copied())
    }
}
