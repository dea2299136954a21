//! An example of a player that weighs the states of a net. During a search, a system examines the state after each move
//! of the searched state. It weighs how many more legal moves the player has in that state than the others. The player
//! adds this weight to the mean goal values of the search, unless a goal is proven.
//!
//! ```text
//! cargo run -p weighs                             # plays Nim with itself
//! cargo run -p weighs -- GAME.kif [VISITS]        # another rulesheet, with this many visits a state
//! ```

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use tengen_core::Budget;
use tengen_propnet::PropnetPlugins;
use tengen_propnet::game::{Game, GameError, LoadLimits};
use tengen_propnet::machine::{MoveId, State, StateMachine};
use tengen_propnet::players::uct::Uct;
use tengen_propnet::world::{GameNet, LeadsTo, LegalMove, LegalMoveOf, Picks, Spelling, start, take};
use tengen_search::{Expand, ExpandPlugin, ExpandSystems, run_to_end};

/// The weight of the state after a move, in points of the goal. Written by [`weigh_states`].
#[derive(Component, Clone, Copy, Default)]
struct Weight(f64);

/// Weighs each state after a move as soon as the tree holds it; runs in [`ExpandSystems::Watch`].
fn weigh_states(
    moves: Query<(Entity, &LegalMoveOf, &LegalMove, &LeadsTo), Added<LeadsTo>>,
    nets: Query<&GameNet>,
    mut commands: Commands,
) {
    for (entity, of, legal, next) in &moves {
        let machine = nets.get(of.0).ok().and_then(|net| net.game.machine("auto").ok());
        if let Some(weight) = machine.and_then(|mut machine| freedom(&mut *machine, &next.0, legal.role).ok())
        {
            commands.entity(entity).insert(Weight(weight));
        }
    }
}

/// The share of the legal moves of a state that a role has, less the share of all others: from -10 to 10 points.
fn freedom(machine: &mut dyn StateMachine, state: &State, role: usize) -> Result<f64, GameError> {
    machine.enter(state)?;
    let (mut own, mut all) = (0, 0);
    for any in 0..machine.roles().len() {
        let count = machine.legal(any)?.len();
        own += if any == role { count } else { 0 };
        all += count;
    }
    Ok(if all == 0 { 0.0 } else { 10.0 * (2.0 * own as f64 - all as f64) / all as f64 })
}

/// A move of a role, with its value and its spelling.
type Choice = (f64, MoveId, String);

/// Searches a state with the system in the World. The best move of each role counts with its weight.
fn choose(world: &mut World, search: Uct) -> Vec<Choice> {
    let roles = search.game().program.roles().len();
    let search = start(world, 0, search);
    run_to_end(world);
    let mut moves = world.query::<(&LegalMove, &Picks, &Spelling, Option<&Weight>)>();
    let mut best: Vec<Option<Choice>> = vec![None; roles];
    for (legal, picks, spelling, weight) in moves.iter(world) {
        let weight = if picks.is_proven { Weight::default() } else { weight.copied().unwrap_or_default() };
        let value = picks.value + weight.0;
        let best = &mut best[legal.role];
        if best.as_ref().is_none_or(|known| known.0 < value) {
            *best = Some((value, legal.id, spelling.0.clone()));
        }
    }
    take(world, search);
    best.into_iter().flatten().collect()
}

/// Plays a game to its end, and lists the moves.
fn play(rules: &str, visits: u64, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let game = Arc::new(Game::load(rules, LoadLimits::default(), &mut || false)?);
    let mut app = App::empty();
    app.add_plugins(ExpandPlugin)
        .add_plugins(PropnetPlugins)
        .add_systems(Expand, weigh_states.in_set(ExpandSystems::Watch));
    let mut machine = game.machine("auto")?;
    let mut state = machine.initial();
    machine.enter(&state)?;
    while !machine.terminal()? {
        let budget = Budget { visits: Some(visits), ..Budget::default() };
        let chosen = choose(app.world_mut(), Uct::new(&game, &state, 1, budget)?);
        let told: Vec<String> = chosen.iter().map(|(value, _, text)| format!("{text} {value:.0}")).collect();
        writeln!(out, "{}", told.join("  "))?;
        let joint: Vec<MoveId> = chosen.iter().map(|choice| choice.1).collect();
        state = machine.successor(&joint)?;
        machine.enter(&state)?;
    }
    let goals: Result<Vec<_>, _> = (0..machine.roles().len()).map(|role| machine.goals(role)).collect();
    writeln!(out, "goals {}", goals?.concat().join(" "))?;
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(stderr(), "weighs: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rules = match arguments.next() {
        Some(path) => std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?,
        None => include_str!("../../../resources/gdl/heaps.kif").to_owned(),
    };
    let visits = arguments
        .next()
        .map_or(Ok(2000), |text| text.parse().map_err(|_| format!("`{text}` is no number of visits")))?;
    play(&rules, visits, &mut stdout())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_player_wins_nim_from_the_side_that_can() {
        let mut text = Vec::new();
        play(include_str!("../../../resources/gdl/heaps.kif"), 500, &mut text).unwrap();
        let told = String::from_utf8(text).unwrap();
        assert!(told.ends_with("goals 0 100\n"), "{told}");
    }

    #[test]
    fn a_state_is_weighed_by_the_moves_of_its_roles() {
        let rules = include_str!("../../../resources/gdl/heaps.kif");
        let game = Game::load(rules, LoadLimits::default(), &mut || false).unwrap();
        let mut machine = game.machine("auto").unwrap();
        let state = machine.initial();
        // Six ways to take, and one to wait.
        let weights = [0, 1].map(|role| freedom(&mut *machine, &state, role).unwrap());
        assert!(
            (weights[0] - 50.0 / 7.0).abs() < 1e-9 && (weights[1] + 50.0 / 7.0).abs() < 1e-9,
            "{weights:?}"
        );
    }
}
