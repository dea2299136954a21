//! The report of a game: the lead from move to move, the moves that lost most, and the groups that died with the move
//! that killed them. It is a page, and comments in the game record.

use super::board::{Layer, sheets};
use super::page::{figure, link, page};
use super::sentences;
use crate::record::findings::{Findings, Map};
use crate::scene::GameRecord;
use crate::scene::position;
use std::fmt::Write as _;
use tengen_core::Diagnostic;
use tengen_go::board::sgf::{self, NodeId, Until, vertex_to_sgf};
use tengen_go::board::{Color, Vertex};
use tengen_go::dragons::Status;
use tengen_go::{AnalyseSystems, GoEngine};
use tengen_render::{escape, graph};

/// Moves named as those that lost most.
const WORST: usize = 5;
/// Points below which nothing is called a loss.
const LEAST: f32 = 2.0;

/// The effect of a move, compared with the previous analysed position.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its node in the record.
    pub node: NodeId,
    /// Its number, from 1.
    pub number: usize,
    /// The mover.
    pub color: Color,
    /// Where; a pass too.
    pub at: Vertex,
    /// White's lead before and after it.
    pub lead: [f32; 2],
    /// Whether the position before it was looked at too, so that the loss is this move's alone.
    pub is_alone: bool,
    /// Sentences about it.
    pub sentences: Vec<String>,
    /// A stone of each group that died.
    pub died: Vec<Vertex>,
}

impl Step {
    /// Points lost for its colour.
    #[must_use]
    pub fn lost(&self) -> f32 {
        sentences::lost(self.color, self.lead[0], self.lead[1])
    }
}

/// A game looked at.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The file's name.
    pub name: String,
    /// Moves in the record.
    pub moves: usize,
    /// The steps looked at.
    pub steps: Vec<Step>,
    /// Why the record's line could not be followed to its end, if so.
    pub stopped: Option<String>,
}

/// Analyses every `every`-th position of a game's main line.
///
/// # Errors
/// The fault of the record, with its place.
pub fn look(
    engine: &mut GoEngine,
    record: &GameRecord,
    name: &str,
    every: usize,
) -> Result<GameReport, Diagnostic> {
    let line = record.tree.line(&[]);
    let end = position::of_line(record, &line, Until::End)?;
    let mut steps = Vec::new();
    let mut before: Option<Findings> = None;
    let places: Vec<usize> = (1..line.len()).filter(|&i| is_move(record, line[i])).collect();
    for (n, &place) in
        places.iter().enumerate().filter(|(n, _)| (n + 1) % every == 0 || n + 1 == places.len())
    {
        if n >= end.moves {
            break;
        }
        let input = position::of_line(record, &line[..=place], Until::End)?;
        let findings = Findings::analyse(engine, &input, AnalyseSystems::SecondInfluence);
        if let Some(before) = &before {
            steps.extend(step(before, &findings, line[place]));
        }
        before = Some(findings);
    }
    Ok(GameReport {
        name: name.into(),
        moves: end.moves,
        steps,
        stopped: end.stopped.map(|fault| Diagnostic { help: None, ..fault }.to_string()),
    })
}

fn is_move(record: &GameRecord, node: NodeId) -> bool {
    let node = &record.tree.nodes[node];
    node.get("B").is_some() || node.get("W").is_some()
}

fn step(before: &Findings, after: &Findings, node: NodeId) -> Option<Step> {
    let (color, at) = after.position.board.last_move()?;
    let (a, b) = (before.white_lead()?, after.white_lead()?);
    let is_alone = after.moves_played == before.moves_played + 1;
    let mut step = Step {
        node,
        number: after.moves_played,
        color,
        at,
        lead: [a, b],
        is_alone,
        sentences: Vec::new(),
        died: Vec::new(),
    };
    let size = after.size();
    let taken = after.position.board.captured(color).saturating_sub(before.position.board.captured(color));
    if is_alone {
        step.sentences.extend(sentences::captures(color, at, size, taken as usize));
        if step.lost() >= LEAST {
            step.sentences.push(sentences::loss(color, at, size, a, b));
        }
    }
    if let (Some(was), Some(is)) = (&before.dragons, &after.dragons) {
        for dragon in is.dragons.iter().filter(|d| d.status == Status::Dead) {
            let old = was.at(dragon.origin).filter(|d| d.color == dragon.color);
            if let Some(old) = old.filter(|d| d.status != Status::Dead) {
                step.sentences.push(sentences::death(dragon, size, old.status));
                step.died.push(dragon.origin);
            }
        }
    }
    Some(step)
}

impl GameReport {
    /// The moves that lost most, worst first.
    #[must_use]
    pub fn worst(&self) -> Vec<&Step> {
        let mut steps: Vec<&Step> = self.steps.iter().filter(|s| s.lost() >= LEAST).collect();
        steps.sort_by(|a, b| b.lost().total_cmp(&a.lost()).then(a.number.cmp(&b.number)));
        steps.truncate(WORST);
        steps
    }

    /// The game's page: it needs nothing but itself.
    ///
    /// # Errors
    /// The fault of the record.
    pub fn page(&self, engine: &mut GoEngine, record: &GameRecord) -> Result<String, Diagnostic> {
        let leads: Vec<(usize, f32)> = self.steps.iter().map(|s| (s.number, s.lead[1])).collect();
        let mut body = format!(
            "<p>{} moves.</p>{}{}",
            self.moves,
            self.stopped.as_ref().map_or(String::new(), |s| format!("<pre>{}</pre>", escape(s))),
            graph::draw(&leads, self.moves, None, "White leads, points", "Black leads, points")
        );
        let _ = write!(
            body,
            "<h2>The moves that lost most</h2><p>{} after which the estimate is {LEAST} points or more worse for their own side.</p>",
            if self.worst().is_empty() { "There are no moves" } else { "Moves" }
        );
        let line = record.tree.line(&[]);
        for step in self.worst() {
            let place = line.iter().position(|&id| id == step.node).unwrap_or(0);
            let input = position::of_line(record, &line[..=place], Until::End)?;
            let findings = Findings::analyse(engine, &input, AnalyseSystems::SecondInfluence);
            let _ = write!(body, "<h3>{}</h3>{}", heading(step), list(&step.sentences));
            body.push_str(&instead(engine, record, &line[..place], step)?);
            let map = Map::Second(input.position.to_move);
            for layer in [Layer::Dragons, Layer::Regions] {
                for mut sheet in sheets(&findings, layer, map) {
                    sheet.lines.clear();
                    body.push_str(&figure(&sheet));
                }
            }
        }
        body.push_str("<h2>Move by move</h2><table>");
        for step in self.steps.iter().filter(|s| !s.sentences.is_empty()) {
            let told: Vec<String> = step.sentences.iter().map(|s| escape(s)).collect();
            let _ = write!(body, "<tr><th>{}</th><td>{}</td></tr>", heading(step), told.join("<br>"));
        }
        body.push_str("</table>");
        Ok(page(&self.name, &body))
    }

    /// The record with the sentences as comments, groups that died marked.
    #[must_use]
    pub fn sgf(&self, record: &GameRecord, size: usize) -> String {
        let mut tree = record.tree.clone();
        for step in self.steps.iter().filter(|s| !s.sentences.is_empty()) {
            let node = &mut tree.nodes[step.node];
            let text = step.sentences.join("\n");
            match node.properties.iter_mut().find(|p| p.name == "C") {
                Some(comment) => comment.values = vec![format!("{}\n\n{text}", comment.values.join(""))],
                None => node.add("C", text),
            }
            for &v in &step.died {
                node.add("MA", vertex_to_sgf(v, size));
            }
        }
        sgf::write(&tree)
    }
}

/// The engine's best move where the move was played, with its reasons, if it is another move.
fn instead(
    engine: &mut GoEngine,
    record: &GameRecord,
    before: &[NodeId],
    step: &Step,
) -> Result<String, Diagnostic> {
    let input = position::of_line(record, before, Until::End)?;
    let findings = Findings::analyse(engine, &input, AnalyseSystems::MoveEvaluation);
    let (board, color) = (&findings.position.board, findings.position.to_move);
    let ranked = findings.ranked();
    let Some(best) = ranked.first().filter(|c| c.vertex != step.at && color == step.color) else {
        return Ok(String::new());
    };
    let mut told = vec![sentences::worth(best, color, board.size())];
    told.extend(best.reasons.iter().map(|r| sentences::reason(board, color, best.vertex, r)));
    Ok(format!("<p>Valued most there:</p>{}", list(&told)))
}

fn heading(step: &Step) -> String {
    let since = if step.is_alone { "" } else { ", and the moves before it" };
    format!(
        "Move {}, {}{since} ({})",
        step.number,
        sentences::player(step.color),
        sentences::lead(step.lead[1])
    )
}

fn list(sentences: &[String]) -> String {
    sentences.iter().map(|s| format!("<p>{}</p>", escape(s))).collect()
}

/// The summary over games: a row each, and the worst moves of all.
#[must_use]
pub fn summary(games: &[(GameReport, String)], faults: &[String]) -> String {
    let mut body = format!(
        "<p>{} games.</p><table><tr><th>game</th><th>moves</th><th>lead at the end</th>\
        <th>groups that died</th><th>the worst move</th></tr>",
        games.len()
    );
    for (game, file) in games {
        let died: usize = game.steps.iter().map(|s| s.died.len()).sum();
        let worst = game
            .worst()
            .first()
            .map_or(String::new(), |s| format!("move {}: {:.1} points", s.number, s.lost()));
        let end = game.steps.last().map_or(String::new(), |s| sentences::lead(s.lead[1]));
        let _ = write!(
            body,
            "<tr><td><a href=\"{}\">{}</a></td><td>{}</td><td>{end}</td><td>{died}</td><td>{worst}</td></tr>",
            escape(&link(file)),
            escape(&game.name),
            game.moves
        );
    }
    body.push_str("</table>");
    for fault in faults {
        let _ = write!(body, "<pre>{}</pre>", escape(fault));
    }
    page("Games", &body)
}
