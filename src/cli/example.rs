//! `tengen example`: writes a folder of embedded scenes with their games.

mod files;

use super::Outcome;
use crate::files::{FolderLock, write_file};
use anyhow::Context as _;
use files::{CHESS, Example, GDL, GO, SELFPLAY};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tengen_core::escaped_line;

/// The arguments of `tengen example`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What the scenes are about
    #[arg(value_enum, value_name = "go|chess|gdl|selfplay")]
    about: About,
    /// The folder to write; without it, `go-example` and the like in the present folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum About {
    /// Positions and whole games of Go
    Go,
    /// Studies and repetitions of chess
    Chess,
    /// Rulesheets, with scenes that play and count them
    Gdl,
    /// Matches in all three domains
    Selfplay,
}

impl About {
    fn example(self) -> &'static Example {
        match self {
            Self::Go => &GO,
            Self::Chess => &CHESS,
            Self::Gdl => &GDL,
            Self::Selfplay => &SELFPLAY,
        }
    }
}

/// Carries out `tengen example`: writes the folder, then prints its files and the command to type next.
///
/// # Errors
/// If the folder holds something already or can't be written. A folder half written is taken away again.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let example = args.about.example();
    let folder = args.out.unwrap_or_else(|| example.folder.into());
    let made = make(&folder)?;
    let lock = FolderLock::take_for_now(&folder).inspect_err(|_| take_away(&folder, &[], made))?;
    for (number, file) in example.files.iter().enumerate() {
        let text = file.text.replace(files::RULES, "");
        let written = write_file(&folder.join(file.name), |out| out.write_all(text.as_bytes()));
        if let Err(error) = written {
            drop(lock);
            take_away(&folder, &example.files[..number], made);
            return Err(error);
        }
    }
    // Whoever closed stdout has the folder all the same.
    let _ = io::stdout().write_all(told(example, &folder).as_bytes());
    Ok(Outcome::Success)
}

/// Makes the folder. An empty one that is there already will do; the answer says whether a new one was made.
fn make(folder: &Path) -> anyhow::Result<bool> {
    let shown = folder.display();
    let cannot = || format!("can't make {shown}");
    if let Some(parent) = folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).with_context(cannot)?;
    }
    match fs::create_dir(folder) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let is_empty = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
            anyhow::ensure!(
                is_empty,
                "{shown} is there already and nothing is written over: name another folder by --out"
            );
            Ok(false)
        }
        Err(error) => Err(error).with_context(cannot),
    }
}

/// Removes an incomplete folder.
fn take_away(folder: &Path, written: &[files::File], made: bool) {
    for file in written {
        // The first error is the one to tell.
        let _ = fs::remove_file(folder.join(file.name));
    }
    if made {
        let _ = fs::remove_dir(folder);
    }
}

/// The list of written files, one on each line, and the next command.
fn told(example: &Example, folder: &Path) -> String {
    let path = |file: &files::File| folder.join(file.name).display().to_string();
    let paths: Vec<String> =
        example.files.iter().map(|file| escaped_line(&path(file)).into_owned()).collect();
    let width = paths.iter().map(|path| path.chars().count()).max().unwrap_or_default();
    let mut text = String::new();
    for (path, file) in paths.iter().zip(example.files) {
        text += &format!("{path:width$}  {}\n", file.what);
    }
    let words: Vec<String> = example.next.iter().map(|word| word_of_shell(word, folder)).collect();
    text + &format!("\nnext: tengen {}\n", escaped_line(&words.join(" ")))
}

/// A word of the next command as one types it; `FOLDER` in it is the folder.
fn word_of_shell(word: &str, folder: &Path) -> String {
    let Some(below) = word.strip_prefix("FOLDER") else { return word.into() };
    let path = format!("{}{below}", folder.display());
    let path = if path.starts_with('-') { format!("./{path}") } else { path };
    let is_plain =
        |c: char| c.is_alphanumeric() || "-_./\\:+,=@%".contains(c) && (cfg!(windows) || c != '\\');
    if path.chars().all(is_plain) {
        path
    } else if cfg!(windows) {
        format!("\"{path}\"")
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}
