//! The layer of the judge: the expected owner of each vertex, and the likely moves.

use super::{Pen, side};
use crate::number_text::fixed;
use tengen_go::board::{Color, Vertex};
use tengen_render::{Cell, Ink, Key, Sheet};

/// Likely moves that are listed.
const LISTED: usize = 10;
/// Owners nearer to nobody's are not drawn.
const LEAST: f32 = 0.1;

pub(super) fn sheet(pen: &Pen<'_>) -> Sheet {
    let mut sheet = pen.sheet("The judge: expected owners");
    let Some(judgement) = &pen.findings.judgement else { return sheet };
    let to_move = pen.findings.position.to_move;
    let size = pen.board.size();
    let Some(view) = judgement.with(to_move) else {
        sheet.lines.push(format!("the judge \"{}\" says nothing of this position", judgement.source));
        return sheet;
    };
    sheet.width = 4;
    pen.each(&mut sheet, |v| {
        let owner = view.owner[v.index(size)];
        if owner.abs() < LEAST {
            return Cell::default();
        }
        let ink = if owner > 0.0 { Ink::Black } else { Ink::White };
        Cell { ink, fill: (0.9 * owner.abs().sqrt()).min(1.0), text: fixed(100.0 * owner, 0), mark: None }
    });
    sheet.legend = vec![
        Key::new(Ink::Black, 0.9, "90", "Black's, in percent; the larger, the surer"),
        Key::new(Ink::White, 0.9, "-90", "below 0: White's"),
    ];
    sheet.lines.push(format!(
        "{} to move: {}; if {} passes: {} (judge: {})",
        capital(to_move),
        leader(view.lead),
        capital(to_move),
        leader(judgement.lead_if_pass(to_move).unwrap_or_default()),
        judgement.source
    ));
    sheet.lines.push(format!("Black wins with {} %", fixed(100.0 * view.win_rate, 1)));
    let likely: Vec<String> = view
        .ranked(size)
        .into_iter()
        .take(LISTED)
        .map(|(v, p)| {
            format!(
                "{} {} %",
                if v == Vertex::PASS { "pass".into() } else { pen.name(v) },
                fixed(100.0 * p, 0)
            )
        })
        .collect();
    sheet.lines.push(format!("likely moves: {}", likely.join(", ")));
    sheet
}

fn capital(color: Color) -> &'static str {
    match side(color) {
        tengen_render::Side::Black => "Black",
        tengen_render::Side::White => "White",
    }
}

/// The leader and the lead, in words.
fn leader(lead: f32) -> String {
    let leader = if lead < 0.0 { "White" } else { "Black" };
    format!("{leader} leads by {}", fixed(lead.abs(), 1))
}
