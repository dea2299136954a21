//! Reads the address of a Go page, and sets up the position that it names.
//!
//! - `file` and `node` name a place in a record. `try` has the moves tried after it, and `rest` the remaining moves of
//!   a line.
//! - A file `new-SIZE-HANDICAP-KOMI` is an empty board. `vs` is the colour of a person who plays against the engine.
//! - An address leaves out fields that have their default value.

use crate::record::findings::{Findings, Map};
use crate::report::board::Layer;
use crate::scene::GameRecord;
use crate::scene::position::{self, GoInput};
use crate::view::html::encode;
use crate::view::request::Request;
use crate::view::site::{Root, Site};
use std::sync::Arc;
use tengen_go::board::handicap::fixed_handicap;
use tengen_go::board::sgf::{NodeId, Until};
use tengen_go::board::{Board, Color, Marks, Vertex};
use tengen_go::world::Position;

/// White's points on an empty board, and in a game with handicap.
pub(super) const KOMI: f32 = 6.5;
/// The level at which the engine plays unless another is asked for.
pub(super) const LEVEL: i32 = 5;
/// The most moves of an address.
const TRIED: usize = 1000;

/// A new game's board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fresh {
    pub(super) size: usize,
    pub(super) handicap: usize,
    pub(super) komi: f32,
}

impl Fresh {
    /// The name of a board that is no record.
    fn of_name(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix("new-")?.splitn(3, '-');
        let size = parts.next()?.parse().ok().filter(|size| (1..=25).contains(size))?;
        let handicap = parts.next()?.parse().ok()?;
        let komi = parts.next()?.parse::<f32>().ok().filter(|komi| komi.abs() <= 400.0)?;
        Some(Self { size, handicap, komi })
    }

    pub(super) fn name(self) -> String {
        format!("new-{}-{}-{}", self.size, self.handicap, self.komi)
    }

    fn input(self) -> Result<GoInput, String> {
        let mut board = Board::new(self.size);
        let mut to_move = Color::Black;
        if self.handicap >= 2 {
            let stones = fixed_handicap(self.size, self.handicap).ok_or_else(|| {
                format!("a board of {} lines has no handicap of {}", self.size, self.handicap)
            })?;
            for v in stones {
                board.place(Color::Black, v).map_err(|e| e.to_string())?;
            }
            to_move = Color::White;
        }
        let position = Position { komi: self.komi, ..Position::new(board, to_move) };
        Ok(GoInput { position, marks: Marks::default(), moves: 0, stopped: None, warnings: Vec::new() })
    }
}

/// The request of an address, and its position.
pub(super) struct Look {
    pub(super) file: String,
    pub(super) node: NodeId,
    pub(super) tries: Vec<(Color, Vertex)>,
    /// Moves of a line that are still to come.
    pub(super) rest: Vec<(Color, Vertex)>,
    pub(super) layer: Layer,
    pub(super) map: String,
    of_move: String,
    pub(super) patterns: usize,
    /// Which of a layer's boards: White's or Black's.
    pub(super) sheet: usize,
    /// The colour of the person who plays against the engine.
    pub(super) versus: Option<Color>,
    /// The engine's level in this game.
    pub(super) level: i32,
    pub(super) record: Option<GameRecord>,
    /// The position with the moves tried.
    pub(super) input: GoInput,
    /// The position's own side to move.
    own_turn: Color,
    /// The vertex whose facts are shown.
    pub(super) at: Option<Vertex>,
    /// Whether its causes are asked for too.
    pub(super) is_why: bool,
    /// A move of the person that the rules forbid.
    pub(super) refused: Option<Vertex>,
}

impl Look {
    /// Reads an address.
    pub(super) fn read(site: &Site, request: &Request) -> Result<Self, String> {
        let file = request.get("file").to_owned();
        let fresh = Fresh::of_name(&file);
        let record = if fresh.is_some() { None } else { site.record(&file)? };
        let node = match request.get("node") {
            "" => 0,
            text => text.parse().map_err(|_| format!("`{text}` is no node of the record"))?,
        };
        let mut input = match fresh {
            Some(fresh) => fresh.input()?,
            None => start(site, record.as_ref(), &file, node)?,
        };
        let size = input.position.board.size();
        let tries = tried(request.get("try"), size)?;
        let rest = tried(request.get("rest"), size)?;
        play(&mut input, &tries)?;
        let own_turn = input.position.to_move;
        match request.get("turn") {
            "b" => input.position.to_move = Color::Black,
            "w" => input.position.to_move = Color::White,
            _ => {}
        }
        let vertex = |name: &str| Vertex::from_gtp(request.get(name), size).filter(|&v| v != Vertex::PASS);
        let layer = match request.get("layer") {
            "" => Layer::Stones,
            name => Layer::of_name(name).ok_or_else(|| format!("there is no layer `{name}`"))?,
        };
        Ok(Self {
            node,
            layer,
            map: request.get("map").to_owned(),
            of_move: request.get("move").to_owned(),
            patterns: patterns(site, request.get("patterns"))?,
            sheet: usize::from(request.get("sheet") == "1"),
            versus: color(request.get("vs")),
            level: request.get("level").parse().unwrap_or(LEVEL).clamp(0, 10),
            at: vertex("at"),
            is_why: request.get("why") == "1",
            refused: vertex("refused"),
            file,
            tries,
            rest,
            record,
            input,
            own_turn,
        })
    }

    pub(super) fn size(&self) -> usize {
        self.input.position.board.size()
    }

    /// The query of an address with some of its fields changed. Usual values are left out.
    pub(super) fn query(&self, changes: &[(&str, &str)]) -> String {
        let to_move = self.input.position.to_move;
        let turn = if to_move == self.own_turn { String::new() } else { letter(to_move) };
        let number = |n: usize| if n == 0 { String::new() } else { n.to_string() };
        let layer = if self.layer == Layer::Stones { "" } else { self.layer.name() };
        let fields = [
            ("file", self.file.clone()),
            ("node", number(self.node)),
            ("try", joined(&self.tries, self.size())),
            ("rest", joined(&self.rest, self.size())),
            ("turn", turn),
            ("layer", layer.into()),
            ("map", self.map.clone()),
            ("move", self.of_move.clone()),
            ("sheet", number(self.sheet)),
            ("patterns", number(self.patterns)),
            ("vs", self.versus.map_or_else(String::new, letter)),
            ("level", if self.level == LEVEL { String::new() } else { self.level.to_string() }),
        ];
        let value = |(name, value): (&str, String)| {
            let changed = changes.iter().find(|c| c.0 == name).map(|c| c.1);
            let value = changed.unwrap_or(&value);
            (!value.is_empty()).then(|| format!("{name}={}", encode(value)))
        };
        fields.into_iter().filter_map(value).collect::<Vec<_>>().join("&")
    }

    pub(super) fn address(&self, changes: &[(&str, &str)]) -> String {
        format!("game?{}", self.query(changes))
    }

    /// With the node or the moves tried changed it is another position: its turn is its own.
    pub(super) fn elsewhere(&self, changes: &[(&str, &str)]) -> String {
        format!("game?{}", self.query(&elsewhere(changes)))
    }

    /// The moves tried with one more, as addresses spell them.
    pub(super) fn tries_with(&self, v: Vertex) -> String {
        let mut moves = self.tries.clone();
        moves.push((self.input.position.to_move, v));
        joined(&moves, self.size())
    }

    /// The address after one more move tried.
    pub(super) fn after(&self, v: Vertex) -> String {
        self.elsewhere(&[("try", &self.tries_with(v)), ("move", ""), ("map", "")])
    }

    /// The map looked at.
    pub(super) fn map(&self) -> Result<Map, String> {
        let color = self.input.position.to_move;
        Ok(match self.map.as_str() {
            "b1" => Map::First(Color::Black),
            "w1" => Map::First(Color::White),
            "b2" => Map::Second(Color::Black),
            "w2" => Map::Second(Color::White),
            "after" | "follow" if !self.of_move.is_empty() => {
                let board = &self.input.position.board;
                let v = Vertex::from_gtp(&self.of_move, board.size()).filter(|&v| v != Vertex::PASS);
                let v = v.filter(|&v| board.is_legal(color, v));
                let v = v.ok_or_else(|| format!("{} is no legal move of {color}", self.of_move))?;
                if self.map == "after" { Map::After(color, v) } else { Map::FollowUp(color, v) }
            }
            _ => Map::Second(color),
        })
    }

    /// Whether a click on the board names the move whose map is wanted.
    pub(super) fn wants_move(&self) -> bool {
        matches!(self.map.as_str(), "after" | "follow") && self.of_move.is_empty()
    }

    pub(super) fn findings(&self, site: &Site) -> Arc<Findings> {
        site.analysis_cache.findings(&self.input, self.patterns)
    }

    /// Whether two passes ended the game.
    pub(super) fn is_over(&self) -> bool {
        let mut moves = self.input.position.board.moves().rev();
        let passed = |last: Option<(Color, Vertex)>| last.is_some_and(|(_, v)| v == Vertex::PASS);
        passed(moves.next()) && passed(moves.next())
    }
}

/// Changes the address, and drops the turn and the rest of a line. The caller's values come first and count.
fn elsewhere<'a>(changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut all = changes.to_vec();
    all.extend([("turn", ""), ("rest", "")]);
    all
}

/// The position that an address begins with.
fn start(site: &Site, record: Option<&GameRecord>, file: &str, node: NodeId) -> Result<GoInput, String> {
    match (record, &site.root) {
        (Some(record), _) => {
            let line = line_to(record, node).ok_or_else(|| format!("the record has no node {node}"))?;
            position::of_line(record, &line, Until::End).map_err(|f| f.to_string())
        }
        (None, Root::Scenes(scenes)) => {
            let case = scenes.cases.iter().find(|c| c.id == file).ok_or("there is no such position")?;
            position::go(case).map_err(|f| f.to_string())
        }
        (None, Root::Empty(size)) if file.is_empty() => {
            Fresh { size: *size, handicap: 0, komi: KOMI }.input()
        }
        _ => Err("no game was opened".into()),
    }
}

/// Plays the moves tried.
fn play(input: &mut GoInput, tries: &[(Color, Vertex)]) -> Result<(), String> {
    for &(color, v) in tries {
        let board = &mut input.position.board;
        let name = v.to_gtp(board.size());
        board.play(color, v).map_err(|e| format!("{color} can't play {name}: {e}"))?;
        input.position.to_move = color.other();
        input.moves += 1;
    }
    Ok(())
}

fn patterns(site: &Site, text: &str) -> Result<usize, String> {
    if text.is_empty() {
        return Ok(0);
    }
    let known = text.parse().ok().filter(|&n| site.analysis_cache.knows(n));
    known.ok_or_else(|| format!("there are no patterns {text} here (any more): try the edit again"))
}

/// A colour as addresses spell it.
pub(super) fn color(text: &str) -> Option<Color> {
    match text {
        "b" => Some(Color::Black),
        "w" => Some(Color::White),
        _ => None,
    }
}

fn letter(color: Color) -> String {
    if color == Color::Black { "b".into() } else { "w".into() }
}

/// The nodes from the root to a node.
pub(super) fn line_to(record: &GameRecord, node: NodeId) -> Option<Vec<NodeId>> {
    record.tree.nodes.get(node)?;
    let mut line = vec![node];
    while let Some(parent) = record.tree.nodes[line[line.len() - 1]].parent {
        line.push(parent);
    }
    line.reverse();
    Some(line)
}

/// The line that goes through a node: its ancestors, itself, and the main line from there.
pub(super) fn line_through(record: &GameRecord, node: NodeId) -> Vec<NodeId> {
    let mut line = line_to(record, node).unwrap_or_default();
    while let Some(&next) = line.last().and_then(|&id| record.tree.nodes[id].children.first()) {
        line.push(next);
    }
    line
}

fn spelled(color: Color, v: Vertex, size: usize) -> String {
    format!("{}{}", if color == Color::Black { 'B' } else { 'W' }, v.to_gtp(size))
}

/// Moves as an address spells them: `BQ4,WD4`.
pub(super) fn joined(moves: &[(Color, Vertex)], size: usize) -> String {
    moves.iter().map(|&(color, v)| spelled(color, v, size)).collect::<Vec<_>>().join(",")
}

fn tried(text: &str, size: usize) -> Result<Vec<(Color, Vertex)>, String> {
    let one = |word: &str| {
        let color = match word.get(..1)? {
            "B" => Color::Black,
            "W" => Color::White,
            _ => return None,
        };
        Some((color, Vertex::from_gtp(word.get(1..)?, size)?))
    };
    let words = text.split(',').filter(|w| !w.is_empty());
    let moves: Vec<_> =
        words.map(|w| one(w).ok_or_else(|| format!("`{w}` is no move to try"))).collect::<Result<_, _>>()?;
    if moves.len() > TRIED { Err(format!("at most {TRIED} moves can be tried")) } else { Ok(moves) }
}
