//! The match being played, on a thread of its own.
//!
//! # Steps
//! 1. `START` makes the thread; it makes the player and uses the start clock;
//! 2. each turn is handed to the thread with a deadline; the answer comes back over a channel;
//! 3. if the deadline passes first, the player's [`Fallback`] move is sent instead, and the late answer is dropped
//!    when it comes;
//! 4. `STOP`, `ABORT`, or a manager that has gone away end the match; the thread ends when its player returns.
//!
//! # Clocks
//! Time counts from the arrival of the request. A tenth of a clock, at least [`MIN_MARGIN`], at most [`MAX_MARGIN`],
//! is kept back for the way home; the last half of that margin is the fallback's.

use super::message::Message;
use super::spelling::Spelling;
use super::{Fallback, MatchStart, PlayerFactory};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The least time kept back from a clock.
pub const MIN_MARGIN: Duration = Duration::from_millis(200);
/// The most time kept back from a clock.
pub const MAX_MARGIN: Duration = Duration::from_millis(1500);

/// When the player must have answered, and when a reply is sent whatever happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The player's time ends.
    pub player: Instant,
    /// The reply is sent.
    pub reply: Instant,
}

impl Deadline {
    /// Of a clock that began at `arrival`.
    #[must_use]
    pub fn of(clock: Duration, arrival: Instant) -> Self {
        let margin = (clock / 10).clamp(MIN_MARGIN, MAX_MARGIN).min(clock / 2);
        Self { player: arrival + (clock - margin), reply: arrival + (clock - margin / 2) }
    }
}

enum Task {
    Play { turn: u64, made: Option<Vec<String>>, until: Instant },
    Finish { made: Vec<String> },
}

struct Answer {
    turn: u64,
    text: anyhow::Result<String>,
}

/// One running match.
pub struct Session {
    id: String,
    spelling: Spelling,
    play_clock: Duration,
    start_clock: Duration,
    last_heard: Instant,
    turn: u64,
    tasks: Sender<Task>,
    answers: Receiver<Answer>,
    fallback: Fallback,
}

/// What a session has to tell the person watching.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

impl Session {
    /// Begins the match a `START` asks for and waits until the player is ready or the start clock has run out.
    /// Returns `None` for any other message.
    #[must_use]
    pub fn start(
        message: Message,
        arrival: Instant,
        factory: Arc<dyn PlayerFactory>,
        log: Log,
    ) -> Option<Self> {
        let Message::Start { id, role, rules, start_clock, play_clock } = message else { return None };
        let spelling = Spelling::of(&rules);
        let start =
            MatchStart { role: role.to_ascii_lowercase(), rules: rules.to_ascii_lowercase(), play_clock };
        let (tasks, task_queue) = channel();
        let (answer_queue, answers) = channel();
        let fallback = Fallback::default();
        let deadline = Deadline::of(start_clock, arrival);
        let shared = fallback.clone();
        std::thread::spawn(move || {
            run(&*factory, &start, deadline.player, &shared, &task_queue, &answer_queue, &log);
        });
        let session = Self {
            id,
            spelling,
            play_clock,
            start_clock,
            last_heard: Instant::now(),
            turn: 0,
            tasks,
            answers,
            fallback,
        };
        // Ready or not, `ready` is sent when the clock says so; a player still preparing goes on.
        let _ = session.answers.recv_timeout(deadline.reply.saturating_duration_since(Instant::now()));
        Some(session)
    }

    /// The match's name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether the manager has been silent for so long that he must have gone away.
    #[must_use]
    pub fn abandoned(&self, now: Instant) -> bool {
        let patience = self.start_clock + self.play_clock * 10 + Duration::from_secs(60);
        now.saturating_duration_since(self.last_heard) > patience
    }

    /// The move to make after the joint move `made`, before the play clock runs out. `None` if the player has
    /// nothing legal to say (its rules could not be read).
    pub fn play(&mut self, made: Option<Vec<String>>, arrival: Instant) -> Option<String> {
        self.last_heard = arrival;
        self.turn += 1;
        let deadline = Deadline::of(self.play_clock, arrival);
        // Before the first move the fallback of the preparation still holds, for a player that is not done with it.
        if made.is_some() {
            self.fallback.set(None);
        }
        let sent =
            self.tasks.send(Task::Play { turn: self.turn, made: made.map(lower), until: deadline.player });
        let text = if sent.is_ok() { self.wait(deadline.reply) } else { None };
        text.or_else(|| self.fallback.get()).map(|term| self.spelling.restore(&term))
    }

    /// Hands the last joint move over; the thread ends by itself.
    pub fn stop(self, made: Option<Vec<String>>) {
        // A thread that has already ended needs no farewell.
        let _ = self.tasks.send(Task::Finish { made: lower(made.unwrap_or_default()) });
    }

    fn wait(&self, until: Instant) -> Option<String> {
        loop {
            match self.answers.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(answer) if answer.turn == self.turn => return answer.text.ok(),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}

fn lower(moves: Vec<String>) -> Vec<String> {
    moves.into_iter().map(|m| m.to_ascii_lowercase()).collect()
}

/// The match's thread.
fn run(
    factory: &dyn PlayerFactory,
    start: &MatchStart,
    until: Instant,
    fallback: &Fallback,
    tasks: &Receiver<Task>,
    answers: &Sender<Answer>,
    log: &Log,
) {
    let ready = factory.create(start).and_then(|mut player| {
        player.prepare(until, fallback)?;
        Ok(player)
    });
    let told = ready.as_ref().map(|_| "ready".to_owned()).map_err(|e| anyhow::anyhow!("{e:#}"));
    if let Err(error) = &told {
        log(&format!("can't play this match: {error:#}"));
    }
    let gone = answers.send(Answer { turn: 0, text: told }).is_err();
    let Ok(mut player) = ready else { return };
    if gone {
        return;
    }
    while let Ok(task) = tasks.recv() {
        match task {
            Task::Play { turn, made, until } => {
                let text = player.play(made.as_deref(), until, fallback);
                if let Err(error) = &text {
                    log(&format!("turn {turn}: {error:#}"));
                }
                if answers.send(Answer { turn, text }).is_err() {
                    return;
                }
            }
            Task::Finish { made } => {
                match player.finish(&made) {
                    Ok(goals) => log(&format!("the match ended, goals {}", goals_text(&goals))),
                    Err(error) => log(&format!("the match ended; its last state is unknown: {error:#}")),
                }
                return;
            }
        }
    }
}

fn goals_text(goals: &[Option<i64>]) -> String {
    let texts: Vec<String> =
        goals.iter().map(|g| g.map_or_else(|| "unknown".to_owned(), |v| v.to_string())).collect();
    texts.join(" ")
}
