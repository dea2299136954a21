//! Writes the fields `why` and `why_not` into records: why a move is better or worse than another.

use super::Analysed;
use crate::record::rounded;
use serde_json::{Map, Value, json};
use tengen_go::board::Vertex;
use tengen_go::reasons::{Change, Explanation, Reasons};

/// The record's part; nothing where no reasons were asked for.
pub(super) fn result(analysed: &Analysed, result: &mut Map<String, Value>) {
    let position = &analysed.input.position;
    let of = position.board.situation_hash(position.to_move);
    let reasons = analysed.engine.component::<Reasons>(analysed.slot);
    let Some(reasons) = reasons.filter(|reasons| reasons.of == of) else { return };
    let size = analysed.input.position.board.size();
    let list = |explained: &[Explanation]| explained.iter().map(|e| explanation(e, size)).collect::<Vec<_>>();
    result.insert("why".into(), json!(list(&reasons.why)));
    result.insert("why_not".into(), json!(list(&reasons.why_not)));
}

fn name(v: Vertex, size: usize) -> String {
    if v == Vertex::PASS { "pass".into() } else { v.to_gtp(size) }
}

fn explanation(explained: &Explanation, size: usize) -> Value {
    let Explanation { vertex, against, value, lead, changes, unexplained, .. } = explained;
    json!({
        "move": name(*vertex, size),
        "against": name(*against, size),
        "value": rounded(*value),
        "lead": rounded(*lead),
        "units": changes.iter().map(|change| unit(change, explained, size)).collect::<Vec<_>>(),
        "unexplained": rounded(*unexplained),
    })
}

fn unit(change: &Change, explained: &Explanation, size: usize) -> Value {
    let names = |list: &[Vertex]| list.iter().map(|&v| name(v, size)).collect::<Vec<_>>();
    let mut fields = json!({
        "unit": change.unit.name(),
        "color": change.color,
        "at": name(change.at, size),
        "stones": names(&change.stones),
        "vertices": change.stones.len() + change.others.len(),
        "points": rounded(change.points),
        "kind": change.kind.map(|kind| kind.name()),
        "source": change.source.name(),
        "line": names(&change.line),
        "proved": change.proved,
    });
    if let Some(fields) = fields.as_object_mut() {
        if !change.line.is_empty() {
            let after = if change.is_of_other { explained.against } else { explained.vertex };
            fields.insert("line_of".into(), json!(name(after, size)));
        }
        if let Some(with) = change.with {
            fields.insert("with".into(), json!(name(with, size)));
        }
    }
    fields
}
