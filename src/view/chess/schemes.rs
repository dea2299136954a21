//! The page that shows one position under all repetition schemes side by side, and the tree of one exact search.

use super::board::settings;
use super::look::{Look, score_text};
use super::search::{rests, rests_shortly};
use crate::number_text::counted;
use crate::view::html::{link, page as whole};
use crate::view::request::{Reply, Request};
use crate::view::site::Site;
use std::fmt::Write as _;
use tengen_chess::exact::explain::{Explained, explain};
use tengen_chess::exact::tree::{Ends, Node};
use tengen_chess::exact::{ExactOptions, solve};
use tengen_chess::repetition::{INFINITE, Scheme};
use tengen_chess::rules::notation;
use tengen_render::escape;

/// About the most nodes a page asks an exact search for.
const MOST_NODES: f64 = 300_000.0;
/// Plies of a tree that are shown, and nodes.
const PLIES: u32 = 3;
const SHOWN: usize = 320;

/// The depth asked for, or the deepest that the number of moves here makes bearable.
fn depth(look: &Look) -> (u32, u32) {
    let moves = notation::legal_moves(look.game.board()).len().max(3) as f64;
    // With good order alpha-beta visits about the square root of the tree; twice that for bad order.
    let most = (MOST_NODES.ln() / moves.ln() / 0.65) as u32;
    let most = most.clamp(2, 12);
    (look.depth.min(most), most)
}

fn options(look: &Look, depth: u32, scheme: Scheme) -> ExactOptions {
    ExactOptions { depth, policy: look.policy, scheme, ..ExactOptions::default() }
}

fn told_depth(look: &Look) -> (u32, String) {
    let (depth, most) = depth(look);
    let cut = if depth < look.depth {
        format!(
            " <span class=\"fault\">(depth {} was asked for; pages search at most {most} plies here)</span>",
            look.depth
        )
    } else {
        String::new()
    };
    (depth, cut)
}

/// The page of all schemes.
pub(in crate::view) fn page(site: &Site, request: &Request) -> Reply {
    let look = match Look::read(site, request) {
        Ok(look) => look,
        Err(fault) => return Reply::fault(&fault),
    };
    let (depth, cut) = told_depth(&look);
    let mut body = format!(
        "<nav>{}</nav>{}<p>Exact search of {}{cut} under policy {}, material alone: what each scheme’s table keeps \
         changes what it finds. Where a value differs from that of the exact scheme it is wrong for this game.</p>\
         <table id=\"schemes\"><tr><th>scheme</th><th>value</th><th></th><th>rests on</th><th>nodes</th><th>table hits</th>\
         <th>refused</th><th>path-dependent</th></tr>",
        link(&format!("chess?{}", look.query(&[])), "the board", "board"),
        settings(&look, "schemes"),
        counted("ply", depth as usize),
        look.policy.name(),
    );
    let truth = solve(&look.game, options(&look, depth, Scheme::Exact)).value;
    for scheme in Scheme::offered() {
        let report = solve(&look.game, options(&look, depth, scheme));
        let wrong = if report.value == truth { "" } else { "≠ exact" };
        let class = if report.value == truth { "" } else { " class=\"failed\"" };
        let _ = write!(
            body,
            "<tr{class} data-scheme=\"{0}\"><td>{1}</td><td title=\"{2}\">{3}</td><td>{wrong}</td><td>{4}</td><td>{5}</td><td>{6}</td>\
             <td>{7}</td><td>{8} of {9}</td></tr>",
            scheme.name(),
            link(&format!("tree?{}", look.query(&[("scheme", scheme.name())])), scheme.name(), "tree"),
            report.value,
            score_text(report.value),
            rests_shortly(&look, report.path),
            report.nodes,
            report.hits,
            report.refused,
            report.dependent,
            report.closed,
        );
    }
    body += "</table>";
    Reply::html(whole(&format!("All schemes: {}", look.title()), &body))
}

/// The page of the tree of an exact search under one scheme.
pub(in crate::view) fn tree_page(site: &Site, request: &Request) -> Reply {
    let look = match Look::read(site, request) {
        Ok(look) => look,
        Err(fault) => return Reply::fault(&fault),
    };
    let (depth, cut) = told_depth(&look);
    let told = explain(&look.game, options(&look, depth, look.scheme), PLIES.min(depth));
    let mut body = format!(
        "<nav>{}{}</nav>{}<p id=\"told\">Depth {depth}{cut}, scheme {}, policy {}: value <b title=\"{}\">{}</b> for the side to move, \
         {}; rests on {}.</p><p class=\"hint\">Values are those of the side to move at each node. A number behind “rests \
         on” is the place of the position that makes the draw: below 0 in the game, else in the line.</p>",
        link(&format!("chess?{}", look.query(&[])), "the board", "board"),
        link(&format!("schemes?{}", look.query(&[])), "all schemes side by side", "schemes"),
        settings(&look, "tree"),
        look.scheme.name(),
        look.policy.name(),
        told.report.value,
        score_text(told.report.value),
        counted("node", told.report.nodes as usize),
        rests(&look, told.report.path),
    );
    body += &tree(&look, &told);
    Reply::html(whole(&format!("Exact tree: {}", look.title()), &body))
}

fn tree(look: &Look, told: &Explained) -> String {
    let mut out = String::from("<div id=\"tree\">");
    let mut left = SHOWN;
    node(look, &told.tree, &mut Vec::new(), &mut left, &mut out);
    out += "</div>";
    if told.left_out > 0 {
        let _ = write!(out, "<p>Not written down: {}.</p>", counted("node", told.left_out));
    }
    out
}

/// A node with those below it; a click opens it.
fn node(look: &Look, node_: &Node, line: &mut Vec<String>, left: &mut usize, out: &mut String) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    if !node_.mv.is_empty() {
        line.push(node_.mv.clone());
    }
    // A summary holds no links: what opens it is one thing alone.
    let (summary, links) = (summary(look, node_), links(look, node_, line));
    if node_.moves.is_empty() {
        let _ = write!(
            out,
            "<div class=\"leaf\" data-line=\"{}\">{summary} {links}</div>",
            escape(&line.join(","))
        );
    } else {
        let open = if node_.ply == 0 { " open" } else { "" };
        let _ = write!(
            out,
            "<details{open} data-line=\"{}\"><summary>{summary}</summary><div class=\"leaf\">{links}</div>",
            escape(&line.join(","))
        );
        for (n, below) in node_.moves.iter().enumerate() {
            if *left == 0 {
                let _ = write!(out, "<div class=\"leaf\">{} more are not shown</div>", node_.moves.len() - n);
                break;
            }
            // Each move gets its share, so that the last one is told as the first one is.
            let share = left.div_ceil(node_.moves.len() - n);
            let mut own = share;
            node(look, below, line, &mut own, out);
            *left -= share - own;
        }
        out.push_str("</details>");
    }
    if !node_.mv.is_empty() {
        line.pop();
    }
}

/// The ways to the position of a node, and to the one its value rests on.
fn links(look: &Look, node: &Node, line: &[String]) -> String {
    let mut tries = look.tries.clone();
    tries.extend_from_slice(line);
    let to = format!("chess?{}", look.query(&[("try", &tries.join(","))]));
    let rest = node.rest.filter(|&rest| rest < 0).and_then(|rest| plies_of(look, rest));
    link(&to, "show it", "node")
        + &rest.map_or_else(String::new, |plies| {
            format!(
                ", {}",
                link(&look.after(plies), &format!("the position after {}", counted("ply", plies)), "rest")
            )
        })
}

/// The plies of the game at which a value rests; `None` where that is inside the search.
fn plies_of(look: &Look, rest: i16) -> Option<usize> {
    usize::try_from(i64::try_from(look.plies()).unwrap_or(0) + i64::from(rest.min(0))).ok()
}

/// The known bounds of a value, in pawns.
fn bounds_text(ends: Ends) -> String {
    match (ends.lower, ends.upper) {
        (None, None) => "nothing".into(),
        (Some(lower), Some(upper)) if lower == upper => score_text(lower),
        (Some(lower), Some(upper)) => format!("{} to {}", score_text(lower), score_text(upper)),
        (Some(lower), None) => format!("at least {}", score_text(lower)),
        (None, Some(upper)) => format!("at most {}", score_text(upper)),
    }
}

/// An end of a window; one beyond every score is open.
fn end_of(score: i32) -> String {
    if score.abs() >= INFINITE { "open".into() } else { score_text(score) }
}

fn summary(look: &Look, node: &Node) -> String {
    let name = if node.mv.is_empty() { "root" } else { &node.mv };
    let mut out = format!(
        "{} <b title=\"{}\">{}</b> <small>({}, window {} to {})</small>",
        escape(name),
        node.value,
        score_text(node.value),
        escape(node.end),
        end_of(node.window.0),
        end_of(node.window.1)
    );
    if let Some(rest) = node.rest {
        let place = match plies_of(look, rest) {
            Some(plies) if rest < 0 => format!("the position after {}", counted("ply", plies)),
            _ if rest == 0 => "the root".to_owned(),
            _ => format!("ply {rest} of the line"),
        };
        let _ = write!(out, "; rests on {rest}: {place}");
    }
    if let Some(shadow) = node.shadow {
        let _ = write!(out, "; without repetitions {}", bounds_text(shadow));
    }
    if let Some(looked_up) = node.looked_up {
        let _ = write!(out, "; table had {}", bounds_text(looked_up.stored));
        if let Some(why) = looked_up.refused {
            let _ = write!(out, ", admitted {} ({})", bounds_text(looked_up.admitted), escape(why));
        }
    }
    if let Some(kept) = node.kept {
        let _ = write!(out, "; kept {}", bounds_text(kept.bounds));
        if let Some(why) = kept.refused {
            let _ = write!(out, " ({})", escape(why));
        }
    }
    out
}
