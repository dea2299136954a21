//! Reads scene files. A fault is a diagnostic with file, line, column and help, never a panic.

use super::paths::with_slashes;
use super::{File, Scene, VERSION, faults};
use crate::files::{self, display};
use ron::error::Error as Ron;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tengen_core::{Diagnostic, Position};

/// A scene file that was read: to place a fault found later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file's name as the user spelled it.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

impl Source {
    /// The file as records name it: with forward slashes.
    #[must_use]
    pub fn name(&self) -> String {
        display(&self.path)
    }

    /// `path` as written in this file, from where the program stands. A backslash parts folders as a slash does.
    #[must_use]
    pub fn resolve(&self, path: &str) -> PathBuf {
        let base = self.path.parent().unwrap_or_else(|| Path::new(""));
        base.join(with_slashes(base, path))
    }

    /// The place of `"value"` in the scene called `scene`: where a fault of that value is reported.
    #[must_use]
    pub fn place(&self, scene: &str, value: &str) -> Position {
        let quoted = |text: &str| format!("\"{text}\"");
        let start = self.text.find(&quoted(scene)).unwrap_or(0);
        let within = self.text[start..].find(&quoted(value)).or_else(|| {
            self.text[start..].find(value.lines().find(|l| !l.trim().is_empty()).unwrap_or(value))
        });
        Position::of_offset(&self.text, start + within.unwrap_or(0))
    }

    /// A fault of `value` in the scene called `scene`.
    #[must_use]
    pub fn fault(&self, scene: &str, value: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).in_file(self.name()).at(self.place(scene, value))
    }
}

/// The scenes of one file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Their origin.
    pub source: Arc<Source>,
    /// In the order of the file.
    pub scenes: Vec<Scene>,
}

/// Reads a scene file.
///
/// # Errors
/// The faults, in the order of the file: at least one.
pub fn file(path: &Path) -> Result<Loaded, Vec<Diagnostic>> {
    let name = display(path);
    let text = files::text(path).map_err(|reason| {
        // A text that is none has the place where it ends to be one.
        let line = reason.split_once("(line ").and_then(|(_, n)| n.trim_end_matches(')').parse().ok());
        let fault = Diagnostic::error(format!("can't read the scene file: {reason}"))
            .in_file(name)
            .at(Position { line: line.unwrap_or(1), column: 1 })
            .help("name a RON scene file of 16 MiB at most, a folder of them, or a glob in quotes");
        vec![fault]
    })?;
    parse(path, text)
}

/// Reads a scene file's text.
///
/// # Errors
/// The faults, in the order of the file: at least one.
pub fn parse(path: &Path, text: String) -> Result<Loaded, Vec<Diagnostic>> {
    let source = Source { path: path.to_path_buf(), text };
    let at_start =
        |message: &str| Diagnostic::error(message).in_file(source.name()).at(Position { line: 1, column: 1 });
    let read = |text: &str| options().from_str::<File>(text);
    let file = faults::all(&source.text, read)
        .map_err(|faults| faults.iter().map(|e| ron_fault(&source, e)).collect::<Vec<_>>())?;
    if file.version != VERSION {
        let offset = source.text.find("version").unwrap_or(0);
        return Err(vec![
            Diagnostic::error(format!("version {} is not known", file.version))
                .in_file(source.name())
                .at(Position::of_offset(&source.text, offset))
                .help("write `version: 1`"),
        ]);
    }
    let single = file.name.is_some() || file.task.is_some() || file.game.is_some() || file.for_each.is_some();
    let scenes = match (file.scenes, single) {
        (Some(scenes), false)
            if file.expect.is_empty()
                && file.seed.is_none()
                && file.effort.is_none()
                && file.judge.is_none() =>
        {
            scenes
        }
        (Some(_), _) => {
            return Err(vec![
                at_start("a file has either `scenes` or the fields of one scene, not both")
                    .help("move the scene into the list `scenes`"),
            ]);
        }
        (None, _) => {
            let (Some(name), Some(task)) = (file.name, file.task) else {
                return Err(vec![
                    at_start("the scene has no `name` or no `task`")
                        .help("write `(version: 1, name: \"...\", game: ..., task: ...)` or `scenes: [...]`"),
                ]);
            };
            let File { game, for_each, expect, seed, effort, judge, .. } = file;
            vec![Scene { name, game, for_each, task, expect, seed, effort, judge }]
        }
    };
    let faults = scene_faults(&source, &scenes);
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(Loaded { source: Arc::new(source), scenes })
}

/// Checks the rules that the types of the schema do not express: a scene has one game, and a unique name.
fn scene_faults(source: &Source, scenes: &[Scene]) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for (i, scene) in scenes.iter().enumerate() {
        let fault = |message: &str| source.fault(&scene.name, &scene.name, message);
        if scene.game.is_some() == scene.for_each.is_some() {
            faults.push(
                fault("a scene has exactly one of `game` and `for_each`").help(
                    "write `game: Go(...)`, `game: Chess(...)`, `game: Gdl(...)` or `for_each: Sgf(...)`",
                ),
            );
        }
        if scene.name.is_empty()
            || scene.name.contains(['/', '#'])
            || scenes[..i].iter().any(|s| s.name == scene.name)
        {
            faults.push(
                fault("a scene's name is not empty, has no `/` or `#`, and is unique in its file")
                    .help("records are found by `file#name`"),
            );
        }
    }
    faults
}

fn options() -> ron::Options {
    ron::Options::default()
        .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
        .with_recursion_limit(64)
}

/// Reads a task from a command line.
///
/// # Errors
/// The fault of the text.
pub(super) fn task(text: &str) -> Result<super::Task, Diagnostic> {
    let source = Source { path: PathBuf::from("--task"), text: text.to_owned() };
    options().from_str(text).map_err(|e| ron_fault(&source, &e))
}

/// RON's fault as a diagnostic, with the names that are allowed.
fn ron_fault(source: &Source, error: &ron::error::SpannedError) -> Diagnostic {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let span = error.span.start;
    // The names of our own types mean nothing to who writes a scene.
    let message = match &error.code {
        Ron::NoSuchStructField { found, .. } => format!("there is no field `{found}` here"),
        Ron::NoSuchEnumVariant { found, .. } => format!("`{found}` is none of the choices here"),
        Ron::MissingStructField { field, .. } => format!("the field `{field}` is missing"),
        Ron::DuplicateStructField { field, .. } => format!("the field `{field}` stands here twice"),
        code => code.to_string().trim_end_matches('.').to_owned(),
    };
    let fault = Diagnostic::error(message)
        .in_file(source.name())
        .at(Position { line: number(span.line), column: number(span.col) });
    let list = |names: &[&str]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    match &error.code {
        Ron::NoSuchStructField { expected, .. } => fault.help(format!("the fields are {}", list(expected))),
        Ron::NoSuchEnumVariant { expected, .. } => fault.help(format!("the choices are {}", list(expected))),
        Ron::MissingStructField { field, .. } => fault.help(format!("add `{field}: ...`")),
        Ron::DuplicateStructField { field, .. } => fault.help(format!("write `{field}` once")),
        Ron::InvalidValueForType { expected, .. } => fault.help(format!("write {expected}")),
        Ron::ExpectedStructLike | Ron::ExpectedNamedStructLike(_) => {
            fault.help("write `(field: value, ...)` in round brackets; a file begins with `(version: 1,`")
        }
        Ron::ExpectedInteger | Ron::InvalidIntegerDigit { .. } | Ron::IntegerOutOfBounds => {
            fault.help("write a whole number, without quotes")
        }
        Ron::ExpectedFloat => fault.help("write a number, without quotes"),
        Ron::ExpectedString => fault.help("write text in double quotes"),
        Ron::ExpectedBoolean => fault.help("write `true` or `false`"),
        Ron::ExpectedComma => fault.help("a comma, or the closing bracket, is missing before this place"),
        Ron::Eof => fault.help("the file ends too early: is a bracket or a quote left open?"),
        _ => fault.help("see scenes/README.md for the schema"),
    }
}
