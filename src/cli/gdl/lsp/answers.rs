//! Answers the questions of an editor about a rulesheet: hover, definition, references, rename, completion, format.

use super::document::Document;
use crate::number_text::counted;
use lsp_types::{
    CompletionItem, CompletionItemKind, Diagnostic, DiagnosticSeverity, DocumentSymbol, Hover, HoverContents,
    MarkupContent, MarkupKind, NumberOrString, Position, Range, SymbolKind, TextEdit,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tengen_core::{Severity, Stop};
use tengen_propnet::gdl::words::{self, Kind, Word};
use tengen_propnet::gdl::{GdlError, print};
use tengen_propnet::program::{Depends, PredId, Program};
use tengen_propnet::prover::Prover;

/// The most diagnostics of each sort that are sent.
const MOST: usize = 500;
/// The most work to count the tuples of a relation, in thousands of calls and answers.
const WORK: u64 = 50;

/// Errors and warnings; then the other variables that stand once, as hints.
pub(super) fn diagnostics(document: &mut Document, of_play: &[GdlError]) -> Vec<Diagnostic> {
    let faults: Vec<GdlError> = document.review().faults.iter().chain(of_play).cloned().collect();
    let mut found: Vec<Diagnostic> = faults.iter().take(MOST).map(|e| diagnostic(document, e)).collect();
    let (words, _) = document.words();
    let variables: Vec<&Word> = words.iter().filter(|w| w.kind == Kind::Variable).collect();
    let mut single = Vec::new();
    for rule in variables.chunk_by(|a, b| a.rule == b.rule) {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        rule.iter().for_each(|word| *counts.entry(&word.name).or_default() += 1);
        let once = rule.iter().filter(|w| counts[w.name.as_str()] == 1 && !w.fact);
        single.extend(once.map(|w| (w.name.clone(), w.span)));
    }
    let told: Vec<_> = faults.iter().map(|e| e.span).collect();
    for (name, span) in single.into_iter().filter(|(_, span)| !told.contains(span)).take(MOST) {
        found.push(Diagnostic {
            range: document.range(span),
            severity: Some(DiagnosticSeverity::HINT),
            source: Some("tengen".into()),
            message: format!("`{name}` stands once: any value will do"),
            ..Diagnostic::default()
        });
    }
    found
}

fn diagnostic(document: &Document, error: &GdlError) -> Diagnostic {
    let severity = match error.severity() {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
    };
    Diagnostic {
        range: document.range(error.span),
        severity: Some(severity),
        code: Some(NumberOrString::String(error.fault.code().into())),
        source: Some("tengen".into()),
        message: format!("{}\nhelp: {}", error.fault, error.fault.help()),
        ..Diagnostic::default()
    }
}

/// Whether two words are one thing: the same name of the same kind, a variable in the same rule.
fn same(a: &Word, b: &Word) -> bool {
    a.kind == b.kind && a.name == b.name && (a.kind != Kind::Variable || a.rule == b.rule)
}

/// The meaning of the word, its definition and the number of its occurrences.
pub(super) fn hover(document: &mut Document, at: Position) -> Option<Hover> {
    let word = document.word(at)?;
    let all: Vec<Word> = document.review().words.iter().filter(|w| same(w, &word)).cloned().collect();
    let times = |n: usize, one: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {one}s"),
    };
    let (facts, rules) = (
        all.iter().filter(|w| w.defines && w.fact).count(),
        all.iter().filter(|w| w.defines && !w.fact).count(),
    );
    let asked = all.iter().filter(|w| !w.defines).count();
    let first = all.iter().find(|w| w.defines);
    let made = format!("{} and {}", times(facts, "fact"), times(rules, "rule"));
    let defined = first.map_or_else(
        || "defined nowhere".to_owned(),
        |w| format!("defined in line {}", document.position(w.span.start).line + 1),
    );
    let mut lines = match word.kind {
        Kind::Keyword => {
            let meaning = words::meaning(&word.name).unwrap_or_default();
            let mut lines = vec![meaning.to_owned()];
            if first.is_some() {
                lines.push(format!("Here: {made}."));
            }
            lines
        }
        Kind::Relation => {
            let mut lines = vec![format!("`{}`: a relation of {}", word.name, times(word.arity, "argument"))];
            lines.push(format!("{made}, {defined}; asked in {}", times(asked, "place")));
            lines.extend(holds(document, &word));
            lines
        }
        Kind::Function | Kind::Constant => {
            let what = if word.kind == Kind::Function { "a term with arguments" } else { "a constant" };
            let mut lines = vec![format!("`{}`: {what}, in {}", word.name, times(all.len(), "place"))];
            if first.is_some() {
                lines.push(format!("made as a role, a fact or a move by {made}, {defined}"));
            }
            lines
        }
        Kind::Variable => {
            vec![format!("`{}`: a variable, in {} of this rule", word.name, times(all.len(), "place"))]
        }
    };
    if let Some(first) = first.filter(|w| w.kind != Kind::Keyword) {
        let comment = document.comment_above(first.span.start);
        if !comment.is_empty() {
            lines.push(comment);
        }
    }
    let value = lines.join("\n\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(document.range(word.span)) })
}

/// How many tuples a relation holds for, or what that depends on.
fn holds(document: &mut Document, word: &Word) -> Option<String> {
    let program = document.review().program.as_ref()?;
    let is_it = |p: &tengen_propnet::program::Predicate| {
        p.arity == word.arity && program.symbols.name(p.name) == word.name
    };
    let number = program.predicates.iter().position(is_it)?;
    match program.predicates[number].depends {
        Depends::State => Some("holds for what depends on the state".into()),
        Depends::Move => Some("holds for what depends on the state and the move".into()),
        Depends::Static => {
            let predicate = PredId(u32::try_from(number).ok()?);
            if program.by_head.get(number).is_none_or(Vec::is_empty) {
                return None;
            }
            let count = ground_facts(program, predicate)?;
            Some(format!("grounds to {count} {}", crate::number_text::plural("fact", count)))
        }
    }
}

fn ground_facts(program: &Program, predicate: PredId) -> Option<usize> {
    let mut prover = Prover::new(program.clone());
    let asked = Arc::new(AtomicU64::new(0));
    prover.set_stop(Stop::when(move || asked.fetch_add(1, Ordering::Relaxed) >= WORK));
    let free = vec![None; program.predicates[predicate.index()].arity];
    prover.ask(predicate, &free).ok().map(|rows| rows.len())
}

/// Where the word is defined: the heads of a relation, what makes a fact, a move or a role.
pub(super) fn definitions(document: &mut Document, at: Position) -> Vec<Range> {
    let Some(word) = document.word(at) else { return Vec::new() };
    let all: Vec<Word> = document.review().words.iter().filter(|w| same(w, &word)).cloned().collect();
    if word.kind == Kind::Variable {
        return all.first().map(|w| document.range(w.span)).into_iter().collect();
    }
    all.iter().filter(|w| w.defines).map(|w| document.range(w.span)).collect()
}

/// Every place of the word.
pub(super) fn references(document: &mut Document, at: Position, with_definitions: bool) -> Vec<Range> {
    let Some(word) = document.word(at) else { return Vec::new() };
    let all: Vec<Word> = document.review().words.iter().filter(|w| same(w, &word)).cloned().collect();
    all.iter().filter(|w| with_definitions || !w.defines).map(|w| document.range(w.span)).collect()
}

/// The place of a word that has a name of its author's.
pub(super) fn renamed(document: &mut Document, at: Position) -> Option<(Range, String)> {
    let word = document.word(at).filter(|w| w.kind != Kind::Keyword)?;
    Some((document.range(word.span), word.name))
}

/// The edits that rename the word.
///
/// # Errors
/// Why it can't have this name.
pub(super) fn rename(document: &mut Document, at: Position, name: &str) -> Result<Vec<TextEdit>, String> {
    let word = document.word(at).ok_or("there is no word here")?;
    let name = name.trim().to_ascii_lowercase();
    if word.kind == Kind::Keyword {
        return Err(format!("`{}` is a keyword of GDL", word.name));
    }
    let plain = |c: char| !(c.is_whitespace() || c.is_control() || "();\"|".contains(c));
    if name.is_empty() || name == "?" || !name.chars().all(plain) {
        return Err("a name has letters, digits and signs such as + - _".into());
    }
    if name.starts_with('?') != (word.kind == Kind::Variable) {
        return Err("a variable begins with `?`, nothing else does".into());
    }
    if name != "random" && words::meaning(&name).is_some() || matches!(name.as_str(), "=>" | "<=>") {
        return Err(format!("`{name}` is a keyword of GDL"));
    }
    let all = &document.review().words;
    let new = Word { name: name.clone(), ..word.clone() };
    if name != word.name && all.iter().any(|w| same(w, &new)) {
        return Err(format!("`{name}` is there already"));
    }
    let places: Vec<_> = all.iter().filter(|w| same(w, &word)).map(|w| w.span).collect();
    Ok(places.into_iter().map(|span| TextEdit::new(document.range(span), name.clone())).collect())
}

/// The outline: each relation that is defined, where it is first.
pub(super) fn symbols(document: &mut Document) -> Vec<DocumentSymbol> {
    let mut found: BTreeMap<&str, (usize, usize, &Word)> = BTreeMap::new();
    let words = document.review().words.clone();
    let heads = words.iter().filter(|w| w.defines && matches!(w.kind, Kind::Keyword | Kind::Relation));
    for head in heads {
        let entry = found.entry(&head.name).or_insert((0, 0, head));
        *(if head.fact { &mut entry.0 } else { &mut entry.1 }) += 1;
    }
    let mut symbols: Vec<DocumentSymbol> = found
        .into_values()
        .map(|(facts, rules, word)| {
            #[expect(
                deprecated,
                reason = "the type has a field that is deprecated, and no other way to be made"
            )]
            DocumentSymbol {
                name: word.name.clone(),
                detail: Some(format!("{}, {}", counted("fact", facts), counted("rule", rules))),
                kind: if word.kind == Kind::Keyword { SymbolKind::KEY } else { SymbolKind::FUNCTION },
                tags: None,
                deprecated: None,
                range: document.range(word.list),
                selection_range: document.range(word.span),
                children: None,
            }
        })
        .collect();
    symbols.sort_by_key(|s| s.range.start);
    symbols
}

/// Keywords, and the words of the rulesheet; behind a `?` the variables of the rule.
pub(super) fn completions(document: &mut Document, at: Position) -> Vec<CompletionItem> {
    let offset = document.offset(at);
    let text = document.text();
    let blank = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';');
    let start = text[..offset].rfind(blank).map_or(0, |n| n + 1);
    let written = text[start..offset].to_ascii_lowercase();
    let line = text[..offset].rfind(['\n', '\r']).map_or(0, |n| n + 1);
    if text[line..offset].contains(';') {
        return Vec::new();
    }
    let variables: Vec<String> = if written.starts_with('?') {
        // The rule begins at the last `(` of the first column; it may not be closed yet.
        let from = text[..offset].rfind("\n(").map_or(0, |n| n + 1);
        let to = text[offset..].find("\n(").map_or(text.len(), |n| offset + n);
        let rule = text[from..start].split(blank).chain(text[offset..to].split(blank));
        rule.filter(|word| word.len() > 1 && word.starts_with('?')).map(str::to_ascii_lowercase).collect()
    } else {
        Vec::new()
    };
    let item = |label: &str, kind, detail: String| CompletionItem {
        label: label.into(),
        kind: Some(kind),
        detail: Some(detail),
        ..CompletionItem::default()
    };
    let mut found: BTreeMap<String, CompletionItem> = BTreeMap::new();
    if written.starts_with('?') {
        for name in variables.iter().filter(|name| **name != written) {
            let made = item(name, CompletionItemKind::VARIABLE, "a variable of this rule".into());
            found.insert(name.clone(), made);
        }
    } else {
        for word in &document.review().words {
            // The word that is being written is none yet.
            if matches!(word.kind, Kind::Keyword | Kind::Variable) || word.span.end == offset {
                continue;
            }
            let (kind, what) = match word.kind {
                Kind::Relation => (CompletionItemKind::FUNCTION, "relation"),
                Kind::Function => (CompletionItemKind::STRUCT, "term"),
                _ => (CompletionItemKind::CONSTANT, "constant"),
            };
            let detail =
                if word.arity > 0 { format!("{what}, {} arguments", word.arity) } else { what.into() };
            found.entry(word.name.clone()).or_insert_with(|| item(&word.name, kind, detail));
        }
        for (name, meaning) in words::KEYWORDS {
            found.insert(name.into(), item(name, CompletionItemKind::KEYWORD, meaning.into()));
        }
    }
    found.into_values().filter(|i| i.label.starts_with(&written)).take(MOST).collect()
}

/// The edits that write the text, or the lines of a range, in one style; none where parentheses do not match.
pub(super) fn format(document: &Document, range: Option<Range>) -> Vec<TextEdit> {
    let whole = document.text();
    let (from, to) = match range {
        None => (0, whole.len()),
        Some(range) => {
            let start = document.offset(Position::new(range.start.line, 0));
            let last = range.end.line + u32::from(range.end.character > 0 || range.end == range.start);
            (start, document.offset(Position::new(last, 0)).max(start))
        }
    };
    let text = &whole[from..to];
    match print::format(text) {
        Ok(formatted) if formatted != text => {
            let range = Range::new(document.position(from), document.position(to));
            vec![TextEdit::new(range, formatted)]
        }
        _ => Vec::new(),
    }
}
