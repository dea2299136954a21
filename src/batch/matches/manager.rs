//! Manages one match: the clocks, the messages and the answers. The steps are those of the parent module.

use super::rules::{self, Answer, Fault};
use super::{Clocks, Noted, Plan, Record, SCHEMA, Sheet, Way};
use crate::client::ggp::Client;
use crate::client::ggp::messages::{Messages, Step};
use crate::client::ggp::program::Program;
use crate::client::process::EngineError;
use std::thread;
use std::time::{Duration, Instant};
use tengen_core::{SplitMix64, Stop, derive_seed, escaped_line};
use tengen_propnet::information::{self, Observer};
use tengen_propnet::machine::StateMachine;

/// The letters of an answer that a record keeps.
const KEPT: usize = 200;

/// The longest that the answer to `STOP` and `ABORT` is waited for.
const FAREWELL: Duration = Duration::from_secs(2);

/// Who moves for a role.
enum Seat {
    /// A player that listens.
    Outside(Client),
    /// One that was started for this match, and ends with it.
    Started(Program),
    /// A player that could not be started: why.
    Absent(String),
    /// Nobody: a random move.
    Random,
    /// Nobody: the first move.
    Legal,
}

impl Seat {
    /// The client that speaks with its player, if it has one.
    fn client(&self) -> Option<&Client> {
        match self {
            Self::Outside(client) => Some(client),
            Self::Started(program) => Some(program.client()),
            Self::Absent(_) | Self::Random | Self::Legal => None,
        }
    }
}

/// The answer of a player, and the time it took.
struct Timed {
    answer: Answer,
    took: Duration,
}

/// The course of a match.
#[derive(Default)]
struct Course {
    moves: Vec<Vec<String>>,
    percepts: Vec<Vec<Vec<String>>>,
    faults: Vec<Noted>,
    slowest: Vec<Option<u64>>,
}

impl Course {
    fn step(&self, role: usize) -> Step<'_> {
        let percepts = self.percepts.last().map_or(&[][..], |seen| &seen[role]);
        Step { turn: self.moves.len(), role, moves: self.moves.last().map(Vec::as_slice), percepts }
    }

    fn note(&mut self, role: &str, fault: Fault, answer: &Answer, made: Option<String>) {
        // A fault of the start has no move in its place.
        let step = if made.is_none() { 0 } else { self.moves.len() + 1 };
        let answer: String = answer.words().chars().take(KEPT).collect();
        let answer = escaped_line(&answer).into_owned();
        self.faults.push(Noted { step, role: role.to_owned(), fault: fault.to_string(), answer, made });
    }
}

/// A match going on.
struct Match<'a> {
    plan: &'a Plan,
    messages: Messages,
    roles: Vec<String>,
    seats: Vec<Seat>,
    random: Vec<SplitMix64>,
    course: Course,
}

/// Plays a match; `None` if `stop` ended it, in which case the players are told so.
///
/// # Errors
/// The machine's limits.
pub fn play(plan: &Plan, sheet: &Sheet, number: u64, stop: &Stop) -> anyhow::Result<Option<Record>> {
    let seed = plan.seed_of(number);
    let mut machine = sheet.game.machine("auto")?;
    machine.set_stop(stop.clone());
    let (roles, hidden) = (machine.roles().to_vec(), information::is_hidden(&sheet.game.program));
    let players =
        rules::seats(roles.len(), sheet.game.program.chance(), plan.players.len(), number, plan.swap);
    let id = format!("tengen.{seed:x}.{number}");
    let scramble = plan.scramble.then(|| derive_seed(seed, &[u64::MAX]));
    let mut game = Match {
        plan,
        messages: Messages::new(&id, &sheet.text, hidden, scramble),
        seats: players.iter().map(|player| seat(plan, *player, seed, stop)).collect(),
        random: (0..roles.len()).map(|role| SplitMix64::new(derive_seed(seed, &[role as u64]))).collect(),
        course: Course { slowest: vec![None; roles.len()], ..Course::default() },
        roles,
    };
    game.start();
    let mut observer = Observer::default();
    let mut state = machine.initial();
    let end = loop {
        if stop.now() {
            game.farewell(false);
            return Ok(None);
        }
        machine.enter(&state)?;
        let now = machine.describe(&state)?;
        if now.terminal || now.legal.iter().any(Vec::is_empty) {
            break if now.terminal { "terminal" } else { "stuck" };
        }
        if game.course.moves.len() >= plan.most_steps {
            break "limit";
        }
        let joint = game.ask(&now.legal);
        if stop.now() {
            continue;
        }
        let ids = machine.joint_move(&joint)?;
        state = machine.successor(&ids)?;
        if hidden {
            game.course.percepts.push(observer.texts(machine.as_ref(), &state)?);
        }
        game.course.moves.push(joint);
    };
    game.farewell(end == "terminal");
    let goals =
        (0..game.roles.len()).map(|role| goal(machine.as_mut(), role)).collect::<anyhow::Result<_>>()?;
    Ok(Some(game.record(sheet, number, players, goals, end)))
}

/// The goal of a role in the state that the machine has entered, if the rules give one number.
fn goal(machine: &mut dyn StateMachine, role: usize) -> anyhow::Result<Option<i64>> {
    let goals = machine.goals(role)?;
    Ok(if let [one] = goals.as_slice() { one.parse().ok() } else { None })
}

fn seat(plan: &Plan, player: Option<usize>, seed: u64, stop: &Stop) -> Seat {
    match player.map(|player| &plan.players[player].way) {
        None | Some(Way::Random) => Seat::Random,
        Some(Way::Legal) => Seat::Legal,
        Some(Way::Address(address)) => Seat::Outside(Client::new(address, stop)),
        Some(Way::Command(command)) => match Program::start(command, seed, stop) {
            Ok(program) => Seat::Started(program),
            Err(error) => Seat::Absent(error.to_string()),
        },
    }
}

impl Match<'_> {
    /// Step 1.
    fn start(&mut self) {
        let Clocks { start, play, margin } = self.plan.clocks;
        let message = |role: usize| {
            self.messages.start(&self.roles[role], Clocks::seconds(start), Clocks::seconds(play))
        };
        let answers = self.all(&message, start + margin);
        for (role, timed) in answers.into_iter().enumerate() {
            let Some(Timed { answer, .. }) = timed else { continue };
            if let Some(fault) = answer.fault_of_start() {
                self.course.note(&self.roles[role], fault, &answer, None);
            }
        }
    }

    /// Steps 2 and 3: the move of each role.
    fn ask(&mut self, legal: &[Vec<String>]) -> Vec<String> {
        let Clocks { play, margin, .. } = self.plan.clocks;
        let answers = self.all(&|role| self.messages.play(self.course.step(role)), play + margin);
        let mut joint = Vec::with_capacity(legal.len());
        for (role, timed) in answers.into_iter().enumerate() {
            let (legal, random) = (&legal[role], &mut self.random[role]);
            let made = match timed {
                None if matches!(self.seats[role], Seat::Legal) => legal.first().cloned(),
                None => rules::any(legal, random),
                Some(Timed { answer, took }) => {
                    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
                    let slowest = &mut self.course.slowest[role];
                    *slowest = Some(slowest.unwrap_or(0).max(ms));
                    let settled = rules::settle(legal, &answer, random);
                    if let Some((made, Some(fault))) = &settled {
                        self.course.note(&self.roles[role], *fault, &answer, Some(made.clone()));
                    }
                    settled.map(|(made, _)| made)
                }
            };
            // A state in which a role has no move ends the match before.
            joint.push(made.unwrap_or_default());
        }
        joint
    }

    /// Step 4. The match is over: what is answered is no matter.
    fn farewell(&self, whole: bool) {
        let message = |role: usize| match whole {
            true => self.messages.stop(self.course.step(role)),
            false => self.messages.abort(),
        };
        let patience = FAREWELL.min(self.plan.clocks.play + self.plan.clocks.margin);
        thread::scope(|scope| {
            for (role, seat) in self.seats.iter().enumerate() {
                let Some(client) = seat.client() else { continue };
                let (client, text) = (client.heedless(), message(role));
                scope.spawn(move || drop(client.ask(&text, Instant::now() + patience)));
            }
        });
    }

    /// Sends a message to all players at once; for each role with a player its answer.
    fn all(&self, message: &dyn Fn(usize) -> String, patience: Duration) -> Vec<Option<Timed>> {
        thread::scope(|scope| {
            let mut asked = Vec::with_capacity(self.seats.len());
            for (role, seat) in self.seats.iter().enumerate() {
                let text = message(role);
                let ask = |client: &Client| {
                    let client = client.clone();
                    scope.spawn(move || {
                        let sent = Instant::now();
                        let answer = client.ask(&text, sent + patience);
                        (answer, sent.elapsed())
                    })
                };
                asked.push(match seat {
                    Seat::Random | Seat::Legal => Err(None),
                    Seat::Absent(why) => {
                        Err(Some(Timed { answer: Answer::Missing(why.clone()), took: Duration::ZERO }))
                    }
                    Seat::Outside(client) => Ok(ask(client)),
                    Seat::Started(program) => Ok(ask(program.client())),
                });
            }
            let join = |asked: Result<thread::ScopedJoinHandle<'_, _>, Option<Timed>>| match asked {
                Err(known) => known,
                Ok(thread) => Some(match thread.join() {
                    Ok((answer, took)) => Timed { answer: self.read(answer), took },
                    Err(_) => {
                        Timed { answer: Answer::Missing("asking it panicked".into()), took: Duration::ZERO }
                    }
                }),
            };
            asked.into_iter().map(join).collect()
        })
    }

    fn read(&self, answer: Result<String, EngineError>) -> Answer {
        match answer {
            Ok(text) => Answer::Text { named: self.messages.read(&text), text },
            Err(EngineError::Late { .. }) => Answer::Late,
            Err(error) => Answer::Missing(error.to_string()),
        }
    }

    fn record(
        self,
        sheet: &Sheet,
        number: u64,
        seats: Vec<Option<usize>>,
        goals: Vec<Option<i64>>,
        end: &str,
    ) -> Record {
        let Clocks { start, play, margin } = self.plan.clocks;
        let ms = |clock: Duration| u64::try_from(clock.as_millis()).unwrap_or(u64::MAX);
        let name = |seat: &Option<usize>| seat.map_or("random", |player| &self.plan.players[player].name);
        Record {
            schema: SCHEMA.to_owned(),
            rules: sheet.name.clone(),
            number,
            seed: self.plan.seed_of(number),
            scrambled: self.plan.scramble,
            clocks: [start, play, margin].map(ms),
            players: seats.iter().map(|seat| escaped_line(name(seat)).into_owned()).collect(),
            roles: self.roles,
            seats,
            moves: self.course.moves,
            sees: self.course.percepts,
            goals,
            end: end.to_owned(),
            faults: self.course.faults,
            slowest_ms: self.course.slowest,
        }
    }
}
