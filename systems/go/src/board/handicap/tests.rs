//! Tests of handicap points.

use super::*;

#[test]
fn handicaps_stand_on_the_points_of_the_protocol() {
    let cases = [
        (19, 2, "D4 Q16"),
        (19, 3, "D4 Q16 Q4"),
        (19, 5, "D4 Q16 Q4 D16 K10"),
        (19, 6, "D4 Q16 Q4 D16 D10 Q10"),
        (19, 9, "D4 Q16 Q4 D16 D10 Q10 K4 K16 K10"),
        (9, 4, "C3 G7 G3 C7"),
        (8, 4, "C3 F6 F3 C6"),
    ];
    for (size, stones, names) in cases {
        let points = fixed_handicap(size, stones).unwrap();
        assert_eq!(points.iter().map(|v| v.to_gtp(size)).collect::<Vec<_>>().join(" "), names);
    }
    for (size, stones) in [(6, 2), (8, 5), (19, 1), (19, 10)] {
        assert_eq!(fixed_handicap(size, stones), None);
    }
}
