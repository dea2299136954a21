//! Makes the judges of Go positions that the command line and scenes name.

use crate::client::katago::{KataGo, Settings};
use crate::client::process::words;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};
use tengen_go::judge::{Embedded, JudgeInForce};

/// More bytes than weights of a net have that is meant to be embedded.
const MOST_BYTES: u64 = 64 << 20;

/// The judges that are programs, by name: scenes that name one share it.
static PROGRAMS: Mutex<BTreeMap<String, JudgeInForce>> = Mutex::new(BTreeMap::new());

/// Whether a judge's name is the command line of a program: two words at least.
#[must_use]
pub fn is_command(name: &str) -> bool {
    !name.starts_with("net:") && words(name).is_some_and(|words| words.len() > 1)
}

/// The judge behind a command line that speaks KataGo's analysis protocol, with these options.
#[must_use]
pub fn program(command: &str, settings: Settings) -> JudgeInForce {
    let judge = JudgeInForce(Arc::new(KataGo::new(command.to_owned(), settings)));
    let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    programs.insert(command.to_owned(), judge.clone());
    judge
}

/// The default file of a command's answers: in the user's folder for caches, by a hash of the command.
#[must_use]
pub fn answers_of(command: &str) -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = set("TENGEN_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|folder| folder.join("tengen")))
        .or_else(|| set("LOCALAPPDATA").map(|folder| folder.join("tengen")))
        .or_else(|| set("HOME").map(|folder| folder.join(".cache/tengen")))?;
    let number = command.bytes().fold(0_u64, |seed, byte| tengen_core::derive_seed(seed, &[u64::from(byte)]));
    Some(caches.join("judges").join(format!("{number:016x}.jsonl")))
}

/// The judge of a name: `embedded`, `embedded:N`, `playouts`, `playouts:N`, `none`, `net:FILE` for other weights, or a command line.
///
/// # Errors
/// An unknown name, or weights that cannot be read; in words for a person.
pub fn named(name: &str) -> Result<JudgeInForce, String> {
    if is_command(name) {
        let known = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        return Ok(known.unwrap_or_else(|| {
            program(name, Settings { answers: answers_of(name), ..Settings::default() })
        }));
    }
    let Some(file) = name.strip_prefix("net:") else {
        return name.parse().map_err(|e: tengen_go::judge::UnknownJudge| {
            format!("{e}; `net:FILE` takes the weights of a file, and a command line (`katago analysis ...`) another program")
        });
    };
    let fault = |message: String| format!("{file}: {message}");
    let size = std::fs::metadata(Path::new(file)).map_err(|e| fault(e.to_string()))?.len();
    if size > MOST_BYTES {
        return Err(fault(format!("{size} bytes are too many for weights of a judge")));
    }
    let bytes = std::fs::read(file).map_err(|e| fault(e.to_string()))?;
    let judge = Embedded::with_weights(name, &bytes).map_err(|e| fault(e.to_string()))?;
    Ok(JudgeInForce(Arc::new(judge)))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn judges_are_found_by_name_and_unknown_ones_are_refused() {
        for name in ["embedded", "playouts:7", "none", "katago analysis -model 'a b.bin.gz'"] {
            assert_eq!(named(name).map(|judge| judge.0.name()), Ok(name.to_owned()));
        }
        for name in ["", "Embedded", "playouts:0", "playouts:x", "net:/no/such/file", "net:Cargo.toml"] {
            assert!(named(name).is_err(), "{name}");
        }
    }
}
