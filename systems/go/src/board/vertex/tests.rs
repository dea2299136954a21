//! Tests of vertices and their names.

use super::*;

#[test]
fn gtp_names_lead_to_the_vertex_and_back_on_every_size() {
    for size in 1..=25 {
        for index in 0..size * size {
            let v = Vertex::from_index(index, size);
            assert_eq!(v.index(size), index);
            assert_eq!(Vertex::from_gtp(&v.to_gtp(size), size), Some(v));
        }
    }
}

#[test]
fn names_outside_the_board_are_refused() {
    for text in ["", "I5", "T19", "A0", "A20", "K10", "5", "A+1", "AA", "Ä1"] {
        assert_eq!(Vertex::from_gtp(text, 9), None, "{text}");
    }
}
