//! The layers of a Go board. A layer shows one kind of finding about the position. Only this module defines layers. The
//! terminal, pictures, reports and the viewer all draw the same [`Sheet`]s.
//!
//! Colours have the meanings of the GNU Go 3.8 manual, chapters "Influence" and "Worms and Dragons". Territory, moyo
//! and area are coloured by size and sign. The colour of a dragon shows its status: good (alive), unsure (unknown), in
//! danger (critical), gone (dead).

mod around;
mod candidates;
mod judge;
mod units;

use crate::extension::AddedLayer;
use crate::number_text::{counted, fixed, signed};
use crate::record::findings::{Findings, Map};
use tengen_go::AnalyseSystems;
use tengen_go::GoEngine;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::dragons::Status;
use tengen_go::publish::Region;
use tengen_go::spread::{Effect, InfluenceMap, PerColor};
use tengen_go::tactics::Code;
use tengen_go::territory::score::{Scoring, estimate};
use tengen_go::worms::WormColor;
use tengen_render::{Arrow, Cell, Ink, Key, Mark, Sheet, Side};

/// The layers that a board can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Layer {
    /// The stones
    Stones,
    /// A letter per string, and its measures
    Worms,
    /// A letter per cavity, its border colour and size
    Cavities,
    /// How far each colour's stones are, and how far by strategic paths
    Distances,
    /// The judge: expected owners, the lead and likely moves
    Judge,
    /// Strings that can be captured: red if nothing helps, yellow if a move saves them
    Tactics,
    /// A letter per dragon, coloured by status, and its measures
    Dragons,
    /// A letter per cave, its border colour, size and dragon
    Caves,
    /// Where the enemy can cut each colour's strings, by patterns
    Cuts,
    /// Eye spaces, by what they are worth, and half eyes
    Eyes,
    /// How many vertices of the same eye space lie beside each vertex of one
    EyeNeighbors,
    /// What surrounds the dragons that are surrounded
    Surround,
    /// Two moves in a row that kill a living dragon, or save a dead one
    Threats,
    /// What each vertex is worth to a dragon that runs
    Escape,
    /// Territory, moyo and area
    Regions,
    /// The territory value of each vertex, White positive
    Territory,
    /// What a move changes in territory (`--after`), White positive
    Delta,
    /// White's and Black's influence
    Influence,
    /// How freely each colour's influence flows
    Permeability,
    /// How strong each source is
    Strength,
    /// How fast each source's influence fades
    Attenuation,
    /// Stones that count as alive, and so give influence and block it
    Lively,
    /// What patterns did to influence: where, and which pattern
    Patterns,
    /// Candidate moves by rank, with values and reasons
    Moves,
}

impl Layer {
    /// All layers, in the order of the pipeline.
    pub const ALL: [Self; 24] = [
        Self::Stones,
        Self::Worms,
        Self::Cavities,
        Self::Distances,
        Self::Judge,
        Self::Tactics,
        Self::Dragons,
        Self::Caves,
        Self::Cuts,
        Self::Eyes,
        Self::EyeNeighbors,
        Self::Surround,
        Self::Threats,
        Self::Escape,
        Self::Regions,
        Self::Territory,
        Self::Delta,
        Self::Influence,
        Self::Permeability,
        Self::Strength,
        Self::Attenuation,
        Self::Lively,
        Self::Patterns,
        Self::Moves,
    ];

    /// The stage that must have run.
    #[must_use]
    pub const fn stage(self) -> AnalyseSystems {
        match self {
            Self::Stones => AnalyseSystems::Read,
            Self::Worms | Self::Cavities | Self::Distances => AnalyseSystems::Worms,
            Self::Judge => AnalyseSystems::Judge,
            Self::Tactics => AnalyseSystems::Tactics,
            Self::Dragons
            | Self::Caves
            | Self::Cuts
            | Self::Eyes
            | Self::EyeNeighbors
            | Self::Surround
            | Self::Escape
            | Self::Threats => AnalyseSystems::Dragons,
            Self::Moves => AnalyseSystems::MoveEvaluation,
            _ => AnalyseSystems::SecondInfluence,
        }
    }

    /// As the command line spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stones => "stones",
            Self::Worms => "worms",
            Self::Cavities => "cavities",
            Self::Distances => "distances",
            Self::Cuts => "cuts",
            Self::Judge => "judge",
            Self::Tactics => "tactics",
            Self::Dragons => "dragons",
            Self::Caves => "caves",
            Self::Eyes => "eyes",
            Self::EyeNeighbors => "eye-neighbors",
            Self::Surround => "surround",
            Self::Threats => "threats",
            Self::Escape => "escape",
            Self::Regions => "regions",
            Self::Territory => "territory",
            Self::Delta => "delta",
            Self::Influence => "influence",
            Self::Permeability => "permeability",
            Self::Strength => "strength",
            Self::Attenuation => "attenuation",
            Self::Lively => "lively",
            Self::Patterns => "patterns",
            Self::Moves => "moves",
        }
    }

    /// Whether it is drawn from an influence map, so that it is different after a move and in the first pass.
    #[must_use]
    pub const fn is_of_influence(self) -> bool {
        matches!(
            self,
            Self::Regions
                | Self::Territory
                | Self::Delta
                | Self::Influence
                | Self::Permeability
                | Self::Strength
                | Self::Attenuation
                | Self::Lively
                | Self::Patterns
        )
    }

    /// Whether it can be drawn after a move. What surrounds dragons can, too.
    #[must_use]
    pub const fn takes_a_move(self) -> bool {
        self.is_of_influence() || matches!(self, Self::Surround)
    }

    /// The names of the layers that are drawn from an influence map.
    #[must_use]
    pub fn names_of_influence() -> String {
        Self::names(Self::is_of_influence)
    }

    /// The names of the layers that can be drawn after a move.
    #[must_use]
    pub fn names_after_a_move() -> String {
        Self::names(Self::takes_a_move)
    }

    fn names(wanted: impl Fn(Self) -> bool) -> String {
        let names: Vec<&str> = Self::ALL.into_iter().filter(|&layer| wanted(layer)).map(Self::name).collect();
        names.join(", ")
    }

    /// The layer of that name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.name() == name)
    }
}

/// The stones and the last move, and nothing else.
#[must_use]
pub fn stones(board: &Board, title: &str) -> Sheet {
    let size = board.size();
    let stone = |i| board.color_at(Vertex::from_index(i, size)).map(side);
    let mut sheet = Sheet::new(size, title, stone);
    let last = board.last_move().map(|(_, v)| v).filter(|&v| v != Vertex::PASS);
    sheet.last = last.map(|v| v.index(size));
    sheet
}

/// The sheets of a layer for a position, or for the position after a move: one sheet, or White's and Black's. None if
/// the stage was not reached, or if the move is against the rules.
#[must_use]
pub fn sheets(findings: &Findings, layer: Layer, map: Map) -> Vec<Sheet> {
    let pen = Pen { findings, board: &findings.position.board };
    let sheet = match layer {
        Layer::Stones => pen.sheet("Stones"),
        Layer::Worms => worms(&pen),
        Layer::Cavities => units::cavities(&pen),
        Layer::Caves => units::caves(&pen),
        Layer::Distances => return units::distances(&pen),
        Layer::Escape => return units::escape(&pen),
        Layer::Judge => judge::sheet(&pen),
        Layer::Tactics => tactics(&pen),
        Layer::Dragons => dragons(&pen),
        Layer::Eyes => eyes(&pen),
        Layer::Cuts => return units::cuts(&pen),
        Layer::EyeNeighbors => return units::eye_neighbors(&pen),
        Layer::Surround => around::surround(&pen, map),
        Layer::Threats => around::threats(&pen),
        Layer::Moves => candidates::sheet(&pen),
        _ => return influence_sheets(&pen, layer, map),
    };
    vec![sheet]
}

/// The sheet of an added layer, of slot 0 of an engine that has analysed; its legend is the first line.
#[must_use]
pub fn added_sheet(engine: &GoEngine, findings: &Findings, layer: &AddedLayer) -> Sheet {
    let pen = Pen { findings, board: &findings.position.board };
    let mut sheet = pen.sheet(&layer.name);
    sheet.lines.push(format!("{}: {}", layer.name, layer.legend));
    let Some(slot) = engine.entity(0) else { return sheet };
    pen.each(&mut sheet, |v| {
        let added = layer.cell(engine.world(), slot, v);
        let color = if added.share > 0.0 { Color::White } else { Color::Black };
        let ink = if added.share.abs() < 0.3 { Ink::Plain } else { ink(color) };
        Cell { fill: added.share.abs().min(1.0), ..lettered(added.text, ink) }
    });
    sheet.width = sheet.cells.iter().map(|c| c.text.chars().count()).max().unwrap_or(0) + 1;
    sheet
}

/// The sheets in a terminal.
#[must_use]
pub fn text(sheets: &[Sheet], colours: bool) -> String {
    let one = |sheet: &Sheet| {
        let head = if sheets.len() > 1 { format!("{}\n", sheet.title) } else { String::new() };
        head + &tengen_render::text::draw(sheet, colours)
    };
    sheets.iter().map(one).collect()
}

struct Pen<'a> {
    findings: &'a Findings,
    board: &'a Board,
}

/// A player, as pictures have it.
#[must_use]
pub const fn side(color: Color) -> Side {
    match color {
        Color::Black => Side::Black,
        Color::White => Side::White,
    }
}

const fn ink(color: Color) -> Ink {
    match color {
        Color::Black => Ink::Black,
        Color::White => Ink::White,
    }
}

impl Pen<'_> {
    fn sheet(&self, title: &str) -> Sheet {
        stones(self.board, title)
    }

    fn name(&self, v: Vertex) -> String {
        v.to_gtp(self.board.size())
    }

    fn each(&self, sheet: &mut Sheet, cell: impl Fn(Vertex) -> Cell) {
        for (v, place) in self.board.vertices().zip(&mut sheet.cells) {
            *place = cell(v);
        }
    }
}

fn lettered(text: String, ink: Ink) -> Cell {
    Cell { text, ink, ..Cell::default() }
}

/// `A` to `Z`, then `a` to `z`, then again.
fn letter(index: usize) -> String {
    let index = (index % 52) as u8;
    char::from(if index < 26 { b'A' + index } else { b'a' + index - 26 }).to_string()
}

/// The colour of the border of an empty unit in words.
const fn code_of_border(color: WormColor) -> &'static str {
    match color {
        WormColor::BlackBorder | WormColor::Black => "BlackBorder",
        WormColor::WhiteBorder | WormColor::White => "WhiteBorder",
        WormColor::GrayBorder => "GrayBorder",
    }
}

fn worms(pen: &Pen<'_>) -> Sheet {
    let mut sheet = pen.sheet("Strings");
    let Some(map) = &pen.findings.worms else { return sheet };
    let strings: Vec<_> = map.strings().collect();
    pen.each(&mut sheet, |v| {
        let at = map.get(v).and_then(|w| strings.iter().position(|s| s.origin == w.origin));
        at.map_or_else(Cell::default, |i| lettered(letter(i), Ink::Plain))
    });
    sheet.legend.push(Key::new(Ink::Plain, 0.0, "A", "a letter for each string"));
    for (i, w) in strings.iter().enumerate() {
        sheet.lines.push(format!(
            "{} {:<4} size {} ({:.2}), liberties {:?}, genus {}, cutstone {}{}{}",
            letter(i),
            pen.name(w.origin),
            w.size,
            w.effective_size,
            w.liberties,
            w.genus,
            w.cutstone,
            if w.ko { ", ko" } else { "" },
            if w.inessential { ", inessential" } else { "" },
        ));
    }
    sheet
}

fn tactics(pen: &Pen<'_>) -> Sheet {
    let mut sheet = pen.sheet("Strings that can be captured");
    let Some(map) = &pen.findings.tactics else { return sheet };
    pen.each(&mut sheet, |v| match map.at(pen.board, v) {
        Some(w) if w.attack.works() && w.defense.works() => {
            Cell { ink: Ink::Unsure, fill: 1.0, ..Cell::default() }
        }
        Some(w) if w.attack.works() => {
            Cell { ink: Ink::Danger, fill: 1.0, mark: Some(Mark::Cross), ..Cell::default() }
        }
        _ => Cell::default(),
    });
    let mut captured = Key::new(Ink::Danger, 1.0, "", "captured whoever moves");
    captured.sign.mark = Some(Mark::Cross);
    sheet.legend = vec![
        Key::new(Ink::Unsure, 1.0, "", "captured if attacked first, saved if defended"),
        captured,
        Key::new(Ink::Danger, 0.0, "", "from a capturing move to its string"),
    ];
    let at = |v: Vertex| v.index(pen.board.size());
    for w in map.worms.iter().filter(|w| w.attack.works()) {
        if w.attack_point != Vertex::PASS {
            sheet.arrows.push(Arrow { from: at(w.attack_point), to: at(w.origin), ink: Ink::Danger });
        }
        let line: Vec<String> = w.line.iter().map(|&v| pen.name(v)).collect();
        let defence = if w.defense.works() {
            format!("defended by {} ({})", pen.name(w.defense_point), code(w.defense))
        } else {
            "no defence".to_owned()
        };
        sheet.lines.push(format!(
            "{:<4} attacked by {} ({}), {defence}, {}{}, line {}",
            pen.name(w.origin),
            pen.name(w.attack_point),
            code(w.attack),
            counted("node", w.nodes as usize),
            if w.limit_hit { " (limit reached)" } else { "" },
            line.join(" "),
        ));
    }
    sheet
}

/// A reading code in words.
#[must_use]
pub const fn code(code: Code) -> &'static str {
    match code {
        Code::Fail => "fails",
        Code::KoB => "with a ko, the first threat to make",
        Code::KoA => "with a ko, the first threat the opponent's",
        Code::Win => "for certain",
    }
}

const fn status_ink(status: Status) -> Ink {
    match status {
        Status::Alive => Ink::Good,
        Status::Dead => Ink::Gone,
        Status::Critical => Ink::Danger,
        Status::Unknown => Ink::Unsure,
    }
}

fn dragons(pen: &Pen<'_>) -> Sheet {
    let mut sheet = pen.sheet("Dragons");
    let Some(map) = &pen.findings.dragons else { return sheet };
    pen.each(&mut sheet, |v| {
        let Some(d) = map.at(v) else { return Cell::default() };
        let at = map.dragons.iter().position(|o| o.origin == d.origin).unwrap_or(0);
        let mark = (d.status == Status::Dead).then_some(Mark::Cross);
        Cell { mark, fill: 1.0, ..lettered(letter(at), status_ink(d.status)) }
    });
    for (status, meaning) in [
        (Status::Alive, "alive"),
        (Status::Critical, "critical: who moves first decides"),
        (Status::Dead, "dead"),
        (Status::Unknown, "unknown"),
    ] {
        let mut key = Key::new(status_ink(status), 1.0, "A", meaning);
        key.sign.mark = (status == Status::Dead).then_some(Mark::Cross);
        sheet.legend.push(key);
    }
    for (i, d) in map.dragons.iter().enumerate() {
        sheet.lines.push(format!(
            "{} {:<4} {:<5} {:?}{} by {:?}, {} ({:.2}), half eyes {}, escape {}",
            letter(i),
            pen.name(d.origin),
            d.color.to_string(),
            d.status,
            d.main_lines().map_or_else(String::new, |[attack, defence]| {
                let moves = |line: &[Vertex]| match line {
                    [] => pen.name(Vertex::PASS),
                    _ => line.iter().map(|&v| pen.name(v)).collect::<Vec<_>>().join(" "),
                };
                format!(" (attacked at {}, defended at {})", moves(&attack), moves(&defence))
            }),
            d.rule,
            counted("stone", d.stones.len()),
            d.effective_size,
            d.heyes,
            d.escape_route,
        ));
    }
    sheet
}

/// Where an eye is attacked and defended, if anywhere.
fn vital_points(pen: &Pen<'_>, attack: &[Vertex], defence: &[Vertex]) -> String {
    let names = |of: &[Vertex]| of.iter().map(|&v| pen.name(v)).collect::<Vec<_>>().join(" ");
    match (attack, defence) {
        ([], []) => String::new(),
        ([], _) => format!(", defended at {}", names(defence)),
        (_, []) => format!(", attacked at {}", names(attack)),
        _ => format!(", attacked at {}, defended at {}", names(attack), names(defence)),
    }
}

/// Black's and White's eye spaces in their colours, marginal vertices small, vital points with a ring, half and false
/// eyes with a triangle, false margins with a square.
fn eyes(pen: &Pen<'_>) -> Sheet {
    let mut sheet = pen.sheet("Eye spaces");
    let Some(map) = &pen.findings.eyes else { return sheet };
    let size = pen.board.size();
    for color in Color::BOTH {
        for space in &map.spaces[color.index()] {
            for (&v, &marginal) in space.vertices.iter().zip(&space.marginal) {
                let cell = &mut sheet.cells[v.index(size)];
                cell.ink = ink(color);
                cell.fill = if marginal { 0.4 } else { 0.8 };
            }
            for &v in space.attack_points.iter().chain(&space.defence_points) {
                sheet.cells[v.index(size)].mark = Some(Mark::Circle);
            }
            let origin = &mut sheet.cells[space.origin().index(size)];
            origin.text = format!("{}{}", space.value.min_eyes(), space.value.max_eyes());
            sheet.lines.push(format!(
                "{:<4} {color}: {} ({} marginal), {} to {} eyes{}",
                pen.name(space.origin()),
                counted("vertex", space.vertices.len()),
                space.marginal_count(),
                space.value.min_eyes(),
                space.value.max_eyes(),
                vital_points(pen, &space.attack_points, &space.defence_points),
            ));
            for half in &space.half_eyes {
                sheet.cells[half.vertex.index(size)].mark = Some(Mark::Triangle);
                sheet.lines.push(format!(
                    "     {} {:?} eye of {color}, value {:.2}{}",
                    pen.name(half.vertex),
                    half.kind,
                    half.value,
                    vital_points(pen, &half.attack_points, &half.defence_points),
                ));
            }
        }
    }
    for color in Color::BOTH {
        for &v in &map.false_margins[color.index()] {
            sheet.cells[v.index(size)].mark = Some(Mark::Square);
            sheet.lines.push(format!("{:<4} {color}: a false margin, in no space", pen.name(v)));
        }
    }
    let mut vital = Key::new(Ink::Plain, 0.0, "", "a vital point");
    vital.sign.mark = Some(Mark::Circle);
    let mut half = Key::new(Ink::Plain, 0.0, "", "a half or false eye");
    half.sign.mark = Some(Mark::Triangle);
    let mut margin = Key::new(Ink::Plain, 0.0, "", "a false margin");
    margin.sign.mark = Some(Mark::Square);
    sheet.legend = vec![
        Key::new(Ink::Black, 0.8, "", "an eye space of Black's"),
        Key::new(Ink::White, 0.8, "", "an eye space of White's"),
        Key::new(Ink::White, 0.4, "", "small: marginal"),
        Key::new(Ink::Plain, 0.0, "12", "its eyes if the attacker, if the owner moves first"),
        vital,
        half,
        margin,
    ];
    sheet
}

/// The layers of an influence map.
fn influence_sheets(pen: &Pen<'_>, layer: Layer, which: Map) -> Vec<Sheet> {
    let size = pen.board.size();
    let (Map::After(color, at) | Map::FollowUp(color, at)) = which else {
        let Some(map) = pen.findings.map(which) else { return Vec::new() };
        if layer == Layer::Delta {
            let mut sheet = pen.sheet("Change of territory");
            sheet.lines.push("name a move whose change of territory is wanted".into());
            sheet.legend.push(Key::new(Ink::Plain, 0.0, "", "no move named"));
            return vec![sheet];
        }
        return of_map(pen, layer, map);
    };
    let Some((before, Ok(after))) = pen.findings.after(color, at) else { return Vec::new() };
    let map = if matches!(which, Map::FollowUp(..)) { &after.followup } else { &after.map };
    let mut sheets = if layer == Layer::Delta {
        let change = |v: Vertex| map.territory[v.at()] - before.territory[v.at()];
        let mut sheet = values(pen, "Change of territory", change);
        let name = pen.name(at);
        let (delta, follow) = (after.delta(before, color), after.followup_value(color));
        let (delta, follow) = (signed(delta, 2), fixed(follow, 2));
        sheet.lines.push(format!("{color} {name}: territory {delta} for {color}, follow-up {follow}"));
        vec![sheet]
    } else {
        of_map(pen, layer, map)
    };
    for sheet in &mut sheets {
        for (i, stone) in sheet.stones.iter_mut().enumerate() {
            *stone = map.stones[Vertex::from_index(i, size).at()].map(side);
        }
        let more = if matches!(which, Map::FollowUp(..)) { " and a second move in a row" } else { "" };
        sheet.title = format!("{} after {color} {}{more}", sheet.title, pen.name(at));
        sheet.last = Some(at.index(size));
    }
    sheets
}

fn of_map(pen: &Pen<'_>, layer: Layer, map: &InfluenceMap) -> Vec<Sheet> {
    let both = |of: &PerColor<Vec<f32>>| numbers_of_both(pen, of);
    match layer {
        Layer::Regions => vec![regions(pen, map)],
        Layer::Territory => vec![values(pen, "Territory", |v| map.territory[v.at()])],
        Layer::Influence => both(&map.influence),
        Layer::Permeability => both(&map.field.permeability),
        Layer::Strength => both(&map.field.strength),
        Layer::Attenuation => both(&map.field.attenuation),
        Layer::Lively => vec![lively(pen, map)],
        _ => vec![patterns(pen, map)],
    }
}

fn regions(pen: &Pen<'_>, map: &InfluenceMap) -> Sheet {
    let mut sheet = pen.sheet("Territory, moyo, area");
    pen.each(&mut sheet, |v| {
        let of = |color, white: &str, black: &str, fill| Cell {
            fill,
            ..lettered((if color == Color::White { white } else { black }).into(), ink(color))
        };
        match map.region(v) {
            Region::Territory(color) => of(color, "#", "x", 0.85),
            Region::Moyo(color) => of(color, "+", "*", 0.6),
            Region::Area(color) => of(color, "-", "'", 0.35),
            Region::Stone(_) | Region::Neutral => Cell::default(),
        }
    });
    for (ink, whose, signs) in
        [(Ink::Black, "Black's", ["x", "*", "'"]), (Ink::White, "White's", ["#", "+", "-"])]
    {
        for ((fill, what), sign) in
            [(0.85, "territory"), (0.6, "moyo"), (0.35, "area")].into_iter().zip(signs)
        {
            sheet.legend.push(Key::new(ink, fill, sign, &format!("{whose} {what}")));
        }
    }
    // The estimate of the score, with what it is if either side moves first everywhere.
    if let Some(second) = &pen.findings.second {
        let komi = pen.findings.position.komi;
        sheet.lines.push(estimate(pen.board, &second.maps, komi, Scoring::Territory).to_string());
    }
    sheet
}

/// Values from -1 (Black's) to 1 (White's), a square the larger the more.
fn values(pen: &Pen<'_>, title: &str, of: impl Fn(Vertex) -> f32) -> Sheet {
    let mut sheet = pen.sheet(title);
    sheet.width = 6;
    pen.each(&mut sheet, |v| {
        let value = of(v);
        let owner = if value > 0.0 { Ink::White } else { Ink::Black };
        let ink = if value.abs() < 0.3 { Ink::Plain } else { owner };
        let fill = if value.abs() < 0.05 { 0.0 } else { (0.9 * value.abs().sqrt()).min(1.0) };
        Cell {
            ink: if fill > 0.0 && ink == Ink::Plain { owner } else { ink },
            fill,
            text: fixed(value, 2),
            mark: None,
        }
    });
    sheet.legend = vec![
        Key::new(Ink::Black, 0.9, "-1", "below 0: Black's"),
        Key::new(Ink::White, 0.9, "1", "above 0: White's"),
    ];
    sheet
}

fn numbers_of_both(pen: &Pen<'_>, of: &PerColor<Vec<f32>>) -> Vec<Sheet> {
    let sheet = |color: Color| {
        let mut sheet = pen.sheet(&color.to_string());
        sheet.width = 7;
        let values = &of[color.index()];
        let most = values.iter().copied().filter(|x| x.is_finite()).fold(1.0_f32, f32::max);
        pen.each(&mut sheet, |v| {
            let x = values[v.at()];
            if x == 0.0 {
                return lettered(".".into(), Ink::Plain);
            }
            let fill = (0.95 * (x.max(0.0) / most).powf(0.35)).min(1.0);
            Cell { fill, ..lettered(fixed(x, 2), ink(color)) }
        });
        sheet.legend.push(Key::new(ink(color), 0.9, "", &format!("{color}'s; the larger, the more")));
        sheet.legend.push(Key::new(Ink::Plain, 0.0, ".", "nothing"));
        sheet
    };
    [Color::White, Color::Black].map(sheet).into()
}

/// The stones that count as alive on a map, and the others.
fn lively(pen: &Pen<'_>, map: &InfluenceMap) -> Sheet {
    let mut sheet = pen.sheet("Stones that count as alive");
    let stone = |v: Vertex| map.stones[v.at()].is_some();
    let alive = |v: Vertex| stone(v) && map.field.blocked[v.at()];
    pen.each(&mut sheet, |v| match (stone(v), alive(v)) {
        (true, true) => Cell { fill: 1.0, ..lettered("+".into(), Ink::Good) },
        (true, false) => Cell { fill: 1.0, mark: Some(Mark::Cross), ..lettered("-".into(), Ink::Gone) },
        _ => Cell::default(),
    });
    let count = |wanted: &dyn Fn(Vertex) -> bool| pen.board.vertices().filter(|&v| wanted(v)).count();
    let (all, living) = (count(&stone), count(&alive));
    sheet.lines.push(format!("{living} of {} count as alive", counted("stone", all)));
    let mut gone = Key::new(Ink::Gone, 1.0, "-", "does not count: no influence, no barrier");
    gone.sign.mark = Some(Mark::Cross);
    sheet.legend = vec![Key::new(Ink::Good, 1.0, "+", "counts as alive"), gone];
    sheet
}

/// The effects of patterns; of several at a vertex the first is shown.
fn patterns(pen: &Pen<'_>, map: &InfluenceMap) -> Sheet {
    let sign = |effect: &Effect| match effect {
        Effect::Barrier => ("#", Ink::Danger),
        Effect::WeakPoint => ("~", Ink::Unsure),
        Effect::Source { .. } => ("*", Ink::Good),
        Effect::Intrusion { .. } => ("!", Ink::Good),
        Effect::NonTerritory => ("t", Ink::Black),
    };
    let mut sheet = pen.sheet("What patterns did to influence");
    let size = pen.board.size();
    for cause in map.causes.iter().rev() {
        let (text, ink) = sign(&cause.effect);
        let cell = &mut sheet.cells[cause.at.index(size)];
        *cell = Cell { fill: 0.7, ..lettered(text.into(), ink) };
        if let Effect::Intrusion { from, .. } = cause.effect
            && cause.at != from
        {
            sheet.arrows.push(Arrow { from: from.index(size), to: cause.at.index(size), ink: Ink::Good });
        }
    }
    sheet.lines = map.causes.iter().map(|cause| cause.text(size)).collect();
    sheet.legend = vec![
        Key::new(Ink::Danger, 0.7, "#", "a barrier to influence"),
        Key::new(Ink::Unsure, 0.7, "~", "a weak point: influence passes less"),
        Key::new(Ink::Good, 0.7, "*", "a source of influence"),
        Key::new(Ink::Good, 0.7, "!", "an intrusion, with an arrow from its stone"),
        Key::new(Ink::Black, 0.7, "t", "no territory"),
    ];
    sheet
}
