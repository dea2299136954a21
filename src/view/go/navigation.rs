//! Navigation through a game: the row of controls below the board, the slider, and the tree of variations.

use super::look::{Look, joined, line_through};
use crate::scene::GameRecord;
use crate::view::controls::{self, Slider, Targets};
use std::fmt::Write as _;
use tengen_go::board::sgf::NodeId;
use tengen_go::board::{Color, Vertex};
use tengen_render::escape;

/// The neighbourhood that the tree of variations shows: moves before and after, and lines.
const DEEP: usize = 14;
const LINES: usize = 9;

/// The controls, and the slider where the line of a record is followed.
pub(super) fn controls(look: &Look) -> String {
    let targets =
        if look.tries.is_empty() && look.rest.is_empty() { of_record(look) } else { of_tries(look) };
    let pass = (!look.is_over()).then(|| pass_address(look));
    controls::bar(targets, (pass, "pass", controls::PASS, "Pass")) + &slider(look)
}

/// A pass, answered by the engine in a game against it.
fn pass_address(look: &Look) -> String {
    if look.versus.is_some() {
        format!("answer?{}&at=pass", look.query(&[]))
    } else {
        look.after(Vertex::PASS)
    }
}

fn of_record(look: &Look) -> Targets {
    let Some(record) = &look.record else {
        return Targets::default();
    };
    let line = line_through(record, look.node);
    let at = line.iter().position(|&id| id == look.node).unwrap_or(0);
    let to = |id: Option<&NodeId>| id.map(|id| node_address(look, *id));
    Targets {
        first: to(line.first().filter(|_| at > 0)),
        back: to(at.checked_sub(1).and_then(|i| line.get(i))),
        forth: to(line.get(at + 1)),
        last: to(line.last().filter(|_| at + 1 < line.len())),
    }
}

fn node_address(look: &Look, id: NodeId) -> String {
    let node = if id == 0 { String::new() } else { id.to_string() };
    look.elsewhere(&[("node", &node), ("try", "")])
}

/// The controls along moves tried and a line still to come.
fn of_tries(look: &Look) -> Targets {
    let all: Vec<(Color, Vertex)> = look.tries.iter().chain(&look.rest).copied().collect();
    let here = look.tries.len();
    // A game against the engine goes back to the person's turn.
    let step = if look.versus.is_some() && here >= 2 && !look.is_over() { 2 } else { 1 };
    let to = |n: usize| {
        let size = look.size();
        look.elsewhere(&[("try", &joined(&all[..n], size)), ("rest", &joined(&all[n..], size))])
    };
    Targets {
        first: (here > 0).then(|| to(0)),
        back: here.checked_sub(step).map(to).or_else(|| of_record(look).back),
        forth: (here < all.len()).then(|| to((here + step).min(all.len()))),
        last: (here < all.len()).then(|| to(all.len())),
    }
}

/// The slider over the line of the record.
fn slider(look: &Look) -> String {
    let Some(record) = &look.record else { return String::new() };
    let line = line_through(record, look.node);
    let is_tried = !look.tries.is_empty() || !look.rest.is_empty();
    let mut out = controls::slider(&Slider {
        at: line.iter().position(|&id| id == look.node).unwrap_or(0),
        nodes: &line,
        base: look.elsewhere(&[("node", ""), ("try", "")]) + "&node=",
        is_tried,
        after: siblings(look, record),
    });
    if is_tried {
        let _ = write!(
            out,
            "<p class=\"hint\">Moves tried here. <a href=\"{}\">Back to the game</a></p>",
            escape(&node_address(look, look.node))
        );
    }
    out
}

/// The links to the variations beside this move.
fn siblings(look: &Look, record: &GameRecord) -> String {
    let siblings = record.tree.nodes[look.node].parent.map_or(&[][..], |p| &record.tree.nodes[p].children);
    if siblings.len() < 2 {
        return String::new();
    }
    let mine = siblings.iter().position(|&id| id == look.node).unwrap_or(0);
    let to = |id: Option<&NodeId>, name: &str, text: &str, words: &str| {
        id.map_or_else(String::new, |&id| {
            let to = escape(&node_address(look, id));
            format!("<a id=\"{name}\" href=\"{to}\" aria-label=\"{words}\">{text}</a> ")
        })
    };
    format!(
        "<span>{}variation {} of {} {}</span>",
        to(mine.checked_sub(1).and_then(|i| siblings.get(i)), "up", "▲", "the variation before"),
        mine + 1,
        siblings.len(),
        to(siblings.get(mine + 1), "down", "▼", "the next variation"),
    )
}

/// A node of the drawn tree: its place, and the place of its parent.
struct Drawn {
    id: NodeId,
    depth: usize,
    row: usize,
    parent: Option<(usize, usize)>,
}

/// The tree of variations around the present move; nothing where the record has one line alone.
pub(super) fn tree(look: &Look) -> String {
    let Some(record) = &look.record else { return String::new() };
    let nodes = &record.tree.nodes;
    if nodes.iter().all(|node| node.children.len() < 2) {
        return String::new();
    }
    let mut top = look.node;
    let mut above = 0;
    while let Some(parent) = nodes[top].parent.filter(|_| above < DEEP) {
        top = parent;
        above += 1;
    }
    let (drawn, left_out) = spread(record, top, above + DEEP, look.node);
    let columns = drawn.iter().map(|d| d.depth).max().unwrap_or(0) + 1;
    let rows = drawn.iter().map(|d| d.row).max().unwrap_or(0) + 1;
    let mut out = format!(
        "<h2>Variations</h2><div class=\"tree\" tabindex=\"0\" role=\"group\" aria-label=\"Tree of variations\">\
         <svg width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" font-size=\"9\" text-anchor=\"middle\">",
        w = columns * 30 + 10,
        h = rows * 28 + 8
    );
    for d in &drawn {
        out += &wire(d);
    }
    let numbers = move_numbers(record, top);
    for d in &drawn {
        out += &node(look, record, d, numbers + d.depth);
    }
    out += "</svg></div>";
    if left_out {
        out += "<p class=\"hint\">Only the lines near this move are drawn.</p>";
    }
    out
}

/// The depth of a node below the root.
fn move_numbers(record: &GameRecord, mut node: NodeId) -> usize {
    let mut depth = 0;
    while let Some(parent) = record.tree.nodes[node].parent {
        node = parent;
        depth += 1;
    }
    depth
}

/// Places nodes below `top`: the first child beside its parent, each other child in a row of its own. The line of `here`
/// is always drawn.
fn spread(record: &GameRecord, top: NodeId, deep: usize, here: NodeId) -> (Vec<Drawn>, bool) {
    let nodes = &record.tree.nodes;
    let mut drawn: Vec<Drawn> = Vec::new();
    let (mut open, mut rows, mut left_out) = (vec![(top, 0, None)], 0, false);
    let on_line = super::look::line_to(record, here).unwrap_or_default();
    while let Some((start, depth, parent)) = open.pop() {
        if rows >= LINES && !on_line.contains(&start) {
            left_out = true;
            continue;
        }
        let row = rows;
        rows += 1;
        let (mut at, mut depth, mut parent) = (start, depth, parent);
        loop {
            drawn.push(Drawn { id: at, depth, row, parent });
            let children = &nodes[at].children;
            left_out |= !children.is_empty() && depth >= deep;
            if depth >= deep || children.is_empty() {
                break;
            }
            open.extend(children[1..].iter().rev().map(|&child| (child, depth + 1, Some((depth, row)))));
            parent = Some((depth, row));
            at = children[0];
            depth += 1;
        }
    }
    (drawn, left_out)
}

fn place(depth: usize, row: usize) -> (usize, usize) {
    (depth * 30 + 20, row * 28 + 18)
}

fn wire(drawn: &Drawn) -> String {
    let Some((depth, row)) = drawn.parent else { return String::new() };
    let ((x0, y0), (x1, y1)) = (place(depth, row), place(drawn.depth, drawn.row));
    format!("<path d=\"M{x0} {y0}V{y1}H{x1}\" fill=\"none\"/>")
}

fn node(look: &Look, record: &GameRecord, drawn: &Drawn, number: usize) -> String {
    let node = &record.tree.nodes[drawn.id];
    let (x, y) = place(drawn.depth, drawn.row);
    let (fill, ink, mover) = match (node.get("B"), node.get("W")) {
        (Some(_), _) => ("#222", "#fff", "Black"),
        (_, Some(_)) => ("#f4f1ea", "#111", "White"),
        _ => ("#b9a888", "#111", "Position"),
    };
    let class = if drawn.id == look.node { " class=\"here\"" } else { "" };
    let has_text = if node.get("C").is_some() { ", with a comment" } else { "" };
    format!(
        "<a href=\"{}\"><title>{mover}, move {number}{has_text}</title><circle{class} cx=\"{x}\" cy=\"{y}\" r=\"10\" \
         fill=\"{fill}\" stroke=\"#777\"/><text x=\"{x}\" y=\"{}\" fill=\"{ink}\">{number}</text></a>",
        escape(&node_address(look, drawn.id)),
        y + 3,
    )
}
