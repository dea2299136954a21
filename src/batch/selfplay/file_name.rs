//! The names of the files of game records.

/// The name of a game record's file.
#[must_use]
pub fn file_name(number: u32, extension: &str) -> String {
    format!("game-{number:05}.{extension}")
}

/// The number of a game record's file.
pub(super) fn number_of(name: &str, extension: &str) -> Option<u32> {
    let digits = name.strip_prefix("game-")?.strip_suffix(extension)?.strip_suffix('.')?;
    let number = digits.parse().ok().filter(|&n| n > 0)?;
    (name == file_name(number, extension)).then_some(number)
}
