//! The part of the game page that explains why a move is legal or not.

use super::look::Look;
use crate::view::html::link;
use std::fmt::Write as _;
use tengen_propnet::explain::{By, Explainer, Reason};
use tengen_propnet::gdl::Span;
use tengen_propnet::program::Program;
use tengen_render::escape;

/// Moves that are not legal and are listed.
const LISTED: usize = 200;
/// Between role and move in the address.
const SEPARATOR: char = '~';

/// The address of the explanation of a move.
pub(super) fn address(look: &Look, role: usize, text: &str) -> String {
    let why = format!("{}{SEPARATOR}{text}", look.roles[role]);
    format!("play?{}#reasons", look.query(&[("why", &why)]))
}

/// The explanation that the address asks for; empty if it asks for none.
pub(super) fn panel(look: &Look, asked: &str) -> Result<String, String> {
    let Some((role, text)) = asked.split_once(SEPARATOR) else { return Ok(String::new()) };
    if !look.roles.iter().any(|known| known == role) {
        return Err(format!("there is no role `{role}`"));
    }
    let program = Program::read(&look.table.text).map_err(|e| e.to_string())?;
    let mut explainer = Explainer::new(&look.table.sheet, program, &look.described.facts);
    let reason = explainer.legal(role, text).map_err(|e| e.to_string())?;
    let reason = reason.ok_or_else(|| format!("`{text}` is no move"))?;
    let head = if reason.holds { "is legal" } else { "is not legal" };
    let end = if look.described.terminal { " The game is over, so nobody moves." } else { "" };
    Ok(format!(
        "<section id=\"reasons\" aria-label=\"Why\"><h3>{} {} {head}</h3><p class=\"hint\">{end}</p><ul class=\"reasons\">{}</ul></section>",
        escape(role),
        escape(text),
        told(look, &reason)
    ))
}

/// One reason and those below it.
fn told(look: &Look, reason: &Reason) -> String {
    let sign = if reason.holds { "yes" } else { "no" };
    let head = format!("<b class=\"{sign}\">{sign}</b> <code>{}</code>", escape(&reason.text));
    let (note, below) = match &reason.by {
        By::State if reason.holds => ("stands in the state".to_owned(), String::new()),
        By::State => ("does not stand in the state".to_owned(), String::new()),
        By::Fact(span) => (format!("a fact of {}", line(look, *span)), String::new()),
        By::Terms => (String::new(), String::new()),
        By::Not(part) => (String::new(), told(look, part)),
        By::NoRule => ("no rule has such a head".to_owned(), String::new()),
        By::More => (String::new(), String::new()),
        By::Rule(span, parts) => {
            let parts: String = parts.iter().map(|part| told(look, part)).collect();
            (format!("by the rule in {}", line(look, *span)), parts)
        }
        By::Fails(fails) => {
            let one = |(span, part): &(Span, Reason)| {
                format!("<li>The rule in {} fails:<ul>{}</ul></li>", line(look, *span), told(look, part))
            };
            (String::new(), fails.iter().map(one).collect())
        }
    };
    let below = if below.is_empty() { below } else { format!("<ul>{below}</ul>") };
    format!("<li>{head} <span class=\"soft\">{note}</span>{below}</li>")
}

/// A rule by its line, with its text to hover over.
fn line(look: &Look, span: Span) -> String {
    let text = &look.table.text;
    let number = text[..span.start.min(text.len())].matches('\n').count() + 1;
    let rule = text.get(span.start..span.end).unwrap_or_default();
    format!("<span class=\"rule\" title=\"{}\">line {number}</span>", escape(rule))
}

/// The moves of a role that are not legal here, each with a way to its reason, and a field for any other.
pub(super) fn others(look: &Look, role: usize) -> String {
    let mut out = String::new();
    if let Ok(topology) = &look.table.game.topology {
        let names = &topology.net.names;
        let all = &names.moves[names.role_start[role]..names.role_start[role + 1]];
        let not: Vec<&String> =
            all.iter().filter(|text| !look.legal[role].iter().any(|(legal, _)| legal == *text)).collect();
        for text in not.iter().take(LISTED) {
            out += &link(&address(look, role, text), text, "why");
        }
        if not.len() > LISTED {
            let _ = write!(out, " {} more", not.len() - LISTED);
        }
    }
    if out.is_empty() {
        return out;
    }
    format!(
        "<details class=\"more\" id=\"others-{role}\"><summary>Not legal here: why?</summary><nav>{out}</nav></details>"
    )
}
