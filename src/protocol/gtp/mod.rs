//! The front end of `tengen gtp`: GTP version 2 (Farnebäck 2002) with the analysis commands of GNU Go's manual.
//!
//! - [`wire`]: reads lines and arguments, writes answers.
//! - [`session`]: the state that a controller's commands act on.
//! - Each group of commands has a file with a list `COMMANDS`. A new group needs a file, one `mod` line and one entry
//!   of `GROUPS`.
//!
//! # One record
//! All answers about worms, dragons, influence, moves and the score come from one analysis of the position
//! ([`Session::analyse`]), in any order of the commands. Single questions read further than the analysis, and refine
//! it, so that later answers do not contradict their results. These commands are `owl_attack`, `owl_defend`,
//! `owl_does_attack`, `owl_does_defend`, `analyze_semeai`, `attack`, `defend`, `does_attack`, `does_defend`,
//! `attack_either`, `defend_both`. In detail:
//! - A repeated question has the same answer.
//! - A certain answer about life and death sets the status of its dragon. (`report_uncertainty on` shows whether an
//!   answer is certain.) A dragon that cannot be killed is `alive`. One that can be killed is `critical` if it can be
//!   saved, otherwise `dead`. `dragon_data` has the codes and points of the answers. Only a dragon whose life needs no
//!   answering move keeps its earlier status. An uncertain answer counts only if no certain answer is known.
//! - A race that was read to its end sets the status of dragons whose life and death is not certain.
//! - `worm_data` shows the codes and points of the question for a string that was asked about. If the question reached
//!   its limit and the analysis did not, the string keeps the reading of the analysis.
//!
//! A new position, komi or effort begins a new analysis.
//!
//! # Spelling
//! Answers and errors have the spelling of GNU Go 3.8, so that GNU Go's regression suites run.

mod administration;
pub mod analyze;
mod area;
mod clock;
mod connection;
mod deeper;
mod dragons;
mod eyeshapes;
mod generate;
mod gogui;
mod influence;
pub mod input;
mod layers;
mod position;
mod raw;
mod reading;
mod record;
mod scoring;
mod search_area;
pub mod session;
mod setup;
mod time;
mod unconditional;
pub mod wire;
mod worms;

#[cfg(test)]
mod tests;

pub use session::Session;
pub use wire::{Answer, Arguments, Failure};

use std::io::{self, BufRead, Write};

/// One GTP command: its name and its function. The text of an answer comes without `=`, `?` and line ends around it.
#[derive(Clone, Copy)]
pub struct Command {
    /// As the controller spells it.
    pub name: &'static str,
    /// Carries it out.
    pub run: fn(&mut Session, &Arguments<'_>) -> Answer,
}

/// A row of a command table.
pub(crate) const fn command(name: &'static str, run: fn(&mut Session, &Arguments<'_>) -> Answer) -> Command {
    Command { name, run }
}

/// The groups of commands, one per file.
const GROUPS: &[&[Command]] = &[
    administration::COMMANDS,
    setup::COMMANDS,
    position::COMMANDS,
    generate::COMMANDS,
    time::COMMANDS,
    scoring::COMMANDS,
    gogui::COMMANDS,
    reading::COMMANDS,
    worms::COMMANDS,
    connection::COMMANDS,
    unconditional::COMMANDS,
    dragons::COMMANDS,
    deeper::COMMANDS,
    eyeshapes::COMMANDS,
    area::COMMANDS,
    influence::COMMANDS,
    analyze::COMMANDS,
    layers::COMMANDS,
    raw::COMMANDS,
    record::COMMANDS,
];

/// All commands, in no particular order.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    GROUPS.iter().flat_map(|group| group.iter())
}

/// Answers the commands of `input` on `output` until `quit` or the end.
///
/// # Errors
/// If reading or writing fails.
pub fn serve(session: &mut Session, input: impl BufRead, output: impl Write) -> io::Result<()> {
    serve_lines(session, &mut input::Script::new(input), output)
}

/// As [`serve`], from any source of lines.
///
/// # Errors
/// If reading or writing fails.
pub fn serve_lines(
    session: &mut Session,
    lines: &mut dyn input::Lines,
    mut output: impl Write,
) -> io::Result<()> {
    while let Some(line) = lines.next() {
        let line = wire::clean(&line?);
        let Some(request) = wire::Request::parse(&line) else { continue };
        if analyze::stream(session, &request, lines, &mut output)? {
            continue;
        }
        let answer = execute(session, &request);
        wire::write(&mut output, request.id, &answer)?;
        output.flush()?;
        if session.is_over {
            break;
        }
        if session.ponders && request.name.contains("genmove") {
            session.ponder(&mut || lines.is_waiting());
        }
    }
    Ok(())
}

/// Carries out one request.
pub fn execute(session: &mut Session, request: &wire::Request<'_>) -> Answer {
    match commands().find(|c| c.name == request.name) {
        Some(command) => (command.run)(session, &Arguments::new(&request.arguments)),
        None => Err(Failure::new("unknown command")),
    }
}
