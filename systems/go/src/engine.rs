//! [`GoEngine`] analyses Go positions: it owns a World with the schedule `Analyse` and some board slots.
//!
//! The batch runner keeps one engine for each worker, for throughput. GTP keeps one engine with a single slot, for low
//! latency. For other uses, [`GoEngine::world_mut`] gives the World for queries.

use crate::board::{Color, Vertex};
use crate::dragons::{DragonMap, LifeAnswer, QueryAnswers, RaceAnswer, Threats, threats};
use crate::effort::Effort;
use crate::influence::after_move::{self, MoveInfluence};
use crate::influence::{FirstInfluence, SecondInfluence, StoneStatuses};
use crate::judge::{JudgeFault, JudgeInForce, Judgement, NoJudge};
use crate::memory::ReadingMemory;
use crate::moves::MoveList;
use crate::owl::LifeReader;
use crate::patterns::PatternDatabases;
use crate::plugins::GoPlugins;
use crate::publish::{OwlThreat, Units};
use crate::schedule::{Analyse, AnalyseSystems, DoneStage, LastStage, Refining};
use crate::tactics::{QueriedStrings, TacticsMap};
use crate::world::{self, Points, Position};
use crate::worms::WormMap;
use bevy_app::{App, Plugins};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::Schedules;
use std::sync::Arc;
use tengen_core::Parallelism;
use tengen_core::profiler::{Recorder, instrument};

#[cfg(test)]
mod tests;

/// Analyses up to `slots` positions at a time, in a World of its own.
///
/// ```
/// use tengen_go::board::{Board, Color};
/// use tengen_go::world::Position;
/// use tengen_go::{AnalyseSystems, GoEngine};
///
/// let mut engine = GoEngine::new(1);
/// engine.put(0, Position::new(Board::new(9), Color::Black));
/// engine.analyse(AnalyseSystems::Worms);
/// assert_eq!(engine.position(0).map(|p| p.board.size()), Some(9));
/// ```
pub struct GoEngine {
    world: World,
    slots: Vec<Entity>,
    last: Option<AnalyseSystems>,
    /// Whether the dragons are read and only to be refined.
    refining: bool,
    recorder: Option<Recorder>,
}

/// The result of a single question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A question about the string at this vertex. The string is read again with the limits of single questions.
    String(Vertex),
    /// The answer of life-and-death reading about a dragon.
    Life(LifeAnswer),
    /// The answer of a reading of a capturing race.
    Race(RaceAnswer),
}

impl GoEngine {
    /// An engine with all of Tengen's plugins and this many empty slots. Its systems run on the calling thread.
    #[must_use]
    pub fn new(slots: u32) -> Self {
        Self::with_plugins(slots, GoPlugins)
    }

    /// An engine with these plugins: `GoPlugins` with a caller's own added, or some disabled.
    #[must_use]
    pub fn with_plugins<M>(slots: u32, plugins: impl Plugins<M>) -> Self {
        let mut app = App::empty();
        app.add_plugins(plugins);
        app.finish();
        app.cleanup();
        let mut world = std::mem::take(app.world_mut());
        let slots = (0..slots).map(|number| world::spawn_slot(&mut world, number)).collect();
        Self { world, slots, last: None, refining: false, recorder: None }
    }

    /// The same engine, with this use of threads.
    #[must_use]
    pub fn parallelism(mut self, parallelism: Parallelism) -> Self {
        self.world.insert_resource(parallelism);
        self
    }

    /// The same engine with this effort. The findings for a position depend on it.
    #[must_use]
    pub fn effort(mut self, effort: Effort) -> Self {
        self.read_under(effort);
        self
    }

    /// Sets the effort from now on; findings with another effort are dropped.
    pub fn read_under(&mut self, effort: Effort) {
        if *self.world.resource::<Effort>() != effort {
            (self.last, self.refining) = (None, false);
            self.slots.clone().into_iter().for_each(|slot| self.forget_asked(slot));
            self.world.insert_resource(effort);
        }
    }

    /// Keeps answers of readings in this memory from now on. No finding depends on it.
    pub fn keep_readings(&mut self, memory: ReadingMemory) {
        self.world.insert_resource(memory);
    }

    /// The memory of readings.
    #[must_use]
    pub fn reading_memory(&self) -> &ReadingMemory {
        self.world.resource()
    }

    /// Sets the judge from now on; findings with another judge are dropped.
    pub fn judge_by(&mut self, judge: JudgeInForce) {
        if self.world.get_resource::<JudgeInForce>() != Some(&judge) {
            (self.last, self.refining) = (None, false);
            self.world.insert_resource(judge);
        }
    }

    /// The judge in force.
    #[must_use]
    pub fn judge(&self) -> JudgeInForce {
        self.world.get_resource().cloned().unwrap_or_else(|| JudgeInForce(Arc::new(NoJudge)))
    }

    /// Why the judge in force could not be asked about the position on a slot; `None` if it was not asked or had no fault.
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    pub fn judge_fault(&self, slot: usize) -> Option<&JudgeFault> {
        self.result::<Judgement>(slot, AnalyseSystems::Judge)?.fault.as_ref()
    }

    /// The number of board slots.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Puts a position on a slot; the first slot is 0. The slot's earlier results are dropped.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn put(&mut self, slot: usize, position: Position) {
        (self.last, self.refining) = (None, false);
        world::put(&mut self.world, self.slots[slot], position);
        self.forget_asked(self.slots[slot]);
    }

    /// Drops the answers about a position.
    fn forget_asked(&mut self, slot: Entity) {
        let mut slot = self.world.entity_mut(slot);
        slot.insert((QueriedStrings::default(), QueryAnswers::default()))
            .remove::<(Threats, MoveInfluence)>();
    }

    /// Adds the result of a question to the analysis of the position on a slot. Until the slot gets another position,
    /// every stage that depends on the result uses it and runs again on request. Returns whether the record changes.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn refine(&mut self, slot: usize, found: Finding) -> bool {
        let asked = self.world.get_mut::<QueryAnswers>(self.slots[slot]);
        let news = match found {
            Finding::String(at) => return self.refine_string(slot, at),
            Finding::Life(life) => asked.is_some_and(|mut asked| asked.add_life(life)),
            Finding::Race(race) => asked.is_some_and(|mut asked| asked.add_race(race)),
        };
        if news && self.reached(AnalyseSystems::Dragons) {
            (self.last, self.refining) = (Some(AnalyseSystems::FirstInfluence), true);
        }
        news
    }

    /// [`Self::refine`] for a string. If the reading of the string stays the same, nothing else changes.
    fn refine_string(&mut self, slot: usize, at: Vertex) -> bool {
        let entity = self.slots[slot];
        let Some(origin) = self.position(slot).map(|position| position.board.origin(at)) else {
            return false;
        };
        let Some(mut asked) = self.world.get_mut::<QueriedStrings>(entity) else { return false };
        if asked.0.contains(&origin) {
            return false;
        }
        asked.0.push(origin);
        let Some(before) = self.result::<TacticsMap>(slot, AnalyseSystems::Tactics).cloned() else {
            return true;
        };
        let (last, refining) = (self.last.replace(AnalyseSystems::Worms), self.refining);
        self.extend(AnalyseSystems::Tactics);
        let news = self.world.get::<TacticsMap>(entity) != Some(&before);
        if let Some(last) = last.filter(|_| !news) {
            // Once more for what was published of the stages after it.
            (self.last, self.refining) = (Some(last), refining);
            self.run(last);
        }
        news
    }

    /// Reads the threats to kill or to save the dragons of a slot. Writes [`Threats`] on the board and [`OwlThreat`] on
    /// the dragons. It does nothing if the dragons are not known.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn read_threats(&mut self, slot: usize) {
        let Some(map) = self.result::<DragonMap>(slot, AnalyseSystems::Dragons) else { return };
        let Some(position) = self.position(slot) else { return };
        let effort = self.world.get_resource::<Effort>().copied().unwrap_or_default();
        let mut life = LifeReader::new(effort.eyes);
        let found = threats::read_threats(&position.board, map, &mut life, effort.life);
        let units = self.component::<Units>(slot).map_or(&[][..], |units| units.dragons.live()).to_vec();
        for (unit, threat) in units.into_iter().zip(&found) {
            if let Ok(mut dragon) = self.world.get_entity_mut(unit) {
                dragon.insert(OwlThreat(*threat));
            }
        }
        self.world.entity_mut(self.slots[slot]).insert(Threats(found));
    }

    /// Finds the influence after a move of the side to move, and after its follow-up. Writes [`MoveInfluence`] on the
    /// board. Returns `false` if the second influence is missing or the move is illegal.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn read_move(&mut self, slot: usize, at: Vertex) -> bool {
        use AnalyseSystems::SecondInfluence as Last;
        let Some(position) = self.position(slot).filter(|_| self.reached(Last)) else { return false };
        let (board, color) = (&position.board, position.to_move);
        let statuses = self.world.get::<StoneStatuses>(self.slots[slot]);
        let status =
            statuses.map(|of| &of.0[color.other().index()]).filter(|of| of.len() == board.padded_len());
        let Some((status, databases)) = status.zip(self.world.get_resource::<PatternDatabases>()) else {
            return false;
        };
        let Ok(found) = after_move::of_move(board, color, at, status, databases) else { return false };
        self.world.entity_mut(self.slots[slot]).insert(found);
        true
    }

    /// Takes the position off a slot. The slot takes no part in the next analysis.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn clear(&mut self, slot: usize) {
        world::clear(&mut self.world, self.slots[slot]);
    }

    /// Analyses all positions on the slots, up to and including the stage `last`. Once an analysis finds a current
    /// [`Recorder`], the recorder times every system from then on.
    pub fn analyse(&mut self, last: AnalyseSystems) {
        (self.last, self.refining) = (None, false);
        self.extend(last);
    }

    /// The same, without the stages that an earlier analysis of these positions has reached.
    pub fn extend(&mut self, last: AnalyseSystems) {
        if !self.reached(last) {
            self.run(last);
            self.refining = false;
        }
    }

    /// Runs the stages up to `last` that are not done.
    fn run(&mut self, last: AnalyseSystems) {
        self.world.insert_resource(DoneStage(self.last));
        self.world.insert_resource(Refining(self.refining));
        self.world.insert_resource(LastStage(last));
        if self.recorder.is_none()
            && let Some(recorder) = Recorder::current()
        {
            self.record(&recorder);
        }
        if let Some(recorder) = &self.recorder {
            let boards = self.slots.iter().filter(|&&s| !self.world.entity(s).contains::<Disabled>()).count();
            let row = recorder.row("Analyse (scheduling)");
            let memory = self.reading_memory().clone();
            let before = memory.counts();
            recorder.time_run(row, boards as u64, || self.world.run_schedule(Analyse));
            memory.count_since(&before, recorder);
        } else {
            self.world.run_schedule(Analyse);
        }
        self.last = Some(last);
    }

    /// Gives the position of a slot this player to move. No stage before [`AnalyseSystems::MoveEvaluation`] depends on
    /// the side to move, so their results stay.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn turn(&mut self, slot: usize, to_move: Color) {
        let Some(mut position) = self.world.get_mut::<Position>(self.slots[slot]) else { return };
        if position.to_move != to_move {
            position.to_move = to_move;
            self.last = self.last.map(|last| last.min(AnalyseSystems::SecondInfluence));
        }
    }

    /// Whether the last analysis, of the positions now on the slots, reached this stage.
    #[must_use]
    pub fn reached(&self, stage: AnalyseSystems) -> bool {
        self.last.is_some_and(|last| stage <= last)
    }

    /// The dense result `T` of the module of `stage` for a slot; `None` if that stage was not reached.
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    pub fn result<T: Component>(&self, slot: usize, stage: AnalyseSystems) -> Option<&T> {
        if self.reached(stage) { self.world.get(self.slots[slot]) } else { None }
    }

    /// The stages that the last analysis of a slot reached, but that have no result because a plugin is disabled. Empty
    /// if the slot has no position.
    #[must_use]
    pub fn absent(&self, slot: usize) -> Vec<AnalyseSystems> {
        use AnalyseSystems as S;
        let Some(board) = self.position(slot).map(|position| &position.board) else { return Vec::new() };
        let dragons = self.result::<DragonMap>(slot, S::Dragons);
        let has_dragons = dragons.is_some_and(|map| map.index.len() == board.padded_len());
        let second = self.result::<SecondInfluence>(slot, S::SecondInfluence);
        let has_second = second.is_some_and(|map| map.covers(board));
        let is_there = |stage: S| match stage {
            S::Worms => {
                self.result::<WormMap>(slot, stage).is_some_and(|map| map.index.len() == board.padded_len())
            }
            S::Judge => self.result::<Judgement>(slot, stage).is_some(),
            S::Tactics => self.result::<TacticsMap>(slot, stage).is_some(),
            S::FirstInfluence => {
                self.result::<FirstInfluence>(slot, stage).is_some_and(|map| map.covers(board))
            }
            S::Dragons => has_dragons,
            S::SecondInfluence => has_second,
            S::MoveEvaluation => self.result::<MoveList>(slot, stage).is_some() && has_dragons && has_second,
            S::Read | S::Publish => true,
        };
        S::ALL.into_iter().filter(|&stage| self.reached(stage) && !is_there(stage)).collect()
    }

    /// A column of a slot's points from the last analysis, in vertex order. `None` if the slot is empty or nothing
    /// publishes such a column.
    ///
    /// ```
    /// use tengen_go::board::{Board, Color};
    /// use tengen_go::publish::Region;
    /// use tengen_go::world::Position;
    /// use tengen_go::{AnalyseSystems, GoEngine};
    ///
    /// let mut engine = GoEngine::new(1);
    /// engine.put(0, Position::new(Board::new(9), Color::Black));
    /// engine.analyse(AnalyseSystems::SecondInfluence);
    /// let neutral = engine.column::<Region>(0).map(|c| c.into_iter().filter(|r| **r == Region::Neutral).count());
    /// assert_eq!(neutral, Some(81));
    /// ```
    #[must_use]
    pub fn column<T: Component>(&self, slot: usize) -> Option<Vec<&T>> {
        let size = self.position(slot)?.board.size();
        let points = self.world.get::<Points>(self.slots[slot])?;
        points.of_size(size).iter().map(|&point| self.world.get(point)).collect()
    }

    /// A component of a slot that belongs to no stage: [`QueryAnswers`], or [`Units`], the entities
    /// of the last analysis. `None` if the slot is empty or has none.
    #[must_use]
    pub fn component<T: Component>(&self, slot: usize) -> Option<&T> {
        self.position(slot)?;
        self.world.get(self.slots[slot])
    }

    /// The entity of a slot, for a caller's queries in the World.
    #[must_use]
    pub fn entity(&self, slot: usize) -> Option<Entity> {
        self.slots.get(slot).copied()
    }

    /// The position on a slot.
    #[must_use]
    pub fn position(&self, slot: usize) -> Option<&Position> {
        let entity = self.world.entity(*self.slots.get(slot)?);
        if entity.contains::<Disabled>() { None } else { entity.get() }
    }

    /// The World, to query the published findings.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The World, to query the published findings or to add to it.
    pub const fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Times every system from now on, for this recorder.
    fn record(&mut self, recorder: &Recorder) {
        if let Some(schedule) = self.world.resource_mut::<Schedules>().get_mut(Analyse) {
            instrument(schedule, recorder);
        }
        self.recorder = Some(recorder.clone());
    }
}
