//! The options that several subcommands share.

use crate::batch::run_folder::Existing;
use crate::batch::runner::STACK;
use crate::client::katago;
use crate::files;
use crate::judges;
use crate::limits::CaseLimits;
use crate::scene::{Case, PlainFiles, Task, cases, paths, plain_files};
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tengen_core::{Diagnostic, Stop};
use tengen_go::Level;
use tengen_go::judge::JudgeInForce;
use tengen_go::patterns::PatternDatabases;

/// The scenes, and the task for files without a scene.
#[derive(Clone, Debug, clap::Args)]
pub struct SceneArgs {
    /// Scenes (.ron), game records (.sgf, .pgn), positions (.epd, .fen), rulesheets (.kif), folders of them, or globs
    /// in quotes
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Which of their cases.
    #[command(flatten)]
    pub only: OnlyArgs,
    /// The task for files without a scene.
    #[command(flatten)]
    pub plain: PlainFileArgs,
}

/// Some of the cases.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct OnlyArgs {
    /// Only cases whose id is this, or what of it follows `#` (`*`, `?` and `[a-z]` as in globs); may be given several
    /// times
    #[arg(long, value_name = "CASE")]
    pub only: Vec<String>,
}

impl OnlyArgs {
    /// Takes the other cases out; a file that can't be read stays. Patterns that take a case are no longer idle.
    fn choose(&self, cases: &mut Vec<Case>, idle: &mut Vec<String>) {
        if self.only.is_empty() {
            return;
        }
        let takes = |pattern: &str, case: &Case| {
            let tail = case.id.split_once('#').map(|(_, tail)| tail);
            paths::matches(pattern, &case.id) || tail.is_some_and(|tail| paths::matches(pattern, tail))
        };
        idle.retain(|pattern| !cases.iter().any(|case| takes(pattern, case)));
        cases.retain(|case| case.scene.is_none() || self.only.iter().any(|pattern| takes(pattern, case)));
    }
}

/// The task for game records, positions and rulesheets without a scene.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PlainFileArgs {
    /// The task for files without a scene, spelled as in a scene. Without the option it is `Analyse()` for Go,
    /// `Search(nodes: 100000)` for chess and `Playouts(count: 100)` for rulesheets
    #[arg(long, value_name = "TASK", value_parser = task)]
    pub task: Option<Task>,
    /// For game records without a scene, the position after N moves (chess: plies) instead of the last one
    #[arg(long = "move", value_name = "N", conflicts_with = "every")]
    pub after: Option<usize>,
    /// For game records without a scene, the first position and those after every N moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub every: Option<u32>,
}

fn task(text: &str) -> Result<Task, String> {
    plain_files::task(text).map_err(|fault| format!("{fault}"))
}

impl SceneArgs {
    /// Of one path.
    #[must_use]
    pub fn of(path: PathBuf) -> Self {
        Self { paths: vec![path], only: OnlyArgs::default(), plain: PlainFileArgs::default() }
    }

    /// All cases of the files; an unreadable file is a case with a fault.
    #[must_use]
    pub fn cases(&self, seed: u64) -> Vec<Case> {
        self.batches(seed).flatten().collect()
    }

    /// All cases as [`SceneArgs::cases`] has them, some ten thousand at a time.
    #[must_use]
    pub fn batches(&self, seed: u64) -> Batches {
        let PlainFileArgs { task, after, every } = self.plain.clone();
        let plain = PlainFiles { task, after, every: every.map(|n| n as usize) };
        let (files, unusable) = paths::scene_files(&self.paths);
        let fault = |(path, reason): (PathBuf, String)| {
            let name = files::display(&path);
            let fault = Diagnostic::error(format!("can't use this path: {reason}"))
                .in_file(name.clone())
                .help("name scenes, game records, positions or rulesheets, a folder of them, or a glob in quotes");
            Case::faulty(name, fault)
        };
        Batches {
            pieces: cases::Pieces::new(files, seed, plain),
            unusable: unusable.into_iter().map(fault).collect(),
            only: self.only.clone(),
            idle: self.only.only.clone(),
        }
    }
}

/// The least number of cases of a batch, except the last one.
const BATCH: usize = 1 << 14;

/// The cases of a command, batch by batch.
pub struct Batches {
    pieces: cases::Pieces,
    /// Cases of paths that can't be used.
    unusable: Vec<Case>,
    only: OnlyArgs,
    /// Patterns that have taken no case so far.
    idle: Vec<String>,
}

impl Iterator for Batches {
    type Item = Vec<Case>;

    fn next(&mut self) -> Option<Vec<Case>> {
        let mut batch = Vec::new();
        for mut piece in self.pieces.by_ref() {
            self.only.choose(&mut piece, &mut self.idle);
            batch.extend(piece);
            if batch.len() >= BATCH {
                return Some(batch);
            }
        }
        // What belongs to no file comes last.
        batch.append(&mut self.unusable);
        batch.extend(self.idle.drain(..).map(|pattern| {
            let fault = Diagnostic::error(format!("no case is called `{pattern}`"))
                .help("a case's id is `file#scene`, with `/game@move` behind it for one of many");
            Case::faulty(format!("--only {pattern}"), fault)
        }));
        (!batch.is_empty()).then_some(batch)
    }
}

/// What to do with a folder that holds a run already; without either option it is refused.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct ExistingArgs {
    /// Go on with the run in the folder of --out: what is finished and whole is kept
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Begin anew in the folder of --out, in place of the run it holds
    #[arg(long, requires = "out", conflicts_with = "resume")]
    pub force: bool,
}

impl ExistingArgs {
    /// The requested treatment of an existing run.
    #[must_use]
    pub const fn existing(self) -> Existing {
        match (self.resume, self.force) {
            (true, _) => Existing::Resume,
            (_, true) => Existing::Replace,
            _ => Existing::Refuse,
        }
    }
}

/// How far Go positions are read.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct EffortArgs {
    /// How far to read Go positions: quick, normal or deep; without it, as the scene says, or normal
    #[arg(long, value_name = "LEVEL")]
    effort: Option<Level>,
    /// Bytes that answers of readings may take, for each worker (`48M`, `1G`; 0 keeps none). No result depends on it
    #[arg(long, value_name = "BYTES", value_parser = byte_count)]
    reading_memory: Option<usize>,
}

impl EffortArgs {
    /// The effort asked for. From now on Worlds are made with the memory asked for.
    #[must_use]
    pub fn in_force(self) -> Option<Level> {
        if let Some(bytes) = self.reading_memory {
            tengen_go::memory::set_default_bytes(bytes);
        }
        self.effort
    }
}

/// A number of bytes, also in `K`, `M` or `G` of 1024 each.
fn byte_count(text: &str) -> Result<usize, String> {
    let number = text.trim_end_matches(['B', 'b']).trim_end_matches(['i', 'I']);
    let unit = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let shift = match unit {
        "" if number.len() == text.len() || text.ends_with(['B', 'b']) => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        _ => return Err("a number of bytes such as 48M, 1G or 0".into()),
    };
    let count = number[..number.len() - unit.len()].parse::<usize>().map_err(|error| error.to_string())?;
    count.checked_mul(1 << shift).ok_or_else(|| "too many bytes".into())
}

/// Who judges Go positions.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct JudgeArgs {
    /// Who judges Go positions: embedded (a small net), embedded:N (a search of N positions by it), playouts,
    /// playouts:N, net:FILE (other weights) or none (the move of highest value is played, without a search). A command
    /// that speaks KataGo's analysis protocol may also judge, such as 'katago analysis -config C -model M'. Without the
    /// option the scene decides, or embedded
    #[arg(long, value_name = "JUDGE", value_parser = judges::named)]
    judge: Option<JudgeInForce>,
    /// With a command as the judge: the visits of each question
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    judge_visits: u32,
    /// With a command as the judge: the looks that a search may make for a move
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    judge_looks: u32,
    /// With a command as the judge: seconds between two answers at most (the first may take ten minutes, or so long if that is less)
    #[arg(long, value_name = "S", value_parser = seconds)]
    judge_patience: Option<f64>,
    /// With a command as the judge: the file that keeps its answers, so that a second run asks nothing, or none.
    /// Without the option it is a file in the user's folder for caches
    #[arg(long, value_name = "FILE")]
    judge_answers: Option<PathBuf>,
}

impl JudgeArgs {
    /// Whether a judge was asked for.
    #[must_use]
    pub const fn is_given(&self) -> bool {
        self.judge.is_some()
    }

    /// The judge that was asked for.
    #[must_use]
    pub fn in_force(&self) -> Option<JudgeInForce> {
        let judge = self.judge.clone()?;
        let command = judge.0.name();
        if !judges::is_command(&command) {
            return Some(judge);
        }
        let usual = katago::Settings::default();
        let patience = self.judge_patience.map(Duration::from_secs_f64);
        let settings = katago::Settings {
            visits: self.judge_visits,
            looks: self.judge_looks,
            first_patience: patience.unwrap_or(usual.first_patience),
            patience: patience.unwrap_or(usual.patience),
            answers: match &self.judge_answers {
                Some(none) if none.as_os_str() == "none" => None,
                Some(file) => Some(file.clone()),
                None => judges::answers_of(&command),
            },
        };
        Some(judges::program(&command, settings))
    }
}

/// The limits of each case. A case that a limit ends has a record with the status `limit`.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct LimitArgs {
    /// Seconds of a case at most, the set-up of nets included; such records rest on the clock
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub case_seconds: Option<f64>,
    /// Memory of a case at most, in MiB: what the process grows by while it runs
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    pub case_memory: Option<u32>,
    /// Positions, states or moves of playouts of a case at most (Go: nodes of each reading)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub case_nodes: Option<u64>,
}

/// A number of seconds that is one.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.001..=1e6).contains(&seconds) { Ok(seconds) } else { Err("from 0.001 to 1000000".into()) }
}

impl LimitArgs {
    /// The limits.
    #[must_use]
    pub fn limits(&self) -> CaseLimits {
        CaseLimits {
            time: self.case_seconds.map(Duration::from_secs_f64),
            memory: self.case_memory.map(|mib| u64::from(mib) << 20),
            nodes: self.case_nodes,
        }
    }
}

/// Other pattern databases of Go than our own.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PatternArgs {
    /// Take influence.db, barriers.db and conn.db, as far as they are there, from this folder instead of our own
    #[arg(long, value_name = "DIR")]
    pub patterns: Option<PathBuf>,
}

impl PatternArgs {
    /// The databases, if a folder was named. Warnings go to stderr.
    ///
    /// # Errors
    /// If the folder has none of them, or if one has faults: each with file, line and pattern.
    pub fn load(&self) -> anyhow::Result<Option<PatternDatabases>> {
        let Some(folder) = &self.patterns else { return Ok(None) };
        let mut files = Vec::new();
        for name in PatternDatabases::FILES {
            let path = folder.join(name);
            if path.is_file() {
                let shown = path.display().to_string();
                let text = std::fs::read(&path).with_context(|| format!("can't read {shown}"))?;
                files.push((shown, String::from_utf8_lossy(&text).into_owned()));
            }
        }
        anyhow::ensure!(
            !files.is_empty(),
            "{} has none of {}",
            folder.display(),
            PatternDatabases::FILES.join(", ")
        );
        let lines =
            |faults: Vec<Diagnostic>| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        match PatternDatabases::load(files.iter().map(|(file, text)| (file.as_str(), text.as_str()))) {
            Ok((databases, warnings)) => {
                if !warnings.is_empty() {
                    writeln!(io::stderr(), "{}", lines(warnings))?;
                }
                Ok(Some(databases))
            }
            Err(faults) => anyhow::bail!("{}", lines(faults)),
        }
    }
}

/// Writes text to stdout.
///
/// # Errors
/// If stdout can't be written; a closed pipe is one of them and ends the program quietly.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The question whether Ctrl-C or SIGTERM asked the program to end.
///
/// # Errors
/// If the system refuses the handler.
pub fn stop_on_interruption() -> anyhow::Result<Stop> {
    let flag = interruption()?;
    Ok(Stop::when(|| flag.load(Ordering::Relaxed)))
}

/// A flag that Ctrl-C or SIGTERM sets. A second one ends the program at once.
///
/// # Errors
/// If the system refuses the handler.
pub fn interruption() -> anyhow::Result<&'static AtomicBool> {
    static FLAG: AtomicBool = AtomicBool::new(false);
    static INSTALLED: OnceLock<()> = OnceLock::new();
    if INSTALLED.set(()).is_ok() {
        ctrlc::set_handler(|| {
            if FLAG.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        })
        .context("can't listen for Ctrl-C")?;
    }
    Ok(&FLAG)
}

/// Threads at most: more gain nothing, and each has a stack of its own.
const MAX_JOBS: i64 = 512;

/// How many threads, and from which seed.
#[derive(Clone, Debug, clap::Args)]
pub struct Resources {
    /// Threads of the one pool of the process; 0 means one per core. Results do not depend on it
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u16).range(..=MAX_JOBS))]
    pub jobs: u16,
    /// The run's seed; every random choice derives from it
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub seed: u64,
}

impl Resources {
    /// The pool of `--jobs` threads. All parallel work of a command runs inside its `install`.
    ///
    /// # Errors
    /// If the system refuses the threads.
    pub fn pool(&self) -> anyhow::Result<rayon::ThreadPool> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs.into())
            .stack_size(STACK)
            .thread_name(|i| format!("tengen-{i}"))
            .build()
            .context("can't start the threads asked for by --jobs")
    }
}
