//! Tests of the spread: the manual's figures of one source, and the kernel compared with the queue.

use super::*;
use crate::board::Vertex;
use crate::spread::field::vertices;
use proptest::prelude::*;

/// An 11x11 board with the figure's source in the middle.
fn lone_source() -> (Field, Vertex) {
    let mut field = Field::new(11);
    (field.diagonal, field.cutoff) = (2.0, 0.0);
    let middle = Vertex::new(5, 5, 11);
    field.add_source(Color::White, middle, 100.0, 3.0);
    (field, middle)
}

const LONE_SOURCE: [&str; 11] = [
    "0 0 0 0 0 0 0 0 0 0 0",
    "0 0 0 0 1 1 1 0 0 0 0",
    "0 0 0 1 2 3 2 1 0 0 0",
    "0 0 1 3 5 11 5 3 1 0 0",
    "0 1 2 5 16 33 16 5 2 1 0",
    "0 1 3 11 33 100 33 11 3 1 0",
    "0 1 2 5 16 33 16 5 2 1 0",
    "0 0 1 3 5 11 5 3 1 0 0",
    "0 0 0 1 2 3 2 1 0 0 0",
    "0 0 0 0 1 1 1 0 0 0 0",
    "0 0 0 0 0 0 0 0 0 0 0",
];

/// Rows 1 to 9 of the figure, columns 1 to 9.
const VISITING_ORDER: [&str; 9] = [
    "78 68 66 64 63 65 67 69 79",
    "62 46 38 36 35 37 39 47 75",
    "60 34 22 16 15 17 23 43 73",
    "58 32 14 6 3 7 19 41 71",
    "56 30 12 2 0 4 18 40 70",
    "57 31 13 5 1 8 20 42 72",
    "59 33 21 10 9 11 24 44 74",
    "61 45 28 26 25 27 29 48 76",
    "77 54 52 50 49 51 53 55 80",
];

fn numbers(line: &str) -> Vec<usize> {
    line.split(' ').map(|n| n.parse().expect("a number")).collect()
}

#[test]
fn a_lone_source_gives_the_manuals_figure_in_kernel_and_queue() {
    let (field, _) = lone_source();
    let mut kernel = PerColor::default();
    Spreader::new().spread(&field, &mut kernel);
    for map in [&kernel, &reference::spread(&field)] {
        for (row, line) in LONE_SOURCE.iter().enumerate() {
            let ours: Vec<usize> =
                (0..11).map(|col| map[1][Vertex::new(row, col, 11).at()] as usize).collect();
            assert_eq!(ours, numbers(line), "row {row}");
        }
        assert!(map[0].iter().all(|&x| x == 0.0), "no Black source, no Black influence");
    }
}

#[test]
fn the_queue_visits_vertices_in_the_manuals_order() {
    let (field, middle) = lone_source();
    let (_, order) = reference::accumulate(&field, Color::White, middle);
    for (row, line) in VISITING_ORDER.iter().enumerate() {
        for (col, &place) in numbers(line).iter().enumerate() {
            assert_eq!(order[place], Vertex::new(row + 1, col + 1, 11), "place {place}");
        }
    }
}

#[test]
fn a_weaker_source_does_not_replace_a_stronger_one() {
    let mut field = Field::new(9);
    let v = Vertex::new(4, 4, 9);
    field.add_source(Color::Black, v, 50.0, 2.4);
    field.add_source(Color::Black, v, 20.0, 1.5);
    assert_eq!((field.strength[0][v.at()], field.attenuation[0][v.at()]), (50.0, 2.4));
}

/// A field of random obstacles, sources and permeabilities.
fn any_field() -> impl Strategy<Value = Field> {
    let point = (0..100u8, 0..4u8, 0..6u8, 0..6u8);
    (2usize..=25, prop::bool::ANY)
        .prop_flat_map(move |(size, escape)| {
            (Just(size), Just(escape), prop::collection::vec(point.clone(), size * size), 0..50u8)
        })
        .prop_map(|(size, escape, points, density)| {
            let mut field = Field::new(size);
            if escape {
                field.diagonal = 2.0;
            }
            for (v, (roll, source, black, white)) in vertices(size).zip(points) {
                field.blocked[v.at()] = roll < density;
                let values = [1.0, 1.0, 1.0, 0.25, 0.65, 0.0];
                field.permeability[0][v.at()] = values[black as usize];
                field.permeability[1][v.at()] = values[white as usize];
                if roll < density && source < 2 {
                    field.permeability[source as usize][v.at()] = 1.0;
                    field.strength[source as usize][v.at()] = 40.0 + f32::from(roll);
                }
            }
            field
        })
}

#[test]
fn a_kernel_that_served_a_large_board_serves_a_small_one() {
    let mut kernel = Spreader::new();
    let mut out = PerColor::default();
    for size in [25, 3, 19, 2, 9] {
        let mut field = Field::new(size);
        field.add_source(Color::White, Vertex::new(size - 1, size - 1, size), 100.0, 2.4);
        kernel.spread(&field, &mut out);
        let plain = reference::spread(&field);
        for (ours, theirs) in out.iter().flatten().zip(plain.iter().flatten()) {
            assert!((ours - theirs).abs() < 1e-3, "{size}: {ours} {theirs}");
        }
    }
}

proptest! {
    #[test]
    fn kernel_and_queue_agree_but_for_a_contribution_at_the_cutoff(field in any_field()) {
        let mut kernel = PerColor::default();
        Spreader::new().spread(&field, &mut kernel);
        let queue = reference::spread(&field);
        for v in vertices(field.size) {
            for c in 0..2 {
                let (ours, theirs) = (kernel[c][v.at()], queue[c][v.at()]);
                prop_assert!((ours - theirs).abs() < 0.05 + 0.0001 * theirs, "{v:?}: {ours} {theirs}");
            }
        }
    }
}

proptest! {
    #[test]
    fn fields_alike_give_the_same_to_the_last_bit_whatever_is_remembered(
        field in any_field(), changes in prop::collection::vec((any::<u16>(), 0..6_u8), 0..4)
    ) {
        let mut remembering = Spreader::new();
        remembering.expect_alike();
        let (mut with, mut without) = (PerColor::default(), PerColor::default());
        let mut fields = vec![field.clone()];
        for (at, what) in changes {
            let mut next = field.clone();
            let at = Vertex::from_index(usize::from(at) % (field.size * field.size), field.size).at();
            match what {
                0 => next.blocked[at] ^= true,
                1 => next.permeability[0][at] = 0.5,
                2 => next.permeability[1][at] = 0.0,
                3 => next.strength[0][at] = 70.0,
                4 => next.strength[1][at] = 0.0,
                _ => next.attenuation[0][at] = 3.0,
            }
            fields.push(next);
        }
        // Once more the first, and one of another kind.
        fields.push(field.clone());
        let other = Field { diagonal: field.diagonal + 1.0, ..field };
        fields.push(other);
        for field in &fields {
            remembering.spread(field, &mut with);
            Spreader::new().spread(field, &mut without);
            let bits = |map: &PerColor<Vec<f32>>| map.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&with), bits(&without));
        }
    }
}
