//! The table of many matches: for each rulesheet and player its points with a 95 % interval, and its faults.

use super::Record;
use super::rules::points;
use crate::batch::selfplay::summary::wilson;
use crate::record::rounded;
use serde_json::{Value, json};
use std::io::{self, Write};
use tengen_core::escaped_line;

/// The results of a player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Matches with a goal for it.
    pub matches: usize,
    /// Its points, see [`points`].
    pub points: f64,
    /// The sum of its goals.
    pub goals: f64,
    /// Matches with more, the same and less than the best of the others.
    pub counts: [usize; 3],
    /// Illegal, late and missing moves.
    pub faults: [usize; 3],
    /// Starts that failed.
    pub starts: usize,
    /// The longest time of an answer, in milliseconds.
    pub slowest: u64,
    /// Matches without a goal for it, or without an end.
    pub unfinished: usize,
}

impl Row {
    /// Its share of the points, and Wilson's interval.
    #[must_use]
    pub fn share(&self) -> (f64, (f64, f64)) {
        (self.points / self.matches.max(1) as f64, wilson(self.points, self.matches))
    }

    fn add(&mut self, record: &Record, player: usize) {
        for (role, _) in record.seats.iter().enumerate().filter(|(_, seat)| **seat == Some(player)) {
            self.slowest = self.slowest.max(record.slowest_ms.get(role).copied().flatten().unwrap_or(0));
            let own = |noted: &&super::Noted| Some(&noted.role) == record.roles.get(role);
            for noted in record.faults.iter().filter(own) {
                match (noted.step, noted.fault.as_str()) {
                    (0, _) => self.starts += 1,
                    (_, "illegal") => self.faults[0] += 1,
                    (_, "late") => self.faults[1] += 1,
                    _ => self.faults[2] += 1,
                }
            }
            let goal = |role: usize| record.goals.get(role).copied().flatten();
            let Some(goal_of_own) = goal(role).filter(|_| record.end == "terminal") else {
                self.unfinished += 1;
                continue;
            };
            let others = |other: &usize| *other != role && record.seats[*other].is_some();
            let others: Vec<i64> = (0..record.seats.len()).filter(others).filter_map(goal).collect();
            let points = points(goal_of_own, &others);
            self.matches += 1;
            self.points += points;
            self.goals += goal_of_own as f64;
            let place = match points {
                1.0.. => 0,
                0.0 => 2,
                _ => 1,
            };
            self.counts[place] += 1;
        }
    }

    fn json(&self, rules: &str, player: &str) -> Value {
        let (share, (low, high)) = self.share();
        let [won, drawn, lost] = self.counts;
        let [illegal, late, missing] = self.faults;
        json!({
            "rules": rules, "player": player, "matches": self.matches,
            "share": rounded(share), "interval95": [rounded(low), rounded(high)],
            "mean_goal": rounded(self.goals / self.matches.max(1) as f64),
            "won": won, "drawn": drawn, "lost": lost,
            "illegal": illegal, "late": late, "missing": missing, "bad_starts": self.starts,
            "unfinished": self.unfinished,
        })
    }
}

/// The name of the rows over all rulesheets.
const ALL: &str = "all";

/// The table of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// For each rulesheet its name and a row for each player; the last entry is over all of them.
    pub rows: Vec<(String, Vec<Row>)>,
    players: Vec<String>,
}

impl Table {
    /// The table of these records, rulesheets in this order.
    #[must_use]
    pub fn of(players: &[String], rules: &[String], records: &[Record]) -> Self {
        let new = |name: &str| (name.to_owned(), vec![Row::default(); players.len()]);
        let mut rows: Vec<(String, Vec<Row>)> = rules.iter().map(|name| new(name)).collect();
        let mut all = new(ALL);
        for record in records {
            let Some((_, own)) = rows.iter_mut().find(|(name, _)| *name == record.rules) else { continue };
            for (player, (row, sum)) in own.iter_mut().zip(&mut all.1).enumerate() {
                row.add(record, player);
                sum.add(record, player);
            }
        }
        rows.push(all);
        Self { rows, players: players.to_vec() }
    }

    /// The table for a file.
    #[must_use]
    pub fn json(&self) -> Value {
        let rows = self.rows.iter().flat_map(|(rules, rows)| {
            rows.iter().zip(&self.players).map(move |(row, player)| row.json(rules, player))
        });
        json!({ "schema": "tengen.ggp-table/1", "rows": rows.collect::<Vec<_>>() })
    }

    /// Writes the table as text, with a legend of the players.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for (n, player) in self.players.iter().enumerate() {
            writeln!(out, "{}: {}", letter(n), escaped_line(player))?;
        }
        let names: Vec<String> = self.rows.iter().map(|(name, _)| stem(name)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(9);
        writeln!(
            out,
            "{:width$}  player  points    95 % interval      won drawn lost   goal  illegal late missing  slowest",
            "rulesheet"
        )?;
        // Of one rulesheet, the rows over all say the same again.
        let shown = if self.rows.len() == 2 { 1 } else { self.rows.len() };
        for ((_, rows), name) in self.rows.iter().zip(&names).take(shown) {
            for (n, row) in rows.iter().enumerate().filter(|(_, row)| row.matches + row.unfinished > 0) {
                let (share, (low, high)) = row.share();
                let [share, low, high] = [share, low, high].map(|x| 100.0 * x);
                let [won, drawn, lost] = row.counts;
                let [illegal, late, missing] = row.faults;
                let goal = row.goals / row.matches.max(1) as f64;
                writeln!(
                    out,
                    "{name:width$}  {:6}  {share:5.1}%  {low:5.1}% to {high:5.1}%  {won:5} {drawn:5} {lost:4}  {goal:5.1}  \
                     {illegal:7} {late:4} {missing:7}  {:.2} s",
                    letter(n),
                    row.slowest as f64 / 1000.0
                )?;
            }
        }
        let Some((_, all)) = self.rows.last() else { return Ok(()) };
        let (unfinished, starts) =
            (all.iter().map(|r| r.unfinished).max(), all.iter().map(|r| r.starts).sum::<usize>());
        if unfinished.is_some_and(|n| n > 0) {
            writeln!(out, "not finished, without points: {}", unfinished.unwrap_or(0))?;
        }
        if starts > 0 {
            writeln!(out, "starts that were not answered by `ready` in time: {starts}")?;
        }
        Ok(())
    }
}

/// The sign of a player in the table: A, B, ...
#[must_use]
pub fn letter(n: usize) -> String {
    match u8::try_from(n) {
        Ok(n @ 0..=25) => char::from(b'A' + n).to_string(),
        _ => n.to_string(),
    }
}

/// The name of a rulesheet in the table: its file's, without folders and ending.
fn stem(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    escaped_line(file.strip_suffix(".kif").unwrap_or(file)).into_owned()
}
