//! Tests of the judges: symmetry, published judgements, and the search that asks a judge.

use super::*;
use crate::board::Board;
use crate::patterns::matcher::Orientation;
use crate::world::past_of;
use crate::{AnalyseSystems, GoEngine, GoPlugins};
use bevy_app::PluginGroup;
use proptest::prelude::*;
use tengen_core::SplitMix64;

/// A vertex after one of the eight turnings of the board.
pub(super) fn turned_vertex(v: Vertex, g: u8, size: usize) -> Vertex {
    let middle = size as i8 - 1;
    let (row, col) = (2 * v.row(size) as i8 - middle, 2 * v.col(size) as i8 - middle);
    let (row, col) = Orientation(g).turn((row, col));
    Vertex::new(((row + middle) / 2) as usize, ((col + middle) / 2) as usize, size)
}

/// The stones and the ko of a board after a turning.
pub(super) fn turned(board: &Board, g: u8) -> Board {
    let mut image = Board::new(board.size());
    for v in board.vertices() {
        if let Some(color) = board.color_at(v) {
            image.place(color, turned_vertex(v, g, board.size())).expect("an empty vertex");
        }
    }
    if let Some((v, color)) = board.ko() {
        image.set_ko(turned_vertex(v, g, board.size()), color);
    }
    image.without_history()
}

/// A board after a number of random moves.
pub(super) fn after_random_moves(size: usize, moves: usize, seed: u64) -> Board {
    let (mut board, mut random) = (Board::new(size), SplitMix64::new(seed));
    let mut color = Color::Black;
    for _ in 0..moves {
        let v = Vertex::from_index(random.below((size * size) as u32) as usize, size);
        if board.play(color, v).is_ok() {
            color = color.other();
        }
    }
    board
}

/// The board with the colours swapped.
fn swapped(board: &Board) -> Board {
    let mut image = Board::new(board.size());
    for v in board.vertices() {
        if let Some(color) = board.color_at(v) {
            image.place(color.other(), v).expect("an empty vertex");
        }
    }
    if let Some((v, color)) = board.ko() {
        image.set_ko(v, color.other());
    }
    image.without_history()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn turning_the_board_turns_the_embedded_judgement(seed in any::<u64>(), size in 7usize..12, moves in 0usize..90) {
        let board = after_random_moves(size, moves, seed);
        let judge = Embedded::own();
        let view = |board: &Board, past| judge.see(board, Color::White, past, 6.5);
        let past = crate::world::past_of(&board);
        let Some(wanted) = view(&board, past) else { return Ok(()) };
        for g in 0..8 {
            let turn = |v: Vertex| if v == Vertex::PASS { v } else { turned_vertex(v, g, size) };
            let found = view(&turned(&board, g), past.map(turn)).expect("it judges the turned board too");
            prop_assert_eq!((found.lead, found.win_rate, found.pass), (wanted.lead, wanted.win_rate, wanted.pass));
            for v in board.vertices() {
                let (here, there) = (v.index(size), turned_vertex(v, g, size).index(size));
                prop_assert_eq!(found.owner[there], wanted.owner[here]);
                prop_assert_eq!(found.likelihood[there], wanted.likelihood[here]);
            }
        }
    }

    #[test]
    fn swapping_colours_and_komi_swaps_the_embedded_judgement(seed in any::<u64>(), moves in 0usize..90) {
        let board = after_random_moves(9, moves, seed);
        let (judge, past) = (Embedded::own(), crate::world::past_of(&board));
        let Some(wanted) = judge.see(&board, Color::White, past, 6.5) else { return Ok(()) };
        let found = judge.see(&swapped(&board), Color::Black, past, -6.5).expect("it judges this too");
        prop_assert_eq!(found.lead, -wanted.lead);
        prop_assert_eq!(&found.likelihood, &wanted.likelihood);
        for (a, b) in found.owner.iter().zip(&wanted.owner) {
            prop_assert_eq!(*a, -*b);
        }
    }
}

#[test]
fn likelihoods_add_up_and_owners_keep_their_range() {
    let board = after_random_moves(19, 150, 7);
    let view = Embedded::own().see(&board, Color::Black, [Vertex::PASS; 5], 7.5).expect("a view");
    let sum: f32 = view.likelihood.iter().sum::<f32>() + view.pass;
    assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    assert!(view.owner.iter().all(|o| (-1.0..=1.0).contains(o)));
    for v in board.vertices().filter(|&v| !board.is_legal(Color::Black, v)) {
        assert_eq!(view.likelihood_of(v, 19), 0.0);
    }
}

#[test]
fn boards_that_no_net_judges_are_left_to_the_pipeline() {
    let judge = Embedded::own();
    for size in [1, 6] {
        assert_eq!(judge.see(&Board::new(size), Color::Black, [Vertex::PASS; 5], 0.0), None);
    }
    let mut full = Board::new(7);
    for v in full.vertices() {
        full.place(Color::Black, v).expect("an empty vertex");
    }
    assert_eq!(judge.see(&full, Color::White, [Vertex::PASS; 5], 0.0), None, "a string without a liberty");
    assert!(judge.see(&Board::new(25), Color::Black, [Vertex::PASS; 5], 0.0).is_some());
}

#[test]
fn the_schedule_publishes_what_the_judge_in_force_says() {
    for (judge, name) in [
        (JudgeInForce::default(), "embedded"),
        (JudgeInForce(std::sync::Arc::new(Playouts { playouts: 20 })), "playouts:20"),
        (JudgeInForce(std::sync::Arc::new(NoJudge)), "none"),
    ] {
        let mut engine = GoEngine::new(1);
        engine.world_mut().insert_resource(judge);
        engine.put(0, Position::new(after_random_moves(9, 30, 3), Color::Black));
        engine.analyse(AnalyseSystems::Judge);
        let found: &Judgement = engine.result(0, AnalyseSystems::Judge).expect("a judgement");
        assert_eq!((found.source.as_str(), found.views.is_some()), (name, name != "none"));
        if let Some(views) = &found.views {
            assert!(views.iter().all(|view| view.owner.len() == 81 && view.likelihood.len() == 81));
        }
    }
}

#[test]
fn every_stage_works_without_the_judge() {
    let mut engine = GoEngine::with_plugins(1, GoPlugins.build().disable::<JudgePlugin>());
    engine.put(0, Position::new(after_random_moves(9, 30, 3), Color::Black));
    engine.analyse(AnalyseSystems::MoveEvaluation);
    assert!(engine.result::<crate::moves::MoveList>(0, AnalyseSystems::MoveEvaluation).is_some());
}

#[test]
fn a_search_by_the_judge_takes_what_is_worth_most_and_repeats_itself() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . X X X X . . .
        . X O O O O . . .
        . X O . . O X . .
        . . X X X X . . .
        . . . . . . . . .
        . . O O . O O . .
        . . . . . . . . .";
    let (board, _) = Board::from_diagram(text).expect("a diagram");
    let judge = JudgeInForce::default();
    let question = search::Question {
        board: &board,
        color: Color::Black,
        komi: 7.5,
        looks: 40,
        allowed: None,
        before: [Vertex::PASS; 5],
        threads: 1,
        kept: None,
    };
    let found = search::search(&judge, &question, &mut || false).expect("it judges 9x9");
    assert_eq!(found.playouts, 40);
    assert_eq!(found.moves.iter().map(|m| m.visits).sum::<u32>(), 39);
    let again = search::search(&judge, &question, &mut || false).expect("it judges 9x9");
    assert_eq!(found.moves, again.moves);
    let only = Vertex::from_gtp("A1", 9).expect("a vertex");
    let question = search::Question { allowed: Some(&[only]), ..question };
    let found = search::search(&judge, &question, &mut || false).expect("it judges 9x9");
    assert_eq!(found.moves.iter().map(|m| m.vertex).collect::<Vec<_>>(), [only]);
}

fn question(board: &Board) -> search::Question<'_> {
    let (color, komi, looks) = (Color::Black, 7.5, 60);
    let before = [Vertex::PASS; 5];
    search::Question { board, color, komi, looks, allowed: None, before, threads: 1, kept: None }
}

#[test]
fn a_search_for_two_threads_is_the_same_on_one() {
    let board = after_random_moves(9, 12, 5);
    let judge = JudgeInForce::default();
    let two = search::Question { threads: 2, ..question(&board) };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| search::search(&judge, &two, &mut || false)).expect("it judges 9x9")
    };
    let found = on(2);
    assert_eq!(found.playouts, 60);
    assert_eq!(found.moves, on(1).moves);
    assert_eq!(found.moves, on(2).moves);
}

#[test]
fn a_search_goes_on_with_the_tree_below_the_moves_that_were_played() {
    let mut board = after_random_moves(9, 12, 5);
    let judge = JudgeInForce::default();
    let kept = search::KeptTree::default();
    let first = search::Question { kept: Some(&kept), looks: 120, ..question(&board) };
    let found = search::search(&judge, &first, &mut || false).expect("it judges 9x9");
    let line = found.moves[0].line.clone();
    assert!(line.len() >= 3, "{line:?}");
    assert_eq!(found.moves[0].owner.len(), 81);
    for (v, color) in line.iter().zip([Color::Black, Color::White]) {
        board.play(color, *v).expect("a line is legal");
    }
    // Nothing more is looked at: all that is told comes from the kept tree.
    let next = search::Question { looks: 1, kept: Some(&kept), ..question(&board) };
    let kept_below = search::search(&judge, &next, &mut || true).expect("it judges 9x9");
    assert!(kept_below.playouts > 1, "{} visits", kept_below.playouts);
    let best = kept_below.moves.iter().find(|m| m.vertex == line[2]).expect("the line goes on");
    assert!(best.visits > 0);
    // A position of another game begins anew.
    let other = after_random_moves(9, 12, 6);
    let elsewhere = search::Question { looks: 1, kept: Some(&kept), ..question(&other) };
    assert_eq!(search::search(&judge, &elsewhere, &mut || true).expect("it judges 9x9").playouts, 1);
}

#[test]
fn the_values_of_a_kept_tree_are_those_of_its_looks() {
    let mut board = after_random_moves(9, 12, 7);
    let judge = JudgeInForce::default();
    let kept = search::KeptTree::default();
    let first = search::Question { kept: Some(&kept), looks: 100, ..question(&board) };
    let found = search::search(&judge, &first, &mut || false).expect("it judges 9x9");
    let best = found.moves[0].clone();
    board.play(Color::Black, best.vertex).expect("a legal move");
    let next = search::Question { color: Color::White, looks: 1, kept: Some(&kept), ..question(&board) };
    let below = search::search(&judge, &next, &mut || true).expect("it judges 9x9");
    assert_eq!(below.playouts, best.visits);
    assert!((1.0 - below.win_rate - best.win_rate).abs() < 1e-4);
    assert!((below.white_lead + 7.5 + best.lead).abs() < 1e-3, "{} {}", below.white_lead, best.lead);
    assert_eq!(below.owner, best.owner);
}

#[test]
fn a_search_that_ends_games_counts_them_and_ends_itself() {
    // Every point is an eye: passing twice is all that is left.
    let (board, _) = Board::from_diagram(
        ". X . X O . O
         X X X X O O O
         . X . X O . O
         X X X X O O O
         . X . X O . O
         X X X X O O O
         . X . X O . O",
    )
    .expect("a diagram");
    let judge = JudgeInForce::default();
    let found = search::search(&judge, &search::Question { looks: 400, ..question(&board) }, &mut || false);
    assert_eq!(found.expect("it judges 7x7").playouts, 400);
}

#[test]
fn what_is_proved_corrects_the_values_of_a_search_and_ends_its_lines() {
    // Both sides live without an answer. Their only moves here fill an eye, after which all is proved.
    let (board, _) = Board::from_diagram(
        ". X . X O . O
         X X X X O O O
         . X . X O . O
         X X X X O O O
         . X . X O . O
         X X X X O O O
         . X . X O O .",
    )
    .expect("a diagram");
    let judge = JudgeInForce::default();
    let only: Vec<Vertex> = ["A1", "F7"].iter().filter_map(|v| Vertex::from_gtp(v, 7)).collect();
    for (color, move_made) in [(Color::Black, only[0]), (Color::White, only[1])] {
        let allowed = [move_made];
        let question = search::Question { color, looks: 30, allowed: Some(&allowed), ..question(&board) };
        let found = search::search(&judge, &question, &mut || false).expect("it judges 7x7");
        let played = &found.moves[0];
        // 28 vertices are Black's and 21 White's, and komi is 7.5.
        let black_leads = if color == Color::Black { played.lead } else { -played.lead };
        assert!((black_leads + 0.5).abs() < 1e-3, "{color:?}: {black_leads}");
        let black_wins = if color == Color::Black { played.win_rate } else { 1.0 - played.win_rate };
        assert!(black_wins < 1e-6, "{color:?}: {black_wins}");
        assert_eq!((played.visits, played.line.len()), (29, 1), "the line ends where all is proved");
        assert!(played.owner.iter().all(|owner| owner.abs() > 0.999));
    }
}

#[test]
fn a_judge_that_looks_ahead_publishes_what_its_search_finds() {
    let board = after_random_moves(9, 20, 3);
    let judge: JudgeInForce = "embedded:24".parse().expect("a judge");
    assert_eq!(judge.0.name(), "embedded:24");
    let position = Position { past: past_of(&board), ..Position::new(board.without_history(), Color::Black) };
    let answer = |judge: &JudgeInForce| judge.0.views(&[&position]).pop().and_then(Result::ok).flatten();
    let views = answer(&judge).expect("it judges 9x9");
    let once = answer(&JudgeInForce::default()).expect("it judges 9x9");
    for (view, once) in views.iter().zip(&once) {
        assert!((view.likelihood.iter().sum::<f32>() + view.pass - 1.0).abs() < 1e-3);
        assert!(view.owner.iter().all(|owner| (-1.0..=1.0).contains(owner)));
        assert_ne!(view.owner, once.owner);
    }
    assert_eq!(answer(&judge).as_ref(), Some(&views), "the same position is judged the same");
    // Turning the board turns the answer.
    for g in 1..8 {
        let image = turned(&position.board, g);
        let past = position.past.map(|v| if v == Vertex::PASS { v } else { turned_vertex(v, g, 9) });
        let image = Position { past, ..Position::new(image, Color::Black) };
        let answered = judge.0.views(&[&image]).pop().and_then(Result::ok).flatten().expect("it judges 9x9");
        for (there, here) in answered.iter().zip(&views) {
            assert!((there.lead - here.lead).abs() < 1e-4, "{} {}", there.lead, here.lead);
            for v in board.vertices() {
                let (a, b) = (there.owner[turned_vertex(v, g, 9).index(9)], here.owner[v.index(9)]);
                assert!((a - b).abs() < 1e-5, "{g}: {a} {b}");
            }
        }
    }
    for wrong in ["embedded:0", "embedded:x", "embedded:1000000"] {
        assert!(wrong.parse::<JudgeInForce>().is_err(), "{wrong}");
    }
}
