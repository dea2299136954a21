//! The tables of Go.

use crate::schema::{From, Kind, POSITION, Rows, Table, field};
use Kind::{Bool, Float, Int, Text};

pub(crate) const POINTS: Table = Table {
    name: "points",
    doc: "a vertex of a position of Go, row by row from the top left; with `columns: [Points]` all columns",
    rows: Rows::Vertices,
    fields: &[
        POSITION,
        field("vertex", Text, From::VertexName, "as GTP spells it"),
        field("row", Int, From::VertexRow, "0 at the top"),
        field("column", Int, From::VertexColumn, "0 at the left"),
        field("stone", Text, From::VertexStone, "`Black`, `White` or null"),
        field("worm", Int, From::Entry(&["/result/points/worm"]), "`worms.worm`; null where empty"),
        field("dragon", Int, From::Entry(&["/result/points/dragon"]), "`dragons.dragon`; null where empty"),
        field(
            "black_eye",
            Int,
            From::Entry(&["/result/points/black_eye"]),
            "`eyes.eye` of Black's space there",
        ),
        field(
            "white_eye",
            Int,
            From::Entry(&["/result/points/white_eye"]),
            "`eyes.eye` of White's space there",
        ),
        field(
            "black_first_influence",
            Float,
            From::Entry(&["/result/points/black_first_influence", "/result/first_influence/black"]),
            "dragons not known yet",
        ),
        field(
            "white_first_influence",
            Float,
            From::Entry(&["/result/points/white_first_influence", "/result/first_influence/white"]),
            "dragons not known yet",
        ),
        field(
            "black_influence",
            Float,
            From::Entry(&["/result/points/black_influence", "/result/influence/black"]),
            "in the last pass",
        ),
        field(
            "white_influence",
            Float,
            From::Entry(&["/result/points/white_influence", "/result/influence/white"]),
            "in the last pass",
        ),
        field(
            "black_permeability",
            Float,
            From::Entry(&["/result/points/black_permeability"]),
            "how freely Black's influence flows, 0 to 1",
        ),
        field(
            "white_permeability",
            Float,
            From::Entry(&["/result/points/white_permeability"]),
            "how freely White's influence flows, 0 to 1",
        ),
        field(
            "territory",
            Float,
            From::Entry(&["/result/points/territory", "/result/territory_values"]),
            "-1 Black's to 1 White's",
        ),
        field(
            "region",
            Int,
            From::Entry(&["/result/points/region", "/result/regions"]),
            "territory 3, moyo 2, area 1, neither 0, Black's negative; stones 4 and -4",
        ),
        field(
            "black_distance",
            Int,
            From::Entry(&["/result/points/black_distance"]),
            "moves from Black's stones, not passing White's; null without a path",
        ),
        field("white_distance", Int, From::Entry(&["/result/points/white_distance"]), "likewise of White's"),
        field(
            "black_strategic_distance",
            Int,
            From::Entry(&["/result/points/black_strategic_distance"]),
            "nor, but at its beginning, passing a liberty of White's",
        ),
        field(
            "white_strategic_distance",
            Int,
            From::Entry(&["/result/points/white_strategic_distance"]),
            "likewise of White's",
        ),
    ],
};

pub(crate) const WORMS: Table = Table {
    name: "worms",
    doc: "a string of a position of Go",
    rows: Rows::Each("/result/worms"),
    fields: &[
        POSITION,
        field("worm", Int, From::Number, "its number in the position, from 0"),
        field("dragon", Int, From::Within("/result/dragons", "/strings", "/origin"), "`dragons.dragon`"),
        field("origin", Text, From::Own(&["/origin"]), "its first vertex"),
        field("color", Text, From::Own(&["/color"]), "`Black` or `White`"),
        field("size", Int, From::Own(&["/size"]), "stones"),
        field(
            "effective_size",
            Float,
            From::Own(&["/effective_size"]),
            "stones and their share of the empty vertices around",
        ),
        field("liberties", Int, From::Own(&["/liberties/0"]), "liberties"),
        field("liberties2", Int, From::Own(&["/liberties/1"]), "of order 2"),
        field("liberties3", Int, From::Own(&["/liberties/2"]), "of order 3"),
        field("liberties4", Int, From::Own(&["/liberties/3"]), "of order 4"),
        field("cutstone", Int, From::Own(&["/cutstone"]), "2 a cutting stone, 1 a potential one"),
        field("genus", Int, From::Own(&["/genus"]), "components of the complement, less one"),
        field("ko", Bool, From::Own(&["/ko"]), "in a ko"),
        field(
            "inessential",
            Bool,
            From::Own(&["/inessential"]),
            "without life of its own unless the strings around it die",
        ),
        field(
            "attack_code",
            Int,
            From::Own(&["/attack/code"]),
            "1 captured, 2 by a ko, 3 by a ko that needs a threat first; null where it can't be",
        ),
        field("attack_move", Text, From::Own(&["/attack/move"]), "the opponent's move"),
        field(
            "defend_code",
            Int,
            From::Own(&["/defend/code"]),
            "whether the owner, to move, saves it: 0 to 3; null where it needs none",
        ),
        field("defend_move", Text, From::Own(&["/defend/move"]), "the owner's move"),
        field("line", Text, From::Words("/line"), "the line of the attack"),
        field("lunch", Text, From::Own(&["/lunch"]), "a string it can take"),
    ],
};

pub(crate) const DRAGONS: Table = Table {
    name: "dragons",
    doc: "a dragon of a position of Go",
    rows: Rows::Each("/result/dragons"),
    fields: &[
        POSITION,
        field("dragon", Int, From::Number, "its number in the position, from 0"),
        field("origin", Text, From::Own(&["/origin"]), "its first vertex"),
        field("color", Text, From::Own(&["/color"]), "`Black` or `White`"),
        field("size", Int, From::Own(&["/size"]), "stones"),
        field("strings", Text, From::Words("/strings"), "a stone of each string"),
        field(
            "effective_size",
            Float,
            From::Own(&["/effective_size"]),
            "stones and their share of the empty vertices around",
        ),
        field("min_eyes", Int, From::Own(&["/eyes/0"]), "eyes for sure"),
        field("max_eyes", Int, From::Own(&["/eyes/1"]), "eyes at most"),
        field("heyes", Int, From::Own(&["/heyes"]), "half eyes"),
        field("escape_route", Int, From::Own(&["/escape_route"]), "how well it gets out"),
        field("moyo_size", Int, From::Own(&["/moyo_size"]), "vertices of its surroundings"),
        field("status", Text, From::Own(&["/status"]), "`Alive`, `Dead`, `Critical` or `Unknown`"),
        field("attack_move", Text, From::Own(&["/vital_points/0"]), "where a critical dragon is attacked"),
        field("defend_move", Text, From::Own(&["/vital_points/1"]), "where a critical dragon is defended"),
        field("rule", Text, From::Own(&["/rule"]), "the rule that gave the status"),
        field("safety", Text, From::Own(&["/safety"]), "the finer status"),
        field("weakness", Float, From::Own(&["/weakness"]), "0 safe to 1 dead"),
        field("lunch", Text, From::Own(&["/lunch"]), "a string it can take"),
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
        field("half_eyes", Int, From::Own(&["/half_eyes"]), "half and false eyes in it"),
        field("vertices", Text, From::Words("/vertices"), "all of them, in vertex order"),
    ],
};

pub(crate) const MOVES: Table = Table {
    name: "moves",
    doc: "a candidate move of a position of Go, best first; the ten best, with `columns: [Moves]` all of positive value",
    rows: Rows::Each("/result/moves"),
    fields: &[
        POSITION,
        field("rank", Int, From::Number, "its place, from 0"),
        field("move", Text, From::Own(&["/move"]), "a vertex as GTP spells it"),
        field("value", Float, From::Own(&["/value"]), "points: the sum of the seven terms"),
        field(
            "territory",
            Float,
            From::Own(&["/terms/territory"]),
            "term: expected territory, prisoners included",
        ),
        field("strategic", Float, From::Own(&["/terms/strategic"]), "term: safety of dragons"),
        field(
            "followup",
            Float,
            From::Own(&["/terms/followup"]),
            "term: a second move here, as far as it counts",
        ),
        field(
            "reverse_followup",
            Float,
            From::Own(&["/terms/reverse_followup"]),
            "term: a second move of the opponent, as far as it counts",
        ),
        field(
            "secondary",
            Float,
            From::Own(&["/terms/secondary"]),
            "term: reasons that by themselves make no move",
        ),
        field("shape", Float, From::Own(&["/terms/shape"]), "term: what the shape factor adds or takes away"),
        field(
            "limit",
            Float,
            From::Own(&["/terms/limit"]),
            "term: what a least or a most value adds or takes away",
        ),
        field(
            "followup_value",
            Float,
            From::Own(&["/followup_value"]),
            "points a second move here would gain",
        ),
        field(
            "reverse_followup_value",
            Float,
            From::Own(&["/reverse_followup_value"]),
            "points a second move of the opponent would gain had he moved here",
        ),
        field(
            "shape_factor",
            Float,
            From::Own(&["/shape_factor"]),
            "the factor by which shape changes the value",
        ),
        field(
            "likely",
            Float,
            From::Own(&["/likely"]),
            "its share among all moves by its surroundings, 0 to 1",
        ),
        field("safe", Bool, From::Own(&["/safe"]), "whether its stone can't be captured at once"),
        field(
            "search_visits",
            Int,
            From::Own(&["/search/visits"]),
            "visits of the search that weighed it, if one did",
        ),
        field(
            "search_win_rate",
            Float,
            From::Own(&["/search/win_rate"]),
            "what that search makes of it, 0 to 1",
        ),
        field("search_lead", Float, From::Own(&["/search/lead"]), "the lead that search expects, in points"),
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
