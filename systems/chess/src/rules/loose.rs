//! Reads words of movetext that programs and people write, although the PGN standard does not allow them.

use std::borrow::Cow;

/// A result in the standard's spelling; `None` for any other word.
pub(super) fn result(word: &str) -> Option<&'static str> {
    Some(match word {
        "1-0" => "1-0",
        "0-1" => "0-1",
        "1/2-1/2" | "1/2" | "\u{bd}-\u{bd}" | "\u{bd}" => "1/2-1/2",
        "*" => "*",
        _ => return None,
    })
}

/// Whether a word of movetext is a result.
pub(super) fn is_result(word: &str) -> bool {
    result(word).is_some()
}

/// Whether a word passes the turn.
pub(super) fn is_null(word: &str) -> bool {
    matches!(word, "--" | "0000" | "Z0" | "<>" | "@@@@") || word.eq_ignore_ascii_case("null")
}

/// Whether a tag `Variant` names chess, or the chess of other first positions.
pub(super) fn is_chess(variant: &str) -> bool {
    let name: String = variant.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let chess = ["", "chess", "standard", "normal", "regular", "orthodox", "fromposition", "fide"];
    let other = ["960", "fischer", "frc"];
    chess.contains(&name.as_str()) || other.iter().any(|part| name.contains(part))
}

/// Ends of lines in a text: LF, CR LF or CR.
pub(super) fn line_ends(text: &[u8]) -> usize {
    let lone = |pair: &&[u8]| pair[0] == b'\r' && pair[1] != b'\n';
    let last = usize::from(text.last() == Some(&b'\r'));
    text.iter().filter(|b| **b == b'\n').count() + text.windows(2).filter(lone).count() + last
}

/// The length of the first word of a text: up to a blank, a comment, a bracket, a glyph or a result `*`. A promotion
/// in brackets, `e8(Q)`, is part of its word.
pub(super) fn word(text: &str) -> usize {
    if text.starts_with('*') {
        return 1;
    }
    let first = text.chars().next().map_or(1, char::len_utf8);
    let rest = &text[first..];
    if text.starts_with('$') {
        return first + rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    }
    let ends = |c: char| c.is_ascii_whitespace() || "{}();$*\u{1a}".contains(c);
    let length = rest.find(ends).map_or(text.len(), |at| first + at);
    let promotes = |tail: &[u8]| matches!(tail, [b'(', piece, b')', ..] if b"QRBN".contains(piece));
    let rank = text.as_bytes().get(length.wrapping_sub(1));
    if matches!(rank, Some(b'1' | b'8')) && promotes(&text.as_bytes()[length..]) {
        let tail = &text[length + 3..];
        return length + 3 + tail.find(|c: char| !"+#!?".contains(c)).unwrap_or(tail.len());
    }
    length
}

/// A move as the standard spells it: letters for figurines, no hyphen, no colon, no `e.p.`, promotions with `=`.
pub(super) fn san(word: &str) -> Cow<'_, str> {
    let is_usual = word.bytes().all(|b| b.is_ascii_alphanumeric() || b"+#!?=".contains(&b));
    if is_usual || word.starts_with(['O', '0', 'o']) {
        return Cow::Borrowed(word);
    }
    let bare = word.trim_end_matches(['!', '?', '+', '#']);
    let signs = &word[bare.len()..];
    let bare = ["e.p.", "e.p", "ep."].iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(bare);
    let mut text = String::with_capacity(word.len());
    for c in bare.chars() {
        match c {
            '\u{2654}' | '\u{265a}' => text.push('K'),
            '\u{2655}' | '\u{265b}' => text.push('Q'),
            '\u{2656}' | '\u{265c}' => text.push('R'),
            '\u{2657}' | '\u{265d}' => text.push('B'),
            '\u{2658}' | '\u{265e}' => text.push('N'),
            // The figurine of a pawn, signs that choose a picture, and what stands between two squares.
            '\u{2659}' | '\u{265f}' | '\u{fe0e}' | '\u{fe0f}' | '-' | '\u{2013}' | ')' => {}
            '\u{d7}' | ':' => text.push('x'),
            '/' | '(' => text.push('='),
            c => text.push(c),
        }
    }
    text.push_str(signs);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::super::pgn_read::{PgnFault, PgnRecord, games, read};

    fn all(text: &str) -> Vec<PgnRecord> {
        games(text).into_iter().map(read).collect()
    }

    #[test]
    fn habits_of_programs_are_read_as_the_moves_they_are() {
        let table = [
            ("1. e4$1 e5$2 2. Nf3 *", 3),
            ("1. e4$1$14(1. d4)e5{x}2. Nf3*", 3),
            ("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 4. Bb5xc6 *", 7),
            ("1. e4 d5 2. e4:d5 Qd8:d5 *", 4),
            ("1. \u{2658}f3 \u{265e}f6 2. \u{2659}g3 *", 3),
            ("1. e4 a6 2. e5 d5 3. exd6e.p. *", 5),
            ("1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 *", 6),
            ("1. e4 e5 1/2", 2),
            ("1. e4 e5 \u{bd}-\u{bd}", 2),
            ("1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5! *", 5),
            ("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O 0-0 *", 8),
        ];
        for (text, plies) in table {
            let games = all(text);
            let first = &games[0];
            assert_eq!((games.len(), first.plies(), first.fault.as_ref()), (1, plies, None), "{text}");
        }
        for promotion in ["e8(Q)", "e8/Q", "e8=Q", "e8Q", "e8(Q)+", "e7-e8(Q)", "e8(N)"] {
            let text = format!("[FEN \"8/k3P3/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. {promotion} *");
            let game = all(&text).remove(0);
            assert_eq!((game.plies(), game.fault.clone()), (1, None), "{promotion}");
            assert!(game.stretches[0].moves[0].promotion.is_some(), "{promotion}");
        }
    }

    #[test]
    fn half_a_point_is_a_draw_in_every_spelling() {
        for result in ["1/2", "\u{bd}-\u{bd}", "\u{bd}", "1/2-1/2"] {
            assert_eq!(all(&format!("1. e4 e5 {result}"))[0].result, "1/2-1/2", "{result}");
            assert_eq!(all(&format!("[Result \"{result}\"]\n1. e4 e5 {result}"))[0].result, "1/2-1/2");
        }
        assert_eq!(all("1. e4 1/2 1. d4 *").len(), 2);
    }

    #[test]
    fn a_null_move_passes_the_turn_or_is_named() {
        for null in ["1. --", "1. Z0", "1. <>", "1. 0000", "1.--"] {
            let text = format!("[FEN \"3r2k1/8/8/8/R7/8/8/6K1 w - - 0 1\"]\n\n{null} Rd4 *");
            let game = all(&text).remove(0);
            assert_eq!((game.fault.clone(), game.plies()), (None, 2), "{null}");
            assert_eq!(game.null_moves().collect::<Vec<_>>(), [1], "{null}");
            assert_eq!(game.stretches[1].moves[0].to_string(), "d8d4", "{null}");
        }
        let game = all("1. e4 -- 2. d4 -- 3. Nf3 *").remove(0);
        assert_eq!((game.plies(), game.null_moves().collect::<Vec<_>>()), (5, vec![2, 4]));
        let places: Vec<(bool, usize)> = (0..=6)
            .map(|plies| {
                let (stretch, played) = game.after(plies);
                (stretch.start == game.stretches[0].start, played)
            })
            .collect();
        assert_eq!(
            places,
            [(true, 0), (true, 1), (false, 0), (false, 1), (false, 0), (false, 1), (false, 1)]
        );
        let check = "[FEN \"3r2k1/8/8/8/R7/8/8/3K4 w - - 0 1\"]\n\n1. -- Rd4 *";
        let fault = all(check).remove(0).fault.expect("White is in check");
        assert!(matches!(fault.why, PgnFault::Null { .. }) && fault.to_string().contains("`--`"), "{fault}");
    }

    #[test]
    fn a_variant_that_is_not_played_is_refused_by_name() {
        let table = [("Atomic", false), ("Crazyhouse", false), ("Chess960", true), ("Standard", true)];
        for (variant, is_played) in table {
            let game = all(&format!("[Variant \"{variant}\"]\n\n1. Nf3 e6 *")).remove(0);
            assert_eq!(game.fault.is_none(), is_played, "{variant}");
            assert!(is_played || game.fault.is_some_and(|f| f.to_string().contains(variant)));
        }
    }

    #[test]
    fn lines_end_in_every_way_and_marks_of_joined_files_are_nothing() {
        let text = "[Event \"a\"]\n[Result \"0-1\"]\n\n1. f3 e5 {x\ny}\n2. g4 Qh4# 0-1\n\n\u{feff}[Event \"b\"]\n\n1. e4 *\n\u{1a}";
        let read = |text: &str| -> Vec<(usize, usize, String)> {
            all(text).iter().map(|g| (g.line, g.plies(), g.result.clone())).collect()
        };
        let unix = read(text);
        assert_eq!(unix, [(1, 4, "0-1".to_owned()), (8, 1, "*".to_owned())]);
        for end in ["\r\n", "\r"] {
            assert_eq!(read(&text.replace('\n', end)), unix, "{end:?}");
        }
    }
}
