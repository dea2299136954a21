//! Measures the cost of analysing every move of whole games: with stored readings, without them, and by GNU Go.
//!
//! `whole_games [--page FILE] [--gnugo EVERY] SGF...` analyses each position of each game on one thread. It analyses
//! with and without the memory of readings, in turns. Then it analyses with the memory, from the last position to the
//! first. It compares all findings. GNU Go at level 10 is asked about each position whose number EVERY divides:
//! `loadsgf`, `dragon_data`, `top_moves`. Times are processor times, as the system reports them. The page gets the same
//! tables.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command that prints tables, and its progress"
)]

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::{Duration, Instant};
use tengen_benches::gnugo::GnuGo;
use tengen_core::profiler::Recorder;
use tengen_go::board::Rules;
use tengen_go::board::sgf::{self, Until};
use tengen_go::dragons::DragonMap;
use tengen_go::memory::{Counts, QuestionKind};
use tengen_go::moves::MoveList;
use tengen_go::tactics::TacticsMap;
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, GoEngine, ReadingMemory};

/// All that the stages found, as text.
fn found(engine: &GoEngine) -> String {
    let dragons: Option<&DragonMap> = engine.component(0);
    let tactics: Option<&TacticsMap> = engine.component(0);
    let moves: Option<&MoveList> = engine.component(0);
    format!("{dragons:?}{tactics:?}{moves:?}")
}

/// One number for a text.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The processor time of this thread; the clock where the system does not tell.
fn spent(begin: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_cpu = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    on_cpu.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

/// What was measured of all games.
#[derive(Default)]
struct Sums {
    games: usize,
    positions: u32,
    differ: u32,
    differ_backwards: u32,
    /// With the memory, and without it.
    ours: [Duration; 2],
    /// The least, the middle and the greatest ratio of a game.
    ratios: Vec<f64>,
    /// Positions that GNU Go was asked about, its time, and ours with the memory on the same ones.
    asked: u32,
    gnugo: Duration,
    beside: Duration,
    counts: Vec<(QuestionKind, Counts)>,
    /// By system: with the memory, and without it.
    rows: Vec<(String, [Duration; 2])>,
    most_bytes: usize,
}

impl Sums {
    fn game(&mut self, path: &str, gnugo: &mut Option<GnuGo>, every: usize) {
        let begin = Instant::now();
        let tree = std::fs::read(path).ok().and_then(|bytes| sgf::parse(&bytes).ok());
        let Some(tree) = tree else {
            eprintln!("{path}: no game record can be read here");
            return;
        };
        let recorders = [Recorder::default(), Recorder::default()];
        let mut engines = recorders.each_ref().map(|recorder| recorder.scope(|| GoEngine::new(1)));
        engines[0].keep_readings(ReadingMemory::default());
        engines[1].keep_readings(ReadingMemory::with_bytes(0));
        let mut ours = [Duration::ZERO; 2];
        let mut seen: Vec<(Position, u64)> = Vec::new();
        for number in 1.. {
            let line = tree.line(&[]);
            let Ok(game) = sgf::load(&tree, &line, Until::Move(number), Rules::default()) else { break };
            if game.board.history_len() + 1 < number {
                break;
            }
            let position = Position { komi: 6.5, ..Position::new(game.board, game.to_move) };
            let took = [0, 1].map(|i| {
                engines[i].put(0, position.clone());
                let before = spent(begin);
                recorders[i].scope(|| engines[i].analyse(AnalyseSystems::MoveEvaluation));
                spent(begin).saturating_sub(before)
            });
            ours = [ours[0] + took[0], ours[1] + took[1]];
            self.positions += 1;
            let anew = found(&engines[1]);
            self.differ += u32::from(found(&engines[0]) != anew);
            seen.push((position, hash(&anew)));
            if let Some(gnugo) = gnugo.as_mut().filter(|_| number.is_multiple_of(every)) {
                let color = if game.to_move == tengen_go::board::Color::Black { "black" } else { "white" };
                let asked = gnugo.timed(|gnugo| {
                    gnugo.ask(&format!("loadsgf {path} {number}"))?;
                    gnugo.ask("dragon_data")?;
                    gnugo.ask(&format!("top_moves_{color}")).map(|_| ())
                });
                if let Some(asked) = asked {
                    (self.asked, self.gnugo, self.beside) =
                        (self.asked + 1, self.gnugo + asked, self.beside + took[0]);
                }
            }
        }
        let mut backwards = GoEngine::new(1);
        backwards.keep_readings(ReadingMemory::default());
        for (position, expected) in seen.into_iter().rev() {
            backwards.put(0, position);
            backwards.analyse(AnalyseSystems::MoveEvaluation);
            self.differ_backwards += u32::from(hash(&found(&backwards)) != expected);
        }
        self.games += 1;
        self.ours = [self.ours[0] + ours[0], self.ours[1] + ours[1]];
        self.ratios.push(ours[0].as_secs_f64() / ours[1].as_secs_f64().max(1e-9));
        let memory = engines[0].reading_memory();
        self.most_bytes = self.most_bytes.max(memory.bytes());
        for (at, (kind, counts)) in memory.counts().into_iter().enumerate() {
            match self.counts.get_mut(at) {
                Some((_, sum)) => (sum.asked, sum.kept) = (sum.asked + counts.asked, sum.kept + counts.kept),
                None => self.counts.push((kind, counts)),
            }
        }
        for (which, recorder) in recorders.iter().enumerate() {
            let names = recorder.names();
            for span in recorder.take() {
                let name = &names[span.row as usize];
                let at = self.rows.iter().position(|row| row.0 == *name).unwrap_or_else(|| {
                    self.rows.push((name.clone(), [Duration::ZERO; 2]));
                    self.rows.len() - 1
                });
                self.rows[at].1[which] += span.took;
            }
        }
    }

    /// The tables.
    fn page(&mut self) -> String {
        let mut page = String::new();
        let seconds = self.ours.map(|ours| ours.as_secs_f64());
        let each = |seconds: f64, positions: u32| 1000.0 * seconds / f64::from(positions.max(1));
        self.ratios.sort_by(f64::total_cmp);
        let at = |share: usize| {
            self.ratios.get(share * (self.ratios.len().max(1) - 1) / 2).copied().unwrap_or(0.0)
        };
        let _ = writeln!(
            page,
            "{} games, {} positions. With other findings: {} forwards, {} backwards.\n",
            self.games, self.positions, self.differ, self.differ_backwards
        );
        page += "| | kept | anew | ratio |\n| --- | ---: | ---: | ---: |\n";
        let _ = writeln!(
            page,
            "| processor, ms a position | {:.1} | {:.1} | {:.3} |",
            each(seconds[0], self.positions),
            each(seconds[1], self.positions),
            seconds[0] / seconds[1]
        );
        let _ = writeln!(
            page,
            "| ratio of a game: least, middle, greatest | | | {:.2}, {:.2}, {:.2} |",
            at(0),
            at(1),
            at(2)
        );
        let _ = writeln!(
            page,
            "| memory of kept answers, most of a game | {:.1} MB | | |",
            self.most_bytes as f64 / 1e6
        );
        if self.asked > 0 {
            let (gnugo, beside) = (self.gnugo.as_secs_f64(), self.beside.as_secs_f64());
            page += "\n| the same positions | processor, ms a position | positions a second, against GNU Go |\n| --- | ---: | ---: |\n";
            let _ = writeln!(
                page,
                "| GNU Go, level 10: {} positions | {:.0} | 1 |",
                self.asked,
                each(gnugo, self.asked)
            );
            let _ =
                writeln!(page, "| Tengen, kept | {:.1} | {:.1} |", each(beside, self.asked), gnugo / beside);
        }
        page += "\n| kind of question | asked | kept |\n| --- | ---: | ---: |\n";
        for (kind, counts) in &self.counts {
            let share = 100.0 * counts.kept as f64 / counts.asked.max(1) as f64;
            let _ = writeln!(page, "| {} | {} | {share:.0} % |", kind.name(), counts.asked);
        }
        page += "\n| system | kept, ms a position | anew |\n| --- | ---: | ---: |\n";
        self.rows.sort_by_key(|row| std::cmp::Reverse(row.1[1]));
        for (name, took) in self.rows.iter().filter(|row| row.1[1].as_secs_f64() > 0.01 * seconds[1]) {
            let [kept, anew] = took.map(|took| each(took.as_secs_f64(), self.positions));
            let name = name.rsplit("::").next().unwrap_or(name);
            let _ = writeln!(page, "| `{name}` | {kept:.2} | {anew:.2} |");
        }
        page
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut page, mut every, mut games) = (None, 0, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--page" => page = args.next(),
            "--gnugo" => {
                every = args.next().unwrap_or_default().parse().map_err(|_| "--gnugo takes a number")?
            }
            _ => games.push(arg),
        }
    }
    if games.is_empty() {
        return Err("usage: whole_games [--page FILE] [--gnugo EVERY] SGF...".into());
    }
    let mut gnugo = if every > 0 { GnuGo::start() } else { None };
    let mut sums = Sums::default();
    for game in &games {
        sums.game(game, &mut gnugo, every);
        let [kept, anew] = sums.ours.map(|ours| ours.as_secs_f64());
        let name = Path::new(game).file_name().unwrap_or_default().display().to_string();
        eprintln!("{} of {}: {name}; so far {:.3}", sums.games, games.len(), kept / anew);
    }
    let tables = sums.page();
    println!("{tables}");
    if let Some(page) = page {
        std::fs::write(page, tables)?;
    }
    Ok(())
}
