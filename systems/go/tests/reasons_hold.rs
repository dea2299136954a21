//! Tests that links named by the reasons of moves hold by further reading.

use std::path::Path;
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Board, Color, Rules, Vertex};
use tengen_go::connection::{ConnectionReader, LinkLimits};
use tengen_go::reasons::{Change, Explanation, Kind, Reasoner};
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, GoEngine};

/// Tests every n-th position of a game.
const STEP: usize = 9;

/// Whether two stones are joined after a move, if this side moves next.
fn joined(reader: &mut ConnectionReader, after: &Board, [a, b]: [Vertex; 2], first: Color) -> bool {
    let color = after.color_at(a).or(after.color_at(b));
    if after.color_at(a) != after.color_at(b) {
        return false;
    }
    if color == Some(first) {
        reader.connect(after, a, b).code.works()
    } else {
        !reader.disconnect(after, a, b).code.works()
    }
}

/// Whether a change about links is as it says; `None` for other changes.
fn holds(
    reader: &mut ConnectionReader,
    board: &Board,
    explained: &Explanation,
    change: &Change,
) -> Option<bool> {
    let with = change.with?;
    let own = explained.color;
    let other = own.other();
    let after = |v: Vertex| {
        let mut board = board.clone();
        board.play(own, v).expect("it is legal");
        board
    };
    let (subject, against) = (after(explained.vertex), after(explained.against));
    let mut of = |after: &Board, first| joined(reader, after, [change.at, with], first);
    let answered = [of(&subject, other), of(&against, other)];
    match change.kind? {
        Kind::Connected => Some(answered == [true, false]),
        Kind::CutOff => Some(answered == [false, true]),
        Kind::CutThreatened => {
            let unanswered = [of(&subject, own), of(&against, own)];
            Some(answered == [true, true] && unanswered == [change.is_of_other, !change.is_of_other])
        }
        _ => None,
    }
}

#[test]
fn links_that_reasons_name_hold_by_further_reading() {
    let mut engine = GoEngine::new(1);
    let (mut reasoner, mut reader) = (Reasoner::default(), ConnectionReader::new(LinkLimits::default()));
    let (mut checked, mut wrong) = (0, Vec::new());
    for game in ["9x9-1", "9x9-2", "9x9-3", "13x13-1"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenes/go/games/{game}.sgf"));
        let tree = sgf::parse(&std::fs::read(path).expect("a record")).expect("a record");
        let whole = sgf::load(&tree, &tree.line(&[]), Until::End, Rules::default()).expect("a game");
        let moves: Vec<(Color, Vertex)> = whole.board.moves().collect();
        let mut board = Board::new(whole.board.size());
        for (number, &(color, v)) in moves.iter().enumerate() {
            if number % STEP == STEP - 1 && v != Vertex::PASS {
                engine.put(0, Position { komi: 7.0, ..Position::new(board.clone(), color) });
                engine.analyse(AnalyseSystems::MoveEvaluation);
                let found = reasoner.explain(&engine, 0, &[v], None, 5).expect("reasons");
                for explained in found.why.iter().chain(&found.why_not) {
                    for change in &explained.changes {
                        let is_true = holds(&mut reader, &board, explained, change);
                        checked += usize::from(is_true.is_some());
                        if is_true == Some(false) {
                            wrong.push(format!("{game} after {number}: {change:?}"));
                        }
                    }
                }
            }
            board.play(color, v).expect("a legal game");
        }
    }
    assert!(wrong.is_empty(), "{} of {checked}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(checked >= 5, "{checked} links were named");
}
