//! Reads the address of a chess page, and sets up its position. The address has the game, the number of played plies,
//! and the moves tried after them.

use crate::number_text::counted;
use crate::view::html::encode;
use crate::view::opened_games::Record;
use crate::view::request::Request;
use crate::view::site::{Root, Site};
use std::sync::Arc;
use tengen_chess::history::{Game, Policy};
use tengen_chess::repetition::Scheme;
use tengen_chess::rules::{Move, Setup, notation};
use tengen_chess::search::report::mate_in;

/// The most moves tried after a position.
const TRIED: usize = 400;

/// The request of an address, and the game up to its position.
pub(super) struct Look {
    /// Whether a page lists others beside it.
    pub(super) is_one_of_many: bool,
    pub(super) number: usize,
    pub(super) record: Arc<Record>,
    pub(super) at: usize,
    pub(super) tries: Vec<String>,
    pub(super) game: Game,
    pub(super) scheme: Scheme,
    pub(super) policy: Policy,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) from: String,
}

/// The nodes of a search, as in a scene without limits, and the most.
pub(super) const NODES: u64 = 100_000;
pub(super) const MAX_NODES: u64 = 5_000_000;

impl Look {
    pub(super) fn read(site: &Site, request: &Request) -> Result<Self, String> {
        let number = |name: &str, none: usize| match request.get(name) {
            "" => Ok(none),
            text => text.parse::<usize>().map_err(|_| format!("`{text}` is no number for {name}")),
        };
        let game_number = number("game", 0)?;
        let (record, is_one_of_many) = match (&site.root, site.opened_games()) {
            (Root::Games(games), _) => (games.chess(request.get("game"))?, true),
            (_, Some(games)) => (games.record(game_number)?, games.records.len() > 1),
            _ => return Err("no game of chess was opened".into()),
        };
        if let Some(fault) = &record.refused {
            return Err(fault.clone());
        }
        // A file of games begins at the start; of a scene or a run the last position is what is looked at.
        let usual = if matches!(site.root, Root::Chess(_)) { 0 } else { record.game.plies() };
        let at = number("at", usual)?.min(record.game.plies());
        let mut game = record.position(at);
        let tries: Vec<String> =
            request.get("try").split(',').filter(|w| !w.is_empty()).map(str::to_owned).collect();
        if tries.len() > TRIED {
            return Err(format!("at most {TRIED} moves can be tried"));
        }
        for text in &tries {
            let mv = notation::parse_uci(game.board(), text).map_err(|e| e.to_string())?;
            game.play(mv);
        }
        let named = |name: &str| Some(request.get(name)).filter(|t| !t.is_empty());
        let scheme = named("scheme").map_or(Ok(Scheme::default()), str::parse::<Scheme>)?;
        let policy = named("policy").map_or(Ok(Policy::default()), str::parse::<Policy>)?;
        let depth = u32::try_from(number("depth", 4)?).unwrap_or(4).max(1);
        let nodes = number("nodes", 100_000)? as u64;
        let nodes = nodes.clamp(100, MAX_NODES);
        let from = request.get("from").to_owned();
        Ok(Self {
            is_one_of_many,
            number: game_number,
            record,
            at,
            tries,
            game,
            scheme,
            policy,
            depth,
            nodes,
            from,
        })
    }

    /// The query of an address with some of its fields changed.
    pub(super) fn query(&self, changes: &[(&str, &str)]) -> String {
        let unless = |is_usual: bool, text: String| if is_usual { String::new() } else { text };
        let fields = [
            ("game", self.number.to_string()),
            ("at", self.at.to_string()),
            ("try", self.tries.join(",")),
            ("scheme", unless(self.scheme == Scheme::default(), self.scheme.name().into())),
            ("policy", unless(self.policy == Policy::default(), self.policy.name().into())),
            ("depth", unless(self.depth == 4, self.depth.to_string())),
            ("nodes", unless(self.nodes == NODES, self.nodes.to_string())),
        ];
        let is_own = |name: &str| fields.iter().any(|f| f.0 == name);
        let more: Vec<(&str, String)> =
            changes.iter().filter(|c| !is_own(c.0)).map(|&(name, value)| (name, value.to_owned())).collect();
        let value = |(name, value): &(&str, String)| {
            let changed = changes.iter().find(|c| c.0 == *name).map(|c| c.1);
            (name.to_string(), changed.map_or(value.clone(), str::to_owned))
        };
        fields
            .iter()
            .chain(&more)
            .map(value)
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name}={}", encode(&value)))
            .collect::<Vec<_>>()
            .join("&")
    }

    /// The game's positions as boards with clocks, the start first, and the move that led to each in SAN.
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut walk = |first: &str, start: &Setup, moves: &[Move]| {
            let mut game = Game::new(start.clone());
            steps.push(Step { san: first.to_owned(), fen: game.fen() });
            for &mv in moves {
                let san = notation::san(game.board(), mv);
                game.play(mv);
                steps.push(Step { san, fen: game.fen() });
            }
        };
        let before = self.record.game.null_moves().take_while(|&ply| ply <= self.at).count();
        let sign = |number: usize| if number == 0 { "" } else { "--" };
        for (number, stretch) in self.record.game.stretches[..before].iter().enumerate() {
            walk(sign(number), &stretch.start, &stretch.moves);
        }
        walk(sign(before), self.game.start(), self.game.moves());
        steps
    }

    /// Plies of the position: of the record, null moves too, and tried.
    pub(super) fn plies(&self) -> usize {
        self.at + self.tries.len()
    }

    /// The address of the position after this many plies of the played and tried moves.
    pub(super) fn after(&self, plies: usize) -> String {
        let at = plies.min(self.at);
        let tries = self.tries[..plies.saturating_sub(self.at).min(self.tries.len())].join(",");
        format!("chess?{}", self.query(&[("at", &at.to_string()), ("try", &tries)]))
    }

    pub(super) fn title(&self) -> String {
        let tried =
            if self.tries.is_empty() { String::new() } else { format!(" and {} tried", self.tries.len()) };
        let side = notation::side_name(self.game.board().side_to_move());
        format!("{}, after {}{tried}, {side} to move", self.record.title, counted("ply", self.at))
    }
}

/// A position of the game.
pub(super) struct Step {
    pub(super) san: String,
    pub(super) fen: String,
}

/// A score as people read it: pawns, or moves to mate.
pub(super) fn score_text(score: i32) -> String {
    match mate_in(score) {
        Some(moves) if moves > 0 => format!("mate in {moves}"),
        Some(moves) => format!("mated in {}", -moves),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}
