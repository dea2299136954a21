//! Life-and-death reading ("owl": optics with limit negotiation): whether a dragon can be killed, and whether it can be
//! saved.
//!
//! # Source
//! GNU Go 3.8 manual, "The Owl Code", for the questions and the role of eyes; A. Nagai, "Df-pn algorithm for
//! searching AND/OR trees and its applications" (2002) for the search.
//!
//! # Notation
//! The *defender* owns the dragon, and the *attacker* wants to kill it. The *goal* is the set of the dragon's stones at
//! the start. The *arena* is the part of the board that the reading considers.
//!
//! # Steps
//! 1. `Arena` holds the vertices that matter, the attacker's safe strings, and the exits for escape.
//! 2. `judge` evaluates a position without search. It is lost when no goal stone is left, or when no eyes can be made
//!    and nothing can be captured. It is won with two eyes that the attacker cannot take, with a way out, or with a
//!    link to a living friend. Any other position gets candidate moves.
//! 3. `search` is a depth-first proof-number search over those moves, with a limit of nodes.
//! 4. Kos: the question is asked three times. One side, neither side, or the other side may retake any ko at once. The
//!    three answers give the result code.
//! 5. The defence is asked after the attack. Near its root each move that was found to kill is tried as an answer.
//! 6. A thorough question is first read with half the nodes. This reading gives a dragon up only where no move is left.
//!    If this reading does not reach its end, the eager reading answers.
//! 7. Where the caller asks for a proof ([`LifeReader::prove`]), only `closed` is asked, for both sides moving first.
//! 8. A thorough question asks `closed` after reading, if the arena is small. Its certain results stand, with one
//!    exception. If judgement saves a dragon, the result that it cannot be saved does not stand, because the way may
//!    lead out of the arena.
//! 9. If the reading of the defence was cut off, the killing moves are read. The first of them that saves the dragon,
//!    as far as reading shows, is named.
//! 10. Playouts try out unproven answers (`playout_check`), if the question has a number of playouts.
//!
//! # Departures
//! There are no pattern databases. Candidates come from eye values, liberties and margins.

mod closed;
mod constants;
mod judge;
mod memory;
mod moves;
mod playout_check;
mod search;
#[cfg(test)]
mod tests;

pub use crate::local_view::Surroundings;

use crate::board::{Board, Color, Line, Vertex};
use crate::effort::{EyeLimits, FieldLimits, LifeLimits};
use crate::local_view::Arena;
use crate::proof::kos::{Grade, grade};
use crate::tactics::Code;
use closed::{Answer, FieldQuestion, Problem, Solver};
use constants::{CLOSED_NODES, GUESSES, MOST_CLOSED_NODES, THOROUGH_SHARE};
use judge::Judge;
use moves::candidates;
use search::{Question, Search};
use std::fmt::Write as _;

/// The question.
#[derive(Clone, Debug)]
pub struct LifeQuestion<'a> {
    /// The position.
    pub board: &'a Board,
    /// All stones of the dragon.
    pub goal: &'a [Vertex],
    /// The known status of the other dragons.
    pub surroundings: Surroundings<'a>,
    /// Positions one search may look at.
    pub node_limit: u32,
    /// Whether to find all equally good moves, and to name the one with the best rank. It costs as much again.
    pub alternatives: bool,
    /// Whether to give the dragon up only where nothing at all is left to try, as far as half the nodes go. It costs as
    /// much again.
    pub thorough: bool,
    /// The number of playouts that try out each unproven answer; 0 for none.
    pub trials: u32,
}

impl<'a> LifeQuestion<'a> {
    /// Reads a dragon with these stones as far as the limits allow. Other stones are known to live or to be dead
    /// (both marked per padded cell).
    #[must_use]
    pub fn new(
        board: &'a Board,
        goal: &'a [Vertex],
        (alive, dead): (&'a [bool], &'a [bool]),
        limits: LifeLimits,
    ) -> Self {
        let LifeLimits { nodes, wide_nodes, room, thorough, trials, .. } = limits;
        let surroundings = Surroundings { alive: Some(alive), dead: Some(dead), contested: None };
        let mut question =
            Self { board, goal, surroundings, node_limit: nodes, alternatives: thorough, thorough, trials };
        if nodes != wide_nodes && question.arena().is_some_and(|arena| arena.room(board) > room) {
            question.node_limit = wide_nodes;
        }
        question
    }
}

impl LifeQuestion<'_> {
    /// The part of the board around it, if it is one.
    fn arena(&self) -> Option<Arena> {
        let defender = self.board.color_at(*self.goal.first()?)?;
        Some(Arena::new(self.board, defender, self.goal, &self.surroundings))
    }
}

/// The basis of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// A search whose ends are judged by eyes and ways out.
    #[default]
    Judgement,
    /// A search to the end in a field around which everything stays as it is.
    Field,
    /// The same, and no change around the field can change the answer.
    Proof,
    /// Playouts.
    Playouts,
}

/// The answer of a life-and-death question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LifeReading {
    /// The result of the side that moves first.
    pub code: Code,
    /// Its move and the line after it, up to the end of the reading. Empty if no move is needed or none is known.
    pub line: Line,
    /// False if the node limit decided, or if trying out contradicts the reading.
    pub certain: bool,
    /// If it did, against the side that moves first: the move it was counting on. Else a pass.
    pub guess: Vertex,
    /// Positions looked at, each playout counted as one.
    pub nodes: u64,
    /// The basis of the answer.
    pub basis: Basis,
}

impl LifeReading {
    /// Nothing works.
    ///
    /// Origin: definition, an answer.
    const NONE: Self = Self {
        code: Code::Fail,
        line: Line::NONE,
        certain: true,
        guess: Vertex::PASS,
        nodes: 0,
        basis: Basis::Judgement,
    };
}

/// Reads life and death. Keeps scratch memory and the eye cache between questions, never an answer.
pub struct LifeReader {
    judge: Judge,
    search: Search,
    solver: Solver,
    found: GoodMoves,
    /// See [`FieldQuestion`].
    careful: bool,
    limits: EyeLimits,
}

/// The first moves that reach the end of the last question, the best first.
#[derive(Clone, Debug, Default)]
struct GoodMoves {
    all: Vec<Vertex>,
    /// The number of first moves that every asked way of reading found.
    firm: usize,
    /// The moves of reading with judgement, right or not.
    judged: Vec<Vertex>,
}

/// The vital point: the best of the moves that are good for both sides, of those first that every reading finds.
fn vital_point(attacks: &GoodMoves, defences: &GoodMoves) -> Option<Vertex> {
    shared_point(&attacks.all[..attacks.firm], &defences.all[..defences.firm])
        .or_else(|| shared_point(&attacks.all, &defences.all))
}

/// The move that is good for both sides and ranks best with them together.
fn shared_point(attacks: &[Vertex], defences: &[Vertex]) -> Option<Vertex> {
    let rank = |v: Vertex| defences.iter().position(|&m| m == v);
    attacks.iter().enumerate().filter_map(|(i, &v)| Some((i + rank(v)?, i, v))).min().map(|(.., v)| v)
}

impl Default for LifeReader {
    fn default() -> Self {
        Self::new(EyeLimits::default())
    }
}

impl LifeReader {
    /// A reader with empty caches that spends so much on eye spaces.
    #[must_use]
    pub fn new(limits: EyeLimits) -> Self {
        Self {
            judge: Judge::new(limits),
            search: Search::default(),
            solver: Solver::default(),
            found: GoodMoves::default(),
            careful: true,
            limits,
        }
    }

    /// Positions of closed fields that it has opened since it was made.
    #[must_use]
    pub const fn fields_opened(&self) -> u64 {
        self.solver.spent
    }

    /// The result of reading, tested by playouts ([`playout_check`]) with these equally good moves. Another move than the
    /// read one is named only if it reaches as much when asked alone. A move among many may seem good by leftovers of
    /// the others' search.
    fn try_out(
        &mut self,
        good: &[Vertex],
        question: &LifeQuestion<'_>,
        read: LifeReading,
        attack: bool,
    ) -> LifeReading {
        let found = playout_check::tried(question, read, good, None, attack);
        if !matches!(found.basis, Basis::Proof | Basis::Field) || found.line.start() == read.line.start() {
            return found;
        }
        let alone = self.read(question, Some(found.line.start()), attack);
        let line = if alone.code >= found.code { alone.line } else { read.line };
        LifeReading { line, nodes: found.nodes + alone.nodes, ..found }
    }

    /// Whether the attacker kills the dragon by this first move, or the defender saves it.
    pub fn does(&mut self, question: &LifeQuestion<'_>, first: Vertex, attack: bool) -> LifeReading {
        self.solver.forget();
        let found = self.read(question, Some(first), attack);
        playout_check::tried(question, found, &[], Some(first), attack)
    }

    /// Whether the defender, moving first, saves the dragon. Of several saving moves it names one that would also
    /// kill. With it comes the attack, which is read before.
    pub fn defend_and_attack(&mut self, question: &LifeQuestion<'_>) -> (LifeReading, LifeReading) {
        self.solver.forget();
        let attack = self.read(question, None, true);
        let attacks = std::mem::take(&mut self.found);
        let mut defence = self.defend_against(question, &attacks.all);
        defence.nodes += attack.nodes;
        if defence.code.works() {
            let vital =
                vital_point(&attacks, &self.found).or_else(|| shared_point(&attacks.judged, &self.found.all));
            defence.line = vital.map_or(defence.line, |vital| defence.line.starting_with(vital));
            self.guess_defence(question, &attacks.all, &mut defence);
        }
        let defences = std::mem::take(&mut self.found.all);
        let defence = self.try_out(&defences, question, defence, false);
        (defence, self.try_out(&attacks.all, question, attack, true))
    }

    /// Step 9. Only its rank supports the move of a defence that was cut off.
    fn guess_defence(&mut self, question: &LifeQuestion<'_>, attacks: &[Vertex], defence: &mut LifeReading) {
        if defence.certain {
            return;
        }
        for &v in attacks.iter().take(GUESSES) {
            let found = self.read(question, Some(v), false);
            defence.nodes += found.nodes;
            if found.code.works() {
                let certain = found.certain && found.code >= defence.code;
                let (code, nodes) = (defence.code.max(found.code), defence.nodes);
                *defence = LifeReading { code, certain, nodes, ..found };
                return;
            }
        }
    }

    /// The defence. Near the root each of these moves is tried at any rank.
    fn defend_against(&mut self, question: &LifeQuestion<'_>, attacks: &[Vertex]) -> LifeReading {
        self.search.known.extend_from_slice(attacks);
        let defence = self.read(question, None, false);
        self.search.known.clear();
        defence
    }

    /// Whether the attacker, moving first, kills the dragon, and the defence. Of several equally good moves it names
    /// one that is good for both sides. A dragon that can't be attacked needs no defence.
    pub fn attack_and_defend(&mut self, question: &LifeQuestion<'_>) -> (LifeReading, LifeReading) {
        self.solver.forget();
        let (attack, defence, attacks) = self.read_both(question);
        let defences = std::mem::take(&mut self.found.all);
        let attack = self.try_out(&attacks, question, attack, true);
        if attack.basis == Basis::Playouts && !attack.code.works() {
            let defence = LifeReading { certain: attack.certain, ..playout_check::UNNEEDED };
            return (attack, defence);
        }
        (attack, self.try_out(&defences, question, defence, false))
    }

    /// Step 7: the attack and the defence, if closed fields prove both with this number of positions a search.
    pub fn prove(&mut self, question: &LifeQuestion<'_>, limit: u32) -> Option<(LifeReading, LifeReading)> {
        let is_proof = |found: &LifeReading| found.basis == Basis::Proof;
        let limit = FieldLimits::everywhere(limit);
        let [attack, defence] = self.ask_fields(question, limit, true).map(|found| found.filter(is_proof));
        attack.zip(defence)
    }

    /// Step 7 for each side: the attack and the defence, as far as closed fields prove them. If one is proved to
    /// work, a working answer for the other also counts from a field that outside changes could affect.
    pub fn prove_each(&mut self, asked: &LifeQuestion<'_>, limit: FieldLimits) -> [Option<LifeReading>; 2] {
        self.ask_fields(asked, limit, false)
    }

    /// Step 7; of a dragon that can be saved, too, a kill is proved if so asked.
    fn ask_fields(
        &mut self,
        question: &LifeQuestion<'_>,
        limit: FieldLimits,
        proved: bool,
    ) -> [Option<LifeReading>; 2] {
        if limit.positions == 0 {
            return [None, None];
        }
        self.solver.forget();
        self.found = GoodMoves::default();
        let works = |found: &LifeReading| found.code.works();
        let is_proof = |found: &LifeReading| found.basis == Basis::Proof;
        let unneeded = LifeReading { code: Code::Win, basis: Basis::Proof, ..LifeReading::NONE };
        let Some(defence) = self.read_closed(question, None, false, None, limit) else {
            let attack = self.read_attack(question, None, true, limit).filter(is_proof);
            return [attack, attack.filter(|attack| !works(attack)).map(|_| unneeded)];
        };
        if !works(&defence) {
            let proved = is_proof(&defence);
            return [proved.then_some(unneeded), proved.then_some(defence)];
        }
        let saved = is_proof(&defence);
        let careful = proved || !saved;
        // The attack looks at the moves that save before all others; a pass is none.
        let attack = self
            .read_attack(question, None, careful, limit)
            .filter(|attack| is_proof(attack) || works(attack) && saved);
        match attack {
            Some(attack) if !works(&attack) => {
                [Some(attack), Some(LifeReading { basis: attack.basis, ..unneeded })]
            }
            Some(mut attack) => {
                let mut defence = defence;
                let [kills, saves] = [attack.line.start(), defence.line.start()];
                let as_good = |found: Option<LifeReading>, than: Code| found.is_some_and(|f| f.code >= than);
                if kills != saves && saves != Vertex::PASS {
                    if as_good(self.read_closed(question, Some(kills), false, None, limit), defence.code) {
                        defence.line = defence.line.starting_with(kills);
                    } else if as_good(self.read_attack(question, Some(saves), careful, limit), attack.code) {
                        attack.line = attack.line.starting_with(saves);
                    }
                }
                [Some(attack), Some(defence)]
            }
            None => [None, saved.then_some(defence)],
        }
    }

    /// The attack in closed fields before judgement, in careful ones if so asked.
    fn read_attack(
        &mut self,
        question: &LifeQuestion<'_>,
        first: Option<Vertex>,
        careful: bool,
        limit: FieldLimits,
    ) -> Option<LifeReading> {
        self.careful = careful;
        let found = self.read_closed(question, first, true, None, limit);
        self.careful = true;
        found
    }

    /// The attack and the defence that [`prove_each`](Self::prove_each) gave; open questions are read.
    pub fn complete(
        &mut self,
        question: &LifeQuestion<'_>,
        proved: [Option<LifeReading>; 2],
    ) -> (LifeReading, LifeReading) {
        match proved {
            [Some(attack), Some(defence)] => (attack, defence),
            [None, None] => self.attack_and_defend(question),
            [Some(attack), None] => {
                self.solver.forget();
                let kill: Vec<Vertex> = attack.line.first().copied().into_iter().collect();
                (attack, self.defend_against(question, &kill))
            }
            [None, Some(defence)] => {
                self.solver.forget();
                let attack = self.read(question, None, true);
                if attack.code.works() || !attack.certain {
                    return (attack, defence);
                }
                (attack, LifeReading { code: Code::Win, basis: attack.basis, ..LifeReading::NONE })
            }
        }
    }

    /// The attack and the defence, without trying out. A move that is good for both sides is preferred to others as
    /// good: the vital point. A defence that judgement takes for an attack comes next. If alternatives were searched,
    /// only those count, because a low-ranked move that is also good for the other side means little. A dragon that
    /// can't be attacked needs no defence.
    ///
    /// The attacks that are as good come too; the defences are left in `found`.
    fn read_both(&mut self, question: &LifeQuestion<'_>) -> (LifeReading, LifeReading, Vec<Vertex>) {
        let mut attack = self.read(question, None, true);
        let attacks = std::mem::take(&mut self.found);
        if !attack.code.works() && attack.certain {
            let defence = LifeReading { code: Code::Win, basis: attack.basis, ..LifeReading::NONE };
            return (attack, defence, attacks.all);
        }
        let mut defence = self.defend_against(question, &attacks.all);
        let both = attack.code.works() && defence.code.works() && !defence.line.is_empty();
        if let Some(vital) = vital_point(&attacks, &self.found).filter(|_| both) {
            (attack.line, defence.line) =
                (attack.line.starting_with(vital), defence.line.starting_with(vital));
        } else if let Some(vital) = shared_point(&attacks.judged, &self.found.all).filter(|_| both) {
            defence.line = defence.line.starting_with(vital);
        } else if both && !question.alternatives && attack.line.start() != defence.line.start() {
            let theirs = self.read(question, Some(defence.line.start()), true);
            attack.nodes += theirs.nodes;
            if theirs.code >= attack.code {
                attack.line = theirs.line;
            } else {
                let ours = self.read(question, Some(attack.line.start()), false);
                defence.nodes += ours.nodes;
                if ours.code >= defence.code {
                    defence.line = ours.line;
                }
            }
        }
        (attack, defence, attacks.all)
    }

    /// Describes the static judgement of the position after this line of moves, which this side begins. The
    /// description has verdict, eyes, way out, the eye spaces, and a picture of the arena. In the picture `D` is the
    /// dragon, `f` friends, `#` safe attackers, `o` other attackers, `h` attackers inside an eye space. Digits and
    /// letters are the proper and the marginal vertices of eye spaces, `!` open ends.
    ///
    /// # Errors
    /// The first move of the line that is illegal.
    pub fn explain(
        &mut self,
        question: &LifeQuestion<'_>,
        first: Color,
        line: &[Vertex],
    ) -> Result<String, Vertex> {
        let Some(arena) = question.arena() else { return Ok("no dragon".into()) };
        let color = arena.color;
        (self.judge.thorough, self.judge.careful) = (question.thorough, question.thorough);
        let (mut board, mut to_move) = (question.board.without_history(), first);
        let size = board.size();
        for &v in line {
            let played =
                if v == Vertex::PASS { board.play(to_move, v) } else { board.play_ignoring_ko(to_move, v) };
            if played.is_err() {
                return Err(v);
            }
            to_move = to_move.other();
        }
        let found = self.judge.judge(&mut board, &arena, to_move, line.len() as u32);
        if found.no_goal {
            return Ok("Dead, taken".into());
        }
        let mut text = format!(
            "{:?} eyes {} {} escape {} links {}",
            found.verdict, found.eyes.0, found.eyes.1, found.escape, found.links
        );
        for space in self.judge.spaces.iter() {
            let (origin, marginal) = (space.origin().to_gtp(size), space.marginal_count());
            let closed = space.vertices.len() - marginal;
            // Writing to a String can't fail.
            let _ = write!(text, "\n{origin} {} of {closed} and {marginal} marginal", space.value);
        }
        let picture = |v: Vertex| match board.color_at(v) {
            _ if !arena.ground.inside[v.at()] => '_',
            Some(c) if c == color && self.judge.dragon[v.at()] => 'D',
            Some(c) if c == color => 'f',
            Some(_) if arena.safe_foe[v.at()] => '#',
            Some(_) if self.judge.visible[v.at()] => 'o',
            Some(_) => 'h',
            None => match self.judge.spaces.iter().enumerate().find(|(_, space)| space.holds(v)) {
                Some((i, space)) if space.proper().all(|u| u != v) => (b'a' + (i % 8) as u8) as char,
                Some((i, _)) => (b'1' + (i % 8) as u8) as char,
                None if arena.ground.rim[v.at()] => '!',
                None => '.',
            },
        };
        for row in 0..size {
            let line: String =
                (0..size).flat_map(|col| [' ', picture(Vertex::new(row, col, size))]).collect();
            let _ = write!(text, "\n{:2}{line}", size - row);
        }
        Ok(text)
    }

    /// Steps 4, 6, 7 and 8.
    fn read(&mut self, question: &LifeQuestion<'_>, first: Option<Vertex>, attack: bool) -> LifeReading {
        if !question.thorough {
            let found = self.read_once(question, first, attack, false);
            self.keep_moves();
            return found;
        }
        let part = LifeQuestion { node_limit: question.node_limit / THOROUGH_SHARE, ..question.clone() };
        let mut found = self.read_once(&part, first, attack, true);
        if !found.certain {
            let eager = self.read_once(question, first, attack, false);
            found = LifeReading { nodes: found.nodes + eager.nodes, ..eager };
        }
        self.keep_moves();
        let limit = question.node_limit.saturating_mul(CLOSED_NODES).min(MOST_CLOSED_NODES);
        let limit = FieldLimits::everywhere(limit);
        self.read_closed(question, first, attack, Some(found), limit).unwrap_or(found)
    }

    /// Takes over the moves that reading with judgement found.
    fn keep_moves(&mut self) {
        let all = std::mem::take(&mut self.search.good);
        self.found = GoodMoves { firm: all.len(), judged: all.clone(), all };
    }

    /// Steps 7 and 8: before reading with judgement, or after it; `None` if that stands.
    fn read_closed(
        &mut self,
        question: &LifeQuestion<'_>,
        first: Option<Vertex>,
        attack: bool,
        judged: Option<LifeReading>,
        limits: FieldLimits,
    ) -> Option<LifeReading> {
        let arena = question.arena()?;
        let mover = arena.mover(attack);
        let problem = Problem::new(question.board, &arena, mover);
        let limit = limits.of(problem.empty());
        let line = judged.map_or(Line::NONE, |judged| judged.line);
        if self.found.all.is_empty() && !line.is_empty() {
            self.found.all.push(line.start());
            self.found.firm = 1;
        }
        let named = self.found.all.clone();
        let asked = FieldQuestion {
            attack,
            first,
            judged: judged.map(|judged| judged.code),
            careful: self.careful,
            named: &named,
            alternatives: question.alternatives,
            limit,
            favoured: [false; 2],
            repeated_kills: false,
        };
        let before = self.solver.spent;
        let answer = problem.answer(&mut self.solver, asked);
        let nodes = judged.map_or(0, |judged| judged.nodes) + self.solver.spent - before;
        let Answer { code, mut good, sure } = answer.filter(|found| {
            attack || found.code.works() || judged.is_none_or(|judged| !judged.code.works())
        })?;
        if good.len() > 1 {
            let mut board = question.board.without_history();
            let judgement = self.judge.judge(&mut board, &arena, mover, 0);
            let level = vec![0; board.padded_len()];
            let ranked = candidates(&board, &arena, &self.judge, &judgement, mover, 0, &level);
            let rank = |list: &[Vertex], v: Vertex| list.iter().position(|&m| m == v).unwrap_or(list.len());
            good.sort_by_key(|&v| (rank(&named, v), rank(&ranked, v), v));
        }
        let point = first.or(good.first().copied()).filter(|_| code.works()).unwrap_or(Vertex::PASS);
        let both = good.iter().filter(|v| named.contains(v)).count();
        self.found.firm = if both > 0 { both } else { good.len() };
        self.found.all = good;
        let basis = if sure { Basis::Proof } else { Basis::Field };
        Some(LifeReading { code, line: line.starting_with(point), nodes, basis, ..LifeReading::NONE })
    }

    /// Step 4. A thorough reading ends with its first search that does not reach its end.
    fn read_once(
        &mut self,
        question: &LifeQuestion<'_>,
        first: Option<Vertex>,
        attack: bool,
        thorough: bool,
    ) -> LifeReading {
        let Some(arena) = question.arena() else { return LifeReading::NONE };
        let mover = arena.mover(attack);
        (self.judge.careful, self.judge.thorough) = (question.thorough, thorough);
        let mut board = question.board.without_history();
        let (limit, alternatives) = (question.node_limit, question.alternatives);
        let found = grade(mover, thorough, |favoured| {
            let asked = Question { mover, first, favoured, limit, alternatives };
            self.search.run(&mut board, &arena, &mut self.judge, asked)
        });
        let guess = if found.code == Code::Fail { found.guess } else { Vertex::PASS };
        let Grade { code, line, certain, nodes, .. } = found;
        LifeReading { code, line, certain, guess, nodes, ..LifeReading::NONE }
    }
}
