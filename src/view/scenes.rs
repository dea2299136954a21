//! The page of an opened scene file. Each position opens on the page of its game.

use super::html::{self, encode, link, page};
use super::opened_games::OpenedGames;
use super::request::Reply;
use super::table::Table;
use crate::number_text::counted;
use crate::scene::{Case, Domain, Game, Input, warnings};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tengen_render::escape;

/// A rulesheet, read when it is first asked for.
type Sheet = OnceLock<Result<Arc<Table>, String>>;

/// The positions of scenes, and what their pages need.
pub struct Scenes {
    /// All cases, in the order of the scenes.
    pub(super) cases: Vec<Case>,
    /// The positions of chess among them.
    pub(super) opened_games: OpenedGames,
    /// The rulesheets they name, read when first asked for.
    sheets: Vec<(PathBuf, Sheet)>,
}

impl Scenes {
    /// From the cases of scene files.
    #[must_use]
    pub fn new(cases: Vec<Case>) -> Self {
        let mut sheets: Vec<(PathBuf, Sheet)> = Vec::new();
        for path in cases.iter().filter_map(rulesheet) {
            if sheets.iter().all(|(known, _)| known != path) {
                sheets.push((path.to_owned(), OnceLock::new()));
            }
        }
        let opened_games =
            OpenedGames::of_cases(cases.iter().filter(|case| domain(case) == Some(Domain::Chess)));
        Self { cases, opened_games, sheets }
    }

    /// The rulesheet of this number.
    ///
    /// # Errors
    /// If there is none, or all its faults.
    pub(super) fn table(&self, number: &str) -> Result<Arc<Table>, String> {
        let known = number.parse::<usize>().ok().and_then(|n| self.sheets.get(n));
        let (path, table) = known.ok_or_else(|| format!("the scenes name no rulesheet `{number}`"))?;
        let read = || Table::open_in_time(path).map(Arc::new).map_err(|e| format!("{e:#}"));
        table.get_or_init(read).clone()
    }

    /// The list of positions.
    pub(super) fn index(&self) -> Reply {
        let mut body = format!("<p>{}</p><ul>", counted("position", self.cases.len()));
        let mut games_of_chess = 0;
        for (n, case) in self.cases.iter().enumerate() {
            let to = match domain(case) {
                Some(Domain::Chess) => {
                    games_of_chess += 1;
                    format!("chess?game={}", games_of_chess - 1)
                }
                Some(Domain::Gdl) => format!("play?case={n}"),
                _ => format!("game?file={}", encode(&case.id)),
            };
            let fault = match &case.input {
                Input::Fault(fault) => format!("<pre class=\"fault\">{}</pre>", escape(&fault.to_string())),
                _ => html::warnings(&warnings::of(case)),
            };
            let _ = write!(body, "<li>{}{fault}</li>", link(&to, &case.id, "case"));
        }
        Reply::html(page("Scenes", &(body + "</ul>")))
    }

    /// Redirects to the position of a case of a rulesheet, with its moves spelled as in addresses.
    pub(super) fn at_rules(&self, number: &str) -> Result<String, String> {
        let case = number.parse::<usize>().ok().and_then(|n| self.cases.get(n));
        let path =
            case.and_then(rulesheet).ok_or_else(|| format!("there is no rulesheet of case `{number}`"))?;
        let sheet = self.sheets.iter().position(|(known, _)| known == path).unwrap_or(0).to_string();
        let moves = match case.and_then(|c| c.scene.as_ref()).and_then(|s| s.game.as_ref()) {
            Some(Game::Gdl { moves, .. }) => moves.as_slice(),
            _ => &[],
        };
        let line = self.table(&sheet)?.spelled_line(moves)?;
        Ok(format!("play?sheet={sheet}&moves={line}"))
    }
}

fn domain(case: &Case) -> Option<Domain> {
    case.scene.as_ref().map(|scene| scene.domain())
}

fn rulesheet(case: &Case) -> Option<&Path> {
    match &case.input {
        Input::Rules(path) => Some(path),
        _ => None,
    }
}
