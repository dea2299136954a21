//! `tengen completions`: prints the script with which a shell completes Tengen's command line.

use super::{Outcome, common, offered};
use clap_complete::{Shell, generate};

/// The arguments of `tengen completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
bash:        tengen completions bash > ~/.local/share/bash-completion/completions/tengen
zsh:         tengen completions zsh > DIR/_tengen, DIR a folder of $fpath
fish:        tengen completions fish > ~/.config/fish/completions/tengen.fish
PowerShell:  tengen completions powershell >> $PROFILE
Elvish:      tengen completions elvish >> ~/.config/elvish/rc.elv")]
pub struct Args {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Carries out `tengen completions`: the script goes to stdout.
///
/// # Errors
/// If stdout can't be written.
pub fn main(args: &Args) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    generate(args.shell, &mut offered(), "tengen", &mut script);
    common::print(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Success)
}
