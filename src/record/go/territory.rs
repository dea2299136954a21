//! Writes influence and territory into records. The analysis has one map for each side to move. Records use the map of
//! the player who is actually to move.

use super::Analysed;
use crate::record::rounded;
use serde_json::{Map, Value, json};
use tengen_go::AnalyseSystems;
use tengen_go::board::{Color, IllegalMove, Vertex};
use tengen_go::connection::BreakIn;
use tengen_go::influence::after_move::{self, MoveInfluence};
use tengen_go::influence::{BreakIns, FirstInfluence, SecondInfluence, StoneStatuses};
use tengen_go::patterns::PatternDatabases;
use tengen_go::spread::InfluenceMap;
use tengen_go::tactics::Reading;
use tengen_go::territory::{Region, score};

impl Analysed<'_> {
    pub(super) fn first_influence(&self) -> Option<&FirstInfluence> {
        self.engine.result(self.slot, AnalyseSystems::FirstInfluence)
    }

    pub(super) fn second_influence(&self) -> Option<&SecondInfluence> {
        self.engine.result(self.slot, AnalyseSystems::SecondInfluence)
    }

    /// The break-ins into territories.
    pub(in crate::record) fn break_ins(&self) -> Option<&[BreakIn]> {
        let found: &BreakIns = self.engine.result(self.slot, AnalyseSystems::SecondInfluence)?;
        Some(&found.0)
    }

    /// The maps of the last pass reached, with Black and with White to move.
    pub(in crate::record) fn maps(&self) -> Option<&[InfluenceMap; 2]> {
        self.second_influence().map(|i| &i.maps).or_else(|| self.first_influence().map(|i| &i.maps))
    }

    /// The map for escape routes of the last pass reached.
    pub(in crate::record) fn escape(&self) -> Option<&InfluenceMap> {
        self.second_influence().map(|i| &i.escape).or_else(|| self.first_influence().map(|i| &i.escape))
    }

    /// The map before a move with its opponent to move, and the maps after it.
    pub(in crate::record) fn move_influence(
        &self,
        color: Color,
        at: Vertex,
    ) -> Option<(&InfluenceMap, Result<MoveInfluence, IllegalMove>)> {
        let before = &self.second_influence()?.maps[color.other().index()];
        let statuses: &StoneStatuses = self.engine.result(self.slot, AnalyseSystems::Dragons)?;
        let databases = self.engine.world().get_resource::<PatternDatabases>()?;
        let board = &self.input.position.board;
        let status = &statuses.0[color.other().index()];
        Some((before, after_move::of_move(board, color, at, status, databases)))
    }

    /// The map for the player to move.
    pub(in crate::record) fn map(&self) -> Option<&InfluenceMap> {
        Some(&self.maps()?[self.input.position.to_move.index()])
    }
}

/// The record's part: the score, and the number of vertices of each colour.
pub(super) fn result(analysed: &Analysed, result: &mut Map<String, Value>) -> Option<String> {
    let board = &analysed.input.position.board;
    let map = analysed.map()?;
    let estimate =
        score::estimate(board, analysed.maps()?, analysed.input.position.komi, score::Scoring::Territory);
    let count = |holds: &dyn Fn(Region, Color) -> bool| {
        let of = |color| board.vertices().filter(|&v| holds(map.region(v), color)).count();
        json!({ "black": of(Color::Black), "white": of(Color::White) })
    };
    let territory = count(&|region, color| region == Region::Territory(color));
    let moyo = count(&|region, color| matches!(region, Region::Territory(c) | Region::Moyo(c) if c == color));
    let area = count(
        &|region, color| matches!(region, Region::Territory(c) | Region::Moyo(c) | Region::Area(c) if c == color),
    );
    result.insert(
        "territory".into(),
        json!({
            "pass": if analysed.second_influence().is_some() { "second" } else { "first" },
            "white_lead": rounded(estimate.score),
            "if_white_moves": rounded(estimate.upper),
            "if_black_moves": rounded(estimate.lower),
            "territory": territory, "moyo": moyo, "area": area,
        }),
    );
    if let Some(after) = analysed.engine.component::<MoveInfluence>(analysed.slot) {
        result.insert("after".into(), after_move(analysed, after));
    }
    if let Some(found) = analysed.break_ins() {
        let of = |b: &BreakIn| break_in(b, board.size());
        result.insert("break_ins".into(), found.iter().map(of).collect());
    }
    Some(estimate.to_string().split(' ').next().unwrap_or("").to_owned())
}

/// The influence after the move that the scene names, and after a second move in a row.
fn after_move(analysed: &Analysed, after: &MoveInfluence) -> Value {
    let board = &analysed.input.position.board;
    let column = |of: &[f32]| board.vertices().map(|v| rounded(of[v.at()])).collect::<Vec<_>>();
    json!({
        "black_influence": column(&after.map.influence[0]),
        "white_influence": column(&after.map.influence[1]),
        "territory": column(&after.map.territory),
        "black_followup_influence": column(&after.followup.influence[0]),
        "white_followup_influence": column(&after.followup.influence[1]),
        "followup_territory": column(&after.followup.territory),
    })
}

/// A break-in: the intruder, the territory, the move, and the lost vertices.
fn break_in(found: &BreakIn, size: usize) -> Value {
    let name = |v: Vertex| v.to_gtp(size);
    let point = |reading: &Reading| {
        (reading.code.works() && reading.point != Vertex::PASS).then(|| name(reading.point))
    };
    json!({
        "owner": found.owner,
        "around": name(found.around),
        "intruder": name(found.intruder),
        "break_in_code": found.break_in.code.gtp(),
        "break_in": point(&found.break_in),
        "block_off_code": found.block_off.code.gtp(),
        "block_off": point(&found.block_off),
        "lost": found.lost.iter().map(|&v| name(v)).collect::<Vec<_>>(),
    })
}
