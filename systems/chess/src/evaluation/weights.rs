//! The weights of the evaluation: their layout, and their text form in `resources/chess/weights.txt`.
//!
//! One `i32` holds two 16-bit numbers, the endgame number in the high half. So one addition adds both.

use thiserror::Error;

/// A middlegame and an endgame number in one: `mg + (eg << 16)`.
pub type Pair = i32;

/// Packs two numbers.
#[must_use]
pub const fn pack(mg: i32, eg: i32) -> Pair {
    mg + (eg << 16)
}

/// The middlegame number.
#[inline]
#[must_use]
pub const fn packed_mg(pair: Pair) -> i32 {
    pair as i16 as i32
}

/// The endgame number.
#[inline]
#[must_use]
pub const fn packed_eg(pair: Pair) -> i32 {
    ((pair + 0x8000) >> 16) as i16 as i32
}

/// The first place of each group of features.
///
/// Origin: definition, the layout of the weights.
pub mod feature {
    /// Piece on square: 64 per piece, pawn first, from White's view, a1 first.
    pub const SQUARE: usize = 0;
    /// Knight by number of safe squares attacked, 0 to 8.
    pub const MOBILITY_KNIGHT: usize = 384;
    /// Bishop, 0 to 13.
    pub const MOBILITY_BISHOP: usize = MOBILITY_KNIGHT + 9;
    /// Rook, 0 to 14.
    pub const MOBILITY_ROOK: usize = MOBILITY_BISHOP + 14;
    /// Queen, 0 to 27.
    pub const MOBILITY_QUEEN: usize = MOBILITY_ROOK + 15;
    /// Two bishops.
    pub const BISHOP_PAIR: usize = MOBILITY_QUEEN + 28;
    /// A pawn behind another of its side on the file.
    pub const DOUBLED: usize = BISHOP_PAIR + 1;
    /// A pawn with no friend on the files beside.
    pub const ISOLATED: usize = DOUBLED + 1;
    /// A pawn that can't be supported and whose next square is guarded by a pawn.
    pub const BACKWARD: usize = ISOLATED + 1;
    /// A pawn guarded by a pawn, by rank.
    pub const SUPPORTED: usize = BACKWARD + 1;
    /// A pawn beside a pawn, by rank.
    pub const PHALANX: usize = SUPPORTED + 8;
    /// A passed pawn, by rank.
    pub const PASSED: usize = PHALANX + 8;
    /// A passed pawn whose next square is free, by rank.
    pub const PASSED_FREE: usize = PASSED + 8;
    /// A passed pawn on the fourth rank or beyond: distance of the own king to its next square, 0 to 7.
    pub const PASSED_OWN_KING: usize = PASSED_FREE + 8;
    /// The same for the other king.
    pub const PASSED_OTHER_KING: usize = PASSED_OWN_KING + 8;
    /// A rook on a file without pawns.
    pub const ROOK_OPEN: usize = PASSED_OTHER_KING + 8;
    /// A rook on a file without own pawns.
    pub const ROOK_HALF_OPEN: usize = ROOK_OPEN + 1;
    /// A knight on a guarded square no pawn can attack.
    pub const OUTPOST_KNIGHT: usize = ROOK_HALF_OPEN + 1;
    /// A bishop there.
    pub const OUTPOST_BISHOP: usize = OUTPOST_KNIGHT + 1;
    /// A pawn attacks a knight, bishop, rook, queen.
    pub const PAWN_ATTACKS: usize = OUTPOST_BISHOP + 1;
    /// A knight or bishop attacks a pawn, knight, bishop, rook, queen.
    pub const MINOR_ATTACKS: usize = PAWN_ATTACKS + 4;
    /// A rook attacks a pawn, knight, bishop, rook, queen.
    pub const ROOK_ATTACKS: usize = MINOR_ATTACKS + 5;
    /// A piece attacked and not guarded.
    pub const HANGING: usize = ROOK_ATTACKS + 5;
    /// The own pawn nearest the king on each of three files: ranks ahead 1, 2, 3 or more, none.
    pub const SHIELD: usize = HANGING + 1;
    /// The other side's pawn nearest on each of three files: ranks ahead 0 to 4, none.
    pub const STORM: usize = SHIELD + 4;
    /// The king stands on, or beside, a file without own pawns.
    pub const KING_OPEN_FILE: usize = STORM + 6;
    /// Danger to the other king, by attack units, 0 to 39.
    pub const DANGER: usize = KING_OPEN_FILE + 2;
    /// A square attacked by own pawns or guarded behind them in the centre.
    pub const SPACE: usize = DANGER + 40;
    /// The side to move (only the first number counts).
    pub const TEMPO: usize = SPACE + 1;
    /// The number of weights.
    pub const COUNT: usize = TEMPO + 1;
}

/// Name and length of each group, in layout order: the sections of the text form.
///
/// Origin: definition, the layout of the weights.
pub const GROUPS: [(&str, usize); 35] = [
    ("pawn-square", 64),
    ("knight-square", 64),
    ("bishop-square", 64),
    ("rook-square", 64),
    ("queen-square", 64),
    ("king-square", 64),
    ("knight-mobility", 9),
    ("bishop-mobility", 14),
    ("rook-mobility", 15),
    ("queen-mobility", 28),
    ("bishop-pair", 1),
    ("doubled-pawn", 1),
    ("isolated-pawn", 1),
    ("backward-pawn", 1),
    ("supported-pawn", 8),
    ("phalanx-pawn", 8),
    ("passed-pawn", 8),
    ("passed-pawn-free", 8),
    ("passed-pawn-own-king", 8),
    ("passed-pawn-other-king", 8),
    ("rook-open-file", 1),
    ("rook-half-open-file", 1),
    ("knight-outpost", 1),
    ("bishop-outpost", 1),
    ("pawn-attacks", 4),
    ("minor-attacks", 5),
    ("rook-attacks", 5),
    ("hanging", 1),
    ("king-shield", 4),
    ("king-storm", 6),
    ("king-open-file", 2),
    ("king-danger", 40),
    ("space", 1),
    ("tempo", 1),
    ("", 0),
];

/// All weights, packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(Vec<Pair>);

/// A fault of a weights file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("weights, line {line}: {message}")]
pub struct WeightsError {
    /// The line, from 1.
    pub line: usize,
    /// The fault.
    pub message: String,
}

/// The weights compiled in.
///
/// Origin: fit, 853,821 positions of 12,000 games, `resources/chess/README.md`.
const EMBEDDED: &str = include_str!("../../../../resources/chess/weights.txt");

impl Default for Weights {
    fn default() -> Self {
        Self::parse(EMBEDDED).expect("the embedded weights are checked by a test")
    }
}

impl Weights {
    /// From pairs in layout order.
    #[must_use]
    pub fn new(mut pairs: Vec<Pair>) -> Self {
        pairs.resize(feature::COUNT, 0);
        Self(pairs)
    }

    /// One weight.
    #[inline]
    #[must_use]
    pub fn of(&self, index: usize) -> Pair {
        self.0[index]
    }

    /// All, in layout order.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.0
    }

    /// Reads the text form: `[group]` lines, then `mg/eg` words; `#` starts a comment.
    ///
    /// # Errors
    /// Unknown or misplaced groups, wrong counts, words that are no pair.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        let (mut pairs, mut group, mut wanted) = (Vec::with_capacity(feature::COUNT), 0, 0);
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            let fail = |message: String| WeightsError { line: index + 1, message };
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                if pairs.len() != wanted {
                    return Err(fail(format!(
                        "the group before [{name}] has {} pairs too few",
                        wanted - pairs.len()
                    )));
                }
                if GROUPS[group].0 != name {
                    return Err(fail(format!("expected [{}], found [{name}]", GROUPS[group].0)));
                }
                wanted += GROUPS[group].1;
                group += 1;
                continue;
            }
            for word in line.split_whitespace() {
                let (mg, eg) =
                    word.split_once('/').ok_or_else(|| fail(format!("`{word}` is no pair mg/eg")))?;
                let number = |t: &str| {
                    t.parse::<i32>()
                        .ok()
                        .filter(|n| n.abs() < 8000)
                        .ok_or_else(|| fail(format!("`{t}` is no weight")))
                };
                if pairs.len() == wanted {
                    return Err(fail("more pairs than the group has".to_owned()));
                }
                pairs.push(pack(number(mg)?, number(eg)?));
            }
        }
        if pairs.len() != feature::COUNT {
            let message = format!("{} pairs, {} expected", pairs.len(), feature::COUNT);
            return Err(WeightsError { line: text.lines().count(), message });
        }
        Ok(Self(pairs))
    }

    /// Writes the text form.
    #[must_use]
    pub fn write(&self, head: &str) -> String {
        let mut out: String = head.lines().map(|l| format!("# {l}\n")).collect();
        let mut at = 0;
        for (name, length) in GROUPS.into_iter().filter(|g| g.1 > 0) {
            out.push_str(&format!("\n[{name}]\n"));
            for (index, pair) in self.0[at..at + length].iter().enumerate() {
                out.push_str(&format!("{}/{}", packed_mg(*pair), packed_eg(*pair)));
                out.push(if index % 8 == 7 || index + 1 == length { '\n' } else { ' ' });
            }
            at += length;
        }
        out
    }
}
