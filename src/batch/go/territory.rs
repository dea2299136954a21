//! Influence and territory in records and expectations. Both players may be to move; the map of the one who is, is
//! the one looked at.

use super::Analysed;
use super::check::{Differences, stage, vertex};
use crate::batch::record::rounded;
use crate::scene::expect::Owner;
use crate::scene::{Case, Column, Expect};
use serde_json::{Map, Value, json};
use tengen_core::Diagnostic;
use tengen_go::AnalyseSystems;
use tengen_go::board::Color;
use tengen_go::influence::{FirstInfluence, InfluenceMap, SecondInfluence};
use tengen_go::territory::{Region, score};

impl Analysed<'_> {
    pub(super) fn first_influence(&self) -> Option<&FirstInfluence> {
        self.engine.result(self.slot, AnalyseSystems::FirstInfluence)
    }

    pub(super) fn second_influence(&self) -> Option<&SecondInfluence> {
        self.engine.result(self.slot, AnalyseSystems::SecondInfluence)
    }

    /// The maps of the last pass reached, with Black and with White to move.
    fn maps(&self) -> Option<&[InfluenceMap; 2]> {
        self.second_influence().map(|i| &i.maps).or_else(|| self.first_influence().map(|i| &i.maps))
    }

    /// The map for the player to move.
    fn map(&self) -> Option<&InfluenceMap> {
        Some(&self.maps()?[self.input.position.to_move.index()])
    }
}

/// The record's part: the score, how many vertices are whose, and the columns asked for.
pub(super) fn result(
    analysed: &Analysed,
    columns: &[Column],
    result: &mut Map<String, Value>,
) -> Option<String> {
    let board = &analysed.input.position.board;
    let map = analysed.map()?;
    let estimate = score::estimate(board, analysed.maps()?, analysed.input.position.komi);
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
    let padded = |of: &[f32]| board.vertices().map(|v| rounded(of[v.at()])).collect::<Vec<_>>();
    let both = |map: &InfluenceMap| json!({ "black": padded(&map.influence[0]), "white": padded(&map.influence[1]) });
    for column in columns {
        let first = analysed.first_influence().map(|i| &i.maps[analysed.input.position.to_move.index()]);
        let (name, value) = match column {
            Column::Influence => ("influence", both(map)),
            Column::FirstInfluence => ("first_influence", first.map(both).unwrap_or_default()),
            Column::Territory => ("territory_values", json!(padded(&map.territory))),
        };
        result.insert(name.into(), value);
    }
    Some(estimate.to_string().split(' ').next().unwrap_or("").to_owned())
}

/// Checks `Influence`, `Field` and `Territory`.
pub(super) fn check(
    case: &Case,
    analysed: &Analysed,
    expect: &Expect,
    differences: &mut Differences,
) -> Result<(), Diagnostic> {
    let map = analysed.map().ok_or_else(|| stage(case, "FirstInfluence"))?;
    let board = &analysed.input.position.board;
    match expect {
        Expect::Influence { at, color, is, within } => {
            let found = map.influence[color.index()][vertex(case, analysed.input, at)?.at()];
            differences.near(&format!("{color} influence at {at}"), Some(*is), found, *within);
        }
        Expect::Field { color, rows } => {
            let found =
                |v: tengen_go::board::Vertex| Some(map.influence[color.index()][v.at()].trunc() as i64);
            super::field::compare(case, board.size(), rows, found, differences)?;
        }
        Expect::Territory { at: Some(at), owner, is, within } => {
            let v = vertex(case, analysed.input, at)?;
            differences.near(&format!("territory at {at}"), *is, map.territory[v.at()], *within);
            let found = match map.whose_territory(v) {
                Some(Color::Black) => Owner::Black,
                Some(Color::White) => Owner::White,
                None => Owner::Nobody,
            };
            differences.field(&format!("the owner of {at}"), *owner, found);
        }
        Expect::Territory { is, within, .. } => {
            let maps = analysed.maps().ok_or_else(|| stage(case, "FirstInfluence"))?;
            let found = score::estimate(board, maps, analysed.input.position.komi).score;
            differences.near("White's lead", *is, found, *within);
        }
        Expect::Score { at_least, at_most, .. } => {
            let maps = analysed.maps().ok_or_else(|| stage(case, "FirstInfluence"))?;
            let found = score::estimate(board, maps, analysed.input.position.komi).score;
            differences.within("White's lead", *at_least, *at_most, found);
        }
        _ => {}
    }
    Ok(())
}
