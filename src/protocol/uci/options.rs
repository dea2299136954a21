//! The engine's UCI options.

use tengen_chess::history::Policy;
use tengen_chess::repetition::Scheme;
use tengen_chess::search::strength::{STRONGEST, WEAKEST};
use tengen_chess::search::{MOST_PERPETUAL, Options};

/// The most a draw may count as worse than it is, in centipawns.
const MOST_CONTEMPT: i32 = 100;

/// All settings of a session.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Table size in MiB.
    pub hash: usize,
    /// Castling in the Chess960 way.
    pub chess960: bool,
    /// Milliseconds lost outside the engine per move.
    pub overhead: u64,
    /// Scores come with the chances of a win, a draw and a loss.
    pub show_wdl: bool,
    /// Moves of the book are played without a search.
    pub own_book: bool,
    /// The book's file; empty for none.
    pub book_file: String,
    /// Play at the rating below.
    pub limit_strength: bool,
    /// Rating to play at.
    pub elo: u32,
    /// The search's own.
    pub search: Options,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash: 16,
            chess960: false,
            overhead: 10,
            show_wdl: false,
            own_book: false,
            book_file: String::new(),
            limit_strength: false,
            elo: STRONGEST,
            search: Options::default(),
        }
    }
}

/// The session's action after a `setoption`, besides keeping the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// Make a table of [`Settings::hash`] MiB.
    Resize,
    /// Forget the table.
    Clear,
    /// Read the book of [`Settings::book_file`].
    OpenBook,
}

/// The `option` lines of the answer to `uci`.
#[must_use]
pub fn describe() -> Vec<String> {
    let names = |all: Vec<&str>| all.into_iter().map(|n| format!(" var {n}")).collect::<String>();
    let schemes = names(Scheme::offered().iter().map(|s| s.name()).collect());
    let policies = names(Policy::ALL.iter().map(|p| p.name()).collect());
    vec![
        "option name Hash type spin default 16 min 1 max 1048576".to_owned(),
        "option name Clear Hash type button".to_owned(),
        "option name Threads type spin default 1 min 1 max 256".to_owned(),
        "option name MultiPV type spin default 1 min 1 max 218".to_owned(),
        "option name Ponder type check default false".to_owned(),
        "option name Move Overhead type spin default 10 min 0 max 5000".to_owned(),
        "option name UCI_Chess960 type check default false".to_owned(),
        "option name UCI_AnalyseMode type check default false".to_owned(),
        "option name OwnBook type check default false".to_owned(),
        "option name BookFile type string default <empty>".to_owned(),
        "option name UCI_ShowWDL type check default false".to_owned(),
        "option name UCI_LimitStrength type check default false".to_owned(),
        format!("option name UCI_Elo type spin default {STRONGEST} min {WEAKEST} max {STRONGEST}"),
        format!("option name Contempt type spin default 0 min -{MOST_CONTEMPT} max {MOST_CONTEMPT}"),
        format!("option name RepetitionScheme type combo default exact{schemes}"),
        format!("option name RepetitionPolicy type combo default B{policies}"),
        "option name UpcomingRepetition type check default true".to_owned(),
        format!("option name PerpetualCheck type spin default 0 min 0 max {MOST_PERPETUAL}"),
    ]
}

impl Settings {
    /// Sets an option; names are case-insensitive.
    ///
    /// # Errors
    /// A sentence for `info string`.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Effect, String> {
        let spin = |min: i64, max: i64| {
            let number =
                value.parse::<i64>().map_err(|_| format!("option {name} needs a number, not `{value}`"))?;
            if (min..=max).contains(&number) {
                Ok(number)
            } else {
                Err(format!("option {name} takes {min} to {max}, not {number}"))
            }
        };
        let check = || match value.to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("option {name} is true or false, not `{value}`")),
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash = spin(1, 1 << 20)? as usize;
                return Ok(Effect::Resize);
            }
            "clear hash" => return Ok(Effect::Clear),
            "threads" => self.search.threads = spin(1, 256)? as usize,
            "multipv" => self.search.multi_pv = spin(1, 218)? as usize,
            "move overhead" => self.overhead = spin(0, 5000)? as u64,
            "ponder" | "uci_analysemode" => {
                check()?;
            }
            "uci_chess960" => self.chess960 = check()?,
            "ownbook" => self.own_book = check()?,
            "bookfile" => {
                self.book_file = if value == "<empty>" { String::new() } else { value.to_owned() };
                return Ok(Effect::OpenBook);
            }
            "uci_showwdl" => self.show_wdl = check()?,
            "uci_limitstrength" => self.limit_strength = check()?,
            "uci_elo" => self.elo = spin(i64::from(WEAKEST), i64::from(STRONGEST))? as u32,
            "contempt" => {
                let most = i64::from(MOST_CONTEMPT);
                self.search.contempt = spin(-most, most)? as i32;
            }
            // What is stored under one scheme or policy says nothing under another.
            "repetitionscheme" => {
                self.search.scheme = value.parse()?;
                return Ok(Effect::Clear);
            }
            "repetitionpolicy" => {
                self.search.policy = value.parse()?;
                return Ok(Effect::Clear);
            }
            "perpetualcheck" => self.search.perpetual = spin(0, i64::from(MOST_PERPETUAL))? as i32,
            "upcomingrepetition" => self.search.upcoming = check()?,
            _ => return Err(format!("there is no option `{name}`")),
        }
        Ok(Effect::None)
    }
}
