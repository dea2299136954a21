//! The heading of a game from its record: the players with their ranks, the result, the date, komi and rules.

use crate::scene::GameRecord;

/// The most letters of a name on a page.
const LETTERS: usize = 60;

/// The root properties of a record that people look for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// Black's player.
    pub black: String,
    /// White's player.
    pub white: String,
    /// Their ranks, Black's first.
    pub ranks: [String; 2],
    /// The result as the record spells it.
    pub result: String,
    /// The date.
    pub date: String,
    /// White's points.
    pub komi: String,
    /// The rules.
    pub rules: String,
    /// The event.
    pub event: String,
    /// The game's name.
    pub name: String,
    /// The handicap.
    pub handicap: String,
}

impl Heading {
    /// The heading from the root of a record.
    #[must_use]
    pub fn of(record: &GameRecord) -> Self {
        let root = record.tree.nodes.first();
        let said = |name: &str| short(root.and_then(|node| node.get(name)).unwrap_or_default(), LETTERS);
        Self {
            black: said("PB"),
            white: said("PW"),
            ranks: [said("BR"), said("WR")],
            result: said("RE"),
            date: said("DT"),
            komi: said("KM"),
            rules: said("RU"),
            event: said("EV"),
            name: said("GN"),
            handicap: said("HA"),
        }
    }

    /// The result in words.
    #[must_use]
    pub fn result_words(&self) -> String {
        let (winner, how) = match self.result.split_once('+') {
            Some(("B" | "b", how)) => ("Black", how),
            Some(("W" | "w", how)) => ("White", how),
            _ if matches!(self.result.as_str(), "0" | "Draw" | "draw" | "Jigo") => return "Draw".into(),
            _ => return self.result.clone(),
        };
        match how {
            "R" | "Resign" | "r" | "resign" => format!("{winner} wins by resignation"),
            "T" | "Time" => format!("{winner} wins on time"),
            "F" | "Forfeit" => format!("{winner} wins by forfeit"),
            "" => format!("{winner} wins"),
            points if points.parse::<f32>() == Ok(1.0) => format!("{winner} wins by {points} point"),
            points if points.parse::<f32>().is_ok() => format!("{winner} wins by {points} points"),
            _ => self.result.clone(),
        }
    }
}

impl Heading {
    /// Both players with their ranks; empty where the record names none.
    #[must_use]
    pub fn players(&self) -> String {
        let one = |name: &str, rank: &str, side: &str| {
            let name = if name.is_empty() { side } else { name };
            if rank.is_empty() { name.to_owned() } else { format!("{name} {rank}") }
        };
        if self.black.is_empty() && self.white.is_empty() {
            return String::new();
        }
        format!(
            "{} – {}",
            one(&self.black, &self.ranks[0], "Black"),
            one(&self.white, &self.ranks[1], "White")
        )
    }

    /// Result, date, komi, handicap, rules, event and name, as far as the record has them.
    #[must_use]
    pub fn facts(&self) -> Vec<String> {
        let with = |word: &str, value: &str| {
            if value.is_empty() { String::new() } else { format!("{word}{value}") }
        };
        let handicap = if self.handicap == "0" { String::new() } else { with("handicap ", &self.handicap) };
        let rules = if self.rules.is_empty() { String::new() } else { format!("{} rules", self.rules) };
        let komi = with("komi ", &self.komi);
        let all = [
            self.result_words(),
            self.date.clone(),
            komi,
            handicap,
            rules,
            self.event.clone(),
            self.name.clone(),
        ];
        all.into_iter().filter(|text| !text.is_empty()).collect()
    }
}

/// A text of at most this many letters.
#[must_use]
pub fn short(text: &str, most: usize) -> String {
    let text = text.trim();
    if text.chars().count() <= most {
        return text.into();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
