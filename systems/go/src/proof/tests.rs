//! Tests of depth-first proof-number search.

use super::*;

/// A tree with settled leaves, by position: its moves lead to later positions, and two may lead to one.
struct Tree {
    children: Vec<Vec<usize>>,
    /// Whether a leaf is proved.
    leaf: Vec<bool>,
    /// The positions on the line.
    line: Vec<usize>,
    opened: Vec<usize>,
}

impl Tree {
    /// A tree with a number of positions, from a random seed.
    fn new(positions: usize, mut seed: u64) -> Self {
        let mut random = move |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        let children = (0..positions)
            .map(|at| {
                let later = positions - at - 1;
                let moves = if at == 0 { 3 } else { random(4) };
                if later < 3 {
                    Vec::new()
                } else {
                    (0..moves).map(|_| at + 1 + random(later.min(9))).collect()
                }
            })
            .collect();
        let leaf = (0..positions).map(|_| random(2) == 0).collect();
        Self { children, leaf, line: vec![0], opened: Vec::new() }
    }

    fn at(&self) -> usize {
        *self.line.last().expect("the root stays")
    }

    /// The plain reference: every move of every line.
    fn is_proved(&self, at: usize, proves: bool) -> bool {
        if self.children[at].is_empty() {
            return self.leaf[at];
        }
        let mut after = self.children[at].iter().map(|&child| self.is_proved(child, !proves));
        if proves { after.any(|proved| proved) } else { after.all(|proved| proved) }
    }
}

const fn key(at: usize, proves: bool) -> u64 {
    at as u64 * 2 + proves as u64
}

impl Problem for Tree {
    type Move = usize;

    fn key(&self, proves: bool) -> u64 {
        key(self.at(), proves)
    }

    fn open(&mut self, proves: bool, _depth: u32) -> Node<usize> {
        let at = self.at();
        self.opened.push(at);
        if self.children[at].is_empty() {
            return Node::settled(self.leaf[at]);
        }
        let children = self.children[at].iter().map(|&child| (child, key(child, !proves))).collect();
        Node { numbers: Numbers { proof: 1, disproof: 1 }, children }
    }

    fn play(&mut self, _proves: bool, m: usize) -> bool {
        self.line.push(m);
        true
    }

    fn undo(&mut self) {
        self.line.pop();
    }
}

const WIDE: Bounds = Bounds { nodes: u32::MAX, steps: u32::MAX, depth: 1000 };

#[test]
fn a_tree_searched_to_its_end_is_what_every_line_together_says() {
    let mut search = DepthFirst::default();
    let (mut proved, mut opened) = (0, [0, 0]);
    for seed in 0..400 {
        let mut tree = Tree::new(60, seed);
        let proves = seed % 2 == 0;
        let root = search.run(&mut tree, proves, WIDE);
        let truth = tree.is_proved(0, proves);
        assert_eq!(root.numbers, Numbers::settled(truth), "seed {seed}");
        assert_eq!(tree.line, [0], "every move is taken back");
        proved += u32::from(truth);
        opened[0] += tree.opened.len();
        opened[1] += tree.children.len();
        let line: Vec<usize> = search.line(key(0, proves), proves).collect();
        for (moves, &at) in line.iter().enumerate() {
            let to_move = proves == (moves % 2 == 1);
            assert_eq!(
                tree.is_proved(at, to_move),
                truth,
                "seed {seed}: each move of {line:?} keeps what is proved"
            );
        }
        assert!(
            tree.children[line.last().copied().unwrap_or(0)].is_empty(),
            "seed {seed}: the line goes to its end"
        );
    }
    assert!((100..300).contains(&proved), "both happen: {proved}");
    assert!(opened[0] * 2 < opened[1], "most positions need no look: {opened:?}");
}

#[test]
fn no_more_positions_are_opened_than_allowed() {
    for nodes in [1, 2, 5, 20] {
        let (mut tree, mut search) = (Tree::new(200, 7), DepthFirst::default());
        search.run(&mut tree, true, Bounds { nodes, ..WIDE });
        assert!(search.nodes() <= nodes && tree.opened.len() as u32 == search.nodes());
    }
}

#[test]
fn a_child_searched_on_its_own_is_settled_too() {
    for seed in 0..50 {
        let (mut tree, mut search) = (Tree::new(60, seed), DepthFirst::default());
        search.run(&mut tree, true, WIDE);
        for &child in &tree.children[0].clone() {
            assert!(tree.play(true, child));
            search.search_child(&mut tree, false, 1000);
            tree.undo();
            let truth = Numbers::settled(tree.is_proved(child, false));
            assert_eq!(search.numbers(key(child, false)), Some(truth), "seed {seed}");
        }
    }
}

/// Two positions that lead to each other, and a way out that nobody finds good.
struct Circle {
    at: usize,
    back: Vec<usize>,
    endless: bool,
}

impl Problem for Circle {
    type Move = usize;

    fn key(&self, proves: bool) -> u64 {
        key(self.at, proves)
    }

    fn open(&mut self, proves: bool, _depth: u32) -> Node<usize> {
        match self.at {
            0 | 1 => {
                let moves = [1 - self.at, if proves { 2 } else { 3 }];
                let children = moves.map(|m| (m, key(m, !proves))).into();
                Node { numbers: Numbers { proof: 1, disproof: 1 }, children }
            }
            at => Node::settled(at == 3),
        }
    }

    fn play(&mut self, _proves: bool, m: usize) -> bool {
        self.back.push(std::mem::replace(&mut self.at, m));
        true
    }

    fn undo(&mut self) {
        self.at = self.back.pop().expect("a move was made");
    }

    fn may_repeat(&self) -> bool {
        true
    }

    fn endless(&self) -> bool {
        self.endless
    }
}

#[test]
fn a_line_that_comes_back_goes_to_the_side_the_problem_names() {
    for endless in [false, true] {
        let mut circle = Circle { at: 0, back: Vec::new(), endless };
        let root = DepthFirst::default().run(&mut circle, true, WIDE);
        assert_eq!(root.numbers, Numbers::settled(endless));
    }
}

#[test]
fn numbers_follow_from_the_children() {
    let n = |proof, disproof| Numbers { proof, disproof };
    let cases: [(&[Numbers], bool, Numbers, usize); 6] = [
        (&[], true, Numbers::DISPROVED, 0),
        (&[], false, Numbers::PROVED, 0),
        (&[n(3, 1), n(2, 5), n(2, 1)], true, n(2, 7), 1),
        (&[n(3, 1), n(2, 5), n(2, 1)], false, n(7, 1), 0),
        (&[Numbers::DISPROVED, n(2, 5)], true, n(2, 5), 1),
        (&[n(3, 1), Numbers::DISPROVED], false, Numbers::DISPROVED, 1),
    ];
    for (children, proves, numbers, best) in cases {
        let choice = choose(children.iter().copied(), proves);
        assert_eq!((choice.numbers, choice.best), (numbers, best), "{children:?} {proves}");
    }
}
