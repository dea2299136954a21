//! The other tables of Go with their columns: eye spaces, empty units, effects of patterns, break-ins, reasons of
//! moves.

use crate::definition::{From, Kind, POSITION, Rows, Table, field};
use Kind::{Bool, Float, Int, Text};

pub(crate) const CAVITIES: Table = Table {
    name: "cavities",
    doc: "an empty region of a position of Go",
    rows: Rows::Each("/result/cavities"),
    fields: &[
        POSITION,
        field("cavity", Int, From::Number, "its number in the position, from 0"),
        field("origin", Text, From::Own(&["/origin"]), "its first vertex"),
        field("color", Text, From::Own(&["/color"]), "`BlackBorder`, `WhiteBorder` or `GrayBorder`"),
        field("size", Int, From::Own(&["/size"]), "vertices"),
        field("ko", Bool, From::Own(&["/ko"]), "a ko can be fought there"),
    ],
};

pub(crate) const CAVES: Table = Table {
    name: "caves",
    doc: "cavities of a position of Go that count as one",
    rows: Rows::Each("/result/caves"),
    fields: &[
        POSITION,
        field("cave", Int, From::Number, "its number in the position, from 0"),
        field("origin", Text, From::Own(&["/origin"]), "its first vertex"),
        field("color", Text, From::Own(&["/color"]), "`BlackBorder`, `WhiteBorder` or `GrayBorder`"),
        field("size", Int, From::Own(&["/size"]), "vertices"),
        field("border", Text, From::Own(&["/border"]), "the origin of the dragon around it"),
        field("cavities", Text, From::Words("/cavities"), "the origins of its cavities"),
    ],
};

pub(crate) const HALF_EYES: Table = Table {
    name: "half_eyes",
    doc: "a half or false eye of a position of Go",
    rows: Rows::Each("/result/half_eyes"),
    fields: &[
        POSITION,
        field("half_eye", Int, From::Number, "its number in the position, from 0"),
        field("vertex", Text, From::Own(&["/vertex"]), "as GTP spells it"),
        field("owner", Text, From::Own(&["/owner"]), "whose dragon is around it"),
        field("type", Text, From::Own(&["/type"]), "`Half` or `False`"),
        field(
            "value",
            Float,
            From::Own(&["/value"]),
            "the sum over its diagonals: 3 for a half eye, 4 and more for a false one",
        ),
        field("attack_points", Text, From::Words("/attack_points"), "moves that make it false"),
        field("defense_points", Text, From::Words("/defense_points"), "moves that make it an eye"),
    ],
};

pub(crate) const EFFECTS: Table = Table {
    name: "effects",
    doc: "something that a pattern did to the influence of a position of Go; with `columns: [Effects]`",
    rows: Rows::Each("/result/effects"),
    fields: &[
        POSITION,
        field("effect_number", Int, From::Number, "its number in the position, from 0"),
        field("vertex", Text, From::Own(&["/vertex"]), "as GTP spells it"),
        field("color", Text, From::Own(&["/color"]), "whose influence or territory it affects"),
        field("pattern", Text, From::Own(&["/pattern"]), "the pattern's name"),
        field("class", Text, From::Own(&["/class"]), "its class: `A`, `D`, `B`, `t`, `I` or `E`"),
        field(
            "effect",
            Text,
            From::Own(&["/effect"]),
            "`barrier`, `weak_point`, `source`, `intrusion` or `non_territory`",
        ),
        field("map", Text, From::Own(&["/map"]), "the map that it is on: `territory` or `escape`"),
        field("strength", Float, From::Own(&["/strength"]), "of a source or an intrusion"),
        field("from", Text, From::Own(&["/from"]), "the stone that an intrusion starts from"),
    ],
};

pub(crate) const BREAK_INS: Table = Table {
    name: "break_ins",
    doc: "a break-in into a territory of a position of Go",
    rows: Rows::Each("/result/break_ins"),
    fields: &[
        POSITION,
        field("break_in_number", Int, From::Number, "its number in the position, from 0"),
        field("owner", Text, From::Own(&["/owner"]), "whose territory it is"),
        field("around", Text, From::Own(&["/around"]), "a vertex in the midst of the territory"),
        field("intruder", Text, From::Own(&["/intruder"]), "a stone of the string that breaks in"),
        field(
            "break_in_code",
            Int,
            From::Own(&["/break_in_code"]),
            "whether it breaks in, moving first: 0 to 3",
        ),
        field("break_in", Text, From::Own(&["/break_in"]), "the move that breaks in"),
        field(
            "block_off_code",
            Int,
            From::Own(&["/block_off_code"]),
            "whether the owner keeps it out, moving first: 0 to 3",
        ),
        field("block_off", Text, From::Own(&["/block_off"]), "the move that keeps it out"),
        field("lost", Text, From::Words("/lost"), "the vertices that leave the territory"),
    ],
};

pub(crate) const EYES: Table = Table {
    name: "eyes",
    doc: "an eye space of a position of Go; with `columns: [Eyes]`",
    rows: Rows::Each("/result/eyes"),
    fields: &[
        POSITION,
        field("eye", Int, From::Number, "its number in the position, from 0: Black's first"),
        field("origin", Text, From::Own(&["/origin"]), "its first vertex"),
        field("color", Text, From::Own(&["/color"]), "the owner, `Black` or `White`"),
        field("size", Int, From::Own(&["/size"]), "vertices"),
        field("marginal", Int, From::Own(&["/marginal"]), "marginal vertices among them"),
        field("min_eyes", Int, From::Own(&["/eyes/0"]), "eyes if the attacker moves first"),
        field("max_eyes", Int, From::Own(&["/eyes/1"]), "eyes if the defender moves first"),
        field(
            "attack_points",
            Text,
            From::Words("/attack_points"),
            "the attacker's moves that matter, best known first",
        ),
        field("defence_points", Text, From::Words("/defence_points"), "the defender's"),
        field(
            "value",
            Text,
            From::Own(&["/value"]),
            "eyes if the attacker moves twice, once, if the defender moves first, twice: `0112`",
        ),
        field("half_eyes", Int, From::Own(&["/half_eyes"]), "half and false eyes in it"),
        field("vertices", Text, From::Words("/vertices"), "all of them, in vertex order"),
    ],
};

pub(crate) const CAUSES: Table = Table {
    name: "causes",
    doc: "what a term of a candidate move comes from",
    rows: Rows::Nested("/result/moves", "/causes"),
    fields: &[
        POSITION,
        field("rank", Int, From::Parent, "`moves.rank`"),
        field("cause", Int, From::Number, "its number for the move, from 0"),
        field("term", Text, From::Own(&["/term"]), "the term"),
        field("points", Float, From::Own(&["/points"]), "before sente, shape and limits are counted"),
        field("reason", Int, From::Own(&["/reason"]), "`reasons.reason` behind it; null for influence"),
        field(
            "at",
            Text,
            From::Words("/at"),
            "the vertices whose territory changes, or where the second move would be",
        ),
    ],
};

pub(crate) const REASONS: Table = Table {
    name: "reasons",
    doc: "a reason of a candidate move",
    rows: Rows::Nested("/result/moves", "/reasons"),
    fields: &[
        POSITION,
        field("rank", Int, From::Parent, "`moves.rank`"),
        field("reason", Int, From::Number, "its number for the move, from 0"),
        field("kind", Text, From::Own(&["/kind"]), "as `owl_attack`"),
        field("text", Text, From::Own(&["/text"]), "a sentence"),
    ],
};
