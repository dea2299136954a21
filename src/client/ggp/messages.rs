//! Writes the messages that a game manager sends in one match, and reads the moves from the answers.
//!
//! # Source
//! M. Genesereth and M. Thielscher, "General Game Playing", Morgan & Claypool, 2014: game management by `START`, `PLAY`
//! and `STOP`. `docs/ggp.md` has the messages.

use super::scrambler::Scrambler;
use crate::client::spelling::Spelling;
use tengen_propnet::machine::canonical;

/// The words of a match in its messages.
#[derive(Clone, Debug)]
enum Words {
    /// Those of the rulesheet, in their first spelling.
    Own(Spelling),
    /// Others.
    Scrambled(Scrambler),
}

/// The last step of a match as one role may know it.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The number of steps made.
    pub turn: usize,
    /// The role.
    pub role: usize,
    /// The moves of all roles in the last step; `None` before the first one.
    pub moves: Option<&'a [String]>,
    /// The percepts of the role, in a game of GDL-II.
    pub percepts: &'a [String],
}

/// The messages of a match.
#[derive(Clone, Debug)]
pub struct Messages {
    id: String,
    /// Whether it is a game of GDL-II, whose messages have turns and percepts.
    hidden: bool,
    rules: String,
    words: Words,
}

impl Messages {
    /// Those of a match by these rules; with a seed its words are scrambled.
    #[must_use]
    pub fn new(id: &str, rules: &str, hidden: bool, scramble: Option<u64>) -> Self {
        let lines = rules.lines().map(|line| line.split(';').next().unwrap_or_default());
        let rules = lines.collect::<Vec<_>>().join(" ");
        let (words, rules) = match scramble {
            None => (Words::Own(Spelling::of(&rules)), rules),
            Some(seed) => {
                let scrambler = Scrambler::of(&rules, seed);
                let rules = scrambler.scramble(&rules);
                (Words::Scrambled(scrambler), rules)
            }
        };
        Self { id: id.to_owned(), hidden, rules, words }
    }

    /// A term of the game as it is sent.
    fn sent(&self, term: &str) -> String {
        match &self.words {
            Words::Own(spelling) => spelling.restore(term),
            Words::Scrambled(scrambler) => scrambler.scramble(term),
        }
    }

    /// The move of an answer, in canonical spelling; `None` if it has a word that was not sent.
    #[must_use]
    pub fn read(&self, answer: &str) -> Option<String> {
        match &self.words {
            Words::Own(_) => Some(canonical(answer)),
            Words::Scrambled(scrambler) => scrambler.restore(answer).map(|text| canonical(&text)),
        }
    }

    /// `START` for a role, with the clocks in seconds.
    #[must_use]
    pub fn start(&self, role: &str, start_clock: u64, play_clock: u64) -> String {
        let Self { id, rules, .. } = self;
        format!("( START {id} {} ( {rules} ) {start_clock} {play_clock} )", self.sent(role))
    }

    /// `PLAY` after a step.
    #[must_use]
    pub fn play(&self, step: Step<'_>) -> String {
        format!("( PLAY {} {} )", self.id, self.made(step))
    }

    /// `STOP` after the last step.
    #[must_use]
    pub fn stop(&self, step: Step<'_>) -> String {
        format!("( STOP {} {} )", self.id, self.made(step))
    }

    /// `ABORT`.
    #[must_use]
    pub fn abort(&self) -> String {
        format!("( ABORT {} )", self.id)
    }

    /// The last step as the arguments of a message: the moves made; in GDL-II the turn, the role's own move and its
    /// percepts.
    fn made(&self, step: Step<'_>) -> String {
        let list = |texts: &[String]| {
            let sent: Vec<String> = texts.iter().map(|text| self.sent(text)).collect();
            format!("( {} )", sent.join(" "))
        };
        let Some(moves) = step.moves else {
            return if self.hidden { format!("{} NIL NIL", step.turn) } else { "NIL".to_owned() };
        };
        match self.hidden {
            false => list(moves),
            true => {
                let own = moves.get(step.role).map_or_else(String::new, |own| self.sent(own));
                format!("{} {own} {}", step.turn, list(step.percepts))
            }
        }
    }
}
