//! The page about several games: a row for each game, and the lost points by phase of the game and by kind of better
//! move.

use super::game::GameReport;
use super::mistakes::LEAST;
use super::page::{link, page};
use super::sentences;
use super::step::Step;
use crate::number_text::counted;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tengen_go::board::Color;
use tengen_render::escape;

/// The phases of a game, each with the share of the board's vertices whose number of moves ends it.
const PHASES: [(&str, f32); 3] = [("opening", 0.15), ("middle game", 0.45), ("endgame", f32::INFINITY)];

/// The page. Each game comes with the name of its file.
#[must_use]
pub fn page_of(games: &[(GameReport, String)], faults: &[String]) -> String {
    let mut body = format!("<p>{}.</p>", counted("game", games.len()));
    body += &table(games);
    body += &by_player(games);
    body += &by_phase(games);
    body += &by_kind(games);
    for fault in faults {
        let _ = write!(body, "<pre class=\"fault\">{}</pre>", escape(fault));
    }
    page("Games", &body)
}

fn table(games: &[(GameReport, String)]) -> String {
    let mut out = String::from(
        "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Games\"><table class=\"games\"><tr><th>game</th><th>result</th><th>date</th><th>moves</th><th>estimate at the end</th>\
         <th>groups lost</th><th>biggest mistake</th></tr>",
    );
    for (game, file) in games {
        let worst = game.worst().map_or(String::new(), |(number, loss)| {
            let is_moment = game.moments.iter().any(|moment| moment.number == number);
            let place = if is_moment { format!("#m{number}") } else { String::new() };
            format!("<a href=\"{}{place}\">move {number}: {loss:.1} points</a>", escape(&link(file)))
        });
        let end = game.steps.last().map_or(String::new(), |s| sentences::score_text(s.lead[1]));
        let title = game.title();
        let name = if title == game.name {
            String::new()
        } else {
            format!("<br><small>{}</small>", escape(&game.name))
        };
        let _ = write!(
            out,
            "<tr><td class=\"text\"><a href=\"{}\">{}</a>{name}</td><td>{}</td><td>{}</td><td>{}</td><td>{end}</td><td>{}</td><td>{worst}</td></tr>",
            escape(&link(file)),
            escape(&title),
            escape(&game.heading.result),
            escape(&game.heading.date),
            game.moves,
            game.lost.len(),
        );
    }
    out + "</table></div>"
}

/// The phase of a move.
fn phase(game: &GameReport, step: &Step) -> usize {
    let vertices = (game.size * game.size) as f32;
    PHASES.iter().position(|(_, end)| (step.number as f32) <= end * vertices).unwrap_or(PHASES.len() - 1)
}

/// The losses of one player over the games.
#[derive(Clone, Debug, Default)]
struct Player<'a> {
    games: usize,
    /// Moves and points lost, by phase.
    phases: [(usize, f32); PHASES.len()],
    /// Moments and points, by the effect of the better move.
    kinds: BTreeMap<&'a str, (usize, f32)>,
}

/// The players by name. A side without a name is left out.
fn players(games: &[(GameReport, String)]) -> BTreeMap<&str, Player<'_>> {
    let mut all: BTreeMap<&str, Player<'_>> = BTreeMap::new();
    for (game, _) in games {
        for color in Color::BOTH {
            let name = if color == Color::Black { &game.heading.black } else { &game.heading.white };
            if name.is_empty() {
                continue;
            }
            let player = all.entry(name.as_str()).or_default();
            // Who plays himself has played one game.
            player.games += usize::from(color == Color::Black || game.heading.black != game.heading.white);
            for (step, loss) in game.judged_moves().filter(|(step, _)| step.color == color) {
                let sum = &mut player.phases[phase(game, step)];
                sum.0 += 1;
                sum.1 += loss;
            }
            for moment in game.moments.iter().filter(|m| m.color() == color && !m.kind.is_empty()) {
                let sum = player.kinds.entry(moment.kind).or_default();
                sum.0 += 1;
                sum.1 += moment.loss;
            }
        }
    }
    all
}

/// A row for each player: points lost a move, in all and by phase, and the most frequent missed chance.
fn by_player(games: &[(GameReport, String)]) -> String {
    let players = players(games);
    if players.is_empty() {
        return String::new();
    }
    let heads: String = PHASES.iter().map(|(name, _)| format!("<th>{name}</th>")).collect();
    let mut out = format!(
        "<h2>Players</h2><p class=\"soft\">Points lost a move by the fall of the estimate, in all and by phase; and what the better \
         move would have done at the key moments.</p><div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Players\"><table class=\"games\"><tr><th>player</th><th>games</th>\
         <th>moves</th><th>points lost a move</th>{heads}<th>missed most</th></tr>"
    );
    let mut players: Vec<_> = players.into_iter().collect();
    players.sort_by_key(|(_, player)| std::cmp::Reverse(player.games));
    for (name, player) in players {
        let all = player.phases.iter().fold((0, 0.0), |sum, phase| (sum.0 + phase.0, sum.1 + phase.1));
        let by_phase: String =
            player.phases.iter().map(|&phase| format!("<td>{}</td>", per_move(phase))).collect();
        let mut kinds: Vec<_> = player.kinds.into_iter().collect();
        kinds.sort_by(|a, b| b.1.1.total_cmp(&a.1.1).then(a.0.cmp(b.0)));
        let kinds: Vec<String> = kinds
            .iter()
            .take(2)
            .map(|(kind, (moments, points))| {
                format!("{kind} ({}, {points:.1} points)", counted("time", *moments))
            })
            .collect();
        let moves = if all.0 == 0 { "–".to_owned() } else { all.0.to_string() };
        let _ = write!(
            out,
            "<tr><td class=\"text\">{}</td><td>{}</td><td>{moves}</td><td>{}</td>{by_phase}<td class=\"text\">{}</td></tr>",
            escape(name),
            player.games,
            per_move(all),
            kinds.join("; "),
        );
    }
    out + "</table></div>"
}

/// Points per move; a dash without moves.
fn per_move((moves, points): (usize, f32)) -> String {
    if moves == 0 { "–".into() } else { format!("{:.1}", points / moves as f32) }
}

/// The points lost by moves that lost two points or more, by phase and side.
fn by_phase(games: &[(GameReport, String)]) -> String {
    if !games.iter().any(|(game, _)| game.judges_each_move()) {
        return String::new();
    }
    let mut sums = [[(0_usize, 0.0_f32); 2]; PHASES.len()];
    for (game, _) in games {
        for (step, loss) in game.judged_moves().filter(|(_, loss)| *loss >= LEAST) {
            let cell = &mut sums[phase(game, step)][usize::from(step.color == Color::White)];
            cell.0 += 1;
            cell.1 += loss;
        }
    }
    let mut out = format!(
        "<h2>Where points were lost</h2><p class=\"soft\">Moves that lost {LEAST} points or more by the estimate.</p>\
         <table><tr><th>phase</th><th>Black</th><th>White</th></tr>"
    );
    for ((name, _), sides) in PHASES.iter().zip(&sums) {
        let told =
            |&(moves, points): &(usize, f32)| format!("{}, {points:.1} points", counted("move", moves));
        let _ =
            write!(out, "<tr><td>{name}</td><td>{}</td><td>{}</td></tr>", told(&sides[0]), told(&sides[1]));
    }
    out + "</table>"
}

/// The missed chances at the key moments: the effects of the better moves.
fn by_kind(games: &[(GameReport, String)]) -> String {
    let mut kinds: BTreeMap<&str, (usize, f32)> = BTreeMap::new();
    for moment in games.iter().flat_map(|(game, _)| &game.moments).filter(|m| !m.kind.is_empty()) {
        let sum = kinds.entry(moment.kind).or_default();
        sum.0 += 1;
        sum.1 += moment.loss;
    }
    if kinds.is_empty() {
        return String::new();
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
    let mut out = String::from(
        "<h2>What was missed</h2><p class=\"soft\">What the better move would have done, at the key moments of all games.</p>\
         <table><tr><th>the better move was about</th><th>moments</th><th>points lost</th></tr>",
    );
    for (kind, (moments, points)) in kinds {
        let _ = write!(out, "<tr><td>{kind}</td><td>{moments}</td><td>{points:.1}</td></tr>");
    }
    out + "</table>"
}
