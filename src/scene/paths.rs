//! Finds the files of paths that a user names: files, folders and globs. The order is always the same.

use super::kind::Kind;
use crate::files::{MAX_FILES, reason};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Whether a name has the signs of a glob in it.
fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

/// One part of a pattern.
enum Part {
    /// Any characters.
    Star,
    /// Any one character.
    Any,
    /// This character.
    Exactly(char),
    /// One character of these ranges, or of none of them.
    Class { ranges: Vec<(char, char)>, negated: bool },
}

impl Part {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Star => false,
            Self::Any => true,
            Self::Exactly(own) => *own == c,
            Self::Class { ranges, negated } => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated
            }
        }
    }
}

/// The parts of a pattern. A bracket that isn't closed stands for itself, as does `]` right after an opening one.
fn parts(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        parts.push(match c {
            '*' => Part::Star,
            '?' => Part::Any,
            '[' => match class(rest) {
                Some((class, after)) => {
                    rest = after;
                    class
                }
                None => Part::Exactly(c),
            },
            _ => Part::Exactly(c),
        });
    }
    parts
}

/// The class that begins behind an opening bracket, and what follows it.
fn class(text: &str) -> Option<(Part, &str)> {
    let negated = text.starts_with(['!', '^']);
    let body = if negated { &text[1..] } else { text };
    let first = body.chars().next()?.len_utf8();
    let end = first + body[first..].find(']')?;
    let mut letters = body[..end].chars().peekable();
    let mut ranges = Vec::new();
    while let Some(from) = letters.next() {
        let mut ahead = letters.clone();
        let to = if ahead.next() == Some('-') { ahead.next() } else { None };
        if to.is_some() {
            letters = ahead;
        }
        ranges.push((from, to.unwrap_or(from)));
    }
    Some((Part::Class { ranges, negated }, &body[end + 1..]))
}

/// Whether `name` matches `pattern`, where `*` stands for any characters, `?` for one, `[a-c]` for one of these and
/// `[!a-c]` for one of all others.
///
/// ```
/// use tengen::scene::paths::matches;
/// assert!(matches("*.sgf", "game.sgf") && matches("a?c*", "abc") && matches("[a-cx].sgf", "b.sgf"));
/// assert!(!matches("*.sgf", "game.sgf.old") && !matches("[!a-c]*", "b.sgf"));
/// ```
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<Part>, Vec<char>) = (parts(pattern), name.chars().collect());
    // The classic two-pointer match: on a mismatch, let the last star take one character more.
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(Part::Star) => {
                star = Some((p + 1, n));
                p += 1;
            }
            Some(part) if part.takes(name[n]) => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((after, taken)) => {
                    star = Some((after, taken + 1));
                    (p, n) = (after, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|part| matches!(part, Part::Star))
}

/// Whether the name of a file matches a pattern. Letters of an ending that has no signs of a pattern match in any case.
fn matches_file(pattern: &str, name: &str) -> bool {
    let endings = pattern.rsplit_once('.').zip(name.rsplit_once('.'));
    matches(pattern, name)
        || endings.is_some_and(|((pattern, wanted), (name, ending))| {
            !is_pattern(wanted) && wanted.eq_ignore_ascii_case(ending) && matches(pattern, name)
        })
}

/// A path as a file writes it, with slashes for the backslashes of Windows unless a file bears that very name.
#[must_use]
pub fn with_slashes(base: &Path, path: &str) -> String {
    if path.contains('\\') && !base.join(path).exists() { path.replace('\\', "/") } else { path.to_owned() }
}

/// The files a pattern names below `base`, sorted by path; `**` stands for any folders, hidden names only match a
/// pattern that begins with a dot. Endings of files match in any case. The name of an existing file is never a
/// pattern. An absolute pattern ignores `base`.
///
/// # Errors
/// If a folder can't be read.
pub fn glob(base: &Path, pattern: &str) -> io::Result<Vec<PathBuf>> {
    let mut fixed = base.to_path_buf();
    let mut rest: Vec<String> = Vec::new();
    for part in Path::new(pattern).components() {
        let name = part.as_os_str().to_string_lossy();
        let plain = |name: &str| !is_pattern(name) || fixed.join(name).exists();
        if rest.is_empty() && (!matches!(part, Component::Normal(_)) || plain(&name)) {
            fixed.push(part);
        } else {
            rest.push(name.into_owned());
        }
    }
    let mut walk = Walk::default();
    walk.enter(&fixed, &rest)?;
    let mut found = walk.found;
    found.sort();
    found.dedup();
    Ok(found)
}

/// The files that a pattern has found so far.
#[derive(Default)]
struct Walk {
    found: Vec<PathBuf>,
    /// Folders with the number of parts that were left there. Each is entered once, so the cost is at most the number
    /// of folders times that of parts.
    entered: HashSet<(PathBuf, usize)>,
}

impl Walk {
    /// Collects the files below `folder` that match the parts.
    fn enter(&mut self, folder: &Path, parts: &[String]) -> io::Result<()> {
        let Some((part, rest)) = parts.split_first() else {
            if folder.is_file() {
                self.found.push(folder.to_path_buf());
            }
            if self.found.len() > MAX_FILES {
                return Err(io::Error::from(io::ErrorKind::FileTooLarge));
            }
            return Ok(());
        };
        if !self.entered.insert((folder.to_path_buf(), parts.len())) {
            return Ok(());
        }
        if part == "**" {
            self.enter(folder, rest)?;
            for (path, name) in entries(folder)? {
                // Links are not followed: they could lead in a circle.
                if !name.starts_with('.') && path.is_dir() && !path.is_symlink() {
                    self.enter(&path, parts)?;
                }
            }
        } else if is_pattern(part) {
            for (path, name) in entries(folder)? {
                let fits = if rest.is_empty() { matches_file(part, &name) } else { matches(part, &name) };
                if fits && (part.starts_with('.') || !name.starts_with('.')) {
                    self.enter(&path, rest)?;
                }
            }
        } else {
            self.enter(&folder.join(part), rest)?;
        }
        Ok(())
    }
}

/// The names in a folder; none if it isn't a folder. An empty path is the current folder.
fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, String)>> {
    let read = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if !read.is_dir() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(read)? {
        let name = entry?.file_name();
        names.push((folder.join(&name), name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// The files a folder stands for, by endings in capitals too: all scenes below it; where it holds none, all game records, positions and rulesheets.
/// Scenes name the games beside them themselves.
fn of_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let files = glob(folder, "**/*.*")?;
    let is_scene = |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
    let (scenes, others): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(is_scene);
    if !scenes.is_empty() {
        return Ok(scenes);
    }
    Ok(others.into_iter().filter(|path| Kind::of(path).is_some()).collect())
}

/// The files that a command line names. A folder stands for all scenes below it, or without scenes for all game
/// records, positions and rulesheets. A glob stands for its matches. Sorted within each argument, no file twice.
///
/// # Errors
/// A message per argument that names nothing or can't be read; the other arguments' files are in the first list.
pub fn scene_files(arguments: &[PathBuf]) -> (Vec<PathBuf>, Vec<(PathBuf, String)>) {
    files(arguments, of_folder)
}

/// As [`scene_files`], for game records of Go: a folder is all of them below it.
///
/// # Errors
/// As [`scene_files`].
pub fn game_files(arguments: &[PathBuf]) -> (Vec<PathBuf>, Vec<(PathBuf, String)>) {
    let of_folder = |folder: &Path| -> io::Result<Vec<PathBuf>> {
        let files = glob(folder, "**/*.*")?;
        Ok(files.into_iter().filter(|path| Kind::of(path) == Some(Kind::Sgf)).collect())
    };
    files(arguments, of_folder)
}

fn files(
    arguments: &[PathBuf],
    of_folder: impl Fn(&Path) -> io::Result<Vec<PathBuf>>,
) -> (Vec<PathBuf>, Vec<(PathBuf, String)>) {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut seen = HashSet::new();
    let mut faults = Vec::new();
    for argument in arguments {
        let text = argument.to_string_lossy();
        let found = if argument.exists() && !argument.is_dir() {
            Ok(vec![argument.clone()])
        } else if argument.is_dir() {
            of_folder(argument)
        } else if is_pattern(&text) {
            glob(Path::new(""), &text)
        } else {
            Err(io::Error::from(io::ErrorKind::NotFound))
        };
        match found {
            Ok(found) if found.is_empty() => {
                faults.push((argument.clone(), "it names no file that can be used".into()))
            }
            Ok(found) => found.into_iter().for_each(|f| {
                if seen.insert(f.clone()) {
                    files.push(f);
                }
            }),
            Err(error) => faults.push((argument.clone(), reason(&error))),
        }
    }
    (files, faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_as_many_stars_cost_twice_as_much_and_find_the_same() {
        let base = std::env::temp_dir().join(format!("tengen_stars_{}", std::process::id()));
        let deep = base.join("a/a/a/a/a/a/a/a");
        fs::create_dir_all(&deep).expect("folders");
        fs::write(deep.join("game.sgf"), "(;)").expect("a file");
        let entered = |stars: usize| {
            let parts: Vec<String> =
                std::iter::repeat_n("**".to_owned(), stars).chain(["*.sgf".into()]).collect();
            let mut walk = Walk::default();
            walk.enter(&base, &parts).expect("readable folders");
            walk.found.dedup();
            assert_eq!(walk.found, [deep.join("game.sgf")], "{stars}");
            walk.entered.len()
        };
        let (one, eight, sixteen) = (entered(1), entered(8), entered(16));
        fs::remove_dir_all(&base).expect("removed");
        assert!(eight < sixteen && sixteen <= 16 * one, "{one} {eight} {sixteen}");
    }
}
