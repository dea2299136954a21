//! Measures the steps per second of many games of a rulesheet, on one thread and on several threads, in turn.
//!
//!     cargo run --release -p tengen-benches --example environment -- FILE [GAMES] [THREADS] [ROUNDS]
//!
//! In a round, the program draws random actions and steps the games, for at least a millisecond. It prints the best and
//! the median round of each variant, by wall time. It compares several threads with one thread, and one thread with the
//! playouts of the lanes alone.
#![allow(clippy::print_stdout, reason = "the rates are what it is for")]

use std::error::Error;
use std::time::Instant;
use tengen_propnet::environment::{BitOrder, Environment, Layout, Screens, Settings};
use tengen_propnet::game::{Game, LoadLimits};

/// State changes of a round of playouts.
const PLAYOUT_STEPS: u64 = 60_000;

/// A layout and a number of threads, with the measured rates.
struct Variant {
    name: String,
    games: Environment,
    screens: Screens,
    actions: Vec<i32>,
    steps: usize,
    rates: Vec<f64>,
}

impl Variant {
    fn new(game: &Game, settings: Settings) -> Result<Self, Box<dyn Error>> {
        let mut games = Environment::new(game, &settings)?;
        let mut screens = Screens::new(&games);
        screens.last_observation.clear();
        games.reset(None, &mut screens.buffers())?;
        let actions = vec![0; settings.games * games.actions_per_game()];
        let layout = if settings.layout == Layout::Bytes { "bytes" } else { "bits" };
        let name = format!("{layout}, {} threads", settings.threads);
        let mut variant = Self { name, games, screens, actions, steps: 1, rates: Vec::new() };
        while variant.round()? < 0.001 {
            variant.steps *= 2;
        }
        variant.rates.clear();
        Ok(variant)
    }

    /// Seconds.
    fn round(&mut self) -> Result<f64, Box<dyn Error>> {
        let start = Instant::now();
        for _ in 0..self.steps {
            self.games.sample(&mut self.actions)?;
            self.games.step(&self.actions, &mut self.screens.buffers())?;
        }
        let time = start.elapsed().as_secs_f64();
        self.rates.push((self.steps * self.games.games()) as f64 / time / 1e6);
        Ok(time)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize, default| given.get(n).map_or(Ok(default), |text| text.parse::<usize>());
    let file = given.first().ok_or("the file of a rulesheet is missing")?;
    let (games, threads, rounds) = (number(1, 4096)?, number(2, 2)?, number(3, 1000)?);
    let game = Game::load(&std::fs::read_to_string(file)?, LoadLimits::default(), &mut || false)?;
    let mut variants = Vec::new();
    for layout in [Layout::Bits(BitOrder::Big), Layout::Bytes] {
        for threads in [1, threads] {
            variants.push(Variant::new(&game, Settings { games, threads, layout, ..Settings::default() })?);
        }
    }
    let mut lanes = game.playouts("lanes512", 1)?;
    let mut playouts = Vec::new();
    for _ in 0..rounds {
        for variant in &mut variants {
            variant.round()?;
        }
        let (start, before) = (Instant::now(), lanes.tally().changes);
        lanes.play(PLAYOUT_STEPS);
        playouts.push((lanes.tally().changes - before) as f64 / start.elapsed().as_secs_f64() / 1e6);
    }
    playouts.sort_by(f64::total_cmp);
    for variant in &mut variants {
        variant.rates.sort_by(f64::total_cmp);
    }
    let best = |variant: &Variant| variant.rates[variant.rates.len() - 1];
    let middle = |variant: &Variant| variant.rates[variant.rates.len() / 2];
    for variant in &variants {
        println!(
            "{}: best {:.2}, middle {:.2} million steps a second",
            variant.name,
            best(variant),
            middle(variant)
        );
    }
    let (most, usual) = (playouts[rounds - 1], playouts[rounds / 2]);
    println!("playouts of lanes: best {most:.2}, middle {usual:.2} million steps a second");
    for pair in variants.as_chunks::<2>().0 {
        let [one, more] = pair;
        println!(
            "{} to one: best {:.2}, middle {:.2}; one to lanes: best {:.2}, middle {:.2}",
            more.name,
            best(more) / best(one),
            middle(more) / middle(one),
            best(one) / most,
            middle(one) / usual
        );
    }
    Ok(())
}
