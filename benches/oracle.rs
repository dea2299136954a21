//! Reads the positions that were recorded from GNU Go, for the benches that compare with GNU Go.

use std::path::PathBuf;
use tengen_go::board::{Board, Color};
use tengen_go::influence::StoneStatus;
use tengen_go::influence::recorded::Recorded;
use tengen_go::spread::field::{Field, vertices};
use tengen_go::spread::{InfluenceMap, Spreader};

/// One recorded position.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Lines of the board.
    pub size: usize,
    /// The stones.
    pub board: Board,
    /// The recorded inputs of the influence with dragons known, with Black and with White to move.
    pub fields: [Field; 2],
    /// The recorded status of the stones with Black and with White to move, padded.
    pub statuses: [Vec<StoneStatus>; 2],
    /// What `loadsgf` needs to set it up: the game under `shared`'s suites, and before which move to stop.
    pub sgf: String,
    /// The argument of `loadsgf` after the game.
    pub until: String,
}

/// The folder `shared`: `TENGEN_SHARED`, or beside the repository.
#[must_use]
pub fn shared() -> PathBuf {
    std::env::var_os("TENGEN_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from)
}

/// All recordings by name; none where the folder is missing or something else.
#[must_use]
pub fn recordings() -> Vec<Recording> {
    let Ok(entries) = std::fs::read_dir(shared().join("golden/go/oracle")) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    paths.iter().filter_map(read).collect()
}

fn read(path: &PathBuf) -> Option<Recording> {
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
    let maps = Color::BOTH.map(|to_move| Recorded::from_json(&json, to_move).ok());
    let [Some(black), Some(white)] = maps.map(|m| m.map(|m| m.compute(&mut Spreader::new()))) else {
        return None;
    };
    let size = black.field.size;
    let mut board = Board::new(size);
    for v in vertices(size) {
        if let Some(color) = black.stones[v.at()] {
            board.place(color, v).ok()?;
        }
    }
    let statuses = [statuses(&black), statuses(&white)];
    let until = &json["loadsgf_move"];
    let until = until.as_str().map_or_else(|| until.to_string(), str::to_owned);
    Some(Recording {
        size,
        board,
        fields: [black.field, white.field],
        statuses,
        sgf: json["sgf"].as_str()?.to_owned(),
        until,
    })
}

/// A stone that blocks is safe, and as strong as its source.
fn statuses(map: &InfluenceMap) -> Vec<StoneStatus> {
    let of = |(at, stone): (usize, &Option<Color>)| {
        let Some(color) = stone.filter(|_| map.field.blocked[at]) else { return StoneStatus::default() };
        StoneStatus { safe: true, strength: map.field.strength[color.index()][at] }
    };
    map.stones.iter().enumerate().map(of).collect()
}
