//! The list of all tables with their columns.

use crate::definition::{From, Kind, POSITION, Rows, Table, field};
use crate::schema_go::{DRAGONS, MOVES, POINTS, WORMS};
use crate::schema_go_lists::{BREAK_INS, CAUSES, CAVES, CAVITIES, EFFECTS, EYES, HALF_EYES, REASONS};
use Kind::{Float, Int, Text};
use std::fmt::Write as _;

/// All tables.
pub static TABLES: [Table; 16] = [
    GAMES, POSITIONS, POINTS, WORMS, DRAGONS, CAVITIES, CAVES, EYES, HALF_EYES, EFFECTS, BREAK_INS, MOVES,
    REASONS, CAUSES, SEARCHES, LINES,
];

const GAMES: Table = Table {
    name: "games",
    doc: "a game (or rulesheet, or line of positions) that records name",
    rows: Rows::Games,
    fields: &[
        field("game", Int, From::Game, "its number, from 0: `positions.game`"),
        field("file", Text, From::Record(&["/game/file"]), "the file, with forward slashes"),
        field("line", Int, From::Record(&["/game/line"]), "the line it begins on (chess)"),
        field("number", Int, From::Record(&["/game/number"]), "which game of the file, from 1 (PGN)"),
        field("moves", Int, From::Record(&["/game/moves"]), "moves of the whole game"),
        field("black", Text, From::Record(&["/game/info/black"]), "player"),
        field("white", Text, From::Record(&["/game/info/white"]), "player"),
        field("black_rank", Text, From::Record(&["/game/info/black_rank"]), "rank"),
        field("white_rank", Text, From::Record(&["/game/info/white_rank"]), "rank"),
        field("result", Text, From::Record(&["/game/info/result"]), "as the file has it"),
        field("date", Text, From::Record(&["/game/info/date"]), "as the file has it"),
        field("event", Text, From::Record(&["/game/info/event"]), "as the file has it"),
        field("info", Text, From::RecordJson("/game/info"), "all that the file says, as JSON"),
    ],
};

const POSITIONS: Table = Table {
    name: "positions",
    doc: "a record: one position or case of a run",
    rows: Rows::Record,
    fields: &[
        POSITION,
        field("id", Text, From::Record(&["/id"]), "the record's id"),
        field("game", Int, From::Game, "`games.game`; null where the scene itself describes the position"),
        field("move", Int, From::Record(&["/result/move", "/game/move"]), "moves played"),
        field("played", Text, From::Record(&["/game/played"]), "the move the game goes on with"),
        field("domain", Text, From::Record(&["/domain"]), "`go`, `chess` or `gdl`"),
        field(
            "task",
            Text,
            From::Record(&["/task"]),
            "`analyse`, `search`, `selfplay`, `perft`, `playouts` or `influence`",
        ),
        field("status", Text, From::Record(&["/status"]), "`ok`, `failed`, `error` or `limit`"),
        field("failed", Int, From::Failed, "expectations that do not hold"),
        field("warnings", Text, From::RecordJson("/warnings"), "what was done otherwise than asked, as JSON"),
        field("error", Text, From::Record(&["/result/error/message"]), "what kept it from being run"),
        field("error_file", Text, From::Record(&["/result/error/file"]), "the file of the fault"),
        field("error_line", Int, From::Record(&["/result/error/at/line"]), "the line of the fault"),
        field(
            "limit",
            Text,
            From::Record(&["/result/limit/what"]),
            "the limit that ended it: `seconds`, `memory` or `nodes`",
        ),
        field(
            "signature",
            Int,
            From::Record(&["/signature"]),
            "a hash of the result: changes when behaviour does",
        ),
        field("size", Int, From::Record(&["/result/size"]), "Go: vertices a side"),
        field("to_move", Text, From::Record(&["/result/to_move"]), "Go: whose turn, `Black` or `White`"),
        field("komi", Float, From::Record(&["/result/komi"]), "Go: points White gets"),
        field("effort", Text, From::Record(&["/result/effort"]), "Go: how far it was read"),
        field(
            "stones",
            Text,
            From::Record(&["/result/stones"]),
            "Go: row by row from the top left, X black, O white, . empty",
        ),
        field(
            "captured_by_black",
            Int,
            From::Record(&["/result/captured/black"]),
            "Go: stones Black has taken",
        ),
        field(
            "captured_by_white",
            Int,
            From::Record(&["/result/captured/white"]),
            "Go: stones White has taken",
        ),
        field("last_move", Text, From::Record(&["/result/last_move"]), "Go: the last move or `pass`"),
        field("reading_nodes", Int, From::Record(&["/result/reading/nodes"]), "Go: nodes of reading strings"),
        field(
            "influence_pass",
            Text,
            From::Record(&["/result/territory/pass"]),
            "Go: the influence territory rests on, `first` or `second`",
        ),
        field(
            "white_lead",
            Float,
            From::Record(&["/result/territory/white_lead"]),
            "Go: White's lead in points, komi included",
        ),
        field("judge", Text, From::Record(&["/result/judge/name"]), "Go: who judged"),
        field(
            "judge_lead",
            Float,
            From::Record(&["/result/judge/lead"]),
            "Go: Black's lead by the judge with the side to move, komi included",
        ),
        field(
            "judge_lead_if_pass",
            Float,
            From::Record(&["/result/judge/lead_if_pass"]),
            "Go: the same with the other side to move",
        ),
        field(
            "judge_win_rate",
            Float,
            From::Record(&["/result/judge/win_rate"]),
            "Go: how likely Black wins, by the judge",
        ),
        field(
            "judge_pass",
            Float,
            From::Record(&["/result/judged/pass"]),
            "Go: how likely the judge calls a pass of the side to move",
        ),
        field(
            "if_white_moves",
            Float,
            From::Record(&["/result/territory/if_white_moves"]),
            "Go: the same with White to move everywhere",
        ),
        field(
            "if_black_moves",
            Float,
            From::Record(&["/result/territory/if_black_moves"]),
            "Go: the same with Black to move everywhere",
        ),
        field("black_territory", Int, From::Record(&["/result/territory/territory/black"]), "Go: vertices"),
        field("white_territory", Int, From::Record(&["/result/territory/territory/white"]), "Go: vertices"),
        field(
            "black_moyo",
            Int,
            From::Record(&["/result/territory/moyo/black"]),
            "Go: vertices of moyo and better",
        ),
        field(
            "white_moyo",
            Int,
            From::Record(&["/result/territory/moyo/white"]),
            "Go: vertices of moyo and better",
        ),
        field(
            "black_area",
            Int,
            From::Record(&["/result/territory/area/black"]),
            "Go: vertices of area and better",
        ),
        field(
            "white_area",
            Int,
            From::Record(&["/result/territory/area/white"]),
            "Go: vertices of area and better",
        ),
        field("candidates", Int, From::Record(&["/result/candidates"]), "Go: moves of positive value"),
        field(
            "stones_after",
            Text,
            From::Record(&["/result/stones_after"]),
            "Go: the stones after the best move",
        ),
        field(
            "cut_off",
            Text,
            From::RecordJson("/result/cut_off"),
            "Go: questions a node limit cut off, by stage, as JSON",
        ),
        field("own", Text, From::RecordJson("/result/own"), "columns of systems of one's own, as JSON"),
    ],
};

const SEARCHES: Table = Table {
    name: "searches",
    doc: "a record whose task is a search, a count or playouts",
    rows: Rows::Tasks(&["search", "perft", "playouts"]),
    fields: &[
        POSITION,
        field("best", Text, From::Record(&["/result/best", "/result/task/best"]), "best move"),
        field("ponder", Text, From::Record(&["/result/ponder"]), "chess: the answer expected"),
        field(
            "score",
            Int,
            From::Record(&["/result/score", "/result/value"]),
            "chess: centipawns for the side to move",
        ),
        field("path", Text, From::RecordJson("/result/path"), "chess: what the score rests on, as JSON"),
        field(
            "value",
            Float,
            From::Record(&["/result/task/value"]),
            "rulesheets: the mean goal of the best move, 0 to 100",
        ),
        field("role", Text, From::Record(&["/result/task/role"]), "rulesheets: whose move it is"),
        field("visits", Int, From::Record(&["/result/task/visits"]), "rulesheets: visits of the root"),
        field(
            "depth",
            Int,
            From::Record(&["/result/depth", "/result/task/depth"]),
            "last finished iteration; plies or joint moves counted",
        ),
        field("seldepth", Int, From::Record(&["/result/seldepth"]), "chess: deepest ply"),
        field(
            "nodes",
            Int,
            From::Record(&["/result/nodes", "/result/task/nodes"]),
            "positions entered or counted",
        ),
        field(
            "table_hits",
            Int,
            From::Record(&["/result/table_hits", "/result/hits"]),
            "chess: nodes ended by the table",
        ),
        field(
            "refused",
            Int,
            From::Record(&["/result/refused"]),
            "chess: stored bounds weakened because of the path",
        ),
        field(
            "dependent",
            Int,
            From::Record(&["/result/dependent"]),
            "chess: closed nodes whose value depends on the path",
        ),
        field("closed", Int, From::Record(&["/result/closed"]), "chess: closed nodes"),
        field(
            "ended_by",
            Text,
            From::Record(&["/result/ended_by"]),
            "chess: `depth`, `nodes`, `mate`, `stop`, `moves` or `max_depth`",
        ),
        field(
            "games",
            Int,
            From::Record(&["/result/games", "/result/task/playouts"]),
            "playouts: games played",
        ),
        field(
            "white_wins",
            Float,
            From::Record(&["/result/white_wins"]),
            "playouts of Go: share of the games White wins",
        ),
        field(
            "moves",
            Int,
            From::Record(&["/result/moves", "/result/task/steps"]),
            "playouts: moves of all games",
        ),
        field(
            "longest",
            Int,
            From::Record(&["/result/task/longest"]),
            "playouts of rulesheets: joint moves of the longest game",
        ),
        field(
            "goals",
            Text,
            From::RecordJson("/result/goals"),
            "playouts of rulesheets: mean goals by role, as JSON",
        ),
        field(
            "goal_counts",
            Text,
            From::RecordJson("/result/task/goal_counts"),
            "playouts of rulesheets: how often each goal was reached, as JSON",
        ),
        field(
            "white_leads",
            Text,
            From::RecordJson("/result/white_leads"),
            "playouts of Go: how often White leads by so many points, as JSON",
        ),
    ],
};

const LINES: Table = Table {
    name: "lines",
    doc: "a line of a chess search, best first",
    rows: Rows::Each("/result/lines"),
    fields: &[
        POSITION,
        field("line", Int, From::Number, "its number, from 0"),
        field("depth", Int, From::Own(&["/depth"]), "iteration"),
        field("seldepth", Int, From::Own(&["/seldepth"]), "deepest ply"),
        field("score", Int, From::Own(&["/score"]), "centipawns for the side to move"),
        field("bound", Text, From::Own(&["/bound"]), "`exact`, `lower` or `upper`"),
        field("path", Text, From::Json("/path"), "what the score rests on, as JSON"),
        field("nodes", Int, From::Own(&["/nodes"]), "positions entered"),
        field("full", Int, From::Own(&["/full"]), "table in use, per mille"),
        field("pv", Text, From::Words("/pv"), "the moves in UCI's spelling"),
    ],
};

/// The columns of all tables, in the form of the page `docs/tables.md`.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::new();
    for table in &TABLES {
        // Writing to a string can't fail.
        let _ = write!(
            text,
            "## {}\n\nA row: {}.\n\n| column | type | meaning |\n| --- | --- | --- |\n",
            table.name, table.doc
        );
        for field in table.fields {
            let _ = writeln!(text, "| `{}` | {} | {} |", field.name, field.kind.name(), field.doc);
        }
        text.push('\n');
    }
    text
}
