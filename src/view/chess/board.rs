//! The page of a chess position: the board, the moves of the game, and the key stack. A reader tries a move by two
//! clicks.

use super::look::Look;
use crate::number_text::counted;
use crate::view::controls::{self, Slider, Targets};
use crate::view::html::{folded, link, page as whole, short, warnings};
use crate::view::opened_games::{OpenedGames, standing_board};
use crate::view::request::{Reply, Request};
use crate::view::site::Site;
use std::fmt::Write as _;
use tengen_chess::history::GameResult;
use tengen_chess::repetition::Scheme;
use tengen_chess::rules::notation;
use tengen_chess::search::{Limits, Options, search};
use tengen_render::chess::{draw, square};
use tengen_render::{Ink, escape};

/// Table of a search in MiB, as a batch has it.
pub(super) const HASH: usize = 4;

/// The page, or the way to the one after the move that was clicked or found.
pub(in crate::view) fn page(site: &Site, request: &Request) -> Reply {
    if let (Some(games), true) = (site.opened_games(), request.fields.is_empty())
        && games.records.len() > 1
    {
        return index(games);
    }
    let answered = Look::read(site, request).and_then(|mut look| {
        if request.get("best") == "1" {
            return best(&look);
        }
        let clicked = request.get("sq");
        if !clicked.is_empty() {
            if let Some(mv) = clicked_move(&look, clicked) {
                return Ok(played(&look, &mv));
            }
            look.from = clicked.to_owned();
        }
        Ok(Reply::html(whole(&look.title(), &body(&look)?)))
    });
    answered.unwrap_or_else(|fault| Reply::fault(&fault))
}

/// Redirects to the position after one more move.
fn played(look: &Look, mv: &str) -> Reply {
    let mut tries = look.tries.clone();
    tries.push(mv.to_owned());
    let to = format!("chess?{}", look.query(&[("try", &tries.join(","))]));
    Reply::see(&to)
}

/// The move that leads from the square clicked first to this one; a pawn becomes a queen.
fn clicked_move(look: &Look, to: &str) -> Option<String> {
    let moves = targets(look);
    moves.into_iter().find(|(_, square, _)| square == to).map(|(_, _, mv)| mv)
}

/// The moves from the square clicked first: start, target, and the move in UCI form; queens before other promotions.
fn targets(look: &Look) -> Vec<(String, String, String)> {
    let board = look.game.board();
    let mut all: Vec<String> = notation::legal_moves(board)
        .iter()
        .map(|&mv| notation::uci(board, mv, look.game.chess960()))
        .collect();
    all.sort_by_key(|mv| (mv.len() == 5 && !mv.ends_with('q'), mv.clone()));
    let parts = |mv: String| Some((mv.get(..2)?.to_owned(), mv.get(2..4)?.to_owned(), mv));
    all.into_iter().filter_map(parts).filter(|(from, ..)| *from == look.from).collect()
}

fn best(look: &Look) -> Result<Reply, String> {
    let options = Options { scheme: look.scheme, policy: look.policy, ..Options::default() };
    let limits = Limits { nodes: Some(look.nodes), ..Limits::default() };
    let report = search(&look.game, limits, options, HASH);
    report.best.map(|mv| played(look, &mv)).ok_or_else(|| "there is no legal move".into())
}

fn body(look: &Look) -> Result<String, String> {
    let fen = look.game.fen();
    let mut board = standing_board(&look.title(), &look.game).ok_or("the position can't be drawn")?;
    board.marked.extend(square(&look.from).map(|s| (s, Ink::Good)));
    board.marked.extend(targets(look).iter().filter_map(|(_, to, _)| square(to)).map(|s| (s, Ink::Good)));
    let follow = format!("chess?{}&sq=", look.query(&[("from", &look.from)]));
    Ok(format!(
        "<main class=\"game\"><section class=\"stage\" aria-label=\"Board\">{}<div class=\"wood\">{}</div>{}</section>\
         <section class=\"panel\" aria-label=\"Position\"><p class=\"soft\" id=\"meta\">{}</p>{}\
         <div id=\"growing\" class=\"growing\" data-href=\"chess-lines?{}\"><p class=\"lead\">Searching…</p></div>{}{}\
         <div id=\"facts\" data-follow=\"{}\"></div>{}{}{}{}</section></main>",
        players(look),
        draw(&board),
        navigation(look),
        escape(&meta(look)),
        warnings(&look.record.warnings),
        escape(&look.query(&[])),
        standing(look),
        moves(look),
        escape(&follow),
        tools(look),
        folded("Settings of the search", &settings(look, "chess")),
        key_stack(look),
        fields(look, &fen),
    ))
}

/// The strip above the board: both players, whose turn is marked.
fn players(look: &Look) -> String {
    let turn = notation::side_name(look.game.board().side_to_move());
    let one = |side: &str, class: &str| {
        let name = look.record.tag(side);
        let name = if name == "?" { side } else { name };
        let (on, words) =
            if turn == side { (" on", "<span class=\"sr\">, to move</span>") } else { ("", "") };
        let elo = look.record.tag(&format!("{side}Elo"));
        let elo = if elo == "?" { "" } else { elo };
        format!(
            "<div class=\"player{on}\"><i class=\"{class}\"></i><b title=\"{side}\">{}</b>{words}<small>{}</small></div>",
            escape(&short(name, 60)),
            escape(&short(elo, 8))
        )
    };
    format!("<div class=\"players\">{}{}</div>", one("White", "stone w"), one("Black", "stone"))
}

/// One line about the game.
fn meta(look: &Look) -> String {
    let told = ["Event", "Site", "Date", "Round", "Result"].map(|name| look.record.tag(name));
    let told: Vec<String> = told
        .iter()
        .filter(|text| !text.is_empty() && !text.starts_with('?'))
        .map(|text| short(text, 60))
        .collect();
    if told.is_empty() {
        "Two clicks move a piece; the last move is framed.".into()
    } else {
        told.join(" · ")
    }
}

/// The controls to move through the game, and back from moves tried.
fn navigation(look: &Look) -> String {
    let last = look.record.game.plies();
    let to = |at: usize| format!("chess?{}", look.query(&[("at", &at.to_string()), ("try", "")]));
    let tried = look.tries.len();
    let targets = Targets {
        first: (look.at > 0 || tried > 0).then(|| to(0)),
        back: if tried > 0 { Some(less(look)) } else { look.at.checked_sub(1).map(to) },
        forth: (look.at < last).then(|| to(look.at + 1)),
        last: (look.at < last).then(|| to(last)),
    };
    let nodes: Vec<usize> = (0..=last).collect();
    let base = format!("chess?{}&at=", look.query(&[("at", ""), ("try", "")]));
    let undo = (tried > 0).then(|| less(look));
    let slider = Slider { at: look.at, nodes: &nodes, base, is_tried: tried > 0, after: String::new() };
    controls::bar(targets, (undo, "take-back", controls::UNDO, "Undo")) + &controls::slider(&slider)
}

/// The address without the last move tried.
fn less(look: &Look) -> String {
    let less = look.tries[..look.tries.len().saturating_sub(1)].join(",");
    format!("chess?{}", look.query(&[("try", &less)]))
}

fn tools(look: &Look) -> String {
    let mut out = String::from("<nav id=\"tools\">");
    out += &link(&format!("chess?{}", look.query(&[("best", "1")])), "Play the best move", "best");
    if !look.tries.is_empty() {
        let less = look.tries[..look.tries.len() - 1].join(",");
        out += &link(&format!("chess?{}", look.query(&[("try", &less)])), "Take back", "undo");
    }
    out += &link(&format!("schemes?{}", look.query(&[])), "All schemes side by side", "schemes");
    out += &link(&format!("tree?{}", look.query(&[])), "Tree of an exact search", "tree");
    if look.is_one_of_many {
        out += &link("./", "The other games", "games");
    }
    out + "</nav>"
}

/// Scheme, policy, depth and nodes, as a form.
pub(super) fn settings(look: &Look, page: &str) -> String {
    let mut out = format!("<form id=\"settings\" action=\"{page}\">");
    for (name, value) in
        [("game", look.number.to_string()), ("at", look.at.to_string()), ("try", look.tries.join(","))]
    {
        let _ = write!(out, "<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escape(&value));
    }
    let select = |name: &str, all: &[&str], now: &str| {
        let options: String = all
            .iter()
            .map(|n| format!("<option{}>{n}</option>", if *n == now { " selected" } else { "" }))
            .collect();
        format!("<label>{name} <select name=\"{name}\">{options}</select></label> ")
    };
    let schemes: Vec<_> = Scheme::offered().iter().map(|s| s.name()).collect();
    out += &select("scheme", &schemes, look.scheme.name());
    let policies = tengen_chess::history::Policy::ALL.map(|p| p.name());
    out += &select("policy", &policies, look.policy.name());
    let _ = write!(
        out,
        "<label>exact depth <input name=\"depth\" size=\"2\" value=\"{}\"></label> <label>nodes <input name=\"nodes\" size=\"8\" \
         value=\"{}\"></label> <button>set</button></form>",
        look.depth, look.nodes
    );
    out
}

/// The status of the game by the rules.
fn standing(look: &Look) -> String {
    let game = &look.game;
    let fault = look.record.fault().map_or_else(String::new, |fault| {
        format!("<p class=\"fault\">The record can’t be followed to its end: {}</p>", escape(&fault))
    });
    let stands = match game.result_with_claims() {
        GameResult::Ongoing => "goes on",
        GameResult::Win(_) => "is over: mate",
        GameResult::Stalemate => "is over: stalemate",
        GameResult::Threefold => "may be claimed a draw: third occurrence",
        GameResult::Fivefold => "is over: fifth occurrence",
        GameResult::FiftyMoves => "may be claimed a draw: fifty moves",
        GameResult::SeventyFiveMoves => "is over: seventy-five moves",
        GameResult::InsufficientMaterial => "is over: neither side can mate",
    };
    format!("{fault}<p id=\"stands\">The game {stands}.</p>")
}

/// All fields of the position, folded.
fn fields(look: &Look, fen: &str) -> String {
    let table = format!(
        "<table id=\"standing\"><tr><th>FEN</th><td class=\"long\">{}</td></tr><tr><th>occurrences of this position</th><td>{}</td></tr>\
         <tr><th>plies since a capture or pawn move</th><td>{}</td></tr><tr><th>result in the record</th><td>{}</td></tr></table>",
        escape(fen),
        look.game.occurrences(),
        look.game.clock(),
        escape(&look.record.game.result),
    );
    folded("All fields", &table)
}

/// The moves of the game; each leads to the position after it.
fn moves(look: &Look) -> String {
    let mut out = String::from("<p id=\"moves\">");
    let here = look.at + look.tries.len();
    for (n, step) in look.steps().iter().enumerate().skip(1) {
        if n % 2 == 1 {
            let _ = write!(out, "{}. ", n.div_ceil(2));
        }
        let class = if n == here {
            "on"
        } else if n > look.at {
            "tried"
        } else {
            "played"
        };
        let _ = write!(out, "{} ", link(&look.after(n), &step.san, class));
    }
    out + "</p>"
}

/// The key stack: positions that can recur, the latest first, those that stood before marked.
fn key_stack(look: &Look) -> String {
    let line = look.game.line(look.policy);
    let steps = look.steps();
    let here = steps.len() - 1;
    let mut out = format!(
        "<details><summary>Key stack: {} back to the last move that can’t be undone</summary>\
         <table id=\"keys\"><tr><th>plies back</th><th>move</th><th>key</th><th>as</th></tr>",
        counted("position", usize::from(line.run()) + 1)
    );
    let keys: Vec<_> = (0..=line.run()).map_while(|back| line.key_back(back)).collect();
    for (back, key) in keys.iter().enumerate() {
        let same: Vec<String> = (0..keys.len())
            .filter(|&other| other != back && keys[other] == *key)
            .map(|other| if other == 0 { "here".to_owned() } else { format!("{other} back") })
            .collect();
        let Some(step) = here.checked_sub(back).and_then(|n| steps.get(n)) else { break };
        let san = if step.san.is_empty() { "start" } else { &step.san };
        let class = if same.is_empty() { "" } else { " class=\"on\"" };
        let _ = write!(
            out,
            "<tr{class}><td>{back}</td><td title=\"{}\">{}</td><td><code>{key:016x}</code></td><td>{}</td></tr>",
            escape(&step.fen),
            link(&look.after(here - back), san, "key"),
            same.join(", ")
        );
    }
    let drawn = match line.repetition() {
        Some(ply) => format!(
            "<p>Inside a search under policy {} this position would be a draw: it stood {} plies ago.</p>",
            look.policy.name(),
            -i32::from(ply)
        ),
        None => String::new(),
    };
    out + "</table>" + &drawn + "</details>"
}

/// The list of games, where there are several.
fn index(games: &OpenedGames) -> Reply {
    let mut body = format!("<p>{} games or positions</p><ul>", games.records.len());
    if games.left_out > 0 {
        let _ = write!(body, "<p>{} more are left out; open a smaller file for them.</p>", games.left_out);
    }
    for (n, record) in games.records.iter().enumerate() {
        let to = format!("chess?game={n}");
        let fault = if record.game.fault.is_some() { " (breaks off)" } else { "" };
        let _ = write!(body, "<li>{}</li>", link(&to, &format!("{}{fault}", record.title), "record"));
    }
    Reply::html(whole(&games.name, &(body + "</ul>")))
}
