use super::super::arm::LEARNT;
use super::*;
use fixedbitset::FixedBitSet;
use tengen_core::SplitMix64;

/// A tree of one role: a root with these many arms, some with a child, some of those solved.
fn sown(rng: &mut SplitMix64, arms: u32) -> Tree {
    let numbering = crate::numbering::NumberingId::new();
    let mut made = 0;
    let mut opened = |legal: Vec<MoveId>, goals: Option<Arc<[f64]>>| {
        let mut facts = FixedBitSet::with_capacity(64);
        facts.insert_range(0..made);
        made += 1;
        let state = Arc::new(State::new(numbering, facts));
        let (hash, ends) = (hash_of(&state), vec![legal.len() as u32]);
        Opened { state, hash, legal, ends, goals }
    };
    let mut tree = Tree::new(1, None);
    tree.insert(opened((0..arms).collect(), None));
    tree.heads[0].visits = 1 + rng.below(50);
    for arm in 0..arms {
        if rng.below(4) == 0 {
            continue;
        }
        let goal = f64::from(rng.below(5)) * 25.0;
        let solved: Option<Arc<[f64]>> = (rng.below(2) == 0).then(|| [goal].into());
        let child = tree.insert(opened(vec![0], solved));
        let visits = 1 + rng.below(8);
        tree.arms[arm as usize] = Arm { child, visits, sum: f64::from(rng.below(100 * visits)) };
    }
    tree
}

/// The arm to pick when all children are looked up.
fn picked_by_looking_up_all(tree: &Tree) -> usize {
    let log = f64::from(tree.heads[0].visits).ln();
    let bound = |arm: Arm| match tree.solved_value(0, 0, arm) {
        Some(goal) => goal - LEARNT,
        None if arm.visits == 0 => LEARNT,
        None => arm.mean() + EXPLORATION * (log / f64::from(arm.visits)).sqrt(),
    };
    let bounds: Vec<f64> = tree.arms(0, 0).map(|(_, arm)| bound(arm)).collect();
    (0..bounds.len()).rev().max_by(|&a, &b| bounds[a].total_cmp(&bounds[b])).unwrap_or(0)
}

#[test]
fn the_arm_picked_is_the_one_that_looking_up_all_children_would_pick() {
    let mut rng = SplitMix64::new(7);
    for _ in 0..2_000 {
        let arms = 1 + rng.below(8);
        let mut tree = sown(&mut rng, arms);
        for _ in 0..6 {
            let (wanted, mut path) = (picked_by_looking_up_all(&tree), Path::default());
            tree.step(0, &mut path);
            assert_eq!(path.arms, [wanted as u32]);
            tree.add(&path, &[f64::from(rng.below(101))]);
        }
    }
}

#[test]
fn a_proven_arm_keeps_its_goal_whatever_is_added() {
    let mut rng = SplitMix64::new(8);
    let mut proven = 0;
    for _ in 0..500 {
        let mut tree = sown(&mut rng, 4);
        let goals: Vec<Option<f64>> = tree.arms(0, 0).map(|(_, arm)| tree.solved_value(0, 0, arm)).collect();
        for _ in 0..20 {
            let mut path = Path::default();
            tree.step(0, &mut path);
            tree.add(&path, &[17.0]);
        }
        for (n, (_, arm)) in tree.arms(0, 0).enumerate() {
            assert_eq!(tree.solved_value(0, 0, arm), goals[n]);
            if arm.is_proven() {
                proven += 1;
                assert_eq!(Some(arm.sum), goals[n]);
            }
        }
    }
    assert!(proven > 100, "{proven}");
}

#[test]
fn a_tree_cut_down_to_a_root_keeps_its_nodes_and_picks_the_same_arms() {
    let mut rng = SplitMix64::new(9);
    for _ in 0..300 {
        let tree = sown(&mut rng, 6);
        let mut below = tree.below(0, usize::MAX);
        assert_eq!(below.len(), 1 + tree.arms(0, 0).filter(|(_, arm)| arm.child().is_some()).count());
        let (mut whole, mut path, mut same) = (tree.below(0, usize::MAX), Path::default(), Path::default());
        for _ in 0..20 {
            let goal = f64::from(rng.below(101));
            for (tree, path) in [(&mut below, &mut path), (&mut whole, &mut same)] {
                path.clear();
                tree.step(0, path);
                tree.add(path, &[goal]);
            }
            assert_eq!(path.arms, same.arms);
        }
        let small = tree.below(0, 2);
        assert!(small.len() <= 2);
        let visits =
            |tree: &Tree| tree.arms(0, 0).map(|(id, arm)| (id, arm.visits, arm.sum)).collect::<Vec<_>>();
        assert_eq!(visits(&small), visits(&tree));
        for (_, arm) in small.arms(0, 0) {
            assert!(arm.child().is_none_or(|child| {
                small.find(small.state(child), small.nodes[child as usize].hash) == Some(child)
            }));
        }
    }
}
