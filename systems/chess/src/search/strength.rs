//! Weaker levels of play: a rating gives a number of nodes for each move.
//!
//! # Steps
//! 1. Twice the nodes are worth 200 rating points. This was measured between 250 and 2,000 nodes. The rating is linear
//!    in the logarithm of the nodes.
//!
//! # Departures
//! Play is deterministic: the same position with the same table gives the same move. The reported score is that of the
//! played move. The ratings come from matches of the engine with itself (docs/uci.md). They compare levels of this
//! engine, and say little about people and other engines.

/// The weakest offered rating.
///
/// Origin: own choice, unmeasured.
pub const WEAKEST: u32 = 1300;

/// The strongest offered rating.
///
/// Origin: own choice, unmeasured.
pub const STRONGEST: u32 = 2500;

/// Ratings and their nodes for each move.
///
/// Origin: measured, `docs/uci.md`, "Playing at a rating": twice the nodes are 200 points; the scale is a choice.
const LADDER: [(u32, u64); 2] = [(WEAKEST, 125), (STRONGEST, 8_000)];

/// The nodes for each move of a player of this rating.
#[must_use]
pub fn nodes_of(rating: u32) -> u64 {
    let rating = rating.clamp(WEAKEST, STRONGEST);
    let above = LADDER.iter().position(|(known, _)| *known >= rating).unwrap_or(LADDER.len() - 1).max(1);
    let [(low, few), (high, many)] = [LADDER[above - 1], LADDER[above]];
    let share = f64::from(rating - low) / f64::from(high - low);
    let log = (few as f64).ln() * (1.0 - share) + (many as f64).ln() * share;
    log.exp().round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_rating_is_more_nodes_from_the_weakest_to_the_strongest() {
        let nodes: Vec<u64> = (WEAKEST..=STRONGEST).map(nodes_of).collect();
        assert!(nodes.is_sorted());
        for (rating, nodes) in LADDER {
            assert_eq!(nodes_of(rating), nodes);
        }
        assert_eq!((nodes_of(0), nodes_of(9999)), (nodes_of(WEAKEST), nodes_of(STRONGEST)));
    }
}
