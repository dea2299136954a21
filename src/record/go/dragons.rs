//! Dragons and caves in records.

use super::Analysed;
use crate::record::rounded;
use serde_json::{Map, Value, json};
use tengen_go::AnalyseSystems;
use tengen_go::board::{Board, Line, Vertex};
use tengen_go::dragons::{CaveMap, Dragon, DragonMap, EyeMap, Status};

impl Analysed<'_> {
    pub(in crate::record) fn dragons(&self) -> Option<&DragonMap> {
        self.engine.result(self.slot, AnalyseSystems::Dragons)
    }

    pub(in crate::record) fn eyes(&self) -> Option<&EyeMap> {
        self.engine.result(self.slot, AnalyseSystems::Dragons)
    }

    pub(in crate::record) fn caves(&self) -> Option<&CaveMap> {
        self.engine.result(self.slot, AnalyseSystems::Dragons)
    }
}

/// The record's part: every dragon with its status and the rule that gave it, every cave.
pub(super) fn result(analysed: &Analysed, result: &mut Map<String, Value>) -> Option<String> {
    let board = &analysed.input.position.board;
    let (dragons, caves) = (analysed.dragons()?, analysed.caves()?);
    let name = |v: Vertex| v.to_gtp(board.size());
    result.insert("dragons".into(), dragons.dragons.iter().map(|d| dragon(board, d)).collect());
    result.insert(
        "caves".into(),
        caves
            .caves
            .iter()
            .map(|c| json!({ "origin": name(c.origin), "color": c.color, "size": c.size, "border": c.border.map(name) }))
            .collect(),
    );
    let count = |status| dragons.dragons.iter().filter(|d| d.status == status).count();
    Some(format!(
        "{} dragons ({} dead, {} critical)",
        dragons.dragons.len(),
        count(Status::Dead),
        count(Status::Critical)
    ))
}

fn dragon(board: &Board, dragon: &Dragon) -> Value {
    let name = |v: Vertex| v.to_gtp(board.size());
    let names = |line: Line| line.iter().map(|&v| name(v)).collect::<Vec<_>>();
    json!({
        "origin": name(dragon.origin),
        "color": dragon.color,
        "size": dragon.size(),
        "strings": dragon.strings.iter().map(|&v| name(v)).collect::<Vec<_>>(),
        "effective_size": rounded(dragon.effective_size),
        "eyes": [dragon.genus.min_eyes(), dragon.genus.max_eyes()],
        "heyes": dragon.heyes,
        "escape_route": dragon.escape_route,
        "moyo_size": dragon.moyo_size,
        "status": dragon.status,
        "rule": dragon.rule,
        "safety": dragon.safety,
        "weakness": rounded(dragon.weakness),
        "lunch": dragon.lunch.map(name),
        "main_lines": dragon.main_lines().map(|lines| lines.map(names)),
        "vital_points": dragon.vital_points().map(|(attack, defence)| [name(attack), name(defence)]),
    })
}
