//! `tengen man`: writes the man pages of all commands.

use super::{Outcome, common, offered};
use crate::files::{FolderLock, write_file};
use crate::number_text::counted;
use anyhow::Context as _;
use clap_mangen::Man;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use tengen_core::escaped_line;

/// The arguments of `tengen man`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder for a page of each command (for example ~/.local/share/man/man1); without it, the page of tengen itself goes to stdout
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Write pages anew that are there already
    #[arg(long, requires = "out")]
    force: bool,
}

/// A page: its file name and its text.
struct Page {
    name: String,
    text: Vec<u8>,
}

/// Carries out `tengen man`.
///
/// # Errors
/// If there are pages already; if they can't be written.
pub fn main(args: &Args) -> anyhow::Result<Outcome> {
    let mut pages = Vec::new();
    write_pages(offered().disable_help_subcommand(true), &mut pages)?;
    let Some(out) = &args.out else {
        let first = pages.first().context("a command line without a command")?;
        common::print(&String::from_utf8_lossy(&first.text))?;
        return Ok(Outcome::Success);
    };
    let there = pages.iter().map(|page| out.join(&page.name)).find(|path| path.exists());
    if let Some(there) = there.filter(|_| !args.force) {
        anyhow::bail!("{} is there already: --force writes it anew, or name another folder", there.display());
    }
    fs::create_dir_all(out).with_context(|| format!("can't make {}", out.display()))?;
    let _lock = FolderLock::take_for_now(out)?;
    for (number, page) in pages.iter().enumerate() {
        let written = write_file(&out.join(&page.name), |file| file.write_all(&page.text));
        if written.is_err() && !args.force {
            // All pages or none; the first error is the one to tell.
            pages[..number].iter().for_each(|page| drop(fs::remove_file(out.join(&page.name))));
        }
        written?;
    }
    let told = format!("{} in {}", counted("page", pages.len()), out.display());
    // Whoever closed stdout has the pages all the same.
    let _ = writeln!(io::stdout(), "{}", escaped_line(&told));
    Ok(Outcome::Success)
}

/// The pages of a command and of those below it, its own first.
fn write_pages(mut command: clap::Command, pages: &mut Vec<Page>) -> io::Result<()> {
    command.build();
    let below: Vec<clap::Command> = command.get_subcommands().filter(|c| !c.is_hide_set()).cloned().collect();
    let source = concat!("tengen ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command).source(source).manual("Tengen");
    let mut text = Vec::new();
    man.render(&mut text)?;
    pages.push(Page { name: man.get_filename(), text });
    below.into_iter().filter(|c| c.get_name() != "help").try_for_each(|c| write_pages(c, pages))
}
