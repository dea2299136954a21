//! GTP commands about influence: the maps in GNU Go's format, the effects of patterns on the maps, and maps from given
//! inputs.

use super::session::Session;
use super::wire::{Answer, Arguments, Failure};
use super::{Command, command};
use crate::number_text::fixed;
use serde_json::{Value, json};
use tengen_go::AnalyseSystems;
use tengen_go::board::{Color, Vertex};
use tengen_go::influence::after_move::{self, MoveInfluence};
use tengen_go::influence::recorded::Recorded;
use tengen_go::influence::{FirstInfluence, SecondInfluence, StoneStatuses};
use tengen_go::patterns::PatternDatabases;
use tengen_go::spread::{InfluenceMap, Spreader};

/// The commands of this file.
pub(super) const COMMANDS: &[Command] = &[
    command("initial_influence", initial_influence),
    command("move_influence", move_influence),
    command("followup_influence", followup_influence),
    command("tengen-first_influence", first_influence),
    command("tengen-influence_causes", influence_causes),
    command("tengen-delta_territory", delta_territory),
    command("tengen-influence_of_inputs", influence_of_inputs),
];

/// One piece of information of a map, as a matrix in GNU Go's layout.
fn matrix(map: &InfluenceMap, what: &str) -> Answer {
    let decimal = |values: &[f32]| rows(map.field.size, |v| format!("{:>6}", fixed(values[v.at()], 2)));
    Ok(match what {
        "white_influence" => decimal(&map.influence[1]),
        "black_influence" => decimal(&map.influence[0]),
        "white_strength" => decimal(&map.field.strength[1]),
        "black_strength" => decimal(&map.field.strength[0]),
        "white_attenuation" => decimal(&map.field.attenuation[1]),
        "black_attenuation" => decimal(&map.field.attenuation[0]),
        "white_permeability" => decimal(&map.field.permeability[1]),
        "black_permeability" => decimal(&map.field.permeability[0]),
        "territory_value" => decimal(&map.territory),
        "influence_regions" => rows(map.field.size, |v| format!("{:2}", map.region(v).code())),
        "non_territory" => rows(map.field.size, |v| format!("{:2}", map.non_territory[v.at()])),
        _ => return Err(Failure::new("unknown information")),
    })
}

/// A line of the board per line, with a blank between the cells.
fn rows(size: usize, cell: impl Fn(Vertex) -> String) -> String {
    let line = |row| (0..size).map(|col| cell(Vertex::new(row, col, size))).collect::<Vec<_>>().join(" ");
    (0..size).map(line).collect::<Vec<_>>().join("\n")
}

fn unavailable() -> Failure {
    Failure::new("influence is not available")
}

/// The map with dragons known and this player to move.
fn second(session: &mut Session, color: Color) -> Result<InfluenceMap, Failure> {
    let engine = session.analyse(color, AnalyseSystems::SecondInfluence);
    let maps: Option<&SecondInfluence> = engine.result(0, AnalyseSystems::SecondInfluence);
    maps.map(|m| m.maps[color.index()].clone()).ok_or_else(unavailable)
}

fn initial_influence(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    matrix(&second(session, color)?, words.word(1).unwrap_or_default())
}

fn first_influence(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    let engine = session.analyse(color, AnalyseSystems::FirstInfluence);
    let maps: Option<&FirstInfluence> = engine.result(0, AnalyseSystems::FirstInfluence);
    matrix(&maps.ok_or_else(unavailable)?.maps[color.index()], words.word(1).unwrap_or_default())
}

/// The maps before the move (its opponent to move) and after it.
fn after(
    session: &mut Session,
    words: &Arguments<'_>,
) -> Result<(Color, InfluenceMap, MoveInfluence), Failure> {
    let (color, at) = words.play(0, &session.board().clone())?;
    if at == Vertex::PASS || !session.board().is_legal(color, at) {
        return Err(Failure::new("illegal move"));
    }
    let before = second(session, color.other())?;
    let board = session.board().without_history();
    let engine = session.analyse(color.other(), AnalyseSystems::SecondInfluence);
    let statuses: &StoneStatuses = engine.result(0, AnalyseSystems::Dragons).ok_or_else(unavailable)?;
    let databases = engine.world().resource::<PatternDatabases>();
    let found = after_move::of_move(&board, color, at, &statuses.0[color.other().index()], databases);
    Ok((color, before, found.map_err(|_| Failure::new("illegal move"))?))
}

fn move_influence(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let (_, _, found) = after(session, words)?;
    matrix(&found.map, words.word(2).unwrap_or_default())
}

fn followup_influence(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let (_, _, found) = after(session, words)?;
    matrix(&found.followup, words.word(2).unwrap_or_default())
}

/// The territorial value of a move, and its follow-up value.
fn delta_territory(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let (color, before, found) = after(session, words)?;
    Ok(format!("{} {}", fixed(found.delta(&before, color), 2), fixed(found.followup_value(color), 2)))
}

/// A line per thing that a pattern did: the pattern, what, where, for which colour, how strong.
fn influence_causes(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    let map = second(session, color)?;
    let lines: Vec<String> = map.causes.iter().map(|cause| cause.text(map.field.size)).collect();
    Ok(lines.join("\n"))
}

/// `tengen-influence_of_inputs FILE COLOR`: the map from the strengths, attenuations and permeabilities of a JSON
/// file with this player to move, as one line of JSON. The file is a recording of GNU Go, or has the same matrices at
/// the top.
fn influence_of_inputs(_: &mut Session, words: &Arguments<'_>) -> Answer {
    let path = words.word(0).ok_or_else(|| Failure::new("no file given"))?;
    let color = words.color(1)?;
    let text = std::fs::read_to_string(path).map_err(|e| Failure::new(format!("can't read {path}: {e}")))?;
    let inputs: Value =
        serde_json::from_str(&text).map_err(|e| Failure::new(format!("{path} is no JSON: {e}")))?;
    let recorded = Recorded::from_json(&inputs, color).map_err(|e| Failure::new(e.to_string()))?;
    let map = recorded.compute(&mut Spreader::new());
    let size = map.field.size;
    let rows = |value: &dyn Fn(Vertex) -> Value| -> Value {
        let row = |r| (0..size).map(|c| value(Vertex::new(r, c, size))).collect::<Value>();
        (0..size).map(row).collect()
    };
    let round = |x: f32| json!((f64::from(x) * 1e4).round() / 1e4);
    let answer = json!({
        "white_influence": rows(&|v| round(map.influence[1][v.at()])),
        "black_influence": rows(&|v| round(map.influence[0][v.at()])),
        "territory_value": rows(&|v| round(map.territory[v.at()])),
        "influence_regions": rows(&|v| json!(map.region(v).code())),
        "white_permeability": rows(&|v| round(map.field.permeability[1][v.at()])),
        "black_permeability": rows(&|v| round(map.field.permeability[0][v.at()])),
    });
    Ok(answer.to_string())
}
