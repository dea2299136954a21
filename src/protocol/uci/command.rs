//! Parses one line of UCI into one command.

/// A line a GUI sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `position`: `startpos` or a FEN, and moves.
    Position {
        /// The FEN, or `startpos`.
        fen: String,
        /// Moves in UCI form.
        moves: Vec<String>,
    },
    /// `go`
    Go(Go),
    /// `setoption`
    SetOption {
        /// May hold spaces.
        name: String,
        /// Empty for buttons.
        value: String,
    },
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`, or the end of input.
    Quit,
    /// `d`: show the position.
    Show,
    /// `bench [depth]`
    Bench(Option<u32>),
    /// `debug`, `register` and empty lines: nothing to do.
    Ignored,
    /// Anything else.
    Unknown(String),
}

/// The limits of a `go`. All times in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Root moves to consider.
    pub search_moves: Vec<String>,
    /// Think in the other side's time.
    pub ponder: bool,
    /// No `bestmove` before `stop`.
    pub infinite: bool,
    /// White's and Black's clock.
    pub time: [Option<i64>; 2],
    /// White's and Black's increment.
    pub increment: [i64; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Mate in this many moves.
    pub mate: Option<u32>,
    /// Exactly this long.
    pub move_time: Option<i64>,
    /// Count leaves instead of searching.
    pub perft: Option<u32>,
}

const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
];

/// Reads a line. Words before a known command are skipped, as the protocol wants.
#[must_use]
pub fn parse(line: &str) -> Command {
    // Some programs send the mark of UTF-8 first.
    let line = line.trim_start_matches('\u{feff}');
    let words: Vec<&str> = line.split_whitespace().collect();
    for start in 0..words.len() {
        if let Some(command) = parse_from(&words[start..]) {
            return command;
        }
    }
    if words.is_empty() { Command::Ignored } else { Command::Unknown(line.trim().chars().take(60).collect()) }
}

fn parse_from(words: &[&str]) -> Option<Command> {
    let (first, rest) = words.split_first()?;
    Some(match *first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "position" => position(rest),
        "go" => Command::Go(go(rest)),
        "setoption" => set_option(rest),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "d" => Command::Show,
        "bench" => Command::Bench(rest.first().and_then(|w| w.parse().ok())),
        "debug" | "register" => Command::Ignored,
        _ => return None,
    })
}

fn position(words: &[&str]) -> Command {
    let split = words.iter().position(|w| *w == "moves").unwrap_or(words.len());
    let (setup, moves) = (&words[..split], words.get(split + 1..).unwrap_or(&[]));
    let fen = match setup.first() {
        Some(&"fen") => setup[1..].join(" "),
        None | Some(&"startpos") => "startpos".to_owned(),
        Some(_) => setup.join(" "),
    };
    Command::Position { fen, moves: moves.iter().map(|m| (*m).to_owned()).collect() }
}

fn set_option(words: &[&str]) -> Command {
    let value_at = words.iter().position(|w| *w == "value").unwrap_or(words.len());
    let name_at = usize::from(words.first() == Some(&"name"));
    let name = words[name_at.min(value_at)..value_at].join(" ");
    let value = words.get(value_at + 1..).unwrap_or(&[]).join(" ");
    Command::SetOption { name, value }
}

fn go(words: &[&str]) -> Go {
    let mut go = Go::default();
    let mut rest = words.iter().peekable();
    while let Some(&word) = rest.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(&&mv) = rest.peek() {
                    if GO_WORDS.contains(&mv) {
                        break;
                    }
                    go.search_moves.push(mv.to_owned());
                    rest.next();
                }
            }
            _ => {
                // A number that can't be read leaves its limit out.
                let Some(value) = rest.peek().and_then(|v| v.parse::<i64>().ok()) else { continue };
                rest.next();
                let small = || u32::try_from(value).ok();
                match word {
                    "wtime" => go.time[0] = Some(value),
                    "btime" => go.time[1] = Some(value),
                    "winc" => go.increment[0] = value.max(0),
                    "binc" => go.increment[1] = value.max(0),
                    "movestogo" => go.moves_to_go = Some(value),
                    "depth" => go.depth = small(),
                    "nodes" => go.nodes = u64::try_from(value).ok(),
                    "mate" => go.mate = small(),
                    "movetime" => go.move_time = Some(value),
                    "perft" => go.perft = small(),
                    _ => {}
                }
            }
        }
    }
    go
}
