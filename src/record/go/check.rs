//! Checks expectations of Go scenes against what was found.

use super::{Analysed, dragons, final_status, moves, territory};
use crate::record::Checked;
use crate::scene::expect::Reading;
use crate::scene::position::GoInput;
use crate::scene::{Case, Expect, Task};
use ron::extensions::Extensions;
use serde_json::Value;
use std::cmp::Ordering;
use tengen_core::Diagnostic;
use tengen_go::AnalyseSystems;
use tengen_go::board::{Board, Vertex};
use tengen_go::tactics::Code;
use tengen_go::worms::Worm;

/// The differences found so far, one sentence each.
#[derive(Default)]
pub struct Differences(Vec<String>);

impl Differences {
    /// Compares a field, if the scene says what it should be.
    pub fn field<T: PartialEq + std::fmt::Debug>(&mut self, name: &str, expected: Option<T>, found: T) {
        if let Some(expected) = expected
            && expected != found
        {
            self.0.push(format!("{name} is {found:?}, not {expected:?}"));
        }
    }

    /// Compares a float.
    pub fn near(&mut self, name: &str, expected: Option<f32>, found: f32, within: f32) {
        // A NaN is near nothing.
        let far = |expected: f32| (expected - found).abs().partial_cmp(&within).is_none_or(Ordering::is_gt);
        if let Some(expected) = expected.filter(|&e| far(e)) {
            self.0.push(format!("{name} is {found:.4}, not {expected}"));
        }
    }

    /// Compares a float with bounds.
    pub fn within(&mut self, name: &str, least: Option<f32>, most: Option<f32>, found: f32) {
        if least.is_some_and(|least| found < least) || most.is_some_and(|most| found > most) || found.is_nan()
        {
            self.0.push(format!("{name} is {found:.4}"));
        }
    }

    /// Says that something else is otherwise.
    pub fn say(&mut self, text: impl Into<String>) {
        self.0.push(text.into());
    }

    /// The checked expectation.
    pub fn of(self, expect: &Expect) -> Checked {
        let plain = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
        let text = plain.to_string(expect).unwrap_or_else(|_| format!("{expect:?}"));
        Checked { expect: text, ok: self.0.is_empty(), found: self.0 }
    }
}

/// The vertex a scene names.
pub(super) fn vertex(case: &Case, input: &GoInput, name: &str) -> Result<Vertex, Diagnostic> {
    input.vertex(name).filter(|v| *v != Vertex::PASS).ok_or_else(|| {
        case.fault(name, format!("`{name}` is no vertex of this board"))
            .help("a vertex is spelled like `D4`, without the letter I, or is a letter of the diagram")
    })
}

/// Checks one expectation.
///
/// # Errors
/// If the expectation names something that isn't there, or means nothing for an analysis.
pub fn check(case: &Case, analysed: &Analysed, expect: &Expect) -> Result<Checked, Diagnostic> {
    possible(case, expect)?;
    let mut differences = Differences::default();
    let at = |name: &str| vertex(case, analysed.input, name);
    let board = &analysed.input.position.board;
    match expect {
        Expect::Worm { at: name, .. } => {
            let v = at(name)?;
            let worms = analysed.worms().ok_or_else(|| stage(case, "Worms"))?;
            let Some(worm) = worms.get(v) else { return Err(stage(case, "Worms")) };
            check_worm(board, worm, expect, &mut differences);
            check_reading(case, analysed, v, expect, &mut differences)?;
        }
        Expect::Liberties { of, order, are } => {
            let worms = analysed.worms().ok_or_else(|| stage(case, "Worms"))?;
            let mut wanted = are.iter().map(|name| at(name)).collect::<Result<Vec<Vertex>, _>>()?;
            wanted.sort_unstable();
            let by_order = tengen_go::worms::by_order(board, worms, at(of)?);
            let found = order.checked_sub(1).and_then(|i| by_order.get(i));
            let found = found.ok_or_else(|| no_such_order(case, *order))?;
            let names =
                |of: &[Vertex]| of.iter().map(|v| v.to_gtp(board.size())).collect::<Vec<_>>().join(" ");
            differences.field(&format!("order {order}"), Some(names(&wanted)), names(found));
        }
        Expect::BestMove(_) | Expect::Move { .. } => moves::check(case, analysed, expect, &mut differences)?,
        Expect::Dragon { .. } | Expect::HalfEye { .. } => {
            dragons::check(case, analysed, expect, &mut differences)?;
        }
        Expect::FinalStatus { .. } => final_status::check(case, analysed, expect, &mut differences)?,
        Expect::Distance { at: name, to, distance, strategic } => {
            let v = at(name)?;
            let found = |strategic| i32::from(tengen_go::escape::distances(board, *to, strategic)[v.at()]);
            differences.field("distance", *distance, found(false));
            differences.field("strategic distance", *strategic, found(true));
        }
        Expect::Influence { .. }
        | Expect::Permeability { .. }
        | Expect::Pattern { .. }
        | Expect::MoveInfluence { .. }
        | Expect::Field { .. }
        | Expect::Territory { .. }
        | Expect::Score { .. } => {
            territory::check(case, analysed, expect, &mut differences)?;
        }
        _ => {
            return Err(meaningless(case));
        }
    }
    Ok(differences.of(expect))
}

/// Liberties have the orders 1 to 4.
fn no_such_order(case: &Case, order: usize) -> Diagnostic {
    case.fault("Liberties(", format!("there are no liberties of order {order}")).help("1 to 4")
}

/// The expectation is of another game or task.
fn meaningless(case: &Case) -> Diagnostic {
    case.fault("expect:", "this expectation means nothing for this task")
        .help("see scenes/README.md for the expectations of each task")
}

/// The stage an expectation needs was not asked for.
pub(super) fn stage(case: &Case, needed: &str) -> Diagnostic {
    case.fault("expect:", format!("this expectation needs the stage {needed}"))
        .help(format!("write `task: Analyse(last: {needed})`, a later stage, or `Analyse()` for all"))
}

fn check_worm(board: &Board, worm: &Worm, expect: &Expect, differences: &mut Differences) {
    let Expect::Worm {
        color,
        size,
        effective_size,
        origin,
        liberties,
        cutstone,
        cutstone2,
        genus,
        ko,
        inessential,
        ..
    } = expect
    else {
        return;
    };
    differences.field("color", *color, worm.color);
    differences.field("size", *size, worm.size.into());
    differences.near("effective_size", *effective_size, worm.effective_size, 0.005);
    differences.field("origin", origin.clone(), worm.origin.to_gtp(board.size()));
    if let Some(liberties) = liberties {
        let found: Vec<usize> = worm.liberties.iter().take(liberties.len()).map(|&n| n.into()).collect();
        differences.field("liberties", Some(liberties.clone()), found);
    }
    differences.field("cutstone", *cutstone, worm.cutstone);
    differences.field("cutstone2", *cutstone2, worm.cutstone2);
    differences.field("genus", *genus, worm.genus.into());
    differences.field("ko", *ko, worm.ko);
    differences.field("inessential", *inessential, worm.inessential);
}

/// Checks `attack` and `defend` of a worm.
fn check_reading(
    case: &Case,
    analysed: &Analysed,
    v: Vertex,
    expect: &Expect,
    differences: &mut Differences,
) -> Result<(), Diagnostic> {
    let Expect::Worm { attack, defend, .. } = expect else { return Ok(()) };
    if attack.is_none() && defend.is_none() {
        return Ok(());
    }
    let tactics = analysed.tactics().ok_or_else(|| stage(case, "Tactics"))?;
    let Some(read) = tactics.at(&analysed.input.position.board, v) else {
        differences.say("there is no stone to attack");
        return Ok(());
    };
    let asked = [
        ("attack", attack, read.attack, read.attack_point),
        ("defend", defend, read.defense, read.defense_point),
    ];
    for (name, wanted, found, played) in asked {
        let Some(wanted) = wanted else { continue };
        let (code, points) = match wanted {
            Reading::Fail => (Code::Fail, "*"),
            Reading::Win(at) => (Code::Win, at.as_str()),
            Reading::KoA(at) => (Code::KoA, at.as_str()),
            Reading::KoB(at) => (Code::KoB, at.as_str()),
        };
        differences.field(name, Some(code), found);
        let mut fits = points == "*";
        for point in points.split('|').filter(|&p| p != "*") {
            fits |= vertex(case, analysed.input, point)? == played;
        }
        if !fits && found == code {
            let played = played.to_gtp(analysed.input.position.board.size());
            differences.say(format!("{name} plays {played}, not {points}"));
        }
    }
    Ok(())
}

/// The stage that finds what an expectation looks at; `None` if an analysis doesn't find it.
const fn needed(expect: &Expect) -> Option<AnalyseSystems> {
    use AnalyseSystems as S;
    Some(match expect {
        Expect::Distance { .. } => S::Read,
        Expect::Worm { attack: None, defend: None, .. } | Expect::Liberties { .. } => S::Worms,
        Expect::Worm { .. } => S::Tactics,
        Expect::Influence { .. }
        | Expect::Permeability { .. }
        | Expect::Pattern { .. }
        | Expect::Field { .. }
        | Expect::Territory { .. }
        | Expect::Score { mate: None, .. } => S::FirstInfluence,
        Expect::MoveInfluence { .. } => S::SecondInfluence,
        Expect::Dragon { .. } | Expect::HalfEye { .. } | Expect::FinalStatus { .. } => S::Dragons,
        Expect::BestMove(_) | Expect::Move { .. } => S::MoveEvaluation,
        _ => return None,
    })
}

/// Whether the scene's analysis finds what an expectation looks at.
fn possible(case: &Case, expect: &Expect) -> Result<(), Diagnostic> {
    let Some(Task::Analyse { last, .. }) = case.scene.as_ref().map(|s| &s.task) else { return Ok(()) };
    if matches!(expect, Expect::Column { .. }) {
        return Ok(());
    }
    let fault = match needed(expect) {
        None => meaningless(case),
        Some(needed) if needed > *last => stage(case, &format!("{needed:?}")),
        Some(_) => return Ok(()),
    };
    // Its place is that of the expectation itself.
    let debug = format!("{expect:?}");
    let name: String = debug.chars().take_while(char::is_ascii_alphabetic).collect();
    Err(Diagnostic { at: case.fault(&format!("{name}("), "").at, ..fault })
}

/// Checks, without an analysis, that it would find what an expectation looks at, and the vertices it names.
pub fn names(case: &Case, input: &GoInput, expect: &Expect) -> Result<(), Diagnostic> {
    possible(case, expect)?;
    if let Expect::Liberties { order, .. } = expect
        && !(1..=4).contains(order)
    {
        return Err(no_such_order(case, *order));
    }
    let names: Vec<&String> = match expect {
        Expect::Worm { at, .. } | Expect::Distance { at, .. } | Expect::Influence { at, .. } => vec![at],
        Expect::Move { at, .. }
        | Expect::Permeability { at, .. }
        | Expect::MoveInfluence { at, .. }
        | Expect::HalfEye { at, .. } => vec![at],
        Expect::Pattern { at, .. } => at.iter().collect(),
        Expect::Liberties { of, are, .. } => are.iter().chain([of]).collect(),
        Expect::Dragon { at, with, apart, .. } => with.iter().chain(apart).chain([at]).collect(),
        Expect::Territory { at, .. } => at.iter().collect(),
        Expect::FinalStatus { dead, seki } => dead.iter().chain(seki).collect(),
        _ => Vec::new(),
    };
    names.into_iter().try_for_each(|name| vertex(case, input, name).map(|_| ()))
}

/// Checks `Column`: a value anywhere in the result.
#[must_use]
pub fn column(result: &Value, expect: &Expect) -> Checked {
    let mut differences = Differences::default();
    if let Expect::Column { name, is, within } = expect {
        match (result.pointer(&format!("/{name}")), is) {
            (None, _) => differences.say(format!("there is no column {name}")),
            (Some(Value::Number(found)), Value::Number(wanted)) => {
                let (found, wanted) = (found.as_f64().unwrap_or(f64::NAN), wanted.as_f64());
                differences.near(name, wanted.map(|w| w as f32), found as f32, *within);
            }
            (Some(found), wanted) if found != wanted => {
                differences.say(format!("{name} is {found}, not {wanted}"))
            }
            _ => {}
        }
    }
    differences.of(expect)
}

/// Compares a figure of whole numbers, one row a line; what is no number is not looked at.
pub fn compare(
    case: &Case,
    size: usize,
    figure: &str,
    found: impl Fn(Vertex) -> Option<i64>,
    differences: &mut Differences,
) -> Result<(), Diagnostic> {
    let cells: Vec<&str> = figure.split_whitespace().collect();
    if cells.len() != size * size {
        return Err(case
            .fault("rows:", format!("the figure has {} cells, the board {}", cells.len(), size * size))
            .help("write one cell a vertex, `+` or `X` where nothing is expected"));
    }
    for (index, cell) in cells.iter().enumerate() {
        let v = Vertex::from_index(index, size);
        if let Ok(expected) = cell.parse::<i64>() {
            differences.field(&v.to_gtp(size), Some(Some(expected)), found(v));
        }
    }
    Ok(())
}
