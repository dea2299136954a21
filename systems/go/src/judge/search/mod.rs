//! A tree search whose moves and values come from a judge. It is one [`Searcher`](tengen_search::Searcher) for any
//! number of threads.
//!
//! # Source
//! D. Silver and others, "Mastering the game of Go without human knowledge" (2017), section "Search algorithm"; D. J.
//! Wu, "Accelerating Self-Play Learning in Go" (2019), for the first value of a move that was not visited and for
//! utility by lead; G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo Tree Search" (2008), for virtual
//! losses.
//!
//! # Notation
//! A *look* is one question to the judge. `P` is the judge's likelihood of a move, `N` its visits, `Q` its mean utility
//! for the side that makes it. *Utility* lies between -1 and 1. It depends mostly on who wins, and partly on the lead
//! compared with the root's lead.
//!
//! # Steps
//! 1. Descend from the root by the greatest `Q + C P sqrt(sum of N) / (1 + N)` (`tree`). A descent that is not finished
//!    counts as a lost visit, so that the next one goes elsewhere.
//! 2. Look at the position reached (`expand`). Proved facts about the position correct the view (`proofs`). The likely
//!    moves become children, unless everything is proved.
//! 3. Add the look's utility, win rate and lead to all positions on the way.
//! 4. After moves on the board, keep the tree below them for the next search ([`KeptTree`]).
//!
//! # Departures
//! After a single look the most likely move counts as visited, with the root's values. A move that was not visited has
//! the `Q` of its parent less a part that grows with the likelihood visited so far. Two passes end a line, and the
//! judge's lead is its score. There is no noise. The result depends only on the position, the number of looks, the
//! number of threads asked for and the tree that was kept.
//!
//! # Cost
//! The looks take nearly all of the time, the tree a hundredth of it. On 19x19 the tree takes 0.8 kB of memory for each
//! look.

mod expand;
mod proofs;
mod tree;

use super::JudgeInForce;
use crate::board::{Board, Color, Vertex};
use crate::playout::Findings;
use crate::world::Past;
use expand::Looking;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tengen_search::{run_beside, run_here};
use tree::Tree;

/// A position whose moves are weighed, and the limits of that.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The board, with its history.
    pub board: &'a Board,
    /// Whose moves are weighed.
    pub color: Color,
    /// White's points for moving second.
    pub komi: f32,
    /// Looks in all, those that a kept tree holds included.
    pub looks: u32,
    /// The moves to search from the root, a pass too if it is among them; `None`: all.
    pub allowed: Option<&'a [Vertex]>,
    /// The last moves before the board's own history begins, latest first; passes where there are none.
    pub before: Past,
    /// The threads that the search is made for; another number is another search.
    pub threads: usize,
    /// The tree of the search before, if it is to go on where it can.
    pub kept: Option<&'a KeptTree>,
}

/// A tree that outlives its search, so that the next one of the same game begins with it. Copies share the tree.
#[derive(Clone, Default)]
pub struct KeptTree(Arc<Mutex<Option<Tree>>>);

impl fmt::Debug for KeptTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeptTree")
    }
}

impl KeptTree {
    /// Drops the tree.
    pub fn forget(&self) {
        self.swap(None);
    }

    fn swap(&self, tree: Option<Tree>) -> Option<Tree> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), tree)
    }
}

/// Searches the moves of a position; `None` if the judge does not judge it. `stop` is asked after each look, or about
/// every millisecond with several threads.
#[must_use]
pub fn search(
    judge: &JudgeInForce,
    question: &Question<'_>,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Findings> {
    let kept = question.kept.filter(|_| question.allowed.is_none());
    let known = kept.and_then(|kept| kept.swap(None)).and_then(|tree| tree.moved_to(question));
    let tree = known.unwrap_or_else(|| Tree::new(question));
    let halt = Arc::new(AtomicBool::new(false));
    let looking = Looking::new(judge.clone(), tree, question, Arc::clone(&halt));
    let mut meanwhile = || halt.store(stop(), Ordering::Relaxed);
    let run = if question.threads > 1 { run_beside } else { run_here };
    let tree = run(vec![looking], &mut meanwhile).pop()?.into_tree()?;
    let findings = tree.findings();
    if let Some(kept) = kept {
        kept.swap(Some(tree));
    }
    Some(findings)
}
