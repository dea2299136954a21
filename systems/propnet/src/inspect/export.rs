//! Writes a net for other programs and for people: as JSON, as a Graphviz digraph, or a single part down to its rules.
//!
//! # Format
//! The JSON has `format`, `roles`, the facts of the state before the first move (`initial`), `facts`, `parts` and
//! `rules`. A part has an `id`, a `kind`, a `label`, a `level` and a list `reads`. Each entry of the list is the id of
//! a part and whether its value is inverted. A part of kind `or` holds if one of these values holds. Any other part
//! with such a list holds if all of them hold; for a legal proposition the guards are among them. A rule has a
//! `number`, its `line` and its `text`. It also has the ids of the parts that it `derives` and `reads`, and the numbers
//! of the rules that use its head (`used_by`).
//!
//! The `facts` hold in all states. A latch has its `base`, the `value` that it keeps, and the parts `by` which this
//! follows. The parts that `stay_true` are terminal and goals that read only latches. Of the `bases` of each of the
//! `groups` at most one holds, or exactly one. `turns` has a base for each role; without it the role has no choice.
//! `sum` is the sum of the goals of two roles in a terminal state. `sub_games` are sets of bases that no move connects.
//! The facts are `complete` unless the net is too large for all proofs.
//!
//! A reader sets the parts of kind `base` and `input` and computes the others in the order of the list.

use super::facts::Facts;
use super::{Inspection, Kind, Part, Rule, Wire};
use crate::net::Net;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A rule with its place and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRule {
    /// What it concerns.
    pub rule: Rule,
    /// The line in which it begins, counted from 1.
    pub line: usize,
    /// Its text in one line.
    pub text: String,
}

/// Adds lines and texts to the rules of a text.
#[must_use]
pub fn named(rules: Vec<Rule>, text: &str) -> Vec<NamedRule> {
    let name = |rule: Rule| {
        let line = 1 + text[..rule.span.start].matches('\n').count();
        let without_comments =
            text[rule.span.clone()].lines().map(|l| l.split(';').next().unwrap_or_default());
        let words: Vec<&str> = without_comments.flat_map(str::split_whitespace).collect();
        NamedRule { line, text: words.join(" "), rule }
    };
    rules.into_iter().map(name).collect()
}

/// The name of a kind.
const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Constant => "constant",
        Kind::Base => "base",
        Kind::Input => "input",
        Kind::And => "and",
        Kind::Or => "or",
        Kind::Next => "next",
        Kind::Legal => "legal",
        Kind::Terminal => "terminal",
        Kind::Goal => "goal",
    }
}

/// The net as JSON; `inspection`, `rules` and `facts` are of this net.
#[must_use]
pub fn json(net: &Net, inspection: &Inspection, rules: &[NamedRule], facts: &Facts) -> Value {
    let initial: Vec<&str> = net.names.initial.ones().map(|base| net.names.bases[base].as_str()).collect();
    let part = |(id, part): (usize, &Part)| {
        json!({
            "id": id, "kind": kind_name(part.kind), "label": part.label, "level": part.level, "reads": part.reads,
        })
    };
    let rule = |(number, named): (usize, &NamedRule)| {
        let Rule { derives, reads, used_by, .. } = &named.rule;
        json!({
            "number": number, "line": named.line, "text": named.text, "derives": derives, "reads": reads,
            "used_by": used_by,
        })
    };
    json!({
        "format": 1,
        "roles": net.names.roles,
        "initial": initial,
        "facts": facts.json(net),
        "parts": inspection.parts.iter().enumerate().map(part).collect::<Vec<_>>(),
        "rules": rules.iter().enumerate().map(rule).collect::<Vec<_>>(),
    })
}

/// The net in the DOT language: bases as boxes, inputs as diamonds, gates as circles, outputs as plain text with the
/// lines of the rules that derive them. Inverted inputs are dashed.
#[must_use]
pub fn dot(inspection: &Inspection, rules: &[NamedRule]) -> String {
    let mut lines: Vec<Vec<String>> = vec![Vec::new(); inspection.parts.len()];
    for named in rules {
        named.rule.derives.iter().for_each(|&part| lines[part].push(named.line.to_string()));
    }
    let mut out = String::from("digraph net {\n  rankdir=LR;\n");
    for (id, part) in inspection.parts.iter().enumerate() {
        let shape = match part.kind {
            Kind::Base => "box",
            Kind::Input => "diamond",
            Kind::Constant | Kind::And | Kind::Or => "circle",
            _ => "plaintext",
        };
        // The constant is drawn where something reads it.
        if part.kind == Kind::Constant && inspection.read_by[id].is_empty() {
            continue;
        }
        let mut label = part.label.clone();
        if !lines[id].is_empty() {
            let _ = write!(label, "\nline {}", lines[id].join(", "));
        }
        let _ = writeln!(out, "  n{id} [shape={shape},label={label:?}];");
        for &(read, inverse) in &part.reads {
            let style = if inverse { " [style=dashed]" } else { "" };
            let _ = writeln!(out, "  n{read} -> n{id}{style};");
        }
    }
    out.push_str("}\n");
    out
}

/// The most gates of an explanation.
const MOST_GATES: usize = 60;

/// One part in words: the rules that derive it, those of the relations they use, and its gates down to bases and
/// inputs.
#[must_use]
pub fn explain(inspection: &Inspection, rules: &[NamedRule], part: usize) -> String {
    let mut out = format!("{}\n", name(inspection, part));
    let mut open: Vec<usize> =
        (0..rules.len()).filter(|&n| concerns(inspection, &rules[n].rule, part)).collect();
    let mut found: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(user) = open.pop() {
        let helpers = (0..rules.len()).filter(|&n| rules[n].rule.used_by.contains(&user));
        open.extend(helpers.filter(|&n| found.insert(n)));
    }
    out += "rules:\n";
    for named in found.iter().map(|&n| &rules[n]) {
        let _ = writeln!(out, "  line {}: {}", named.line, named.text);
    }
    if found.is_empty() {
        out += "  none\n";
    }
    out += "gates:\n";
    let mut seen = BTreeSet::from([part]);
    let mut open = vec![part];
    let mut listed = 0;
    while let Some(at) = open.pop() {
        let reads = &inspection.parts[at].reads;
        if reads.is_empty() {
            continue;
        }
        if listed == MOST_GATES {
            out += "  and more\n";
            break;
        }
        listed += 1;
        let inputs: Vec<String> = reads.iter().map(|wire| wire_name(inspection, wire)).collect();
        let any = if inspection.parts[at].kind == Kind::Or { "one of" } else { "all of" };
        let _ = writeln!(out, "  {}: {any} {}", name(inspection, at), inputs.join(", "));
        let next: Vec<usize> = reads.iter().rev().map(|r| r.0).filter(|&r| seen.insert(r)).collect();
        open.extend(next);
    }
    out
}

/// Whether a rule derives a part. Nothing derives a base or an input; the rules of its transition and of its legal
/// proposition do.
fn concerns(inspection: &Inspection, rule: &Rule, part: usize) -> bool {
    let Part { kind, label, .. } = &inspection.parts[part];
    let derived = match kind {
        Kind::Base => inspection.named(&label.replacen("(true ", "(next ", 1)),
        Kind::Input => inspection.named(&label.replacen("(does ", "(legal ", 1)),
        _ => Some(part),
    };
    derived.is_some_and(|part| rule.derives.contains(&part))
}

/// The label of a part; gates have their number too.
fn name(inspection: &Inspection, part: usize) -> String {
    let Part { kind, label, .. } = &inspection.parts[part];
    match kind {
        Kind::And | Kind::Or => format!("{label} {part}"),
        _ => label.clone(),
    }
}

fn wire_name(inspection: &Inspection, &(part, inverse): &Wire) -> String {
    let name = name(inspection, part);
    if inverse { format!("not {name}") } else { name }
}
