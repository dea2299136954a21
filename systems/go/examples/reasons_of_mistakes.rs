//! Measures for which share of the points that mistakes lose reading finds a cause.
//!
//! `reasons_of_mistakes FILE GAMES PART [MOST [list]]` reads lines `{"sgf","move","size","to_move","played","best"}`.
//! `GAMES` is the folder of the records. `PART` is `choose` or `report`; the first byte of the SHA-1 of its path
//! decides which part a game belongs to.
//!
//! # The table
//! A mistake is the played move, compared with the best move. Its *loss* is the sum of the points of the units that
//! lose, and of the unexplained rest if that loses. *With a cause* is the share of all losses in units whose cause
//! reading found. *With a line* is the share of all losses in units that have a line which reading checked.

#![expect(clippy::print_stdout, reason = "a command that prints a table")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Color, Rules, Vertex};
use tengen_go::reasons::Reasoner;
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, GoEngine};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [file, games, part] = [1, 2, 3].map(|n| args.get(n).cloned().unwrap_or_default());
    let most: usize = args.get(4).and_then(|s| s.parse().ok()).unwrap_or(200);
    let list = args.get(5).is_some();
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let rows: Vec<serde_json::Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let rows: Vec<_> = rows.iter().filter(|row| is_of(row["sgf"].as_str().unwrap_or(""), &part)).collect();
    let step = (rows.len() / most.max(1)).max(1);
    let mut engine = GoEngine::new(1);
    let mut reasoner = Reasoner::default();
    let (mut mistakes, mut all, mut caused, mut lined, mut known) = (0, 0.0, 0.0, 0.0, 0);
    let mut kinds: BTreeMap<String, (usize, f32)> = BTreeMap::new();
    let begin = Instant::now();
    for row in rows.iter().step_by(step).take(most) {
        let text = |name: &str| row[name].as_str().unwrap_or("");
        let number = row["move"].as_u64().unwrap_or(1) as usize;
        let Ok(bytes) = std::fs::read(Path::new(&games).join(text("sgf"))) else { continue };
        let Ok(tree) = sgf::parse(&bytes) else { continue };
        let Ok(game) = sgf::load(&tree, &tree.line(&[]), Until::Move(number), Rules::default()) else {
            continue;
        };
        let color = if text("to_move") == "B" { Color::Black } else { Color::White };
        let vertex = |name: &str| Vertex::from_gtp(text(name), game.board.size()).unwrap_or(Vertex::PASS);
        let (played, best) = (vertex("played"), vertex("best"));
        engine.put(0, Position { komi: 7.5, ..Position::new(game.board.clone(), color) });
        engine.analyse(AnalyseSystems::SecondInfluence);
        let Ok(found) = reasoner.explain(&engine, 0, &[played], Some(best), 0) else { continue };
        let Some(explained) = found.why_not.first() else { continue };
        mistakes += 1;
        known += usize::from(explained.value < -2.0);
        let loss: f32 = explained.changes.iter().map(|c| (-c.points).max(0.0)).sum();
        all += loss + (-explained.unexplained).max(0.0);
        let size = game.board.size();
        if list {
            println!(
                "{} {} {color} {} for {}: value {:.1} (label {:.1}), unexplained {:.1}",
                text("sgf"),
                number,
                text("played"),
                text("best"),
                explained.value,
                row["lost"].as_f64().unwrap_or(0.0),
                explained.unexplained
            );
        }
        for change in &explained.changes {
            let lost = (-change.points).max(0.0);
            let name = match change.kind {
                Some(kind) => format!("{} by {}", kind.name(), change.source.name()),
                None => format!("none: {}", change.unit.name()),
            };
            let entry = kinds.entry(name.clone()).or_default();
            entry.0 += 1;
            entry.1 += lost;
            if change.kind.is_some() {
                caused += lost;
                lined += if change.proved && !change.line.is_empty() { lost } else { 0.0 };
            }
            if list {
                let line: Vec<String> = change.line.iter().map(|v| v.to_gtp(size)).collect();
                println!(
                    "    {:+.1} {name} ({}) {:?} at {} ({} stones, {} others){} line {:?} proved {}",
                    change.points,
                    change.source.name(),
                    change.color,
                    change.at.to_gtp(size),
                    change.stones.len(),
                    change.others.len(),
                    if change.is_of_other { " after the best" } else { "" },
                    line,
                    change.proved
                );
            }
        }
    }
    for (name, (count, lost)) in &kinds {
        println!("{name:<20} {count:>5} units {lost:>8.1} points lost");
    }
    let seconds = begin.elapsed().as_secs_f32();
    println!(
        "{mistakes} mistakes, {known} of them losing two points and more here, {seconds:.1} s; of {all:.0} points lost {:.1} % with a cause, {:.1} % with a line",
        100.0 * caused / all,
        100.0 * lined / all
    );
}

/// Whether a game is of a part: `choose` if the first byte of the SHA-1 of its path is even.
fn is_of(path: &str, part: &str) -> bool {
    sha1_first_byte(path.as_bytes()).is_multiple_of(2) == (part == "choose")
}

/// The first byte of a SHA-1 (FIPS 180-4).
fn sha1_first_byte(text: &[u8]) -> u8 {
    let mut message = text.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend(((text.len() as u64) * 8).to_be_bytes());
    let mut h: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in message.chunks(64) {
        let mut w = [0_u32; 80];
        for (i, word) in block.chunks(4).enumerate() {
            w[i] = u32::from_be_bytes([word[0], word[1], word[2], word[3]]);
        }
        for i in 16..80 {
            w[i] = (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = h;
        for (i, word) in w.iter().enumerate() {
            let (f, k) = match i {
                0..20 => ((b & c) | (!b & d), 0x5a82_7999),
                20..40 => (b ^ c ^ d, 0x6ed9_eba1),
                40..60 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (h, x) in h.iter_mut().zip([a, b, c, d, e]) {
            *h = h.wrapping_add(x);
        }
    }
    (h[0] >> 24) as u8
}
