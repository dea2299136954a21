//! Checks a rulesheet against the demands of the specification beyond its syntax.
//!
//! # Source
//! N. Love, T. Hinrichs, D. Haley, E. Schkufza, M. Genesereth, "General Game Playing: Game Description Language
//! Specification" (2008), sections 2 (safety, stratification, recursion restriction) and 3 (the keywords).
//!
//! # Steps
//! 1. Each relation always has the same number of arguments.
//! 2. Every variable of a head, a negation or a `distinct` occurs in a positive literal (safety).
//! 3. No rule depends on its own negation (stratification). The strongly connected components of the rules show this.
//! 4. Role and init depend on no state. The state depends on no move before `next`.
//! 5. A rule of a recursive relation builds no term around a variable that only the recursion binds.
//! 6. The rulesheet has the relations that every game needs.
//!
//! # Departures
//! Step 3 distinguishes rules of one relation by the constants of their heads. So `(goal ?p 0)` may ask for
//! `(not (goal ?p 100))`, as rulesheets in use do. Faults of step 5 and undefined relations are warnings: rulesheets
//! in use have them without harm, and the grounder has limits of its own.

use super::ast::{Atom, Formula, Rule, Rulesheet, Symbol, Term};
use super::fault::{Meant, Needs};
use super::{Fault, GdlError, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use tengen_core::similar::nearest;

/// All faults of the rulesheet against the specification.
#[must_use]
pub fn check(sheet: &Rulesheet) -> Vec<GdlError> {
    let mut errors = arities(sheet);
    for rule in &sheet.rules {
        safety(rule, sheet.symbols.name(rule.head.name), &mut errors);
    }
    let graph = Graph::of(sheet);
    stratification(sheet, &mut errors);
    graph.dependencies(sheet, &mut errors);
    recursion(sheet, &graph, &mut errors);
    required(sheet, &mut errors);
    errors
}

fn arities(sheet: &Rulesheet) -> Vec<GdlError> {
    let mut seen: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut errors = Vec::new();
    let mut see = |atom: &Atom| {
        let before = *seen.entry(atom.name).or_insert(atom.args.len());
        if before != atom.args.len() {
            let word = sheet.symbols.name(atom.name).to_owned();
            let fault = Fault::Arity { word, got: atom.args.len(), before };
            errors.push(GdlError { fault, span: atom.span });
        }
    };
    for rule in &sheet.rules {
        see(&rule.head);
        rule.body.iter().for_each(|f| f.atoms(false, &mut |atom, _| see(atom)));
    }
    errors
}

/// Step 2.
fn safety(rule: &Rule, head: &str, errors: &mut Vec<GdlError>) {
    let bound = bound_by(&rule.body);
    let mut complained = FxHashSet::default();
    let mut need = |variables: Vec<u32>, span: Span, needs: Needs| {
        for v in variables {
            if !bound.contains(&v) && complained.insert(v) {
                let name = rule.variables[v as usize].clone();
                let fact = rule.body.is_empty();
                let fault = if fact { Fault::VariableInFact(name) } else { Fault::Unsafe { name, needs } };
                errors.push(GdlError { fault, span });
            }
        }
    };
    let of_role = matches!(head, "legal" | "goal" | "input" | "sees");
    for (n, arg) in rule.head.args.iter().enumerate() {
        let mut variables = Vec::new();
        arg.variables(&mut variables);
        let role = of_role && n == 0 && matches!(arg, Term::Variable(_));
        need(variables, rule.head.span, if role { Needs::Role } else { Needs::Value });
    }
    for f in &rule.body {
        needs(f, &bound, &mut need);
    }
}

/// The variables bound by a conjunction: those of its positive literals, and those bound by every branch of an `or`.
fn bound_by(body: &[Formula]) -> FxHashSet<u32> {
    body.iter().flat_map(bound_by_one).collect()
}

fn bound_by_one(f: &Formula) -> FxHashSet<u32> {
    match f {
        Formula::Atom(atom) => atom.variables().into_iter().collect(),
        Formula::And(parts, _) => bound_by(parts),
        Formula::Or(parts, _) => parts
            .iter()
            .map(bound_by_one)
            .reduce(|a, b| a.intersection(&b).copied().collect())
            .unwrap_or_default(),
        Formula::Not(..) | Formula::Distinct(..) => FxHashSet::default(),
    }
}

/// Calls `need` for the variables that must be bound elsewhere.
fn needs(f: &Formula, bound: &FxHashSet<u32>, need: &mut dyn FnMut(Vec<u32>, Span, Needs)) {
    match f {
        Formula::Atom(_) => {}
        Formula::Distinct(a, b, span) => {
            let mut variables = Vec::new();
            a.variables(&mut variables);
            b.variables(&mut variables);
            need(variables, *span, Needs::Value);
        }
        Formula::Not(inner, span) => {
            let mut variables = Vec::new();
            all_variables(inner, &mut variables);
            // A comparison under `not` compares all the same.
            let compares = matches!(**inner, Formula::Distinct(..));
            need(variables, *span, if compares { Needs::Value } else { Needs::Negation });
        }
        Formula::And(parts, _) => parts.iter().for_each(|p| needs(p, bound, need)),
        // Inside a branch its own positive literals bind too.
        Formula::Or(parts, _) => parts.iter().for_each(|p| {
            let inside: FxHashSet<u32> = bound.union(&bound_by_one(p)).copied().collect();
            needs(p, &inside, &mut |variables, span, needs| {
                need(variables.into_iter().filter(|v| !inside.contains(v)).collect(), span, needs);
            });
        }),
    }
}

fn all_variables(f: &Formula, out: &mut Vec<u32>) {
    if let Formula::Distinct(a, b, _) = f {
        a.variables(out);
        b.variables(out);
    }
    match f {
        Formula::Not(inner, _) => all_variables(inner, out),
        Formula::And(parts, _) | Formula::Or(parts, _) => parts.iter().for_each(|p| all_variables(p, out)),
        Formula::Atom(atom) => out.extend(atom.variables()),
        Formula::Distinct(..) => {}
    }
}

/// The dependencies of relations. `next` depends on `true` and `does` of the step before, so those edges end there.
struct Graph {
    /// Relation to (relation of a body literal, negated, place of the literal).
    edges: FxHashMap<Symbol, Vec<(Symbol, bool, Span)>>,
    /// Relation to the number of its strongly connected component.
    component: FxHashMap<Symbol, usize>,
    /// Components with an edge inside.
    recursive: FxHashSet<usize>,
}

impl Graph {
    fn of(sheet: &Rulesheet) -> Self {
        let mut edges: FxHashMap<Symbol, Vec<(Symbol, bool, Span)>> = FxHashMap::default();
        let mut order = Vec::new();
        for rule in &sheet.rules {
            let from = rule.head.name;
            let list = edges.entry(from).or_insert_with(|| {
                order.push(from);
                Vec::new()
            });
            for f in &rule.body {
                f.atoms(false, &mut |atom, negated| list.push((atom.name, negated, atom.span)));
            }
        }
        let component = components(&order, &edges);
        let recursive = edges
            .iter()
            .flat_map(|(from, list)| list.iter().map(move |(to, ..)| (from, to)))
            .filter(|(from, to)| component.get(from) == component.get(to))
            .filter_map(|(from, _)| component.get(from).copied())
            .collect();
        Self { edges, component, recursive }
    }

    /// Step 4.
    fn dependencies(&self, sheet: &Rulesheet, errors: &mut Vec<GdlError>) {
        let symbol = |name| sheet.symbols.get(name);
        for (of, banned) in [
            ("role", &["true", "does"][..]),
            ("init", &["true", "does"]),
            ("base", &["true", "does"]),
            ("input", &["true", "does"]),
            ("legal", &["does"]),
            ("goal", &["does"]),
            ("terminal", &["does"]),
        ] {
            let Some(start) = symbol(of) else { continue };
            let banned: Vec<Symbol> = banned.iter().filter_map(|b| symbol(b)).collect();
            if let Some(span) = self.reaches(start, &banned) {
                let fault = match of {
                    "legal" | "goal" | "terminal" => Fault::DependsOnMove(of.to_owned()),
                    _ => Fault::DependsOnState(of.to_owned()),
                };
                errors.push(GdlError { fault, span });
            }
        }
    }

    /// The place of a literal of one of `targets` among all that `start` depends on.
    fn reaches(&self, start: Symbol, targets: &[Symbol]) -> Option<Span> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            for &(to, _, span) in self.edges.get(&at).into_iter().flatten() {
                if targets.contains(&to) {
                    return Some(span);
                }
                if seen.insert(to) {
                    stack.push(to);
                }
            }
        }
        None
    }
}

/// Strongly connected components, by Tarjan's algorithm without recursion.
fn components(
    order: &[Symbol],
    edges: &FxHashMap<Symbol, Vec<(Symbol, bool, Span)>>,
) -> FxHashMap<Symbol, usize> {
    let number: FxHashMap<Symbol, usize> = order.iter().enumerate().map(|(i, &s)| (s, i)).collect();
    let heads: Vec<Vec<usize>> = order
        .iter()
        .map(|s| edges[s].iter().filter_map(|(to, ..)| number.get(to).copied()).collect())
        .collect();
    let found = crate::scc::components(&heads);
    order.iter().zip(found).map(|(&s, c)| (s, c)).collect()
}

/// Step 3.
fn stratification(sheet: &Rulesheet, errors: &mut Vec<GdlError>) {
    let rules: Vec<&Rule> = sheet.rules.iter().filter(|r| !r.body.is_empty()).collect();
    let mut by_head: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
    for (n, rule) in rules.iter().enumerate() {
        by_head.entry(rule.head.name).or_default().push(n);
    }
    let mut edges = vec![Vec::new(); rules.len()];
    let mut negations = Vec::new();
    for (n, rule) in rules.iter().enumerate() {
        for f in &rule.body {
            f.atoms(false, &mut |atom, negated| {
                for &to in by_head.get(&atom.name).into_iter().flatten() {
                    if rules[to].head.args.iter().zip(&atom.args).all(|(a, b)| may_match(a, b)) {
                        edges[n].push(to);
                        if negated {
                            negations.push((n, to, atom));
                        }
                    }
                }
            });
        }
    }
    let component = crate::scc::components(&edges);
    let mut told = FxHashSet::default();
    for (from, to, atom) in negations {
        if component[from] == component[to] && told.insert(component[from]) {
            let fault = Fault::Unstratified(sheet.symbols.name(atom.name).to_owned());
            errors.push(GdlError { fault, span: atom.span });
        }
    }
}

/// Whether two terms of different rules can be equal, with every variable taken as new.
pub(crate) fn may_match(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Compound(f, x), Term::Compound(g, y)) => {
            f == g && x.len() == y.len() && x.iter().zip(y).all(|(a, b)| may_match(a, b))
        }
        _ => a == b,
    }
}

/// Step 5: in a recursive rule, a variable inside a compound term of the head must be bound outside the recursion.
fn recursion(sheet: &Rulesheet, graph: &Graph, errors: &mut Vec<GdlError>) {
    for rule in &sheet.rules {
        let Some(&here) = graph.component.get(&rule.head.name) else { continue };
        if !graph.recursive.contains(&here) {
            continue;
        }
        let mut outside = FxHashSet::default();
        let mut recursive = false;
        for f in &rule.body {
            f.atoms(false, &mut |atom, negated| {
                if graph.component.get(&atom.name) == Some(&here) {
                    recursive = true;
                } else if !negated {
                    outside.extend(atom.variables());
                }
            });
        }
        let grown = rule.head.args.iter().filter(|a| matches!(a, Term::Compound(..)));
        let mut variables = Vec::new();
        grown.for_each(|a| a.variables(&mut variables));
        if recursive && let Some(&v) = variables.iter().find(|v| !outside.contains(v)) {
            let fault = Fault::Recursion(rule.variables[v as usize].clone());
            errors.push(GdlError { fault, span: rule.head.span });
        }
    }
}

/// Step 6.
fn required(sheet: &Rulesheet, errors: &mut Vec<GdlError>) {
    let start = Span::default();
    let defined: FxHashSet<Symbol> = sheet.rules.iter().map(|r| r.head.name).collect();
    let is_defined = |name| sheet.symbols.get(name).is_some_and(|s| defined.contains(&s));
    for name in ["role", "legal", "goal", "terminal"] {
        if !is_defined(name) {
            errors.push(GdlError { fault: Fault::Missing(name), span: start });
        }
    }
    let mut told = FxHashSet::default();
    let facts = facts_of_states(sheet);
    let meant = |name: &str| match name {
        "+" | "-" | "*" | "/" | "<" | ">" | ">=" | "=<" => Meant::Number,
        "=" | "==" => Meant::Equal,
        _ if sheet.symbols.get(name).is_some_and(|s| facts.contains(&s)) => Meant::Fact,
        _ => {
            let mut names: Vec<&str> = defined.iter().map(|&s| sheet.symbols.name(s)).collect();
            names.sort_unstable();
            nearest(name, names).map_or(Meant::Nothing, |near| Meant::Relation(near.to_owned()))
        }
    };
    for rule in &sheet.rules {
        for f in &rule.body {
            f.atoms(false, &mut |atom, _| {
                let name = sheet.symbols.name(atom.name);
                if !matches!(name, "true" | "does") && !defined.contains(&atom.name) && told.insert(atom.name)
                {
                    let fault = Fault::Undefined { name: name.to_owned(), meant: meant(name) };
                    errors.push(GdlError { fault, span: atom.span });
                }
            });
        }
        goal_value(sheet, rule, errors);
    }
}

/// The words of facts that `init` or `next` makes.
fn facts_of_states(sheet: &Rulesheet) -> FxHashSet<Symbol> {
    let makes = |name: &str| matches!(name, "init" | "next");
    let heads = sheet.rules.iter().map(|rule| &rule.head).filter(|h| makes(sheet.symbols.name(h.name)));
    heads
        .filter_map(|head| match head.args.first() {
            Some(Term::Constant(name) | Term::Compound(name, _)) => Some(*name),
            _ => None,
        })
        .collect()
}

fn goal_value(sheet: &Rulesheet, rule: &Rule, errors: &mut Vec<GdlError>) {
    if sheet.symbols.name(rule.head.name) != "goal" {
        return;
    }
    if let Some(Term::Constant(value)) = rule.head.args.get(1) {
        let word = sheet.symbols.name(*value);
        if !word.parse::<u8>().is_ok_and(|v| v <= 100) {
            errors.push(GdlError { fault: Fault::GoalValue(word.to_owned()), span: rule.head.span });
        }
    }
}
