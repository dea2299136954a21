//! The meaning of an environment's numbers: actions, columns of observations, and the grid of the game's board.
//!
//! # Steps of finding a grid
//! 1. Facts with the same name and number of arguments are a family. A pair of argument places is a board if every
//!    value of both places is a whole number or a single letter. Both places need at least two values.
//! 2. The board that covers most facts is taken, the first of equal ones. It must cover at least three quarters of the
//!    cells of all its planes.
//! 3. The other arguments name the plane. Planes are ordered by first appearance, rows and columns by value.

use crate::net::Names;
use rustc_hash::FxHashMap;

/// A column of an observation that is always 0: a cell that a plane does not have.
pub const NO_FACT: u32 = u32::MAX;

/// The names behind the numbers of an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The roles in the order of the rulesheet.
    pub roles: Vec<String>,
    /// The moves of all roles, each spelling once, in the order of the net's inputs.
    pub actions: Vec<String>,
    /// Per role and action the net's input; `None` where the role never has that move.
    pub inputs: Vec<Vec<Option<u32>>>,
    /// Per column of an observation the number of the fact, or [`NO_FACT`]: first the planes of the grid, then all
    /// other facts.
    pub columns: Vec<u32>,
    /// The text of each column; empty for [`NO_FACT`].
    pub facts: Vec<String>,
    /// The grid, if the game has one.
    pub grid: Option<Grid>,
}

/// Planes of equal size: the first `planes * rows * columns` columns of an observation, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Names of the planes: the fact with `_` for row and column.
    pub planes: Vec<String>,
    /// Values of the place that counts rows.
    pub rows: Vec<String>,
    /// Values of the place that counts columns.
    pub columns: Vec<String>,
}

impl Schema {
    /// The schema of a net with these names.
    pub(super) fn new(names: &Names) -> Self {
        let mut number: FxHashMap<&str, usize> = FxHashMap::default();
        let mut actions: Vec<String> = Vec::new();
        for text in &names.moves {
            number.entry(text).or_insert_with(|| {
                actions.push(text.clone());
                actions.len() - 1
            });
        }
        let mut inputs = vec![vec![None; actions.len()]; names.roles.len()];
        for (role, of_role) in inputs.iter_mut().enumerate() {
            for input in names.role_start[role]..names.role_start[role + 1] {
                of_role[number[names.moves[input].as_str()]] = Some(input as u32);
            }
        }
        let (grid, columns) = match find_grid(&names.bases) {
            Some((grid, columns)) => (Some(grid), columns),
            None => (None, (0..names.bases.len() as u32).collect()),
        };
        let text = |&fact: &u32| names.bases.get(fact as usize).cloned().unwrap_or_default();
        let facts = columns.iter().map(text).collect();
        Self { roles: names.roles.clone(), actions, inputs, columns, facts, grid }
    }

    /// The number of actions: A.
    #[must_use]
    pub fn action_count(&self) -> usize {
        self.actions.len()
    }

    /// The number of columns of an observation: P.
    #[must_use]
    pub fn width(&self) -> usize {
        self.columns.len()
    }
}

/// A fact in pieces: name and arguments, nested terms as text.
fn pieces(fact: &str) -> Vec<&str> {
    let Some(inner) = fact.strip_prefix('(').and_then(|f| f.strip_suffix(')')) else { return vec![fact] };
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                found.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&inner[start..]);
    found
}

/// The rank of a coordinate; `None` if the text is no coordinate.
fn coordinate(text: &str) -> Option<(u32, u32)> {
    if let Ok(number) = text.parse::<u32>() {
        return Some((0, number));
    }
    match text.as_bytes() {
        [letter] if letter.is_ascii_lowercase() => Some((1, u32::from(*letter))),
        _ => None,
    }
}

/// The values of one place, in order; `None` if one of them is no coordinate.
fn axis<'a>(values: impl Iterator<Item = &'a str>) -> Option<Vec<&'a str>> {
    let mut found: Vec<((u32, u32), &str)> = Vec::new();
    for value in values {
        found.push((coordinate(value)?, value));
    }
    found.sort_unstable();
    found.dedup();
    // Numbers and letters are not mixed.
    (found.len() > 1 && found[0].0.0 == found[found.len() - 1].0.0)
        .then(|| found.into_iter().map(|(_, text)| text).collect())
}

/// A board that the facts of a family could show.
struct Board<'a> {
    members: Vec<(u32, Vec<&'a str>)>,
    rows: Vec<&'a str>,
    columns: Vec<&'a str>,
    places: (usize, usize),
    planes: Vec<String>,
}

impl<'a> Board<'a> {
    fn of(members: &[(u32, Vec<&'a str>)], places: (usize, usize)) -> Option<Self> {
        let rows = axis(members.iter().map(|m| m.1[places.0]))?;
        let columns = axis(members.iter().map(|m| m.1[places.1]))?;
        let mut planes: Vec<String> = Vec::new();
        let mut board = Self { members: members.to_vec(), rows, columns, places, planes: Vec::new() };
        let mut known = rustc_hash::FxHashSet::default();
        for (_, parts) in members {
            let name = board.plane(parts);
            if known.insert(name.clone()) {
                planes.push(name);
            }
        }
        board.planes = planes;
        let cells = board.planes.len() * board.rows.len() * board.columns.len();
        (members.len() * 4 >= cells * 3).then_some(board)
    }

    /// The fact with `_` for row and column.
    fn plane(&self, parts: &[&str]) -> String {
        let is_place = |n: usize| n == self.places.0 || n == self.places.1;
        let parts: Vec<&str> =
            parts.iter().enumerate().map(|(n, &p)| if is_place(n) { "_" } else { p }).collect();
        format!("({})", parts.join(" "))
    }

    /// Per cell of all planes its fact.
    fn cells(&self) -> Vec<u32> {
        let index =
            |values: &[&str], text: &str| values.iter().position(|v| *v == text).expect("it is of the axis");
        let plane: FxHashMap<&str, usize> =
            self.planes.iter().enumerate().map(|(n, p)| (p.as_str(), n)).collect();
        let mut cells = vec![NO_FACT; self.planes.len() * self.rows.len() * self.columns.len()];
        for (fact, parts) in &self.members {
            let at =
                plane[self.plane(parts).as_str()] * self.rows.len() + index(&self.rows, parts[self.places.0]);
            cells[at * self.columns.len() + index(&self.columns, parts[self.places.1])] = *fact;
        }
        cells
    }
}

/// The grid, and the order of all columns; the grid's columns come first.
fn find_grid(bases: &[String]) -> Option<(Grid, Vec<u32>)> {
    let mut families: Vec<Vec<(u32, Vec<&str>)>> = Vec::new();
    let mut number: FxHashMap<(&str, usize), usize> = FxHashMap::default();
    for (fact, text) in bases.iter().enumerate() {
        let parts = pieces(text);
        let family = *number.entry((parts[0], parts.len())).or_insert_with(|| {
            families.push(Vec::new());
            families.len() - 1
        });
        families[family].push((fact as u32, parts));
    }
    let mut best: Option<Board> = None;
    for members in families.iter().filter(|m| m.len() >= 4) {
        let arity = members[0].1.len();
        for places in (1..arity).flat_map(|a| (a + 1..arity).map(move |b| (a, b))) {
            if let Some(board) = Board::of(members, places)
                && best.as_ref().is_none_or(|b| b.members.len() < board.members.len())
            {
                best = Some(board);
            }
        }
    }
    let board = best?;
    let mut columns = board.cells();
    let mut on_board = vec![false; bases.len()];
    columns.iter().filter(|&&f| f != NO_FACT).for_each(|&f| on_board[f as usize] = true);
    columns.extend((0..bases.len() as u32).filter(|&f| !on_board[f as usize]));
    let own = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect();
    let grid = Grid { planes: board.planes.clone(), rows: own(board.rows), columns: own(board.columns) };
    Some((grid, columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(facts: &[String]) -> Option<(Grid, Vec<u32>)> {
        find_grid(facts)
    }

    #[test]
    fn the_planes_of_a_board_come_first_and_what_they_lack_is_marked() {
        let mut facts = vec!["(control x)".to_owned()];
        for x in 1..=3 {
            for y in ["a", "b"] {
                for piece in ["x", "o"] {
                    facts.push(format!("(cell {x} {y} {piece})"));
                }
            }
        }
        facts.retain(|f| f != "(cell 2 b o)");
        facts.push("done".to_owned());
        let (found, columns) = grid(&facts).unwrap();
        assert_eq!(found.planes, ["(cell _ _ x)", "(cell _ _ o)"]);
        assert_eq!((found.rows.len(), found.columns), (3, vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(columns.len(), 2 * 3 * 2 + 2);
        assert_eq!(facts[columns[3] as usize], "(cell 2 b x)");
        assert_eq!(columns[6 + 3], NO_FACT);
        let rest: Vec<&str> = columns[12..].iter().map(|&f| facts[f as usize].as_str()).collect();
        assert_eq!(rest, ["(control x)", "done"]);
    }

    #[test]
    fn numbers_are_ordered_by_value_and_words_are_no_coordinates() {
        let facts: Vec<String> = (0..24).map(|n| format!("(at {} {})", n % 12 + 1, n / 12)).collect();
        let (found, _) = grid(&facts).unwrap();
        assert_eq!(found.rows[9..], ["10", "11", "12"]);
        assert_eq!(found.planes, ["(at _ _)"]);
        let words: Vec<String> = ["red", "blue"].iter().map(|c| format!("(is {c} 1)")).collect();
        assert_eq!(grid(&words), None);
    }
}
