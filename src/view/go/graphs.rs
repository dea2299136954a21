//! The graphs of a game: the lead over the moves, and the points that each move lost. Big mistakes are marked on the
//! curve and listed. The graphs grow with each request, because the judge must first see every position.

use super::look::{Look, line_through};
use crate::report::board::Layer;
use crate::report::mistakes::{self, Judged, LEAST};
use crate::scene::GameRecord;
use crate::scene::position;
use crate::view::request::{Reply, Request};
use crate::view::site::{Mistake, Site};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tengen_go::board::sgf::{NodeId, Until, vertex_from_sgf};
use tengen_go::board::{Color, Vertex};
use tengen_render::escape;
use tengen_render::graph::{self, Flag, Loss};

/// The time limit of one answer.
const SLICE: Duration = Duration::from_millis(250);
/// The number of positions of the first curve; a long game is sampled evenly.
const COARSE: usize = 40;
/// A longer game keeps only the first curve.
const FINE: usize = 700;
/// Mistakes that are marked.
const MARKED: usize = 5;

/// A position of the line; `None` if it was not judged yet.
type Lead = Option<Judged>;

/// The leads along a line, as far as a slice of time allows.
struct Leads {
    leads: Vec<Lead>,
    is_done: bool,
}

fn leads(site: &Site, record: &GameRecord, line: &[NodeId], patterns: usize) -> Leads {
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
        let (moves, to_move) = (input.moves, input.position.to_move);
        let lead = site.analysis_cache.white_lead(&input, patterns);
        leads[i] = lead.map(|lead| Judged { moves, lead, mover, to_move });
    }
    Leads { leads, is_done }
}

/// The graphs, as far as they are known.
pub(in crate::view) fn lead_graph(site: &Site, request: &Request) -> Reply {
    let look = match Look::read(site, request) {
        Ok(look) => look,
        Err(fault) => return Reply::text(400, &fault),
    };
    let Some(record) = &look.record else { return Reply::text(400, "only game records have a graph") };
    let line = line_through(record, look.node);
    let found = leads(site, record, &line, look.patterns);
    let losses = losses(&found.leads);
    if found.is_done && line == record.tree.line(&[]) {
        site.note_mistake(&look.file, biggest(&line, &losses));
    }
    Reply::html(drawn(&look, &line, &found, &losses))
}

fn drawn(look: &Look, line: &[NodeId], found: &Leads, losses: &[Loss]) -> String {
    let at = line.iter().position(|&id| id == look.node).unwrap_or(0);
    let last = line.len() - 1;
    let values: Vec<_> =
        found.leads.iter().enumerate().filter_map(|(i, l)| l.map(|judged| (i, judged.lead))).collect();
    let worst = worst(losses);
    let to = |after: usize| {
        line.get(after)
            .map_or_else(String::new, |id| look.elsewhere(&[("node", &id.to_string()), ("try", "")]))
    };
    let flag = |loss: &&Loss| Flag {
        after: loss.after,
        value: found.leads[loss.after].map_or(0.0, |judged| judged.lead),
        title: told(loss),
        href: to(loss.after),
    };
    let flags: Vec<Flag> = worst.iter().map(flag).collect();
    let curve =
        graph::flagged(&values, last, Some(at), ["White leads, points", "Black leads, points"], &flags);
    let done = if found.is_done { " data-done=\"1\"" } else { "" };
    let mut out =
        format!("<h2>The lead over the game</h2><figure{done}>{curve}<figcaption>White’s lead in points");
    out += if found.is_done {
        ". Click to go to a move.</figcaption></figure>"
    } else {
        "; thinking…</figcaption></figure>"
    };
    if !worst.is_empty() {
        out += "<h3>Biggest mistakes</h3><ol class=\"best\" id=\"mistakes\">";
        for loss in &worst {
            let _ = write!(
                out,
                "<li><a href=\"{}\">{}</a> {}</li>",
                escape(&to(loss.after)),
                escape(&told(loss)),
                why(look, line, loss)
            );
        }
        out += "</ol>";
    }
    let bars = graph::losses(losses, last, Some(at), "Black’s moves lost", "White’s moves lost");
    let _ = write!(
        out,
        "<details class=\"more\"><summary>Points lost by each move</summary><figure id=\"losses\">{bars}<figcaption>Points by which \
         each move made the lead worse for its own side</figcaption></figure></details>"
    );
    out
}

/// The way to the causes of a loss: the place before it, the move asked about.
fn why(look: &Look, line: &[NodeId], loss: &Loss) -> String {
    let node = |at: usize| line.get(at).copied();
    let (Some(before), Some(record)) = (loss.after.checked_sub(1).and_then(node), &look.record) else {
        return String::new();
    };
    let own = node(loss.after).and_then(|id| record.tree.nodes.get(id));
    let text = own.and_then(|own| own.get(if loss.is_black { "B" } else { "W" }));
    let Some(v) = text.and_then(|text| vertex_from_sgf(text, look.size())).filter(|&v| v != Vertex::PASS)
    else {
        return String::new();
    };
    let before = if before == 0 { String::new() } else { before.to_string() };
    let changes = [("node", before.as_str()), ("try", ""), ("layer", Layer::Moves.name())];
    crate::view::html::link(&super::why::ask(look, v, &changes), "why?", "why")
}

fn told(loss: &Loss) -> String {
    let side = if loss.is_black { "Black" } else { "White" };
    format!("Move {}, {side}: {:.1} points lost", loss.after, loss.points)
}

/// The biggest losses, worst first.
fn worst(losses: &[Loss]) -> Vec<&Loss> {
    let mut worst: Vec<&Loss> = losses.iter().filter(|l| l.points >= LEAST).collect();
    worst.sort_by(|a, b| b.points.total_cmp(&a.points).then(a.after.cmp(&b.after)));
    worst.truncate(MARKED);
    worst
}

fn biggest(line: &[NodeId], losses: &[Loss]) -> Option<Mistake> {
    let loss = *worst(losses).first()?;
    let node = *line.get(loss.after)?;
    Some(Mistake { node, number: loss.after, is_black: loss.is_black, points: loss.points })
}

/// Looks on for the biggest mistake of a record for a slice of time; `true` when all its moves were looked at.
pub(in crate::view) fn biggest_mistake(site: &Site, file: &str) -> Result<bool, String> {
    let record = site.record(file)?.ok_or("there is no such record")?;
    let line = record.tree.line(&[]);
    let found = leads(site, &record, &line, 0);
    if found.is_done {
        site.note_mistake(file, biggest(&line, &losses(&found.leads)));
    }
    Ok(found.is_done)
}

/// The losses of the moves that have one.
fn losses(leads: &[Lead]) -> Vec<Loss> {
    let one = |(i, pair): (usize, &[Lead])| {
        let (before, after) = (pair[0]?, pair[1]?);
        let points = mistakes::loss(&before, &after)?;
        Some(Loss { after: i + 1, is_black: after.mover == Some(Color::Black), points })
    };
    leads.windows(2).enumerate().filter_map(one).collect()
}
