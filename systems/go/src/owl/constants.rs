//! How life-and-death reading divides the node limit of a question.

/// The share of the node limit that thorough reading gets before eager reading answers.
///
/// Origin: own choice, unmeasured.
pub(super) const THOROUGH_SHARE: u32 = 2;

/// The number of killing moves that are tried as defences where the reading of the defence was cut off.
///
/// Origin: ablation, commit 3926f66: of 19 such defences three more name a wanted point.
pub(super) const GUESSES: usize = 4;

/// The number of positions of a closed field for each position of reading with judgement, because they are cheaper.
///
/// Origin: ablation, commit 677cf3b: closed problems as a whole.
pub(super) const CLOSED_NODES: u32 = 200;

/// The most positions of a closed field, which take about a second.
///
/// Origin: measured, `experiments/2026-11-22-go-closed-problems.md`, "Careful fields": twice as many solve two of 264 questions more.
pub(super) const MOST_CLOSED_NODES: u32 = 800_000;
