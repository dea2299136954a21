//! The report of a game of Go: the lead from move to move, the key moments, and the lost groups with the deciding
//! moves. The report is written as a page, and as comments in the game record.

use super::board::stones;
use super::fates::{Fates, Lost};
use super::heading::Heading;
use super::mistakes::{self, Judged, LEAST};
use super::moments::{self, Moment};
use super::page::page;
use super::sentences;
use super::step::{ReportProgress, Step};
use crate::number_text::{counted, fixed};
use crate::record::findings::Findings;
use crate::scene::GameRecord;
use crate::scene::position;
use std::fmt::Write as _;
use tengen_core::Diagnostic;
use tengen_go::board::sgf::{self, NodeId, Until, vertex_to_sgf};
use tengen_go::board::{Color, Vertex};
use tengen_go::dragons::Status;
use tengen_go::{AnalyseSystems, GoEngine};
use tengen_render::graph::{self, Flag};
use tengen_render::{Cell, Ink, Mark, Sheet, escape, svg};

/// A game looked at.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The file's name.
    pub name: String,
    /// The record's data of the game.
    pub heading: Heading,
    /// Lines of the board.
    pub size: usize,
    /// Moves in the record.
    pub moves: usize,
    /// The steps looked at.
    pub steps: Vec<Step>,
    /// The groups of three stones and more that were lost.
    pub lost: Vec<Lost>,
    /// The moves that lost most.
    pub moments: Vec<Moment>,
    /// The board at the end, its dead stones crossed.
    pub end: Option<Sheet>,
    /// Why the record's line could not be followed to its end, if so.
    pub stopped: Option<String>,
}

/// The number of positions that [`look`] looks at, without those of the key moments.
///
/// # Errors
/// The fault of the record, with its place.
pub fn positions(record: &GameRecord, every: usize) -> Result<usize, Diagnostic> {
    let line = record.tree.line(&[]);
    let end = position::of_line(record, &line, Until::End)?;
    Ok(places(record, &line, end.moves, every).len())
}

/// The places on the line of every `every`-th move and the last one, of those that can be played.
fn places(record: &GameRecord, line: &[NodeId], playable: usize, every: usize) -> Vec<usize> {
    let all: Vec<usize> = (1..line.len()).filter(|&i| is_move(record, line[i])).collect();
    let wanted = |number: &usize| number.is_multiple_of(every) || *number == all.len();
    (1..=all.len().min(playable)).filter(wanted).map(|number| all[number - 1]).collect()
}

/// Analyses every `every`-th position of a game's main line. It calls `on_progress` for each position.
///
/// # Errors
/// The fault of the record, with its place.
pub fn look(
    engine: &mut GoEngine,
    record: &GameRecord,
    name: &str,
    every: usize,
    on_progress: &mut dyn FnMut(ReportProgress),
) -> Result<GameReport, Diagnostic> {
    let line = record.tree.line(&[]);
    let end = position::of_line(record, &line, Until::End)?;
    let (mut steps, mut fates) = (Vec::new(), Fates::default());
    let mut before: Option<Findings> = None;
    for place in places(record, &line, end.moves, every) {
        let input = position::of_line(record, &line[..=place], Until::End)?;
        let findings = Findings::analyse_judged(engine, &input, AnalyseSystems::SecondInfluence)?;
        fates.follow(&findings);
        if let Some(before) = &before {
            steps.extend(step(before, &findings, line[place]));
        }
        before = Some(findings);
        on_progress(ReportProgress::Done);
    }
    let last = before.as_ref().map(picture_of_end);
    let lost = fates.lost();
    tell_deaths(&mut steps, &lost);
    let moments = moments::of(engine, record, &steps, &lost, on_progress)?;
    Ok(GameReport {
        name: name.into(),
        heading: Heading::of(record),
        size: end.position.board.size(),
        moves: end.moves,
        steps,
        lost,
        moments,
        end: last,
        stopped: end.stopped.map(|fault| Diagnostic { help: None, ..fault }.to_string()),
    })
}

/// The last position, its dead stones crossed.
fn picture_of_end(findings: &Findings) -> Sheet {
    let board = &findings.position.board;
    let mut sheet = stones(board, &format!("After move {}", findings.moves_played));
    for v in board.vertices().filter(|&v| board.color_at(v).is_some()) {
        let dragon = findings.dragons.as_ref().and_then(|map| map.at(v));
        if dragon.is_some_and(|dragon| dragon.status == Status::Dead) {
            let cell = Cell { mark: Some(Mark::Cross), ink: Ink::Danger, ..Cell::default() };
            sheet.cells[v.index(board.size())] = cell;
        }
    }
    sheet
}

fn is_move(record: &GameRecord, node: NodeId) -> bool {
    let node = &record.tree.nodes[node];
    node.get("B").is_some() || node.get("W").is_some()
}

fn step(before: &Findings, after: &Findings, node: NodeId) -> Option<Step> {
    let (color, at) = after.position.board.last_move()?;
    let (was, is) = (Judged::of(before)?, Judged::of(after)?);
    let (a, b) = (was.lead, is.lead);
    let is_alone = after.moves_played == before.moves_played + 1;
    let number = after.moves_played;
    let (sentences, deaths) = (Vec::new(), Vec::new());
    let loss = mistakes::loss(&was, &is);
    let mut step = Step { node, number, color, at, lead: [a, b], is_alone, loss, sentences, deaths };
    let size = after.size();
    let taken = after.position.board.captured(color).saturating_sub(before.position.board.captured(color));
    if is_alone {
        step.sentences.extend(sentences::captures(color, at, size, taken as usize));
        if let Some(loss) = loss.filter(|&loss| loss >= LEAST) {
            step.sentences.push(sentences::loss(color, at, size, loss, [a, b]));
        }
    }
    if let (Some(old), Some(new)) = (&before.dragons, &after.dragons) {
        for dragon in new.dragons.iter().filter(|d| d.status == Status::Dead) {
            let old = old.at(dragon.origin).filter(|d| d.color == dragon.color);
            if let Some(old) = old.filter(|d| d.status != Status::Dead) {
                let claims = after.claims(dragon.origin);
                step.deaths.push((dragon.origin, sentences::death(dragon, size, old.status, claims)));
            }
        }
    }
    Some(step)
}

/// Reports the deaths that last.
fn tell_deaths(steps: &mut [Step], lost: &[Lost]) {
    for step in steps {
        let lasts = |v: &Vertex| lost.iter().any(|l| l.number == step.number && l.stones.contains(v));
        let told = step.deaths.iter().filter(|(v, _)| lasts(v)).map(|(_, text)| text.clone());
        step.sentences.extend(told);
    }
}

fn end_figure(sheet: &Sheet) -> String {
    let has_dead = sheet.cells.iter().any(|cell| cell.mark.is_some());
    let dead = if has_dead { "; crosses mark dead stones" } else { "" };
    format!(
        "<figure class=\"end\">{}<figcaption>The board at the end{dead}</figcaption></figure>",
        svg::light(sheet, "end")
    )
}

impl GameReport {
    /// Whether every step is one move, so that its loss is that move's alone.
    #[must_use]
    pub fn judges_each_move(&self) -> bool {
        !self.steps.is_empty() && self.steps.iter().all(|step| step.is_alone)
    }

    /// The moves whose losses are counted, with them: none unless each move was judged.
    pub fn judged_moves(&self) -> impl Iterator<Item = (&Step, f32)> {
        let counts = self.judges_each_move();
        self.steps.iter().filter_map(move |step| Some((step, step.loss.filter(|_| counts)?)))
    }

    /// The number of the move that lost most, and its loss. Where not each move was judged, of the key moments.
    #[must_use]
    pub fn worst(&self) -> Option<(usize, f32)> {
        let counted = self.judged_moves().map(|(step, loss)| (step.number, loss));
        let moments = self.moments.iter().map(|moment| (moment.number, moment.loss));
        let mistakes = counted.chain(moments).filter(|(_, loss)| *loss >= LEAST);
        mistakes.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
    }

    /// The title: the players, or the file's name.
    #[must_use]
    pub fn title(&self) -> String {
        let players = self.heading.players();
        if players.is_empty() { self.name.clone() } else { players }
    }

    /// The game's page, complete in one file.
    #[must_use]
    pub fn page(&self) -> String {
        let mut facts = self.heading.facts();
        facts.push(counted("move", self.moves));
        let mut body = format!("<p class=\"soft\">{}</p>", escape(&facts.join(" · ")));
        if let Some(stopped) = &self.stopped {
            let _ = write!(body, "<pre class=\"fault\">{}</pre>", escape(stopped));
        }
        let _ = write!(
            body,
            "{}<div class=\"opening\">{}<div><p class=\"verdict\">{}</p>{}{}</div></div>",
            svg::shared(self.size),
            self.end.as_ref().map_or_else(String::new, end_figure),
            escape(&self.verdict()),
            self.graph(),
            self.sides(),
        );
        body += &self.groups();
        body += "<h2>Key moments</h2>";
        if self.moments.is_empty() {
            let _ = write!(body, "<p>No move lost {LEAST} points or more where a better one is known.</p>");
        } else {
            let _ = write!(
                body,
                "<p class=\"soft\">The moves that lost most points, of those with a better one that is known. {}</p>",
                moments::LEGEND
            );
        }
        body.extend(self.moments.iter().map(Moment::html));
        body += &self.move_by_move();
        page(&self.title(), &body)
    }

    fn graph(&self) -> String {
        let leads: Vec<(usize, f32)> = self.steps.iter().map(|s| (s.number, s.lead[1])).collect();
        let value = |number: usize| leads.iter().find(|l| l.0 == number).map_or(0.0, |l| l.1);
        let flag = |moment: &Moment| Flag {
            after: moment.number,
            value: value(moment.number),
            title: format!("move {}: {:.1} points lost", moment.number, moment.loss),
            href: format!("#m{}", moment.number),
        };
        let flags: Vec<Flag> = self.moments.iter().map(flag).collect();
        let words = ["White leads, points", "Black leads, points"];
        format!(
            "<figure class=\"lead\">{}<figcaption>The estimated lead by move; triangles mark the key moments.</figcaption></figure>",
            graph::flagged(&leads, self.moves, None, words, &flags)
        )
    }

    /// Who leads in the end, and the largest group that was lost.
    fn verdict(&self) -> String {
        let end = self.steps.last().map_or(String::new(), |step| {
            let lead = step.lead[1];
            let who = if lead > 0.0 { Color::White } else { Color::Black };
            format!(
                "At the end of the record {} is about {:.0} points ahead.",
                sentences::player(who),
                lead.abs()
            )
        });
        let largest = self.lost.iter().max_by_key(|lost| (lost.stones.len(), usize::MAX - lost.number));
        let lost = largest.map_or(String::new(), |lost| {
            let count = lost.stones.len();
            let who = sentences::player(lost.color);
            format!(" The largest group lost was {who}'s of {count} stones, by move {}.", lost.number)
        });
        end + &lost
    }

    /// For each side the number of its moves by the size of their loss.
    fn sides(&self) -> String {
        if !self.judges_each_move() {
            return "<h2>Mistakes</h2><p class=\"soft\">Not counted. A count needs every position after the first move: \
                    a game of two moves or more, and no <code>--every</code>.</p>"
                .into();
        }
        let mut out = String::from(
            "<h2>Mistakes</h2><table><tr><th></th><th>moves</th><th>≥ 2</th><th>≥ 5</th><th>≥ 10</th>\
             <th>mean</th></tr>",
        );
        for color in Color::BOTH {
            let lost: Vec<f32> =
                self.judged_moves().filter(|(step, _)| step.color == color).map(|(_, loss)| loss).collect();
            let from = |least: f32| lost.iter().filter(|&&x| x >= least).count();
            let mean = if lost.is_empty() {
                "–".to_owned()
            } else {
                fixed(lost.iter().sum::<f32>() / lost.len() as f32, 1)
            };
            let _ = write!(
                out,
                "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{mean}</td></tr>",
                sentences::player(color),
                lost.len(),
                from(LEAST),
                from(5.0),
                from(10.0)
            );
        }
        out + "</table><p class=\"soft\">Moves that lost so many points, and the mean loss of a move, by the fall of the lead from move to move.</p>"
    }

    /// The groups that were lost.
    fn groups(&self) -> String {
        if self.lost.is_empty() {
            return "<h2>Groups lost</h2><p>No group of three stones or more was lost for good.</p>".into();
        }
        let mut out =
            String::from("<details class=\"part groups\" open><summary><h2>Groups lost</h2></summary><ul>");
        for lost in &self.lost {
            let by = self.steps.iter().find(|s| s.number == lost.number);
            let by = by.map_or_else(String::new, |s| {
                format!(", {} {}", sentences::player(s.color), sentences::spot(s.at, self.size))
            });
            let _ = write!(out, "<li>{}</li>", escape(&sentences::group_lost(lost, &by, self.size)));
        }
        out + "</ul></details>"
    }

    fn move_by_move(&self) -> String {
        let mut out =
            String::from("<details class=\"screen\"><summary><h2>Move by move</h2></summary><table>");
        for step in self.steps.iter().filter(|s| !s.sentences.is_empty()) {
            let told: Vec<String> = step.sentences.iter().map(|s| escape(s)).collect();
            let _ = write!(out, "<tr><th>{}</th><td>{}</td></tr>", self.heading_of(step), told.join("<br>"));
        }
        out + "</table></details>"
    }

    fn heading_of(&self, step: &Step) -> String {
        let since = if step.is_alone { "" } else { ", and the moves before it" };
        format!(
            "Move {}, {} {}{since} ({})",
            step.number,
            sentences::player(step.color),
            sentences::spot(step.at, self.size),
            sentences::score_text(step.lead[1])
        )
    }

    /// The record with the sentences as comments, groups that were lost marked.
    #[must_use]
    pub fn sgf(&self, record: &GameRecord) -> String {
        let mut tree = record.tree.clone();
        for step in &self.steps {
            let node = &mut tree.nodes[step.node];
            let text = step.sentences.join("\n");
            if !text.is_empty() {
                match node.properties.iter_mut().find(|p| p.name == "C") {
                    Some(comment) => comment.values = vec![format!("{}\n\n{text}", comment.values.join(""))],
                    None => node.add("C", text),
                }
            }
            let lost = self.lost.iter().filter(|l| l.number == step.number && !l.is_taken);
            for v in lost.flat_map(|l| &l.stones) {
                node.add("MA", vertex_to_sgf(*v, self.size));
            }
        }
        sgf::write(&tree)
    }
}

#[cfg(test)]
#[path = "game_tests.rs"]
mod tests;
