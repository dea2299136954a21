//! The names of the warnings that reading a record gives.

/// `CA` names no charset that is known.
pub const CHARSET_UNKNOWN: &str = "sgf-charset-unknown";
/// `CA` names a charset that the texts are not in.
pub const CHARSET_WRONG: &str = "sgf-charset-wrong";
/// No `CA` names the charset, and the text is not in UTF-8.
pub const CHARSET_GUESSED: &str = "sgf-charset-guessed";
/// A letter is cut off in the middle, or does not exist in its charset.
pub const LETTER_CUT: &str = "sgf-letter-cut";
/// The file holds more games than the one that is read.
pub const MORE_GAMES: &str = "sgf-more-games";
/// A number has a comma for its point.
pub const NUMBER_COMMA: &str = "sgf-number-comma";
/// A komi is counted in hundredths, or in hundredths of the stones of Chinese counting.
pub const KOMI_HUNDREDTHS: &str = "sgf-komi-hundredths";
/// `PL` names no colour.
pub const PLAYER_UNKNOWN: &str = "sgf-player-unknown";
/// A stone is set up where it has no liberty.
pub const NO_LIBERTY: &str = "go-stone-without-liberty";

/// Every kind, with its meaning.
pub const ALL: [(&str, &str); 9] = [
    (CHARSET_UNKNOWN, "`CA` names a charset that is not known; it is guessed from the bytes"),
    (CHARSET_WRONG, "the texts are not in the charset that `CA` names; it is guessed from the bytes"),
    (
        CHARSET_GUESSED,
        "no `CA` names the charset of a record that is not in UTF-8; it is guessed from the bytes",
    ),
    (LETTER_CUT, "bytes that form no letter, such as half of a letter, are replaced by U+FFFD"),
    (MORE_GAMES, "the first game of a file is read, and the others are not"),
    (NUMBER_COMMA, "a comma in a number is read as a decimal point"),
    (KOMI_HUNDREDTHS, "a komi such as 375 or 650 is read as 7.5 or 6.5"),
    (PLAYER_UNKNOWN, "`PL` names no colour; whoever plays first begins"),
    (NO_LIBERTY, "stones that are set up without a liberty are removed"),
];

/// The line of help for a warning of this kind.
pub(super) fn help(kind: &str) -> Option<&'static str> {
    Some(match kind {
        CHARSET_UNKNOWN | CHARSET_WRONG | CHARSET_GUESSED => "write the charset of the texts into `CA`",
        LETTER_CUT => "look whether `CA` names the right charset",
        MORE_GAMES => "name the file itself to read all its games",
        NUMBER_COMMA => "write the number with a point",
        KOMI_HUNDREDTHS => "write the komi in points, such as `KM[7.5]`",
        PLAYER_UNKNOWN => "write `PL[B]` or `PL[W]`",
        NO_LIBERTY => "set up no stones without a liberty",
        _ => return None,
    })
}
