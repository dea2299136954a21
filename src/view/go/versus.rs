//! A game against Tengen: the form that begins the game, the answer to a move, and the count when both players have
//! passed.
//!
//! The engine chooses a move as under GTP: a search of the chosen level weighs the candidates of the analysis.

use super::look::{Fresh, KOMI, LEVEL, Look, joined};
use crate::report::board::Layer;
use crate::report::sentences::{self, player};
use crate::view::html::{encode, link, page as whole};
use crate::view::request::{Reply, Request};
use crate::view::site::Site;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tengen_go::board::{Color, Vertex};
use tengen_go::moves::{self, Choice};
use tengen_go::score::{self, Scoring};
use tengen_render::escape;

/// The time limit of an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// The form that begins a game, or the way to its board.
pub(in crate::view) fn new_page(site: &Site, request: &Request) -> Reply {
    if request.get("size").is_empty() {
        return Reply::html(whole("Play against Tengen", &form()));
    }
    begun(site, request).unwrap_or_else(|fault| Reply::fault(&fault))
}

fn begun(site: &Site, request: &Request) -> Result<Reply, String> {
    let number = |name: &str, none: usize| match request.get(name) {
        "" => Ok(none),
        text => text.parse::<usize>().map_err(|_| format!("`{text}` is no number for {name}")),
    };
    let handicap = number("handicap", 0)?;
    let komi = match request.get("komi") {
        "" if handicap >= 2 => 0.5,
        "" => KOMI,
        text => text.parse().map_err(|_| format!("`{text}` is no number of points"))?,
    };
    let fresh = Fresh { size: number("size", 9)?, handicap, komi };
    let color = if request.get("vs") == "w" { "w" } else { "b" };
    let query = format!(
        "file={}&vs={color}&level={}",
        encode(&fresh.name()),
        number("level", LEVEL as usize)?.min(10)
    );
    // The board must be one there is, and the engine begins where the person has the other colour.
    let look = Look::read(site, &Request::new("game", &query, None))?;
    if Some(look.input.position.to_move) == look.versus {
        return Ok(Reply::see(&look.address(&[])));
    }
    reply(site, &look)
}

fn form() -> String {
    let options = |all: &[(&str, &str)]| -> String {
        all.iter().map(|(value, text)| format!("<option value=\"{value}\">{text}</option>")).collect()
    };
    format!(
        "<div class=\"card\"><h1>Play against Tengen</h1><p>Each click on the board is a move; Tengen answers at once.</p>\
         <form action=\"new\" class=\"pick\"><label>Board <select name=\"size\">{}</select></label>\
         <label>You play <select name=\"vs\">{}</select></label><label>Handicap <select name=\"handicap\">{}</select></label>\
         <label>Level <select name=\"level\">{}</select></label>\
         <label>Komi <input name=\"komi\" size=\"5\" inputmode=\"decimal\" placeholder=\"usual\"></label>\
         <button class=\"main\" id=\"begin\">Begin</button></form></div>\
         <div class=\"card\"><h2>Open a game record</h2><p>Drop an <code>.sgf</code> file anywhere on a page, or choose one:</p>\
         <p><label class=\"file\">Choose a file<input type=\"file\" id=\"file\" accept=\".sgf\"></label></p>\
         <details class=\"more\"><summary>Paste a record</summary><form method=\"post\" action=\"drop\">\
         <label>The text of an SGF record<textarea name=\"bytes\"></textarea></label><button>Open it</button></form></details></div>",
        options(&[("9", "9 × 9"), ("13", "13 × 13"), ("19", "19 × 19"), ("7", "7 × 7")]),
        options(&[("b", "Black"), ("w", "White")]),
        options(&[
            ("0", "none"),
            ("2", "2 stones"),
            ("3", "3 stones"),
            ("4", "4 stones"),
            ("5", "5 stones"),
            ("9", "9 stones")
        ]),
        options(&[("1", "1, quick"), ("5", "5"), ("10", "10, slow")]).replace("\"5\"", "\"5\" selected"),
    )
}

/// The person's move, and the way to the board after the engine's answer.
pub(in crate::view) fn answer(site: &Site, request: &Request) -> Reply {
    let answered = Look::read(site, request).and_then(|mut look| {
        let size = look.size();
        let text = request.get("at");
        if text.is_empty() {
            return reply(site, &look);
        }
        let v = Vertex::from_gtp(text, size).ok_or_else(|| format!("the board has no vertex `{text}`"))?;
        let color = look.input.position.to_move;
        if look.input.position.board.play(color, v).is_err() {
            // The game goes on where it stood.
            return Ok(Reply::see(&(look.address(&[]) + "&refused=" + &v.to_gtp(size))));
        }
        look.tries.push((color, v));
        look.input.moves += 1;
        look.input.position.to_move = color.other();
        if look.is_over() {
            return Ok(Reply::see(&look.elsewhere(&[("try", &joined(&look.tries, size)), ("layer", "")])));
        }
        reply(site, &look)
    });
    answered.unwrap_or_else(|fault| Reply::fault(&fault))
}

/// The way to the board after the engine's move.
fn reply(site: &Site, look: &Look) -> Result<Reply, String> {
    let size = look.size();
    let color = look.input.position.to_move;
    let mut tries = look.tries.clone();
    let choice = choice(site, look);
    tries.push((color, choice.vertex()));
    let resigned = if choice == Choice::Resign { "&resigned=1" } else { "" };
    let layer = [("try", joined(&tries, size)), ("layer", String::new())];
    let changes: Vec<(&str, &str)> = layer.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Ok(Reply::see(&(look.elsewhere(&changes) + resigned)))
}

/// The engine's move.
fn choice(site: &Site, look: &Look) -> Choice {
    let findings = look.findings(site);
    let judge = site.analysis_cache.judge();
    let position = &look.input.position;
    let request = moves::Request {
        komi: position.komi,
        playouts: moves::spent_by_level(look.level, look.size(), &judge),
        judge: Some(judge),
        may_resign: false,
        threads: 1,
        ..moves::Request::default()
    };
    let candidates = findings.moves.as_ref().map_or(&[][..], |list| &list.candidates);
    let until = Instant::now() + PATIENCE;
    moves::decide(&position.board, position.to_move, candidates, &request, &mut || Instant::now() >= until)
        .choice
}

/// The panel of a game against the engine: whose turn, its last move, undo, hint, the count at the end.
pub(super) fn panel(look: &Look, site: &Site) -> String {
    let Some(person) = look.versus else { return String::new() };
    let mut out = String::from("<div class=\"card\" id=\"match\">");
    if look.is_over() {
        out += &count(look, site);
    } else if look.input.position.to_move == person {
        let said = match look.input.position.board.last_move() {
            Some((_, Vertex::PASS)) => "Tengen passes. Pass too, and the game is counted.".to_owned(),
            Some((_, v)) => format!("Tengen played {}. Your move.", v.to_gtp(look.size())),
            None => "Your move: click on the board.".to_owned(),
        };
        let _ = write!(out, "<p class=\"lead\">{}</p>", escape(&said));
    } else {
        let to = format!("answer?{}", look.query(&[]));
        let _ = write!(
            out,
            "<p class=\"lead\">Tengen to move.</p><nav>{}</nav>",
            link(&to, "Let Tengen play", "main")
        );
    }
    if let Some(v) = look.refused {
        let (color, name) = (player(look.input.position.to_move), v.to_gtp(look.size()));
        let _ = write!(
            out,
            "<p class=\"fault\">{color} may not play at {name}: it is occupied, or suicide, or ko.</p>"
        );
    }
    out += "<nav id=\"game-tools\">";
    let less = look.tries.len().saturating_sub(2);
    if look.tries.len() >= 2 {
        let to = look.elsewhere(&[("try", &joined(&look.tries[..less], look.size()))]);
        out += &link(&to, "Undo", "undo");
    }
    if !look.is_over() {
        let (layer, word) =
            if look.layer == Layer::Moves { ("", "Hide the hint") } else { (Layer::Moves.name(), "Hint") };
        out += &link(&look.address(&[("layer", layer)]), word, "hint-move");
    }
    out += &link("new", "New game", "new");
    out + "</nav></div>"
}

/// The result when both have passed: dead stones off, territory and prisoners.
fn count(look: &Look, site: &Site) -> String {
    let position = &look.input.position;
    let status = site.analysis_cache.final_status(&look.input, look.patterns);
    let white = status.white_lead(Scoring::Territory, position.komi);
    let winner = match white {
        w if w > 0.0 => format!("White wins by {:.1} points.", w),
        w if w < 0.0 => format!("Black wins by {:.1} points.", -w),
        _ => "A draw.".into(),
    };
    let size = look.size();
    let dead: Vec<String> = position
        .board
        .strings()
        .filter(|&v| status.at(v) == score::Status::Dead)
        .map(|v| format!("{} {}", player(position.board.color_at(v).unwrap_or(Color::Black)), v.to_gtp(size)))
        .collect();
    let dead = if dead.is_empty() { String::new() } else { format!(" Dead: {}.", dead.join(", ")) };
    format!(
        "<p class=\"lead\" id=\"count\">The game is over. {winner}</p><p class=\"soft\">{} by territory and prisoners, komi {:.1}.{}</p>",
        sentences::score_text(white),
        position.komi,
        escape(&dead)
    )
}
