//! The opened thing, and the page for each request. A page names a file only by its place in the listing of the opened
//! folder, so no other file can be requested.

use super::analysis_cache::AnalysisCache;
use super::games::{self, Games};
use super::scenes::Scenes;
use super::{assets, chess, compare, game, html, lines, profile, records, rules, tuning};
use crate::scene::GameRecord;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tengen_core::profiler::trace::Trace;

/// The most game records of a folder that are listed.
const LISTED: usize = 5000;

/// The game records below a folder, by their paths in it. Links are not followed.
#[must_use]
pub fn listing(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|e| e.eq_ignore_ascii_case("sgf")) {
                found.extend(path.strip_prefix(folder).ok().and_then(Path::to_str).map(str::to_owned));
            }
        }
        if found.len() > LISTED {
            break;
        }
    }
    found.sort_unstable();
    found.truncate(LISTED);
    found
}

/// A request, as far as pages read it.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The page's name.
    pub page: String,
    /// The address's query, and a form's fields.
    pub fields: BTreeMap<String, String>,
    /// Whether a form was sent.
    pub is_post: bool,
}

impl Request {
    /// Reads a query, and the body of a form.
    #[must_use]
    pub fn new(page: &str, query: &str, form: Option<&str>) -> Self {
        let pairs = query.split('&').chain(form.into_iter().flat_map(|f| f.split('&')));
        let fields = pairs
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (decode(name), decode(value)))
            .collect();
        Self { page: page.into(), fields, is_post: form.is_some() }
    }

    /// A field; empty if it is missing.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }
}

/// Undoes the escapes of a form's field; what is none stays.
pub(super) fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = text.get(i + 1..i + 3).and_then(|h| u8::from_str_radix(h, 16).ok());
        match (bytes[i], hex) {
            (b'%', Some(byte)) => {
                out.push(byte);
                i += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        i += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// HTTP's number.
    pub status: u16,
    /// The type of the body.
    pub kind: &'static str,
    /// The content to send.
    pub body: String,
    /// The address of a redirection.
    pub location: Option<String>,
}

impl Reply {
    /// A page.
    #[must_use]
    pub const fn html(body: String) -> Self {
        Self { status: 200, kind: "text/html; charset=utf-8", body, location: None }
    }

    /// Plain text.
    #[must_use]
    pub fn text(status: u16, body: &str) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: format!("{body}\n"), location: None }
    }

    /// Redirects to another page.
    #[must_use]
    pub fn see(to: &str) -> Self {
        Self { location: Some(to.into()), ..Self::text(303, "see the next page") }
    }

    /// The fault of a request, as a page.
    #[must_use]
    pub fn fault(text: &str) -> Self {
        let body =
            format!("<p class=\"fault\">{}</p><p><a href=\"./\">back</a></p>", tengen_render::escape(text));
        Self { status: 400, ..Self::html(html::page("That could not be shown", &body)) }
    }
}

/// The opened thing.
pub enum Root {
    /// Nothing: an empty board of this size.
    Empty(usize),
    /// One game record.
    Record(PathBuf),
    /// A folder of game records.
    Folder(PathBuf),
    /// The cases of scenes.
    Scenes(Scenes),
    /// The `--out` folder of a batch.
    Out(PathBuf),
    /// A self-play run.
    Games(Games),
    /// A trace of a profile.
    Trace(Trace),
    /// Games or positions of chess.
    Chess(chess::Shelf),
    /// A rulesheet.
    Rules(Box<rules::Table>),
}

/// All that pages read.
pub struct Site {
    /// The opened thing.
    pub root: Root,
    /// The engine for positions.
    pub analysis_cache: AnalysisCache,
    /// The folder for edited patterns.
    pub patterns: Option<PathBuf>,
}

impl Site {
    /// Answers a request.
    #[must_use]
    pub fn answer(&self, request: &Request) -> Reply {
        match request.page.as_str() {
            "" => self.index(),
            "style.css" => Reply { kind: "text/css; charset=utf-8", ..Reply::html(assets::STYLE.into()) },
            "script.js" => {
                Reply { kind: "text/javascript; charset=utf-8", ..Reply::html(assets::SCRIPT.into()) }
            }
            "game" => game::page(self, request),
            "facts" => game::facts(self, request),
            "lead" => game::lead(self, request),
            "line" => lines::page(self, request),
            "compare" => compare::page(self, request),
            "tune" => tuning::page(self, request),
            "chess" => chess::page(self, request),
            "chess-lines" => chess::lines(self, request),
            "schemes" => chess::schemes_page(self, request),
            "tree" => chess::tree_page(self, request),
            "play" => rules::play_page(self, request),
            "net" => rules::net_page(self, request),
            "rules" => rules::rules_page(self, request),
            "records" => records::page(self, request),
            "rows" => records::rows(self, request),
            "profile" => profile::page(self, request),
            "games" => games::rows(self),
            "watch" => games::watch(self, request),
            "standing" => games::standing(self, request),
            _ => Reply::text(404, "there is no page of this name"),
        }
    }

    /// The first page: the game, the records, or a list.
    fn index(&self) -> Reply {
        match &self.root {
            Root::Empty(_) | Root::Record(_) => game::page(self, &Request::default()),
            Root::Out(_) => records::page(self, &Request::default()),
            Root::Games(_) => games::page(self),
            Root::Trace(_) => profile::page(self, &Request::default()),
            Root::Chess(_) => chess::page(self, &Request::default()),
            Root::Rules(_) => rules::play_page(self, &Request::default()),
            Root::Folder(folder) => {
                let names = listing(folder);
                let more = if names.len() == LISTED {
                    ", the first ones; open a folder below for others"
                } else {
                    ""
                };
                let mut body = format!("<p>{} game records{more}</p><ul>", names.len());
                for name in &names {
                    let to = format!("game?file={}", html::encode(name));
                    let _ = write!(body, "<li>{}</li>", html::link(&to, name, "record"));
                }
                Reply::html(html::page(&folder.display().to_string(), &(body + "</ul>")))
            }
            Root::Scenes(scenes) => scenes.index(),
        }
    }

    /// The games and positions of chess that were opened.
    pub(super) const fn shelf(&self) -> Option<&chess::Shelf> {
        match &self.root {
            Root::Chess(shelf) => Some(shelf),
            Root::Scenes(scenes) => Some(&scenes.shelf),
            _ => None,
        }
    }

    /// The rulesheet that was opened, or that of this number among those of the scenes.
    ///
    /// # Errors
    /// If there is none, or its faults.
    pub(super) fn table(&self, number: &str) -> Result<&rules::Table, String> {
        match &self.root {
            Root::Rules(table) => Ok(table),
            Root::Scenes(scenes) => scenes.table(number),
            Root::Games(games) => games.table(),
            _ => Err("no rulesheet was opened".into()),
        }
    }

    /// The record of that name, if the opened folder lists it.
    ///
    /// # Errors
    /// A message for the person.
    pub fn record(&self, name: &str) -> Result<Option<GameRecord>, String> {
        let path = match &self.root {
            Root::Record(path) => path.clone(),
            Root::Folder(folder) => {
                let listed = listing(folder).into_iter().find(|n| n == name);
                folder.join(listed.ok_or_else(|| format!("the folder has no game record `{name}`"))?)
            }
            Root::Games(games) => return games.go(name).map(Some),
            _ => return Ok(None),
        };
        GameRecord::read(&path).map(Some).map_err(|fault| fault.to_string())
    }
}
