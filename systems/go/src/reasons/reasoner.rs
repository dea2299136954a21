//! Explains moves of an analysed position: runs the analyses after them, and compares the results.

use super::deeper::{ASKED, Budget, Deeper, OF_BEST, OF_MANY};
use super::units::{Pair, gather};
use super::{Explanation, ReasonError, Reasons, Seen, causes};
use crate::board::{Board, Color, Vertex};
use crate::effort::{Effort, Level};
use crate::engine::GoEngine;
use crate::judge::{JudgeInForce, Judgement, NoJudge, View};
use crate::moves::MoveList;
use crate::patterns::PatternDatabases;
use crate::schedule::AnalyseSystems as S;
use crate::world::Position;
use std::sync::Arc;

/// The number of moves whose value is computed: of the judge's likely moves, and of the pipeline's most valued moves.
const LIKELY: usize = 10;
const VALUED: usize = 5;

/// Analyses the positions after moves, in an engine of its own.
pub struct Reasoner {
    /// How far the explanation of an asked move may read beyond the statuses.
    asked: Budget,
    /// For the best moves, at the effort `quick`.
    quick: Option<GoEngine>,
    /// For moves asked about.
    slow: Option<GoEngine>,
    deeper: Deeper,
}

impl Default for Reasoner {
    fn default() -> Self {
        Self { asked: ASKED, quick: None, slow: None, deeper: Deeper::default() }
    }
}

/// A move with its value.
struct Judged {
    vertex: Vertex,
    position: Position,
    /// The judge's, with the opponent to move.
    view: View,
}

impl Reasoner {
    /// A reasoner for many positions, which reads less far.
    #[must_use]
    pub fn of_many() -> Self {
        Self { asked: OF_MANY, ..Self::default() }
    }

    /// Explains the `most` best moves of the position on a slot against a pass, and the moves asked about against `against`, or
    /// else the best. The slot must be analysed up to the second influence; candidates of the pipeline count where it went on.
    ///
    /// # Errors
    /// If a move asked about can't be played, or nobody judges the position.
    pub fn explain(
        &mut self,
        of: &GoEngine,
        slot: usize,
        asked: &[Vertex],
        against: Option<Vertex>,
        most: usize,
    ) -> Result<Reasons, ReasonError> {
        let no_judge = || ReasonError::NoJudge { judge: of.judge().0.name() };
        let position = of.position(slot).ok_or_else(no_judge)?;
        let color = position.to_move;
        for &v in asked.iter().chain(&against) {
            play(position, v)?;
        }
        let before = Seen::of(of, slot, color.other()).ok_or_else(no_judge)?;
        let judgement = of.result::<Judgement>(slot, S::Judge).ok_or_else(no_judge)?;
        let view = judgement.with(color).ok_or_else(no_judge)?;
        let mut moves: Vec<Vertex> =
            view.ranked(position.board.size()).into_iter().take(LIKELY).map(|(v, _)| v).collect();
        if let Some(list) = of.result::<MoveList>(slot, S::MoveEvaluation) {
            let mut valued: Vec<_> = list.candidates.iter().map(|c| (c.value, c.vertex)).collect();
            valued.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            moves.extend(valued.into_iter().take(VALUED).map(|(_, v)| v));
        }
        moves.extend(asked.iter().chain(&against));
        moves.retain(|&v| v != Vertex::PASS);
        moves.sort_unstable();
        moves.dedup();
        let judge = of.judge();
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let weigh = |vertex: Vertex| {
            let position = play(position, vertex).ok()?;
            let view = judge.0.view(&position)?;
            Some(Judged { vertex, position, view })
        };
        let mut judged: Vec<Judged> = moves.into_iter().filter_map(weigh).collect();
        let lead = |w: &Judged| sign * w.view.lead;
        judged.sort_by(|a, b| lead(b).total_cmp(&lead(a)).then(a.vertex.cmp(&b.vertex)));
        let Some(best) = against.or(judged.first().map(|w| w.vertex)) else { return Ok(Reasons::default()) };
        let (quick, slow) = {
            let is_asked = |w: &Judged| asked.contains(&w.vertex) || w.vertex == best;
            let slow: Vec<&Judged> = judged.iter().filter(|w| is_asked(w) && !asked.is_empty()).collect();
            (judged.iter().take(most).collect::<Vec<_>>(), slow)
        };
        let mut reasons = Reasons { of: position.board.situation_hash(color), ..Reasons::default() };
        let mut deeper = std::mem::take(&mut self.deeper);
        let passed = Judged { vertex: Vertex::PASS, position: position.clone(), view: before.view.clone() };
        if !quick.is_empty() {
            let all: Vec<&Judged> = std::iter::once(&passed).chain(quick).collect();
            let engine = analyse(&mut self.quick, of, Effort::of(Level::Quick), &all);
            let seen: Vec<Option<Seen<'_>>> = views(engine, &all, color);
            for (w, subject) in all.iter().zip(&seen).skip(1) {
                if let (Some(subject), Some(before)) = (*subject, seen[0]) {
                    let pair = Pair { before, subject, other: before, color };
                    deeper.begin(OF_BEST);
                    reasons.why.push(explain(&pair, w.vertex, Vertex::PASS, &mut deeper));
                }
            }
        }
        if !slow.is_empty() || asked.contains(&Vertex::PASS) {
            let effort = of.world().get_resource::<Effort>().copied().unwrap_or_default();
            let all: Vec<&Judged> = std::iter::once(&passed).chain(slow).collect();
            let engine = analyse(&mut self.slow, of, effort, &all);
            let seen: Vec<Option<Seen<'_>>> = views(engine, &all, color);
            let of_move = |v: Vertex| all.iter().position(|w| w.vertex == v).and_then(|at| seen[at]);
            for &v in asked.iter().filter(|&&v| v != best) {
                if let (Some(before), Some(subject), Some(other)) = (seen[0], of_move(v), of_move(best)) {
                    let pair = Pair { before, subject, other, color };
                    deeper.begin(self.asked);
                    reasons.why_not.push(explain(&pair, v, best, &mut deeper));
                }
            }
        }
        self.deeper = deeper;
        Ok(reasons)
    }

    /// Explains, and publishes the explanations on the board.
    ///
    /// # Errors
    /// As [`Self::explain`].
    pub fn publish(
        &mut self,
        engine: &mut GoEngine,
        slot: usize,
        asked: &[Vertex],
        most: usize,
    ) -> Result<(), ReasonError> {
        let reasons = self.explain(engine, slot, asked, None, most)?;
        if let Some(entity) = engine.entity(slot) {
            engine.world_mut().entity_mut(entity).insert(reasons);
        }
        Ok(())
    }
}

/// Analyses the positions after moves up to the second influence, on engines that match as this one does. At the effort `quick`
/// nothing rests on a judge, so none is asked.
fn analyse<'a>(
    engine: &'a mut Option<GoEngine>,
    of: &GoEngine,
    effort: Effort,
    all: &[&Judged],
) -> &'a GoEngine {
    if engine.as_ref().is_some_and(|engine| engine.slots() < all.len()) {
        *engine = None;
    }
    let slots = u32::try_from(all.len()).unwrap_or(u32::MAX).max(6);
    let engine = engine.get_or_insert_with(|| GoEngine::new(slots));
    let is_quick = effort.level == Level::Quick;
    engine.judge_by(if is_quick { JudgeInForce(Arc::new(NoJudge)) } else { of.judge() });
    engine.read_under(effort);
    // A move leaves most questions as they were before it.
    engine.keep_readings(of.reading_memory().clone());
    if let Some(patterns) = of.world().get_resource::<PatternDatabases>() {
        engine.world_mut().insert_resource(patterns.clone());
    }
    for (slot, w) in all.iter().enumerate() {
        engine.put(slot, w.position.clone());
    }
    (all.len()..engine.slots()).for_each(|slot| engine.clear(slot));
    engine.analyse(S::SecondInfluence);
    engine
}

/// The results after each move, with the opponent to move.
fn views<'a>(engine: &'a GoEngine, all: &[&'a Judged], color: Color) -> Vec<Option<Seen<'a>>> {
    let of = |(slot, w): (usize, &&'a Judged)| Seen::with(engine, slot, color.other(), &w.view);
    all.iter().enumerate().map(of).collect()
}

/// The position after a move or a pass.
fn play(position: &Position, v: Vertex) -> Result<Position, ReasonError> {
    let mut board: Board = position.board.clone();
    board.play(position.to_move, v).map_err(|reason| ReasonError::Illegal {
        move_name: v.to_gtp(board.size()),
        reason: reason.to_string(),
    })?;
    let mut past = position.past;
    past.rotate_right(1);
    past[0] = v;
    Ok(Position {
        past,
        ..Position { komi: position.komi, ..Position::new(board, position.to_move.other()) }
    })
}

fn explain(pair: &Pair<'_>, vertex: Vertex, against: Vertex, deeper: &mut Deeper) -> Explanation {
    let sign = if pair.color == Color::Black { 1.0 } else { -1.0 };
    let value = sign * (pair.subject.view.lead - pair.other.view.lead);
    let changes: Vec<_> = gather(pair).into_iter().map(|group| causes::change(pair, group, deeper)).collect();
    let told: f32 = changes.iter().map(|change| change.points).sum();
    Explanation {
        vertex,
        color: pair.color,
        against,
        value,
        lead: pair.subject.view.lead,
        changes,
        unexplained: value - told,
    }
}
