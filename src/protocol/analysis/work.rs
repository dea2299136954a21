//! Computes the answer to one turn of a query.

use super::query::Query;
use crate::protocol::gtp::Session;
use crate::protocol::move_figures::PositionFigures;
use crate::record::go::record_of;
use crate::scene::position::GoInput;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tengen_go::AnalyseSystems;
use tengen_go::board::{Board, Color, Marks, Vertex};
use tengen_go::judge::{JudgeInForce, Judgement, View};
use tengen_go::moves::Request;
use tengen_go::patterns::matcher::Orientation;

/// Positions kept.
const KEPT: usize = 4096;

/// The inputs of an analysis.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    situation: u64,
    size: usize,
    komi: u32,
    is_area: bool,
    visits: u32,
    past: [Vertex; 2],
    turn: usize,
    captured: [u32; 2],
    allowed: Option<Vec<Vertex>>,
}

/// A position of a query.
struct Turn<'a> {
    board: &'a Board,
    color: Color,
    number: usize,
    allowed: Option<&'a [Vertex]>,
}

/// One World and its stored findings.
#[derive(Default)]
pub struct Worker {
    session: Session,
    kept: HashMap<Key, (PositionFigures, Option<Value>)>,
}

impl Worker {
    /// Clears the stored findings.
    pub fn forget(&mut self) {
        self.kept.clear();
        self.session.forget();
    }

    /// Reads so far; normally without a level.
    #[must_use]
    pub fn effort(mut self, level: Option<tengen_go::Level>) -> Self {
        self.session.set_effort(level);
        self
    }

    /// Asks this judge; without one, the embedded judge.
    #[must_use]
    pub fn judge(mut self, judge: Option<JudgeInForce>) -> Self {
        self.session.judge_by(judge.unwrap_or_default());
        self
    }

    /// Matches with these pattern databases.
    #[must_use]
    pub fn patterns(mut self, databases: Option<tengen_go::patterns::PatternDatabases>) -> Self {
        if let Some(databases) = databases {
            self.session.use_patterns(databases);
        }
        self
    }

    /// Answers a turn; a flag set in the middle ends the search early. `tell` gets the reports before that.
    pub(super) fn answer(
        &mut self,
        query: &Query,
        turn: usize,
        stopped: &AtomicBool,
        tell: &mut dyn FnMut(&Value),
    ) -> Value {
        if stopped.load(Ordering::Relaxed) {
            return json!({ "id": query.id, "turnNumber": turn, "isDuringSearch": false, "noResults": true });
        }
        let (board, color) = position(query, turn);
        let key = Key {
            situation: board.situation_hash(color),
            size: board.size(),
            komi: query.komi.to_bits(),
            is_area: query.scoring == tengen_go::score::Scoring::Area,
            visits: query.visits,
            past: last_two(&board),
            turn,
            captured: Color::BOTH.map(|color| board.captured(color)),
            allowed: allowed(query, &board, color),
        };
        let known = self.kept.get(&key).filter(|(_, record)| record.is_some() || !query.findings).cloned();
        let is_known = known.is_some();
        let (figures, record) = known.unwrap_or_else(|| {
            let mut report = |figures: &PositionFigures| {
                let mut told = result(query, turn, &board, figures, None);
                told["isDuringSearch"] = json!(true);
                tell(&told);
            };
            let at = Turn { board: &board, color, number: turn, allowed: key.allowed.as_deref() };
            let (found, is_whole) = self.think(query, &at, stopped, &mut report);
            if self.session.judge_fault().is_some() {
                return found;
            }
            // A search that was stopped says less than was asked.
            if is_whole {
                if self.kept.len() >= KEPT {
                    self.kept.clear();
                }
                self.kept.insert(key, found.clone());
            }
            found
        });
        if let Some(fault) = self.session.judge_fault().filter(|_| !is_known) {
            return json!({ "error": fault, "field": "judge", "id": query.id, "turnNumber": turn });
        }
        result(query, turn, &board, &figures, record.filter(|_| query.findings))
    }

    /// The judge's opinion of the position with this side to move.
    fn view(&mut self, color: Color) -> Option<View> {
        let engine = self.session.analyse(color, AnalyseSystems::Judge);
        engine.result::<Judgement>(0, AnalyseSystems::Judge)?.with(color).cloned()
    }

    fn think(
        &mut self,
        query: &Query,
        turn: &Turn<'_>,
        stopped: &AtomicBool,
        report: &mut dyn FnMut(&PositionFigures),
    ) -> ((PositionFigures, Option<Value>), bool) {
        let &Turn { board, color, number, allowed } = turn;
        let begun = Instant::now();
        self.session.begin(board.clone());
        self.session.komi = query.komi;
        self.session.scoring = query.scoring;
        let mut is_whole = true;
        let figures = match self.view(color) {
            Some(view) if query.visits <= 1 && allowed.is_none() => {
                PositionFigures::look(&view, color, board.size())
            }
            view => {
                let request = Request { playouts: query.visits, allowed, ..self.session.request() };
                let goes_on = allowed.is_none() && self.session.is_searched_by_judge(color);
                // A report tells more than the one before it.
                let mut told = 0;
                let mut due = query.reports.filter(|_| goes_on).map(|[first, _]| begun + first);
                loop {
                    let is_late = || query.max_time.is_some_and(|most| begun.elapsed() >= most);
                    let is_over = || stopped.load(Ordering::Relaxed) || is_late();
                    let mut stop = || is_over() || due.is_some_and(|due| Instant::now() >= due);
                    let review = self.session.review_until(color, &request, &mut stop);
                    let figures = PositionFigures::of(&review, query.komi);
                    let figures = match &view {
                        Some(view) => figures.judged(view, board.size()),
                        None => figures,
                    };
                    is_whole = !is_over();
                    let more = is_whole && figures.visits < query.visits;
                    match (due, query.reports) {
                        (Some(at), Some([_, every])) if more && Instant::now() >= at => {
                            if figures.visits > told {
                                told = figures.visits;
                                report(&figures);
                            }
                            due = Some((at + every).max(Instant::now()));
                        }
                        _ => break figures,
                    }
                }
            }
        };
        let record = query.findings.then(|| {
            let engine = self.session.analyse(color, AnalyseSystems::MoveEvaluation);
            let position = engine.position(0).cloned().unwrap_or_default();
            let input = GoInput {
                position,
                marks: Marks::default(),
                moves: number,
                stopped: None,
                warnings: Vec::new(),
            };
            record_of(engine, 0, &input)
        });
        ((figures, record), is_whole)
    }
}

/// The board after this many moves, and the side to move there.
fn position(query: &Query, turn: usize) -> (Board, Color) {
    let mut board = query.start.clone();
    let mut color = query.first;
    for &(mover, v) in &query.moves[..turn] {
        // All moves of a query are legal.
        let _ = board.play(mover, v);
        color = mover.other();
    }
    let next = query.moves.get(turn).map(|m| m.0);
    (board, next.unwrap_or(color))
}

fn last_two(board: &Board) -> [Vertex; 2] {
    let mut moves = board.moves().rev().map(|m| m.1);
    [moves.next().unwrap_or(Vertex::PASS), moves.next().unwrap_or(Vertex::PASS)]
}

/// The moves that a query leaves; `None` if it forbids none.
fn allowed(query: &Query, board: &Board, color: Color) -> Option<Vec<Vertex>> {
    let mine: Vec<_> = query.allowed.iter().filter(|r| r.0 == color).collect();
    if mine.is_empty() {
        return None;
    }
    let legal = board.vertices().filter(|&v| board.is_legal(color, v)).chain([Vertex::PASS]);
    Some(legal.filter(|v| mine.iter().all(|(_, points, keeps)| points.contains(v) == *keeps)).collect())
}

/// Numbers from the side that the query wants them from.
struct Side(f32);

impl Side {
    fn rate(&self, rate: f32) -> f32 {
        if self.0 > 0.0 { rate } else { 1.0 - rate }
    }

    fn points(&self, lead: f32) -> f32 {
        self.0 * lead
    }
}

fn round(x: f32) -> Value {
    json!((f64::from(x) * 1e6).round() / 1e6)
}

/// A position's name of 128 bits: stones, ko and side to move, then the stones alone.
fn hash_text(board: &Board, color: Color) -> String {
    format!("{:016x}{:016x}", board.situation_hash(color), board.hash())
}

/// The position turned about the middle of the board.
fn image(board: &Board, orientation: Orientation) -> Board {
    let size = board.size();
    // Offsets from the middle, doubled, as the middle may lie between two lines.
    let middle = size as i8 - 1;
    let turned = |v: Vertex| {
        let (row, col) = orientation.turn((2 * v.row(size) as i8 - middle, 2 * v.col(size) as i8 - middle));
        Vertex::new(((row + middle) / 2) as usize, ((col + middle) / 2) as usize, size)
    };
    let mut image = Board::new(size);
    for v in board.vertices() {
        if let Some(color) = board.color_at(v) {
            image.place(color, turned(v)).expect("a part of a legal position is legal");
        }
    }
    if let Some(v) = board.ko_point() {
        // Whom it forbids is the side to move, which the hash has beside it.
        image.set_ko(turned(v), Color::Black);
    }
    image
}

fn result(
    query: &Query,
    turn: usize,
    board: &Board,
    figures: &PositionFigures,
    record: Option<Value>,
) -> Value {
    let size = board.size();
    let side = Side(if query.side.is_none_or(|s| s == figures.color) { 1.0 } else { -1.0 });
    let moves: Vec<Value> = figures
        .moves
        .iter()
        .enumerate()
        .map(|(order, m)| {
            let (name, rate) = (m.vertex.to_gtp(size), side.rate(m.winrate));
            let line: Vec<String> = m.line.iter().map(|v| v.to_gtp(size)).collect();
            let (lead, utility) = (round(side.points(m.lead)), round(side.points(m.utility)));
            let mut told = json!({
                "move": name, "visits": m.visits, "edgeVisits": m.visits, "winrate": round(rate),
                "scoreLead": lead, "scoreMean": lead, "scoreStdev": 0.0, "scoreSelfplay": lead,
                "prior": round(m.prior), "utility": utility, "lcb": round(rate), "utilityLcb": utility,
                "weight": m.visits, "edgeWeight": m.visits, "order": order, "playSelectionValue": m.visits, "pv": line,
            });
            if query.moves_ownership && !m.ownership.is_empty() {
                told["ownership"] = m.ownership.iter().map(|&o| round(side.points(o))).collect();
            }
            told
        })
        .collect();
    let (rate, lead) = (side.rate(figures.winrate), round(side.points(figures.lead)));
    let hash = hash_text(board, figures.color);
    let symmetric = (0..8).map(|n| hash_text(&image(board, Orientation(n)), figures.color)).min();
    let mut answer = Map::new();
    let mut put = |name: &str, value: Value| drop(answer.insert(name.into(), value));
    put("id", json!(query.id));
    put("turnNumber", json!(turn));
    put("isDuringSearch", json!(false));
    put("moveInfos", Value::Array(moves));
    put(
        "rootInfo",
        json!({
            "winrate": round(rate), "scoreLead": lead, "scoreSelfplay": lead, "scoreStdev": 0.0,
            "utility": round(2.0f32.mul_add(rate, -1.0)), "visits": figures.visits, "weight": figures.visits,
            "currentPlayer": if figures.color == Color::Black { "B" } else { "W" },
            "thisHash": hash, "symHash": symmetric,
        }),
    );
    if query.ownership {
        put("ownership", figures.ownership.iter().map(|&o| round(side.points(o))).collect());
    }
    if query.policy {
        put("policy", figures.policy(board).into_iter().map(round).collect());
    }
    if let Some(record) = record {
        put("tengen", record);
    }
    Value::Object(answer)
}
