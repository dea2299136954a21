use super::*;
use crate::game::LoadLimits;
use tengen_core::Stop;

fn game(text: &str) -> Arc<Game> {
    Arc::new(
        Game::load(text, LoadLimits::default(), &mut || false).expect("the rulesheets of the tests are good"),
    )
}

const NOUGHTS: &str = include_str!("../../../../resources/gdl/noughts.kif");
const HEAPS: &str = include_str!("../../../../resources/gdl/heaps.kif");
const CORRIDOR: &str = include_str!("../../../../resources/gdl/corridor.kif");
const STANDOFF: &str = include_str!("../../../../resources/gdl/standoff.kif");
const RELAY: &str = include_str!("../../../../resources/gdl/relay.kif");

fn visits(n: u64) -> Budget {
    Budget { visits: Some(n), ..Budget::default() }
}

fn goals(text: &str, players: &[Kind], budget: &Budget, seed: u64) -> Vec<Vec<String>> {
    let record = selfplay::play(
        &game(text),
        players,
        &mut |_, _| budget.clone(),
        seed,
        100,
        Parallelism::default(),
        &Stop::NEVER,
    )
    .unwrap();
    assert!(record.finished);
    record.goals
}

#[test]
fn uct_draws_noughts_and_crosses_with_itself() {
    for seed in 0..5 {
        assert_eq!(goals(NOUGHTS, &[Kind::Uct], &visits(2000), seed), [["50"], ["50"]]);
    }
}

#[test]
fn alpha_beta_never_loses_to_anyone() {
    let budget = Budget::default();
    for seed in 0..3 {
        assert_ne!(goals(NOUGHTS, &[Kind::AlphaBeta, Kind::Random], &budget, seed)[0], ["0"]);
        assert_eq!(goals(HEAPS, &[Kind::Random, Kind::AlphaBeta], &budget, seed)[1], ["100"]);
    }
}

#[test]
fn uct_solves_nim_and_plays_it_perfectly() {
    let nim = game(HEAPS);
    let initial = nim.machine("auto").unwrap().initial();
    let search = uct::Uct::new(&nim, &initial, 1, visits(100_000)).unwrap();
    let done = uct::run(vec![search], Parallelism::default()).pop().unwrap();
    assert_eq!(done.solved(), Some(&[0.0, 100.0][..]));
    for seed in 0..5 {
        assert_eq!(goals(HEAPS, &[Kind::Random, Kind::Uct], &visits(5000), seed)[1], ["100"]);
    }
}

#[test]
fn a_small_puzzle_is_solved() {
    assert_eq!(goals(CORRIDOR, &[Kind::Uct], &visits(20_000), 1), [["100"]]);
}

#[test]
fn every_player_plays_every_kind_of_game_to_its_end() {
    for text in [NOUGHTS, HEAPS, CORRIDOR, STANDOFF, RELAY] {
        for (_, kind) in Kind::NAMES {
            goals(text, &[kind], &visits(60), 3);
        }
    }
}

#[test]
fn many_searches_at_once_find_what_each_finds_alone() {
    let g = game(STANDOFF);
    let initial = g.machine("auto").unwrap().initial();
    let make = |seed| uct::Uct::new(&g, &initial, seed, visits(300)).unwrap();
    let together = uct::run((0..4).map(make).collect(), Parallelism::default());
    for (seed, found) in together.iter().enumerate() {
        let alone = uct::run(vec![make(seed as u64)], Parallelism::default()).pop().unwrap();
        assert_eq!(found.lines(0), alone.lines(0));
    }
}

#[test]
fn a_search_for_many_threads_finds_the_same_on_however_many_there_are() {
    for text in [STANDOFF, NOUGHTS] {
        let g = game(text);
        let initial = g.machine("auto").unwrap().initial();
        let find = |parallelism| {
            let search = uct::Uct::new(&g, &initial, 3, visits(600)).unwrap().with_threads(4);
            let done = uct::run(vec![search], parallelism).pop().unwrap();
            (done.lines(0), done.nodes(), done.visits())
        };
        let alone = find(Parallelism::Shards);
        assert_eq!(alone.2, 600);
        for threads in [2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            assert_eq!(pool.install(|| find(Parallelism::Inside)), alone, "{threads} threads");
        }
    }
}

#[test]
fn a_search_for_many_threads_solves_what_one_solves() {
    let nim = game(HEAPS);
    let initial = nim.machine("auto").unwrap().initial();
    let search = uct::Uct::new(&nim, &initial, 1, visits(100_000)).unwrap().with_threads(8);
    let done = uct::run(vec![search], Parallelism::default()).pop().unwrap();
    assert_eq!(done.solved(), Some(&[0.0, 100.0][..]));
}

#[test]
fn single_games_find_the_same_on_however_many_threads_and_solve_what_lanes_solve() {
    for text in [STANDOFF, NOUGHTS] {
        let g = game(text);
        let initial = g.machine("auto").unwrap().initial();
        for threads in [1, 4] {
            let find = |parallelism| {
                let search = uct::Uct::new(&g, &initial, 3, visits(600)).unwrap();
                let search = search.with_moves_of_playouts().with_single_games().with_threads(threads);
                let done = uct::run(vec![search], parallelism).pop().unwrap();
                (done.lines(0), done.nodes(), done.visits())
            };
            let alone = find(Parallelism::Shards);
            assert_eq!(alone.2, 600);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
            assert_eq!(pool.install(|| find(Parallelism::Inside)), alone, "{threads} threads");
        }
    }
    let nim = game(HEAPS);
    let initial = nim.machine("auto").unwrap().initial();
    let search = uct::Uct::new(&nim, &initial, 1, visits(100_000)).unwrap().with_single_games();
    let done = uct::run(vec![search], Parallelism::default()).pop().unwrap();
    assert_eq!(done.solved(), Some(&[0.0, 100.0][..]));
}

/// Noughts and crosses with an `init` term nested deeper than the grounder's limit: the prover plays it.
fn without_a_net() -> Arc<Game> {
    let deep = format!("{}a{}", "(f ".repeat(30), ")".repeat(30));
    let game = game(&format!("{NOUGHTS} (init (deep {deep}))"));
    assert!(game.topology.is_err());
    game
}

#[test]
fn every_player_plays_games_without_a_net() {
    let game = without_a_net();
    let budget = Budget { nodes: Some(60), ..visits(20) };
    for (_, kind) in Kind::NAMES {
        for (_, other) in Kind::NAMES {
            let play = |parallelism| {
                selfplay::play(
                    &game,
                    &[kind, other],
                    &mut |_, _| budget.clone(),
                    3,
                    100,
                    parallelism,
                    &Stop::NEVER,
                )
                .unwrap()
            };
            let record = play(Parallelism::Inside);
            assert!(record.finished, "{kind:?} against {other:?}");
            // The prover's numbers of facts depend on who asked first; the game must not.
            assert_eq!(record, play(Parallelism::Shards), "{kind:?} against {other:?}");
        }
    }
}

#[test]
fn a_state_is_understood_by_the_machines_of_its_numbering_only() {
    use crate::machine::MachineError;
    use crate::numbering::NumberingError;
    let (net, prover) = (game(NOUGHTS), without_a_net());
    let mut machines =
        [net.machine("auto"), net.machine("prover"), prover.machine("auto"), game(NOUGHTS).machine("auto")]
            .map(Result::unwrap);
    let states: Vec<State> = machines.iter().map(|m| m.initial()).collect();
    for (m, machine) in machines.iter_mut().enumerate() {
        for (s, state) in states.iter().enumerate() {
            let expected = if m == s { Ok(()) } else { Err(NumberingError::ForeignState.into()) };
            assert_eq!(machine.enter(state), expected, "machine {m}, state {s}");
        }
    }
    let own = net.machine("prover").unwrap().initial();
    let tree = uct::Uct::new(&net, &own, 1, visits(10));
    assert!(matches!(tree, Err(GameError::Machine(MachineError::Numbering(NumberingError::ForeignState)))));
    assert!(rollouts::Rollouts::new(&net, 1).unwrap().values(&[own], 1).is_err());
}

#[test]
fn prover_machines_of_one_game_mean_the_same_by_a_number() {
    let game = without_a_net();
    let (mut one, mut two) = (game.prover().unwrap(), game.prover().unwrap());
    let mut state = one.initial();
    loop {
        one.enter(&state).unwrap();
        let legal: Vec<_> = (0..2).map(|r| one.legal(r).unwrap()).collect();
        if one.terminal().unwrap() || legal.iter().any(Vec::is_empty) {
            break;
        }
        let joint: Vec<_> = legal.iter().map(|l| l[l.len() - 1]).collect();
        let next = one.successor(&joint).unwrap();
        // The second sees only every other state, and none of the moves before.
        if next.len() % 2 == 0 {
            two.enter(&next).unwrap();
            one.enter(&next).unwrap();
            assert_eq!(one.describe(&next).unwrap(), two.describe(&next).unwrap());
        }
        state = next;
    }
}

/// Flat Monte Carlo in one plain loop, with the given number of playouts for each move.
fn flat_in_one_loop(game: &Arc<Game>, role: usize, seed: u64, visits: u64) -> (MoveId, f64, u64) {
    let mut machine = game.machine("auto").unwrap();
    let mut rollouts = rollouts::Rollouts::new(game, seed).unwrap();
    let state = machine.initial();
    machine.enter(&state).unwrap();
    let mut legal = machine.legal(role).unwrap();
    legal.sort_by_cached_key(|&id| machine.move_text(role, id));
    let mut rng = SplitMix64::new(seed);
    let mut sums = vec![(0.0, 0_u64); legal.len()];
    for spent in 0..visits {
        let number = (spent % legal.len() as u64) as usize;
        machine.enter(&state).unwrap();
        let joint: Vec<MoveId> = (0..machine.roles().len())
            .map(|r| {
                let moves = machine.legal(r).unwrap();
                let any = rng.below(moves.len() as u32) as usize;
                if r == role { legal[number] } else { moves[any] }
            })
            .collect();
        let next = machine.successor(&joint).unwrap();
        sums[number].0 += rollouts.values(&[next], rng.next_u64()).unwrap()[0][role];
        sums[number].1 += 1;
    }
    let mean = |n: &usize| if sums[*n].1 == 0 { 0.0 } else { sums[*n].0 / sums[*n].1 as f64 };
    let best = (0..legal.len()).rev().max_by(|a, b| mean(a).total_cmp(&mean(b))).unwrap();
    (legal[best], mean(&best), visits)
}

#[test]
fn flat_monte_carlo_in_jobs_finds_what_one_loop_finds_on_however_many_threads() {
    for game in [game(NOUGHTS), game(STANDOFF), without_a_net()] {
        let state = game.machine("auto").unwrap().initial();
        for visits_asked in [1, 30, 61] {
            // The player draws a move's seed from its own.
            let wanted = flat_in_one_loop(&game, 0, derive_seed(7, &[1]), visits_asked);
            let choose = |parallelism| {
                let mut player =
                    GamePlayer::new(Arc::clone(&game), Kind::MonteCarlo, 0, 7, parallelism).unwrap();
                let choice = player.choose(&state, &visits(visits_asked)).unwrap();
                (choice.id, choice.value.unwrap(), choice.spent)
            };
            assert_eq!(choose(Parallelism::Shards), wanted);
            for threads in [2, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                assert_eq!(pool.install(|| choose(Parallelism::Inside)), wanted, "{threads} threads");
            }
        }
    }
}

#[test]
fn flat_monte_carlo_without_time_still_answers() {
    let mut player = GamePlayer::new(game(NOUGHTS), Kind::MonteCarlo, 0, 7, Parallelism::Shards).unwrap();
    let state = player.machine().initial();
    let choice = player.choose(&state, &Budget { stop: Stop::when(|| true), ..Budget::default() }).unwrap();
    assert_eq!(choice.spent, 1);
}

#[test]
fn random_games_and_perft_in_jobs_count_what_one_loop_counts_on_however_many_threads() {
    use crate::perft::{Perft, perft};
    use crate::random_games::{RandomGames, play};
    for game in [game(NOUGHTS), game(STANDOFF), game(RELAY), without_a_net()] {
        let mut machine = game.machine("auto").unwrap();
        let state = machine.initial();
        let (count, depth) = (37, 4);
        let games = play(machine.as_mut(), &state, 5, 0..count, &mut || false).unwrap();
        let nodes = perft(machine.as_mut(), &state, depth, &mut || false).unwrap();
        let find = |parallelism| {
            let games = run_all(vec![RandomGames::new(&game, &state, 5, count)], parallelism);
            let counts = run_all(vec![Perft::new(&game, &state, depth)], parallelism);
            let games = games.into_iter().next().unwrap().found().unwrap();
            (games, counts.into_iter().next().unwrap().found().unwrap())
        };
        assert_eq!(find(Parallelism::Shards), (games.clone(), nodes));
        for threads in [2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| find(Parallelism::Inside));
            assert_eq!(found, (games.clone(), nodes), "{threads} threads");
        }
    }
}

#[test]
fn a_search_with_nothing_to_do_ends() {
    use crate::perft::Perft;
    use crate::random_games::RandomGames;
    let game = game(NOUGHTS);
    let state = game.machine("auto").unwrap().initial();
    let none = run_all(vec![RandomGames::new(&game, &state, 1, 0)], Parallelism::Shards).pop().unwrap();
    assert_eq!(none.found().unwrap().games, 0);
    let one = run_all(vec![Perft::new(&game, &state, 0)], Parallelism::Shards).pop().unwrap();
    assert_eq!(one.found().unwrap(), 1);
}

#[test]
fn alpha_beta_for_many_threads_moves_as_one_does() {
    // Noughts and crosses from positions with few lines left, nim as a whole; by depth, and to the end.
    let opening = [["(put 2 2)", "wait"], ["wait", "(put 1 1)"], ["(put 1 2)", "wait"]];
    for (text, moves) in [(NOUGHTS, &opening[..]), (NOUGHTS, &opening[..2]), (HEAPS, &[][..])] {
        let game = game(text);
        let mut machine = game.machine("auto").unwrap();
        let mut state = machine.initial();
        for joint in moves {
            machine.enter(&state).unwrap();
            let joint = machine.joint_move(&joint.map(str::to_owned)).unwrap();
            state = machine.successor(&joint).unwrap();
        }
        for depth in [Some(2), Some(3), Some(5), None] {
            let budget = Budget { depth, ..Budget::default() };
            let one = alphabeta::search(machine.as_mut(), &state, &budget).unwrap();
            for there in 1..=3 {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(there).build().unwrap();
                let many = pool.install(|| {
                    alphabeta::threads::search(&game, &state, &budget, 4, Parallelism::Inside).unwrap()
                });
                assert_eq!((&many.best, many.value), (&one.best, one.value), "depth {depth:?}, {there}");
            }
        }
    }
}
