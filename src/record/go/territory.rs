//! Influence and territory in records and expectations. Both players may be to move; the map of the one who is, is
//! the one looked at.

use super::Analysed;
use super::check::{Differences, stage, vertex};
use crate::record::rounded;
use crate::scene::expect::Owner;
use crate::scene::{Case, Expect};
use serde_json::{Map, Value, json};
use tengen_core::Diagnostic;
use tengen_go::AnalyseSystems;
use tengen_go::board::{Color, IllegalMove, Vertex};
use tengen_go::influence::after_move::{self, MoveInfluence};
use tengen_go::influence::{FirstInfluence, SecondInfluence, StoneStatuses};
use tengen_go::patterns::PatternDatabases;
use tengen_go::spread::Cause;
use tengen_go::spread::InfluenceMap;
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

    /// The map for escape routes of the last pass reached.
    fn escape(&self) -> Option<&InfluenceMap> {
        self.second_influence().map(|i| &i.escape).or_else(|| self.first_influence().map(|i| &i.escape))
    }

    /// The map before a move with its opponent to move, and the maps after it.
    fn move_influence(
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
    pub(super) fn map(&self) -> Option<&InfluenceMap> {
        Some(&self.maps()?[self.input.position.to_move.index()])
    }
}

/// The record's part: the score, and how many vertices are whose.
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
    Some(estimate.to_string().split(' ').next().unwrap_or("").to_owned())
}

/// Checks `Influence`, `Permeability`, `Pattern`, `MoveInfluence`, `Field` and `Territory`.
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
        Expect::Permeability { at, color, is, within } => {
            let found = map.field.permeability[color.index()][vertex(case, analysed.input, at)?.at()];
            differences.near(&format!("permeability for {color} at {at}"), Some(*is), found, *within);
        }
        Expect::Pattern { name, at } => {
            let at = at.as_ref().map(|at| vertex(case, analysed.input, at)).transpose()?;
            let escape = analysed.escape().map_or(&[][..], |map| &map.causes);
            let causes: Vec<&Cause> = map.causes.iter().chain(escape).collect();
            let fits = |c: &Cause| *c.pattern == **name && at.is_none_or(|at| c.at == at);
            if !causes.iter().any(|c| fits(c)) {
                let there = causes.iter().filter(|c| at.is_none_or(|at| c.at == at));
                let mut found: Vec<&str> = there.map(|c| &*c.pattern).collect();
                found.sort_unstable();
                found.dedup();
                differences.say(format!("{name} did nothing there; those that did: {}", found.join(", ")));
            }
        }
        Expect::MoveInfluence { at, color, delta, followup, within } => {
            let v = vertex(case, analysed.input, at)?;
            let color = color.unwrap_or(analysed.input.position.to_move);
            let (before, after) =
                analysed.move_influence(color, v).ok_or_else(|| stage(case, "SecondInfluence"))?;
            let Ok(after) = after else {
                differences.say(format!("{at} is against the rules for {color}"));
                return Ok(());
            };
            differences.near("the territorial value", *delta, after.delta(before, color), *within);
            differences.near("the follow-up value", *followup, after.followup_value(color), *within);
        }
        Expect::Field { color, rows } => {
            let found =
                |v: tengen_go::board::Vertex| Some(map.influence[color.index()][v.at()].trunc() as i64);
            super::check::compare(case, board.size(), rows, found, differences)?;
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
            let found =
                score::estimate(board, maps, analysed.input.position.komi, score::Scoring::Territory).score;
            differences.near("White's lead", *is, found, *within);
        }
        Expect::Score { at_least, at_most, .. } => {
            let maps = analysed.maps().ok_or_else(|| stage(case, "FirstInfluence"))?;
            let found =
                score::estimate(board, maps, analysed.input.position.komi, score::Scoring::Territory).score;
            differences.within("White's lead", *at_least, *at_most, found);
        }
        _ => {}
    }
    Ok(())
}
