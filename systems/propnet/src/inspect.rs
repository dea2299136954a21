//! A net as data for pictures and pages: its nodes by level with their names and values, and the rules behind each
//! node.
//!
//! # Notation
//! A *part* is a node of the net or one of its outputs. Some gates mostly read inverses and are mostly read inverted.
//! Such a gate is shown as the OR that it was made from, with its value and its wires inverted (see
//! [`crate::net::Net::size`]).
//!
//! # Rules and gates
//! The passes over a net share and cut gates, so a gate has no name of a rule. Bases, inputs and outputs keep their
//! names. A rule derives the outputs that its head matches. It reads the bases and inputs that a literal of its body
//! matches. A rule of a helper relation has neither; [`Rule::used_by`] leads to rules that have.

pub mod export;
pub mod facts;
mod refute;
pub mod structure;
#[cfg(test)]
mod tests;

use crate::gdl::ast::{Atom, Rulesheet, Symbols, Term};
use crate::gdl::sexp::{self, Sexp};
use crate::net::Lit;
use crate::propagate::Topology;
use std::collections::BTreeMap;
use std::ops::Range;

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The constant false.
    Constant,
    /// A base proposition.
    Base,
    /// An input proposition.
    Input,
    /// A gate that is true when all its inputs are.
    And,
    /// A gate that is true when one of its inputs is.
    Or,
    /// The transition of a base: its value in the next state.
    Next,
    /// A legal proposition.
    Legal,
    /// Terminal.
    Terminal,
    /// A goal.
    Goal,
}

/// A wire: the part it comes from, and whether it carries the inverse.
pub type Wire = (usize, bool);

/// A part of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its kind.
    pub kind: Kind,
    /// Its name as in a rule; `and` and `or` for gates.
    pub label: String,
    /// The longest path to it in gates; an output is one above its input.
    pub level: usize,
    /// Its inputs.
    pub reads: Vec<Wire>,
}

/// The parts of a net.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The nodes in the net's numbering, then the outputs.
    pub parts: Vec<Part>,
    /// The number of nodes among them.
    pub nodes: usize,
    /// For each part, the parts that read it.
    pub read_by: Vec<Vec<usize>>,
}

impl Inspection {
    /// The parts of a net.
    #[must_use]
    pub fn new(topology: &Topology) -> Self {
        let net = &topology.net;
        let names = &net.names;
        let is_or = net.shown_as_or();
        let role_of = |input: usize| &names.roles[names.role_start.partition_point(|&s| s <= input) - 1];
        let leaf = |kind, label: String| Part { kind, label, level: 0, reads: Vec::new() };
        let mut parts = vec![leaf(Kind::Constant, "false".into())];
        parts.extend(names.bases.iter().map(|base| leaf(Kind::Base, format!("(true {base})"))));
        let does = |(input, text): (usize, &String)| format!("(does {} {text})", role_of(input));
        parts.extend(names.moves.iter().enumerate().map(|m| leaf(Kind::Input, does(m))));
        for g in 0..net.gates() {
            let or = is_or[net.first_gate() + g];
            let wire = |l: &Lit| (l.node(), l.inverted() ^ is_or[l.node()] ^ or);
            let reads: Vec<Wire> = net.gate(g).iter().map(wire).collect();
            let level = above(&parts, &reads);
            let (kind, label) = if or { (Kind::Or, "or") } else { (Kind::And, "and") };
            parts.push(Part { kind, label: label.into(), level, reads });
        }
        let nodes = parts.len();
        let mut output = |kind, label: String, lits: &[Lit]| {
            let lits = lits.iter().filter(|&&l| lits.len() == 1 || l != Lit::TRUE);
            let reads: Vec<Wire> = lits.map(|l| (l.node(), l.inverted() ^ is_or[l.node()])).collect();
            let level = above(&parts[..nodes], &reads);
            parts.push(Part { kind, label, level, reads });
        };
        for (base, &lit) in names.bases.iter().zip(&net.transitions) {
            output(Kind::Next, format!("(next {base})"), &[lit]);
        }
        for (input, text) in names.moves.iter().enumerate() {
            output(Kind::Legal, format!("(legal {} {text})", role_of(input)), &topology.legal_pair(input));
        }
        output(Kind::Terminal, "terminal".into(), &[net.terminal]);
        for (role, lits) in net.goals.iter().enumerate() {
            for (value, &lit) in names.goal_values[role].iter().zip(lits) {
                output(Kind::Goal, format!("(goal {} {value})", names.roles[role]), &[lit]);
            }
        }
        let mut read_by = vec![Vec::new(); parts.len()];
        for (number, part) in parts.iter().enumerate() {
            part.reads.iter().for_each(|&(read, _)| read_by[read].push(number));
        }
        Self { parts, nodes, read_by }
    }

    /// The values of all parts, from the values of the net's nodes as [`Topology::evaluate`] gives them.
    #[must_use]
    pub fn values(&self, of_nodes: &[bool]) -> Vec<bool> {
        let mut values: Vec<bool> =
            of_nodes.iter().zip(&self.parts).map(|(&value, part)| value ^ (part.kind == Kind::Or)).collect();
        for part in &self.parts[self.nodes..] {
            let value = part.reads.iter().all(|&(read, inverse)| values[read] ^ inverse);
            values.push(value);
        }
        values
    }

    /// The part with this name; gates have none.
    #[must_use]
    pub fn named(&self, label: &str) -> Option<usize> {
        self.parts.iter().position(|part| part.label == label && !matches!(part.kind, Kind::And | Kind::Or))
    }

    /// The parts that a part depends on, and those that depend on it, itself included, by number. At most `most` parts
    /// are given, the nearest first.
    #[must_use]
    pub fn around(&self, part: usize, most: usize) -> Vec<usize> {
        let mut found = vec![part];
        let mut is_found = vec![false; self.parts.len()];
        is_found[part] = true;
        for down in [true, false] {
            let mut open = vec![part];
            while !open.is_empty() && found.len() < most {
                let mut further = Vec::new();
                for at in open {
                    let reads: Vec<usize> = self.parts[at].reads.iter().map(|r| r.0).collect();
                    for next in if down { reads } else { self.read_by[at].clone() } {
                        if found.len() < most && !std::mem::replace(&mut is_found[next], true) {
                            found.push(next);
                            further.push(next);
                        }
                    }
                }
                open = further;
            }
        }
        found.sort_unstable();
        found
    }
}

fn above(parts: &[Part], reads: &[Wire]) -> usize {
    1 + reads.iter().map(|&(read, _)| parts[read].level).max().unwrap_or(0)
}

/// A rule of the text, and the parts it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// The outputs it derives.
    pub derives: Vec<usize>,
    /// The bases and inputs it reads.
    pub reads: Vec<usize>,
    /// The rules whose bodies use its head, by number.
    pub used_by: Vec<usize>,
}

/// The rules of a rulesheet that was read without errors, in the order of the text; `inspection` is of its net.
#[must_use]
pub fn rules(sheet: &Rulesheet, inspection: &Inspection) -> Vec<Rule> {
    let names = Names::new(inspection);
    let mut found: Vec<Rule> = Vec::with_capacity(sheet.rules.len());
    let mut asking: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
    for (number, rule) in sheet.rules.iter().enumerate() {
        let mut reads = Vec::new();
        for formula in &rule.body {
            formula.atoms(false, &mut |atom, _| {
                let name = sheet.symbols.name(atom.name);
                asking.entry((name, atom.args.len())).or_default().push(number);
                if matches!(name, "true" | "does") {
                    names.matching(&sheet.symbols, atom, &mut reads);
                }
            });
        }
        reads.sort_unstable();
        reads.dedup();
        let mut derives = Vec::new();
        if matches!(sheet.symbols.name(rule.head.name), "next" | "legal" | "terminal" | "goal") {
            names.matching(&sheet.symbols, &rule.head, &mut derives);
        }
        let span = rule.span.start..rule.span.end;
        found.push(Rule { span, derives, reads, used_by: Vec::new() });
    }
    for (number, rule) in sheet.rules.iter().enumerate() {
        let key = (sheet.symbols.name(rule.head.name), rule.head.args.len());
        let mut users = asking.get(&key).cloned().unwrap_or_default();
        users.dedup();
        found[number].used_by = users;
    }
    found
}

/// Names of parts as terms, by their first word.
struct Names(BTreeMap<String, Vec<(usize, Vec<Sexp>)>>);

impl Names {
    fn new(inspection: &Inspection) -> Self {
        let mut names: BTreeMap<String, Vec<(usize, Vec<Sexp>)>> = BTreeMap::new();
        for (number, part) in inspection.parts.iter().enumerate().skip(1) {
            let (word, args) = match sexp::read(&part.label).0.pop() {
                Some(Sexp::Word(word, _)) => (word, Vec::new()),
                Some(Sexp::List(mut items, _)) if !items.is_empty() => match items.remove(0) {
                    Sexp::Word(word, _) => (word, items),
                    Sexp::List(..) => continue,
                },
                _ => continue,
            };
            names.entry(word).or_default().push((number, args));
        }
        Self(names)
    }

    /// Adds the parts that an atom may stand for. Equal variables must match equal terms inside one atom only.
    fn matching(&self, symbols: &Symbols, atom: &Atom, out: &mut Vec<usize>) {
        for (number, args) in self.0.get(symbols.name(atom.name)).map_or(&[][..], |list| list) {
            let mut bound = BTreeMap::new();
            let fits = args.len() == atom.args.len()
                && atom.args.iter().zip(args).all(|(term, text)| fits(symbols, term, text, &mut bound));
            if fits {
                out.push(*number);
            }
        }
    }
}

fn fits<'a>(symbols: &Symbols, term: &Term, text: &'a Sexp, bound: &mut BTreeMap<u32, &'a Sexp>) -> bool {
    match (term, text) {
        (Term::Variable(variable), text) => same(bound.entry(*variable).or_insert(text), text),
        (Term::Constant(name), Sexp::Word(word, _)) => symbols.name(*name) == word,
        (Term::Compound(name, args), Sexp::List(items, _)) => {
            matches!(items.first(), Some(Sexp::Word(word, _)) if symbols.name(*name) == word)
                && items.len() == args.len() + 1
                && args.iter().zip(&items[1..]).all(|(term, text)| fits(symbols, term, text, bound))
        }
        _ => false,
    }
}

/// Equality without regard to places.
fn same(a: &Sexp, b: &Sexp) -> bool {
    match (a, b) {
        (Sexp::Word(a, _), Sexp::Word(b, _)) => a == b,
        (Sexp::List(a, _), Sexp::List(b, _)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => false,
    }
}
