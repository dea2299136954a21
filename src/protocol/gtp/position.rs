//! GTP commands about the current position: stones, liberties, legality, history.

use super::wire::{Answer, Arguments, Failure, vertices};
use super::{Command, Session, command};
use tengen_go::board::upright::{TURNINGS, turned};
use tengen_go::board::{Board, Color, Vertex};

pub(super) const COMMANDS: &[Command] = &[
    command("query_boardsize", |s, _| Ok(s.board().size().to_string())),
    command("query_orientation", |_, _| Ok("0".into())),
    command("color", color),
    command("list_stones", list_stones),
    command("countlib", countlib),
    command("findlib", findlib),
    command("accuratelib", accuratelib),
    command("accurate_approxlib", accuratelib),
    command("is_legal", is_legal),
    command("all_legal", all_legal),
    command("captures", captures),
    command("last_move", last_move),
    command("move_history", move_history),
    command("invariant_hash", invariant_hash),
    command("invariant_hash_for_moves", invariant_hash_for_moves),
    command("showboard", showboard),
];

fn color(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.vertex(0, session.board())?;
    Ok(session.board().color_at(v).map_or("empty".into(), |c| c.to_string()))
}

fn list_stones(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    let board = session.board();
    Ok(vertices(board.vertices().filter(|&v| board.color_at(v) == Some(color)), board.size()))
}

fn countlib(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.stone(0, session.board())?;
    Ok(session.board().liberties(v).to_string())
}

fn findlib(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let board = session.board();
    let v = words.stone(0, board)?;
    Ok(vertices(board.liberty_vertices(v), board.size()))
}

fn accuratelib(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let (color, v) = words.play(0, session.board())?;
    if !session.board().is_empty(v) {
        return Err(Failure::new("vertex must be empty"));
    }
    let mut board = session.board().clone();
    if board.play_ignoring_ko(color, v).is_err() {
        return Ok(String::new());
    }
    Ok(vertices(board.liberty_vertices(v), board.size()))
}

fn is_legal(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let (color, v) = words.play(0, session.board())?;
    Ok(u8::from(session.board().is_legal(color, v)).to_string())
}

fn all_legal(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    let board = session.board();
    Ok(vertices(board.vertices().filter(|&v| board.is_legal(color, v)), board.size()))
}

fn captures(session: &mut Session, words: &Arguments<'_>) -> Answer {
    Ok(session.board().captured(words.color(0)?).to_string())
}

fn last_move(session: &mut Session, _: &Arguments<'_>) -> Answer {
    let board = session.board();
    let (color, v) = board.last_move().ok_or_else(|| Failure::new("no previous move known"))?;
    Ok(format!("{color} {}", v.to_gtp(board.size())))
}

fn move_history(session: &mut Session, _: &Arguments<'_>) -> Answer {
    let board = session.board();
    let lines: Vec<String> =
        board.moves().rev().map(|(color, v)| format!("{color} {}", v.to_gtp(board.size()))).collect();
    Ok(lines.join("\n"))
}

/// A hash of the stones that is the same for all eight rotations and reflections.
fn board_hash(board: &Board) -> u64 {
    let n = board.size();
    (0..TURNINGS)
        .map(|turning| {
            board
                .vertices()
                .filter_map(|v| Some((turned(v, turning, n), board.color_at(v)?)))
                .map(|(v, color)| {
                    let (r, c) = (v.row(n), v.col(n));
                    tengen_core::derive_seed(n as u64, &[r as u64, c as u64, color.index() as u64])
                })
                .fold(0, |a, b| a ^ b)
        })
        .min()
        .unwrap_or(0)
}

fn invariant_hash(session: &mut Session, _: &Arguments<'_>) -> Answer {
    Ok(format!("{:016x}", board_hash(session.board())))
}

fn invariant_hash_for_moves(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let color = words.color(0)?;
    let mut board = session.board().clone();
    let size = board.size();
    let legal: Vec<Vertex> = board.vertices().filter(|&v| board.is_legal(color, v)).collect();
    let mut lines = Vec::new();
    for v in legal {
        if board.play(color, v).is_ok() {
            lines.push(format!("{} {:016x}", v.to_gtp(size), board_hash(&board)));
            board.undo();
        }
    }
    Ok(lines.join("\n"))
}

fn showboard(session: &mut Session, _: &Arguments<'_>) -> Answer {
    Ok(draw(session.board()))
}

/// The board as GNU Go draws it: X Black, O White, + star points.
pub(super) fn draw(board: &Board) -> String {
    let n = board.size();
    let letters: String = "ABCDEFGHJKLMNOPQRSTUVWXYZ".chars().take(n).flat_map(|c| [' ', c]).collect();
    let mut out = format!("\n  {letters}");
    for row in 0..n {
        let line = n - row;
        out.push_str(&format!("\n{line:2} "));
        for col in 0..n {
            out.push(match board.color_at(Vertex::new(row, col, n)) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None if is_star(row, col, n) => '+',
                None => '.',
            });
            out.push(' ');
        }
        out.push_str(&line.to_string());
        for (wanted, color, sign) in [(2, Color::White, 'O'), (1, Color::Black, 'X')] {
            if line == wanted {
                let name = color.to_string().to_uppercase();
                out.push_str(&format!("     {name} ({sign}) has captured {} stones", board.captured(color)));
            }
        }
    }
    out.push_str(&format!("\n  {letters}"));
    out
}

fn is_star(row: usize, col: usize, n: usize) -> bool {
    if n < 7 {
        return n == 5 && (row, col) == (2, 2);
    }
    let near = if n >= 12 { 3 } else { 2 };
    let middle = |x: usize| n % 2 == 1 && x == n / 2;
    let corner = |x: usize| x == near || x == n - 1 - near;
    (corner(row) && corner(col))
        || (middle(row) && middle(col))
        || (n >= 13 && ((middle(row) && corner(col)) || (corner(row) && middle(col))))
}
