//! Paths a person names: files, folders and globs, always in the same order.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Whether a name has the signs of a glob in it.
fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// Whether `name` matches `pattern`, where `*` stands for any characters and `?` for one.
///
/// ```
/// use tengen::scene::paths::matches;
/// assert!(matches("*.sgf", "game.sgf") && matches("a?c*", "abc"));
/// assert!(!matches("*.sgf", "game.sgf.old"));
/// ```
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // The classic two-pointer match: on a mismatch, let the last star take one character more.
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p + 1, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
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
    pattern[p..].iter().all(|&c| c == '*')
}

/// The files a pattern names below `base`, sorted by path; `**` stands for any folders, hidden names only match a
/// pattern that begins with a dot.
///
/// # Errors
/// If a folder can't be read.
pub fn glob(base: &Path, pattern: &str) -> io::Result<Vec<PathBuf>> {
    let mut fixed = base.to_path_buf();
    let mut rest: Vec<String> = Vec::new();
    for part in Path::new(pattern).components() {
        let name = part.as_os_str().to_string_lossy();
        if rest.is_empty() && (!is_pattern(&name) || !matches!(part, Component::Normal(_))) {
            fixed.push(part);
        } else {
            rest.push(name.into_owned());
        }
    }
    let mut found = Vec::new();
    walk(&fixed, &rest, &mut found)?;
    found.sort();
    found.dedup();
    Ok(found)
}

/// Collects the files below `folder` that match the parts.
fn walk(folder: &Path, parts: &[String], found: &mut Vec<PathBuf>) -> io::Result<()> {
    let Some((part, rest)) = parts.split_first() else {
        if folder.is_file() {
            found.push(folder.to_path_buf());
        }
        return Ok(());
    };
    if part == "**" {
        walk(folder, rest, found)?;
        for (path, name) in entries(folder)? {
            // Links are not followed: they could lead in a circle.
            if !name.starts_with('.') && path.is_dir() && !path.is_symlink() {
                walk(&path, parts, found)?;
            }
        }
    } else if is_pattern(part) {
        for (path, name) in entries(folder)? {
            if matches(part, &name) && (part.starts_with('.') || !name.starts_with('.')) {
                walk(&path, rest, found)?;
            }
        }
    } else {
        walk(&folder.join(part), rest, found)?;
    }
    Ok(())
}

/// The names in a folder; none if it isn't a folder.
fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, String)>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        names.push((entry.path(), entry.file_name().to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// The scene files a command line names: a file is itself, a folder all `.ron` files below it, a glob what it
/// matches. Sorted within each argument, no file twice.
///
/// # Errors
/// A message per argument that names nothing or can't be read; the other arguments' files are in the first list.
pub fn scene_files(arguments: &[PathBuf]) -> (Vec<PathBuf>, Vec<(PathBuf, String)>) {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut faults = Vec::new();
    for argument in arguments {
        let text = argument.to_string_lossy();
        let found = if argument.is_file() {
            Ok(vec![argument.clone()])
        } else if argument.is_dir() {
            glob(argument, "**/*.ron")
        } else if is_pattern(&text) {
            glob(Path::new(""), &text)
        } else {
            Err(io::Error::from(io::ErrorKind::NotFound))
        };
        match found {
            Ok(found) if found.is_empty() => faults.push((argument.clone(), "names no scene file".into())),
            Ok(found) => found.into_iter().for_each(|f| {
                if !files.contains(&f) {
                    files.push(f);
                }
            }),
            Err(error) => faults.push((argument.clone(), reason(&error))),
        }
    }
    (files, faults)
}

/// An I/O error in words that don't depend on the system's language or numbers.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "it may not be read".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::InvalidData => "it is not text in UTF-8".into(),
        kind => format!("it can't be read ({kind})"),
    }
}
