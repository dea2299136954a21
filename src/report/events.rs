//! Follows the dragons of a game from move to move. It reports which move joins, splits or captures a dragon, or
//! changes its status.
//!
//! # Notation
//! A dragon keeps its *identity*, a number, from record to record of the same game.
//!
//! # Steps
//! 1. The stones of a dragon are those of its strings, read from the diagram of the record.
//! 2. A dragon has the identity of the dragon of the previous record with which it shares the most stones. If two share
//!    equally many, the older identity counts. If several dragons claim the same identity, the largest dragon gets it.
//!    A dragon that shares no stones is new.
//! 3. A difference between two records is an event. If exactly one move lies between the records, the event names this
//!    move.
//!
//! # Cost
//! Linear in the stones of a record.

use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The fate of a dragon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is new.
    Formed,
    /// Others, by their numbers, became part of it.
    Joined(Vec<usize>),
    /// It came off this one.
    Split(usize),
    /// Its stones are off the board.
    Captured,
    /// Its status became another.
    Status {
        /// Before.
        from: String,
        /// Now.
        to: String,
    },
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// The game record's file.
    pub file: String,
    /// The move after which it is so.
    #[serde(rename = "move")]
    pub number: u64,
    /// The move that was played between, if it was one alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The dragon's number, from 1 in each game.
    pub dragon: usize,
    /// Its colour.
    pub color: String,
    /// Its distinguished stone, as records name it.
    pub origin: String,
    /// Its stones.
    pub size: usize,
    /// Its fate.
    pub change: Change,
}

/// A dragon that is followed.
#[derive(Clone, Debug)]
struct Followed {
    id: usize,
    color: String,
    origin: String,
    status: String,
    stones: BTreeSet<usize>,
}

/// Follows the dragons of games, record by record.
#[derive(Debug, Default)]
pub struct Follower {
    file: String,
    number: u64,
    dragons: Vec<Followed>,
    ids: usize,
}

impl Follower {
    /// Takes the next record, and returns the events of its dragons since the previous one. Records without dragons,
    /// and those of no game record, are skipped.
    pub fn follow(&mut self, record: &Value) -> Vec<Event> {
        let (Some(file), Some(number)) = (record["game"]["file"].as_str(), record["game"]["move"].as_u64())
        else {
            return Vec::new();
        };
        let Some(mut found) = dragons_of(&record["result"]) else { return Vec::new() };
        if file != self.file || number <= self.number {
            *self = Self { file: file.to_owned(), ..Self::default() };
        }
        let one_move = self.number + 1 == number;
        let by = record["result"]["last_move"].as_str().filter(|_| one_move).map(str::to_owned);
        self.number = number;
        let parents = self.parents(&mut found);
        let changes = self.changes(&found, &parents);
        let gone = std::mem::replace(&mut self.dragons, found);
        let event = |(dragon, change): (Followed, Change)| Event {
            file: self.file.clone(),
            number,
            by: by.clone(),
            dragon: dragon.id,
            color: dragon.color,
            origin: dragon.origin,
            size: dragon.stones.len(),
            change,
        };
        drop(gone);
        changes.into_iter().map(event).collect()
    }

    /// Step 2: gives numbers to dragons; by those, which dragons of before they have stones of.
    fn parents(&mut self, found: &mut [Followed]) -> BTreeMap<usize, Vec<usize>> {
        let shared = |new: &Followed, old: &Followed| {
            if new.color == old.color { new.stones.intersection(&old.stones).count() } else { 0 }
        };
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|&n| (std::cmp::Reverse(found[n].stones.len()), n));
        let (mut taken, mut parents) = (BTreeSet::new(), BTreeMap::new());
        for n in order {
            let mut of: Vec<(usize, usize)> = self
                .dragons
                .iter()
                .map(|old| (shared(&found[n], old), old.id))
                .filter(|&(s, _)| s > 0)
                .collect();
            of.sort_by_key(|&(stones, id)| (std::cmp::Reverse(stones), id));
            let own = of.iter().map(|&(_, id)| id).find(|id| !taken.contains(id));
            found[n].id = own.unwrap_or_else(|| {
                self.ids += 1;
                self.ids
            });
            taken.insert(found[n].id);
            parents.insert(found[n].id, of.into_iter().map(|(_, id)| id).collect::<Vec<_>>());
        }
        parents
    }

    /// Step 3.
    fn changes(&self, found: &[Followed], parents: &BTreeMap<usize, Vec<usize>>) -> Vec<(Followed, Change)> {
        let mut changes = Vec::new();
        let living: BTreeSet<usize> = found.iter().map(|d| d.id).collect();
        for dragon in found {
            let of = parents.get(&dragon.id).map_or(&[][..], Vec::as_slice);
            let before = self.dragons.iter().find(|old| old.id == dragon.id);
            match (before, of.first()) {
                (None, None) => changes.push((dragon.clone(), Change::Formed)),
                (None, Some(&from)) => changes.push((dragon.clone(), Change::Split(from))),
                (Some(old), _) => {
                    let joined: Vec<usize> =
                        of.iter().copied().filter(|id| *id != dragon.id && !living.contains(id)).collect();
                    if !joined.is_empty() {
                        changes.push((dragon.clone(), Change::Joined(joined)));
                    }
                    if old.status != dragon.status {
                        let (from, to) = (old.status.clone(), dragon.status.clone());
                        changes.push((dragon.clone(), Change::Status { from, to }));
                    }
                }
            }
        }
        let joined: BTreeSet<usize> = parents.values().flatten().copied().collect();
        let captured =
            self.dragons.iter().filter(|old| !living.contains(&old.id) && !joined.contains(&old.id));
        changes.extend(captured.map(|old| (old.clone(), Change::Captured)));
        changes
    }
}

/// Step 1: the dragons of a record's result, without numbers. `None` if the result has no dragons.
fn dragons_of(result: &Value) -> Option<Vec<Followed>> {
    let size = usize::try_from(result["size"].as_u64()?).ok()?;
    let stones: Vec<u8> = result["stones"].as_str()?.bytes().collect();
    (stones.len() == size * size).then_some(())?;
    let mut found = Vec::new();
    for dragon in result["dragons"].as_array()? {
        let mut own = BTreeSet::new();
        for origin in dragon["strings"].as_array()? {
            string(&stones, size, index(origin.as_str()?, size)?, &mut own);
        }
        let text = |key: &str| dragon[key].as_str().map(str::to_owned);
        found.push(Followed {
            id: 0,
            color: text("color")?,
            origin: text("origin")?,
            status: text("status")?.to_lowercase(),
            stones: own,
        });
    }
    Some(found)
}

/// The place of a vertex in vertex order: row by row from the top left.
fn index(name: &str, size: usize) -> Option<usize> {
    let v = tengen_go::board::Vertex::from_gtp(name, size)?;
    (v != tengen_go::board::Vertex::PASS).then(|| v.index(size))
}

/// The stones of a string.
fn string(stones: &[u8], size: usize, from: usize, found: &mut BTreeSet<usize>) {
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if stones[at] != stones[from] || !found.insert(at) {
            continue;
        }
        let (row, col) = (at / size, at % size);
        let next = [
            (row > 0).then(|| at - size),
            (row + 1 < size).then(|| at + size),
            (col > 0).then(|| at - 1),
            (col + 1 < size).then(|| at + 1),
        ];
        open.extend(next.into_iter().flatten());
    }
}

impl Event {
    /// The event as a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let stones = crate::number_text::plural("stone", self.size);
        let color = self.color.to_lowercase();
        let who = format!("{color}'s dragon {} at {} ({} {stones})", self.dragon, self.origin, self.size);
        let what = match &self.change {
            Change::Formed => "is new".into(),
            Change::Joined(others) => {
                let others: Vec<String> = others.iter().map(usize::to_string).collect();
                format!("is joined by {}", others.join(", "))
            }
            Change::Split(from) => format!("came off dragon {from}"),
            Change::Captured => "is captured".into(),
            Change::Status { from, to } if to == "dead" => format!("died (it was {from})"),
            Change::Status { from, to } => format!("is {to} (it was {from})"),
        };
        let by = self.by.as_ref().map_or_else(String::new, |by| format!(", by {by}"));
        format!("{} move {}: {who} {what}{by}", self.file, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A record of a 3x3 board: its stones and the strings of its dragons with their statuses.
    fn record(number: u64, stones: &str, last: &str, dragons: &[(&str, &[&str], &str)]) -> Value {
        let dragons: Vec<Value> = dragons
            .iter()
            .map(|(color, strings, status)| {
                json!({ "color": color, "origin": strings[0], "strings": strings, "status": status })
            })
            .collect();
        json!({
            "game": { "file": "a.sgf", "move": number },
            "result": { "size": 3, "stones": stones, "last_move": last, "dragons": dragons },
        })
    }

    #[test]
    fn dragons_keep_their_numbers_and_what_happens_to_them_is_told_with_the_move() {
        let mut follower = Follower::default();
        let mut told = Vec::new();
        for record in [
            record(1, "X........", "A3", &[("Black", &["A3"], "Alive")]),
            record(2, "X.O......", "C3", &[("Black", &["A3"], "Alive"), ("White", &["C3"], "Unknown")]),
            record(
                3,
                "X.O...X..",
                "A1",
                &[("Black", &["A1"], "Alive"), ("Black", &["A3"], "Critical"), ("White", &["C3"], "Dead")],
            ),
            record(4, "X.OX..X..", "A2", &[("Black", &["A1"], "Alive"), ("White", &["C3"], "Dead")]),
            record(6, "XX.X..X..", "B3", &[("Black", &["A1"], "Alive")]),
        ] {
            told.extend(follower.follow(&record).iter().map(Event::sentence));
        }
        assert_eq!(
            told,
            [
                "a.sgf move 1: black's dragon 1 at A3 (1 stone) is new, by A3",
                "a.sgf move 2: white's dragon 2 at C3 (1 stone) is new, by C3",
                "a.sgf move 3: black's dragon 3 at A1 (1 stone) is new, by A1",
                "a.sgf move 3: black's dragon 1 at A3 (1 stone) is critical (it was alive), by A1",
                "a.sgf move 3: white's dragon 2 at C3 (1 stone) died (it was unknown), by A1",
                "a.sgf move 4: black's dragon 1 at A1 (3 stones) is joined by 3, by A2",
                "a.sgf move 4: black's dragon 1 at A1 (3 stones) is alive (it was critical), by A2",
                "a.sgf move 6: white's dragon 2 at C3 (1 stone) is captured",
            ]
        );
    }

    #[test]
    fn records_of_anything_else_are_passed_over() {
        let mut follower = Follower::default();
        for other in
            [json!({}), json!({ "game": { "file": "a", "move": 1 }, "result": { "size": 3 } }), json!([1])]
        {
            assert_eq!(follower.follow(&other), []);
        }
    }
}
