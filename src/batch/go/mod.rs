//! Runs the Go cases of a batch: it puts positions into a World, analyses them, and takes the findings out.

mod field;

use super::settings::Settings;
use crate::judges;
use crate::limits::Watch;
use crate::record::Finding;
use crate::record::expectation;
use crate::record::expectation::go::GoExpectation;
use crate::record::go::Analysed;
use crate::scene::position::{self, GoInput};
use crate::scene::warnings;
use crate::scene::{Case, Column, Expect, Scene, Task};
use serde_json::json;
use std::collections::BTreeMap;
use tengen_core::diagnostic::Severity;
use tengen_core::profiler::{count, step};
use tengen_core::{Diagnostic, Parallelism};
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::judge::JudgeInForce;
use tengen_go::reasons::Reasoner;
use tengen_go::world::Position;
use tengen_go::{Effort, GoEngine, Level};

/// The best moves that the column `Reasons` explains.
const EXPLAINED: usize = 5;

/// One worker's World.
pub struct GoWorker {
    engine: GoEngine,
    effort: Option<Level>,
    judge: Option<JudgeInForce>,
    allow_commands: bool,
    limit_nodes: Option<u64>,
    illegal_moves_pass: bool,
    reasoner: Reasoner,
}

impl GoWorker {
    /// A World with as many slots as boards may share it.
    #[must_use]
    pub fn new(settings: &Settings, parallelism: Parallelism) -> Self {
        let slots = u32::try_from(settings.boards_per_world.max(1)).unwrap_or(1);
        let limit_nodes = [settings.limit_nodes, settings.limits.nodes].into_iter().flatten().min();
        let mut engine = GoEngine::with_plugins(slots, (tengen_go::GoPlugins, settings.extensions.plugin()))
            .parallelism(parallelism);
        if let Some(patterns) = &settings.patterns {
            engine.world_mut().insert_resource(patterns.clone());
        }
        Self {
            engine,
            effort: settings.effort,
            judge: settings.judge.clone(),
            allow_commands: settings.allow_commands,
            limit_nodes,
            illegal_moves_pass: settings.illegal_moves_pass,
            reasoner: Reasoner::of_many(),
        }
    }

    /// Runs cases that share a World: analyses up to the same stage, or a single case of another task.
    pub fn run(&mut self, cases: &[Case], watch: &Watch) -> Vec<Result<Finding, Diagnostic>> {
        let inputs: Vec<Result<GoInput, Diagnostic>> =
            step("go: read positions", || cases.iter().map(position::go).collect());
        let Some(scene) = cases.first().and_then(|c| c.scene.clone()) else { return Vec::new() };
        if let Task::Analyse { last, .. } = &scene.task {
            if let Some(command) = self.command_refused(&scene) {
                return cases.iter().map(|case| Err(command_of_scene(case, &command))).collect();
            }
            self.engine.read_under(self.effort_of(&scene));
            self.engine.judge_by(self.judge.clone().or(scene.judge.clone()).unwrap_or_default());
            for (slot, input) in inputs.iter().enumerate() {
                if let Ok(input) = input {
                    self.engine.put(slot, input.position.clone());
                } else {
                    self.engine.clear(slot);
                }
            }
            (inputs.len()..self.engine.slots()).for_each(|slot| self.engine.clear(slot));
            self.engine.analyse(*last);
            step("go: reasons", || self.publish_reasons(cases));
            step("go: threats", || self.read_threats(cases));
            let after: Vec<Option<Diagnostic>> = step("go: after a move", || self.read_moves(cases));
            return step("go: results and expectations", || {
                let found = |(slot, fault): (usize, Option<Diagnostic>)| match fault {
                    Some(fault) => Err(fault),
                    None => self.finding(&cases[slot], &inputs[slot], slot),
                };
                after.into_iter().enumerate().map(found).collect()
            });
        }
        cases.iter().zip(inputs).map(|(case, input)| self.other(case, &scene, &input?, watch)).collect()
    }

    /// The program that a scene names as its judge, if it may not be started.
    fn command_refused(&self, scene: &Scene) -> Option<String> {
        let name = scene.judge.as_ref().filter(|_| self.judge.is_none() && !self.allow_commands)?.0.name();
        judges::is_command(&name).then_some(name)
    }

    /// Publishes the reasons of the cases that ask for them, where somebody judges the position.
    fn publish_reasons(&mut self, cases: &[Case]) {
        for (slot, case) in cases.iter().enumerate() {
            let task = case.scene.as_ref().map(|scene| &scene.task);
            let is_asked =
                matches!(task, Some(Task::Analyse { columns, .. }) if columns.contains(&Column::Reasons));
            let Some(position) = self.engine.position(slot).filter(|_| is_asked) else { continue };
            let size = position.board.size();
            let played = case.about().and_then(|origin| origin.played);
            let played = played.and_then(|name| Vertex::from_gtp(&name, size));
            let played: Vec<Vertex> =
                played.filter(|&v| position.board.is_legal(position.to_move, v)).into_iter().collect();
            // Where nobody judges, nothing is explained; the record says so by having no reasons.
            let _ = self.reasoner.publish(&mut self.engine, slot, &played, EXPLAINED);
        }
    }

    /// Reads the threats of the cases that ask for them.
    fn read_threats(&mut self, cases: &[Case]) {
        for (slot, case) in cases.iter().enumerate() {
            let task = case.scene.as_ref().map(|scene| &scene.task);
            if matches!(task, Some(Task::Analyse { columns, .. }) if columns.contains(&Column::Threats)) {
                self.engine.read_threats(slot);
            }
        }
    }

    /// Publishes the influence after the moves that cases name; why it can't be had.
    fn read_moves(&mut self, cases: &[Case]) -> Vec<Option<Diagnostic>> {
        let mut read = |(slot, case): (usize, &Case)| {
            let Some(Task::Analyse { after: Some(name), .. }) = case.scene.as_ref().map(|s| &s.task) else {
                return None;
            };
            let position = self.engine.position(slot)?;
            let (board, color) = (&position.board, position.to_move);
            let at = Vertex::from_gtp(name, board.size()).filter(|&v| v != Vertex::PASS);
            let Some(at) = at.filter(|&v| board.is_legal(color, v)) else {
                let fault = case.fault("after:", format!("`{name}` is no legal move of {color} there"));
                return Some(fault.help("name an empty vertex, as `after: \"D4\"`"));
            };
            if self.engine.read_move(slot, at) {
                return None;
            }
            let fault = case.fault("after:", "the influence after a move needs the second influence");
            Some(fault.help("leave `last` out, or name a later stage"))
        };
        cases.iter().enumerate().map(&mut read).collect()
    }

    /// The effort for a scene.
    fn effort_of(&self, scene: &Scene) -> Effort {
        let effort = Effort::of(self.effort.or(scene.effort).unwrap_or_default());
        self.limit_nodes.map_or(effort, |most| effort.at_most(most))
    }

    fn finding(
        &self,
        case: &Case,
        input: &Result<GoInput, Diagnostic>,
        slot: usize,
    ) -> Result<Finding, Diagnostic> {
        let input = input.as_ref().map_err(Clone::clone)?;
        let stopped = input.stopped.as_ref();
        if let Some(fault) = stopped.filter(|_| !self.illegal_moves_pass) {
            return Err(as_told(fault));
        }
        let warned = stopped.map(illegal_move).into_iter().collect();
        let scene = case.scene.as_ref().ok_or_else(|| Diagnostic::error("the case has no scene"))?;
        let analysed = Analysed::new(&self.engine, slot, input);
        if let Some(fault) = self.engine.judge_fault(slot) {
            return Err(case.fault("judge:", fault.message.clone()).help(fault.help.clone()));
        }
        let columns = if let Task::Analyse { columns, .. } = &scene.task { columns.as_slice() } else { &[] };
        let (mut result, summary) = analysed.result(columns);
        count("go positions", 1);
        if let Some(added) = analysed.added_columns()
            && let Some(fields) = result.as_object_mut()
        {
            fields.insert("own".into(), added);
        }
        let checked = |e: &Expect| match e {
            Expect::Column { .. } => Ok(expectation::column(&result, e)),
            _ => GoExpectation { case, expect: e }.check(&analysed),
        };
        let expect = scene.expect.iter().map(checked).collect::<Result<_, _>>()?;
        Ok(Finding { result, expect, summary, warnings: warned })
    }

    fn other(
        &mut self,
        case: &Case,
        scene: &Scene,
        input: &GoInput,
        watch: &Watch,
    ) -> Result<Finding, Diagnostic> {
        if let Some(fault) = input.stopped.as_ref().filter(|_| !self.illegal_moves_pass) {
            return Err(as_told(fault));
        }
        let warned = input.stopped.iter().map(illegal_move);
        match &scene.task {
            Task::Influence { .. } => {
                let mut finding = field::run(case, scene, input)?;
                finding.warnings.extend(warned);
                Ok(finding)
            }
            Task::Playouts { count } => {
                let mut finding = playouts(&input.position, *count, case.seed, watch);
                finding.warnings.extend(warned);
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

/// The fault of a move that can't be played, with the option of `tengen run` that takes it.
fn as_told(fault: &Diagnostic) -> Diagnostic {
    fault.clone().help("`--illegal-moves warning` takes the position before it")
}

/// The fault of a scene whose judge is a program that may not be started.
pub(super) fn command_of_scene(case: &Case, command: &str) -> Diagnostic {
    case.fault("judge:", format!("the scene lets another program judge, `{command}`"))
        .help("allow it by --allow-commands, or name the judge by --judge")
}

/// The warning of a move that can't be played, where the position before it is taken.
fn illegal_move(fault: &Diagnostic) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..fault.clone() }
        .of_kind(warnings::ILLEGAL_MOVE)
        .help("the position before it is taken: mend the move")
}

/// Plays random games to the end, within the limits of the watch: White's wins by area, the margins, and the lengths.
fn playouts(position: &Position, count: u64, seed: u64, watch: &Watch) -> Finding {
    let (mut games, mut white, mut moves) = (0_u64, 0_u64, 0_u64);
    let mut leads: BTreeMap<i64, u64> = BTreeMap::new();
    for game in 0..count {
        let mut board = position.board.clone();
        let played = random_game(&mut board, position.to_move, tengen_core::derive_seed(seed, &[game]));
        if watch.spend(played) {
            break;
        }
        games += 1;
        moves += played;
        let lead = board.area_lead(position.komi);
        white += u64::from(lead > 0.0);
        *leads.entry(lead.floor() as i64).or_default() += 1;
    }
    let share = crate::record::rounded(white as f64 / games.max(1) as f64);
    // In the order of the leads: as pairs, since keys of an object are text.
    let leads: Vec<(i64, u64)> = leads.into_iter().collect();
    let result = json!({ "games": games, "white_wins": share, "moves": moves, "white_leads": leads });
    let summary = format!("White wins {share} of {games}");
    Finding { summary, result, ..Finding::default() }
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

/// Checks a case without an analysis: its position, and that it would find what its expectations look at.
///
/// # Errors
/// The faults of the positions.
pub fn check(case: &Case) -> Result<(), Diagnostic> {
    let input = position::go(case)?;
    if let Some(fault) = input.stopped {
        return Err(fault);
    }
    let Some(scene) = &case.scene else { return Ok(()) };
    scene.expect.iter().try_for_each(|expect| GoExpectation { case, expect }.check_names(&input))
}
