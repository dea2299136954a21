//! Writes the answers of a GGP player in the spelling that the game manager used.
//!
//! GDL is case-insensitive, and Tengen converts it to lower case. A manager may compare the player's moves with its own
//! words letter by letter. So this module stores the first spelling of every word of the rules.

use std::collections::HashMap;

/// The words of one match: lower case to the spelling received. Only those that differ are kept.
#[derive(Clone, Debug, Default)]
pub struct Spelling(HashMap<String, String>);

impl Spelling {
    /// The spelling of every word in `rules`; of two spellings the first counts.
    #[must_use]
    pub fn of(rules: &str) -> Self {
        let mut words = HashMap::new();
        for word in rules.split(|c: char| c.is_ascii_whitespace() || matches!(c, '(' | ')')) {
            let lower = word.to_ascii_lowercase();
            // Equal ones are kept while reading: a first `x` must win over a later `X`.
            words.entry(lower).or_insert_with(|| word.to_owned());
        }
        words.retain(|lower, word| lower != word);
        Self(words)
    }

    /// A term with each word in its first spelling in the rules.
    #[must_use]
    pub fn restore(&self, term: &str) -> String {
        let mut out = String::with_capacity(term.len());
        for piece in term.split_inclusive(|c: char| c.is_ascii_whitespace() || matches!(c, '(' | ')')) {
            let word = piece.trim_end_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '(' | ')'));
            out.push_str(self.0.get(word).map_or(word, String::as_str));
            out.push_str(&piece[word.len()..]);
        }
        out
    }
}
