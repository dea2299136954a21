//! The fixed handicap points.
//!
//! # Source
//! Farnebäck, "GTP version 2 draft" (2002), section 4.1.1: corner and side star points, from the fourth line on boards
//! of 13 and more, from the third below.

use super::Vertex;

/// The vertices of a fixed handicap, in the order of the table; `None` if this board has no such handicap.
#[must_use]
pub fn fixed_handicap(size: usize, stones: usize) -> Option<Vec<Vertex>> {
    let most = match size {
        ..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    };
    if !(2..=most).contains(&stones) {
        return None;
    }
    let near = if size >= 13 { 3 } else { 2 };
    let (far, mid) = (size - 1 - near, size / 2);
    // (row, col), bottom left first, then top right, bottom right, top left, sides.
    let corners = [(far, near), (near, far), (far, far), (near, near)];
    let sides = [(mid, near), (mid, far), (far, mid), (near, mid)];
    let mut points: Vec<(usize, usize)> = corners[..stones.min(4)].to_vec();
    points.extend(&sides[..stones.saturating_sub(4) / 2 * 2]);
    if stones >= 5 && stones % 2 == 1 {
        points.push((mid, mid));
    }
    Some(points.into_iter().map(|(row, col)| Vertex::new(row, col, size)).collect())
}

#[cfg(test)]
mod tests {
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
}
