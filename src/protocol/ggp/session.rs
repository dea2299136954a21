//! The current match of the GGP player, on a separate thread.
//!
//! # Steps
//! 1. `START` starts the thread, which makes the player and uses the start clock.
//! 2. Each turn goes to the thread with a deadline. The answer comes back over a channel.
//! 3. If the deadline passes first, the session sends the player's [`Fallback`] move instead. It drops the late answer.
//! 4. After its answer the player ponders until the next message, but at most for a play clock plus [`PATIENCE`].
//! 5. The match ends with `STOP`, with `ABORT`, or with a `START` after the manager has gone. All waiting threads are
//!    woken, and the player is asked to stop thinking. The thread ends when its player returns.
//!
//! # Clocks
//! Time counts from the arrival of the request. A margin of a tenth of a clock, at least [`MIN_MARGIN`] and at most
//! [`MAX_MARGIN`], is reserved for the reply's way back. The player must answer before the margin begins. The reply is
//! sent at the middle of the margin at the latest.

use super::message::Message;
use super::{Fallback, Made, MatchStart, Player, PlayerFactory, Time};
use crate::client::spelling::Spelling;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};
use tengen_core::Stop;

/// The least time kept back from a clock.
pub const MIN_MARGIN: Duration = Duration::from_millis(200);
/// The most time kept back from a clock.
pub const MAX_MARGIN: Duration = Duration::from_millis(1500);
/// The time after its clocks in which a manager must send its next message. After it, the manager counts as gone.
pub const PATIENCE: Duration = Duration::from_secs(15);
/// The time between two checks whether the manager still holds the connection.
const LOOK: Duration = Duration::from_millis(200);

/// The deadline of the player, and the later deadline of the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The player's time ends.
    pub player: Instant,
    /// The reply is sent.
    pub reply: Instant,
}

impl Deadline {
    /// The deadlines of a clock that began at `arrival`.
    #[must_use]
    pub fn of(clock: Duration, arrival: Instant) -> Self {
        let margin = (clock / 10).clamp(MIN_MARGIN, MAX_MARGIN).min(clock / 2);
        Self { player: arrival + (clock - margin), reply: arrival + (clock - margin / 2) }
    }
}

enum Task {
    Play { turn: u64, made: Made, until: Instant, fallback: Fallback },
    Finish { made: Made },
}

struct Answer {
    /// The turn; 0 is the preparation.
    turn: u64,
    text: anyhow::Result<String>,
}

/// The data of a turn, held by the thinking thread.
struct Turns {
    turn: u64,
    answers: Receiver<Answer>,
}

/// One running match.
pub struct Session {
    id: String,
    spelling: Spelling,
    play_clock: Duration,
    /// When the next message of the manager is due at the latest.
    due: Mutex<Instant>,
    /// The manager has hung up while it waited for a reply.
    deserted: AtomicBool,
    ended: Arc<AtomicBool>,
    /// The messages that wait for the thread: with one it stops pondering.
    waiting: Arc<AtomicUsize>,
    tasks: Sender<Task>,
    wake: Sender<Answer>,
    turns: Mutex<Turns>,
    fallback: Fallback,
}

/// A message of a session to the person watching.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// The result of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The move to make.
    Move(String),
    /// No legal move is known: the rules could not be read.
    Nothing,
    /// A turn of this match is being thought about already, or the match has ended.
    Busy,
}

impl Session {
    /// Begins the match a `START` asks for; `None` for any other message, and if no thread can be had. `threads` counts
    /// the threads of matches.
    #[must_use]
    pub fn start(
        message: Message,
        arrival: Instant,
        factory: Arc<dyn PlayerFactory>,
        log: Log,
        threads: &Arc<AtomicUsize>,
    ) -> Option<Arc<Self>> {
        let Message::Start { id, role, rules, start_clock, play_clock } = message else { return None };
        let spelling = Spelling::of(&rules);
        let start =
            MatchStart { role: role.to_ascii_lowercase(), rules: rules.to_ascii_lowercase(), play_clock };
        let (tasks, task_queue) = channel();
        let (answer_queue, answers) = channel();
        let (fallback, ended) = (Fallback::default(), Arc::new(AtomicBool::new(false)));
        let waiting = Arc::new(AtomicUsize::new(0));
        let thread = Thread {
            factory,
            start,
            fallback: fallback.clone(),
            ended: Arc::clone(&ended),
            waiting: Arc::clone(&waiting),
            answers: answer_queue.clone(),
            log,
            history: Vec::new(),
            counted: Counted::new(threads),
        };
        let until = Deadline::of(start_clock, arrival).player;
        std::thread::Builder::new()
            .name("match".into())
            .spawn(move || thread.run(&task_queue, until))
            .ok()?;
        Some(Arc::new(Self {
            id,
            spelling,
            play_clock,
            due: Mutex::new(arrival + start_clock + PATIENCE),
            deserted: AtomicBool::new(false),
            ended,
            waiting,
            tasks,
            wake: answer_queue,
            turns: Mutex::new(Turns { turn: 0, answers }),
            fallback,
        }))
    }

    /// Waits until the player is ready or the start clock has run out, or the match is ended. `gone` says whether the
    /// manager has hung up.
    pub fn prepare(&self, start_clock: Duration, arrival: Instant, gone: &mut dyn FnMut() -> bool) {
        let turns = locked(&self.turns);
        // Ready or not, `ready` is sent when the clock says so; a player still preparing goes on.
        let _ = self.wait(&turns, Deadline::of(start_clock, arrival).reply, gone);
    }

    /// The match's name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether the manager has hung up, or been silent for so long that it must have gone away.
    #[must_use]
    pub fn abandoned(&self, now: Instant) -> bool {
        self.deserted.load(Ordering::Relaxed) || now > *locked(&self.due)
    }

    /// The next move after the last step, before the play clock runs out.
    pub fn play(&self, made: Made, arrival: Instant, gone: &mut dyn FnMut() -> bool) -> Reply {
        let mut turns = match self.turns.try_lock() {
            Ok(turns) => turns,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Reply::Busy,
        };
        self.deserted.store(false, Ordering::Relaxed);
        // All players have this clock; then the manager sends the next turn.
        *locked(&self.due) = arrival + self.play_clock + PATIENCE;
        turns.turn += 1;
        let deadline = Deadline::of(self.play_clock, arrival);
        // Before the first move the fallback of the preparation still holds, for a player that is not done with it. Each
        // later turn has its own: a player that is behind must not fill in that of a turn to come.
        let fallback = if made.is_first() { self.fallback.clone() } else { Fallback::default() };
        let (own, made) = (fallback.clone(), made.lower());
        let task = Task::Play { turn: turns.turn, made, until: deadline.player, fallback: own };
        self.waiting.fetch_add(1, Ordering::AcqRel);
        let sent = self.tasks.send(task);
        let text = if sent.is_ok() { self.wait(&turns, deadline.reply, gone) } else { None };
        if self.ended.load(Ordering::Acquire) {
            return Reply::Busy;
        }
        text.or_else(|| fallback.get()).map_or(Reply::Nothing, |t| Reply::Move(self.spelling.restore(&t)))
    }

    /// Ends the match at once: the player stops thinking, and every waiting request gets its answer. With the last
    /// joint move the goals are computed and reported.
    pub fn end(&self, made: Option<Made>) {
        self.ended.store(true, Ordering::Release);
        // A thread that has already ended needs no farewell.
        if let Some(made) = made {
            let _ = self.tasks.send(Task::Finish { made: made.lower() });
        }
        let _ = self.wake.send(Answer { turn: u64::MAX, text: Ok(String::new()) });
    }

    /// The answer of this turn, if it comes in time and the match goes on.
    fn wait(&self, turns: &Turns, until: Instant, gone: &mut dyn FnMut() -> bool) -> Option<String> {
        while !self.ended.load(Ordering::Acquire) {
            let left = until.saturating_duration_since(Instant::now());
            match turns.answers.recv_timeout(left.min(LOOK)) {
                Ok(answer) if answer.turn == turns.turn => return answer.text.ok(),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) if left > LOOK => {
                    self.deserted.fetch_or(gone(), Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }
}

/// The guarded value is replaced as a whole, so a panic elsewhere leaves it valid.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One more in a count while it lives.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(count))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The match's thread.
struct Thread {
    factory: Arc<dyn PlayerFactory>,
    start: MatchStart,
    fallback: Fallback,
    ended: Arc<AtomicBool>,
    waiting: Arc<AtomicUsize>,
    answers: Sender<Answer>,
    log: Log,
    /// The steps so far, for a substitute.
    history: Vec<Made>,
    #[expect(dead_code, reason = "counts this thread for as long as it runs")]
    counted: Counted,
}

impl Thread {
    fn time(&self, until: Instant) -> Time {
        Time::new(until, Arc::clone(&self.ended))
    }

    /// The answer of a player; its panic is an error like others.
    fn caught<T>(what: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
        catch_unwind(AssertUnwindSafe(what)).unwrap_or_else(|cause| {
            let text = crate::panics::panic_message(&*cause);
            Err(Panicked(text.into()).into())
        })
    }

    fn run(mut self, tasks: &Receiver<Task>, until: Instant) {
        let time = self.time(until);
        let ready = Self::caught(|| {
            let mut player = self.factory.create(&self.start, &time)?;
            player.prepare(&time, &self.fallback)?;
            Ok(player)
        });
        let mut player = match ready {
            Err(error) if error.is::<Panicked>() => self.substitute(&error, &time),
            ready => ready,
        };
        let told = player.as_ref().map(|_| "ready".to_owned()).map_err(|e| anyhow::anyhow!("{e:#}"));
        if let Err(error) = &told {
            (self.log)(&format!("can't play this match: {error:#}"));
        }
        let gone = self.answers.send(Answer { turn: 0, text: told }).is_err();
        while let (false, Ok(task), Ok(now)) = (gone, tasks.recv(), &mut player) {
            match task {
                Task::Play { turn, made, until, fallback } => {
                    self.waiting.fetch_sub(1, Ordering::AcqRel);
                    self.fallback = fallback;
                    let time = self.time(until);
                    let mut text = Self::caught(|| now.play(&made, &time, &self.fallback));
                    self.history.push(made);
                    if let Err(error) = &text {
                        (self.log)(&format!("turn {turn}: {error:#}"));
                        if error.is::<Panicked>() {
                            player = self.substitute(error, &time);
                        }
                    }
                    if player.is_ok() && text.as_ref().is_err_and(|error| error.is::<Panicked>()) {
                        text = self.fallback.get().ok_or_else(|| anyhow::anyhow!("no legal move is known"));
                    }
                    if self.answers.send(Answer { turn, text }).is_err() {
                        return;
                    }
                    self.ponder(&mut player);
                }
                Task::Finish { made } => {
                    match Self::caught(|| now.finish(&made)) {
                        Ok(goals) => (self.log)(&format!("the match ended, goals {}", goals_text(&goals))),
                        Err(error) => {
                            (self.log)(&format!("the match ended; its last state is unknown: {error:#}"));
                        }
                    }
                    return;
                }
            }
        }
    }

    /// Step 4. A player that fails here fails again when it is asked, and the turn says so.
    fn ponder(&self, player: &mut anyhow::Result<Box<dyn Player>>) {
        let until = Instant::now() + self.start.play_clock + PATIENCE;
        let (waiting, ended) = (Arc::clone(&self.waiting), Arc::clone(&self.ended));
        let stop = Stop::when(move || {
            waiting.load(Ordering::Acquire) > 0 || ended.load(Ordering::Acquire) || Instant::now() >= until
        });
        if let Ok(now) = player
            && let Err(error) = Self::caught(|| now.ponder(&stop))
            && error.is::<Panicked>()
        {
            *player = self.substitute(&error, &self.time(until));
        }
    }

    /// A player of legal moves that replaces one that panicked, brought to the current state of the match.
    fn substitute(&self, why: &anyhow::Error, time: &Time) -> anyhow::Result<Box<dyn Player>> {
        (self.log)(&format!("the player broke down ({why:#}); legal moves are played from here on"));
        Self::caught(|| {
            let mut player = self.factory.substitute(&self.start, time)?;
            player.prepare(time, &self.fallback)?;
            for made in &self.history {
                player.play(made, time, &self.fallback)?;
            }
            Ok(player)
        })
    }
}

/// A player's panic.
#[derive(Debug, thiserror::Error)]
#[error("a panic: {0}")]
struct Panicked(String);

fn goals_text(goals: &[Option<i64>]) -> String {
    let texts: Vec<String> =
        goals.iter().map(|g| g.map_or_else(|| "unknown".to_owned(), |v| v.to_string())).collect();
    texts.join(" ")
}
