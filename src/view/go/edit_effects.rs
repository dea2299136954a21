//! Shows the effect of a pattern edit on many positions: those of the game, of the folder's games, or of the opened
//! scenes. The source is the GNU Go 3.8 manual, chapter "Influence", section "Influence Tuning with view.pike". There a
//! tuned pattern is tried on other positions.

use super::look::Look;
use crate::number_text::counted;
use crate::record::findings::{Findings, Map};
use crate::scene::position::{self, GoInput};
use crate::view::html::{encode, link};
use crate::view::site::{Root, Site, listing};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tengen_go::board::Color;
use tengen_go::board::sgf::Until;
use tengen_render::escape;

/// Positions looked at, if there are as many.
const MOST: usize = 24;
/// The time limit of one answer.
const PATIENCE: Duration = Duration::from_secs(40);

/// A position, and the address of its page without patterns.
struct Place {
    name: String,
    address: String,
    input: GoInput,
}

/// Positions spread evenly over the opened input.
fn places(site: &Site, look: &Look) -> Vec<Place> {
    match &site.root {
        Root::Empty(_)
        | Root::Out(_)
        | Root::Chess(_)
        | Root::Rules(_)
        | Root::Watched(_)
        | Root::Trace(_) => vec![Place {
            name: "this position".into(),
            address: format!("game?{}", look.query(&[("patterns", "")])),
            input: look.input.clone(),
        }],
        Root::Record(_) => of_games(site, &[String::new()]),
        Root::Folder(folder) => of_games(site, &spread(listing(folder))),
        Root::Games(games) => of_games(site, &spread(games.names())),
        Root::Scenes(scenes) => {
            let cases = &scenes.cases;
            let step = cases.len().div_ceil(MOST).max(1);
            let place = |case: &crate::scene::Case| {
                let address = format!("game?file={}", encode(&case.id));
                position::go(case).ok().map(|input| Place { name: case.id.clone(), address, input })
            };
            cases.iter().step_by(step).filter_map(place).collect()
        }
    }
}

/// At most [`MOST`] of them, evenly chosen.
fn spread(names: Vec<String>) -> Vec<String> {
    let step = names.len().div_ceil(MOST).max(1);
    names.into_iter().step_by(step).collect()
}

/// At most [`MOST`] positions in all, the same number from each game, evenly from its first to its last move.
fn of_games(site: &Site, names: &[String]) -> Vec<Place> {
    let each = (MOST / names.len().max(1)).max(1);
    let mut places = Vec::new();
    for name in names {
        let Ok(Some(record)) = site.record(name) else { continue };
        let line = record.tree.line(&[]);
        for n in 1..=each {
            let at = (line.len() * n / (each + 1)).min(line.len().saturating_sub(1));
            let Ok(input) = position::of_line(&record, &line[..=at], Until::End) else { break };
            let shown = format!("{name} move {}", input.moves).trim().to_owned();
            let address = format!("game?file={}&node={}&layer=moves", encode(name), line[at]);
            places.push(Place { name: shown, address, input });
        }
    }
    places
}

/// A table of what differs between the patterns in force and the edited ones, which have this number.
pub(super) fn table(site: &Site, look: &Look, edited: usize) -> String {
    let places = places(site, look);
    let begun = Instant::now();
    let half = |part: u32| begun + PATIENCE / 2 * part;
    // One World after the other: every change of patterns begins a fresh one.
    let before: Vec<_> = places
        .iter()
        .map_while(|p| {
            (Instant::now() < half(1)).then(|| site.analysis_cache.findings(&p.input, look.patterns))
        })
        .collect();
    let after: Vec<_> = places[..before.len()]
        .iter()
        .map_while(|p| (Instant::now() < half(2)).then(|| site.analysis_cache.findings(&p.input, edited)))
        .collect();
    let mut out = format!(
        "<h3>What changes over {}{}</h3><table id=\"across\"><tr><th>position</th><th>vertices whose territory \
         changes</th><th>points in all</th><th>move values that change</th><th>best move before</th><th>now</th></tr>",
        counted("position", after.len()),
        if after.len() < places.len() {
            format!(" (of {}; the others would have taken too long)", places.len())
        } else {
            String::new()
        }
    );
    let mut touched = 0;
    for ((place, before), after) in places.iter().zip(&before).zip(&after) {
        let (vertices, points) = territory(before, after);
        let values = values(before, after);
        touched += usize::from(vertices + values > 0);
        let best = |f: &Findings| {
            f.ranked().first().map_or_else(
                || "none".to_owned(),
                |c| format!("{} {:.2}", c.vertex.to_gtp(f.size()), c.value),
            )
        };
        let class = if vertices + values > 0 { " class=\"on\"" } else { "" };
        let _ = write!(
            out,
            "<tr{class}><td>{}</td><td>{vertices}</td><td>{points:.2}</td><td>{values}</td><td>{}</td><td>{}</td></tr>",
            link(&format!("{}&patterns={edited}", place.address), &place.name, "place"),
            escape(&best(before)),
            escape(&best(after)),
        );
    }
    let _ = write!(
        out,
        "</table><p id=\"touched\">It changes {touched} of {}.</p>",
        counted("position", after.len())
    );
    out
}

/// Vertices whose territory changes, with either side moving first, and the sum of their changes in points.
fn territory(before: &Findings, after: &Findings) -> (usize, f32) {
    let (mut vertices, mut points) = (0, 0.0);
    for color in Color::BOTH {
        let (Some(a), Some(b)) = (before.map(Map::Second(color)), after.map(Map::Second(color))) else {
            continue;
        };
        for v in before.position.board.vertices() {
            let change = (a.territory[v.at()] - b.territory[v.at()]).abs();
            if change >= 0.005 {
                vertices += 1;
                points += change;
            }
        }
    }
    (vertices, points)
}

/// Moves whose value changes.
fn values(before: &Findings, after: &Findings) -> usize {
    let value = |f: &Findings, v| f.ranked().iter().find(|c| c.vertex == v).map_or(0.0, |c| c.value);
    before.position.board.vertices().filter(|&v| (value(before, v) - value(after, v)).abs() >= 0.005).count()
}
