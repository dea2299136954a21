//! What a move changes about territory.

use crate::board::Color;
use crate::spread::InfluenceMap;
use crate::spread::field::vertices;

/// The change of territory from `before` to `after` (both with the opponent of `color` to move) in points for `color`.
/// `captured` stones of the opponent that the move took off are worth the point of their prisoner, which is no longer
/// on the map.
#[must_use]
pub fn delta_territory(before: &InfluenceMap, after: &InfluenceMap, color: Color, captured: usize) -> f32 {
    let sum: f32 =
        vertices(before.field.size).map(|v| after.territory[v.at()] - before.territory[v.at()]).sum();
    let for_color = if color == Color::White { sum } else { -sum };
    for_color + captured as f32
}

/// What a second move in a row would gain: the territory of the follow-up map over that of the move's own map.
#[must_use]
pub fn followup_value(after: &InfluenceMap, followup: &InfluenceMap, color: Color) -> f32 {
    delta_territory(after, followup, color, 0)
}
