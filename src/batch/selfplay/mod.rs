//! Self-play of Go: many games at once, each a board of a World, and a slot handed on when its game is over.
//!
//! # Steps
//! 1. Each worker has a World with a few slots and fills them with the next games of the list.
//! 2. It analyses all of them, then plays one move in each (`game::Playing::step`).
//! 3. A finished game goes to the calling thread, its slot to the next game.
//!
//! A game rests on its number and the run's seed alone: which worker plays it, and beside which others, is no matter.

pub mod folder;
pub mod game;

pub use folder::{Entry, Folder};
pub use game::{End, Finished, Start};

use game::Playing;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use tengen_core::{Parallelism, derive_seed};
use tengen_go::moves::MoveList;
use tengen_go::{AnalyseSystems, GoEngine};

/// Games that share a World at most.
const SLOTS: usize = 8;

/// What games are played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where games begin: game n at `starts[(n - 1) % starts.len()]`.
    pub starts: Vec<Start>,
    /// The run's seed; that of game n derives from it.
    pub seed: u64,
}

impl Plan {
    /// Where game `number`, from 1, begins.
    #[must_use]
    pub fn start(&self, number: u32) -> &Start {
        &self.starts[(number as usize - 1) % self.starts.len()]
    }

    /// The seed of game `number`: its start's own, if the scene has one, or the run's, with the number.
    #[must_use]
    pub fn seed(&self, number: u32) -> u64 {
        derive_seed(self.start(number).seed.unwrap_or(self.seed), &[number.into()])
    }
}

/// Plays the games of these numbers in this pool and hands each to `sink` as soon as it is over, in no fixed order.
/// Stops early, leaving games out, when `interrupted` is set.
///
/// # Errors
/// The sink's first error; the run ends there.
pub fn play(
    pool: &rayon::ThreadPool,
    plan: &Plan,
    numbers: &[u32],
    interrupted: &AtomicBool,
    mut sink: impl FnMut(Finished) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let threads = pool.current_num_threads().max(1);
    let parallelism = if numbers.len() < threads { Parallelism::Inside } else { Parallelism::Shards };
    let slots = numbers.len().div_ceil(threads).clamp(1, SLOTS);
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (send, receive) = mpsc::channel();
    pool.in_place_scope(|scope| {
        for _ in 0..threads.min(numbers.len()) {
            let (send, next, stop) = (send.clone(), &next, &stop);
            scope.spawn(move |_| {
                let mut shard = Shard::new(plan, slots, parallelism);
                let take = || numbers.get(next.fetch_add(1, Ordering::Relaxed)).copied();
                while !interrupted.load(Ordering::Relaxed)
                    && !stop.load(Ordering::Relaxed)
                    && shard.fill(take)
                {
                    // Nobody listens only if the run failed already.
                    shard.step().into_iter().for_each(|game| drop(send.send(game)));
                }
            });
        }
        drop(send);
        let result = receive.into_iter().try_for_each(&mut sink);
        stop.store(true, Ordering::Relaxed);
        result
    })
}

/// One worker's World and the games on its slots.
struct Shard<'a> {
    plan: &'a Plan,
    engine: GoEngine,
    games: Vec<Option<Playing<'a>>>,
}

impl<'a> Shard<'a> {
    fn new(plan: &'a Plan, slots: usize, parallelism: Parallelism) -> Self {
        let engine = GoEngine::new(slots as u32).parallelism(parallelism);
        Self { plan, engine, games: (0..slots).map(|_| None).collect() }
    }

    /// Step 1: begins a game on each free slot while there are any. Whether a game is going on.
    fn fill(&mut self, take: impl Fn() -> Option<u32>) -> bool {
        for game in self.games.iter_mut().filter(|g| g.is_none()) {
            let Some(number) = take() else { break };
            *game = Some(Playing::new(number, self.plan.start(number), self.plan.seed(number)));
        }
        self.games.iter().any(Option::is_some)
    }

    /// Steps 2 and 3: one move in each game; the games that are over by it.
    fn step(&mut self) -> Vec<Finished> {
        for (slot, game) in self.games.iter().enumerate() {
            match game {
                Some(game) => self.engine.put(slot, game.position().clone()),
                None => self.engine.clear(slot),
            }
        }
        self.engine.analyse(AnalyseSystems::MoveEvaluation);
        let mut finished = Vec::new();
        for (slot, place) in self.games.iter_mut().enumerate() {
            let Some(game) = place else { continue };
            let list = self.engine.result::<MoveList>(slot, AnalyseSystems::MoveEvaluation);
            if let Some(end) = game.step(list.map_or(&[], |l| &l.candidates)) {
                finished.extend(place.take().map(|game| game.finish(end)));
            }
        }
        finished
    }
}
