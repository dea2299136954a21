//! A judge of Go positions that is another program: any program that speaks KataGo's analysis protocol.
//!
//! # Source
//! KataGo, "Parallel Analysis Engine" (the documentation of `katago analysis`).
//!
//! # Steps
//! 1. `query` writes a position as a query, once for each side to move.
//! 2. `kept` returns the answers of earlier runs.
//! 3. `connection` sends the other queries to the program and waits. All threads of a run share one program.
//! 4. `answer` reads the reply, and refuses one that does not fit the query.
//!
//! # Departures
//! The query for the side that has just moved lists no played moves. This side is to move only after a pass by the
//! other side, so no ko exists. Numbers are rounded to four decimals before use, so that stored answers give the same
//! bytes.
//!
//! # Cost
//! Two queries for each position without a stored answer.

mod answer;
mod connection;
mod kept;
mod query;
#[cfg(test)]
mod tests;

use connection::Connection;
use kept::Kept;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tengen_go::board::Color;
use tengen_go::judge::{Answer, Judge, JudgeFault, View};
use tengen_go::world::Position;

/// How a program is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Visits of each query.
    pub visits: u32,
    /// The looks that a search by this judge may make for a move.
    pub looks: u32,
    /// The time for the first answer, which may wait for a program that tunes itself.
    pub first_patience: Duration,
    /// The time between two answers.
    pub patience: Duration,
    /// The file of kept answers; `None` keeps none.
    pub answers: Option<PathBuf>,
}

impl Default for Settings {
    /// One visit, one look, ten minutes for the first answer and one for each other, and no file.
    fn default() -> Self {
        Self {
            visits: 1,
            looks: 1,
            first_patience: Duration::from_secs(600),
            patience: Duration::from_secs(60),
            answers: None,
        }
    }
}

/// A judge behind a command line.
pub struct KataGo {
    command: String,
    settings: Settings,
    connection: Mutex<Option<Connection>>,
    kept: OnceLock<Result<Kept, JudgeFault>>,
}

impl KataGo {
    /// The judge of this command line. The program starts with the first question that no kept answer settles.
    #[must_use]
    pub const fn new(command: String, settings: Settings) -> Self {
        Self { command, settings, connection: Mutex::new(None), kept: OnceLock::new() }
    }

    /// The fault of this judge.
    fn fault(&self, what: impl std::fmt::Display, help: &str) -> JudgeFault {
        JudgeFault { message: format!("the judge `{}` {what}", self.command), help: help.into() }
    }

    fn kept(&self) -> Result<&Kept, JudgeFault> {
        let open = || {
            Kept::open(self.settings.answers.as_deref(), &self.command).map_err(|error| {
                let file = self.settings.answers.as_deref().unwrap_or("".as_ref()).display();
                self.fault(
                    format!("has no kept answers in {file}: {error}"),
                    "name another file by `--judge-answers FILE`, or `--judge-answers none`",
                )
            })
        };
        self.kept.get_or_init(open).as_ref().map_err(Clone::clone)
    }

    /// The views that these questions ask for, in their order.
    fn ask(&self, questions: &[query::Question]) -> Result<Vec<Result<View, JudgeFault>>, JudgeFault> {
        let kept = self.kept()?;
        let mut views: Vec<Option<Result<View, JudgeFault>>> =
            questions.iter().map(|q| kept.get(&q.key()).map(Ok)).collect();
        let unknown: Vec<usize> = (0..views.len()).filter(|&i| views[i].is_none()).collect();
        let lines = unknown.iter().map(|&i| questions[i].query()).collect();
        for (&i, came) in unknown.iter().zip(self.exchange(lines)) {
            let read = came.and_then(|value| {
                answer::read(&value, &questions[i]).map_err(|what| {
                    self.fault(
                        what,
                        "it must answer as KataGo's analysis engine does, for the position asked",
                    )
                })
            });
            if let Ok(view) = &read {
                kept.put(&questions[i].key(), view).map_err(|error| {
                    self.fault(
                        format!("gave an answer that could not be kept: {error}"),
                        "make room, or name another file",
                    )
                })?;
            }
            views[i] = Some(read);
        }
        let with_komi = |(view, question): (Option<Result<View, JudgeFault>>, &query::Question)| {
            Some(view?.map(|view| View { lead: view.lead - question.rest_of_komi, ..view }))
        };
        Ok(views.into_iter().zip(questions).filter_map(with_komi).collect())
    }

    /// The answers to these queries.
    fn exchange(&self, queries: Vec<serde_json::Value>) -> Vec<Result<serde_json::Value, JudgeFault>> {
        if queries.is_empty() {
            return Vec::new();
        }
        let asking = {
            let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
            connection.get_or_insert_with(|| Connection::new(&self.command, &self.settings)).ask(queries)
        };
        asking.wait()
    }
}

/// Positions of one search that are asked about at once: the program works on several.
const BATCH: usize = 8;

impl Judge for KataGo {
    fn name(&self) -> String {
        let Settings { visits, .. } = self.settings;
        if visits == 1 { self.command.clone() } else { format!("{} ({visits} visits)", self.command) }
    }

    fn views(&self, positions: &[&Position]) -> Vec<Answer> {
        let mut questions = Vec::new();
        let asked: Vec<bool> = positions
            .iter()
            .map(|position| {
                let both = Color::BOTH.map(|side| query::Question::new(position, side, self.settings.visits));
                let [Some(black), Some(white)] = both else { return false };
                questions.extend([black, white]);
                true
            })
            .collect();
        let views = match self.ask(&questions) {
            Ok(views) => views,
            Err(fault) => {
                return asked.iter().map(|&is| if is { Err(fault.clone()) } else { Ok(None) }).collect();
            }
        };
        let mut views = views.into_iter();
        let mut pair = || Some([views.next()?, views.next()?]);
        let answer = |is_asked: bool| match is_asked.then(&mut pair).flatten() {
            None => Ok(None),
            Some([black, white]) => Ok(Some([black?, white?])),
        };
        asked.into_iter().map(answer).collect()
    }

    fn view(&self, position: &Position) -> Option<View> {
        let question = query::Question::new(position, position.to_move, self.settings.visits)?;
        self.ask(&[question]).ok()?.pop()?.ok()
    }

    fn view_each(&self, positions: &[Position]) -> Vec<Option<View>> {
        let question = |p: &Position| query::Question::new(p, p.to_move, self.settings.visits);
        let questions: Vec<_> = positions.iter().map(question).collect();
        let is_asked: Vec<bool> = questions.iter().map(Option::is_some).collect();
        let questions: Vec<_> = questions.into_iter().flatten().collect();
        let mut answers = self.ask(&questions).unwrap_or_default().into_iter();
        is_asked.into_iter().map(|is_asked| is_asked.then(|| answers.next()?.ok()).flatten()).collect()
    }

    fn batch(&self) -> usize {
        BATCH
    }

    fn looks(&self, asked: u32) -> u32 {
        asked.min(self.settings.looks)
    }
}
