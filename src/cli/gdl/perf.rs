//! `tengen gdl perf` and `tengen gdl table`: how fast games are played out.

use super::{Outcome, load_game};
use anyhow::Context as _;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::propagate::playout::Player;

pub(super) fn perf(
    file: &Path,
    out: &Path,
    seconds: f64,
    propagator: &str,
    seed: u64,
) -> anyhow::Result<Outcome> {
    let Some(game) = load_game(file, 120.0)? else { return Ok(Outcome::Failure) };
    let way = if propagator == "best" { fastest(&game, seed)? } else { propagator };
    let mut player = game.playouts(way, seed)?;
    let cpu = cpu_seconds();
    let spent = play_for(player.as_mut(), seconds);
    let tally = player.tally();
    if let (Some(before), Some(after)) = (cpu, cpu_seconds()) {
        let rate = tally.changes as f64 / (after - before);
        writeln!(io::stderr(), "{rate:.0} state changes per second of processor time")?;
    }
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
        std::fs::write(out, text).with_context(|| out.display().to_string())?;
    }
    Ok(Outcome::Success)
}

/// Processor time of this thread, where the system tells.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|ns| ns / 1e9)
}

/// Plays in portions that double until they take a few milliseconds; returns the seconds spent.
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

/// The faster of the two ways that win, by a tenth of a second of each.
fn fastest(game: &Game, seed: u64) -> anyhow::Result<&'static str> {
    let mut best = ("differential", 0.0);
    for way in ["differential", "lanes256", "lanes512"] {
        let mut player = game.playouts(way, seed)?;
        let cpu = cpu_seconds();
        let wall = play_for(player.as_mut(), 0.1);
        let spent = cpu.zip(cpu_seconds()).map_or(wall, |(before, after)| after - before);
        let rate = player.tally().changes as f64 / spent;
        if rate > best.1 {
            best = (way, rate);
        }
    }
    Ok(best.0)
}

/// The ways of the table, in the order of its columns.
const WAYS: [&str; 9] = [
    "naive",
    "ordered",
    "backward",
    "internal",
    "undeferred",
    "differential",
    "lanes64",
    "lanes256",
    "lanes512",
];

/// What the other engines did with a game.
#[derive(Default)]
struct Peer {
    sancho: Option<f64>,
    ggplib: Option<f64>,
    setup: Option<f64>,
}

/// What we did with it.
struct Row {
    game: String,
    setup: f64,
    edges: usize,
    hybrid: &'static str,
    rates: Vec<f64>,
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
    let mut rows = Vec::new();
    for game in peers.keys().filter(|g| only.is_empty() || only.contains(g)) {
        let text =
            std::fs::read_to_string(folder.join(format!("{game}.kif"))).with_context(|| game.clone())?;
        match measure(game, &text, seconds)? {
            Some(row) => {
                writeln!(io::stderr(), "{game}: {:.2} M/s", row.best() / 1e6)?;
                rows.push(row);
            }
            None => writeln!(io::stderr(), "{game}: no net")?,
        }
    }
    std::fs::write(out, page(&rows, &peers, seconds)).with_context(|| out.display().to_string())?;
    Ok(Outcome::Success)
}

fn read_peers(path: &Path) -> anyhow::Result<BTreeMap<String, Peer>> {
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

fn measure(name: &str, text: &str, seconds: f64) -> anyhow::Result<Option<Row>> {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let game = Game::load(text, LoadLimits::default(), &mut || start.elapsed().as_secs_f64() > 60.0)
        .map_err(|e| anyhow::anyhow!("{name}: {e}"))?;
    let setup = since(cpu, start);
    let Some(nets) = &game.playout_nets else { return Ok(None) };
    let hybrid = tengen_propnet::propagate::playout::hybrid_choice(nets);
    let mut rates = Vec::new();
    for way in WAYS {
        let mut player = game.playouts(way, 1)?;
        let (start, cpu) = (Instant::now(), cpu_seconds());
        play_for(player.as_mut(), seconds);
        rates.push(player.tally().changes as f64 / since(cpu, start));
    }
    Ok(Some(Row { game: name.to_owned(), setup, edges: nets.lanes.net.edges.len(), hybrid, rates }))
}

/// Processor time since a moment, wall time where the system does not tell.
fn since(cpu: Option<f64>, start: Instant) -> f64 {
    cpu.zip(cpu_seconds()).map_or_else(|| start.elapsed().as_secs_f64(), |(before, after)| after - before)
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp()
}

fn page(rows: &[Row], peers: &BTreeMap<String, Peer>, seconds: f64) -> String {
    let mut out = String::from(
        "# How fast games are played out\n\nWritten by `tengen gdl table ../shared/suites/gdl \
         ../shared/golden/gdl/peer_rates_open.csv docs/propnet-performance.md`.\n\n",
    );
    let _ = writeln!(
        out,
        "Random playouts on one thread, goals of every ended game included, {seconds} s per game and way. Rates are \
         state changes per second of processor time, in thousands; those of Sancho and ggplib are the recorded ones \
         (another day, the same kind of machine), set-up times seconds of processor time.\n\n\
         Columns: the seed's schemes (`naive`: recalculate on signal; `ordered`: one full pass; `backward` with memo; \
         `internal`: differential, counters in the components; `undeferred`: differential, counters in flat arrays; \
         `differential`: the same with the deferred reset of `does`) and bit-parallel lanes.\n"
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
        "\nGeometric means over {} games with a rate of Sancho's: differential {:.2}, best {:.1}. Games on which the \
         best is slower than the faster of Sancho and ggplib: {slower}.\n",
        best.len(),
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
    out
}
