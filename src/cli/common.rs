//! Options that several subcommands share.

use anyhow::Context as _;

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
