//! Compares influence after many moves with the influence after one move from scratch.

use super::*;
use crate::board::sgf::{self, Until};
use crate::board::{Board, Rules};
use crate::effort::Limits;
use crate::influence::after_move::{self, MoveQuestion};
use crate::influence::lively;
use crate::tactics::Reader;

const GAMES: [&[u8]; 2] = [
    include_bytes!("../../../../../scenes/go/games/9x9-2.sgf"),
    include_bytes!("../../../../../scenes/go/games/13x13-1.sgf"),
];

/// Positions of a game, and who is to move.
fn positions(game: &[u8]) -> Vec<(Board, Color)> {
    let tree = sgf::parse(game).expect("a record");
    let load = |n| sgf::load(&tree, &tree.line(&[]), Until::Move(n), Rules::default()).expect("a game");
    [14, 31, 52].into_iter().map(load).map(|game| (game.board.without_history(), game.to_move)).collect()
}

/// Patterns with conditions and actions of every kind, beside our own.
fn databases() -> PatternDatabases {
    let barriers = concat!(
        include_str!("../../../../../resources/go/patterns/barriers.db"),
        "\n# Read far.\nPattern Far\n\nX..\n..O\n\n:8,t\n\nXa.\n.bO\n\n;oplay_attack(a,b,b) && xplay_attack(b,a,a)\n\n",
        ">non_oterritory(a);\n>non_xterritory(b);\n\n",
        "# Of the stone as it stands.\nPattern Standing\n\nXO\n.!\n\n:8,A\n\nab\n.!\n\n;attack(b) || !attack(a)\n",
    );
    PatternDatabases::load([("barriers.db", barriers)]).expect("sound patterns").0
}

#[test]
fn a_trial_gives_what_the_move_gives_from_scratch() {
    let databases = databases();
    let mut spreader = Spreader::new();
    let (mut compared, mut with_followup, mut captures) = (0, 0, 0);
    for (board, color) in GAMES.into_iter().flat_map(positions) {
        let mut reader = Reader::new(Limits::of_constraints());
        let mut tried = board.clone();
        let status = lively(&board, Some(color.other()), |v| {
            (reader.attack(&mut tried, v).code.works(), reader.defend(&mut tried, v).code.works())
        });
        let mut of_trials = Reader::new(Limits::of_constraints());
        let queries = EngineQueries::new(board.clone(), &mut of_trials);
        let mut trials = AfterMoves::new(&databases, queries, color, &status, &mut spreader);
        let territory = trials.before.clone();
        for at in board.vertices().filter(|&v| board.is_legal(color, v)).step_by(3) {
            let beside = |c: Color| board.strings_next_to(at, c);
            let saved: Vec<Vertex> = beside(color).filter(|&s| !status[s.at()].safe).collect();
            let killed: Vec<Vertex> =
                beside(color.other()).filter(|&s| board.liberties(s) == 2).take(1).collect();
            let safe = board.liberties_after(color, at) > 1;
            let stone = if safe { LIVELY } else { StoneStatus::default() };
            let trial = MoveTrial { at, stone, saved: &saved, killed: &killed };
            let found = trials.outcome(&trial, |_| true, &mut spreader).expect("a legal move");

            let question = MoveQuestion { board: &board, color, trial, status: &status };
            let (after, status) = after_move::status_after(&question).expect("a legal move");
            let wanted = after_move::compute(&question, &after, &status, &databases, &mut reader);
            let name = at.to_gtp(board.size());
            let mut plain = wanted.map.clone();
            plain.territory.clone_from(&territory);
            let delta = wanted.delta(&plain, color);
            assert!((found.delta - delta).abs() < 1e-3, "{name}: {} instead of {delta}", found.delta);
            let followup = wanted.followup_value(color);
            assert!((found.followup - followup).abs() < 1e-3, "{name}: {} for {followup}", found.followup);
            assert_eq!(found.captured, wanted.captured, "{name}");
            compared += 1;
            with_followup += usize::from(followup > 0.0);
            captures += usize::from(wanted.captured > 0);
        }
        assert_eq!(trials.queries.board.history_len(), board.history_len());
    }
    assert!(compared > 100 && with_followup > 10 && captures > 0, "{compared} {with_followup} {captures}");
}
