//! The rules of a match as pure functions: which player has which role, and which move an answer makes.

use std::fmt;
use tengen_core::SplitMix64;

/// The answer of a player to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A text that came in time; the move that it names, if its words are those of the match.
    Text {
        /// The text.
        text: String,
        /// The move in canonical spelling.
        named: Option<String>,
    },
    /// Nothing within the clock and the margin.
    Late,
    /// No connection, or no answer of the protocol: the reason.
    Missing(String),
}

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No legal move.
    Illegal,
    /// Not in time.
    Late,
    /// No answer.
    Missing,
    /// An answer to `START` that is not `ready`.
    NotReady,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Illegal => "illegal",
            Self::Late => "late",
            Self::Missing => "missing",
            Self::NotReady => "not ready",
        })
    }
}

impl Answer {
    /// The words for the record.
    #[must_use]
    pub fn words(&self) -> &str {
        match self {
            Self::Text { text, .. } => text,
            Self::Late => "no answer in time",
            Self::Missing(why) => why,
        }
    }

    /// The fault of an answer to `START`, if it has one.
    #[must_use]
    pub fn fault_of_start(&self) -> Option<Fault> {
        match self {
            Self::Text { text, .. } if text.trim().eq_ignore_ascii_case("ready") => None,
            Self::Text { .. } => Some(Fault::NotReady),
            Self::Late => Some(Fault::Late),
            Self::Missing(_) => Some(Fault::Missing),
        }
    }
}

/// The move that an answer makes in a state with these legal moves: its own if that is legal, else a random one with the
/// fault. `None` if there is no legal move.
pub fn settle(legal: &[String], answer: &Answer, random: &mut SplitMix64) -> Option<(String, Option<Fault>)> {
    let fault = match answer {
        Answer::Text { named: Some(named), .. } if legal.contains(named) => {
            return Some((named.clone(), None));
        }
        Answer::Text { .. } => Fault::Illegal,
        Answer::Late => Fault::Late,
        Answer::Missing(_) => Fault::Missing,
    };
    any(legal, random).map(|made| (made, Some(fault)))
}

/// Any of these moves. `None` if there is none.
pub fn any(legal: &[String], random: &mut SplitMix64) -> Option<String> {
    let count = u32::try_from(legal.len()).unwrap_or(u32::MAX);
    legal.get(if count == 0 { 0 } else { random.below(count) as usize }).cloned()
}

/// For each role the number of its player. The players take the roles but `random` in their order, and move on by one
/// place a match if they change sides. A role beyond them has none.
#[must_use]
pub fn seats(
    roles: usize,
    chance: Option<usize>,
    players: usize,
    number: u64,
    swap: bool,
) -> Vec<Option<usize>> {
    let open = roles - usize::from(chance.is_some_and(|role| role < roles));
    let taken = players.min(open);
    let shift = if swap && taken > 0 { (number % taken as u64) as usize } else { 0 };
    let mut next = 0..taken;
    (0..roles)
        .map(|role| {
            let place = if chance == Some(role) { None } else { next.next() };
            place.map(|place| (place + shift) % taken)
        })
        .collect()
}

/// The points of a player with this goal against others with those: 1 for the highest goal, ½ if another one has it too,
/// else 0. Alone, the goal's share of 100.
#[must_use]
pub fn points(own: i64, others: &[i64]) -> f64 {
    match others.iter().max() {
        None => own.clamp(0, 100) as f64 / 100.0,
        Some(&most) if own > most => 1.0,
        Some(&most) if own == most => 0.5,
        Some(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(named: &str) -> Answer {
        Answer::Text { text: named.to_owned(), named: Some(named.to_owned()) }
    }

    #[test]
    fn a_legal_answer_is_made_and_any_other_gives_a_random_legal_move_and_its_fault() {
        let legal: Vec<String> = ["(a 1)", "(a 2)", "noop"].map(str::to_owned).to_vec();
        let none = Answer::Text { text: "(a 1)".into(), named: None };
        for (answer, wanted) in [
            (text("(a 2)"), None),
            (text("(a 3)"), Some(Fault::Illegal)),
            (text(""), Some(Fault::Illegal)),
            (none, Some(Fault::Illegal)),
            (Answer::Late, Some(Fault::Late)),
            (Answer::Missing("nobody listens".into()), Some(Fault::Missing)),
        ] {
            let mut made = std::collections::BTreeSet::new();
            for seed in 0..64 {
                let (played, fault) = settle(&legal, &answer, &mut SplitMix64::new(seed)).expect("a move");
                assert_eq!(fault, wanted, "{answer:?}");
                assert!(legal.contains(&played));
                made.insert(played);
            }
            assert_eq!(made.len(), if wanted.is_some() { 3 } else { 1 }, "{answer:?}");
        }
        assert_eq!(settle(&[], &Answer::Late, &mut SplitMix64::new(1)), None);
    }

    #[test]
    fn players_take_the_roles_in_order_and_change_sides_and_the_rest_has_none() {
        let table = [
            ((2, None, 2, 0, true), vec![Some(0), Some(1)]),
            ((2, None, 2, 1, true), vec![Some(1), Some(0)]),
            ((2, None, 2, 1, false), vec![Some(0), Some(1)]),
            ((3, None, 2, 1, true), vec![Some(1), Some(0), None]),
            ((3, Some(0), 2, 1, true), vec![None, Some(1), Some(0)]),
            ((3, Some(1), 3, 0, false), vec![Some(0), None, Some(1)]),
            ((1, None, 2, 7, true), vec![Some(0)]),
            ((2, None, 0, 7, true), vec![None, None]),
        ];
        for ((roles, chance, players, number, swap), wanted) in table {
            assert_eq!(seats(roles, chance, players, number, swap), wanted);
        }
    }

    #[test]
    fn points_compare_goals_and_alone_they_are_the_goal() {
        assert_eq!(points(100, &[0]), 1.0);
        assert_eq!(points(50, &[50]), 0.5);
        assert_eq!(points(0, &[50, 0]), 0.0);
        assert_eq!(points(90, &[]), 0.9);
    }
}
