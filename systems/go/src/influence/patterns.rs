//! The effects of the pattern databases on a map. The module turns matches into [`Cause`]s.
//!
//! # Source
//! GNU Go 3.8 manual, "Influence", section "Patterns used by the Influence module". The strengths, and the pass in
//! which each class counts, are measured against GNU Go 3.8's answers.
//!
//! # Notation
//! `O` is the colour that a pattern is matched for: each colour for `influence.db`, the side to move for `barriers.db`.

use super::passes::{Kind, Pass};
use crate::board::{Color, Vertex};
use crate::patterns::query::{self, Queries};
use crate::patterns::status::{CRITICAL, DEAD, UNKNOWN};
use crate::patterns::{Match, Pattern, PatternDatabases};
use crate::spread::effects::{ENHANCEMENT_ATTENUATION, Effect, INVASION_ATTENUATION};
use crate::spread::{Cause, Field};

/// An invasion counts so much more for escape, if its pattern is also of class e.
const ESCAPE_INVASION: f32 = 20.0;

/// The kind of map and its player: all data of a pass that a match needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The side that moves first everywhere; `None` for escape influence.
    pub(super) to_move: Option<Color>,
    /// The kind of map.
    pub(super) kind: Kind,
}

impl View {
    /// Whether a pattern of `influence.db` matched for `color` does anything to such a map.
    pub(super) fn wants_source(self, pattern: &Pattern, color: Color) -> bool {
        in_use(pattern, self.kind) && extra_source_is_wanted(pattern, self, color)
    }

    /// Whether a pattern of `barriers.db` does.
    pub(super) fn wants_barrier(self, pattern: &Pattern) -> bool {
        self.to_move.is_some() && in_use(pattern, self.kind) && "ADBt".chars().any(|class| pattern.has(class))
    }
}

/// Everything the databases do to the map of this pass, in a fixed order. `field` is [`Pass::field`].
pub fn causes(
    databases: &PatternDatabases,
    pass: &Pass<'_>,
    field: &Field,
    queries: &mut dyn Queries,
) -> Vec<Cause> {
    let mut causes = Vec::new();
    let view = View { to_move: pass.to_move, kind: pass.kind };
    for color in Color::BOTH {
        for found in databases.influence.find(pass.board, color, |p| view.wants_source(p, color)) {
            sources_of(&found, view, queries, &mut causes);
        }
    }
    if let Some(color) = pass.to_move {
        for found in databases.barriers.find(pass.board, color, |p| view.wants_barrier(p)) {
            barriers_of(&found, field, queries, &mut causes);
        }
    }
    causes
}

/// The effects of an accepted match of `influence.db`.
pub(super) fn sources_of(found: &Match<'_>, view: View, queries: &mut dyn Queries, causes: &mut Vec<Cause>) {
    if status_allows(found, queries) && query::accepts(found, queries) {
        extra_sources(found, view, causes);
    }
}

/// The effects of an accepted match of `barriers.db`.
pub(super) fn barriers_of(
    found: &Match<'_>,
    field: &Field,
    queries: &mut dyn Queries,
    causes: &mut Vec<Cause>,
) {
    if stones_are_sources(found, field) && status_allows(found, queries) && query::accepts(found, queries) {
        barriers(found, queries, causes);
    }
}

/// Whether a pattern of `barriers.db` gives intrusions to follow-up influence.
pub(super) fn is_followup(pattern: &Pattern) -> bool {
    in_use(pattern, Kind::Territorial) && pattern.has('B')
}

/// The intrusions of a match for the colour that has just moved, for follow-up influence. The match must start from a
/// stone for which `saved` holds, be accepted, and have an agreeing action.
pub(super) fn followup_of(
    found: &Match<'_>,
    field: &Field,
    saved: impl Fn(Vertex) -> bool,
    queries: &mut dyn Queries,
    causes: &mut Vec<Cause>,
) {
    if found.vertices('Q').any(saved)
        && stones_are_sources(found, field)
        && status_allows(found, queries)
        && query::accepts(found, queries)
        && query::act(found, queries).returned.is_none_or(|value| value != 0)
    {
        intrusions(found, causes);
    }
}

/// Attributes Y and FY: only in territorial maps, only in the others.
fn in_use(pattern: &Pattern, kind: Kind) -> bool {
    let territorial = kind != Kind::Escape;
    if pattern.class.contains("FY") { !territorial } else { territorial || !pattern.has('Y') }
}

fn extra_source_is_wanted(pattern: &Pattern, pass: View, color: Color) -> bool {
    if pattern.has('E') {
        return pass.kind == Kind::Escape;
    }
    let for_somebody = pattern.has('s') || pass.to_move.is_none_or(|to_move| to_move != color);
    pattern.has('I') && for_somebody
}

fn extra_sources(found: &Match<'_>, pass: View, causes: &mut Vec<Cause>) {
    let pattern = found.pattern;
    let value = pattern.value("value").unwrap_or(0.0);
    let class = if pattern.has('E') { 'E' } else { 'I' };
    let mut add = |color, at, strength, attenuation| {
        let effect = Effect::Source { strength, attenuation };
        causes.push(Cause { pattern: pattern.name.clone(), class, at, color, effect });
    };
    for at in found.vertices('*') {
        if pattern.has('E') {
            add(found.color, at, value, ENHANCEMENT_ATTENUATION);
            continue;
        }
        let escape = pass.kind == Kind::Escape && pattern.has('e');
        let strength = if escape { ESCAPE_INVASION * value } else { value };
        match pass.to_move {
            Some(color) if !pattern.has('s') => add(color, at, strength, INVASION_ATTENUATION),
            _ => Color::BOTH.into_iter().for_each(|color| add(color, at, strength, INVASION_ATTENUATION)),
        }
    }
}

/// Classes A, D, B, t ask that their stones are sources, unless of class s.
fn stones_are_sources(found: &Match<'_>, field: &Field) -> bool {
    let strong = |color: Color, v: Vertex| field.strength[color.index()][v.at()] > 0.0;
    found.pattern.has('s')
        || (found.vertices('O').chain(found.vertices('Q')).all(|v| strong(found.color, v))
            && found.vertices('X').all(|v| strong(found.color.other(), v)))
}

/// Attributes O, o, X, x: the possible statuses of the dragons of the pattern's stones.
fn status_allows(found: &Match<'_>, queries: &mut dyn Queries) -> bool {
    let class = found.pattern;
    let mut all = |characters: [char; 2], allowed: &dyn Fn(i32) -> bool| {
        let stones: Vec<Vertex> = characters.into_iter().flat_map(|c| found.vertices(c)).collect();
        stones.into_iter().all(|v| allowed(queries.status(v)))
    };
    (!class.has('O') || all(['O', 'Q'], &|s| s != DEAD && s != CRITICAL))
        && (!class.has('o') || all(['O', 'Q'], &|s| s == DEAD || s == UNKNOWN))
        && (!class.has('X') || all(['X', 'X'], &|s| s != DEAD))
        && (!class.has('x') || all(['X', 'X'], &|s| s == DEAD || s == UNKNOWN))
}

fn barriers(found: &Match<'_>, queries: &mut dyn Queries, causes: &mut Vec<Cause>) {
    let pattern = found.pattern;
    if pattern.has('B') {
        intrusions(found, causes);
        return;
    }
    let class = ['t', 'A'].into_iter().find(|&class| pattern.has(class)).unwrap_or('D');
    let mut add =
        |at, color, effect| causes.push(Cause { pattern: pattern.name.clone(), class, at, color, effect });
    if pattern.has('t') {
        for (function, args) in query::act(found, queries).done {
            let color = match function.name {
                "non_oterritory" => found.color,
                "non_xterritory" => found.color.other(),
                _ => continue,
            };
            for at in args.into_iter().flatten() {
                add(at, color, Effect::NonTerritory);
            }
        }
        return;
    }
    let color = if pattern.has('A') { found.color } else { found.color.other() };
    for at in found.vertices(',') {
        add(at, color, Effect::Barrier);
    }
    for at in found.vertices('!') {
        add(at, color, Effect::WeakPoint);
    }
}

fn intrusions(found: &Match<'_>, causes: &mut Vec<Cause>) {
    let Some(from) = found.vertices('Q').next() else { return };
    let strength = found.pattern.value("value").unwrap_or(0.0);
    for at in found.vertices('!') {
        let effect = Effect::Intrusion { from, strength };
        causes.push(Cause {
            pattern: found.pattern.name.clone(),
            class: 'B',
            at,
            color: found.color,
            effect,
        });
    }
}
