//! Parses the text of a pattern database.
//!
//! ```text
//! # why it is there
//! Pattern Name
//!
//! |oOO?         a diagram, edges drawn with | - +, a comment after blanks
//! |...X
//!
//! :8,A,value(3) symmetry, class, values, helper
//!
//! |oaa?         the same diagram with labels
//! |...X
//!
//! ;condition    may take several lines
//! >action       likewise
//! ```

use super::expr::{self, Arg, Source};
use super::functions::{self, Role};
use super::{Cell, Database, Edges, Pattern, Symbol, Symmetry, duplicates};
use std::sync::Arc;
use tengen_core::{Diagnostic, Position};

/// The directives beside `Pattern`; the first word of their lines.
const DIRECTIVES: [&str; 3] = ["attribute_map", "goal_elements", "callback_data"];

/// A text line with its number.
type Line<'a> = (u32, &'a str);

/// The lines of one pattern, sorted.
#[derive(Default)]
struct Block<'a> {
    name: &'a str,
    line: u32,
    reason: Vec<&'a str>,
    callback: String,
    diagram: Vec<Line<'a>>,
    colon: Option<Line<'a>>,
    labels: Vec<Line<'a>>,
    constraint: Source,
    actions: Source,
}

/// Reads a database. Returns all patterns that are sound, and everything that is wrong or odd.
#[must_use]
pub fn parse(file: &str, text: &str) -> (Database, Vec<Diagnostic>) {
    let mut faults = Vec::new();
    let blocks = blocks(text, &mut faults);
    let mut patterns: Vec<Pattern> = Vec::new();
    for block in &blocks {
        match pattern(block) {
            Ok(pattern) => {
                if let Some(earlier) = patterns.iter().find(|p| p.name == pattern.name) {
                    let message =
                        format!("pattern {}: line {} has the name already", block.name, earlier.line);
                    faults.push(Diagnostic::error(message).at(Position { line: block.line, column: 1 }));
                }
                faults.extend(silent_calls(&pattern, file));
                patterns.push(pattern);
            }
            Err(mut fault) => {
                fault.message = format!("pattern {}: {}", block.name, fault.message);
                let start = Position { line: block.line, column: 1 };
                fault.at = fault.at.or(Some(start));
                faults.push(fault);
            }
        }
    }
    faults.extend(duplicates::check(&patterns));
    let faults = faults.into_iter().map(|f| f.in_file(file)).collect();
    (Database { file: file.to_string(), patterns }, faults)
}

/// Cuts the text into patterns.
fn blocks<'a>(text: &'a str, faults: &mut Vec<Diagnostic>) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    let mut callback = String::new();
    let mut comments: Vec<&str> = Vec::new();
    for (i, raw) in text.lines().enumerate() {
        let number = i as u32 + 1;
        let line = raw.trim_end();
        let place = Position { line: number, column: 1 };
        if let Some(comment) = line.strip_prefix('#') {
            comments.push(comment.trim());
            continue;
        }
        if line.trim().is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix("Pattern ") {
            let reason = std::mem::take(&mut comments);
            let (name, callback) = (name.trim(), callback.clone());
            blocks.push(Block { name, line: number, reason, callback, ..Block::default() });
            continue;
        }
        let mut words = line.split_whitespace();
        if words.next().is_some_and(|w| DIRECTIVES.contains(&w)) {
            if line.starts_with("callback_data") {
                callback = words.collect();
            }
            comments.clear();
            continue;
        }
        let Some(block) = blocks.last_mut() else {
            let fault = Diagnostic::error("text before the first pattern").at(place);
            faults.push(fault.help("comments begin with #, patterns with a line `Pattern NAME`"));
            continue;
        };
        if block.colon.is_some() {
            comments.clear();
        } else {
            block.reason.append(&mut comments);
        }
        if let Some(rest) = line.strip_prefix(':') {
            if block.colon.replace((number, rest)).is_some() {
                faults
                    .push(Diagnostic::error(format!("pattern {}: a second `:` line", block.name)).at(place));
            }
        } else if let Some(rest) = line.strip_prefix(';') {
            block.constraint.push(rest, number, 2);
        } else if let Some(rest) = line.strip_prefix('>') {
            block.actions.push(rest, number, 2);
        } else if block.colon.is_some() {
            block.labels.push((number, line));
        } else {
            block.diagram.push((number, line));
        }
    }
    blocks
}

fn pattern(block: &Block<'_>) -> Result<Pattern, Diagnostic> {
    let (diagram, edges) = diagram(&block.diagram)?;
    for (row, line) in diagram.iter().enumerate() {
        for (col, &c) in line.iter().enumerate() {
            if Symbol::of(c).is_none() {
                let at = place_of(&block.diagram, edges, (row as i8, col as i8));
                return Err(Diagnostic::error(format!("`{c}` means nothing in a diagram"))
                    .at(at)
                    .help("a diagram is drawn with X O x o . , ? * ! Q"));
            }
        }
    }
    let (number, colon) =
        block.colon.ok_or_else(|| Diagnostic::error("it has no `:` line").help("for example `:8,A`"))?;
    let told = block.reason.iter().copied().filter(|comment| comment.chars().any(char::is_alphanumeric));
    let mut pattern = Pattern {
        name: Arc::from(block.name),
        reason: told.collect::<Vec<_>>().join(" "),
        line: block.line,
        diagram,
        edges,
        callback: block.callback.clone(),
        ..Pattern::default()
    };
    colon_line(&mut pattern, colon).map_err(|fault| fault.at(Position { line: number, column: 1 }))?;
    labels(&mut pattern, block)?;
    if !block.constraint.is_empty() {
        pattern.constraint = Some(expr::parse_constraint(&block.constraint)?);
    }
    pattern.actions = expr::parse_actions(&block.actions)?;
    check_calls(&pattern)?;
    Ok(pattern)
}

/// The place in the text of a diagram's cell.
fn place_of(lines: &[Line<'_>], edges: Edges, cell: Cell) -> Position {
    let row = cell.0 as usize + usize::from(edges.top);
    let column = cell.1 as u32 + 1 + u32::from(edges.left);
    Position { line: lines.get(row).map_or(0, |l| l.0), column }
}

/// Reads a diagram with its edges.
fn diagram(lines: &[Line<'_>]) -> Result<(Vec<Vec<char>>, Edges), Diagnostic> {
    let mut rows: Vec<Vec<char>> = Vec::new();
    let mut edges = Edges::default();
    for &(number, line) in lines {
        let here = Position { line: number, column: 1 };
        let drawn = line.split_whitespace().next().unwrap_or_default();
        if drawn.contains('-') && drawn.chars().all(|c| matches!(c, '-' | '+')) {
            if rows.is_empty() {
                edges.top = true;
            } else {
                edges.bottom = true;
            }
            continue;
        }
        if edges.bottom {
            return Err(Diagnostic::error("a row below the edge").at(here));
        }
        let (left, drawn) = drawn.strip_prefix('|').map_or((false, drawn), |d| (true, d));
        let (right, drawn) = drawn.strip_suffix('|').map_or((false, drawn), |d| (true, d));
        let row: Vec<char> = drawn.chars().collect();
        if let Some(first) = rows.first() {
            if first.len() != row.len() {
                let message = format!("this row has {} cells, the first one {}", row.len(), first.len());
                return Err(Diagnostic::error(message).at(here));
            }
            if (left, right) != (edges.left, edges.right) {
                return Err(Diagnostic::error("the edge is not drawn in every row").at(here));
            }
        }
        (edges.left, edges.right) = (left, right);
        rows.push(row);
    }
    if rows.first().is_none_or(Vec::is_empty) {
        return Err(Diagnostic::error("it has no diagram"));
    }
    if rows.len() > 25 || rows[0].len() > 25 {
        return Err(Diagnostic::error("its diagram is larger than a board"));
    }
    Ok((rows, edges))
}

/// `8,sD,value(30),helper`: after the class the fields come in any order.
fn colon_line(pattern: &mut Pattern, text: &str) -> Result<(), Diagnostic> {
    let mut fields = text.split('#').next().unwrap_or_default().split(',').map(str::trim);
    let symmetry = fields.next().unwrap_or_default();
    let mut characters = symmetry.chars();
    pattern.symmetry = match (characters.next().and_then(Symmetry::of), characters.next()) {
        (Some(symmetry), None) => symmetry,
        _ => {
            return Err(
                Diagnostic::error(format!("unknown symmetry `{symmetry}`")).help("one of 8 | - / \\ + X O")
            );
        }
    };
    pattern.class = fields.next().unwrap_or_default().to_string();
    for field in fields.filter(|f| !f.is_empty()) {
        if let Some((name, rest)) = field.split_once('(') {
            let number = rest.strip_suffix(')').and_then(|n| n.trim().parse::<f32>().ok());
            let number = number.filter(|n| n.is_finite());
            let value = number.ok_or_else(|| Diagnostic::error(format!("`{field}` has no number")))?;
            pattern.values.insert(name.trim().to_string(), value);
        } else if let Some(helper) = functions::HELPERS.iter().find(|h| **h == field) {
            pattern.helper = (*helper != "NULL").then(|| field.to_string());
        } else {
            return Err(Diagnostic::error(format!("unknown helper `{field}`"))
                .help(format!("known ones are {}", functions::HELPERS.join(", "))));
        }
    }
    Ok(())
}

fn labels(pattern: &mut Pattern, block: &Block<'_>) -> Result<(), Diagnostic> {
    let star = pattern.cells('*').next();
    pattern.labels.extend(star.map(|cell| ('*', cell)));
    if block.labels.is_empty() {
        return Ok(());
    }
    let (labelled, edges) = diagram(&block.labels)?;
    if (labelled.len(), labelled[0].len(), edges) != (pattern.extent().0, pattern.extent().1, pattern.edges) {
        let at = Position { line: block.labels[0].0, column: 1 };
        return Err(Diagnostic::error("the constraint diagram has another shape than the pattern").at(at));
    }
    for (row, line) in labelled.iter().enumerate() {
        for (col, &c) in line.iter().enumerate() {
            let cell = (row as i8, col as i8);
            if c.is_ascii_alphabetic() && !matches!(c, 'O' | 'X' | 'o' | 'x' | 'Q') {
                pattern.labels.entry(c).or_insert(cell);
            } else if Symbol::of(c) != Symbol::of(pattern.diagram[row][col]) {
                let at = place_of(&block.labels, edges, cell);
                let was = pattern.diagram[row][col];
                return Err(Diagnostic::error(format!(
                    "the constraint diagram has `{c}` where the pattern has `{was}`"
                ))
                .at(at)
                .help("only letters other than O o X x Q label a cell"));
            }
        }
    }
    Ok(())
}

/// A warning for each call of a pattern that has no effect in this file.
fn silent_calls(pattern: &Pattern, file: &str) -> Vec<Diagnostic> {
    let mut silent: Vec<&str> = pattern.helper.as_deref().into_iter().collect();
    let mut note = |function: &'static functions::Function, _: &[Arg]| {
        if functions::is_silent(function, file) && !silent.contains(&function.name) {
            silent.push(function.name);
        }
    };
    pattern.constraint.iter().for_each(|constraint| constraint.each_call(&mut note));
    pattern.actions.iter().for_each(|action| action.each_call(&mut note));
    let warn = |name| {
        let message = format!("pattern {}: `{name}` has no effect in {file}", pattern.name);
        let at = Position { line: pattern.line, column: 1 };
        Diagnostic::warning(message).at(at).help("as a question it counts as 0")
    };
    silent.into_iter().map(warn).collect()
}

/// Every label exists, queries stand in conditions and actions in actions.
fn check_calls(pattern: &Pattern) -> Result<(), Diagnostic> {
    let mut fault = None;
    let mut label_fault = |function: &'static functions::Function, args: &[Arg]| {
        for arg in args {
            if let Arg::Label(label) = arg
                && !pattern.labels.contains_key(label)
            {
                let message = format!("`{}` names `{label}`, which is no label", function.name);
                fault = Some(Diagnostic::error(message).help("draw it in the constraint diagram"));
            }
        }
    };
    for action in &pattern.actions {
        action.each_call(&mut label_fault);
    }
    if let Some(constraint) = &pattern.constraint {
        constraint.each_call(&mut label_fault);
        let mut acting = None;
        constraint.each_call(&mut |function, _| {
            if function.role == Role::Action {
                acting = Some(function.name);
            }
        });
        if let Some(name) = acting {
            let message = format!("`{name}` acts, but a constraint only asks");
            fault = fault.or(Some(Diagnostic::error(message).help("put it on a line with >")));
        }
    }
    fault.map_or(Ok(()), Err)
}
