//! The Go part of a batch: positions into a World, analysis, findings out.

mod check;
mod dragons;
mod field;
mod moves;
mod result;
mod territory;

pub(super) use check::Differences;

use super::{Case, Finding, Settings};
use crate::scene::position::{self, GoInput};
use crate::scene::{Scene, Task};
use serde_json::json;
use tengen_core::profiler::{count, step};
use tengen_core::{Diagnostic, Parallelism};
use tengen_go::GoEngine;
use tengen_go::board::{Board, Color};
use tengen_go::schedule::NodeLimit;
use tengen_go::world::Position;

/// One worker's World.
pub struct GoWorker {
    engine: GoEngine,
}

/// What was thought about and in which slot the results are.
pub(super) struct Analysed<'a> {
    pub(super) input: &'a GoInput,
    pub(super) engine: &'a GoEngine,
    pub(super) slot: usize,
}

impl GoWorker {
    /// A World with as many slots as boards may share it.
    #[must_use]
    pub fn new(settings: &Settings, parallelism: Parallelism) -> Self {
        let slots = u32::try_from(settings.boards_per_world.max(1)).unwrap_or(1);
        let mut engine = GoEngine::new(slots).parallelism(parallelism);
        engine.world_mut().insert_resource(NodeLimit(settings.limit_nodes));
        if let Some(patterns) = &settings.patterns {
            engine.world_mut().insert_resource(patterns.clone());
        }
        Self { engine }
    }

    /// Runs cases that share a World: analyses up to the same stage, or a single case of another task.
    pub fn run(&mut self, cases: &[Case]) -> Vec<Result<Finding, Diagnostic>> {
        let inputs: Vec<Result<GoInput, Diagnostic>> =
            step("go: read positions", || cases.iter().map(position::go).collect());
        let Some(scene) = cases.first().and_then(|c| c.scene.clone()) else { return Vec::new() };
        if let Task::Analyse { last, .. } = &scene.task {
            for (slot, input) in inputs.iter().enumerate() {
                if let Ok(input) = input {
                    self.engine.put(slot, input.position.clone());
                } else {
                    self.engine.clear(slot);
                }
            }
            (inputs.len()..self.engine.slots()).for_each(|slot| self.engine.clear(slot));
            self.engine.analyse(*last);
            return step("go: results and expectations", || {
                (0..cases.len()).map(|slot| self.finding(&cases[slot], &inputs[slot], slot)).collect()
            });
        }
        cases.iter().zip(inputs).map(|(case, input)| self.other(case, &scene, &input?)).collect()
    }

    fn finding(
        &self,
        case: &Case,
        input: &Result<GoInput, Diagnostic>,
        slot: usize,
    ) -> Result<Finding, Diagnostic> {
        let input = input.as_ref().map_err(Clone::clone)?;
        let scene = case.scene.as_ref().ok_or_else(|| Diagnostic::error("the case has no scene"))?;
        let analysed = Analysed { input, engine: &self.engine, slot };
        let columns = if let Task::Analyse { columns, .. } = &scene.task { columns.as_slice() } else { &[] };
        let (result, summary) = result::of(&analysed, columns);
        count("go positions", 1);
        let expect =
            scene.expect.iter().map(|e| check::check(case, &analysed, e)).collect::<Result<_, _>>()?;
        Ok(Finding { result, expect, summary })
    }

    fn other(&mut self, case: &Case, scene: &Scene, input: &GoInput) -> Result<Finding, Diagnostic> {
        match &scene.task {
            Task::Influence { .. } => field::run(case, scene, input),
            Task::Playouts { count } => {
                let finding = playouts(&input.position, *count, case.seed);
                if scene.expect.is_empty() {
                    return Ok(finding);
                }
                Err(case.fault("expect:", "playouts of Go have nothing to expect").help("leave `expect` out"))
            }
            _ => Err(case
                .fault("task:", format!("the task `{}` means nothing for Go", scene.task.name()))
                .help("the tasks of Go are `Analyse`, `SelfPlay`, `Playouts` and `Influence`")),
        }
    }
}

/// Random games to the end: how many White wins by area, and how long they are.
fn playouts(position: &Position, count: u64, seed: u64) -> Finding {
    let (mut white, mut moves) = (0_u64, 0_u64);
    for game in 0..count {
        let mut board = position.board.clone();
        let played = random_game(&mut board, position.to_move, tengen_core::derive_seed(seed, &[game]));
        moves += played;
        white += u64::from(board.area_score(|_| false).white_lead(position.komi) > 0.0);
    }
    let share = super::record::rounded(white as f64 / count.max(1) as f64);
    let result = json!({ "games": count, "white_wins": share, "moves": moves });
    Finding { summary: format!("White wins {share} of {count}"), result, expect: Vec::new() }
}

/// Plays random moves that fill no eye until both pass; the number of moves.
fn random_game(board: &mut Board, first: Color, seed: u64) -> u64 {
    let mut random = tengen_core::SplitMix64::new(seed);
    let (mut color, mut passes, mut moves) = (first, 0, 0);
    let limit = 3 * (board.size() * board.size()) as u64;
    while passes < 2 && moves < limit {
        let own_eye = |v| board.neighbors4(v).all(|n| board.color_at(n) == Some(color));
        let open: Vec<_> = board
            .vertices()
            .filter(|&v| board.is_empty(v) && !own_eye(v) && board.is_legal(color, v))
            .collect();
        let v = match open.len() {
            0 => tengen_go::board::Vertex::PASS,
            n => open[random.below(n as u32) as usize],
        };
        let legal = board.play(color, v).is_ok();
        debug_assert!(legal, "the move was legal before it was played");
        passes = if v == tengen_go::board::Vertex::PASS { passes + 1 } else { 0 };
        moves += 1;
        color = color.other();
    }
    moves
}

/// The result of an analysed slot as a record has it, with all candidates instead of the best alone.
pub(crate) fn record_of(engine: &GoEngine, slot: usize, input: &GoInput) -> serde_json::Value {
    let analysed = Analysed { input, engine, slot };
    let (mut result, _) = result::of(&analysed, &[]);
    if let (Some(result), Some(all)) = (result.as_object_mut(), moves::all(&analysed)) {
        result.insert("moves".into(), all);
    }
    result
}

/// Checks that the vertices named by the expectations of a case exist.
///
/// # Errors
/// What is wrong with them.
pub fn check_expectations(case: &Case, input: &GoInput) -> Result<(), Diagnostic> {
    let Some(scene) = &case.scene else { return Ok(()) };
    scene.expect.iter().try_for_each(|expect| check::names(case, input, expect))
}
