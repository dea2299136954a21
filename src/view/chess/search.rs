//! The lines of a search by depth: every iteration of the playing search, and the draws by repetition that its score
//! rests on.

use super::board::HASH;
use super::look::{Look, score_text};
use crate::number_text::counted;
use crate::view::html::{folded, link};
use crate::view::request::{Reply, Request};
use crate::view::site::Site;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use tengen_chess::evaluation::Weights;
use tengen_chess::history::Game;
use tengen_chess::repetition::{INFINITE, Path};
use tengen_chess::rules::notation;
use tengen_chess::search::report::mate_in;
use tengen_chess::search::{Info, Limits, Observer, Options, ScoreBound, SearchReport, Table, search_with};
use tengen_render::chess::{Board, draw, square};
use tengen_render::{Ink, escape};

/// Keeps every iteration.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Info>>>);

impl Observer for Kept {
    fn iteration(&mut self, info: &Info) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(info.clone());
        true
    }
}

/// The lines, as a piece of a page.
pub(in crate::view) fn lines(site: &Site, request: &Request) -> Reply {
    let look = match Look::read(site, request) {
        Ok(look) => look,
        Err(fault) => return Reply::text(400, &fault),
    };
    let kept = Kept::default();
    let options = Options { scheme: look.scheme, policy: look.policy, ..Options::default() };
    let limits = Limits { nodes: Some(look.nodes), ..Limits::default() };
    let Some(table) = Table::with_mib(HASH) else {
        return Reply::text(500, "there is no memory for a search");
    };
    let report = search_with(
        &look.game,
        limits,
        options,
        Arc::new(table),
        Arc::new(Weights::default()),
        Box::new(kept.clone()),
    );
    let infos = kept.0.lock().unwrap_or_else(PoisonError::into_inner);
    Reply::html(shown(&look, &infos, &report))
}

fn shown(look: &Look, infos: &[Info], report: &SearchReport) -> String {
    let mut out = verdict(look, infos);
    out += "<h3>Lines by depth</h3><div class=\"wide\">";
    let has_shadow = infos.iter().any(|info| info.shadow.is_some());
    let head =
        if has_shadow { "<th title=\"the range of the score without repetitions\">shadow</th>" } else { "" };
    let _ = write!(
        out,
        "<table id=\"iterations\" data-done=\"1\"><tr><th>depth</th><th>score</th><th>line</th><th>rests on</th>{head}\
         <th>nodes</th></tr>"
    );
    // The deepest first: it is what counts.
    for info in infos.iter().rev() {
        let bound = match info.bound {
            ScoreBound::Exact => "",
            ScoreBound::Lower => "≥ ",
            ScoreBound::Upper => "≤ ",
        };
        let _ = write!(
            out,
            "<tr data-depth=\"{}\"><td>{}/{}</td><td title=\"{}\">{bound}{}</td><td>{}</td><td>{}</td>{}<td>{}</td></tr>",
            info.depth,
            info.depth,
            info.seldepth,
            info.score,
            score_text(info.score),
            played_out(look, &info.pv),
            rests_shortly(look, info.path),
            match info.shadow {
                _ if !has_shadow => String::new(),
                Some(shadow) => format!("<td>{}</td>", range(shadow)),
                None => "<td>–</td>".into(),
            },
            info.nodes,
        );
    }
    out += "</table></div>";
    let mut told = String::new();
    let _ = write!(
        told,
        "<table id=\"report\"><tr><th>best</th><td>{}</td></tr><tr><th>score</th><td>{}</td></tr><tr><th>nodes</th><td>{}</td></tr>\
         <tr><th>ended by</th><td>{}</td></tr><tr><th>closed nodes that depend on the path</th><td>{} of {}</td></tr>\
         <tr><th>stored bounds refused because of the path</th><td>{}</td></tr></table>",
        escape(report.best.as_deref().unwrap_or("no legal move")),
        report.score,
        report.nodes,
        report.ended_by,
        report.dependent,
        report.closed,
        report.refused,
    );
    if let Some(line) = report.lines.first() {
        told += &picture(look, line);
    }
    out + &folded("All fields of the search", &told)
}

/// The side that is better and by how much, the chance as a bar, the best move, and the grounds of the score.
fn verdict(look: &Look, infos: &[Info]) -> String {
    let Some(last) = infos.last() else { return "<p class=\"lead\">There is no move.</p>".into() };
    let is_white = notation::side_name(look.game.board().side_to_move()) == "White";
    let white = if is_white { last.score } else { -last.score };
    let side = if white >= 0 { "White" } else { "Black" };
    let sentence = match mate_in(white) {
        Some(moves) => format!("{side} mates in {}.", moves.abs()),
        None if white.abs() < 20 => "The position is even.".into(),
        None => format!("{side} is better by {:.1} pawns.", f64::from(white.abs()) / 100.0),
    };
    let share = 100.0 / (1.0 + 10f64.powf(-f64::from(white) / 400.0));
    let share = share.clamp(1.0, 99.0).round();
    format!(
        "<p class=\"lead\">{sentence}</p><svg class=\"chance\" viewBox=\"0 0 100 5\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"{sentence}\"><rect width=\"100\" height=\"5\" fill=\"#26262a\"/><rect width=\"{share}\" height=\"5\" \
         fill=\"#f6f3ea\"/></svg><p>Best: {}</p><p class=\"soft\">{} at depth {}. {}</p>{}",
        played_out(look, &last.pv[..last.pv.len().min(6)]),
        score_text(last.score),
        last.depth,
        grounds(look, last.path),
        same_position(look, last),
    )
}

/// The grounds of a score, as a sentence.
fn grounds(look: &Look, path: Path) -> String {
    match path {
        Path::Nothing => "No draw by repetition plays a part in it.".into(),
        Path::Line => "A repetition inside the line plays a part in it, none with the game.".into(),
        Path::Game { back } => {
            let plies = look.plies().saturating_sub(usize::from(back));
            let to = link(&look.after(plies), &format!("after {}", counted("ply", plies)), "rest");
            format!("It rests on a draw by repetition with the position {to}.")
        }
        Path::Steered | Path::Unknown => format!("It rests on {}.", rests(look, path)),
    }
}

/// A position as repetition sees it: the FEN without its clocks.
fn stands(fen: &str) -> &str {
    fen.match_indices(' ').nth(3).map_or(fen, |(at, _)| &fen[..at])
}

/// The two positions of a repetition, with an arrow between them: the first repetition in the line, or the one that
/// the score rests on.
fn same_position(look: &Look, info: &Info) -> String {
    let mut fens: Vec<String> = look.steps().into_iter().map(|step| step.fen).collect();
    let here = fens.len() - 1;
    let mut game: Game = look.game.clone();
    let mut again = None;
    for text in &info.pv {
        let Ok(mv) = notation::parse_uci(game.board(), text) else { break };
        game.play(mv);
        let fen = game.fen();
        let earlier = fens.iter().position(|known| stands(known) == stands(&fen));
        fens.push(fen);
        if let (Some(earlier), 2..) = (earlier, game.occurrences()) {
            again = Some((earlier, fens.len() - 1));
            break;
        }
    }
    let rests_on = match info.path {
        Path::Game { back } => here.checked_sub(usize::from(back)).map(|earlier| (earlier, here)),
        _ => None,
    };
    let (Some((from, to)), is_same) = (again.or(rests_on), again.is_some()) else { return String::new() };
    let place = |n: usize| {
        if n <= here {
            format!("after {}", counted("ply", n))
        } else {
            format!("{} on", counted("ply", n - here))
        }
    };
    let one = |n: usize| {
        let board = Board::of_fen(&place(n), &fens[n]).map_or_else(String::new, |board| draw(&board));
        let board = board.replace("class=\"v\"", "class=\"w\"");
        let words = if n <= here { link(&look.after(n), &place(n), "rest") } else { place(n) };
        format!("<figure>{board}<figcaption>{words}</figcaption></figure>")
    };
    let joined = if is_same { "the same position" } else { "the score here rests on it" };
    format!(
        "<div class=\"pair\" id=\"again\">{}<p><svg viewBox=\"0 0 40 16\" aria-hidden=\"true\"><path d=\"M2 8h30M25 2l8 6-8 6\" \
         fill=\"none\" stroke=\"currentColor\" stroke-width=\"3\"/></svg><small>{joined}</small></p>{}</div>",
        one(from),
        one(to)
    )
}

/// The grounds of a score, with a link to the position of the game it rests on.
pub(super) fn rests(look: &Look, path: Path) -> String {
    let text = escape(&path.to_string());
    match path {
        Path::Game { back } => {
            let plies = look.plies().saturating_sub(usize::from(back));
            format!(
                "{text}, {}",
                link(&look.after(plies), &format!("after {}", counted("ply", plies)), "rest")
            )
        }
        _ => text,
    }
}

/// The grounds of a score in a word or two, the whole in the hover text.
pub(super) fn rests_shortly(look: &Look, path: Path) -> String {
    let whole = path.to_string();
    match (path, whole.split_once(':')) {
        (Path::Game { back }, _) => {
            let plies = look.plies().saturating_sub(usize::from(back));
            let to = link(&look.after(plies), &format!("ply {plies}"), "rest");
            format!("<span title=\"{}\">the game, {to}</span>", escape(&whole))
        }
        (_, None) => rests(look, path),
        (_, Some((short, _))) => format!("<span title=\"{}\">{}</span>", escape(&whole), escape(short)),
    }
}

/// A range, an end beyond every score left open.
pub(super) fn range((lower, upper): (i32, i32)) -> String {
    let end = |score: i32| if score.abs() >= INFINITE { "open".to_owned() } else { score_text(score) };
    if lower == upper { end(lower) } else { format!("{} to {}", end(lower), end(upper)) }
}

/// A line in SAN, with each move as a link to the position after it. A return to an earlier position is marked.
fn played_out(look: &Look, pv: &[String]) -> String {
    let mut game: Game = look.game.clone();
    let mut tries = look.tries.clone();
    let mut out = String::new();
    for text in pv {
        let Ok(mv) = notation::parse_uci(game.board(), text) else { break };
        let san = notation::san(game.board(), mv);
        game.play(mv);
        tries.push(text.clone());
        let to = format!("chess?{}", look.query(&[("try", &tries.join(","))]));
        let again = match game.occurrences() {
            0 | 1 => String::new(),
            n => format!(" <em>(stands for the {n}th time)</em>").replace("2th", "2nd").replace("3th", "3rd"),
        };
        let _ = write!(out, "{}{again} ", link(&to, &san, "pv"));
    }
    out
}

/// The best line on the board: its first moves as arrows.
fn picture(look: &Look, line: &Info) -> String {
    let Some(mut board) = Board::of_fen("The best line", &look.game.fen()) else { return String::new() };
    for (n, text) in line.pv.iter().take(3).enumerate() {
        let ink = [Ink::Good, Ink::Danger, Ink::Black][n];
        if let (Some(from), Some(to)) = (text.get(..2).and_then(square), text.get(2..4).and_then(square)) {
            board.arrows.push((from, to, ink));
        }
    }
    format!(
        "<figure class=\"small\">{}<figcaption>The best line: {}</figcaption></figure>",
        draw(&board).replace("class=\"v\"", "class=\"w\""),
        line.pv
            .iter()
            .take(3)
            .enumerate()
            .map(|(n, mv)| format!("{}. {}", n + 1, escape(mv)))
            .collect::<Vec<_>>()
            .join(", ")
    )
}
