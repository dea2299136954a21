use super::*;
use crate::game::LoadLimits;

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
    let record =
        selfplay::play(&game(text), players, &|_| budget.clone(), seed, 100, Parallelism::default()).unwrap();
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
