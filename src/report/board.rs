//! A Go board in the terminal with one layer of what was found.
//!
//! Colours are those of the documents Tengen follows: territory cyan, moyo yellow, area red; a dragon green when
//! alive, yellow when unknown, white when dead, red when critical. Without colours the letters and numbers still tell
//! everything: territory is `#`, moyo `+`, area `-`, small for Black's (`x`, `*`, `'`).

use crate::own::{Cell as OwnCell, OwnLayer};
use std::fmt::Write as _;
use tengen_go::GoEngine;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::dragons::{DragonMap, Status};
use tengen_go::influence::plugin::SecondInfluence;
use tengen_go::influence::{Effect, InfluenceMap, PerColor};
use tengen_go::moves::MoveList;
use tengen_go::publish::{Influence, Permeability, Region, Territory};
use tengen_go::schedule::AnalyseSystems;
use tengen_go::tactics::{Code, TacticsMap};
use tengen_go::territory::score::{Scoring, estimate};
use tengen_go::world::Position;
use tengen_go::worms::WormMap;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Layer {
    /// The stones
    Stones,
    /// A letter per string, and its measures
    Worms,
    /// Strings that can be captured: red if nothing helps, yellow if a move saves them
    Tactics,
    /// A letter per dragon, coloured by status, and its measures
    Dragons,
    /// Territory, moyo and area
    Regions,
    /// The territory value of each vertex, White positive
    Territory,
    /// White's and Black's influence
    Influence,
    /// How freely each colour's influence flows
    Permeability,
    /// How strong each source is
    Strength,
    /// How fast each source's influence fades
    Attenuation,
    /// What patterns did to influence: where, and which pattern
    Patterns,
    /// Candidate moves by rank, with values and reasons
    Moves,
}

impl Layer {
    /// The stage that must have run.
    #[must_use]
    pub const fn stage(self) -> AnalyseSystems {
        match self {
            Self::Stones => AnalyseSystems::Read,
            Self::Worms => AnalyseSystems::Worms,
            Self::Tactics => AnalyseSystems::Tactics,
            Self::Dragons => AnalyseSystems::Dragons,
            Self::Moves => AnalyseSystems::MoveEvaluation,
            _ => AnalyseSystems::SecondInfluence,
        }
    }
}

/// Draws a layer of slot 0 of an engine that has run [`Layer::stage`].
#[must_use]
pub fn draw(engine: &GoEngine, layer: Layer, colours: bool) -> String {
    let Some(position) = engine.position(0) else { return String::new() };
    let pen = Pen { board: &position.board, colours };
    let map = || {
        engine
            .result::<SecondInfluence>(0, AnalyseSystems::SecondInfluence)
            .map(|s| &s.maps[position.to_move.index()])
    };
    let both = |of: fn(&InfluenceMap) -> &PerColor<Vec<f32>>| {
        map().map_or_else(String::new, |m| pen.numbers_of_both(|c, v| of(m)[c.index()][v.at()]))
    };
    let size = position.board.size();
    match layer {
        Layer::Stones => pen.grid(2, |v| pen.stone(v)),
        Layer::Worms => worms(&pen, engine),
        Layer::Tactics => tactics(&pen, engine),
        Layer::Dragons => dragons(&pen, engine),
        Layer::Regions => engine.column::<Region>(0).map_or_else(String::new, |regions| {
            pen.grid(2, |v| region(*regions[v.index(size)])) + &score(engine, position)
        }),
        Layer::Territory => engine.column::<Territory>(0).map_or_else(String::new, |territory| {
            let value = |v: Vertex| territory[v.index(size)].0;
            pen.grid(6, |v| (format!("{:.2}", value(v)), sign_colour(value(v))))
        }),
        Layer::Influence => engine.column::<Influence>(0).map_or_else(String::new, |influence| {
            pen.numbers_of_both(|c, v| influence[v.index(size)].second[c.index()])
        }),
        Layer::Permeability => engine.column::<Permeability>(0).map_or_else(String::new, |permeability| {
            pen.numbers_of_both(|c, v| permeability[v.index(size)].0[c.index()])
        }),
        Layer::Strength => both(|m| &m.field.strength),
        Layer::Attenuation => both(|m| &m.field.attenuation),
        Layer::Patterns => map().map_or_else(String::new, |m| patterns(&pen, m)),
        Layer::Moves => moves(&pen, engine),
    }
}

/// The estimate of the score, with what it is if either side moves first everywhere.
fn score(engine: &GoEngine, position: &Position) -> String {
    let maps = engine.result::<SecondInfluence>(0, AnalyseSystems::SecondInfluence);
    let found = maps.map(|s| estimate(&position.board, &s.maps, position.komi, Scoring::Territory));
    found.map_or_else(String::new, |found| format!("{found}\n"))
}

/// Draws a layer of one's own systems of slot 0 of an engine that has analysed, with its legend.
#[must_use]
pub fn draw_own(engine: &GoEngine, layer: &OwnLayer, colours: bool) -> String {
    let (Some(position), Some(slot)) = (engine.position(0), engine.entity(0)) else { return String::new() };
    let pen = Pen { board: &position.board, colours };
    let cells: Vec<OwnCell> =
        position.board.vertices().map(|v| layer.cell(engine.world(), slot, v)).collect();
    let width = cells.iter().map(|c| c.text.chars().count()).max().unwrap_or(0) + 1;
    let size = position.board.size();
    let cell = |v: Vertex| {
        let OwnCell { text, share } = &cells[v.index(size)];
        (text.clone(), sign_colour(*share))
    };
    format!("{}: {}\n{}", layer.name, layer.legend, pen.grid(width, cell))
}

/// A cell: its text and the number of its terminal colour, 0 for none.
type Cell = (String, u8);

const RED: u8 = 31;
const GREEN: u8 = 32;
const YELLOW: u8 = 33;
const CYAN: u8 = 36;
const WHITE: u8 = 37;

struct Pen<'a> {
    board: &'a Board,
    colours: bool,
}

impl Pen<'_> {
    fn stone(&self, v: Vertex) -> Cell {
        let text = match self.board.color_at(v) {
            Some(Color::Black) => "X",
            Some(Color::White) => "O",
            None => ".",
        };
        (text.to_owned(), 0)
    }

    /// The board with coordinates, each cell this wide.
    fn grid(&self, width: usize, cell: impl Fn(Vertex) -> Cell) -> String {
        let size = self.board.size();
        let mut letters = String::from("  ");
        for col in 0..size {
            let name = Vertex::new(0, col, size).to_gtp(size);
            let _ = write!(letters, "{:>width$}", &name[..1]);
        }
        let mut text = letters.clone() + "\n";
        for row in 0..size {
            let _ = write!(text, "{:>2}", size - row);
            for col in 0..size {
                let (what, colour) = cell(Vertex::new(row, col, size));
                let padded = format!("{what:>width$}");
                if self.colours && colour > 0 {
                    let _ = write!(text, "\x1b[{colour}m{padded}\x1b[0m");
                } else {
                    text.push_str(&padded);
                }
            }
            let _ = writeln!(text, " {}", size - row);
        }
        text + &letters + "\n"
    }

    fn numbers_of_both(&self, of: impl Fn(Color, Vertex) -> f32) -> String {
        let mut text = String::new();
        for color in [Color::White, Color::Black] {
            let number = |v: Vertex| {
                let x = of(color, v);
                (if x == 0.0 { ".".to_owned() } else { format!("{x:.2}") }, 0)
            };
            let _ = write!(text, "{color}\n{}", self.grid(7, number));
        }
        text
    }
}

fn sign_colour(value: f32) -> u8 {
    if value.abs() < 0.3 {
        0
    } else if value > 0.0 {
        WHITE
    } else {
        CYAN
    }
}

fn region(region: Region) -> Cell {
    let of = |color, white: &str, black: &str| (if color == Color::White { white } else { black }).to_owned();
    match region {
        Region::Stone(color) => (of(color, "O", "X"), 0),
        Region::Territory(color) => (of(color, "#", "x"), CYAN),
        Region::Moyo(color) => (of(color, "+", "*"), YELLOW),
        Region::Area(color) => (of(color, "-", "'"), RED),
        Region::Neutral => (".".to_owned(), 0),
    }
}

/// `A` to `Z`, then `a` to `z`, then again.
fn letter(index: usize) -> String {
    let index = (index % 52) as u8;
    char::from(if index < 26 { b'A' + index } else { b'a' + index - 26 }).to_string()
}

fn worms(pen: &Pen<'_>, engine: &GoEngine) -> String {
    let Some(map) = engine.result::<WormMap>(0, AnalyseSystems::Worms) else { return String::new() };
    let size = pen.board.size();
    let strings: Vec<_> = map.strings().collect();
    let mut text = pen.grid(2, |v| {
        let at = map.get(v).and_then(|w| strings.iter().position(|s| s.origin == w.origin));
        at.map_or_else(|| pen.stone(v), |i| (letter(i), 0))
    });
    for (i, w) in strings.iter().enumerate() {
        let _ = writeln!(
            text,
            "{} {:<4} size {} ({:.2}), liberties {:?}, genus {}, cutstone {}{}{}",
            letter(i),
            w.origin.to_gtp(size),
            w.size,
            w.effective_size,
            w.liberties,
            w.genus,
            w.cutstone,
            if w.ko { ", ko" } else { "" },
            if w.inessential { ", inessential" } else { "" },
        );
    }
    text
}

fn tactics(pen: &Pen<'_>, engine: &GoEngine) -> String {
    let Some(map) = engine.result::<TacticsMap>(0, AnalyseSystems::Tactics) else { return String::new() };
    let size = pen.board.size();
    let name = |v: Vertex| v.to_gtp(size);
    let mut text = pen.grid(2, |v| {
        let (stone, _) = pen.stone(v);
        let colour = match map.at(pen.board, v) {
            Some(w) if w.attack.works() && w.defense.works() => YELLOW,
            Some(w) if w.attack.works() => RED,
            _ => 0,
        };
        (stone, colour)
    });
    for w in map.worms.iter().filter(|w| w.attack.works()) {
        let line: Vec<String> = w.line.iter().map(|&v| name(v)).collect();
        let defence = if w.defense.works() {
            format!("defended by {} ({})", name(w.defense_point), code(w.defense))
        } else {
            "no defence".to_owned()
        };
        let _ = writeln!(
            text,
            "{:<4} attacked by {} ({}), {defence}, {} nodes{}, line {}",
            name(w.origin),
            name(w.attack_point),
            code(w.attack),
            w.nodes,
            if w.limit_hit { " (limit reached)" } else { "" },
            line.join(" "),
        );
    }
    text
}

/// A reading code in words.
const fn code(code: Code) -> &'static str {
    match code {
        Code::Fail => "fails",
        Code::KoB => "with a ko, the first threat to make",
        Code::KoA => "with a ko, the first threat the opponent's",
        Code::Win => "for certain",
    }
}

fn dragons(pen: &Pen<'_>, engine: &GoEngine) -> String {
    let Some(map) = engine.result::<DragonMap>(0, AnalyseSystems::Dragons) else { return String::new() };
    let size = pen.board.size();
    let colour = |status: Status| match status {
        Status::Alive => GREEN,
        Status::Dead => WHITE,
        Status::Critical => RED,
        Status::Unknown => YELLOW,
    };
    let mut text = pen.grid(2, |v| {
        let at = map.at(v).and_then(|d| map.dragons.iter().position(|o| o.origin == d.origin));
        at.map_or_else(|| pen.stone(v), |i| (letter(i), colour(map.dragons[i].status)))
    });
    for (i, d) in map.dragons.iter().enumerate() {
        let _ = writeln!(
            text,
            "{} {:<4} {:<5} {:?}{} by {:?}, {} stones ({:.2}), half eyes {}, escape {}",
            letter(i),
            d.origin.to_gtp(size),
            d.color.to_string(),
            d.status,
            d.vital_points().map_or_else(String::new, |(attack, defence)| format!(
                " (attacked at {}, defended at {})",
                attack.to_gtp(size),
                defence.to_gtp(size)
            )),
            d.rule,
            d.stones.len(),
            d.effective_size,
            d.heyes,
            d.escape_route,
        );
    }
    text
}

/// `#` a barrier, `~` a weak point, `*` a source, `!` an intrusion, `t` nobody's territory; of several the first named.
fn patterns(pen: &Pen<'_>, map: &InfluenceMap) -> String {
    let sign = |effect: &Effect| match effect {
        Effect::Barrier { .. } => ("#", RED),
        Effect::WeakPoint { .. } => ("~", YELLOW),
        Effect::Source { .. } => ("*", GREEN),
        Effect::Intrusion { .. } => ("!", GREEN),
        Effect::NonTerritory { .. } => ("t", CYAN),
    };
    let mut text = pen.grid(2, |v| {
        let cause = map.causes.iter().find(|c| c.effect.at() == v);
        cause.map_or_else(
            || pen.stone(v),
            |c| {
                let (sign, colour) = sign(&c.effect);
                (sign.to_owned(), colour)
            },
        )
    });
    for cause in &map.causes {
        let _ = writeln!(text, "{}", cause.text(pen.board.size()));
    }
    text
}

fn moves(pen: &Pen<'_>, engine: &GoEngine) -> String {
    let Some(list) = engine.result::<MoveList>(0, AnalyseSystems::MoveEvaluation) else {
        return String::new();
    };
    let size = pen.board.size();
    let mut best: Vec<_> = list.candidates.iter().collect();
    best.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.vertex.cmp(&b.vertex)));
    best.truncate(20);
    let mut text = pen.grid(3, |v| {
        let rank = best.iter().position(|c| c.vertex == v);
        rank.map_or_else(|| pen.stone(v), |i| ((i + 1).to_string(), if i == 0 { GREEN } else { YELLOW }))
    });
    for (i, candidate) in best.iter().enumerate() {
        let reasons: Vec<String> = candidate.reasons.iter().map(|r| r.text(size)).collect();
        let _ = writeln!(
            text,
            "{:>2} {:<4} {:>6.2}  {}",
            i + 1,
            candidate.vertex.to_gtp(size),
            candidate.value,
            reasons.join("; ")
        );
    }
    text
}
