//! The encodings of game records. This module decodes the letters of one property value at a time.
//!
//! # Source
//! FF\[4\], property `CA`: the charset of the texts of a game, which is Latin-1 without this property. The labels and
//! tables are those of the WHATWG's Encoding Standard (crate `encoding_rs`). The crate `chardetng` guesses the charset
//! of a text.
//!
//! # Steps
//! 1. A byte order mark decides first. A text in UTF-16 becomes UTF-8 as a whole; a mark of UTF-8 is skipped.
//! 2. Otherwise the charset is the one that the game's `CA` names. If the whole text is valid UTF-8 and not valid in
//!    that charset, it is UTF-8.
//! 3. Without `CA`, a text that is valid UTF-8 is UTF-8. Otherwise `chardetng` makes one guess from the whole text. A
//!    few names of players can mislead this guess, so [`likeliest`] corrects it. Then all likely charsets are compared
//!    by the number of values that would swallow nodes, and after that by the number of invalid letters. The first
//!    charset with the lowest numbers wins.
//! 4. Values are read letter by letter ([`Encoding::letter`]), so a `\` or `]` that is the second byte of a letter is
//!    neither an escape nor an end. In ISO-2022-JP, escape sequences switch between letters of one byte and letters of
//!    two bytes ([`Shift`]).
//!
//! # Departures
//! A program that counts bytes may have cut a text in the middle of a letter. A `]` after half a letter ends the value
//! if a node, a variation or the end of the file follows ([`follows_structure`]).

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, GB18030, GBK, IBM866, ISO_2022_JP, ISO_8859_5, ISO_8859_7, KOI8_R, KOI8_U,
    SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, X_MAC_CYRILLIC,
};
use std::borrow::Cow;

/// How the texts of a game are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encoding(pub(super) &'static encoding_rs::Encoding);

/// UTF-8.
pub(super) const UTF8: Encoding = Encoding(UTF_8);

/// Charsets tried beside the guess, where no `CA` names one.
const LIKELY: [&encoding_rs::Encoding; 5] = [SHIFT_JIS, GB18030, BIG5, EUC_KR, WINDOWS_1252];

/// Spellings of records that the Encoding Standard doesn't know, without their signs.
const SPELLINGS: [(&str, &encoding_rs::Encoding); 18] = [
    ("jis", ISO_2022_JP),
    ("iso2022jp", ISO_2022_JP),
    ("cp932", SHIFT_JIS),
    ("ms932", SHIFT_JIS),
    ("sjis", SHIFT_JIS),
    ("shiftjis", SHIFT_JIS),
    ("cp936", GBK),
    ("ms936", GBK),
    ("gb231280", GBK),
    ("cp950", BIG5),
    ("ms950", BIG5),
    ("cp949", EUC_KR),
    ("ms949", EUC_KR),
    ("uhc", EUC_KR),
    ("latin1", WINDOWS_1252),
    ("iso88591", WINDOWS_1252),
    ("utf8", UTF_8),
    ("unicode", UTF_8),
];

impl Encoding {
    /// The encoding of a label; `None` if it is not known.
    pub(super) fn of_label(label: &str) -> Option<Self> {
        let bare: String =
            label.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        // A text that could be read up to its `CA` is not in UTF-16, whatever it was before.
        if bare.starts_with("utf16") || bare.starts_with("utf32") {
            return Some(UTF8);
        }
        if let Some(known) = encoding_rs::Encoding::for_label(label.trim().as_bytes()) {
            return (known != encoding_rs::REPLACEMENT).then_some(Self(known));
        }
        let (_, known) = SPELLINGS.iter().find(|(name, _)| *name == bare)?;
        Some(Self(known))
    }

    /// The number of bytes of the letter at the beginning of `bytes`, in the charsets whose letters may contain a
    /// sign of SGF: Shift-JIS, GBK, GB18030 and Big5. It is 1 in all others.
    pub(super) fn letter(self, bytes: &[u8]) -> usize {
        let (Some(&first), Some(&second)) = (bytes.first(), bytes.get(1)) else { return 1 };
        let is_lead = if self.0 == SHIFT_JIS {
            matches!(first, 0x81..=0x9f | 0xe0..=0xfc)
        } else if self.0 == GBK || self.0 == GB18030 || self.0 == BIG5 {
            matches!(first, 0x81..=0xfe)
        } else {
            false
        };
        match (is_lead, second, bytes.get(2..4)) {
            (true, 0x40..=0x7e | 0x80..=0xfe, _) => 2,
            (true, b'0'..=b'9', Some([0x81..=0xfe, b'0'..=b'9'])) if self.0 == GB18030 => 4,
            _ => 1,
        }
    }

    /// The text of bytes, and whether some of them are no letters.
    pub(super) fn text(self, bytes: Vec<u8>) -> (String, bool) {
        match String::from_utf8(bytes) {
            Ok(text) if self == UTF8 || (text.is_ascii() && !text.contains('\u{1b}')) => (text, false),
            Ok(text) => self.decoded(text.as_bytes()),
            Err(error) => self.decoded(error.as_bytes()),
        }
    }

    fn decoded(self, bytes: &[u8]) -> (String, bool) {
        let (text, bad) = self.0.decode_without_bom_handling(bytes);
        (text.into_owned(), bad)
    }

    /// Whether escape sequences change what bytes stand for.
    pub(super) fn shifts(self) -> bool {
        self.0 == ISO_2022_JP
    }

    /// Its name, as the Encoding Standard spells it.
    pub(super) fn name(self) -> &'static str {
        self.0.name()
    }

    /// The number of invalid letters of a text in this encoding.
    fn faults(self, bytes: &[u8]) -> usize {
        let text = self.0.decode_without_bom_handling(bytes).0;
        text.matches('\u{fffd}').count()
    }
}

/// The meaning of bytes in ISO-2022-JP, from one escape sequence to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shift {
    /// ASCII and its kin: signs of SGF are signs.
    #[default]
    Signs,
    /// Letters of one byte, none of them a sign.
    Narrow,
    /// Letters of two bytes.
    Wide,
}

impl Shift {
    /// The new meaning after an escape sequence at the beginning of `bytes`.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        Some(match bytes.get(..3)? {
            [0x1b, b'$', b'@' | b'B'] => Self::Wide,
            [0x1b, b'(', b'I'] => Self::Narrow,
            [0x1b, b'(', b'B' | b'J'] => Self::Signs,
            _ => return None,
        })
    }

    /// The number of bytes of the letter at the beginning of `bytes`, if its bytes that look like SGF signs belong to
    /// it. `None` if they are signs, or if this can only be the end of a value that was cut.
    pub(super) fn letter(self, bytes: &[u8]) -> Option<usize> {
        let is_end = |bytes: &[u8]| bytes.first() == Some(&b']') && follows_structure(&bytes[1..]);
        let is_letter = |at: usize| bytes.get(at).is_some_and(|b| (0x21..=0x7e).contains(b));
        match self {
            Self::Wide if is_letter(0) && is_letter(1) && !is_end(&bytes[1..]) => Some(2),
            Self::Narrow if is_letter(0) && !is_end(bytes) => Some(1),
            _ => None,
        }
    }
}

/// Whether a text has the escape sequences of ISO-2022-JP and no other letters than ASCII.
fn is_jis(text: &[u8]) -> bool {
    text.is_ascii() && text.windows(3).any(|three| Shift::of(three) == Some(Shift::Wide))
}

/// Step 1: the text without its mark, in UTF-8 if the mark was that of UTF-16; the second value says that a mark decided.
pub(super) fn unmarked(text: &[u8]) -> (Cow<'_, [u8]>, bool) {
    match encoding_rs::Encoding::for_bom(text) {
        Some((encoding, length)) if encoding == UTF_16LE || encoding == UTF_16BE => {
            let whole = encoding.decode_without_bom_handling(&text[length..]).0;
            (Cow::Owned(whole.into_owned().into_bytes()), true)
        }
        Some((_, length)) => (Cow::Borrowed(&text[length..]), true),
        None => (Cow::Borrowed(text), false),
    }
}

/// Whether a text without a mark looks like UTF-16: every other byte of its beginning is zero.
pub(super) fn looks_like_utf16(text: &[u8]) -> bool {
    let head = &text[..text.len().min(64)];
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|&&b| b == 0).count();
    head.len() >= 8 && zeros(0).max(zeros(1)) * 5 > head.len() * 2 && zeros(0).min(zeros(1)) == 0
}

/// The value of the first `CA` of the game that begins at the beginning of `text`.
///
/// The search ends with the game's first node, unless a later node names a charset. Texts before that node are
/// skipped like any others.
pub(super) fn named(text: &[u8]) -> Option<&str> {
    let mut inside = false;
    let mut at = 0;
    let mut nodes = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            // Letters of ISO-2022-JP, up to the escape sequence that ends them.
            0x1b if inside && Shift::of(&text[at..]).is_some_and(|shift| shift != Shift::Signs) => {
                at += 2;
                let signs = |rest: &[u8]| Shift::of(rest) == Some(Shift::Signs);
                at += text[at..].windows(3).position(signs).unwrap_or(0);
            }
            b'\\' if inside => at += 1,
            b']' => inside = false,
            b'[' if !inside => {
                let name = &text[..at];
                let letters = name.iter().rev().take_while(|b| b.is_ascii_alphanumeric());
                let name: Vec<u8> = letters.filter(|b| !b.is_ascii_lowercase()).copied().collect();
                if name == *b"AC" {
                    let value = &text[at + 1..];
                    let end = value.iter().position(|&b| b == b']')?;
                    return std::str::from_utf8(&value[..end]).ok();
                }
                inside = true;
            }
            b';' if !inside => {
                nodes += 1;
                if nodes > 1 {
                    return None;
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether the next bytes can only follow the end of a value: a node with a property, a variation or the end of
/// variations. No text could continue with them.
pub(super) fn follows_structure(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    let property = |text: &[u8]| {
        let text = text.trim_ascii_start();
        let name = text.iter().take_while(|b| b.is_ascii_uppercase()).count();
        (1..=2).contains(&name) && text.get(name) == Some(&b'[')
    };
    match rest.first() {
        None => true,
        Some(b';') => property(&rest[1..]),
        Some(b'(') => rest[1..].trim_ascii_start().first() == Some(&b';'),
        Some(b')') => {
            matches!(rest[1..].trim_ascii_start().first(), None | Some(b')')) || follows_structure(&rest[1..])
        }
        _ => property(rest),
    }
}

/// Step 3: the encodings that a text without `CA` may have, likeliest first.
pub(super) fn guesses(text: &[u8]) -> Vec<Encoding> {
    if is_jis(text) {
        return vec![Encoding(ISO_2022_JP), UTF8];
    }
    if std::str::from_utf8(text).is_ok() {
        return vec![UTF8];
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(text, true);
    let first = likeliest(text, detector.guess(None, Utf8Detection::Deny));
    let mut all = vec![Encoding(first)];
    all.extend(LIKELY.iter().filter(|e| **e != first).map(|e| Encoding(e)));
    all.sort_by_key(|e| e.faults(text));
    all
}

/// Charsets of one byte for a letter, with Cyrillic or Greek letters.
const ALPHABETS: [&encoding_rs::Encoding; 8] =
    [ISO_8859_5, WINDOWS_1251, KOI8_R, KOI8_U, IBM866, X_MAC_CYRILLIC, ISO_8859_7, WINDOWS_1253];

/// Step 3: the guess, or a charset of two bytes for a letter if the guess has one byte. Names of two or three Chinese
/// letters look like Cyrillic or Latin letters to a guess by frequencies.
///
/// The bytes must pair up, two thirds of the letters be common ones, and three quarters stand beside another. A guess
/// at an alphabet stays where its letters are words: small letters behind the first, or capitals.
fn likeliest(text: &[u8], guess: &'static encoding_rs::Encoding) -> &'static encoding_rs::Encoding {
    let is_wide = [GB18030, GBK, BIG5, EUC_KR, SHIFT_JIS, EUC_JP].contains(&guess);
    if is_wide || (ALPHABETS.contains(&guess) && are_words(text, guess)) {
        return guess;
    }
    let mut best: Option<(Letters, &'static encoding_rs::Encoding)> = None;
    for charset in [GB18030, BIG5, EUC_KR, SHIFT_JIS] {
        let Some(found) = Letters::of(charset, text).filter(Letters::are_plausible) else { continue };
        // Shares of common letters are compared crosswise.
        if best.as_ref().is_none_or(|(most, _)| found.common * most.all > most.common * found.all) {
            best = Some((found, charset));
        }
    }
    best.map_or(guess, |(_, charset)| charset)
}

/// Whether all bytes that are not ASCII are words in a charset with small letters and capitals. Capitals of ISO-8859-5,
/// which hardly a record uses, are the bytes of common Chinese letters: a word of them says nothing.
fn are_words(text: &[u8], charset: &'static encoding_rs::Encoding) -> bool {
    let is_word = |run: &[u8]| {
        let word = charset.decode_without_bom_handling(run).0;
        word.chars().all(char::is_alphabetic)
            && (word.chars().skip(1).all(char::is_lowercase)
                || charset != ISO_8859_5 && word.chars().all(char::is_uppercase))
    };
    text.split(u8::is_ascii).filter(|run| !run.is_empty()).all(is_word)
}

/// The letters of a text beyond ASCII, in a charset of two bytes for a letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Letters {
    all: usize,
    /// In the block of common letters, or a sign.
    common: usize,
    /// Between ASCII on both sides.
    alone: usize,
}

impl Letters {
    /// Counts them; `None` if some bytes are no letters.
    fn of(charset: &'static encoding_rs::Encoding, text: &[u8]) -> Option<Self> {
        let (mut found, mut at, mut in_a_row) = (Self::default(), 0, 0);
        while let Some(&first) = text.get(at) {
            if first.is_ascii() {
                found.alone += usize::from(in_a_row == 1);
                (in_a_row, at) = (0, at + 1);
                continue;
            }
            let second = text.get(at + 1).copied().unwrap_or_default();
            let (length, is_common) = wide_letter(charset, first, second)?;
            found.all += 1;
            found.common += usize::from(is_common);
            (in_a_row, at) = (in_a_row + 1, at + length);
        }
        found.alone += usize::from(in_a_row == 1);
        Some(found)
    }

    fn are_plausible(&self) -> bool {
        self.all > 0 && 3 * self.common >= 2 * self.all && 4 * self.alone <= self.all
    }
}

/// The length of a letter, and whether it is a sign or in the block of common letters: hanzi and kanji of level 1,
/// hangul, kana. `None` if the bytes are no letter.
fn wide_letter(charset: &'static encoding_rs::Encoding, first: u8, second: u8) -> Option<(usize, bool)> {
    if charset == SHIFT_JIS && matches!(first, 0xa1..=0xdf) {
        // Narrow kana, of one byte.
        return Some((1, false));
    }
    let (is_letter, is_common) = if charset == SHIFT_JIS {
        let is_level_1 = matches!((first, second), (0x81..=0x83 | 0x88..=0x97, _) | (0x98, ..=0x72));
        (
            matches!(first, 0x81..=0x9f | 0xe0..=0xea) && matches!(second, 0x40..=0x7e | 0x80..=0xfc),
            is_level_1,
        )
    } else if charset == BIG5 {
        let is_level_1 = matches!(first, 0xa1..=0xc6);
        (matches!(first, 0xa1..=0xf9) && matches!(second, 0x40..=0x7e | 0xa1..=0xfe), is_level_1)
    } else if charset == EUC_KR {
        let is_hangul = matches!(first, 0xa1..=0xa3 | 0xb0..=0xc8);
        (matches!(first, 0xa1..=0xfe) && matches!(second, 0xa1..=0xfe), is_hangul)
    } else {
        let is_level_1 = matches!((first, second), (0xa1..=0xa3 | 0xb0..=0xd7, 0xa1..=0xfe));
        (matches!(first, 0x81..=0xfe) && matches!(second, 0x40..=0x7e | 0x80..=0xfe), is_level_1)
    };
    is_letter.then_some((2, is_common))
}

/// Step 2: whether a text that `CA` says is in `named` is UTF-8 all the same, or the other way round.
pub(super) fn contradicts(text: &[u8], named: Encoding) -> bool {
    if named == UTF8 {
        let text = String::from_utf8_lossy(text);
        let letters = text.chars().filter(|c| !c.is_ascii() && *c != '\u{fffd}').count();
        return text.matches('\u{fffd}').count() > letters;
    }
    // Letters of three bytes that are UTF-8 by chance are rare: two of them are none.
    let tells = |text: &str| text.chars().filter(|c| c.len_utf8() >= 3).nth(1).is_some();
    std::str::from_utf8(text)
        .is_ok_and(|text| !text.is_ascii() && (tells(text) || named.faults(text.as_bytes()) > 0))
}
