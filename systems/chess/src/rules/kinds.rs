//! The names of the warnings that come from reading chess positions and games.

/// Castling rights have no king and rook to go with them.
pub const CASTLING_SURPLUS: &str = "chess-castling-surplus";
/// A game has a null move.
pub const NULL_MOVE: &str = "chess-null-move";

/// Every kind, with its meaning.
pub const ALL: [(&str, &str); 2] = [
    (CASTLING_SURPLUS, "castling rights without king and rook in place are dropped"),
    (NULL_MOVE, "a game passes the turn by a null move; the count of repetitions starts again after it"),
];
