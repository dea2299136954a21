//! The heading of a game page: players with ranks, captures and clocks, the result, date, komi and rules. It also has
//! the comment and the marks of the position.

use super::look::Look;
use crate::report::heading::Heading;
use crate::view::html::{explained, short, warnings};
use std::fmt::Write as _;
use tengen_go::board::Color;
use tengen_render::escape;

/// The most letters of a comment on a page.
const COMMENT: usize = 12_000;

/// The strip above the board: both players, whose turn is marked.
pub(super) fn players(look: &Look) -> String {
    let heading = look.record.as_ref().map(Heading::of).unwrap_or_default();
    let mut out = String::from("<div class=\"players\">");
    for color in Color::BOTH {
        let (name, class) = match color {
            Color::Black => (&heading.black, "stone"),
            Color::White => (&heading.white, "stone w"),
        };
        let side = if color == Color::Black { "Black" } else { "White" };
        let name = match look.versus {
            Some(person) if person == color => "You".to_owned(),
            Some(_) => format!("Tengen, level {}", look.level),
            None if name.is_empty() => side.to_owned(),
            None => name.clone(),
        };
        let captures = look.input.position.board.captured(color);
        let taken = if captures > 0 { format!("<b>captures </b>{captures}") } else { String::new() };
        let on = if look.input.position.to_move == color { " on" } else { "" };
        let turn = if on.is_empty() { "" } else { "<span class=\"sr\">, to move</span>" };
        let _ = write!(
            out,
            "<div class=\"player{on}\"><i class=\"{class}\"></i><b title=\"{side}\">{}</b>{turn}<small>{}</small>\
             <span title=\"stones captured; time left\">{taken}{}</span></div>",
            escape(&name),
            escape(&heading.ranks[color.index()]),
            escape(&clock(look, color)),
        );
    }
    out + "</div>"
}

/// The time a player has left, where the record says so.
fn clock(look: &Look, color: Color) -> String {
    let name = if color == Color::Black { "BL" } else { "WL" };
    let node = look.record.as_ref().and_then(|record| record.tree.nodes.get(look.node));
    let seconds = node.and_then(|node| node.get(name)).and_then(|text| text.trim().parse::<f32>().ok());
    let seconds = seconds.filter(|s| s.is_finite() && *s >= 0.0);
    seconds.map_or_else(String::new, |s| format!(" {}:{:02} left", s as u32 / 60, s as u32 % 60))
}

/// One line about the game.
pub(super) fn meta(look: &Look) -> String {
    let Some(record) = &look.record else { return String::new() };
    let parts = Heading::of(record).facts();
    let told: Vec<String> = parts.iter().map(|p| explained(p)).collect();
    if told.is_empty() {
        String::new()
    } else {
        format!("<p class=\"soft\" id=\"meta\">{}</p>", told.join(" · "))
    }
}

/// The comment at this place of the record.
pub(super) fn comment(look: &Look) -> String {
    let node = look.record.as_ref().and_then(|record| record.tree.nodes.get(look.node));
    let comment = node.filter(|_| look.tries.is_empty()).and_then(|node| node.get("C")).unwrap_or_default();
    let stopped = look.input.stopped.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut out = warnings(&look.input.warnings);
    if !stopped.is_empty() {
        let _ = write!(out, "<p class=\"fault\">{}</p>", escape(&stopped));
    }
    if !comment.trim().is_empty() {
        let text = escape(&short(comment, COMMENT));
        let _ = write!(
            out,
            "<div class=\"comment\" role=\"note\" aria-label=\"Comment\" tabindex=\"0\">{text}</div>"
        );
    }
    out
}
