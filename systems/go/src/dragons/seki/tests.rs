use super::super::map::Safety;
use super::*;
use crate::effort::Effort;
use crate::world::Position;
use crate::{AnalyseSystems, GoEngine};

#[test]
fn prisoners_live_if_the_captor_would_die_of_taking_them() {
    // The wall leaves three liberties outside, so that the prisoners can be taken.
    let (wall, gap) = (". . . X X X X X X", ". . . X X . . . .");
    let seki = (Status::Alive, Safety::AliveInSeki);
    let dead = (Status::Dead, Safety::TacticallyDead);
    for (top, second, wall, found, why) in [
        (". X X X . O X . .", "O O O O O O X . .", wall, seki, "one eye would be left"),
        (". X X X . O . O X", "O O O O O O O O X", wall, dead, "he has another eye"),
        (". X X X X . O X .", "O O O O O O O X .", wall, dead, "four leave him two eyes"),
        (". X X X . O . . .", "O O O O O O . . .", gap, dead, "he can run"),
    ] {
        let (below, empty) = ("X X X X . . . . .", ". . . . . . . . .");
        let rows = [top, second, wall, below, empty, ". . X . . X . . .", empty, empty, empty];
        let board = Board::from_diagram(&rows.join("\n")).expect("a diagram").0;
        for color_turned in [false, true] {
            let mut turned = Board::new(board.size());
            for v in board.vertices() {
                if let Some(color) = board.color_at(v) {
                    let color = if color_turned { color.other() } else { color };
                    turned.place(color, v).expect("empty");
                }
            }
            let life = LifeLimits { nodes: 1000, wide_nodes: 1000, room: 0, thorough: true, trials: 0 };
            let mut engine = GoEngine::new(1).effort(Effort { life, ..Effort::default() });
            engine.put(0, Position::new(turned, crate::board::Color::Black));
            engine.analyse(AnalyseSystems::Dragons);
            let map = engine.result::<DragonMap>(0, AnalyseSystems::Dragons).expect("dragons");
            let at = map.at(Vertex::from_gtp("B9", 9).expect("a vertex")).expect("a dragon");
            assert_eq!((at.status, at.safety), found, "{why}");
        }
    }
}
