//! Opens a game record that a reader drops on the page, and saves the tried moves as a game record.

use super::look::Look;
use crate::scene::GameRecord;
use crate::view::html::short;
use crate::view::request::{Reply, Request};
use crate::view::site::Site;
use std::path::Path;
use tengen_go::board::sgf::{self, Tree, vertex_to_sgf};
use tengen_go::board::{Color, Vertex};

/// Keeps a dropped record and leads to its page.
pub(in crate::view) fn drop_page(site: &Site, request: &Request) -> Reply {
    let name = match request.get("name").trim() {
        "" => "pasted.sgf".to_owned(),
        name => short(name, 100),
    };
    let Some(bytes) = request.bytes("bytes") else { return Reply::fault("no file was sent") };
    match GameRecord::parse(Path::new(&name), bytes) {
        Ok(record) => Reply::see(&format!("game?file={}", site.keep(record))),
        Err(fault) => Reply::fault(&format!("{name} can’t be shown as a game record: {fault}")),
    }
}

/// The record with the moves tried as a variation.
pub(in crate::view) fn save(site: &Site, request: &Request) -> Reply {
    match Look::read(site, request) {
        Ok(look) => {
            Reply { kind: "application/x-go-sgf; charset=utf-8", ..Reply::html(sgf::write(&tree(&look))) }
        }
        Err(fault) => Reply::text(400, &fault),
    }
}

fn tree(look: &Look) -> Tree {
    let all: Vec<(Color, Vertex)> = look.tries.iter().chain(&look.rest).copied().collect();
    let Some(record) = &look.record else {
        let mut board = look.input.position.board.clone();
        for &(color, v) in &look.rest {
            if board.play(color, v).is_err() {
                break;
            }
        }
        return sgf::record(&board, &root(look), |_| None);
    };
    let mut tree = record.tree.clone();
    let mut at = look.node;
    for (color, v) in all {
        let (name, value) = (if color == Color::Black { "B" } else { "W" }, vertex_to_sgf(v, look.size()));
        let known =
            tree.nodes[at].children.iter().find(|&&id| tree.nodes[id].get(name) == Some(&value)).copied();
        at = known.unwrap_or_else(|| {
            let id = tree.add_child(at);
            tree.nodes[id].add(name, value);
            id
        });
    }
    tree
}

/// The root properties of a game that is no record yet.
fn root(look: &Look) -> Vec<(&'static str, String)> {
    let mut root = vec![("KM", look.input.position.komi.to_string()), ("RU", "Japanese".to_owned())];
    if let Some(person) = look.versus {
        let (mine, theirs) = if person == Color::Black { ("PB", "PW") } else { ("PW", "PB") };
        root.extend([(mine, "You".to_owned()), (theirs, format!("Tengen level {}", look.level))]);
    }
    root
}

/// The name under which a browser saves the record.
pub(super) fn file_name(look: &Look) -> String {
    let path = look.record.as_ref().map(|record| record.path.clone());
    let stem = path.as_deref().and_then(Path::file_stem).and_then(|s| s.to_str()).unwrap_or("game");
    let plain: String =
        stem.chars().filter(|c| c.is_alphanumeric() || "-_ .".contains(*c)).take(60).collect();
    format!("{plain}-tried.sgf")
}
