//! The Go part of a record: the findings of the analysis. Vertices are spelled as in GTP, and lists are in vertex
//! order.

use super::Analysed;
use crate::scene::Column;
use serde_json::{Map, Value, json};
use tengen_go::Effort;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::judge::Judgement;
use tengen_go::tactics::{Code, TacticsMap};
use tengen_go::unconditional::UnconditionalMap;
use tengen_go::world::Position;
use tengen_go::worms::{Worm, WormMap};

use crate::record::rounded;

/// The result and its summary for the table.
pub(super) fn of(analysed: &Analysed, columns: &[Column]) -> (Value, String) {
    let position = &analysed.input.position;
    let board = &position.board;
    let mut result = Map::new();
    let mut summary = vec![format!("move {}", analysed.input.moves)];
    let mut put = |name: &str, value: Value| {
        result.insert(name.into(), value);
    };
    put("size", json!(board.size()));
    put("move", json!(analysed.input.moves));
    put("to_move", json!(position.to_move));
    put("komi", rounded(position.komi));
    put("effort", json!(analysed.engine.world().resource::<Effort>().level.name()));
    if let Some(stopped) = &analysed.input.stopped {
        put("stopped", json!(stopped));
    }
    put("stones", json!(super::moves::stones(board)));
    put("captured", json!({ "black": board.captured(Color::Black), "white": board.captured(Color::White) }));
    put("last_move", json!(board.moves().last().map(|(_, v)| name(board, v))));
    if let Some(worms) = analysed.worms() {
        let tactics = analysed.tactics();
        put("worms", worms.strings().map(|w| worm(board, w, analysed.unconditional(), tactics)).collect());
        put("cavities", worms.cavities().map(|w| cavity(board, w)).collect());
        summary.push(format!("{} worms", worms.strings().count()));
    }
    if let Some(judgement) = analysed.judgement() {
        put("judge", judge(position, judgement));
        if let Some(lead) = judgement.lead(position.to_move) {
            summary.push(format!("{} by the judge", lead_text(lead)));
        }
    }
    if let Some(tactics) = analysed.tactics() {
        put("reading", json!({ "nodes": tactics.nodes() }));
        let attackable = tactics.worms.iter().filter(|t| t.attack.works()).count();
        summary.push(format!("{attackable} attackable"));
    }
    summary.extend(super::dragons::result(analysed, &mut result));
    summary.extend(super::territory::result(analysed, &mut result));
    super::columns::result(analysed, columns, &mut result);
    if let Some(best) = super::moves::result(analysed, columns, &mut result) {
        summary.insert(1, best);
    }
    if let Some(cut_off) = cut_off(analysed) {
        result.insert("cut_off".into(), cut_off);
    }
    (Value::Object(result), summary.join(", "))
}

/// The number of questions of each stage that a node limit cut off. Their answers may change with more nodes.
fn cut_off(analysed: &Analysed) -> Option<Value> {
    let tactics = analysed.tactics()?.worms.iter().filter(|t| t.limit_hit).count();
    let mut counts = Map::new();
    counts.insert("tactics".into(), json!(tactics));
    if let Some(first) = analysed.first_influence() {
        counts.insert("first_influence".into(), json!(first.cut_off));
    }
    if let Some(dragons) = analysed.dragons() {
        counts.insert("dragons".into(), json!(dragons.cut_off));
        counts.insert("life_and_death".into(), json!(dragons.life_cut_off()));
    }
    if let Some(second) = analysed.second_influence() {
        counts.insert("second_influence".into(), json!(second.cut_off));
    }
    if let Some(moves) = analysed.move_list() {
        counts.insert("moves".into(), json!(moves.cut_off));
    }
    Some(Value::Object(counts))
}

/// Likely moves that a record lists.
const LIKELY: usize = 10;

/// The judge's view with the side to move: leads and win rate are Black's.
fn judge(position: &Position, judgement: &Judgement) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| drop(fields.insert(name.into(), value));
    put("name", json!(judgement.source));
    if let (Some(view), Some(other)) =
        (judgement.with(position.to_move), judgement.lead_if_pass(position.to_move))
    {
        let size = position.board.size();
        let likely = view.ranked(size).into_iter().take(LIKELY);
        put("lead", rounded(view.lead));
        put("lead_if_pass", rounded(other));
        put("win_rate", rounded(view.win_rate));
        put(
            "likely",
            likely.map(|(v, p)| json!({ "move": v.to_gtp(size), "likelihood": rounded(p) })).collect(),
        );
    }
    Value::Object(fields)
}

/// A lead as players write it.
fn lead_text(lead: f32) -> String {
    let leader = if lead < 0.0 { 'W' } else { 'B' };
    format!("{leader}+{:.1}", lead.abs())
}

fn name(board: &Board, v: Vertex) -> String {
    v.to_gtp(board.size())
}

/// A string with the fields of the manual's `worm_data`.
fn worm(
    board: &Board,
    worm: &Worm,
    certain: Option<&UnconditionalMap>,
    tactics: Option<&TacticsMap>,
) -> Value {
    let mut fields = json!({
        "origin": name(board, worm.origin),
        "color": worm.color,
        "size": worm.size,
        "effective_size": rounded(worm.effective_size),
        "liberties": worm.liberties,
        "cutstone": worm.cutstone,
        "cutstone2": worm.cutstone2,
        "genus": worm.genus,
        "ko": worm.ko,
        "inessential": worm.inessential,
        "value": rounded(worm.value()),
    });
    if let (Some(fields), Some(certain)) = (fields.as_object_mut(), certain) {
        fields.insert("invincible".into(), json!(certain.is_invincible(worm.origin)));
        fields.insert("unconditional_status".into(), json!(certain.at(worm.origin).to_string()));
    }
    let read = tactics.and_then(|t| t.at(board, worm.origin));
    if let (Some(fields), Some(read)) = (fields.as_object_mut(), read) {
        if read.attack.works() {
            let line: Vec<String> = read.line.iter().map(|&v| name(board, v)).collect();
            fields.insert("attack".into(), reading(board, read.attack, read.attack_point));
            fields.insert("defend".into(), reading(board, read.defense, read.defense_point));
            fields.insert("line".into(), json!(line));
        }
        fields.insert("lunch".into(), json!(worm.lunch.map(|v| name(board, v))));
        for (kind, found) in [
            ("attack", &read.attack_points),
            ("defense", &read.defense_points),
            ("attack_threat", &read.attack_threats),
            ("defense_threat", &read.defense_threats),
        ] {
            let points: Vec<String> = found.iter().map(|&(v, _)| name(board, v)).collect();
            let codes: Vec<u8> = found.iter().map(|&(_, code)| code.gtp()).collect();
            fields.insert(format!("{kind}_points"), json!(points));
            fields.insert(format!("{kind}_codes"), json!(codes));
        }
    }
    fields
}

fn cavity(board: &Board, worm: &Worm) -> Value {
    json!({
        "origin": name(board, worm.origin), "color": worm.color, "size": worm.size, "ko": worm.ko,
    })
}

/// A reading: the manual's code, and the move.
fn reading(board: &Board, code: Code, point: Vertex) -> Value {
    match code {
        Code::Fail => json!({ "code": 0 }),
        _ => json!({ "code": code.gtp(), "move": name(board, point) }),
    }
}

/// The findings, if the stage was reached.
impl Analysed<'_> {
    pub(in crate::record) fn worms(&self) -> Option<&WormMap> {
        self.engine.result(self.slot, tengen_go::AnalyseSystems::Worms)
    }

    pub(in crate::record) fn unconditional(&self) -> Option<&UnconditionalMap> {
        self.engine.result(self.slot, tengen_go::AnalyseSystems::Worms)
    }

    pub(in crate::record) fn judgement(&self) -> Option<&Judgement> {
        self.engine.result(self.slot, tengen_go::AnalyseSystems::Judge)
    }

    pub(in crate::record) fn tactics(&self) -> Option<&TacticsMap> {
        self.engine.result(self.slot, tengen_go::AnalyseSystems::Tactics)
    }
}
