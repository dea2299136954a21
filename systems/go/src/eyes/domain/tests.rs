//! Tests of the regions in which a colour may make eyes.

use super::*;

/// Steps 2 and 3 for one vertex, as the manual states them.
fn claims(board: &Board, e: Vertex, marked: &dyn Fn(Vertex) -> bool, foe: &dyn Fn(Vertex) -> bool) -> bool {
    let (size, stride) = (board.size(), board.size() as i32 + 1);
    let at = |offset: i32| Vertex((i32::from(e.0) + offset) as u16);
    let inner = |v: Vertex| board.on_board(v) && board.neighbors4(v).count() == 4;
    for (across, along) in [(stride, 1), (-stride, 1), (1, stride), (-1, stride)] {
        for along in [along, -along] {
            let [a, b, c] = [at(across + along), at(across), at(across - along)];
            let (d, u) = (at(along), at(across + 2 * along));
            let both = [a, b].iter().all(|&v| inner(v) && marked(v));
            if both && !foe(d) && !(foe(u) && foe(c)) {
                return true;
            }
        }
    }
    let (row, col) = (e.row(size), e.col(size));
    let corner = (row == 0 || row == size - 1) && (col == 0 || col == size - 1);
    corner && board.neighbors4(e).any(marked) && !board.neighbors8(e).any(foe)
}

#[test]
fn a_domain_is_what_the_rules_give_vertex_by_vertex() {
    let mut random = 3_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 40) % below
    };
    let mut domains = Domains::default();
    for size in [2, 5, 9, 13, 19, 25].repeat(12) {
        let mut board = Board::new(size);
        let density = 3 + next(12);
        let mut asleep = vec![false; board.padded_len()];
        let mut within = vec![false; board.padded_len()];
        for v in board.vertices() {
            if next(density) == 0 {
                let _ = board.place(Color::BOTH[next(2) as usize], v);
            }
            asleep[v.at()] = next(6) == 0;
            within[v.at()] = next(20) != 0;
        }
        let lively = |v: Vertex| board.color_at(v).filter(|_| !asleep[v.at()]);
        let cells = board.vertices().filter(|v| within[v.at()]);
        domains.compute(&board, cells, |v| !asleep[v.at()]);
        for color in Color::BOTH {
            let foe = |v: Vertex| lively(v) == Some(color.other());
            let mut marks = vec![false; board.padded_len()];
            for v in board.vertices().filter(|&v| within[v.at()] && lively(v) == Some(color)) {
                marks[v.at()] = true;
                for n in board.neighbors4(v).filter(|&n| lively(n).is_none() && within[n.at()]) {
                    marks[n.at()] = true;
                }
            }
            while let Some(more) = board.vertices().find(|&v| {
                !marks[v.at()]
                    && within[v.at()]
                    && lively(v).is_none()
                    && claims(&board, v, &|u| marks[u.at()], &foe)
            }) {
                marks[more.at()] = true;
            }
            for v in board.vertices() {
                assert_eq!(
                    domains.marks[color.index()].holds(v),
                    marks[v.at()],
                    "{v:?} of {color} on {size}"
                );
            }
        }
    }
}
