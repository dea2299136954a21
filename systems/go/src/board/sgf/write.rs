//! Writes a tree as text, and a board's history as a record.

use super::{NodeId, Tree, move_name, vertex_to_sgf};
use crate::board::play::Kind;
use crate::board::{Board, Color};

/// The tree as text in UTF-8, one node per line, without recursion. Values are escaped. `CA` of the root says UTF-8, where
/// it stands or where a text has letters beyond ASCII.
#[must_use]
pub fn write(tree: &Tree) -> String {
    let mut text = String::new();
    if tree.nodes.is_empty() {
        return text;
    }
    let is_ascii = |text: &String| text.is_ascii();
    let properties = tree.nodes.iter().flat_map(|node| &node.properties);
    let needs_charset = !properties.flat_map(|p| &p.values).all(is_ascii);
    /// A remaining item: a node (with or without a bracket before it), or a closing bracket.
    enum Open {
        Node(NodeId),
        Variation(NodeId),
        Close,
    }
    let mut stack = vec![Open::Variation(0)];
    while let Some(open) = stack.pop() {
        let id = match open {
            Open::Close => {
                text.push_str(")\n");
                continue;
            }
            Open::Variation(id) => {
                text.push('(');
                stack.push(Open::Close);
                id
            }
            Open::Node(id) => id,
        };
        write_node(tree, id, needs_charset, &mut text);
        match tree.nodes[id].children.as_slice() {
            [] => {}
            &[only] => stack.push(Open::Node(only)),
            many => stack.extend(many.iter().rev().map(|&child| Open::Variation(child))),
        }
    }
    text
}

fn write_node(tree: &Tree, id: NodeId, needs_charset: bool, text: &mut String) {
    text.push(';');
    let properties = &tree.nodes[id].properties;
    if id == 0 && needs_charset && properties.iter().all(|p| p.name != "CA") {
        text.push_str("CA[UTF-8]");
    }
    for property in properties {
        if property.name == "CA" {
            text.push_str("CA[UTF-8]");
            continue;
        }
        text.push_str(&property.name);
        for value in &property.values {
            text.push('[');
            for c in value.chars() {
                if matches!(c, ']' | '\\') {
                    text.push('\\');
                }
                text.push(c);
            }
            text.push(']');
        }
    }
    text.push('\n');
}

/// The record of a board's history: set-up stones at the root, then the moves. `root` are further root properties
/// (`KM`, `PB`, `RE`, ...), `comment(i)` the comment of move i, from 0.
#[must_use]
pub fn record(board: &Board, root: &[(&str, String)], comment: impl Fn(usize) -> Option<String>) -> Tree {
    let size = board.size();
    let mut start = board.clone();
    let placed = start.history.iter().take_while(|c| c.kind == Kind::Place).count();
    start.undo_to(placed);
    let mut tree = Tree::new();
    let node = &mut tree.nodes[0];
    for (name, value) in [("GM", "1"), ("FF", "4"), ("CA", "UTF-8"), ("AP", "Tengen")] {
        node.add(name, value);
    }
    node.add("SZ", size.to_string());
    for (name, value) in root {
        node.add(name, value.clone());
    }
    for color in Color::BOTH {
        let name = if color == Color::Black { "AB" } else { "AW" };
        for v in start.vertices().filter(|&v| start.color_at(v) == Some(color)) {
            node.add(name, vertex_to_sgf(v, size));
        }
    }
    let mut at = 0;
    let mut count = 0;
    for change in &board.history[placed..] {
        at = tree.add_child(at);
        let node = &mut tree.nodes[at];
        if change.kind == Kind::Place {
            node.add(if change.color == Color::Black { "AB" } else { "AW" }, vertex_to_sgf(change.v, size));
            continue;
        }
        node.add(move_name(change.color), vertex_to_sgf(change.v, size));
        if let Some(text) = comment(count) {
            node.add("C", text);
        }
        count += 1;
    }
    tree
}
