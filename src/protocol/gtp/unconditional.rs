//! The command that asks what holds whatever anyone answers.

use super::wire::{Answer, Arguments};
use super::{Command, Session, command};
use tengen_go::unconditional::UnconditionalMap;

pub(super) const COMMANDS: &[Command] = &[command("unconditional_status", unconditional_status)];

fn unconditional_status(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.vertex(0, session.board())?;
    Ok(UnconditionalMap::build(session.board()).at(v).to_string())
}
