//! Move prediction: the probability that a strong player makes each move, without reading.
//!
//! # Source
//! R. Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go" (2007). The strength of a move is the product
//! of the strengths of its features, and a position is a competition of all its moves. The shapes are those of D. Stern
//! and others (2006).
//!
//! # Notation
//! The *weight* of a feature is the logarithm of its strength, in hundredths in the resource. A move's *rating* is the
//! sum of the weights of its features. Its probability is the softmax of the ratings.
//!
//! # Steps
//! 1. `features` finds captures, ladders, liberties, the place on the board, and the distance to the last moves.
//! 2. `shapes` finds the nested templates around the move, in all orientations at once.
//! 3. `Model::rate` adds their weights.
//!
//! `tengen go learn` (`src/cli/go/learn`) learns the weights from games and writes them.
//!
//! # Departures
//! The weights come from gradient descent on the likelihood instead of minorization-maximization. The weights of all
//! known nested shapes add up, instead of the weight of the largest shape alone. So the weight of a rare shape depends
//! on its core.
//!
//! # Cost
//! Half a microsecond for each move.

mod features;
mod ladder;
mod shapes;
#[cfg(test)]
mod tests;

pub use features::{GROUPS, Owner, PLAIN, Scene, Sink};

use super::board::PlayoutBoard;
use crate::board::MixMap;
use std::sync::LazyLock;
use thiserror::Error;

/// The number of playouts for the ownership, before a position's moves are rated.
pub const OWNER_PLAYOUTS: u32 = 48;

/// Positions of one ladder, where it is to be seen to its end.
pub const LADDERS: u32 = 120;

/// Our own weights, compiled in.
const OWN: &str = include_str!("../../../../../resources/go/moves/weights.txt");

static MODEL: LazyLock<Model> =
    LazyLock::new(|| Model::parse(OWN).expect("the embedded weights are checked by a test"));

/// The weights of all features.
#[derive(Clone, Debug, Default)]
pub struct Model {
    plain: Vec<f32>,
    shapes: MixMap<u64, f32>,
}

/// A fault of a file of weights.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("weights of moves, line {line}: {message}")]
pub struct ModelError {
    /// The line, from 1.
    pub line: usize,
    /// The fault.
    pub message: String,
}

/// A move and its rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rated {
    /// Padded index.
    pub vertex: usize,
    /// The sum of weights; a probability after [`softmax`].
    pub rating: f32,
}

/// Adds up weights.
struct Sum<'a> {
    model: &'a Model,
    sum: f32,
}

impl Sink for Sum<'_> {
    fn plain(&mut self, index: usize) {
        self.sum += self.model.plain[index];
    }

    fn shape(&mut self, _: usize, key: u64) -> bool {
        let known = self.model.shapes.get(&key);
        self.sum += known.copied().unwrap_or(0.0);
        known.is_some()
    }
}

impl Model {
    /// Our own weights.
    #[must_use]
    pub fn own() -> &'static Self {
        &MODEL
    }

    /// Step 3: the ratings of all moves worth a thought (legal, no own eye filled), in the order of the vertices. `lasts`:
    /// the opponent's last move and our own, padded indices, 0 for a pass or none.
    pub(crate) fn rate(
        &self,
        board: &PlayoutBoard,
        color: u8,
        lasts: [usize; 2],
        owner: &Owner<'_>,
        ladders: u32,
    ) -> Vec<Rated> {
        let mut scene = Scene::new(board, color, lasts, owner, ladders);
        scene
            .moves()
            .into_iter()
            .map(|vertex| {
                let mut sum = Sum { model: self, sum: 0.0 };
                scene.tell(vertex, &mut sum);
                Rated { vertex, rating: sum.sum }
            })
            .collect()
    }

    /// Reads the text form: `[group]` lines with hundredths of weights, then `[shapes]` with a shape and its weight a
    /// line; `#` in front begins a comment.
    ///
    /// # Errors
    /// Unknown or misplaced groups, wrong counts, words that are not numbers, invalid shapes.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let mut model = Self::default();
        let (mut group, mut wanted) = (0, 0);
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            let fail = |message: String| ModelError { line: index + 1, message };
            let number = |word: &str| {
                word.parse::<i16>()
                    .map(|n| f32::from(n) / 100.0)
                    .map_err(|_| fail(format!("`{word}` is no weight")))
            };
            if line.is_empty() || line.starts_with("# ") {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                if model.plain.len() != wanted {
                    let missing = wanted - model.plain.len();
                    return Err(fail(format!("the group before [{name}] has {missing} weights too few")));
                }
                let expected = GROUPS.get(group).map_or("shapes", |g| g.0);
                if expected != name || group > GROUPS.len() {
                    return Err(fail(format!("expected [{expected}], found [{name}]")));
                }
                wanted += GROUPS.get(group).map_or(0, |g| g.1);
                group += 1;
            } else if group > GROUPS.len() {
                let (shape, weight) = line
                    .split_once(' ')
                    .ok_or_else(|| fail("a shape and its weight are wanted".to_owned()))?;
                let (_, key) = shapes::parse(shape).ok_or_else(|| fail(format!("`{shape}` is no shape")))?;
                model.shapes.insert(key, number(weight.trim())?);
            } else {
                for word in line.split_whitespace() {
                    if model.plain.len() == wanted {
                        return Err(fail("more weights than the group has".to_owned()));
                    }
                    model.plain.push(number(word)?);
                }
            }
        }
        if model.plain.len() != PLAIN {
            let message = format!("{} weights, {PLAIN} expected", model.plain.len());
            return Err(ModelError { line: text.lines().count(), message });
        }
        Ok(model)
    }
}

/// Turns ratings into probabilities; `rating` is where an item holds its own.
pub fn softmax<T>(items: &mut [T], rating: impl Fn(&mut T) -> &mut f32) {
    let most = items.iter_mut().map(|m| *rating(m)).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for item in items.iter_mut() {
        let rating = rating(item);
        *rating = (*rating - most).exp();
        sum += *rating;
    }
    items.iter_mut().for_each(|item| *rating(item) /= sum);
}
