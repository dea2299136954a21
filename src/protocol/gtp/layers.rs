//! The command `tengen-layer NAME`, which shows a layer of findings in GoGui. It answers in the format of GoGui's
//! analyze type `gfx`. All other pictures are drawn from the same sheets.

use super::session::Session;
use super::wire::{Answer, Arguments, Failure};
use super::{Command, command};
use crate::record::findings::{Findings, Map};
use crate::report::board::{Layer, sheets};
use crate::scene::position::GoInput;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tengen_go::AnalyseSystems;
use tengen_go::board::{Color, Marks};
use tengen_render::{Ink, Mark, Sheet, name};

pub(super) const COMMANDS: &[Command] = &[command("tengen-layer", layer)];

/// The entries of GoGui's menu, one per layer.
pub(super) fn menu() -> Vec<String> {
    let entry = |layer: Layer| match layer {
        Layer::Delta => format!("gfx/Layer {0} (of a move)/tengen-layer {0} %m %p", layer.name()),
        Layer::Influence
        | Layer::Permeability
        | Layer::Strength
        | Layer::Attenuation
        | Layer::Cuts
        | Layer::EyeNeighbors => {
            format!("gfx/Layer {0} (of a colour)/tengen-layer {0} %c", layer.name())
        }
        _ => format!("gfx/Layer {0}/tengen-layer {0} %m", layer.name()),
    };
    Layer::ALL.into_iter().map(entry).collect()
}

/// `tengen-layer NAME [COLOR [VERTEX]]`: the layer with this colour to move, or whose values are shown; with a vertex,
/// after a move there.
fn layer(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let layer = words.word(0).and_then(Layer::of_name).ok_or_else(|| Failure::new("unknown layer"))?;
    let color = if words.len() > 1 { words.color(1)? } else { session.to_move };
    let map = if words.len() > 2 {
        if !layer.takes_a_move() {
            let names = Layer::names_after_a_move();
            return Err(Failure::new(format!("the layer {} is of no move: {names} are", layer.name())));
        }
        let at = words.vertex(2, session.board())?;
        if !session.board().is_legal(color, at) {
            return Err(Failure::new("illegal move"));
        }
        Map::After(color, at)
    } else {
        Map::Second(color)
    };
    let moves = session.board().moves().count();
    if layer == Layer::Threats {
        session.read_threats(color);
    }
    let engine = session.analyse(color, AnalyseSystems::MoveEvaluation);
    let position = engine.position(0).cloned().unwrap_or_default();
    let findings = Findings::take(
        engine,
        &GoInput { position, marks: Marks::default(), moves, stopped: None, warnings: Vec::new() },
    );
    let all = sheets(&findings, layer, map);
    // Of White's and Black's sheets the one of the colour named.
    let wanted = if all.len() == 2 && color == Color::Black { all.get(1) } else { all.first() };
    wanted.map(gfx).ok_or_else(|| Failure::new("the layer is not available"))
}

/// A sheet as lines of GoGui's.
fn gfx(sheet: &Sheet) -> String {
    let mut lines: BTreeMap<String, String> = BTreeMap::new();
    for (i, cell) in sheet.cells.iter().enumerate() {
        let at = name(i, sheet.size);
        if cell.fill > 0.0 || cell.ink != Ink::Plain {
            let _ = write!(lines.entry(format!("COLOR {}", cell.ink.paper())).or_default(), " {at}");
        }
        if !cell.text.is_empty() {
            let _ = write!(lines.entry("LABEL".into()).or_default(), " {at} {}", cell.text);
        }
        let mark = match cell.mark {
            Some(Mark::Circle) => "CIRCLE",
            Some(Mark::Triangle) => "TRIANGLE",
            Some(Mark::Square) => "SQUARE",
            Some(Mark::Cross) => "MARK",
            None => continue,
        };
        let _ = write!(lines.entry(mark.into()).or_default(), " {at}");
    }
    let mut out: Vec<String> = lines.into_iter().map(|(kind, rest)| kind + &rest).collect();
    out.push(format!("TEXT {}", sheet.title));
    out.join("\n")
}

#[cfg(test)]
use tengen_go::board::Vertex;

#[cfg(test)]
#[test]
fn layers_name_vertices_as_gtp_does() {
    for size in [1, 9, 19, 25] {
        for i in 0..size * size {
            assert_eq!(name(i, size), Vertex::from_index(i, size).to_gtp(size));
        }
    }
}
