//! The UCI session: its state between commands, and the thread of a running search.

use super::clock::{Clock, allowance};
use super::command::{Command, Go, parse};
use super::options::{Effect, Settings, describe};
use crate::files;
use crate::protocol::lines::LineReader;
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;
use tengen_chess::evaluation::Weights;
use tengen_chess::history::Game;
use tengen_chess::rules::book::Book;
use tengen_chess::rules::{Board, notation, perft};
use tengen_chess::search::chances::chances;
use tengen_chess::search::{Info, Limits, Observer, RootHook, ScoreBound, SearchReport, Table, search_with};
use tengen_chess::search::{bench, strength};
use tengen_core::{Stop, escaped_line};

/// The receiver of answers; one lock for each line.
type Output = Arc<Mutex<dyn Write + Send>>;

fn say(output: &Output, line: &str) {
    // A GUI that is gone reads nothing; the end of input will end the session.
    if let Ok(mut out) = output.lock() {
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}

/// A search under way.
struct Search {
    clock: Arc<Clock>,
    thread: JoinHandle<()>,
}

/// A UCI session.
pub struct Session {
    output: Output,
    settings: Settings,
    game: Game,
    table: Arc<Table>,
    weights: Arc<Weights>,
    book: Option<Book>,
    /// The last `position` was refused.
    refused: bool,
    search: Option<Search>,
}

impl Session {
    /// A session that answers on `output`.
    #[must_use]
    pub fn new(output: impl Write + Send + 'static) -> Self {
        let settings = Settings::default();
        let table = Table::with_mib(settings.hash).or_else(|| Table::with_entries(2));
        Self {
            output: Arc::new(Mutex::new(output)),
            table: Arc::new(table.expect("two entries fit in memory")),
            weights: Arc::new(Weights::default()),
            settings,
            game: Game::default(),
            refused: false,
            book: None,
            search: None,
        }
    }

    /// Reads commands until `quit` or the end of input.
    pub fn run(mut self, input: impl BufRead + Send + 'static) {
        let (sender, lines) = mpsc::sync_channel(MAX_WAITING);
        std::thread::spawn(move || read_lines(input, &sender));
        for line in lines {
            if !self.obey(parse(&line)) {
                break;
            }
        }
        self.end_search();
    }

    /// Carries out one command; `false` ends the session.
    pub fn obey(&mut self, command: Command) -> bool {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.say("readyok"),
            Command::NewGame => {
                self.end_search();
                self.table.clear();
                self.game = Game::default();
                self.refused = false;
            }
            Command::Position { fen, moves } => self.position(&fen, &moves),
            Command::Go(go) => self.go(&go),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Stop => self.end_search(),
            Command::PonderHit => {
                if let Some(search) = &self.search {
                    search.clock.ponder_hit();
                }
            }
            Command::Quit => return false,
            Command::Show => self.show(),
            Command::Bench(depth) => {
                self.end_search();
                self.spawn(Clock::start(None, false, false), move |clock, output| {
                    let asked = clock.clone();
                    let stop = Stop::when(move || asked.is_over());
                    let nodes = bench::signature_until(depth.unwrap_or(11), &stop);
                    let millis = clock.elapsed().as_millis().max(1);
                    let ended = if stop.now() { ", stopped" } else { "" };
                    say(output, &format!("{nodes} nodes {} nps{ended}", u128::from(nodes) * 1000 / millis));
                });
            }
            Command::Ignored => {}
            Command::Unknown(text) => self.complain(&format!("unknown command: {text}")),
        }
        true
    }

    fn say(&self, line: &str) {
        say(&self.output, line);
    }

    fn complain(&self, text: &str) {
        self.say(&format!("info string {}", escaped_line(&text.replace('\n', " "))));
    }

    fn introduce(&self) {
        self.say(concat!("id name Tengen ", env!("CARGO_PKG_VERSION")));
        self.say("id author the Tengen authors");
        for line in describe() {
            self.say(&line);
        }
        self.say("uciok");
    }

    /// Stops a running search and waits for its `bestmove`.
    fn end_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.clock.stop();
            // Work that panicked has printed no end; the session goes on.
            if search.thread.join().is_err() {
                self.complain("the search ended in an internal error");
                self.say("bestmove (none)");
            }
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        self.end_search();
        match self.settings.set(name, value) {
            Ok(Effect::None) => {}
            Ok(Effect::Clear) => self.table.clear(),
            Ok(Effect::OpenBook) => self.open_book(),
            Ok(Effect::Resize) => match Table::with_mib(self.settings.hash) {
                Some(table) => self.table = Arc::new(table),
                None => {
                    let have = self.table.entries() / Table::ENTRIES_PER_MIB;
                    self.complain(&format!(
                        "no memory for a table of {} MiB, keeping {have}",
                        self.settings.hash
                    ));
                }
            },
            Err(text) => self.complain(&text),
        }
    }

    /// Reads the requested book; without a name there is no book.
    fn open_book(&mut self) {
        self.book = None;
        let file = &self.settings.book_file;
        if file.is_empty() {
            return;
        }
        let read = files::bytes(Path::new(file)).and_then(|b| Book::parse(&b).map_err(|e| e.to_string()));
        match read {
            Ok(book) => {
                let told = format!("book {file}: {} entries", book.len());
                self.book = Some(book);
                self.complain(&told);
            }
            Err(reason) => self.complain(&format!("can't use the book {file}: {reason}")),
        }
    }

    /// Plays a move of the book, if it has one here and a game is being played; returns whether it did.
    fn play_from_book(&self, go: &Go) -> bool {
        let playing = self.settings.own_book && !go.infinite && !go.ponder && go.mate.is_none();
        let moves = match &self.book {
            Some(book) if playing && go.search_moves.is_empty() => book.moves(self.game.board()),
            _ => return false,
        };
        let Some(&(mv, weight)) = moves.first() else { return false };
        let sum: u32 = moves.iter().map(|&(_, weight)| u32::from(weight)).sum();
        let text = notation::uci(self.game.board(), mv, self.game.chess960());
        self.complain(&format!("book move {text}, weight {weight} of {sum}"));
        self.say(&format!("bestmove {text}"));
        true
    }

    /// Sets the game up; at an illegal move the moves before it stand. A position that is refused leaves none, so that no
    /// move of an old one is played.
    fn position(&mut self, fen: &str, moves: &[String]) {
        self.end_search();
        let mut game = match Game::from_text(fen, []) {
            Ok(game) => game,
            Err(error) => {
                self.refused = true;
                return self.complain(&format!("{error}; there is no position until the next one"));
            }
        };
        self.refused = false;
        game.start().warnings().iter().for_each(|warning| self.complain(&warning.message));
        for text in moves {
            match notation::parse_uci(game.board(), text) {
                Ok(mv) => game.play(mv),
                Err(error) => {
                    self.complain(&format!("{error}; it and what follows is left out"));
                    break;
                }
            }
        }
        game.set_chess960(self.settings.chess960 || game.chess960());
        self.game = game;
    }

    fn show(&self) {
        if self.refused {
            return self.complain("the last position was refused");
        }
        let board = self.game.board();
        self.say(&format!("fen {}", self.game.fen()));
        self.say(&format!("key {:016x}", tengen_chess::history::identity(board)));
        self.say(&format!("occurrences {} clock {}", self.game.occurrences(), self.game.clock()));
        self.say(&format!("result {:?}", self.game.result()));
    }

    fn go(&mut self, go: &Go) {
        self.end_search();
        if self.refused {
            self.complain("the last position was refused: there is no move");
            return self.say("bestmove 0000");
        }
        if let Some(depth) = go.perft {
            self.perft(depth);
            return;
        }
        if self.play_from_book(go) {
            return;
        }
        let (limits, unknown) = self.limits(go);
        if let Some(text) = unknown {
            self.complain(&text);
        }
        let side = self.game.board().side_to_move() as usize;
        let bare = go.depth.is_none() && go.nodes.is_none() && go.mate.is_none() && go.move_time.is_none();
        let infinite = go.infinite || (bare && go.time[side].is_none() && !go.ponder);
        let clock = Clock::start(allowance(go, side, self.settings.overhead), go.ponder, infinite);
        let (game, options) = (self.game.clone(), self.settings.search.clone());
        let (table, weights, show_wdl) = (self.table.clone(), self.weights.clone(), self.settings.show_wdl);
        let spawned = self.spawn(clock, move |clock, output| {
            let asked = clock.clone();
            let limits = Limits { stop: Stop::when(move || asked.is_over()), ..limits };
            let observer = Reporter::new(output.clone(), clock.clone(), &game, show_wdl);
            let report = search_with(&game, limits, options, table, weights, Box::new(observer));
            while clock.must_wait() {
                std::thread::sleep(Duration::from_millis(1));
            }
            conclude(output, &report);
        });
        if !spawned {
            self.say("bestmove (none)");
        }
    }

    /// Runs long work beside the session, until its end or `stop`; whether a thread could be had.
    fn spawn(&mut self, clock: Clock, work: impl FnOnce(&Arc<Clock>, &Output) + Send + 'static) -> bool {
        let clock = Arc::new(clock);
        let (shared, output) = (clock.clone(), self.output.clone());
        let spawned = std::thread::Builder::new().stack_size(32 << 20).spawn(move || work(&shared, &output));
        match spawned {
            Ok(thread) => {
                self.search = Some(Search { clock, thread });
                true
            }
            Err(error) => {
                self.complain(&format!("no thread for it: {error}"));
                false
            }
        }
    }

    /// The limits of a `go`, and a complaint about root moves that are not legal.
    fn limits(&self, go: &Go) -> (Limits, Option<String>) {
        let read: Vec<_> =
            go.search_moves.iter().map(|text| notation::parse_uci(self.game.board(), text)).collect();
        let complaint = read.iter().find_map(|r| r.as_ref().err()).map(|e| format!("{e}; left out"));
        let search_moves = read.into_iter().filter_map(Result::ok).collect();
        let Settings { limit_strength, elo, .. } = self.settings;
        let of_rating = limit_strength.then(|| strength::nodes_of(elo));
        let nodes = [go.nodes, of_rating].into_iter().flatten().min();
        let limits = Limits { depth: go.depth, nodes, mate: go.mate, search_moves, stop: Stop::NEVER };
        (limits, complaint)
    }

    fn perft(&mut self, depth: u32) {
        if depth > perft::MAX_DEPTH {
            return self.complain(&format!("perft counts to depth {} at most", perft::MAX_DEPTH));
        }
        let (board, chess960) = (self.game.board().clone(), self.game.chess960());
        self.spawn(Clock::start(None, false, false), move |clock, output| {
            let counted = perft::divide_until(&board, depth, &mut || clock.is_over(), |mv, nodes| {
                say(output, &format!("{}: {nodes}", notation::uci(&board, mv, chess960)));
            });
            match counted {
                Some(total) => say(output, &format!("Nodes searched: {total}")),
                None => say(output, "info string perft was stopped"),
            }
        });
    }
}

/// The longest line that is read as one; a game of the longest length a `position` may have takes a tenth of it.
const MAX_LINE: usize = 4 << 20;

/// Lines that wait to be obeyed; the sender of more waits.
const MAX_WAITING: usize = 1024;

/// Lines of any bytes. Invalid UTF-8 is replaced, and a line that is too long is cut into several.
fn read_lines(input: impl BufRead, sender: &mpsc::SyncSender<String>) {
    let mut reader = LineReader::new(input);
    while let Ok(Some(line)) = reader.next(MAX_LINE) {
        if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
            return;
        }
    }
}

fn conclude(output: &Output, report: &SearchReport) {
    let Some(best) = &report.best else {
        let score = if report.score == 0 { "cp 0" } else { "mate 0" };
        say(output, &format!("info depth 0 score {score}"));
        say(output, "bestmove (none)");
        return;
    };
    for line in &report.lines {
        say(output, &format!("info string line {} rests on {}", line.multi_pv, line.path));
    }
    match &report.ponder {
        Some(ponder) => say(output, &format!("bestmove {best} ponder {ponder}")),
        None => say(output, &format!("bestmove {best}")),
    }
}

/// Prints `info` lines and decides when an iteration was the last.
struct Reporter {
    output: Output,
    clock: Arc<Clock>,
    root: Board,
    chess960: bool,
    show_wdl: bool,
    /// The best move of the last iteration.
    best: Option<String>,
    /// The first move of the last reported best line.
    told: Option<String>,
    stable: u64,
    score: i32,
}

impl Reporter {
    fn new(output: Output, clock: Arc<Clock>, game: &Game, show_wdl: bool) -> Self {
        let (root, chess960) = (game.board().clone(), game.chess960());
        Self { output, clock, root, chess960, show_wdl, best: None, told: None, stable: 0, score: 0 }
    }
}

/// Only searches longer than this report failed windows and current moves.
const REMARKS_FROM: Duration = Duration::from_secs(1);

impl Reporter {
    fn print(&mut self, info: &Info) {
        if info.multi_pv == 1 && !info.pv.is_empty() {
            self.told = info.pv.first().cloned();
        }
        let elapsed = self.clock.elapsed();
        let millis = elapsed.as_millis();
        let nps = u128::from(info.nodes) * 1_000_000 / elapsed.as_micros().max(1);
        let bound = match info.bound {
            ScoreBound::Exact => "",
            ScoreBound::Lower => " lowerbound",
            ScoreBound::Upper => " upperbound",
        };
        let wdl = if self.show_wdl {
            let [win, draw, loss] = chances(info.score);
            format!(" wdl {win} {draw} {loss}")
        } else {
            String::new()
        };
        let line = format!(
            "info depth {} seldepth {} multipv {} score {}{wdl}{bound} nodes {} nps {nps} hashfull {} time {millis}{}",
            info.depth,
            info.seldepth,
            info.multi_pv,
            info.uci_score(),
            info.nodes,
            info.full,
            if info.pv.is_empty() { String::new() } else { format!(" pv {}", info.pv.join(" ")) }
        );
        say(&self.output, &line);
    }
}

impl Observer for Reporter {
    fn remark(&mut self, info: &Info) {
        let changed = info.multi_pv == 1 && !info.pv.is_empty() && info.pv.first() != self.told.as_ref();
        if changed || self.clock.elapsed() >= REMARKS_FROM {
            self.print(info);
        }
    }

    fn iteration(&mut self, info: &Info) -> bool {
        self.print(info);
        if info.multi_pv == 1 {
            let best = info.pv.first().cloned();
            self.stable = if best == self.best { (self.stable + 1).min(6) } else { 0 };
            let falling = (self.score - info.score).clamp(0, 60) as u64;
            self.score = info.score;
            self.best = best;
            return self.clock.goes_on(130 - 14 * self.stable + falling);
        }
        self.clock.goes_on(100)
    }

    fn root_hook(&self) -> Option<RootHook> {
        let (output, clock) = (self.output.clone(), self.clock.clone());
        let (root, chess960) = (self.root.clone(), self.chess960);
        Some(Arc::new(move |depth, mv, number| {
            if clock.elapsed() >= REMARKS_FROM {
                let mv = notation::uci(&root, mv, chess960);
                say(&output, &format!("info depth {depth} currmove {mv} currmovenumber {number}"));
            }
        }))
    }
}
