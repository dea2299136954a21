//! An input that still has to give its cases: a file, a list of ready cases, or a chess file that is read as a stream.

use super::case::Case;
use super::chess_files::ChessFile;
use std::path::PathBuf;

/// Something to be made into cases.
pub(super) enum PendingInput {
    File(PathBuf),
    Cases(Vec<Case>),
    Chess(Box<ChessFile>),
}
