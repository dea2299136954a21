//! Dragons and caves in records and expectations.

use super::Analysed;
use super::check::{Differences, stage, vertex};
use crate::record::rounded;
use crate::scene::{Case, Expect};
use serde_json::{Map, Value, json};
use tengen_core::Diagnostic;
use tengen_go::AnalyseSystems;
use tengen_go::board::{Board, Line, Vertex};
use tengen_go::dragons::{CaveMap, Dragon, DragonMap, EyeMap, Status};
use tengen_go::eyes::topology::HalfEyeKind;
use tengen_go::worms::WormColor;

impl Analysed<'_> {
    pub(super) fn dragons(&self) -> Option<&DragonMap> {
        self.engine.result(self.slot, AnalyseSystems::Dragons)
    }

    fn caves(&self) -> Option<&CaveMap> {
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

/// Checks `Dragon` and `HalfEye`.
pub(super) fn check(
    case: &Case,
    analysed: &Analysed,
    expect: &Expect,
    differences: &mut Differences,
) -> Result<(), Diagnostic> {
    if let Expect::HalfEye { at, is } = expect {
        return half_eye(case, analysed, at, *is, differences);
    }
    let Expect::Dragon { at, with, apart, color, size, eyes, status, half_eyes, escape, surround } = expect
    else {
        return Ok(());
    };
    let board = &analysed.input.position.board;
    let (Some(dragons), Some(caves)) = (analysed.dragons(), analysed.caves()) else {
        return Err(stage(case, "Dragons"));
    };
    let v = vertex(case, analysed.input, at)?;
    // A dragon or a cave by its number.
    let unit = |v: Vertex| (dragons.index[v.at()], caves.index[v.at()]);
    for (names, together) in [(with, true), (apart, false)] {
        for name in names {
            let other = vertex(case, analysed.input, name)?;
            if (unit(other) == unit(v)) != together {
                differences
                    .say(format!("{at} and {name} are {}", if together { "apart" } else { "together" }));
            }
        }
    }
    let found = dragons.at(v).map(|d| (WormColor::from(d.color), d.size()));
    let found = found.or_else(|| caves.at(v).map(|c| (c.color, usize::from(c.size))));
    let Some((found_color, found_size)) = found else { return Err(stage(case, "Dragons")) };
    differences.field("color", *color, found_color);
    differences.field("size", *size, found_size);
    if let Some(dragon) = dragons.at(v) {
        differences.field("eyes", *eyes, (dragon.genus.min_eyes(), dragon.genus.max_eyes()));
        differences.field("status", *status, dragon.status);
        differences.field("half eyes", *half_eyes, dragon.heyes);
        differences.field("the escape route", *escape, dragon.escape_route);
        differences.field("surround", *surround, dragon.surround.status);
    } else if eyes.is_some() || status.is_some() {
        return Err(case
            .fault(at, format!("`{at}` is empty: a cave has no eyes and no status"))
            .help("name a stone of the dragon"));
    }
    debug_assert_eq!(board.is_empty(v), dragons.at(v).is_none());
    Ok(())
}

fn half_eye(
    case: &Case,
    analysed: &Analysed,
    at: &str,
    is: Option<HalfEyeKind>,
    differences: &mut Differences,
) -> Result<(), Diagnostic> {
    let eyes: &EyeMap = analysed
        .engine
        .result(analysed.slot, AnalyseSystems::Dragons)
        .ok_or_else(|| stage(case, "Dragons"))?;
    let found = eyes.half_eye(vertex(case, analysed.input, at)?).map(|half| half.kind);
    if found != is {
        let word =
            |kind: Option<HalfEyeKind>| kind.map_or("neither half nor false".into(), |k| format!("{k:?}"));
        differences.say(format!("the eye at {at} is {}, not {}", word(found), word(is)));
    }
    Ok(())
}
