//! Finds the facts of a state that form a board of fields. Two arguments of such a fact name the column and the row,
//! and the third names the content.
//!
//! # Steps
//! 1. Group the facts that can ever hold by relation and number of arguments. (For a game with a net, these facts are
//!    known.)
//! 2. Consider relations with two or three arguments. Any two arguments may be column and row, if both are numbers or
//!    short words and most pairs exist.
//! 3. Choose the candidate with the most fields that have exactly one fact in this state.

use std::collections::{BTreeMap, BTreeSet};
use tengen_propnet::gdl::sexp::{self, Sexp};
use tengen_render::grid::{Field, Grid};
use tengen_render::{Cell, Ink, Key};

/// Columns or rows at most.
const MOST: usize = 30;

/// Words for a field without anything: it is drawn empty.
const EMPTY: [&str; 5] = ["empty", "blank", "none", "nothing", "free"];

/// A fact as relation and arguments.
type Fact = (String, Vec<String>);

fn fact(text: &str) -> Option<Fact> {
    let Some(Sexp::List(items, _)) = sexp::read(text).0.pop() else { return None };
    let mut words = items.iter().map(|item| match item {
        Sexp::Word(word, _) => Some(word.clone()),
        Sexp::List(_, span) => text.get(span.start..span.end).map(str::to_owned),
    });
    let name = words.next()??;
    Some((name, words.collect::<Option<Vec<String>>>()?))
}

/// Numbers by value before words by spelling.
fn place(name: &str) -> (i64, String) {
    name.parse().map_or((i64::MAX, name.to_owned()), |number| (number, String::new()))
}

/// Names in order, if they can be those of columns or rows.
fn axis(names: BTreeSet<&str>) -> Option<Vec<String>> {
    let fits = |name: &&str| name.parse::<i64>().is_ok() || name.chars().count() <= 2;
    if !(2..=MOST).contains(&names.len()) || !names.iter().all(fits) {
        return None;
    }
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    names.sort_by_key(|name| place(name));
    Some(names)
}

/// A relation that may be the board.
struct Shape {
    name: String,
    column: usize,
    row: usize,
    columns: Vec<String>,
    rows: Vec<String>,
}

fn shapes(possible: &[Fact]) -> Vec<Shape> {
    let mut by_relation: BTreeMap<(&str, usize), Vec<&[String]>> = BTreeMap::new();
    for (name, args) in possible {
        by_relation.entry((name, args.len())).or_default().push(args);
    }
    let mut shapes = Vec::new();
    for ((name, arity), list) in by_relation {
        for (column, row) in [(0, 1), (1, 2), (0, 2)] {
            if !(2..=3).contains(&arity) || row >= arity {
                continue;
            }
            let names = |at: usize| axis(list.iter().map(|args| args[at].as_str()).collect());
            let (Some(columns), Some(rows)) = (names(column), names(row)) else { continue };
            let pairs: BTreeSet<(&str, &str)> =
                list.iter().map(|args| (args[column].as_str(), args[row].as_str())).collect();
            if pairs.len() * 2 > columns.len() * rows.len() {
                shapes.push(Shape { name: name.to_owned(), column, row, columns, rows });
            }
        }
    }
    shapes
}

impl Shape {
    /// The content of each pair of column and row.
    fn contents<'a>(&self, facts: &'a [Fact]) -> BTreeMap<(&'a str, &'a str), Vec<&'a str>> {
        let mut contents: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for (name, args) in facts.iter().filter(|f| f.0 == self.name && f.1.len() > self.row) {
            let other = (0..args.len()).find(|&n| n != self.column && n != self.row);
            let what = other.map_or(name.as_str(), |n| args[n].as_str());
            contents.entry((&args[self.column], &args[self.row])).or_default().push(what);
        }
        contents
    }
}

/// The board of a state, if its facts make one. `possible` are all facts that can hold, or the state's own facts if
/// that is unknown. `initial` are those of the first state. `link` gives the target of a click on a field, by the
/// words of a move that names it.
pub(super) fn grid(
    possible: &[String],
    initial: &[String],
    facts: &[String],
    link: impl Fn(&str, &str) -> Option<String>,
) -> Option<Grid> {
    let read = |texts: &[String]| texts.iter().filter_map(|text| fact(text)).collect::<Vec<Fact>>();
    let (possible, initial, facts) = (read(possible), read(initial), read(facts));
    let mut best: Option<(usize, Shape)> = None;
    for shape in shapes(&possible) {
        let score = shape.contents(&facts).values().filter(|on| on.len() == 1).count();
        if best.as_ref().is_none_or(|(most, _)| score > *most) && score > 0 {
            best = Some((score, shape));
        }
    }
    let (_, shape) = best?;
    let pale = usual(&shape, &initial);
    let signs: Vec<String> = {
        let all: BTreeSet<&str> = shape.contents(&possible).into_values().flatten().collect();
        all.into_iter().filter(|w| Some(*w) != pale.as_deref()).map(str::to_owned).collect()
    };
    let ink = |what: &str| {
        const INKS: [Ink; 6] = [Ink::Black, Ink::White, Ink::Good, Ink::Note, Ink::Danger, Ink::Unsure];
        signs.iter().position(|s| s == what).and_then(|n| INKS.get(n).copied())
    };
    let contents = shape.contents(&facts);
    let mut fields = Vec::new();
    for row in shape.rows.iter().rev() {
        for column in &shape.columns {
            let on = contents.get(&(column.as_str(), row.as_str())).map_or(&[][..], |on| on);
            let is_pale = on.iter().all(|w| Some(*w) == pale.as_deref());
            let ink = on.first().filter(|_| !is_pale).and_then(|what| ink(what));
            let is_blank = |word: &&&str| !EMPTY.contains(*word);
            let cell = Cell {
                text: on.iter().filter(is_blank).copied().collect::<Vec<_>>().join(" "),
                ink: ink.unwrap_or_default(),
                fill: if is_pale { 0.0 } else { 0.8 },
                mark: None,
            };
            let hint = format!("{} {column} {row}: {}", shape.name, on.join(" "));
            fields.push(Field { cell, link: link(column, row), hint });
        }
    }
    let legend = signs.iter().take(6).map(|s| Key::new(ink(s).unwrap_or_default(), 0.8, "", s)).collect();
    let rows = shape.rows.iter().rev().cloned().collect();
    let title = format!("The facts ({} …) as a board", shape.name);
    Some(Grid { title, columns: shape.columns, rows, fields, legend })
}

/// The most frequent content of the fields in the first state, if there is one: it is drawn pale.
fn usual(shape: &Shape, initial: &[Fact]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let contents = shape.contents(initial);
    contents.values().flatten().for_each(|what| *counts.entry(what).or_default() += 1);
    let (what, count) = counts.into_iter().max_by_key(|&(_, count)| count)?;
    (count * 2 >= contents.len()).then(|| what.to_owned())
}
