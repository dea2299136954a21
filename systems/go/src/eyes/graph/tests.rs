//! Tests of eye values: textbook shapes, equal graphs, and threats.

use super::*;

/// A graph by its picture: `.`, `X`, `!` are vertices, numbered row by row, anything else is outside; rows are lines.
fn drawn(picture: &str) -> EyeGraph {
    let kinds = picture
        .lines()
        .enumerate()
        .flat_map(|(row, line)| line.bytes().enumerate().map(move |(col, kind)| (row, col, kind)));
    let places: Vec<(usize, usize, u8)> = kinds.filter(|(.., kind)| b".X!".contains(kind)).collect();
    let mut graph = EyeGraph::with_vertices(places.len());
    for (i, &(row, col, kind)) in places.iter().enumerate() {
        match kind {
            b'X' => graph.stones |= 1 << i,
            b'!' => graph.marginal |= 1 << i,
            _ => {}
        }
        for (j, &(r, c, _)) in places.iter().enumerate().take(i) {
            if r.abs_diff(row) + c.abs_diff(col) == 1 {
                graph.join(i, j);
            }
        }
    }
    graph
}

fn value(picture: &str) -> String {
    EyeSolver::default().solve(&drawn(picture)).value.to_string()
}

#[test]
fn well_known_shapes_have_their_textbook_values() {
    // Picture, eyes if the attacker and if the defender moves first.
    let cases = [
        (".", "11", "a single point"),
        ("!", "00", "a false eye"),
        ("!.", "01", "a half eye"),
        ("..", "11", "two in a row"),
        ("...", "12", "straight three"),
        ("..\n.", "12", "bent three"),
        ("....", "22", "straight four"),
        ("..\n..", "11", "square four"),
        (" .\n...", "12", "pyramid four"),
        ("..\n .\n .", "22", "bent four"),
        (" ..\n..", "22", "zigzag four"),
        ("..\n...", "12", "bulky five"),
        (" .\n...\n .", "12", "crossed five"),
        (".....", "22", "straight five"),
        (" ..\n...\n .", "12", "rabbity six"),
        ("...\n...", "22", "rectangular six"),
        ("X.X", "22", "two captures"),
        ("X", "11", "a stone whose last liberty is a false margin"),
        ("XXX", "11", "three such stones: the centre is retaken"),
        ("XXXX", "22", "four such stones in a row"),
        ("XX\nXX", "11", "four such stones in a square"),
        (".X.", "11", "straight three with its centre taken"),
        (".!.", "02", "the chimera"),
        ("!....", "12", "line with an open end"),
        ("!\n...\n...!", "11", "the manual's worked example"),
        ("  !\n .X\n!...", "11", "the manual's analysed graph"),
    ];
    for (picture, expected, name) in cases {
        let found = value(picture);
        assert_eq!(&found[1..3], expected, "{name}: {found}\n{picture}");
    }
}

#[test]
fn threats_count_one_extra_move() {
    assert_eq!(value("!."), "0011");
    assert_eq!(value("...."), "1222");
    assert_eq!(value("!.."), "0111");
    assert_eq!(value("  !\n .X\n!..."), "0112");
}

#[test]
fn the_centre_is_the_vital_point_of_three_in_a_row() {
    let found = EyeSolver::default().solve(&drawn("..."));
    assert_eq!((found.attack_points, found.defence_points), (0b010, 0b010));
}

#[test]
fn isomorphic_graphs_are_the_same_game() {
    assert_eq!(value(" ..\n.."), value("...."));
    assert_eq!(value("!.\n ..."), value("!...."));
}

/// [`Game::reaches`] played out to its end, step 6 left out.
fn plays_out(game: &Game<'_>, known: &mut Known, asked: (State, bool, bool, u32)) -> bool {
    let (state, defender, passed, goal) = asked;
    let ended = passed && game.count_eyes(state) >= goal;
    if let Some(&reached) = known.get(&asked) {
        return reached;
    }
    let after_pass = if passed { ended } else { plays_out(game, known, (state, !defender, true, goal)) };
    let mut next: Vec<State> = bits(state.space).filter_map(|v| game.play(state, v, defender)).collect();
    if defender && state.stones & game.caught != 0 && game.take(state, state.stones) != state {
        next.push(game.take(state, state.stones));
    }
    let reached = after_pass == defender
        || next.into_iter().any(|s| plays_out(game, known, (s, !defender, false, goal)) == defender);
    known.insert(asked, reached == defender);
    reached == defender
}

type Known = std::collections::HashMap<(State, bool, bool, u32), bool>;

#[test]
fn a_position_is_worth_what_playing_it_out_comes_to() {
    // Random parts of a rectangle of three by four, with random stones and margins and walls.
    let mut random = 7_u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 40) as u16
    };
    for _ in 0..1_500 {
        let places = next() & next().rotate_left(3) | next() & 0o1463;
        let vertices: Vec<usize> = bits(places & 0xfff).take(7).collect();
        let mut graph = EyeGraph::with_vertices(vertices.len());
        for (i, &v) in vertices.iter().enumerate() {
            for (j, &u) in vertices.iter().enumerate().take(i) {
                if (v / 4).abs_diff(u / 4) + (v % 4).abs_diff(u % 4) == 1 {
                    graph.join(i, j);
                }
            }
        }
        let all = (1 << vertices.len()) - 1;
        graph.marginal = next() & next() & all;
        graph.stones = next() & next() & all & !graph.marginal;
        graph.afloat = next() & next() & next() & all;
        let memo = &mut MixMap::default();
        let mut game = Game::of(&graph, memo, usize::MAX);
        let start = game.start(&graph);
        let mut known = Known::default();
        for (defender, goal) in [(false, 1), (false, 2), (true, 1), (true, 2)] {
            let asked = (start, defender, false, goal);
            let found = game.reaches(start, defender, goal);
            assert_eq!(found, plays_out(&game, &mut known, asked), "{graph:?} {asked:?}");
        }
    }
}

#[test]
fn a_stone_afloat_among_the_attackers_is_no_move() {
    // Four points in a row, the second and the fourth taken: filling the third makes two eyes of what is left, unless
    // nothing holds the filling stone.
    let mut graph = drawn(".X.X");
    let held = EyeSolver::default().solve(&graph).value;
    graph.afloat = 0b0100;
    let afloat = EyeSolver::default().solve(&graph).value;
    assert!(afloat.c <= held.c, "{held} {afloat}");
    let mut game = drawn("X.X");
    game.afloat = 0b010;
    let memo = &mut MixMap::default();
    let rules = Game::of(&game, memo, 9);
    let state = State { space: 0b111, stones: 0b101, marginal: 0 };
    assert!(rules.play(state, 1, true).is_some(), "it captures both sides");
    let blocked = State { space: 0b111, stones: 0b101, marginal: 0b100 };
    assert!(rules.play(blocked, 1, true).is_some(), "one capture is enough");
}
