//! Options that several subcommands share.

use crate::batch::run_folder::Existing;
use crate::scene::{Case, Input, cases, load, paths};
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_core::Diagnostic;
use tengen_go::Level;
use tengen_go::patterns::PatternDatabases;

/// Which scenes.
#[derive(Clone, Debug, clap::Args)]
pub struct SceneArgs {
    /// Scene files, folders of them, or globs in quotes
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

impl SceneArgs {
    /// All cases of the scenes; what can't be read is a case with a fault.
    #[must_use]
    pub fn cases(&self, seed: u64) -> Vec<Case> {
        let (files, faults) = paths::scene_files(&self.paths);
        let mut cases = cases::of_files(&files, seed);
        cases.extend(faults.into_iter().map(|(path, reason)| {
            let name = load::display(&path);
            let fault = Diagnostic::error(format!("can't use this path: {reason}"))
                .in_file(name.clone())
                .help("name a RON scene file, a folder of them, or a glob in quotes");
            Case { id: name, source: None, scene: None, seed: 0, input: Input::Fault(fault) }
        }));
        cases
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
    /// What was asked for.
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
    pub effort: Option<Level>,
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

/// A flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
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

/// How many threads, and from which seed.
#[derive(Clone, Debug, clap::Args)]
pub struct Resources {
    /// Threads of the one pool of the process; 0 means one per core. Results do not depend on it
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub jobs: usize,
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
            .num_threads(self.jobs)
            .thread_name(|i| format!("tengen-{i}"))
            .build()
            .context("can't start the threads asked for by --jobs")
    }
}
