//! Runs the judge's search as jobs of the schedule `Expand`. A job is a few positions to look at.

use super::super::{JudgeInForce, View};
use super::Question;
use super::proofs::{Seen, with_proofs};
use super::tree::{Leaf, Tree, Way};
use crate::world::{Past, Position, past_with};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_search::{Searcher, Window};

/// A search under way.
pub(super) struct Looking {
    judge: JudgeInForce,
    tree: Tree,
    komi: f32,
    before: Past,
    looks: u32,
    threads: usize,
    under_way: u32,
    /// Looks that the judge did not answer.
    failed: u32,
    halt: Arc<AtomicBool>,
}

/// Positions to look at, then what was seen of them.
pub(super) struct Job {
    judge: JudgeInForce,
    komi: f32,
    before: Past,
    leaves: Vec<Leaf>,
    seen: Vec<Option<Seen>>,
}

impl Looking {
    pub(super) fn new(
        judge: JudgeInForce,
        tree: Tree,
        question: &Question<'_>,
        halt: Arc<AtomicBool>,
    ) -> Self {
        Self {
            judge,
            tree,
            komi: question.komi,
            before: question.before,
            looks: question.looks,
            threads: question.threads.max(1),
            under_way: 0,
            failed: 0,
            halt,
        }
    }

    /// The tree, if the judge judged its root.
    pub(super) fn into_tree(self) -> Option<Tree> {
        self.tree.is_begun().then_some(self.tree)
    }

    /// Whether no more looks are to begin.
    fn is_over(&self) -> bool {
        let spent = self.tree.visits() + self.under_way + self.failed;
        // The root is looked at even if no time is left.
        spent > 0 && (spent >= self.looks || self.halt.load(Ordering::Relaxed))
    }
}

impl Searcher for Looking {
    type Job = Job;

    fn name(&self) -> &'static str {
        "go/judge"
    }

    fn window(&self) -> Window {
        if self.threads == 1 { Window::rounds(1) } else { Window { jobs: self.threads + 1, step: 1 } }
    }

    /// Step 1.
    fn select(&mut self, room: usize, jobs: &mut Vec<Job>) {
        let batch = self.judge.0.batch().max(1);
        while jobs.len() < room && !self.is_over() {
            let mut leaves = Vec::new();
            while leaves.len() < batch && !self.is_over() {
                match self.tree.descend() {
                    Way::New(leaf) => {
                        self.under_way += 1;
                        leaves.push(*leaf);
                    }
                    Way::Over => {}
                    Way::Busy => break,
                }
            }
            if leaves.is_empty() {
                break;
            }
            let Self { komi, before, .. } = *self;
            jobs.push(Job { judge: self.judge.clone(), komi, before, leaves, seen: Vec::new() });
        }
    }

    /// Step 2.
    fn work(job: &mut Job) {
        let position = |leaf: &Leaf| Position {
            komi: job.komi,
            past: past_with(&leaf.board, job.before),
            ..Position::new(leaf.board.clone(), leaf.color)
        };
        let positions: Vec<Position> = job.leaves.iter().map(position).collect();
        let views = job.judge.0.view_each(&positions);
        let seen = |(leaf, view): (&Leaf, Option<View>)| {
            let view = view?;
            Some(if leaf.is_root() {
                Seen { view, is_proved: false }
            } else {
                with_proofs(&leaf.board, job.komi, view)
            })
        };
        job.seen = job.leaves.iter().zip(views).map(seen).collect();
    }

    /// Step 3.
    fn backup(&mut self, job: Job) {
        let seen = job.seen.into_iter().chain(std::iter::repeat_with(|| None));
        for (leaf, seen) in job.leaves.into_iter().zip(seen) {
            self.under_way -= 1;
            self.failed += u32::from(seen.is_none());
            self.tree.settle(&leaf, seen.as_ref());
        }
    }

    fn finished(&self) -> bool {
        self.under_way == 0 && self.is_over()
    }
}
