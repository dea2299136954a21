//! The state of a GTP session: the game, the settings, and the findings about the position.

use super::clock::Clock;
use super::search_area::SearchArea;
use super::wire::Failure;
use bevy_ecs::component::Component;
use std::time::Instant;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::connection::ConnectionReader;
use tengen_go::dragons::QueryAnswers;
use tengen_go::finished::StatusFinder;
use tengen_go::judge::search::{KeptTree, Question, search};
use tengen_go::judge::{JudgeInForce, Judgement};
use tengen_go::moves::{self, Review};
use tengen_go::owl::LifeReader;
use tengen_go::patterns::PatternDatabases;
use tengen_go::reasons::{Explanation, ReasonError, Reasoner};
use tengen_go::score::{FinalStatus, Scoring};
use tengen_go::semeai::RaceReader;
use tengen_go::tactics::Reader;
use tengen_go::unconditional::UnconditionalMap;
use tengen_go::world::{Past, Position, past_of};
use tengen_go::{AnalyseSystems, Effort, Finding, GoEngine, Level};

/// The board size before any `boardsize`.
const DEFAULT_SIZE: usize = 19;
/// Looks of a search that a clock or a controller ends: the tree takes 0.8 kB for each.
pub const MOST_LOOKS: u32 = 1 << 18;

/// The visits of a search with a clock, as a multiple of those of its level: long clocks keep nobody waiting. Own choice.
const TIMED: u32 = 10;

/// GNU Go's level when none is given.
pub const DEFAULT_LEVEL: i32 = 10;

/// Counters that controllers reset and read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    /// Tactical reading nodes.
    pub reading: u64,
    /// Life-and-death nodes.
    pub owl: u64,
    /// Connection reading nodes.
    pub connection: u64,
    /// `trymove`s.
    pub trymove: u64,
}

/// The readers for single questions. Their state never changes an answer.
#[derive(Default)]
pub(super) struct Questions {
    /// Life and death.
    pub(super) life: LifeReader,
    /// Races.
    pub(super) races: RaceReader,
}

/// One controller's game.
pub struct Session {
    board: Board,
    /// History entries that `undo` may not take back: handicap and set-up stones.
    floor: usize,
    /// History lengths before each `trymove` that stands.
    trials: Vec<usize>,
    /// The side to move, if known.
    pub to_move: Color,
    /// White's points for moving second.
    pub komi: f32,
    /// Handicap stones.
    pub handicap: usize,
    /// The counting rules of the game.
    pub scoring: Scoring,
    /// Playing level; 10 is the default.
    pub level: i32,
    /// The visits of a search, if they are asked for; else the level decides, or the clock.
    pub visits: Option<u32>,
    /// Whether to go on searching while the opponent thinks.
    pub ponders: bool,
    /// The change of the reading depths by `increase_depths` and `decrease_depths`.
    pub depth_offset: i32,
    /// The seed of every random choice.
    pub seed: u64,
    /// Threads that the search of moves is made for.
    pub threads: usize,
    /// Thinking time.
    pub clock: Clock,
    /// Node counters.
    pub counters: Counters,
    /// Whether results of life-and-death reading say when they are uncertain.
    pub reports_uncertainty: bool,
    /// Set by `quit`.
    pub is_over: bool,
    /// Whether `genmove` may resign.
    pub may_resign: bool,
    /// Comments for the record, one per move, by history length after the move.
    pub comments: Vec<(usize, String)>,
    /// The start of the process, for `cputime` if the system does not report it.
    pub begun: Instant,
    /// The tactical reader, once it has been asked.
    pub reader: Option<Reader>,
    /// The connection reader, once it has been asked.
    pub connections: Option<ConnectionReader>,
    /// The last requested unconditional status, by the hash of the stones. It depends only on the stones and the
    /// board size; a board of another size is empty or has other stones.
    pub unconditional: Option<(u64, UnconditionalMap)>,
    area: SearchArea,
    engine: GoEngine,
    reasoner: Reasoner,
    status_finder: StatusFinder,
    /// The situation and the komi that the engine's results are of.
    analysed: Option<(u64, u32, Past)>,
    /// The effort set by `--effort` or `tengen-effort`; without it the level decides.
    effort: Option<Level>,
    /// The readers for single questions of life and death and of races.
    pub(super) questions: Questions,
    review: Option<(u64, Color, Review)>,
    /// The tree of the last search by the judge.
    kept: KeptTree,
    final_status: Option<(u64, FinalStatus)>,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            board: Board::new(DEFAULT_SIZE),
            floor: 0,
            trials: Vec::new(),
            to_move: Color::Black,
            komi: 5.5,
            handicap: 0,
            scoring: Scoring::Territory,
            level: DEFAULT_LEVEL,
            visits: None,
            ponders: false,
            depth_offset: 0,
            seed: 1,
            threads: 1,
            clock: Clock::default(),
            counters: Counters::default(),
            reports_uncertainty: false,
            is_over: false,
            may_resign: false,
            comments: Vec::new(),
            begun: Instant::now(),
            reader: None,
            connections: None,
            unconditional: None,
            area: SearchArea::default(),
            engine: GoEngine::new(1),
            reasoner: Reasoner::default(),
            status_finder: StatusFinder::default(),
            analysed: None,
            effort: None,
            questions: Questions::default(),
            review: None,
            kept: KeptTree::default(),
            final_status: None,
        }
    }
}

impl Session {
    /// The position, with trial moves.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Forgets everything that was found about the position (settings changed).
    pub fn forget(&mut self) {
        self.analysed = None;
        self.review = None;
        self.final_status = None;
    }

    /// Matches with these pattern databases from now on.
    pub fn use_patterns(&mut self, databases: PatternDatabases) {
        self.engine.world_mut().insert_resource(databases);
        self.forget();
    }

    /// Asks this judge from now on.
    pub fn judge_by(&mut self, judge: JudgeInForce) {
        self.engine.judge_by(judge);
        self.kept.forget();
        self.forget();
    }

    /// Begins a new game on this board; its history so far cannot be undone.
    pub fn begin(&mut self, board: Board) {
        self.floor = board.history_len();
        self.board = board;
        self.trials.clear();
        self.comments.clear();
        self.handicap = 0;
        self.area = SearchArea::default();
        self.to_move = Color::Black;
        self.clock.new_game();
        self.kept.forget();
        self.forget();
    }

    /// Forgets also what a search would go on with.
    pub fn forget_all(&mut self) {
        self.kept.forget();
        self.forget();
    }

    /// Takes over a game whose moves, from the `floor`-th history entry on, can be undone.
    pub fn resume(&mut self, board: Board, floor: usize, to_move: Color) {
        self.begin(board);
        self.floor = floor;
        self.to_move = to_move;
    }

    /// Places handicap stones on the empty board.
    ///
    /// # Errors
    /// If a vertex is taken.
    pub fn place_handicap(&mut self, stones: &[Vertex]) -> Result<(), Failure> {
        let mut board = Board::with_rules(self.board.size(), self.board.rules());
        for &v in stones {
            board.place(Color::Black, v).map_err(|_| Failure::new("bad vertex list"))?;
        }
        self.begin(board);
        self.handicap = stones.len();
        self.to_move = Color::White;
        Ok(())
    }

    /// Plays a move of the game, or a pass.
    ///
    /// # Errors
    /// `illegal move`.
    pub fn play(&mut self, color: Color, v: Vertex) -> Result<(), Failure> {
        self.board.play(color, v).map_err(|_| Failure::new("illegal move"))?;
        self.to_move = color.other();
        Ok(())
    }

    /// Takes back `moves` moves.
    ///
    /// # Errors
    /// `cannot undo`, and then nothing is taken back.
    pub fn undo(&mut self, moves: usize) -> Result<(), Failure> {
        let length = self.board.history_len();
        if !self.trials.is_empty() || length.saturating_sub(self.floor) < moves {
            return Err(Failure::new("cannot undo"));
        }
        for _ in 0..moves {
            if let Some((color, _)) = self.board.last_move() {
                self.to_move = color;
            }
            self.board.undo();
        }
        let length = self.board.history_len();
        self.comments.retain(|&(at, _)| at <= length);
        Ok(())
    }

    /// Plays a trial move, on top of those that stand.
    ///
    /// # Errors
    /// `illegal move`.
    pub fn try_move(&mut self, color: Color, v: Vertex, ignore_ko: bool) -> Result<(), Failure> {
        let before = self.board.history_len();
        let played =
            if ignore_ko { self.board.play_ignoring_ko(color, v) } else { self.board.play(color, v) };
        played.map_err(|_| Failure::new("illegal move"))?;
        self.trials.push(before);
        self.counters.trymove += 1;
        Ok(())
    }

    /// Takes back the last trial move; false if none stands.
    pub fn pop_trial(&mut self) -> bool {
        self.trials.pop().map(|length| self.board.undo_to(length)).is_some()
    }

    /// Whether trial moves stand.
    #[must_use]
    pub const fn is_trying(&self) -> bool {
        !self.trials.is_empty()
    }

    /// The review of `color`'s moves here, made once for each position and setting.
    pub fn review(&mut self, color: Color) -> &Review {
        let key = self.board.situation_hash(color);
        let known = matches!(&self.review, Some((k, c, _)) if *k == key && *c == color);
        if !known {
            let allowed = self.area.allowed().map(<[Vertex]>::to_vec);
            let request = moves::Request { allowed: allowed.as_deref(), ..self.request() };
            let review = self.review_of(color, &request);
            self.review = Some((key, color, review));
        }
        let (_, _, review) = self.review.as_ref().expect("it was put there above if it was missing");
        review
    }

    /// The search area.
    pub(super) const fn area(&self) -> &SearchArea {
        &self.area
    }

    /// Chooses moves in this area from now on.
    pub(super) fn limit_to(&mut self, area: SearchArea) {
        self.area = area;
        self.review = None;
    }

    /// The last review, of whichever position.
    #[must_use]
    pub fn last_review(&self) -> Option<&Review> {
        self.review.as_ref().map(|(_, _, review)| review)
    }

    /// A review that is not kept.
    #[must_use]
    pub fn review_of(&mut self, color: Color, request: &moves::Request<'_>) -> Review {
        let deadline = self.clock.deadline(color, &self.board);
        self.review_until(color, request, &mut || deadline.is_some_and(|at| Instant::now() >= at))
    }

    /// A review that is not kept; `stop` ends the search early.
    #[must_use]
    pub fn review_until(
        &mut self,
        color: Color,
        request: &moves::Request<'_>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Review {
        self.analyse(color, AnalyseSystems::MoveEvaluation);
        let list: Option<&moves::MoveList> = self.engine.result(0, AnalyseSystems::MoveEvaluation);
        let candidates = list.map_or(&[][..], |list| &list.candidates);
        moves::decide(&self.board, color, candidates, request, stop)
    }

    /// Searches the position of the side to move until `stop`. The next search of this game goes on from there.
    pub(super) fn ponder(&mut self, stop: &mut dyn FnMut() -> bool) {
        let judge = self.engine.judge();
        let question = Question {
            board: &self.board,
            color: self.to_move,
            komi: self.komi,
            looks: judge.0.looks(MOST_LOOKS),
            allowed: None,
            before: [Vertex::PASS; 5],
            threads: self.threads,
            kept: Some(&self.kept),
        };
        if question.looks > 0 && !self.is_trying() {
            // The tree is what counts.
            let _ = search(&judge, &question, stop);
        }
    }

    /// Whether a search for a move asks the judge, and it judges the position.
    #[must_use]
    pub fn is_searched_by_judge(&mut self, color: Color) -> bool {
        let is_searched = self.engine.judge().0.is_searched();
        let judged: Option<&Judgement> = self.analyse(color, AnalyseSystems::Judge).component(0);
        is_searched && judged.is_some_and(|judged| judged.views.is_some())
    }

    /// The failure of a judge that could not be asked about the position.
    ///
    /// # Errors
    /// If it could not.
    pub(super) fn judged(&self) -> Result<(), Failure> {
        self.judge_fault().map_or(Ok(()), |message| Err(Failure::new(message)))
    }

    /// Why the judge could not be asked about the position.
    #[must_use]
    pub fn judge_fault(&self) -> Option<String> {
        self.engine.judge_fault(0).map(|fault| fault.message.clone())
    }

    /// Runs the stages up to `last` on the position, except stages that ran since its last change. Every answer about
    /// worms, dragons, influence and moves comes from this one analysis. Only moves depend on `color`, who is to
    /// move.
    pub fn analyse(&mut self, color: Color, last: AnalyseSystems) -> &GoEngine {
        if !self.place(color) && last >= AnalyseSystems::MoveEvaluation {
            self.engine.turn(0, color);
        }
        self.engine.extend(last);
        &self.engine
    }

    /// Reads the threats against the position's dragons, and for them.
    pub(super) fn read_threats(&mut self, color: Color) {
        self.analyse(color, AnalyseSystems::MoveEvaluation);
        self.engine.read_threats(0);
    }

    /// Gives the engine the position if it holds another one, and drops that one's findings. Says whether it did.
    fn place(&mut self, color: Color) -> bool {
        let past = past_of(&self.board);
        let key = (self.board.situation_hash(Color::Black), self.komi.to_bits(), past);
        let is_new = self.analysed != Some(key);
        if is_new {
            self.forget();
            let position =
                Position { komi: self.komi, past, ..Position::new(self.board.without_history(), color) };
            self.engine.put(0, position);
            self.analysed = Some(key);
        }
        is_new
    }

    /// Adds the result of a single question to the record of the position: every later answer uses it.
    pub(super) fn refine(&mut self, found: Finding) {
        self.place(self.to_move);
        if self.engine.refine(0, found) {
            (self.review, self.final_status) = (None, None);
        }
    }

    /// The answers of single questions about the position.
    #[must_use]
    pub fn asked(&self) -> QueryAnswers {
        self.engine.component(0).cloned().unwrap_or_default()
    }

    /// The effort of the engine.
    #[must_use]
    pub fn effort(&self) -> Effort {
        Effort::of(self.effort.unwrap_or_else(|| Level::of_playing_level(self.level)))
    }

    /// Reads as far as this level from now on; without one, as far as the playing level says.
    pub fn set_effort(&mut self, effort: Option<Level>) {
        self.effort = effort;
        self.engine.read_under(self.effort());
        self.forget();
    }

    /// Plays at this level from now on.
    pub fn set_level(&mut self, level: i32) {
        self.level = level;
        self.set_effort(self.effort);
    }

    /// One component of the analysis of the position, up to the stage that makes it, and what reads questions.
    pub(super) fn look<T: Component>(&mut self, stage: AnalyseSystems) -> Option<(&T, &mut Questions)> {
        self.analyse(self.to_move, stage);
        let found = self.engine.result(0, stage)?;
        Some((found, &mut self.questions))
    }

    /// Why a move of the side to move is better or worse than another; without another, than a pass.
    ///
    /// # Errors
    /// If either can't be played, or nobody judges the position.
    pub fn explain(&mut self, v: Vertex, against: Option<Vertex>) -> Result<Explanation, ReasonError> {
        self.analyse(self.to_move, AnalyseSystems::SecondInfluence);
        let none = || ReasonError::NoJudge { judge: self.engine.judge().0.name() };
        let against = against.unwrap_or(Vertex::PASS);
        let found = self.reasoner.explain(&self.engine, 0, &[v], Some(against), 0)?;
        found.why_not.into_iter().next().ok_or_else(none)
    }

    /// The request for a review by the settings.
    #[must_use]
    pub fn request(&self) -> moves::Request<'static> {
        let judge = self.engine.judge();
        // A search by a judge that has a clock uses its time, up to a multiple of the level's visits.
        let is_timed = self.clock.is_set() && judge.0.is_searched() && self.level > 0;
        let of_level = || moves::spent_by_level(self.level, self.board.size(), &judge);
        let spent = || if is_timed { MOST_LOOKS.min(TIMED * of_level()) } else { of_level() };
        let playouts = self.visits.unwrap_or_else(spent);
        moves::Request {
            komi: self.komi,
            scoring: self.scoring,
            seed: self.seed,
            playouts,
            judge: Some(judge),
            kept: Some(self.kept.clone()),
            may_resign: self.may_resign,
            threads: self.threads,
            ..moves::Request::default()
        }
    }

    /// The final status and ownership, computed once for each position.
    pub fn final_status(&mut self) -> &FinalStatus {
        let key = self.board.situation_hash(self.to_move);
        if !matches!(&self.final_status, Some((k, _)) if *k == key) {
            let status = self.status_finder.find(&self.engine, &self.board, self.to_move, self.seed);
            self.final_status = Some((key, status));
        }
        let (_, status) = self.final_status.as_ref().expect("it was put there above if it was missing");
        status
    }
}
