//! `tengen analyse` speaks KataGo's analysis protocol on stdin and stdout.

use super::Outcome;
use super::common::{EffortArgs, JudgeArgs, PatternArgs};
use crate::protocol::analysis::{Analyst, serve};
use std::io;

/// The arguments of `tengen analyse`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    patterns: PatternArgs,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    judge: JudgeArgs,
    /// KataGo's own options (`-model FILE`, `-config FILE`, `-analysis-threads N`, ...), as GUIs write them: read and without effect
    #[arg(value_name = "KATAGO", trailing_var_arg = true, allow_hyphen_values = true)]
    katago: Vec<String>,
}

/// KataGo's options of `analysis`, and whether a value follows.
const KATAGO: [(&str, bool); 6] = [
    ("-model", true),
    ("-human-model", true),
    ("-config", true),
    ("-override-config", true),
    ("-analysis-threads", true),
    ("-quit-without-waiting", false),
];

/// Whether these are KataGo's options and nothing else.
fn check(words: &[String]) -> anyhow::Result<()> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some((_, has_value)) = KATAGO.iter().find(|(name, _)| name == word) else {
            anyhow::bail!(
                "`{word}` is no option of `tengen analyse`, and none of KataGo's `analysis` either"
            );
        };
        anyhow::ensure!(!has_value || words.next().is_some(), "{word} needs a value");
    }
    Ok(())
}

/// Carries out `tengen analyse`.
///
/// # Errors
/// If an option is unknown, or stdin or stdout can't be used.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    check(&args.katago)?;
    let worker = Analyst::default()
        .patterns(args.patterns.load()?)
        .effort(args.effort.in_force())
        .judge(args.judge.in_force());
    serve(io::stdin().lock(), io::stdout(), worker)?;
    Ok(Outcome::Success)
}
