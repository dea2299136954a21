//! Learns the weights of the move prediction from games of Go.
//!
//! # Source
//! The likelihood is that of [`tengen_go::playout::prediction`]. The descent is J. Duchi, E. Hazan, Y. Singer,
//! "Adaptive Subgradient Methods" (2011), one position at a time.
//!
//! # Steps
//! 1. Count the shapes around the played moves. Frequent shapes get a weight.
//! 2. Turn every position into rows of features, one for each move.
//! 3. Run epochs of descent in the order of the games, with a pull towards zero.
//!
//! Every tenth game is left out of the descent. These games measure how well the weights predict unseen games.
//!
//! # Cost
//! Each position of 19x19 takes about 5 ms and about 10 kB. Nearly all of the time is for the playouts that give the
//! ownership.

use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use tengen_go::board::{Board, Color, MixMap, Vertex};
use tengen_go::playout::board::{PlayoutBoard, code};
use tengen_go::playout::prediction::{GROUPS, LADDERS, OWNER_PLAYOUTS, PLAIN, Scene, Sink, softmax};
use tengen_go::playout::{Policy, estimate};

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// How often a shape must have been played to get a weight.
    pub(super) least: u32,
    /// Times over all games.
    pub(super) epochs: u32,
    /// The first step's length.
    pub(super) rate: f32,
    /// The pull towards zero.
    pub(super) pull: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self { least: 2, epochs: 20, rate: 0.3, pull: 3e-4 }
    }
}

/// How well weights predict moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Score {
    /// Positions asked about.
    pub(super) positions: usize,
    /// Share of moves played that were rated first.
    pub(super) first: f64,
    /// The same among the first five.
    pub(super) first_five: f64,
    /// Mean negative logarithm of the probability of the move played.
    pub(super) loss: f64,
}

/// The learned weights and their quality.
#[derive(Clone, Debug)]
pub(super) struct Learned {
    /// The text form of the weights, as [`tengen_go::playout::prediction::Model::parse`] reads it.
    pub(super) text: String,
    /// On the games learned from.
    pub(super) seen: Score,
    /// On the games left out.
    pub(super) unseen: Score,
    /// Weights of shapes.
    pub(super) shapes: usize,
}

/// The features of every move of a position.
struct Example {
    /// Where each move's features end in `features`.
    ends: Vec<u32>,
    features: Vec<u32>,
    /// Which of the moves was played.
    played: usize,
    unseen: bool,
}

/// The shapes with weights: key to number.
struct Known(MixMap<u64, u32>);

/// Gathers the features of a move.
struct Row<'a> {
    known: &'a Known,
    features: &'a mut Vec<u32>,
}

impl Sink for Row<'_> {
    fn plain(&mut self, index: usize) {
        self.features.push(index as u32);
    }

    fn shape(&mut self, _: usize, key: u64) -> bool {
        let known = self.known.0.get(&key);
        self.features.extend(known);
        known.is_some()
    }
}

/// A position of a game and the move played there.
struct Moment {
    board: PlayoutBoard,
    color: Color,
    vertex: Vertex,
    lasts: [usize; 2],
}

/// Calls `f` with every move of a game that is no pass, the last one first.
fn each_moment(game: &Board, mut f: impl FnMut(Moment)) {
    let moves: Vec<(Color, Vertex)> = game.moves().collect();
    let mut board = game.clone();
    for (ply, &(color, vertex)) in moves.iter().enumerate().rev() {
        // Stones set up in between are taken back too.
        while board.moves().count() > ply {
            board.undo();
        }
        if vertex == Vertex::PASS {
            continue;
        }
        let back = |n: usize, c: Color| {
            ply.checked_sub(n).map(|i| moves[i]).filter(|m| m.0 == c).map_or(0, |m| m.1.at())
        };
        let lasts = [back(1, color.other()), back(2, color)];
        f(Moment { board: PlayoutBoard::from(&board), color, vertex, lasts });
    }
}

/// Counts the shapes played.
#[derive(Default)]
struct Counter {
    keys: Vec<(usize, u64)>,
}

impl Sink for Counter {
    fn plain(&mut self, _: usize) {}

    fn shape(&mut self, level: usize, key: u64) -> bool {
        self.keys.push((level, key));
        true
    }
}

/// 1. The shapes with weights and how they are written, in the order of their numbers.
fn harvest(games: &[Board], least: u32) -> (Known, Vec<String>) {
    let mut counts: BTreeMap<(usize, u64), (u32, String)> = BTreeMap::new();
    for game in games.iter().enumerate().filter(|(i, _)| i % 10 != 9).map(|g| g.1) {
        each_moment(game, |moment| {
            let mut scene = Scene::new(&moment.board, code(moment.color), moment.lasts, &|_| 0.0, LADDERS);
            let mut counter = Counter::default();
            scene.tell(moment.vertex.at(), &mut counter);
            for (level, key) in counter.keys {
                let text = || (0, scene.shape_text(moment.vertex.at(), level));
                counts.entry((level, key)).or_insert_with(text).0 += 1;
            }
        });
    }
    let kept: Vec<(u64, String)> =
        counts.into_iter().filter(|c| c.1.0 >= least).map(|((_, key), (_, text))| (key, text)).collect();
    let known = kept.iter().enumerate().map(|(i, (key, _))| (*key, (PLAIN + i) as u32)).collect();
    (Known(known), kept.into_iter().map(|k| k.1).collect())
}

/// 2.
fn example(moment: &Moment, known: &Known, unseen: bool) -> Option<Example> {
    let owner = estimate(&moment.board, moment.color, &Policy::default(), OWNER_PLAYOUTS, 1).owner;
    let owner = |at: usize| owner[at];
    let mut scene = Scene::new(&moment.board, code(moment.color), moment.lasts, &owner, LADDERS);
    let moves = scene.moves();
    let played = moves.iter().position(|&v| v == moment.vertex.at())?;
    let mut example = Example { ends: Vec::with_capacity(moves.len()), features: Vec::new(), played, unseen };
    for v in moves {
        scene.tell(v, &mut Row { known, features: &mut example.features });
        example.ends.push(example.features.len() as u32);
    }
    example.features.shrink_to_fit();
    Some(example)
}

impl Example {
    fn rows(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(a, &b)| &self.features[a as usize..b as usize])
    }

    fn probabilities(&self, weights: &[f32], out: &mut Vec<f32>) {
        out.clear();
        out.extend(self.rows().map(|row| row.iter().map(|&f| weights[f as usize]).sum::<f32>()));
        softmax(out, |p| p);
    }
}

/// Learns weights from games; `progress` gets the epoch and how the weights do on games left out.
#[must_use]
pub(super) fn learn(games: &[Board], options: &Options, mut progress: impl FnMut(u32, Score)) -> Learned {
    let (known, texts) = harvest(games, options.least);
    let examples: Vec<Example> = games
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, game)| {
            let mut examples = Vec::new();
            each_moment(game, |moment| examples.extend(example(&moment, &known, number % 10 == 9)));
            examples
        })
        .collect();
    let mut weights = vec![0f32; PLAIN + texts.len()];
    let mut squares = vec![1e-6f32; weights.len()];
    let mut p = Vec::new();
    // 3.
    for epoch in 0..options.epochs {
        for example in examples.iter().filter(|e| !e.unseen) {
            example.probabilities(&weights, &mut p);
            for (i, row) in example.rows().enumerate() {
                let g = if i == example.played { 1.0 - p[i] } else { -p[i] };
                // Moves nobody would make teach nothing more.
                if g.abs() < 1e-4 {
                    continue;
                }
                for &f in row {
                    let f = f as usize;
                    let g = g - options.pull * weights[f];
                    squares[f] += g * g;
                    weights[f] += options.rate * g / squares[f].sqrt();
                }
            }
        }
        progress(epoch + 1, score(&examples, &weights, true));
    }
    Learned {
        text: write(&weights, &texts),
        seen: score(&examples, &weights, false),
        unseen: score(&examples, &weights, true),
        shapes: texts.len(),
    }
}

fn score(examples: &[Example], weights: &[f32], unseen: bool) -> Score {
    let mut score = Score::default();
    let mut p = Vec::new();
    for example in examples.iter().filter(|e| e.unseen == unseen) {
        example.probabilities(weights, &mut p);
        let mine = p[example.played];
        let better = p.iter().filter(|&&q| q > mine).count();
        score.positions += 1;
        score.first += f64::from(better == 0);
        score.first_five += f64::from(better < 5);
        score.loss -= f64::from(mine.max(1e-9).ln());
    }
    let n = score.positions.max(1) as f64;
    Score {
        positions: score.positions,
        first: score.first / n,
        first_five: score.first_five / n,
        loss: score.loss / n,
    }
}

/// The text form: weights in hundredths.
fn write(weights: &[f32], texts: &[String]) -> String {
    let mut out = String::new();
    let hundredths = |w: f32| (w * 100.0).round() as i16;
    let mut at = 0;
    for (name, length) in GROUPS {
        let words: Vec<String> =
            weights[at..at + length].iter().map(|&w| hundredths(w).to_string()).collect();
        let rows: Vec<String> = words.chunks(12).map(|row| row.join(" ")).collect();
        let _ = writeln!(out, "[{name}]\n{}\n", rows.join("\n"));
        at += length;
    }
    out.push_str("[shapes]\n");
    for (text, &w) in texts.iter().zip(&weights[at..]) {
        let _ = writeln!(out, "{text} {}", hundredths(w));
    }
    out
}

#[cfg(test)]
mod tests;
