//! An opened rulesheet: its game, its net, and the states of lines of play.

use crate::scene::rulesheets;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tengen_core::Diagnostic;
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::gdl::ast::Rulesheet;
use tengen_propnet::information;
use tengen_propnet::inspect::facts::Facts;
use tengen_propnet::inspect::{self, Inspection};
use tengen_propnet::machine::{MoveId, State, StateMachine};
use tengen_propnet::review;

/// The time limit for turning a rulesheet into a net; after it the prover serves the game.
pub(super) const SETUP: Duration = Duration::from_secs(30);
/// The most joint moves an address may carry.
pub(super) const MAX_MOVES: usize = 2000;
/// States of lines that are kept.
pub(super) const KEPT: usize = 64;

/// A game that was opened.
pub struct Table {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) sheet: Rulesheet,
    /// The warnings of the rules.
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) game: Arc<Game>,
    /// The net's parts and the rules, if it has a net.
    pub(super) net: Option<(Inspection, Vec<inspect::Rule>)>,
    /// What holds of the net in every state, once a page has asked for it.
    facts: OnceLock<Vec<String>>,
    pub(super) kept: Mutex<VecDeque<(Vec<Joint>, State)>>,
}

/// A joint move: for each role the place in its sorted list of legal moves.
pub(super) type Joint = Vec<usize>;

impl Table {
    /// Reads a rulesheet. `stop` is asked regularly whether to give up on the net.
    ///
    /// # Errors
    /// If it cannot be read, and all its faults.
    pub fn open(path: &Path, stop: &mut dyn FnMut() -> bool) -> anyhow::Result<Self> {
        let text = rulesheets::read(path).map_err(|fault| anyhow::anyhow!("{fault}"))?;
        Self::of_text(path, text, stop)
    }

    /// The same for a text that was read from the path.
    ///
    /// # Errors
    /// All faults of the rulesheet.
    pub fn of_text(path: &Path, text: String, stop: &mut dyn FnMut() -> bool) -> anyhow::Result<Self> {
        let review = review::rules(&text);
        let faults = rulesheets::diagnostics(&review, &text, &crate::files::display(path));
        let program = review.program.and_then(|_| information::read(&text).ok());
        let Some(program) = program else {
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            anyhow::bail!("{}", lines.join("\n"));
        };
        let sheet = review.sheet;
        let game = Game::from_program(program, LoadLimits::default(), stop);
        let net = game.topology.as_ref().ok().map(|topology| {
            let inspection = Inspection::new(topology);
            let rules = inspect::rules(&sheet, &inspection);
            (inspection, rules)
        });
        let (game, kept) = (Arc::new(game), Mutex::default());
        let facts = OnceLock::new();
        Ok(Self { path: path.into(), text, sheet, warnings: faults, game, net, facts, kept })
    }

    /// What holds of the net in every state, as sentences.
    pub(super) fn facts(&self) -> &[String] {
        self.facts.get_or_init(|| match (&self.game.topology, &self.net) {
            (Ok(topology), Some((inspection, _))) => {
                Facts::new(topology, inspection).sentences(&topology.net.names)
            }
            _ => Vec::new(),
        })
    }

    /// The same, within the time that opening may take.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn open_in_time(path: &Path) -> anyhow::Result<Self> {
        let begun = Instant::now();
        Self::open(path, &mut || begun.elapsed() > SETUP)
    }

    /// Joint moves from the beginning, written as rulesheets have them, as an address spells them.
    pub(super) fn spelled_line(&self, moves: &[Vec<String>]) -> Result<String, String> {
        let mut machine = self.game.machine("auto").map_err(|e| e.to_string())?;
        let mut state = machine.initial();
        let mut line = Vec::new();
        for joint in moves {
            machine.enter(&state).map_err(|e| e.to_string())?;
            let ids = machine.joint_move(joint).map_err(|e| e.to_string())?;
            let place = |(role, id): (usize, &MoveId)| {
                let moves = legal(machine.as_mut(), role)?;
                moves.iter().position(|m| m.1 == *id).ok_or_else(|| "a move is not legal".to_owned())
            };
            line.push(ids.iter().enumerate().map(place).collect::<Result<Joint, String>>()?);
            state = machine.successor(&ids).map_err(|e| e.to_string())?;
        }
        Ok(spelled(&line))
    }

    /// The state after a line, from the longest stored part of it.
    pub(super) fn walk(&self, machine: &mut dyn StateMachine, line: &[Joint]) -> Result<State, String> {
        let known = {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let nearest = kept.iter().filter(|(at, _)| line.starts_with(at)).max_by_key(|(at, _)| at.len());
            nearest.cloned()
        };
        let (from, mut state) = known.unwrap_or_else(|| (Vec::new(), machine.initial()));
        for (number, joint) in line.iter().enumerate().skip(from.len()) {
            machine.enter(&state).map_err(|e| e.to_string())?;
            let ids = ids(machine, joint).map_err(|why| format!("move {}: {why}", number + 1))?;
            state = machine.successor(&ids).map_err(|e| e.to_string())?;
        }
        machine.enter(&state).map_err(|e| e.to_string())?;
        if from.len() < line.len() {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push_back((line.to_vec(), state.clone()));
            if kept.len() > KEPT {
                kept.pop_front();
            }
        }
        Ok(state)
    }
}

impl Table {
    /// The joint moves of a line as people write them, as far as they are legal.
    pub(super) fn texts(&self, line: &[Joint]) -> Result<Vec<Vec<String>>, String> {
        let mut machine = self.game.machine("auto").map_err(|e| e.to_string())?;
        let (mut state, mut texts) = (machine.initial(), Vec::new());
        for joint in line {
            machine.enter(&state).map_err(|e| e.to_string())?;
            let Ok(ids) = ids(machine.as_mut(), joint) else { break };
            texts.push(ids.iter().enumerate().map(|(role, &id)| machine.move_text(role, id)).collect());
            state = machine.successor(&ids).map_err(|e| e.to_string())?;
        }
        Ok(texts)
    }

    /// As many of these joint moves, from the first on, as are legal here.
    pub(super) fn legal_part(&self, texts: &[Vec<String>]) -> Result<Vec<Joint>, String> {
        let mut machine = self.game.machine("auto").map_err(|e| e.to_string())?;
        let (mut state, mut line) = (machine.initial(), Vec::new());
        for joint in texts {
            machine.enter(&state).map_err(|e| e.to_string())?;
            if machine.terminal().map_err(|e| e.to_string())? || joint.len() != machine.roles().len() {
                break;
            }
            let mut places = Vec::new();
            for (role, text) in joint.iter().enumerate() {
                let moves = legal(machine.as_mut(), role)?;
                places.extend(moves.iter().position(|m| m.0 == *text));
            }
            if places.len() < joint.len() {
                break;
            }
            let ids = ids(machine.as_mut(), &places)?;
            state = machine.successor(&ids).map_err(|e| e.to_string())?;
            line.push(places);
        }
        Ok(line)
    }

    /// A joint move after a line, as people write it.
    pub(super) fn text_of(
        &self,
        machine: &mut dyn StateMachine,
        line: &[Joint],
        joint: &Joint,
    ) -> Result<String, String> {
        self.walk(machine, line)?;
        let ids = ids(machine, joint).map_err(|why| format!("move {}: {why}", line.len() + 1))?;
        let moves = ids.iter().enumerate();
        let text = |(role, &id): (usize, &MoveId)| {
            format!("{} {}", machine.roles()[role], machine.move_text(role, id))
        };
        Ok(moves.map(text).collect::<Vec<_>>().join(", "))
    }
}

/// The legal moves of a role in the state entered, by their text.
pub(super) fn legal(machine: &mut dyn StateMachine, role: usize) -> Result<Vec<(String, MoveId)>, String> {
    let ids = machine.legal(role).map_err(|e| e.to_string())?;
    let mut moves: Vec<(String, MoveId)> =
        ids.into_iter().map(|id| (machine.move_text(role, id), id)).collect();
    moves.sort_unstable();
    Ok(moves)
}

/// The moves at these places in the state entered.
pub(super) fn ids(machine: &mut dyn StateMachine, joint: &Joint) -> Result<Vec<MoveId>, String> {
    if machine.terminal().map_err(|e| e.to_string())? {
        return Err("the game was over before it".into());
    }
    if joint.len() != machine.roles().len() {
        return Err(format!("it needs a move for each of {} roles", machine.roles().len()));
    }
    let mut ids = Vec::with_capacity(joint.len());
    for (role, &place) in joint.iter().enumerate() {
        let moves = legal(machine, role)?;
        let name = &machine.roles()[role];
        ids.push(moves.get(place).ok_or_else(|| format!("{name} has no legal move number {place}"))?.1);
    }
    Ok(ids)
}

/// A line as an address spells it: joint moves by commas, roles by dots.
pub(super) fn spelled(line: &[Joint]) -> String {
    let one = |joint: &Joint| joint.iter().map(ToString::to_string).collect::<Vec<_>>().join(".");
    line.iter().map(one).collect::<Vec<_>>().join(",")
}

pub(super) fn line(text: &str) -> Result<Vec<Joint>, String> {
    let words: Vec<&str> = text.split(',').filter(|w| !w.is_empty()).collect();
    if words.len() > MAX_MOVES {
        return Err(format!("an address carries at most {MAX_MOVES} moves"));
    }
    words
        .into_iter()
        .map(|word| {
            let places: Result<Joint, _> = word.split('.').map(str::parse).collect();
            places.map_err(|_| format!("`{word}` is no joint move"))
        })
        .collect()
}
