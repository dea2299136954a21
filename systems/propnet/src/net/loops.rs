//! Turns loops of atoms (recursive rules) into gates without a loop.
//!
//! # Source
//! Gaussian elimination over a closed semiring: D. Lehmann, "Algebraic structures for transitive closure", Theoretical
//! Computer Science 4 (1977). The order of elimination: H. Markowitz, "The elimination form of the inverse", Management
//! Science 3 (1957).
//!
//! # Notation
//! The atoms of a loop are the unknowns x of equations x = b or (a and x') or (a' and x'') ... The result is their
//! least solution. b and the *coefficients* a are literals of the net.
//!
//! # Steps
//! 1. The instances of the atoms are read as equations. If an instance has two atoms of the loop, the loop is not
//!    linear and is unrolled (step 5).
//! 2. The unknown with the fewest products of users and used unknowns replaces itself in its users. The equation of a
//!    user gets b and each coefficient of the unknown, times the user's coefficient of it.
//! 3. An unknown that uses itself drops that use, because x = b or (a and x) has the least solution b.
//! 4. When no unknown is left, the unknowns are computed in the opposite order.
//! 5. To unroll a loop, each atom starts as false and is computed again until every path through the loop is covered.
//!
//! # Cost
//! The sum of the products of step 2. For the n cells of a board this is about n^1.5. For a loop in which every atom
//! depends on every other it is n^3. Unrolling costs n times the instances.

use super::atoms::Atoms;
use super::{Builder, Lit};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// The most input literals the gates of one loop may have.
pub(super) const MAX_LOOP_EDGES: usize = 6_000_000;

/// Why a loop was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopError {
    /// It needs more than [`MAX_LOOP_EDGES`].
    TooLarge,
    /// The caller's time ran out.
    Stopped,
}

/// Fills in `map` for the atoms of a loop. All atoms that the loop depends on must be filled in already.
pub(super) fn solve(
    atoms: &Atoms,
    group: &[u32],
    builder: &mut Builder,
    map: &mut [Lit],
    stop: &mut dyn FnMut() -> bool,
) -> Result<(), LoopError> {
    match Equations::read(atoms, group, builder, map) {
        Some(equations) => equations.solve(group, builder, map, stop),
        None => unroll(atoms, group, builder, map, stop),
    }
}

/// The unknowns by their place in the group.
struct Equations {
    /// Per unknown the terms of b.
    constant: Vec<Vec<Lit>>,
    /// Per unknown the unknowns it uses, each with the terms of its coefficient.
    uses: Vec<BTreeMap<u32, Vec<Lit>>>,
    /// Per unknown those that use it.
    users: Vec<BTreeSet<u32>>,
}

/// The equation of an unknown when it was put in its users' places.
struct Solved {
    unknown: u32,
    constant: Lit,
    /// The unknowns it uses, which are solved later, and their coefficients.
    uses: Vec<(u32, Lit)>,
}

impl Equations {
    /// Step 1; `None` if the loop is not linear.
    fn read(atoms: &Atoms, group: &[u32], builder: &mut Builder, map: &[Lit]) -> Option<Self> {
        let mut place: Vec<(u32, u32)> = group.iter().copied().zip(0..).collect();
        place.sort_unstable();
        let place_of = |l: u32| place.binary_search_by_key(&(l >> 1), |p| p.0).ok().map(|at| place[at].1);
        let n = group.len();
        let mut equations = Self {
            constant: vec![Vec::new(); n],
            uses: vec![BTreeMap::new(); n],
            users: vec![BTreeSet::new(); n],
        };
        for (unknown, &atom) in (0..).zip(group) {
            for body in atoms.instances(atom as usize) {
                let mut inside = body.iter().filter_map(|&l| place_of(l));
                let used = inside.next();
                if inside.any(|other| Some(other) != used) {
                    return None;
                }
                let outside = body.iter().filter(|&&l| place_of(l).is_none());
                let term = builder.and(outside.map(|&l| map[l as usize >> 1].xor(l & 1 == 1)));
                match used {
                    None => equations.constant[unknown as usize].push(term),
                    Some(used) => equations.add(unknown, used, term),
                }
            }
        }
        Some(equations)
    }

    /// One more term for the coefficient of `used` in the equation of `user`; step 3.
    fn add(&mut self, user: u32, used: u32, term: Lit) {
        if user != used && term != Lit::FALSE {
            self.uses[user as usize].entry(used).or_default().push(term);
            self.users[used as usize].insert(user);
        }
    }

    /// The products that eliminating an unknown makes.
    fn cost(&self, unknown: u32) -> usize {
        self.users[unknown as usize].len() * (self.uses[unknown as usize].len() + 1)
    }

    /// Steps 2 and 4.
    fn solve(
        mut self,
        group: &[u32],
        builder: &mut Builder,
        map: &mut [Lit],
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), LoopError> {
        let start = builder.edges();
        let mut heap: BinaryHeap<Reverse<(usize, u32)>> =
            (0..group.len() as u32).map(|u| Reverse((self.cost(u), u))).collect();
        let mut done: Vec<Solved> = Vec::with_capacity(group.len());
        let mut gone = vec![false; group.len()];
        while let Some(Reverse((cost, unknown))) = heap.pop() {
            if gone[unknown as usize] || cost != self.cost(unknown) {
                continue;
            }
            gone[unknown as usize] = true;
            let b = builder.or(std::mem::take(&mut self.constant[unknown as usize]));
            let uses: Vec<(u32, Lit)> = std::mem::take(&mut self.uses[unknown as usize])
                .into_iter()
                .map(|(used, terms)| (used, builder.or(terms)))
                .collect();
            let users = std::mem::take(&mut self.users[unknown as usize]);
            for (used, _) in &uses {
                self.users[*used as usize].remove(&unknown);
            }
            for &user in &users {
                let terms = self.uses[user as usize].remove(&unknown).unwrap_or_default();
                let a = builder.or(terms);
                let term = builder.and([a, b]);
                self.constant[user as usize].push(term);
                for &(used, coefficient) in &uses {
                    let term = builder.and([a, coefficient]);
                    self.add(user, used, term);
                }
            }
            if builder.edges() - start > MAX_LOOP_EDGES {
                return Err(LoopError::TooLarge);
            }
            if done.len() % 64 == 63 && stop() {
                return Err(LoopError::Stopped);
            }
            for &other in uses.iter().map(|(used, _)| used).chain(&users) {
                heap.push(Reverse((self.cost(other), other)));
            }
            done.push(Solved { unknown, constant: b, uses });
        }
        for Solved { unknown, constant, uses } in done.into_iter().rev() {
            let mut terms = vec![constant];
            for (used, coefficient) in uses {
                terms.push(builder.and([coefficient, map[group[used as usize] as usize]]));
            }
            map[group[unknown as usize] as usize] = builder.or(terms);
        }
        Ok(())
    }
}

/// Step 5. After k rounds an atom holds the paths of at most k instances through the loop.
fn unroll(
    atoms: &Atoms,
    group: &[u32],
    builder: &mut Builder,
    map: &mut [Lit],
    stop: &mut dyn FnMut() -> bool,
) -> Result<(), LoopError> {
    let start = builder.edges();
    let mut parts = Vec::new();
    for _ in 0..group.len() {
        let mut changed = false;
        for &a in group {
            // Taking values of this very round shortens paths and changes no result.
            let lit = atoms.define(builder, a as usize, map, &mut parts);
            changed |= lit != map[a as usize];
            map[a as usize] = lit;
        }
        if !changed {
            break;
        }
        if builder.edges() - start > MAX_LOOP_EDGES {
            return Err(LoopError::TooLarge);
        }
        if stop() {
            return Err(LoopError::Stopped);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::game::{Game, LoadLimits};
    use crate::machine::{ProverMachine, StateMachine as _};
    use crate::program::Program;
    use std::fmt::Write as _;
    use tengen_core::SplitMix64;

    /// A graph whose nodes moves close and open again; `reach` is its loop.
    fn graph(nodes: u32, edges: u32, reach: &str, rng: &mut SplitMix64) -> String {
        let mut text = format!(
            "(role r) (init (wall 1)) (init (n 0)) (<= (legal r (toggle ?x)) (node ?x)) {reach}
             (<= (next (wall ?x)) (true (wall ?x)) (not (does r (toggle ?x))))
             (<= (next (wall ?x)) (does r (toggle ?x)) (not (true (wall ?x))))
             (<= (open ?x) (node ?x) (not (true (wall ?x))))
             (<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) (<= (next (reached ?x)) (reach 0 ?x))
             (<= terminal (true (n 12))) (<= (goal r 100) (reach 0 2)) (<= (goal r 0) (not (reach 0 2)))"
        );
        (0..nodes).for_each(|n| write!(text, "(node {n})").unwrap());
        (0..12).for_each(|n| write!(text, "(s {n} {})", n + 1).unwrap());
        (0..edges).for_each(|_| write!(text, "(edge {} {})", rng.below(nodes), rng.below(nodes)).unwrap());
        text
    }

    const LINEAR: &str =
        "(<= (reach ?x ?x) (node ?x)) (<= (reach ?x ?z) (reach ?x ?y) (edge ?y ?z) (open ?z))";
    const BACKWARD: &str =
        "(<= (reach ?x ?x) (node ?x)) (<= (reach ?x ?z) (edge ?x ?y) (open ?y) (reach ?y ?z))";
    const DOUBLED: &str = "(<= (reach ?x ?y) (edge ?x ?y) (open ?y)) (<= (reach ?x ?x) (node ?x))
        (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))";

    #[test]
    fn the_gates_of_a_loop_say_what_the_rules_say() {
        let mut rng = SplitMix64::new(1);
        for (nodes, edges) in [(3, 4), (5, 8), (7, 14), (9, 30)] {
            for reach in [LINEAR, BACKWARD, DOUBLED] {
                let text = graph(nodes, edges, reach, &mut rng);
                let game = Game::load(&text, LoadLimits::default(), &mut || false).unwrap();
                let mut machine = game.machine("ordered").unwrap();
                let mut oracle = ProverMachine::new(Program::read(&text).unwrap()).unwrap();
                let (mut state, mut truth) = (machine.initial(), oracle.initial());
                for _ in 0..12 {
                    machine.enter(&state).unwrap();
                    oracle.enter(&truth).unwrap();
                    let expected = oracle.describe(&truth).unwrap();
                    assert_eq!(machine.describe(&state).unwrap(), expected, "{text}");
                    let moves = [format!("(toggle {})", rng.below(nodes))];
                    let joint = machine.joint_move(&moves).unwrap();
                    state = machine.successor(&joint).unwrap();
                    let joint = oracle.joint_move(&moves).unwrap();
                    truth = oracle.successor(&joint).unwrap();
                }
            }
        }
    }

    #[test]
    fn reaching_across_a_board_takes_few_gates() {
        // Unrolled, each of up to 64 rounds would take a gate for each of the 64 cells.
        let mut text = "(role r) (init (n 0)) (<= (legal r (put ?x ?y)) (index ?x) (index ?y))
            (<= (next (stone ?x ?y)) (does r (put ?x ?y))) (<= (next (stone ?x ?y)) (true (stone ?x ?y)))
            (<= (across 0 ?y) (true (stone 0 ?y)))
            (<= (across ?x ?y) (across ?u ?v) (next_to ?u ?v ?x ?y) (true (stone ?x ?y)))
            (<= (next_to ?x ?y ?z ?y) (index ?y) (step ?x ?z)) (<= (next_to ?x ?y ?x ?z) (index ?x) (step ?y ?z))
            (<= (step ?x ?y) (s ?x ?y)) (<= (step ?x ?y) (s ?y ?x)) (<= terminal (across 7 ?y)) (goal r 0)"
            .to_owned();
        (0..8).for_each(|n| write!(text, "(index {n})").unwrap());
        (0..7).for_each(|n| write!(text, "(s {n} {})", n + 1).unwrap());
        let game = Game::load(&text, LoadLimits::default(), &mut || false).unwrap();
        let gates = game.topology.unwrap().net.gates();
        assert!(gates < 64 * 64 / 2, "{gates}");
    }
}
