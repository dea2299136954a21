//! GTP commands for the graphical controller GoGui and for the Go server KGS.

use super::session::Session;
use super::wire::{Answer, Arguments, Failure, color};
use super::{Command, command};
use crate::number_text::fixed;
use tengen_go::board::{Board, Vertex};
use tengen_go::score::Scoring;

pub(super) const COMMANDS: &[Command] = &[
    command("gogui-analyze_commands", |_, _| Ok(menu())),
    command("gogui-play_sequence", play_sequence),
    command("gogui-setup", gogui_setup),
    command("gogui-setup_player", gogui_setup_player),
    command("kgs-game_over", |_, _| Ok(String::new())),
    command("kgs-chat", |_, _| Ok("I only play Go.".into())),
    command("kgs-rules", kgs_rules),
    command("final_ownership", final_ownership),
];

/// GoGui's menu: type, label, command.
const ANALYZE: &[&str] = &[
    "string/Reg GenMove/reg_genmove %m",
    "pspairs/Top Moves/top_moves",
    "hstring/All Move Values/all_move_values",
    "hpstring/Move Reasons/move_reasons %p",
    "plist/All Legal/all_legal %c",
    "dboard/Final Ownership/final_ownership",
    "plist/Final Status List Alive/final_status_list alive",
    "plist/Final Status List Dead/final_status_list dead",
    "plist/Final Status List Seki/final_status_list seki",
    "plist/Final Status List White Territory/final_status_list white_territory",
    "plist/Final Status List Black Territory/final_status_list black_territory",
    "string/Final Score/final_score",
    "string/Estimate Score/estimate_score",
    "string/Attack/attack %p",
    "string/Defend/defend %p",
    "hstring/Worm Data/worm_data %p",
    "plist/Worm Stones/worm_stones %p",
    "string/Dragon Status/dragon_status %p",
    "hstring/Dragon Data/dragon_data %p",
    "plist/Dragon Stones/dragon_stones %p",
    "string/Owl Attack/owl_attack %p",
    "string/Owl Defend/owl_defend %p",
    "string/Eval Eye/eval_eye %p",
    "string/Find Liberties/findlib %p",
    "param/Level/level %s",
];

fn menu() -> String {
    let layers = super::layers::menu();
    ANALYZE.iter().copied().chain(layers.iter().map(String::as_str)).collect::<Vec<_>>().join("\n")
}

fn play_sequence(session: &mut Session, words: &Arguments<'_>) -> Answer {
    for i in (0..words.len()).step_by(2) {
        let (color, v) = words.play(i, session.board())?;
        session.play(color, v)?;
    }
    Ok(String::new())
}

fn gogui_setup(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let mut board = Board::with_rules(session.board().size(), session.board().rules());
    for i in (0..words.len()).step_by(2) {
        let (color, v) = words.play(i, &board)?;
        board.place(color, v).map_err(|_| Failure::new("bad vertex list"))?;
    }
    session.begin(board);
    Ok(String::new())
}

fn gogui_setup_player(session: &mut Session, words: &Arguments<'_>) -> Answer {
    session.to_move = words.word(0).and_then(color).ok_or_else(|| Failure::new("invalid color"))?;
    Ok(String::new())
}

fn kgs_rules(session: &mut Session, words: &Arguments<'_>) -> Answer {
    session.scoring = words
        .word(0)
        .and_then(|name| Scoring::from_name(&name.to_ascii_lowercase()))
        .ok_or_else(|| Failure::new("unknown rules"))?;
    session.forget();
    Ok(String::new())
}

/// Ownership per vertex, rows from the top, -1 (White) to 1 (Black), as GoGui's `dboard` shows it.
fn final_ownership(session: &mut Session, _: &Arguments<'_>) -> Answer {
    let size = session.board().size();
    let status = session.final_status();
    let row = |r: usize| {
        (0..size)
            .map(|c| fixed(-status.owner[Vertex::new(r, c, size).index(size)], 2))
            .collect::<Vec<_>>()
            .join(" ")
    };
    Ok((0..size).map(row).collect::<Vec<_>>().join("\n"))
}
