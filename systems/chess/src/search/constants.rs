//! The constants of judgement for pruning, reductions and extensions (docs/constants.md defines the term). Values and
//! margins are in centipawns, and depths are in plies.

// Pruning before any move.

/// The greatest depth at which a static value far above beta ends the node. Deeper nodes hide sacrifices: with 8 the
/// engine solves a seventh fewer of the harder tactical positions, and plays no better.
///
/// Origin: measured, commits 4183edd and 6230e0e.
pub(super) const REVERSE_DEPTH: i32 = 3;

/// How far above beta that value is, for each ply of depth, and besides.
///
/// Origin: measured, commit 4183edd, together with four other changes: 285 of 300 of WAC, 273 before.
pub(super) const REVERSE_MARGIN: [i32; 2] = [130, 40];

/// The least depth of a node with a null move.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `null`.
pub(super) const NULL_DEPTH: i32 = 3;

/// No null move is tried where the table has an upper bound below beta of at most this much less depth.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `null`.
pub(super) const NULL_DRAFT: i32 = 4;

/// The plies by which the search after a null move is less deep.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `null`.
pub(super) const NULL_REDUCTION: i32 = 3;

/// One more ply for each of these plies of depth.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `null`.
pub(super) const NULL_DEPTH_SHARE: i32 = 4;

/// One more ply for each of these steps of the evaluation above beta.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `null`.
pub(super) const NULL_MARGIN: i32 = 200;

/// The most plies for the evaluation.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `null`.
pub(super) const NULL_MOST: i32 = 2;

/// The depth after a null move is at least this depth of the node, less the second number.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `null`.
pub(super) const NULL_LEAST: [i32; 2] = [5, 4];

/// The least depth at which a null move is verified.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `verification`.
pub(super) const VERIFY_DEPTH: i32 = 14;

/// The share of the depth, a numerator and a denominator, down to which a verification tries no null move.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `verification`.
pub(super) const VERIFY_SHARE: [i32; 2] = [3, 4];

// Pruning of moves.

/// The greatest depth at which a quiet move that gives check may be skipped.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `material`.
pub(super) const CHECK_DEPTH: i32 = 6;

/// The material a check may lose for each ply of depth left: sacrifices at the king gain later than others.
///
/// Origin: measured, commit b2c942e: 252 of 300 of WAC with 50,000 nodes, 243 before.
pub(super) const CHECK_LOSS: i32 = -200;

/// The number of moves, besides the square of the depth, after which quiet moves are skipped.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `late`.
pub(super) const LATE_MOVES: i32 = 4;

/// How far below alpha the evaluation of a futile move is, and more for each ply of its reduced depth.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `futility`.
pub(super) const FUTILITY_MARGIN: [i32; 2] = [90, 95];

/// The history that counts as a centipawn of that margin.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `futility`.
pub(super) const FUTILITY_HISTORY: i32 = 128;

/// The greatest reduced depth at which a futile move is skipped.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `futility`.
pub(super) const FUTILITY_DEPTH: i32 = 7;

/// The greatest depth at which a quiet move is skipped for its history.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `history`.
pub(super) const HISTORY_DEPTH: i32 = 4;

/// The history below which it is skipped, for each ply of depth.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `history`.
pub(super) const HISTORY_LOSS: i32 = -3500;

/// The greatest reduced depth at which a quiet move that loses material is skipped.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `material`.
pub(super) const QUIET_LOSS_DEPTH: i32 = 8;

/// The material that it may lose, for each square of a ply of the reduced depth.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `material`.
pub(super) const QUIET_LOSS: i32 = -22;

/// The greatest depth at which a losing capture is skipped.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `material`.
pub(super) const CAPTURE_LOSS_DEPTH: i32 = 7;

/// The material that it may lose for each ply of depth.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `material`.
pub(super) const CAPTURE_LOSS: i32 = -95;

// Reductions, in 1024ths of a ply.

/// One ply.
///
/// Origin: definition, the unit of reductions.
pub(super) const PLY: i32 = 1024;

/// The reduction of every late move.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `reductions`.
pub(super) const REDUCTION: i32 = 700;

/// What the logarithms of depth and number add to it: a numerator and a denominator.
///
/// Origin: measured, commit 4183edd, together with four other changes: 285 of 300 of WAC, 273 before.
pub(super) const LOGARITHMS: [i64; 2] = [10, 28];

/// Share of the usual late move reduction, per cent.
///
/// Origin: measured, commit 6230e0e, together with three other changes: 290 of 300 of WAC, 285 before.
pub(super) const REDUCED: i32 = 85;

/// The least depth at which late moves are reduced. Below it the number of a move does not matter.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `reductions`.
pub(super) const REDUCED_FROM: i32 = 3;

/// The number of the first reduced move outside the principal variation.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `reductions`.
pub(super) const REDUCED_MOVE: i32 = 2;

/// A losing capture is reduced by this part of a quiet move.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `reductions`.
pub(super) const CAPTURE_SHARE: i32 = 2;

/// More at a node where a cutoff is expected.
///
/// Origin: measured, commit b2c942e, together with other changes: 274 of 300 of WAC, 270 before.
pub(super) const CUT_NODE: i32 = 512;

/// Less in the principal variation.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `terms`.
pub(super) const PRINCIPAL: i32 = 900;

/// More where the evaluation does not improve.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `terms`.
pub(super) const WORSENING: i32 = 700;

/// More where the table move is a capture.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `terms`.
pub(super) const AFTER_CAPTURE: i32 = 600;

/// Less where a null move was answered by mate.
///
/// Origin: measured, commit 6230e0e, together with three other changes: 290 of 300 of WAC, 285 before.
pub(super) const UNDER_THREAT: i32 = PLY;

/// Less for a move that gives check.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `terms`.
pub(super) const OF_CHECK: i32 = PLY;

/// Less for a killer, for the greatest history, and for a capture that does not lose.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `terms`.
pub(super) const OF_GOOD: i32 = PLY;

// Nodes and extensions.

/// The number of plies on the clock from which the table ends no node.
///
/// Origin: own choice, unmeasured.
pub(super) const CLOCK_LIMIT: u16 = 88;

/// The least depth at which a node without a confirmed table move is searched one ply less deep.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `internal`.
pub(super) const INTERNAL_DEPTH: i32 = 4;

/// The least depth at which a table move may be singular.
///
/// Origin: measured, commit 4183edd, together with four other changes: 285 of 300 of WAC, 273 before.
pub(super) const SINGULAR_DEPTH: i32 = 6;

/// The entry of a singular move is at most this much less deep than the node.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `singular`.
pub(super) const SINGULAR_DRAFT: i32 = 3;

/// Plies of the line for plies of the iteration beyond which no move is extended as singular.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `singular`.
pub(super) const SINGULAR_PLIES: [usize; 2] = [3, 2];

/// How far below the table's bound the other moves stay, for each ply of depth.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `singular`.
pub(super) const SINGULAR_MARGIN: i32 = 2;

/// The part of the depth to which the other moves are searched.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `singular`.
pub(super) const SINGULAR_SHARE: i32 = 2;

/// How much farther below they stay where the move is extended by two plies.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `singular`.
pub(super) const DOUBLE_MARGIN: i32 = 20;

/// The most moves of a node that learn from its cutoff.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `histories`.
pub(super) const MOST_LEARNING: usize = 48;
