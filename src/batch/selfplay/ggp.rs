//! Plays games of a rulesheet in which another program plays over GGP. Tengen is the game manager.
//!
//! # Source
//! M. Genesereth and M. Thielscher, "General Game Playing", Morgan & Claypool, 2014: game management by `START`, `PLAY`
//! and `STOP`. `docs/ggp.md` has the messages.
//!
//! # Steps
//! 1. All external players get `START` with the rules, their role and the clocks at the same time.
//! 2. For each move Tengen's own players choose first. Then all external players get `PLAY` with the previous moves at
//!    the same time.
//! 3. At the end the external players get `STOP`, or `ABORT` if the game is broken off.
//!
//! # Departures
//! Other managers replace a late or illegal move by a random one, and go on. Here the role loses and the others win, as
//! in self-play of the other games. The record names the reason. With players that think by the clock, games are not
//! reproducible.

use super::entry::End;
use super::gdl::{Course, kind, record, text};
use super::start::{From, Rules};
use super::{Finished, Plan};
use crate::client::ggp::Client;
use crate::client::ggp::messages::{Messages, Step};
use crate::client::process::EngineError;
use crate::scene::{GgpClock, Player};
use std::thread;
use std::time::{Duration, Instant};
use tengen_core::{Budget, Parallelism, Stop, derive_seed};
use tengen_propnet::information::{self, Observer};
use tengen_propnet::machine::{MoveId, State, StateMachine};
use tengen_propnet::players::selfplay::Seat as OurSeat;

/// The time that an answer may take on its way without the clock running.
const WAY: Duration = Duration::from_millis(500);

/// A role's player.
enum Seat {
    Ours(OurSeat, Budget),
    Outside(Client, GgpClock),
}

/// A role that lost by a fault, and how.
struct Lost {
    role: usize,
    end: End,
    why: String,
}

impl Lost {
    fn of(role: usize, error: &EngineError) -> Self {
        Self { role, end: error.end(), why: error.to_string() }
    }
}

/// A match going on.
struct Match<'a> {
    messages: Messages,
    seats: Vec<Seat>,
    sides: &'a [String],
    /// Whether it is a game of GDL-II, whose messages have turns and percepts.
    hidden: bool,
}

/// The course of the game so far.
#[derive(Default)]
struct MatchHistory {
    moves: Vec<Vec<String>>,
    percepts: Vec<Vec<Vec<String>>>,
}

impl MatchHistory {
    fn course(&self) -> Course<'_> {
        Course { moves: &self.moves, percepts: &self.percepts }
    }

    /// The last step as a role may know it.
    fn step(&self, role: usize) -> Step<'_> {
        let percepts = self.percepts.last().map_or(&[][..], |seen| &seen[role]);
        Step { turn: self.moves.len(), role, moves: self.moves.last().map(Vec::as_slice), percepts }
    }
}

/// Plays the game of this number; it breaks off once `stop` says so.
///
/// # Errors
/// The machine's limits.
pub(super) fn play(plan: &Plan, number: u32, stop: &Stop) -> anyhow::Result<Finished> {
    let start = plan.start(number);
    let From::Gdl(rules) = &start.from else { anyhow::bail!("the start is no rulesheet") };
    let seed = plan.seed(number);
    let seats = (0..plan.sides.len()).map(|role| seat(rules, plan.player(role, number), role, seed, stop));
    let hidden = information::is_hidden(&rules.game.program);
    let mut game = Match {
        messages: Messages::new(&format!("tengen.{seed:016x}.{number}"), &rules.text, hidden, None),
        seats: seats.collect::<anyhow::Result<_>>()?,
        sides: &plan.sides,
        hidden,
    };
    let mut observer = Observer::default();
    let mut machine = rules.game.machine("auto")?;
    machine.set_stop(stop.clone());
    // Step 1.
    let mut lost = game.start();
    let (mut state, mut history, mut end) = (machine.initial(), MatchHistory::default(), End::Limit);
    let mut watched = plan.watched(number);
    // Step 2.
    while lost.is_none() {
        if let Some(watched) = &mut watched {
            watched.show(|| text(plan, number, &history.course(), &[], "none yet", None));
        }
        machine.enter(&state)?;
        let now = machine.describe(&state)?;
        if now.terminal || now.legal.iter().any(Vec::is_empty) {
            end = if now.terminal { End::Terminal } else { End::Stuck };
            break;
        }
        if history.moves.len() >= start.max_moves || stop.now() {
            break;
        }
        match game.ask(&state, &history, machine.as_mut())? {
            Err(fault) => lost = Some(fault),
            Ok(joint) => {
                let ids = machine.joint_move(&joint)?;
                state = machine.successor(&ids)?;
                if game.hidden {
                    let seen = observer.texts(machine.as_ref(), &state)?;
                    game.observe(&joint, &seen, stop)?;
                    history.percepts.push(seen);
                }
                history.moves.push(joint);
            }
        }
    }
    // Step 3.
    let whole = lost.is_none() && end == End::Terminal;
    game.end(whole.then_some(&history));
    let goals: Vec<Vec<String>> = match &lost {
        Some(lost) => {
            let share = |role: usize| vec![if role == lost.role { "0" } else { "100" }.to_owned()];
            (0..plan.sides.len()).map(share).collect()
        }
        None => (0..plan.sides.len()).map(|role| machine.goals(role)).collect::<Result<_, _>>()?,
    };
    let end = lost.as_ref().map_or(end, |lost| lost.end);
    let fault = lost.map(|lost| format!("{}: {}", plan.sides[lost.role], lost.why));
    Ok(record(plan, number, &history.course(), &goals, end, fault))
}

fn seat(rules: &Rules, player: &Player, role: usize, seed: u64, stop: &Stop) -> anyhow::Result<Seat> {
    if let Player::Ggp(address, clock) = player {
        return Ok(Seat::Outside(Client::new(address, stop), *clock));
    }
    let (kind, budget) = kind(player);
    let seed = derive_seed(seed, &[role as u64]);
    let player = OurSeat::new(&rules.game, kind, role, seed, Parallelism::Shards)?;
    Ok(Seat::Ours(player, Budget { stop: stop.clone(), ..budget }))
}

impl Match<'_> {
    /// Sends `START`; who does not answer in time has lost.
    fn start(&self) -> Option<Lost> {
        let message = |role: usize, clock: &GgpClock| {
            self.messages.start(&self.sides[role], clock.start.into(), clock.play.into())
        };
        let answers = self.all(&message, |clock| clock.start);
        answers.into_iter().find_map(|(role, answer)| match (&self.seats[role], answer) {
            (Seat::Outside(client, _), Ok(text)) if text.eq_ignore_ascii_case("busy") => {
                Some(Lost::of(role, &client.refusal("( START ...", &text)))
            }
            (_, answer) => answer.err().map(|error| Lost::of(role, &error)),
        })
    }

    /// The move of each role, in canonical spelling.
    fn ask(
        &mut self,
        state: &State,
        history: &MatchHistory,
        machine: &mut dyn StateMachine,
    ) -> anyhow::Result<Result<Vec<String>, Lost>> {
        let mut joint = vec![String::new(); self.seats.len()];
        let mut legal = Vec::new();
        for (role, seat) in self.seats.iter_mut().enumerate() {
            let ids: Vec<MoveId> = machine.legal(role)?;
            if let Seat::Ours(player, budget) = seat {
                joint[role] = machine.move_text(role, player.choose(state, &ids, &mut || budget.clone())?);
            }
            legal.push(ids.into_iter().map(|id| machine.move_text(role, id)).collect::<Vec<_>>());
        }
        let message = |role: usize| self.messages.play(history.step(role));
        for (role, answer) in self.all(&|role, _| message(role), |clock| clock.play) {
            let text = match answer {
                Ok(text) => text,
                Err(error) => return Ok(Err(Lost::of(role, &error))),
            };
            let text_of_move = self.messages.read(&text).unwrap_or_default();
            if !legal[role].contains(&text_of_move) {
                let Seat::Outside(client, _) = &self.seats[role] else { continue };
                let why = client.refusal(&message(role), &text).to_string();
                return Ok(Err(Lost { role, end: End::IllegalMove, why }));
            }
            joint[role] = text_of_move;
        }
        Ok(Ok(joint))
    }

    /// Gives Tengen's players the moves and percepts of their roles.
    fn observe(&mut self, joint: &[String], seen: &[Vec<String>], stop: &Stop) -> anyhow::Result<()> {
        for ((seat, own), seen) in self.seats.iter_mut().zip(joint).zip(seen) {
            if let Seat::Ours(player, _) = seat {
                player.observe(own, seen, stop)?;
            }
        }
        Ok(())
    }

    /// Sends `STOP` with what happened last, or `ABORT`.
    fn end(&self, history: Option<&MatchHistory>) {
        let message = |role: usize| match history {
            Some(history) => self.messages.stop(history.step(role)),
            None => self.messages.abort(),
        };
        // The game is over: what is answered is no matter.
        thread::scope(|scope| {
            for (role, seat) in self.seats.iter().enumerate() {
                let Seat::Outside(client, clocks) = seat else { continue };
                let patience = Duration::from_secs(clocks.play.min(2).into()) + WAY;
                let (client, text) = (client.heedless(), message(role));
                scope.spawn(move || drop(client.ask(&text, Instant::now() + patience)));
            }
        });
    }

    /// Sends a message to all players of other programs at once; their answers by role.
    fn all(
        &self,
        message: &dyn Fn(usize, &GgpClock) -> String,
        clock: impl Fn(&GgpClock) -> u32,
    ) -> Vec<(usize, Result<String, EngineError>)> {
        thread::scope(|scope| {
            let mut asked = Vec::new();
            for (role, seat) in self.seats.iter().enumerate() {
                let Seat::Outside(client, clocks) = seat else { continue };
                let patience = Duration::from_secs(clock(clocks).into()) + WAY;
                let text = message(role, clocks);
                let ask = move || client.ask(&text, Instant::now() + patience);
                asked.push((role, client, scope.spawn(ask)));
            }
            let join = |(role, client, thread): (usize, &Client, thread::ScopedJoinHandle<'_, _>)| {
                (
                    role,
                    thread.join().unwrap_or_else(|_| Err(client.refusal("", "nothing: asking it panicked"))),
                )
            };
            asked.into_iter().map(join).collect()
        })
    }
}
