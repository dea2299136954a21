//! The layer of candidate moves: each move with its rank, its value and its reasons.

use super::{Pen, lettered};
use crate::number_text::fixed;
use tengen_render::{Cell, Ink, Key, Sheet};

/// The number of moves that the layer of moves names.
const SHOWN: usize = 20;

pub(super) fn sheet(pen: &Pen<'_>) -> Sheet {
    let mut sheet = pen.sheet("Candidate moves");
    sheet.width = 3;
    let size = pen.board.size();
    let Some(list) = &pen.findings.moves else { return sheet };
    let mut best: Vec<_> = list.candidates.iter().collect();
    best.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.vertex.cmp(&b.vertex)));
    best.truncate(SHOWN);
    for (i, candidate) in best.iter().enumerate() {
        let ink = if i == 0 { Ink::Good } else { Ink::Unsure };
        sheet.cells[candidate.vertex.index(size)] = Cell { fill: 0.8, ..lettered((i + 1).to_string(), ink) };
        let reasons: Vec<String> = candidate.reasons.iter().map(|r| r.text(size)).collect();
        sheet.lines.push(format!(
            "{:>2} {:<4} {:>6}  ({})  {}",
            i + 1,
            pen.name(candidate.vertex),
            fixed(candidate.value, 2),
            candidate.terms_text(),
            reasons.join("; ")
        ));
    }
    sheet.legend = vec![
        Key::new(Ink::Good, 0.8, "1", "the best move"),
        Key::new(Ink::Unsure, 0.8, "2", "further candidates by rank"),
    ];
    sheet
}
