//! `tengen gdl perf` and `tengen gdl table`: measure the speed of random games.

use super::{Outcome, load_game};
use crate::files::write_file;
use crate::number_text::counted;
use anyhow::Context as _;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;
use tengen_core::escaped_line;
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::propagate::player::Player;

pub(super) fn perf(
    file: &Path,
    out: &Path,
    seconds: f64,
    propagator: &str,
    seed: u64,
) -> anyhow::Result<Outcome> {
    let Some(game) = load_game(file, 120.0, super::DEFAULT_TABLES)? else { return Ok(Outcome::Failure) };
    let way = match (propagator, &game.playout_nets) {
        ("best", _) => fastest(&game, seed)?,
        ("single", Some(nets)) => tengen_propnet::propagate::playout::single_choice(nets),
        (name, _) => name,
    };
    let mut player = game.playouts(way, seed)?;
    let watch = Watch::new();
    let spent = play_for(player.as_mut(), seconds);
    let tally = player.tally();
    let rate = tally.changes as f64 / watch.seconds();
    writeln!(io::stderr(), "{rate:.0} state changes per second of processor time")?;
    let text = format!(
        "version = Tengen {} {way}\nmillisecondsTaken = {}\nnumStateChanges = {}\nnumRollouts = {}\n",
        env!("CARGO_PKG_VERSION"),
        (spent * 1000.0).round() as u64,
        tally.changes,
        tally.rollouts
    );
    if out.as_os_str() == "-" {
        io::stdout().lock().write_all(text.as_bytes())?;
    } else {
        write_file(out, |file| file.write_all(text.as_bytes()))?;
    }
    Ok(Outcome::Success)
}

/// Measures the processor time of this thread, or wall time if the system does not report it.
pub(super) struct Watch(Option<f64>, Instant);

impl Watch {
    /// Counts from now on.
    pub(super) fn new() -> Self {
        Self(cpu_seconds(), Instant::now())
    }

    /// Seconds so far.
    pub(super) fn seconds(&self) -> f64 {
        let cpu = self.0.zip(cpu_seconds()).map(|(before, after)| after - before);
        cpu.unwrap_or_else(|| self.1.elapsed().as_secs_f64())
    }
}

/// Processor time of this thread, if the system reports it.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|ns| ns / 1e9)
}

/// Plays in portions that double until they take a few milliseconds; returns the wall seconds spent.
fn play_for(player: &mut dyn Player, seconds: f64) -> f64 {
    let start = Instant::now();
    let mut portion = 64;
    loop {
        let before = start.elapsed().as_secs_f64();
        if before >= seconds {
            return before;
        }
        let changes = player.tally().changes;
        player.play(portion);
        if player.tally().changes == changes {
            return start.elapsed().as_secs_f64();
        }
        if start.elapsed().as_secs_f64() - before < 0.005 {
            portion *= 2;
        }
    }
}

/// The fastest of the ways that win, by a tenth of a second of each.
fn fastest(game: &Game, seed: u64) -> anyhow::Result<&'static str> {
    let mut best = ("differential", 0.0);
    for way in ["differential", "compiled", "lanes256", "lanes512"] {
        let mut player = game.playouts(way, seed)?;
        let watch = Watch::new();
        play_for(player.as_mut(), 0.1);
        let rate = player.tally().changes as f64 / watch.seconds();
        if rate > best.1 {
            best = (way, rate);
        }
    }
    Ok(best.0)
}

/// The ways of the table, in the order of its columns.
const WAYS: [&str; 10] = [
    "naive",
    "ordered",
    "backward",
    "internal",
    "undeferred",
    "differential",
    "compiled",
    "lanes64",
    "lanes256",
    "lanes512",
];

/// The recorded rates of the other engines for a game.
#[derive(Default)]
pub(super) struct Peer {
    pub(super) sancho: Option<f64>,
    pub(super) ggplib: Option<f64>,
    pub(super) setup: Option<f64>,
}

/// Tengen's rates for it.
struct Row {
    game: String,
    setup: f64,
    edges: usize,
    hybrid: &'static str,
    rates: Vec<f64>,
}

/// A game that the prover plays.
struct NoNetRow {
    game: String,
    setup: f64,
    why: String,
    rate: f64,
}

impl Row {
    fn differential(&self) -> f64 {
        self.rates[WAYS.iter().position(|w| *w == "differential").unwrap_or(0)]
    }

    fn best(&self) -> f64 {
        self.rates.iter().copied().fold(0.0, f64::max)
    }
}

/// Measures and writes the page.
pub(super) fn table(
    folder: &Path,
    peers: &Path,
    out: &Path,
    seconds: f64,
    only: &[String],
) -> anyhow::Result<Outcome> {
    let peers = read_peers(peers)?;
    let (mut rows, mut without) = (Vec::new(), Vec::new());
    for game in peers.keys().filter(|g| only.is_empty() || only.contains(g)) {
        let text =
            std::fs::read_to_string(folder.join(format!("{game}.kif"))).with_context(|| game.clone())?;
        match measure(game, &text, seconds)? {
            Ok(row) => {
                writeln!(io::stderr(), "{}: {:.2} M/s", escaped_line(game), row.best() / 1e6)?;
                rows.push(row);
            }
            Err(row) => {
                writeln!(io::stderr(), "{}: no net", escaped_line(game))?;
                without.push(row);
            }
        }
    }
    write_file(out, |file| file.write_all(page(&rows, &without, &peers, seconds).as_bytes()))?;
    Ok(Outcome::Success)
}

pub(super) fn read_peers(path: &Path) -> anyhow::Result<BTreeMap<String, Peer>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut peers: BTreeMap<String, Peer> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [game, _, engine, rate, setup, ..] = fields[..] else { continue };
        let peer = peers.entry(game.to_owned()).or_default();
        match engine {
            "sancho" if !rate.is_empty() => {
                peer.sancho = rate.parse().ok();
                peer.setup = setup.parse().ok();
            }
            "ggplib" if !rate.is_empty() => peer.ggplib = rate.parse().ok(),
            _ => {}
        }
    }
    Ok(peers)
}

fn measure(name: &str, text: &str, seconds: f64) -> anyhow::Result<Result<Row, NoNetRow>> {
    let watch = Watch::new();
    let game = Game::load(text, LoadLimits::default(), &mut || watch.seconds() > 20.0)
        .map_err(|e| anyhow::anyhow!("{name}: {e}"))?;
    let setup = watch.seconds();
    let game_name = name.to_owned();
    let nets = match (&game.playout_nets, &game.topology) {
        (Some(nets), _) => nets,
        (None, why) => {
            let why = why.as_ref().err().map_or_else(String::new, ToString::to_string);
            return Ok(Err(NoNetRow { game: game_name, setup, why, rate: prover_rate(&game, seconds)? }));
        }
    };
    let hybrid = tengen_propnet::propagate::playout::hybrid_choice(nets);
    let mut players = WAYS.iter().map(|way| game.playouts(way, 1)).collect::<Result<Vec<_>, _>>()?;
    let mut rates = vec![0.0_f64; WAYS.len()];
    for _ in 0..RUNS {
        for (player, best) in players.iter_mut().zip(&mut rates) {
            let (watch, before) = (Watch::new(), player.tally().changes);
            play_for(player.as_mut(), seconds / f64::from(RUNS));
            *best = best.max((player.tally().changes - before) as f64 / watch.seconds());
        }
    }
    Ok(Ok(Row { game: game_name, setup, edges: nets.lanes.net.edges.len(), hybrid, rates }))
}

/// How many times each way plays in turn with the others; the best of them counts.
const RUNS: u32 = 3;

/// State changes per second of the prover, the first legal move always.
fn prover_rate(game: &Game, seconds: f64) -> anyhow::Result<f64> {
    let mut machine = game.machine("prover")?;
    let (watch, mut changes) = (Watch::new(), 0_u32);
    let mut state = machine.initial();
    while watch.seconds() < seconds {
        machine.enter(&state)?;
        if machine.terminal()? {
            state = machine.initial();
            continue;
        }
        let roles = machine.roles().len();
        let moves = (0..roles).map(|role| Ok(machine.legal(role)?.first().copied()));
        let Some(moves) = moves.collect::<anyhow::Result<Option<Vec<_>>>>()? else { break };
        state = machine.successor(&moves)?;
        changes += 1;
    }
    Ok(f64::from(changes) / watch.seconds())
}

pub(super) fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp()
}

fn page(rows: &[Row], without: &[NoNetRow], peers: &BTreeMap<String, Peer>, seconds: f64) -> String {
    let mut out = String::from(
        "# How fast games are played out\n\nWritten by `tengen gdl table ../shared/suites/gdl \
         ../shared/golden/gdl/peer_rates_open.csv docs/propnet-performance.md`; what a person adds \
         stands in [propnet-remarks.md](propnet-remarks.md).\n\n",
    );
    let _ = writeln!(
        out,
        "Random playouts on one thread, goals of every ended game included, {seconds} s per game and way in {RUNS} \
         runs taken in turn, of which the best counts. Rates are \
         state changes per second of processor time, in thousands; those of Sancho and ggplib are the recorded ones \
         (another day, the same kind of machine), set-up times seconds of processor time.\n\n\
         Columns: the schemes of \"Propnet basics\" (S. Draper and A. Rose, 2014) (`naive`: recalculate on signal; `ordered`: one full pass; `backward` with memo; \
         `internal`: differential, counters in the components; `undeferred`: differential, counters in flat arrays; \
         `differential`: the same with the deferred reset of `does`), `compiled` (masks on words; `differential` for \
         nets that are too large) and bit-parallel lanes.\n"
    );
    let _ = writeln!(
        out,
        "| game | {} | Sancho | ggplib | differential / Sancho | best / Sancho | best / faster peer |",
        WAYS.join(" | ")
    );
    let _ = writeln!(out, "|---|{}", "---:|".repeat(WAYS.len() + 5));
    let (mut differential, mut best, mut slower) = (Vec::new(), Vec::new(), 0);
    for row in rows {
        let peer = &peers[&row.game];
        let faster = peer.sancho.into_iter().chain(peer.ggplib).fold(0.0, f64::max);
        let thousand = |r: f64| if r >= 1e6 { format!("{:.0}", r / 1e3) } else { format!("{:.1}", r / 1e3) };
        let known = |r: Option<f64>| r.map_or_else(|| "-".to_owned(), thousand);
        let ratio = |a: f64, b: Option<f64>| b.map_or_else(|| "-".to_owned(), |b| format!("{:.2}", a / b));
        if let Some(sancho) = peer.sancho {
            differential.push(row.differential() / sancho);
            best.push(row.best() / sancho);
        }
        slower += usize::from(row.best() < faster);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} |",
            row.game,
            row.rates.iter().map(|&r| thousand(r)).collect::<Vec<_>>().join(" | "),
            known(peer.sancho),
            known(peer.ggplib),
            ratio(row.differential(), peer.sancho),
            ratio(row.best(), peer.sancho),
            ratio(row.best(), (faster > 0.0).then_some(faster)),
        );
    }
    let _ = writeln!(
        out,
        "\nGeometric means over {} with a rate of Sancho's: differential {:.2}, best {:.1}. Games on which the \
         best is slower than the faster of Sancho and ggplib: {slower}.\n",
        counted("game", best.len()),
        geometric_mean(&differential),
        geometric_mean(&best)
    );
    out.push_str("## Set-up\n\n| game | edges of the net | seconds | Sancho's seconds | ratio | hybrid takes |\n|---|---:|---:|---:|---:|---|\n");
    for row in rows {
        let setup = peers[&row.game].setup;
        let _ = writeln!(
            out,
            "| {} | {} | {:.3} | {} | {} | {} |",
            row.game,
            row.edges,
            row.setup,
            setup.map_or_else(|| "-".to_owned(), |s| s.to_string()),
            setup.map_or_else(|| "-".to_owned(), |s| format!("{:.3}", row.setup / s)),
            row.hybrid
        );
    }
    if !without.is_empty() {
        out.push_str("\n## Without a net\n\n| game | seconds until it was given up | why | prover, states per second |\n|---|---:|---|---:|\n");
    }
    for row in without {
        let _ = writeln!(out, "| {} | {:.1} | {} | {:.0} |", row.game, row.setup, row.why, row.rate);
    }
    out
}
