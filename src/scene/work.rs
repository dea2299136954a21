//! The work of a scene's files: what is still to be made into cases.

use super::case::Case;
use super::chess_files::ChessFile;
use std::path::PathBuf;

/// Something to be made into cases.
pub(super) enum Work {
    File(PathBuf),
    Cases(Vec<Case>),
    Chess(Box<ChessFile>),
}
