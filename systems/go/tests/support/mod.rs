//! The recordings of GNU Go 3.8 under `../shared/golden/go/oracle`, for the tests that compare with them.
#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use serde_json::Value;
use std::path::PathBuf;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::influence::patterns::causes;
use tengen_go::influence::{Kind, Pass, StoneStatus};
use tengen_go::patterns::{EngineQueries, PatternDatabases};
use tengen_go::spread::field::{Field, padded_len, vertices};
use tengen_go::spread::{InfluenceMap, Spreader};
use tengen_go::tactics::{Code, Limits, Reader, TacticsMap, WormTactics};

/// The folder `shared`, or `None` (with a message) where it isn't there.
pub(crate) fn shared() -> Option<PathBuf> {
    let path = std::env::var_os("TENGEN_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let there = path.join("golden").is_dir();
    if !there {
        eprintln!("skipped: no {} (set TENGEN_SHARED)", path.display());
    }
    there.then_some(path)
}

/// One recorded position.
pub(crate) struct Oracle {
    pub(crate) name: String,
    pub(crate) size: usize,
    pub(crate) json: Value,
}

/// All recordings by name; none where `shared` is missing.
pub(crate) fn oracles() -> Vec<Oracle> {
    let Some(shared) = shared() else { return Vec::new() };
    let mut files: Vec<PathBuf> = std::fs::read_dir(shared.join("golden/go/oracle"))
        .expect("the folder of recordings")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).expect("a readable recording");
            let json: Value = serde_json::from_str(&text).expect("a recording is JSON");
            let size = json["size"].as_u64().expect("a size") as usize;
            Oracle { name: path.file_stem().expect("a name").to_string_lossy().into_owned(), size, json }
        })
        .collect()
}

/// A matrix of a recording as a padded array; missing numbers are NaN.
pub(crate) fn matrix(json: &Value, size: usize) -> Vec<f32> {
    let mut out = vec![0.0; padded_len(size)];
    for v in vertices(size) {
        let number = &json[v.row(size)][v.col(size)];
        out[v.at()] = number.as_f64().map_or(f32::NAN, |x| x as f32);
    }
    out
}

impl Oracle {
    /// The stones: `None` for an empty vertex, padded.
    pub(crate) fn stones(&self) -> Vec<Option<Color>> {
        let mut out = vec![None; padded_len(self.size)];
        for color in Color::BOTH {
            for name in self.json[color.to_string()].as_array().expect("stones") {
                let v = Vertex::from_gtp(name.as_str().expect("a vertex"), self.size).expect("a vertex");
                out[v.at()] = Some(color);
            }
        }
        out
    }

    /// A matrix of the map with dragons known and `to_move` next.
    pub(crate) fn initial(&self, to_move: Color, name: &str) -> Vec<f32> {
        matrix(&self.json["initial_influence"][to_move.to_string()][name], self.size)
    }

    /// The inputs of the map with dragons known and `to_move` next, as recorded, with exact permeabilities.
    pub(crate) fn field(&self, to_move: Color) -> Field {
        let mut field = Field::new(self.size);
        for color in Color::BOTH {
            let c = color.index();
            field.strength[c] = self.initial(to_move, &format!("{color}_strength"));
            field.attenuation[c] = self.initial(to_move, &format!("{color}_attenuation"));
            field.permeability[c] = self.initial(to_move, &format!("{color}_permeability"));
        }
        let stones = self.stones();
        tengen_go::spread::permeability::block_safe_stones(&mut field, &stones);
        tengen_go::spread::permeability::unround(&mut field, &stones, Some(to_move));
        field
    }

    /// The recorded map with dragons known and `to_move` next: recorded inputs, recorded influence.
    pub(crate) fn map(&self, to_move: Color) -> InfluenceMap {
        let non_territory = self.initial(to_move, "non_territory").iter().map(|&x| x as u8).collect();
        let influence = Color::BOTH.map(|c| self.initial(to_move, &format!("{c}_influence")));
        let territory = self.initial(to_move, "territory_value");
        InfluenceMap {
            to_move: Some(to_move),
            field: self.field(to_move),
            stones: self.stones(),
            influence,
            territory,
            non_territory,
            causes: Vec::new(),
        }
    }
}

/// The recorded position as a board.
pub(crate) fn board(oracle: &Oracle) -> Board {
    let mut board = Board::new(oracle.size);
    for (index, stone) in oracle.stones().into_iter().enumerate() {
        if let Some(color) = stone {
            board.place(color, Vertex(index as u16)).expect("each vertex is set once");
        }
    }
    board
}

/// The recorded attack and defence codes.
pub(crate) fn tactics(oracle: &Oracle) -> TacticsMap {
    let code = |json: &Value| match json.as_u64() {
        Some(1 | 2) => Code::KoB,
        Some(3 | 4) => Code::KoA,
        Some(5) => Code::Win,
        _ => Code::Fail,
    };
    let vertex =
        |json: &Value| Vertex::from_gtp(json.as_str().unwrap_or("PASS"), oracle.size).unwrap_or_default();
    let worms = oracle.json["worms"].as_array().expect("worms").iter();
    let read = worms.map(|worm| WormTactics {
        origin: vertex(&worm["vertex"]),
        attack: code(&worm["attack_code"]),
        attack_point: vertex(&worm["attack_point"]),
        defense: code(&worm["defense_code"]),
        defense_point: vertex(&worm["defense_point"]),
        ..WormTactics::default()
    });
    TacticsMap { worms: read.collect() }
}

/// The recorded status of every stone: safe if the recorded permeabilities say so, strong as recorded.
pub(crate) fn statuses(oracle: &Oracle, to_move: Color) -> Vec<StoneStatus> {
    let field = oracle.field(to_move);
    oracle
        .stones()
        .iter()
        .enumerate()
        .map(|(at, stone)| {
            let Some(color) = stone.filter(|_| field.blocked[at]) else { return StoneStatus::default() };
            StoneStatus { safe: true, strength: field.strength[color.index()][at] }
        })
        .collect()
}

/// Computes the map of every recording by these databases, for either side to move, and shows it to `visit`.
pub(crate) fn each_map(
    databases: &PatternDatabases,
    mut visit: impl FnMut(&Oracle, &Board, Color, &InfluenceMap),
) {
    let mut reader = Reader::new(Limits::of_constraints());
    let mut spreader = Spreader::new();
    for oracle in oracles() {
        let board = board(&oracle);
        let worms = tengen_go::worms::build(&board);
        let tactics = tactics(&oracle);
        for to_move in Color::BOTH {
            let status = statuses(&oracle, to_move);
            let pass =
                Pass { board: &board, to_move: Some(to_move), status: &status, kind: Kind::Territorial };
            let field = pass.field();
            let mut queries = EngineQueries {
                worms: Some(&worms),
                tactics: Some(&tactics),
                ..EngineQueries::new(board.clone(), &mut reader)
            };
            let causes = causes(databases, &pass, &field, &mut queries);
            visit(&oracle, &board, to_move, &pass.compute(&mut spreader, field, causes));
        }
    }
}
