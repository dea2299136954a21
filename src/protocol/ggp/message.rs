//! Parses the messages of a game manager in general game playing.
//!
//! The parser reads tokens, and accepts keywords in any case. It keeps the rules as text, which the player parses.

use super::Made;
use std::time::Duration;

/// The longest clock that is believed, in seconds: a day.
const MAX_CLOCK: u64 = 86_400;

/// The deepest nesting of a move term.
const MAX_DEPTH: usize = 200;

/// A message of the manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `( INFO )`
    Info,
    /// `( PREVIEW (RULES) CLOCK )`
    Preview,
    /// `( START MATCHID ROLE (RULES) STARTCLOCK PLAYCLOCK )`
    Start {
        /// The match.
        id: String,
        /// The role to play, as spelled.
        role: String,
        /// The rules, without the outer parentheses.
        rules: String,
        /// The time until `ready` must be sent.
        start_clock: Duration,
        /// The time for each move.
        play_clock: Duration,
    },
    /// `( PLAY MATCHID NIL )` or `( PLAY MATCHID (M1 M2 ...) )`; in GDL-II `( PLAY MATCHID TURN MOVE (P1 P2 ...) )`
    Play {
        /// The match.
        id: String,
        /// The last step.
        made: Made,
    },
    /// `( STOP MATCHID (M1 M2 ...) )`; in GDL-II `( STOP MATCHID TURN MOVE (P1 P2 ...) )`
    Stop {
        /// The match.
        id: String,
        /// The last step of the match.
        made: Made,
    },
    /// `( ABORT MATCHID )`
    Abort {
        /// The match.
        id: String,
    },
}

/// Why a text is no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// The parentheses do not match.
    #[error("the parentheses of the message do not match")]
    Unbalanced,
    /// Terms inside terms deeper than anybody writes.
    #[error("the message is nested deeper than {MAX_DEPTH}")]
    TooDeep,
    /// The outer list is missing or followed by something.
    #[error("a message is one list in parentheses")]
    NotAList,
    /// The first word is not one of the protocol's.
    #[error("`{0}` is not a message; known: INFO, PREVIEW, START, PLAY, STOP, ABORT")]
    Unknown(String),
    /// The arguments do not fit the message.
    #[error("{0}")]
    Arguments(&'static str),
}

/// An element of the message's list: its text, and whether it is a list.
struct Item<'a> {
    text: &'a str,
    is_list: bool,
}

/// Reads a message.
///
/// # Errors
/// See [`MessageError`].
pub fn parse(text: &str) -> Result<Message, MessageError> {
    let outer = items(text.trim_start_matches('\u{feff}'))?;
    let [Item { text: list, is_list: true }] = outer.as_slice() else { return Err(MessageError::NotAList) };
    let parts = items(inside(list))?;
    let Some((Item { text: word, is_list: false }, rest)) = parts.split_first() else {
        return Err(MessageError::NotAList);
    };
    match word.to_ascii_uppercase().as_str() {
        "INFO" => Ok(Message::Info),
        "PREVIEW" => Ok(Message::Preview),
        "START" => start(rest),
        "PLAY" => turn(rest).map(|(id, made)| Message::Play { id, made }),
        "STOP" => turn(rest).map(|(id, made)| Message::Stop { id, made }),
        "ABORT" => match rest {
            [Item { text: id, is_list: false }] => Ok(Message::Abort { id: (*id).to_owned() }),
            _ => Err(MessageError::Arguments("ABORT takes the match")),
        },
        _ => Err(MessageError::Unknown(word.chars().take(40).collect())),
    }
}

fn start(rest: &[Item<'_>]) -> Result<Message, MessageError> {
    let [id, role, rules, start, play] = rest else {
        return Err(MessageError::Arguments("START takes match, role, (rules), start clock, play clock"));
    };
    if id.is_list || role.is_list || !rules.is_list {
        return Err(MessageError::Arguments("START takes match and role as words and the rules as a list"));
    }
    let seconds = |item: &Item<'_>| {
        item.text
            .parse::<u64>()
            .map(|s| Duration::from_secs(s.min(MAX_CLOCK)))
            .map_err(|_| MessageError::Arguments("the clocks of START are whole seconds"))
    };
    Ok(Message::Start {
        id: id.text.to_owned(),
        role: role.text.to_owned(),
        rules: inside(rules.text).to_owned(),
        start_clock: seconds(start)?,
        play_clock: seconds(play)?,
    })
}

fn turn(rest: &[Item<'_>]) -> Result<(String, Made), MessageError> {
    let fault = MessageError::Arguments(
        "PLAY and STOP take the match and a list of moves, or NIL; in GDL-II match, turn, move and percepts",
    );
    let (id, made) = match rest {
        [id, moves] => (id, list(moves, &fault)?.map_or(Made::Begin, Made::Joint)),
        [id, turn, own, percepts] => {
            let turn = turn.text.parse().map_err(|_| fault.clone())?;
            let own = Some(own.text).filter(|text| !text.eq_ignore_ascii_case("nil")).map(str::to_owned);
            (id, Made::Own { turn, own, percepts: list(percepts, &fault)?.unwrap_or_default() })
        }
        _ => return Err(fault),
    };
    if id.is_list { Err(fault) } else { Ok((id.text.to_owned(), made)) }
}

/// The terms of a list; `None` for `NIL`.
fn list(item: &Item<'_>, fault: &MessageError) -> Result<Option<Vec<String>>, MessageError> {
    match item.is_list {
        true => Ok(Some(items(inside(item.text))?.iter().map(|term| term.text.to_owned()).collect())),
        false if item.text.eq_ignore_ascii_case("nil") => Ok(None),
        false => Err(fault.clone()),
    }
}

fn inside(list: &str) -> &str {
    &list[1..list.len() - 1]
}

/// Splits a text into its words and lists at the top level.
fn items(text: &str) -> Result<Vec<Item<'_>>, MessageError> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut begin = None;
    for (at, b) in text.bytes().enumerate() {
        match b {
            b'(' => {
                if depth == 0 {
                    close_word(text, &mut begin, at, &mut found);
                    begin = Some(at);
                }
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(MessageError::TooDeep);
                }
            }
            b')' => {
                depth = depth.checked_sub(1).ok_or(MessageError::Unbalanced)?;
                if depth == 0 {
                    let start = begin.take().ok_or(MessageError::Unbalanced)?;
                    found.push(Item { text: &text[start..=at], is_list: true });
                }
            }
            b if b.is_ascii_whitespace() && depth == 0 => close_word(text, &mut begin, at, &mut found),
            _ if depth == 0 && begin.is_none() => begin = Some(at),
            _ => {}
        }
    }
    if depth > 0 {
        return Err(MessageError::Unbalanced);
    }
    close_word(text, &mut begin, text.len(), &mut found);
    Ok(found)
}

fn close_word<'a>(text: &'a str, begin: &mut Option<usize>, at: usize, found: &mut Vec<Item<'a>>) {
    if let Some(start) = begin.take() {
        found.push(Item { text: &text[start..at], is_list: false });
    }
}
