//! The GTP command about unconditional status: life and territory that hold against any play of the opponent.

use super::wire::{Answer, Arguments};
use super::{Command, Session, command};
use tengen_go::unconditional::UnconditionalMap;

pub(super) const COMMANDS: &[Command] = &[command("unconditional_status", unconditional_status)];

fn unconditional_status(session: &mut Session, words: &Arguments<'_>) -> Answer {
    let v = words.vertex(0, session.board())?;
    let hash = session.board().hash();
    if session.unconditional.as_ref().is_none_or(|known| known.0 != hash) {
        session.unconditional = Some((hash, UnconditionalMap::build(session.board())));
    }
    Ok(session.unconditional.as_ref().map_or_else(String::new, |known| known.1.at(v).to_string()))
}
