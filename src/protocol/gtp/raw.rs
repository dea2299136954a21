//! The command `kata-raw-nn`: the judge's evaluation of the current position.
//!
//! # Source
//! KataGo, "GTP Extensions", command `kata-raw-nn`.
//!
//! # Departures
//! The embedded judge gives the same answer on a rotated or mirrored board. So every symmetry has the answer of
//! symmetry 0. The answer omits numbers that Tengen's judges do not compute: the spread, the expected score of
//! self-play, and short-term errors.

use super::session::Session;
use super::wire::{Answer, Arguments, Failure};
use super::{Command, command};
use std::fmt::Write as _;
use tengen_go::AnalyseSystems;
use tengen_go::board::Board;
use tengen_go::judge::Judgement;

pub(super) const COMMANDS: &[Command] = &[command("kata-raw-nn", raw)];

fn raw(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let symmetries = match words.word(0) {
        None | Some("all") => 0..8,
        Some(word) => {
            let number = word.parse::<u8>().ok().filter(|&n| n < 8);
            let number =
                number.ok_or_else(|| Failure::new("the symmetry is a number from 0 to 7, or `all`"))?;
            number..number + 1
        }
    };
    let (color, board) = (session.to_move, session.board().clone());
    session.look::<Judgement>(AnalyseSystems::Judge);
    session.judged()?;
    let (judgement, _) = session
        .look::<Judgement>(AnalyseSystems::Judge)
        .ok_or_else(|| Failure::new("the position could not be judged"))?;
    let view = judgement.with(color).ok_or_else(|| {
        Failure::new(format!("the judge `{}` does not judge this position", judgement.source))
    })?;
    let policy = grid(&board, |i| {
        let is_legal = board.is_legal(color, tengen_go::board::Vertex::from_index(i, board.size()));
        is_legal.then(|| view.likelihood[i])
    });
    let owner = grid(&board, |i| Some(-view.owner[i]));
    let white = 1.0 - view.win_rate;
    let text = |symmetry: u8| {
        format!(
            "symmetry {symmetry}\nwhiteWin {white:.6}\nwhiteLoss {:.6}\nnoResult 0.000000\nwhiteLead {:.3}\npolicy\n{policy}\
             policyPass {:.6}\nwhiteOwnership\n{owner}",
            view.win_rate, -view.lead, view.pass
        )
    };
    Ok(symmetries.map(text).collect::<String>().trim_end().to_owned())
}

/// A row of numbers for each row of the board, the upper row first; `NAN` where there is no number.
fn grid(board: &Board, of: impl Fn(usize) -> Option<f32>) -> String {
    let size = board.size();
    let mut text = String::new();
    for index in 0..size * size {
        // Writing to a string cannot fail.
        let _ = match of(index) {
            Some(x) => write!(text, "{:9.6} ", x + 0.0),
            None => write!(text, "     NAN  "),
        };
        if (index + 1) % size == 0 {
            text.push('\n');
        }
    }
    text
}
