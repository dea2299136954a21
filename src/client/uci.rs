//! The controller's side of UCI. The engine is a child process.

use crate::client::process::{Engine, EngineError, PATIENCE, deadline};
use std::time::Duration;
use tengen_core::Stop;

/// The time that an engine may take to get ready.
const READY: Duration = Duration::from_secs(30);

/// The most that an engine may say about one move, or until it is ready, in bytes.
const MAX_ANSWER: usize = 64 << 20;

/// A running engine.
pub struct Client {
    engine: Engine,
    name: String,
    /// The names of the options that it offers.
    options: Vec<String>,
}

/// A move, and the score the engine gave last, in centipawns for the side to move; a mate counts 32,000 less its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// In UCI form.
    pub text: String,
    /// The score, if it said one.
    pub score: Option<i32>,
}

impl Client {
    /// Starts an engine by its command line, sets its options and waits until it is ready; `stop` ends every wait for it.
    ///
    /// # Errors
    /// If it cannot be started, ends, offers no such option, or does not get ready in time.
    pub fn start<'a>(
        command: &str,
        options: impl IntoIterator<Item = (&'a String, &'a String)>,
        stop: &Stop,
    ) -> Result<Self, EngineError> {
        let engine = Engine::start(command, stop)?;
        let mut client = Self { engine, name: command.to_owned(), options: Vec::new() };
        client.engine.send("uci")?;
        client.wait_for("uciok")?;
        for (name, value) in options {
            client.find_option(name)?;
            client.engine.send(&format!("setoption name {name} value {value}"))?;
        }
        client.new_game()?;
        Ok(client)
    }

    /// Finds an option among those offered. Names of options have no case, and one blank between two words.
    fn find_option(&self, name: &str) -> Result<(), EngineError> {
        let wanted = name.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        if self.options.iter().any(|known| known.eq_ignore_ascii_case(&wanted)) {
            return Ok(());
        }
        let offered: Vec<&str> = self.options.iter().map(String::as_str).collect();
        Err(self.engine.no_option(&wanted, &offered))
    }

    /// Reads up to a word, and remembers the engine's name and its options on the way.
    fn wait_for(&mut self, word: &str) -> Result<(), EngineError> {
        let (until, mut read) = (deadline(READY), 0);
        loop {
            let line = self.engine.line(word, until)?;
            read += line.len() + 1;
            if read > MAX_ANSWER {
                return Err(self.refusal(word, "more than it should"));
            }
            if line == word {
                return Ok(());
            }
            if let Some(name) = line.strip_prefix("id name ") {
                name.clone_into(&mut self.name);
            }
            self.options.extend(option_of(&line));
        }
    }

    /// Announces a new game, and waits until the engine is ready for it.
    ///
    /// # Errors
    /// If the engine ends or does not get ready in time.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.engine.send("ucinewgame")?;
        self.engine.send("isready")?;
        self.wait_for("readyok")
    }

    /// The move for a position (`startpos` or `fen ...`, with its moves) under these limits (the arguments of `go`).
    ///
    /// # Errors
    /// If the engine ends, or does not answer within `patience` ([`PATIENCE`] if none is given).
    pub fn go(
        &mut self,
        position: &str,
        limits: &str,
        patience: Option<Duration>,
    ) -> Result<Best, EngineError> {
        let until = deadline(patience.unwrap_or(PATIENCE).min(PATIENCE));
        let request = format!("go {limits}");
        self.engine.send(&format!("position {position}"))?;
        self.engine.send(&request)?;
        let (mut score, mut read) = (None, 0);
        loop {
            let line = self.engine.line(&request, until)?;
            read += line.len() + 1;
            if read > MAX_ANSWER {
                return Err(self.refusal(&request, "more than it should"));
            }
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("info") => score = score_of(&line).or(score),
                Some("bestmove") => {
                    let text = words.next().unwrap_or_default().to_owned();
                    return Ok(Best { text, score });
                }
                _ => {}
            }
        }
    }

    /// The engine's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its command line.
    #[must_use]
    pub fn command(&self) -> &str {
        self.engine.command()
    }

    /// The error of an answer that is of no use.
    #[must_use]
    pub fn refusal(&self, request: &str, answer: &str) -> EngineError {
        self.engine.refusal(request, answer)
    }
}

/// The name that an `option` line offers.
fn option_of(line: &str) -> Option<String> {
    let mut words = line.split_ascii_whitespace();
    if (words.next(), words.next()) != (Some("option"), Some("name")) {
        return None;
    }
    Some(words.take_while(|word| *word != "type").collect::<Vec<_>>().join(" "))
}

/// The limits of `go`, if they end every search: words of the protocol, a number after each.
///
/// # Errors
/// One line with the grammar and an example.
pub fn limits(text: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let has = |name: &str| words.iter().step_by(2).any(|word| *word == name);
    let is_limit = |pair: &[&str]| {
        let [word, number] = pair else { return false };
        let least = match *word {
            "nodes" | "depth" | "movetime" | "wtime" | "btime" | "movestogo" => 1,
            "winc" | "binc" => 0,
            _ => return false,
        };
        number.parse::<u64>().is_ok_and(|number| number >= least)
    };
    let ends = ["nodes", "depth", "movetime"].into_iter().any(has) || (has("wtime") && has("btime"));
    if ends && words.chunks(2).all(is_limit) {
        return Ok(words.join(" "));
    }
    Err("it takes `nodes N`, `depth N`, `movetime MS`, or a clock, `wtime MS btime MS` with `winc MS`, `binc MS` and \
         `movestogo N` if wanted; for example `nodes 20000`"
        .into())
}

/// The score of an `info` line.
fn score_of(line: &str) -> Option<i32> {
    let mut words = line.split_ascii_whitespace().skip_while(|w| *w != "score").skip(1);
    let kind = words.next()?;
    let value: i32 = words.next()?.parse().ok()?;
    match kind {
        "cp" => Some(value.clamp(-31_000, 31_000)),
        "mate" => Some(if value > 0 { 32_000 - value.min(1000) } else { -32_000 - value.max(-1000) }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_pairs_of_a_word_and_a_number_that_end_a_search() {
        for (text, good) in [
            ("nodes 20000", true),
            (" depth  8 ", true),
            ("movetime 300", true),
            ("wtime 1000 btime 1000 winc 0 binc 10", true),
            ("nodes 20000 depth 9", true),
            ("20000 nodes", false),
            ("20000", false),
            ("nodes", false),
            ("nodes 0", false),
            ("nodes 20000 depth", false),
            ("nodes many", false),
            ("infinite", false),
            ("mate 3", false),
            ("winc 100", false),
            ("wtime 1000", false),
            ("nodes 5 ponder", false),
            ("", false),
        ] {
            match limits(text) {
                Ok(limits) => assert!(good && !limits.contains("  "), "{text} {limits}"),
                Err(help) => assert!(!good && help.ends_with("for example `nodes 20000`"), "{text} {help}"),
            }
        }
    }

    #[test]
    fn options_are_read_from_their_lines() {
        for (line, name) in [
            ("option name Hash type spin default 16 min 1 max 9", Some("Hash")),
            ("option  name Clear  Hash  type button", Some("Clear Hash")),
            ("option name Odd", Some("Odd")),
            ("id name option", None),
            ("info string option name Hash type spin", None),
        ] {
            assert_eq!(option_of(line).as_deref(), name, "{line}");
        }
    }

    #[test]
    fn scores_are_read_from_info_lines() {
        for (line, score) in [
            ("info depth 5 score cp -13 nodes 9", Some(-13)),
            ("info score mate 3", Some(31_997)),
            ("info score mate -2", Some(-31_998)),
            ("info string score of the day", None),
            ("info depth 1", None),
            ("info score cp x", None),
        ] {
            assert_eq!(score_of(line), score, "{line}");
        }
    }
}
