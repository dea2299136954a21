//! The page of a Go game: the board with a layer, the moves of the record, and the findings.

use super::html::{encode, link, page as whole};
use super::site::{Reply, Request, Root, Site};
use super::{facts, lines};
use crate::record::findings::{Findings, Map};
use crate::report::board::{Layer, sheets};
use crate::report::sentences;
use crate::scene::GameRecord;
use crate::scene::position::{self, GoInput};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tengen_go::board::sgf::{NodeId, Until};
use tengen_go::board::{Board, Color, Marks, Vertex};
use tengen_go::world::Position;
use tengen_render::{escape, graph, svg};

/// A layer's key on the keyboard.
const KEYS: [(Layer, char); 16] = [
    (Layer::Stones, 's'),
    (Layer::Worms, 'w'),
    (Layer::Tactics, 't'),
    (Layer::Dragons, 'd'),
    (Layer::Eyes, 'e'),
    (Layer::Surround, 'u'),
    (Layer::Regions, 'r'),
    (Layer::Territory, 'y'),
    (Layer::Delta, 'x'),
    (Layer::Influence, 'i'),
    (Layer::Permeability, 'p'),
    (Layer::Strength, 'h'),
    (Layer::Attenuation, 'a'),
    (Layer::Patterns, 'b'),
    (Layer::Moves, 'm'),
    (Layer::Judge, 'j'),
];

/// The maps one can look at: the name in an address, the key, the words.
const MAPS: [(&str, char, &str); 6] = [
    ("b2", '1', "Black first, dragons known"),
    ("w2", '2', "White first, dragons known"),
    ("b1", '3', "Black first, dragons unknown"),
    ("w1", '4', "White first, dragons unknown"),
    ("after", '5', "after a move…"),
    ("follow", '6', "follow-up of a move…"),
];

/// The request of an address, and its position.
pub(super) struct Look {
    file: String,
    node: NodeId,
    pub(super) tries: Vec<(Color, Vertex)>,
    /// Moves of a line that are still to come.
    pub(super) rest: Vec<(Color, Vertex)>,
    pub(super) layer: Layer,
    map: String,
    of_move: String,
    pub(super) patterns: usize,
    record: Option<GameRecord>,
    /// The position with the moves tried.
    pub(super) input: GoInput,
}

impl Look {
    /// Reads an address.
    pub(super) fn read(site: &Site, request: &Request) -> Result<Self, String> {
        let file = request.get("file").to_owned();
        let record = site.record(&file)?;
        let node = match (&record, request.get("node")) {
            (Some(record), "") => first_stop(record),
            (_, "") => 0,
            (_, text) => text.parse().map_err(|_| format!("`{text}` is no node of the record"))?,
        };
        let mut input = match (&record, &site.root) {
            (Some(record), _) => {
                let line = line_to(record, node).ok_or_else(|| format!("the record has no node {node}"))?;
                position::of_line(record, &line, Until::End).map_err(|f| f.to_string())?
            }
            (None, Root::Scenes(scenes)) => {
                let case = scenes.cases.iter().find(|c| c.id == file).ok_or("there is no such position")?;
                position::go(case).map_err(|f| f.to_string())?
            }
            (None, Root::Empty(size)) => GoInput {
                position: Position { komi: 6.5, ..Position::new(Board::new(*size), Color::Black) },
                marks: Marks::default(),
                moves: 0,
                stopped: None,
            },
            _ => return Err("no game was opened".into()),
        };
        let tries = tried(request.get("try"), input.position.board.size())?;
        let rest = tried(request.get("rest"), input.position.board.size())?;
        for &(color, v) in &tries {
            let board = &mut input.position.board;
            let name = v.to_gtp(board.size());
            board.play(color, v).map_err(|e| format!("{color} can't play {name}: {e}"))?;
            input.position.to_move = color.other();
            input.moves += 1;
        }
        match request.get("turn") {
            "b" => input.position.to_move = Color::Black,
            "w" => input.position.to_move = Color::White,
            _ => {}
        }
        let layer = match request.get("layer") {
            "" => Layer::Moves,
            name => Layer::of_name(name).ok_or_else(|| format!("there is no layer `{name}`"))?,
        };
        let (map, of_move) = (request.get("map").to_owned(), request.get("move").to_owned());
        let patterns =
            match request.get("patterns") {
                "" => 0,
                text => text.parse().ok().filter(|&n| site.analysis_cache.knows(n)).ok_or_else(|| {
                    format!("there are no patterns {text} here (any more): try the edit again")
                })?,
            };
        Ok(Self { file, node, tries, rest, layer, map, of_move, patterns, record, input })
    }

    /// The query of an address with some of its fields changed.
    pub(super) fn query(&self, changes: &[(&str, &str)]) -> String {
        let size = self.input.position.board.size();
        let all = |moves: &[(Color, Vertex)]| {
            moves.iter().map(|&(c, v)| spelled(c, v, size)).collect::<Vec<_>>().join(",")
        };
        let turn = if self.input.position.to_move == Color::Black { "b" } else { "w" };
        let fields = [
            ("file", self.file.clone()),
            ("node", self.node.to_string()),
            ("try", all(&self.tries)),
            ("rest", all(&self.rest)),
            ("turn", turn.into()),
            ("layer", self.layer.name().into()),
            ("map", self.map.clone()),
            ("move", self.of_move.clone()),
            ("patterns", self.patterns.to_string()),
        ];
        let value = |(name, value): (&str, String)| {
            let changed = changes.iter().find(|c| c.0 == name).map(|c| c.1);
            format!("{name}={}", encode(changed.unwrap_or(&value)))
        };
        fields.into_iter().map(value).collect::<Vec<_>>().join("&")
    }

    fn address(&self, changes: &[(&str, &str)]) -> String {
        format!("game?{}", self.query(changes))
    }

    /// With the node or the moves tried changed it is another position: its turn is its own.
    pub(super) fn elsewhere(&self, changes: &[(&str, &str)]) -> String {
        // What a caller names comes first and counts.
        let mut all = changes.to_vec();
        all.extend([("turn", ""), ("rest", "")]);
        self.address(&all)
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
    fn wants_move(&self) -> bool {
        matches!(self.map.as_str(), "after" | "follow") && self.of_move.is_empty()
    }

    pub(super) fn findings(&self, site: &Site) -> Arc<Findings> {
        site.analysis_cache.findings(&self.input, self.patterns)
    }
}

/// The node that is shown first: the last one of the main line.
fn first_stop(record: &GameRecord) -> NodeId {
    record.tree.line(&[]).last().copied().unwrap_or(0)
}

/// The nodes from the root to a node.
fn line_to(record: &GameRecord, node: NodeId) -> Option<Vec<NodeId>> {
    record.tree.nodes.get(node)?;
    let mut line = vec![node];
    while let Some(parent) = record.tree.nodes[line[line.len() - 1]].parent {
        line.push(parent);
    }
    line.reverse();
    Some(line)
}

/// The line that goes through a node: its ancestors, itself, and the main line from there.
fn line_through(record: &GameRecord, node: NodeId) -> Vec<NodeId> {
    let mut line = line_to(record, node).unwrap_or_default();
    while let Some(&next) = line.last().and_then(|&id| record.tree.nodes[id].children.first()) {
        line.push(next);
    }
    line
}

pub(super) fn spelled(color: Color, v: Vertex, size: usize) -> String {
    format!("{}{}", if color == Color::Black { 'B' } else { 'W' }, v.to_gtp(size))
}

/// Moves as an address spells them: `BQ4,WD4`.
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
    words.map(|w| one(w).ok_or_else(|| format!("`{w}` is no move to try"))).collect()
}

/// The page.
pub(super) fn page(site: &Site, request: &Request) -> Reply {
    let look = match Look::read(site, request) {
        Ok(look) => look,
        Err(fault) => return Reply::fault(&fault),
    };
    let map = match look.map() {
        Ok(map) => map,
        Err(fault) => return Reply::fault(&fault),
    };
    let findings = look.findings(site);
    let pictures: String = sheets(&findings, look.layer, map)
        .iter()
        .map(|s| format!("<figure>{}<figcaption>{}</figcaption></figure>", svg::draw(s), escape(&s.title)))
        .collect();
    let lines: Vec<String> =
        sheets(&findings, look.layer, map).iter().flat_map(|s| s.lines.clone()).collect();
    let title = title(&look);
    let follow = if look.wants_move() {
        format!(
            " data-follow=\"{}\"",
            escape(&(look.address(&[("move", "")]).replace("&move=", "") + "&move="))
        )
    } else {
        String::new()
    };
    let first = if look.wants_move() {
        "<p>Click on the move whose map you want to see.</p>".to_owned()
    } else {
        summary(&findings) + &note(&look)
    };
    let graph = if look.record.is_some() {
        format!(
            "<div id=\"growing\" class=\"growing\" data-href=\"lead?{}\"></div>",
            escape(&look.query(&[]))
        )
    } else {
        String::new()
    };
    let body = format!(
        "{}<main><div class=\"boards\">{}{}{pictures}{graph}</div><div class=\"panel\">{}\
         <div id=\"facts\" data-href=\"facts?{}&amp;at=\"{follow}>{first}</div><h3>{}</h3><pre id=\"lines\">{}</pre></div></main>",
        layers(&look),
        way(&look),
        lines::steps(&look),
        trials(&look, &findings),
        escape(&look.query(&[])),
        escape(look.layer.name()),
        escape(&lines.join("\n")),
    );
    Reply::html(whole(&title, &body))
}

fn title(look: &Look) -> String {
    let name = if look.file.is_empty() {
        look.record.as_ref().map_or("Empty board".into(), |r| r.path.display().to_string())
    } else {
        look.file.clone()
    };
    let tried = if look.tries.is_empty() { "" } else { ", with moves tried" };
    format!("{name}, move {}{tried}, {} to move", look.input.moves, look.input.position.to_move)
}

/// The text of the record at this place, and the reason if its line could not be followed.
fn note(look: &Look) -> String {
    let comment = look.record.as_ref().and_then(|r| r.tree.nodes[look.node].get("C")).unwrap_or_default();
    let stopped = look.input.stopped.as_ref().map(ToString::to_string).unwrap_or_default();
    format!("<p class=\"fault\">{}</p><pre>{}</pre>", escape(&stopped), escape(comment))
}

/// The score and the best moves, as the record has them.
fn summary(findings: &Findings) -> String {
    let mut out = String::from("<p class=\"hint\">Click on a vertex for all that is known of it.</p>");
    if let Some(territory) = findings.record.get("territory") {
        let _ = write!(out, "<h3>Estimate</h3>{}", super::html::table(territory));
    }
    out
}

/// The layers and the maps, one key each.
fn layers(look: &Look) -> String {
    let mut out = String::from("<nav id=\"layers\">");
    for (layer, key) in KEYS {
        let on = if layer == look.layer { "on" } else { "" };
        let to = look.address(&[("layer", layer.name())]);
        let _ = write!(
            out,
            "<a class=\"{on}\" data-key=\"{key}\" href=\"{}\">{} <kbd>{key}</kbd></a>",
            escape(&to),
            layer.name()
        );
    }
    out.push_str("</nav><nav id=\"maps\">");
    for (name, key, words) in MAPS {
        let on = if name == look.map { "on" } else { "" };
        let to = look.address(&[("map", name), ("move", "")]);
        let _ = write!(
            out,
            "<a class=\"{on}\" data-key=\"{key}\" href=\"{}\">{words} <kbd>{key}</kbd></a>",
            escape(&to)
        );
    }
    out + "</nav>"
}

/// The way through the record: steps, slider, variations.
fn way(look: &Look) -> String {
    let Some(record) = &look.record else { return String::new() };
    let line = line_through(record, look.node);
    let at = line.iter().position(|&id| id == look.node).unwrap_or(0);
    let to = |id: Option<&NodeId>, name: &str, text: &str| {
        id.map_or_else(String::new, |id| {
            let address = look.elsewhere(&[("node", &id.to_string()), ("try", "")]);
            format!("<a id=\"{name}\" href=\"{}\">{text}</a>", escape(&address))
        })
    };
    let before = at.checked_sub(1).and_then(|i| line.get(i));
    let mut out = format!(
        "<nav id=\"way\">{}{}{}{}",
        to(line.first(), "first", "|◀"),
        to(before, "back", "◀"),
        to(line.get(at + 1), "forth", "▶"),
        to(line.last(), "end", "▶|")
    );
    let siblings = record.tree.nodes[look.node].parent.map_or(&[][..], |p| &record.tree.nodes[p].children);
    if siblings.len() > 1 {
        let mine = siblings.iter().position(|&id| id == look.node).unwrap_or(0);
        out += &to(mine.checked_sub(1).and_then(|i| siblings.get(i)), "up", "▲ variation");
        out += &to(siblings.get(mine + 1), "down", "▼ variation");
        let _ = write!(out, " {} of {}", mine + 1, siblings.len());
    }
    let nodes: Vec<String> = line.iter().map(ToString::to_string).collect();
    let base = look.elsewhere(&[("node", ""), ("try", "")]).replace("&node=", "") + "&node=";
    let _ = write!(
        out,
        "</nav><input id=\"slider\" type=\"range\" min=\"0\" max=\"{}\" value=\"{at}\" data-nodes=\"{}\" data-href=\"{}\" \
         aria-label=\"move\">",
        line.len() - 1,
        nodes.join(","),
        escape(&base)
    );
    out
}

/// Moves tried: the best move, a pass, taking back.
fn trials(look: &Look, findings: &Findings) -> String {
    let size = look.input.position.board.size();
    let color = look.input.position.to_move;
    let with = |more: Option<Vertex>| {
        let mut moves: Vec<String> = look.tries.iter().map(|&(c, v)| spelled(c, v, size)).collect();
        match more {
            Some(v) => moves.push(spelled(color, v, size)),
            None => drop(moves.pop()),
        }
        look.elsewhere(&[("try", &moves.join(",")), ("move", ""), ("map", "")])
    };
    let mut out = String::from("<nav id=\"tries\">");
    if let Some(best) = findings.ranked().first() {
        let text = format!("play the best move, {}", best.vertex.to_gtp(size));
        out += &link(&with(Some(best.vertex)), &text, "best");
    }
    out += &link(&with(Some(Vertex::PASS)), "pass", "pass");
    if !look.tries.is_empty() {
        out += &link(&with(None), "take back", "undo");
    }
    let other = if color == Color::Black { "w" } else { "b" };
    out += &link(&look.address(&[("turn", other)]), "the other to move", "turn");
    out += &link(&format!("tune?{}", look.query(&[])), "edit patterns", "tune");
    out += &link(&format!("compare?{}", look.query(&[])), "compare settings", "compare");
    out + "</nav>"
}

/// The facts about a vertex.
pub(super) fn facts(site: &Site, request: &Request) -> Reply {
    let look = match Look::read(site, request) {
        Ok(look) => look,
        Err(fault) => return Reply::text(400, &fault),
    };
    let size = look.input.position.board.size();
    let at = Vertex::from_gtp(request.get("at"), size).filter(|&v| v != Vertex::PASS);
    let Some(at) = at else { return Reply::text(400, "the board has no such vertex") };
    let findings = look.findings(site);
    let mut body = facts::of(&findings, at);
    body += &lines::of_string(&look, &findings, at);
    body += &lines::of_dragon(&look, &findings, at);
    let color = look.input.position.to_move;
    if look.input.position.board.is_legal(color, at) {
        let name = at.to_gtp(size);
        let mut tries: Vec<String> = look.tries.iter().map(|&(c, v)| spelled(c, v, size)).collect();
        tries.push(spelled(color, at, size));
        let _ = write!(
            body,
            "<nav>{}{}{}</nav>",
            link(&look.elsewhere(&[("try", &tries.join(","))]), &format!("try {color} {name}"), "try"),
            link(
                &look.address(&[("layer", "delta"), ("map", "after"), ("move", &name)]),
                "delta territory",
                "delta"
            ),
            link(
                &look.address(&[("layer", "territory"), ("map", "after"), ("move", &name)]),
                "territory after",
                "after"
            ),
        );
    }
    Reply::html(body)
}

/// The time limit of one answer about the game's graphs.
const SLICE: Duration = Duration::from_millis(300);
/// The number of positions of the first curve; a long game is sampled evenly.
const COARSE: usize = 60;
/// A longer game keeps only the first curve, because this many positions are not kept.
const FINE: usize = 360;

/// The graphs of the lead and of the points each move lost, as far as they are known; they grow from answer to answer.
pub(super) fn lead(site: &Site, request: &Request) -> Reply {
    let look = match Look::read(site, request) {
        Ok(look) => look,
        Err(fault) => return Reply::text(400, &fault),
    };
    let Some(record) = &look.record else { return Reply::text(400, "only game records have a graph") };
    let line = line_through(record, look.node);
    let at = line.iter().position(|&id| id == look.node).unwrap_or(0);
    let last = line.len() - 1;
    // The curve soon, what each move lost later.
    let step = (line.len() / COARSE).max(1);
    let others = (0..line.len()).filter(|i| i % step != 0 && line.len() <= FINE);
    let begun = Instant::now();
    let (mut leads, mut is_done) = (vec![None; line.len()], true);
    for i in (0..line.len()).step_by(step).chain(others) {
        if begun.elapsed() > SLICE {
            is_done = false;
            break;
        }
        let Ok(input) = position::of_line(record, &line[..=i], Until::End) else { break };
        let mover = input.position.board.last_move().map(|(color, _)| color);
        leads[i] = site.analysis_cache.findings(&input, look.patterns).white_lead().map(|lead| (lead, mover));
    }
    let values: Vec<_> = leads.iter().enumerate().filter_map(|(i, l)| l.map(|(lead, _)| (i, lead))).collect();
    let curve = graph::draw(&values, last, Some(at), "White leads, points", "Black leads, points");
    let lost = graph::losses(&losses(&leads), last, Some(at), "Black’s moves lost", "White’s moves lost");
    let done = if is_done { " data-done=\"1\"" } else { "" };
    Reply::html(format!(
        "<figure{done}>{curve}<figcaption>White’s lead in points</figcaption></figure>\
         <figure id=\"losses\">{lost}<figcaption>Points by which each move made the lead worse for its own side</figcaption></figure>"
    ))
}

/// White's lead in a position, and the player of the last move; `None` if not known yet.
type Lead = Option<(f32, Option<Color>)>;

/// The losses of moves whose positions before and after are both known.
fn losses(leads: &[Lead]) -> Vec<graph::Loss> {
    let one = |(i, pair): (usize, &[Lead])| {
        let (before, (after, mover)) = (pair[0]?.0, pair[1]?);
        let color = mover?;
        let points = sentences::lost(color, before, after).max(0.0);
        Some(graph::Loss { after: i + 1, is_black: color == Color::Black, points })
    };
    leads.windows(2).enumerate().filter_map(one).collect()
}
