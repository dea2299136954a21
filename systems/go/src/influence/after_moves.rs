//! Influence after each of many moves from one position. The parts that a move does not change are computed only once.
//!
//! # Source
//! GNU Go 3.8 manual, "Influence", sections "Where influence gets used in the engine" and "Influence and Territory".
//! [`after_move`](super::after_move) computes the same for one move from scratch; the tests compare this module with
//! it.
//!
//! # Notation
//! The *changed* vertices of a move are its own, those of the stones it takes, and those of the strings whose status it
//! changes.
//!
//! # Steps
//! 1. Once for the position: compute the field of the stones, and all matches of the databases with their effects. For
//!    each match with a condition, store the vertices that the condition depends on. Compute the map before any move,
//!    with the opponent to move.
//! 2. For each move: change the stones, statuses and probes at the changed vertices.
//! 3. A match whose rectangle covers no changed vertex stays. If its condition depends on a changed vertex, it is
//!    judged again. Matches that cover a changed vertex are searched again.
//! 4. Compute permeability, sources, propagation, territory and double blocks, as in [`passes`](super::passes).
//!    Propagation runs only for the sources that meet a change.
//! 5. Compute the follow-up, with the mover's intrusions from the move's stone and from the strings that it saves.
//! 6. Take all changes back.
//!
//! # Invariants
//! The territory after a move equals that of the plain computation (`after_moves::tests`). The effects are applied in
//! another order, but the order of barriers, weak points, sources and marks does not change the result.
//!
//! # Cost
//! A map after a move takes half of the time that a map from scratch takes (bench `after moves`).

use super::passes::{Kind, LIVELY, Pass, StoneStatus, put_stone};
use super::patterns::{View, barriers_of, followup_of, is_followup, sources_of};
use crate::board::{Board, Color, Vertex, VertexSet, in_order};
use crate::patterns::{EngineQueries, Match, Matcher, PatternDatabases, Place, Prepared};
use crate::spread::effects::{self, Effect, INTRUSION_SHARE};
use crate::spread::permeability::{self, reduction};
use crate::spread::{Cause, Field, InfluenceMap, PerColor, Spreader};
use crate::tactics::area;

#[cfg(test)]
mod tests;

/// A move to be tried.
#[derive(Clone, Copy, Debug)]
pub struct MoveTrial<'t> {
    /// Where.
    pub at: Vertex,
    /// The data of its stone afterwards.
    pub stone: StoneStatus,
    /// One stone of each string that the move saves.
    pub saved: &'t [Vertex],
    /// One stone of each enemy string that the move kills without taking it off.
    pub killed: &'t [Vertex],
}

impl MoveTrial<'_> {
    /// Whether a stone, after the move, is that of the move or of a string it saves.
    pub(super) fn saves(&self, board: &Board, v: Vertex) -> bool {
        v == self.at || self.saved.iter().any(|&s| board.same_string(s, v))
    }
}

/// The effect of a move on territory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Points gained, prisoners taken included.
    pub delta: f32,
    /// Enemy stones taken off.
    pub captured: usize,
    /// The vertices whose territory value changes, with the change for the mover, in vertex order.
    pub points: Vec<(Vertex, f32)>,
    /// The gain of a second move in a row, in points.
    pub followup: f32,
    /// The vertex of that second move.
    pub followup_points: Vec<Vertex>,
}

/// A change of a vertex's territory below this is not reported.
const TOLD: f32 = 0.05;

/// The position, and the data that its moves share.
pub struct AfterMoves<'a> {
    mover: Color,
    view: View,
    queries: EngineQueries<'a>,
    /// The part of the field that the stones alone make.
    raw: Field,
    /// The statuses of all stones, the opponent to move.
    status: Vec<StoneStatus>,
    /// `influence.db` for Black and for White, `barriers.db` for the opponent.
    lists: [List<'a>; 3],
    /// `barriers.db` for the mover.
    followups: List<'a>,
    /// The permeability of each vertex that the stones leave.
    reductions: PerColor<Vec<f32>>,
    /// The map of the last trial.
    map: InfluenceMap,
    /// Territory before the move.
    before: Vec<f32>,
    places: Vec<Place>,
}

/// A database matched for a colour.
struct List<'a> {
    prepared: Prepared<'a>,
    /// By the number of the pattern.
    wanted: Vec<bool>,
    is_influence: bool,
    standing: Vec<Standing>,
}

/// A match of the position before the move.
struct Standing {
    place: Place,
    /// The vertices that its condition and action depend on; `None`: any.
    depends: Option<VertexSet>,
    causes: Vec<Cause>,
}

impl<'a> AfterMoves<'a> {
    /// Step 1 for the moves of `mover`. `queries` answers about the position before them; `status` are the statuses of all stones
    /// there, his opponent to move.
    #[must_use]
    pub fn new(
        databases: &'a PatternDatabases,
        mut queries: EngineQueries<'a>,
        mover: Color,
        status: &[StoneStatus],
        spreader: &mut Spreader,
    ) -> Self {
        let opponent = mover.other();
        let board = &queries.board;
        let pass = Pass { board, to_move: Some(opponent), status, kind: Kind::Territorial };
        let view = View { to_move: pass.to_move, kind: pass.kind };
        let (raw, stones) = (pass.field(), pass.stones());
        let extra =
            |color| List::new(&databases.influence, true, board, color, |p| view.wants_source(p, color));
        let barriers = |color, wanted: &dyn Fn(&crate::patterns::Pattern) -> bool| {
            List::new(&databases.barriers, false, board, color, wanted)
        };
        let mut lists =
            [extra(Color::Black), extra(Color::White), barriers(opponent, &|p| view.wants_barrier(p))];
        let followups = barriers(mover, &is_followup);
        let reductions = Color::BOTH.map(|color| {
            let mut factors = vec![1.0; raw.blocked.len()];
            for v in board.vertices().filter(|v| !raw.blocked[v.at()]) {
                factors[v.at()] = reduction(&raw, &stones, v, color);
            }
            factors
        });
        for list in &mut lists {
            list.stand(view, &raw, &mut queries);
        }
        // The trials answer by reading alone.
        queries.keep_false_eyes();
        (queries.worms, queries.tactics) = (None, None);
        let map = InfluenceMap {
            to_move: view.to_move,
            field: raw.clone(),
            stones,
            non_territory: vec![0; raw.blocked.len()],
            ..InfluenceMap::default()
        };
        let mut trials = Self {
            mover,
            view,
            queries,
            raw,
            status: status.to_vec(),
            lists,
            followups,
            reductions,
            map,
            before: Vec::new(),
            places: Vec::new(),
        };
        spreader.expect_alike();
        trials.settle(spreader, &[], &[]);
        trials.before = trials.map.territory.clone();
        trials
    }

    /// Steps 2 to 6; `None` if the move is against the rules. `followups`: whether step 5 is wanted of a move that gains so
    /// much.
    pub fn outcome(
        &mut self,
        trial: &MoveTrial<'_>,
        followups: impl FnOnce(f32) -> bool,
        spreader: &mut Spreader,
    ) -> Option<Outcome> {
        let mark = self.queries.board.history_len();
        let taken = taken_by(&self.queries.board, self.mover, trial.at);
        self.queries.board.play_ignoring_ko(self.mover, trial.at).ok()?;
        // 2.
        let changes = self.changes(trial, &taken);
        let undo: Vec<Change> = changes.iter().map(|c| self.current(c.at)).collect();
        let stones_changed = taken.len() + 1;
        self.put(&changes, stones_changed);
        let changed: Vec<Vertex> = changes.iter().map(|c| c.at).collect();
        let area: VertexSet = changed.iter().copied().collect();
        self.queries.memo.begin_trial(area);
        // 3.
        let (mut anew, mut dropped) = (Vec::new(), Vec::new());
        self.match_again(&changed, area, &mut anew, &mut dropped);
        // 4.
        self.settle(spreader, &anew, &dropped);
        let mut outcome = self.compare(taken.len());
        if followups(outcome.delta) {
            self.follow_up(trial, &changed, spreader, &mut outcome); // step 5
        }
        // 6.
        self.queries.memo.end_trial();
        self.queries.board.undo_to(mark);
        self.put(&undo, stones_changed);
        Some(outcome)
    }

    /// The stones at the changed vertices after the played move, first those that change.
    fn changes(&self, trial: &MoveTrial<'_>, taken: &[Vertex]) -> Vec<Change> {
        let board = &self.queries.board;
        let own = Change { at: trial.at, stone: Some(self.mover), status: trial.stone };
        let off = |&at: &Vertex| Change { at, stone: None, status: StoneStatus::default() };
        let mut changes: Vec<Change> = std::iter::once(own).chain(taken.iter().map(off)).collect();
        let mut set = |strings: &[Vertex], status: StoneStatus| {
            for at in strings.iter().flat_map(|&s| board.stones(s)) {
                if self.status[at.at()] != status && changes.iter().all(|c| c.at != at) {
                    changes.push(Change { at, stone: board.color_at(at), status });
                }
            }
        };
        set(trial.saved, LIVELY);
        set(trial.killed, StoneStatus::default());
        changes
    }

    fn current(&self, at: Vertex) -> Change {
        Change { at, stone: self.map.stones[at.at()], status: self.status[at.at()] }
    }

    /// Puts stones and statuses; of the first `stones` the stone is another one.
    fn put(&mut self, changes: &[Change], stones: usize) {
        for (i, change) in changes.iter().enumerate() {
            if i < stones {
                let lists = self.lists.iter_mut().chain([&mut self.followups]);
                lists.for_each(|list| list.prepared.set(change.at, change.stone));
                self.map.stones[change.at.at()] = change.stone;
            }
            self.status[change.at.at()] = change.status;
            put_stone(&mut self.raw, change.at, change.stone, change.status);
        }
        let (board, stones) = (&self.queries.board, &self.map.stones);
        for change in changes {
            for v in board.neighbors8(change.at).chain([change.at]) {
                for color in Color::BOTH {
                    let free = !self.raw.blocked[v.at()];
                    self.reductions[color.index()][v.at()] =
                        if free { reduction(&self.raw, stones, v, color) } else { 1.0 };
                }
            }
        }
    }

    /// Step 3: the new matches, and the numbers of the standing matches that do not count, list by list.
    fn match_again(
        &mut self,
        changed: &[Vertex],
        area: VertexSet,
        anew: &mut Vec<Cause>,
        dropped: &mut Vec<Vec<usize>>,
    ) {
        let Self { lists, queries, raw, view, places, .. } = self;
        for list in lists {
            let mut gone = Vec::new();
            places.clear();
            for (i, standing) in list.standing.iter().enumerate() {
                if changed.iter().any(|&v| list.prepared.covers(standing.place, v)) {
                    gone.push(i);
                } else if standing.depends.is_none_or(|depends| depends.meets(&area.0)) {
                    gone.push(i);
                    places.push(standing.place);
                }
            }
            list.prepared.covering(&list.wanted, changed, places);
            for &place in places.iter() {
                list.judge(&list.prepared.match_at(place), *view, raw, queries, anew);
            }
            dropped.push(gone);
        }
    }

    /// Step 4: the map from the raw field, the matches that stay, and the new matches.
    fn settle(&mut self, spreader: &mut Spreader, anew: &[Cause], dropped: &[Vec<usize>]) {
        let map = &mut self.map;
        // What is the same for all fields of a board stays.
        map.field.blocked.clone_from(&self.raw.blocked);
        map.field.strength.clone_from(&self.raw.strength);
        map.field.attenuation.clone_from(&self.raw.attenuation);
        map.field.permeability.clone_from(&self.raw.permeability);
        map.non_territory.fill(0);
        let mut intrusions: Vec<Cause> = Vec::new();
        let mut apply = |causes: &[Cause]| {
            effects::apply(causes, &mut map.field, &mut map.non_territory);
            let is_one = |c: &&Cause| matches!(c.effect, Effect::Intrusion { .. });
            intrusions.extend(causes.iter().filter(is_one).cloned());
        };
        for (list, number) in self.lists.iter().zip(0..) {
            let mut gone = dropped.get(number).map_or(&[][..], |gone: &Vec<usize>| gone).iter().peekable();
            for (i, standing) in list.standing.iter().enumerate() {
                if gone.next_if(|&&g| g == i).is_none() {
                    apply(&standing.causes);
                }
            }
        }
        apply(anew);
        effects::apply_intrusions(&intrusions, INTRUSION_SHARE, &mut map.field);
        for (of_stones, permeability) in self.reductions.iter().zip(&mut map.field.permeability) {
            for (factor, permeability) in of_stones.iter().zip(permeability) {
                *permeability *= factor;
            }
        }
        permeability::open_sources(&mut map.field);
        spreader.spread(&map.field, &mut map.influence);
        map.settle_territory();
    }

    /// The territory value of a vertex before the move, for the mover.
    #[must_use]
    pub fn before(&self, v: Vertex) -> f32 {
        if self.mover == Color::White { self.before[v.at()] } else { -self.before[v.at()] }
    }

    /// The change of territory against that before.
    fn compare(&self, captured: usize) -> Outcome {
        let sign = if self.mover == Color::White { 1.0 } else { -1.0 };
        let mut outcome = Outcome { captured, ..Outcome::default() };
        let mut sum = 0.0;
        for v in self.queries.board.vertices() {
            let change = (self.map.territory[v.at()] - self.before[v.at()]) * sign;
            sum += change;
            if change.abs() >= TOLD {
                outcome.points.push((v, change));
            }
        }
        outcome.delta = sum + captured as f32;
        outcome
    }

    /// Step 5, on top of the map of step 4, which is gone afterwards.
    fn follow_up(
        &mut self,
        trial: &MoveTrial<'_>,
        changed: &[Vertex],
        spreader: &mut Spreader,
        outcome: &mut Outcome,
    ) {
        let Self { followups, queries, raw, places, map, mover, .. } = self;
        places.clear();
        let mut around = changed.to_vec();
        let rescued = trial.saved.iter().flat_map(|&s| queries.board.stones(s));
        around.extend(rescued.filter(|v| !changed.contains(v)));
        followups.prepared.covering(&followups.wanted, &around, places);
        let mut more = Vec::new();
        for &place in places.iter() {
            let found = followups.prepared.match_at(place);
            let stones: Vec<Vertex> = found.vertices('Q').collect();
            if stones.into_iter().any(|v| trial.saves(&queries.board, v)) {
                followup_of(&found, raw, |_| true, queries, &mut more);
            }
        }
        if more.is_empty() {
            return;
        }
        effects::apply_intrusions(&more, 1.0, &mut map.field);
        permeability::open_sources(&mut map.field);
        let then: f32 = queries.board.vertices().map(|v| map.territory[v.at()]).sum();
        spreader.spread(&map.field, &mut map.influence);
        map.territory = map.value_territory();
        let sum: f32 = queries.board.vertices().map(|v| map.territory[v.at()]).sum();
        outcome.followup = if *mover == Color::White { sum - then } else { then - sum };
        outcome.followup_points = in_order(more.iter().map(|c| c.at));
    }
}

/// A stone, or none, and its status.
#[derive(Clone, Copy, Debug)]
struct Change {
    at: Vertex,
    stone: Option<Color>,
    status: StoneStatus,
}

/// The enemy stones that a move at `v` takes off.
fn taken_by(board: &Board, mover: Color, v: Vertex) -> Vec<Vertex> {
    let mut taken: Vec<Vertex> = Vec::new();
    for n in board.neighbors4(v) {
        if board.color_at(n) == Some(mover.other()) && board.liberties(n) == 1 && !taken.contains(&n) {
            taken.extend(board.stones(n));
        }
    }
    taken
}

impl<'a> List<'a> {
    fn new(
        matcher: &'a Matcher,
        is_influence: bool,
        board: &Board,
        color: Color,
        wanted: impl Fn(&crate::patterns::Pattern) -> bool,
    ) -> Self {
        let wanted = matcher.database().patterns.iter().map(wanted).collect();
        Self { prepared: Prepared::new(matcher, board, color), wanted, is_influence, standing: Vec::new() }
    }

    /// Step 1: all matches, with their effects.
    fn stand(&mut self, view: View, field: &Field, queries: &mut EngineQueries<'_>) {
        let mut places = Vec::new();
        self.prepared.everywhere(&self.wanted, &queries.board, &mut places);
        for place in places {
            let found = self.prepared.match_at(place);
            let mut causes = Vec::new();
            queries.memo.begin_watch();
            self.judge(&found, view, field, queries, &mut causes);
            let conditional = found.pattern.constraint.is_some() || !found.pattern.actions.is_empty();
            let depends = if conditional { depends_on(&found, queries) } else { Some(VertexSet::EMPTY) };
            self.standing.push(Standing { place, depends, causes });
        }
    }

    /// The effects of a match.
    fn judge(
        &self,
        found: &Match<'_>,
        view: View,
        field: &Field,
        queries: &mut EngineQueries<'_>,
        causes: &mut Vec<Cause>,
    ) {
        if self.is_influence {
            sources_of(found, view, queries, causes);
        } else {
            barriers_of(found, field, queries, causes);
        }
    }
}

/// The area that a match's condition depends on: its readings, the strings at its labels, and their surroundings.
fn depends_on(found: &Match<'_>, queries: &EngineQueries<'_>) -> Option<VertexSet> {
    let mut area = queries.memo.seen()?;
    for &label in found.pattern.labels.keys() {
        let v = found.label(label)?;
        area.insert(v);
        area.unite(&area::of_string(&queries.board, v).0);
    }
    Some(area)
}
