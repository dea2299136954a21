//! Scrambles rulesheets. It replaces every word of a game by another word, so that no player recognises a game by its
//! words.
//!
//! # Source
//! The scrambling of ggp-base's game manager, which `docs/ggp.md` restates. Keywords of GDL and numbers stay. One
//! mapping serves both directions for the whole match.
//!
//! # Departures
//! The words are made of syllables, not taken from a dictionary.

use std::collections::HashMap;
use tengen_core::SplitMix64;

/// The words of GDL and GDL-II that mean something.
const KEYWORDS: [&str; 17] = [
    "<=", "and", "base", "distinct", "does", "goal", "init", "input", "legal", "next", "not", "or", "random",
    "role", "sees", "terminal", "true",
];

const ONSETS: [&str; 12] = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t"];
const NUCLEI: [&str; 6] = ["a", "e", "i", "o", "u", "ai"];

/// The exchange of words of one match.
#[derive(Clone, Debug, Default)]
pub struct Scrambler {
    there: HashMap<String, String>,
    back: HashMap<String, String>,
}

/// Whether a word stays.
fn stays(word: &str) -> bool {
    KEYWORDS.contains(&word) || word.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a letter parts words.
fn parts(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '(' | ')')
}

impl Scrambler {
    /// New words for those of a rulesheet, drawn by this seed.
    #[must_use]
    pub fn of(rules: &str, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut new = Self::default();
        for word in rules.split(parts).filter(|word| !word.is_empty()).map(str::to_ascii_lowercase) {
            if stays(&word) || new.there.contains_key(&word) {
                continue;
            }
            let mark = if word.starts_with('?') { "?" } else { "" };
            let mut drawn = mark.to_owned();
            while drawn.len() == mark.len() || stays(&drawn) || new.back.contains_key(&drawn) {
                for syllables in [&ONSETS[..], &NUCLEI[..], &ONSETS[..], &NUCLEI[..]] {
                    drawn += syllables[random.below(syllables.len() as u32) as usize];
                }
            }
            new.back.insert(drawn.clone(), word.clone());
            new.there.insert(word, drawn);
        }
        new
    }

    /// A term of the game in the new words.
    #[must_use]
    pub fn scramble(&self, term: &str) -> String {
        let word = |word: &str| self.there.get(&word.to_ascii_lowercase()).cloned();
        each_word(term, |text| word(text).or_else(|| Some(text.to_owned()))).unwrap_or_default()
    }

    /// A term in the game's own words; `None` if it has a word that was not sent.
    #[must_use]
    pub fn restore(&self, term: &str) -> Option<String> {
        each_word(term, |text| {
            let word = text.to_ascii_lowercase();
            self.back.get(&word).cloned().or_else(|| stays(&word).then_some(word))
        })
    }
}

/// A term with each of its words exchanged; `None` if one can't be.
fn each_word(term: &str, exchange: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut out = String::with_capacity(term.len());
    for piece in term.split_inclusive(parts) {
        let word = piece.trim_end_matches(parts);
        if !word.is_empty() {
            out += &exchange(word)?;
        }
        out += &piece[word.len()..];
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str =
        "(role xplayer) (<= (legal xplayer (mark ?x 2)) (true (cell ?x 2 b)) (distinct ?x B))";

    #[test]
    fn a_scrambled_term_comes_back_and_no_word_of_the_game_is_left() {
        for seed in 0..50 {
            let scrambler = Scrambler::of(RULES, seed);
            let there = scrambler.scramble(RULES);
            assert_eq!(scrambler.restore(&there), Some(RULES.to_ascii_lowercase()));
            for word in ["xplayer", "mark", "cell", "?x"] {
                assert!(!there.split(parts).any(|w| w == word), "{word}: {there}");
            }
            for word in ["role", "<=", "legal", "true", "distinct", "2"] {
                assert!(there.split(parts).any(|w| w == word), "{word}: {there}");
            }
            let words: Vec<&str> = there.split(parts).filter(|w| !w.is_empty() && !stays(w)).collect();
            assert!(words.iter().all(|word| !word.contains('?') || word.starts_with('?')));
            // `b` and `B` are one word.
            assert_eq!(scrambler.scramble("B"), scrambler.scramble("b"));
        }
    }

    #[test]
    fn an_answer_in_words_that_were_not_sent_is_none_of_the_game() {
        let scrambler = Scrambler::of(RULES, 3);
        assert_eq!(scrambler.restore("(mark 1 2)"), None);
        assert_eq!(scrambler.restore(&scrambler.scramble("(mark 1 2)")).as_deref(), Some("(mark 1 2)"));
    }
}
