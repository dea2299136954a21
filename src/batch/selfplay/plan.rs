//! The plan of the games: their beginnings, players and seeds.

use super::live::Live;
use super::{chess, gdl, go};
use crate::scene::{Adjudication, Case, Domain, Player, Scene, Sprt, Task};
use std::sync::Arc;
use tengen_core::{Diagnostic, derive_seed};
use tengen_go::Level;
use tengen_go::judge::JudgeInForce;
use tengen_go::moves::PLAYING_LEVELS;

/// The plan of the games.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub domain: Domain,
    /// The starts of the games, in turn.
    pub starts: Vec<Start>,
    /// The players: one for all sides, or one for each side.
    pub players: Vec<Player>,
    /// The sides: `Black` and `White`, `White` and `Black`, or the roles.
    pub sides: Vec<String>,
    /// GDL-II: the side that is the role `random`. No player has it.
    pub chance: Option<usize>,
    /// The sequential test to report, if any.
    pub sprt: Option<Sprt>,
    /// When games of chess end before the rules end them; `None`: never.
    pub adjudication: Option<Adjudication>,
    /// The run's seed; that of game n derives from it.
    pub seed: u64,
    /// Go: the level of reading. Without it, the level of a player decides, if it has one.
    pub effort: Option<Level>,
    /// Go: who judges; `None` is the embedded judge.
    pub judge: Option<JudgeInForce>,
    /// The day that game records bear, as `2026.11.25`. The clock is not asked, so that a run's records are the same
    /// on any day.
    pub date: Option<String>,
    /// All game records go into one file instead of one each.
    pub one_file: bool,
    /// The folder in which running games are shown.
    pub live: Option<Arc<Live>>,
}

/// The beginning of a game, and its greatest length.
#[derive(Clone, Debug)]
pub struct Start {
    /// The case's id.
    pub id: String,
    /// The scene's own seed, if it has one.
    pub seed: Option<u64>,
    /// A game ends after this many moves.
    pub max_moves: usize,
    /// Moves at the beginning that are drawn.
    pub random_moves: usize,
    /// The position.
    pub from: From,
}

/// The position a game begins with.
#[derive(Clone, Debug)]
pub enum From {
    /// Go.
    Go(Box<go::Opening>),
    /// Chess.
    Chess(Box<tengen_chess::history::Game>),
    /// GDL: always the initial state.
    Gdl(gdl::Rules),
}

/// The settings of the task `SelfPlay`.
pub(super) struct Settings<'a> {
    pub(super) max_moves: Option<usize>,
    pub(super) random_moves: Option<usize>,
    pub(super) openings: Option<&'a str>,
}

impl Plan {
    /// The plan that the cases describe together: they must agree on the game and on the players.
    ///
    /// # Errors
    /// The fault of each unusable case.
    pub fn of(cases: &[Case], seed: u64) -> Result<Self, Vec<(usize, Diagnostic)>> {
        let (mut plan, mut faults) = (None::<Self>, Vec::new());
        for (index, case) in cases.iter().enumerate() {
            match Self::of_case(case, seed) {
                Err(fault) => faults.push((index, fault)),
                Ok(more) => match &mut plan {
                    None => plan = Some(more),
                    Some(plan) => match plan.unlike(&more) {
                        None => plan.starts.extend(more.starts),
                        Some(what) => faults.push((index, unlike(case, what))),
                    },
                },
            }
        }
        match plan {
            Some(plan) if faults.is_empty() => Ok(plan),
            _ => Err(faults),
        }
    }

    /// The plan of one case.
    ///
    /// # Errors
    /// Its fault; or that its task is not `SelfPlay`.
    pub fn of_case(case: &Case, seed: u64) -> Result<Self, Diagnostic> {
        crate::batch::supported(case)?;
        let Some(scene) = &case.scene else { return Err(Diagnostic::error("the case has no scene")) };
        let Task::SelfPlay { games, players, max_moves, random_moves, openings, sprt, adjudication } =
            &scene.task
        else {
            return Err(case
                .fault("task:", format!("`{}` is no task of self-play", scene.task.name()))
                .help("write `task: SelfPlay()`, or run the scene with `tengen run`"));
        };
        for (name, nothing) in [("games:", *games == 0), ("max_moves:", *max_moves == Some(0))] {
            if nothing {
                return Err(case.fault(name, "no move would be played").help("write 1 or more"));
            }
        }
        let settings =
            Settings { max_moves: *max_moves, random_moves: *random_moves, openings: openings.as_deref() };
        let domain = scene.domain();
        if settings.openings.is_some() && domain != Domain::Chess {
            return Err(case.fault("openings:", "openings are for chess").help(
                "leave it out; of Go, `for_each: Sgf(glob: \"*.sgf\")` names positions to begin from",
            ));
        }
        if adjudication.is_some() && domain != Domain::Chess {
            return Err(case.fault("adjudication:", "adjudication is for chess").help("leave it out"));
        }
        if let Some(fault) = sprt.as_ref().and_then(Sprt::fault) {
            return Err(case.fault("sprt:", "no such test").help(fault));
        }
        let (sides, starts) = match domain {
            Domain::Go => (vec!["Black".into(), "White".into()], vec![go::start(case, scene, &settings)?]),
            Domain::Chess => (vec!["White".into(), "Black".into()], chess::starts(case, scene, &settings)?),
            Domain::Gdl => {
                let start = gdl::start(case, scene, &settings)?;
                let From::Gdl(rules) = &start.from else { return Err(Diagnostic::error("no rulesheet")) };
                let machine = rules.game.machine("auto").map_err(|e| case.fault("game:", e.to_string()))?;
                let roles = machine.roles().to_vec();
                (roles, vec![start])
            }
        };
        let players = match players.as_slice() {
            [] => vec![Player::default_of(domain)],
            some => some.to_vec(),
        };
        let chance = starts.iter().find_map(Start::chance);
        check_players(case, scene, &players, sides.len() - usize::from(chance.is_some()))?;
        Ok(Self {
            domain,
            starts,
            players,
            sides,
            chance,
            sprt: *sprt,
            adjudication: *adjudication,
            seed,
            effort: scene.effort,
            judge: scene.judge.clone(),
            date: None,
            one_file: false,
            live: None,
        })
    }

    /// The differences from another plan, which make it another run.
    fn unlike(&self, other: &Self) -> Option<&'static str> {
        let same = [
            (self.domain == other.domain, "game"),
            (self.sides == other.sides, "roles"),
            (self.players == other.players, "players"),
            (self.sprt == other.sprt, "sprt"),
            (self.effort == other.effort, "effort"),
            (self.judge == other.judge, "judge"),
            (self.adjudication == other.adjudication, "adjudication"),
        ];
        same.into_iter().find(|(same, _)| !same).map(|(_, what)| what)
    }

    /// The number of successive games with the same opening and the players on other sides: a pair, with two players.
    #[must_use]
    pub fn cycle(&self) -> usize {
        if self.players.len() > 1 { self.seats().count() } else { 1 }
    }

    /// The sides that players have.
    pub fn seats(&self) -> impl Iterator<Item = usize> {
        (0..self.sides.len()).filter(|&side| self.chance != Some(side))
    }

    /// Whether two players play on two sides.
    #[must_use]
    pub fn is_duel(&self) -> bool {
        self.players.len() == 2 && self.seats().count() == 2
    }

    /// Which opening game `number` has, from 0: that of the games before and after it in its cycle.
    #[must_use]
    pub fn round(&self, number: u32) -> usize {
        (number as usize - 1) / self.cycle()
    }

    /// The start of game `number`, from 1.
    #[must_use]
    pub fn start(&self, number: u32) -> &Start {
        &self.starts[self.round(number) % self.starts.len()]
    }

    fn base_seed(&self, number: u32) -> u64 {
        self.start(number).seed.unwrap_or(self.seed)
    }

    /// The random seed of the opening moves of game `number`. It derives from the round and the start's own seed, or
    /// the run's seed if the start has none.
    #[must_use]
    pub fn opening_seed(&self, number: u32) -> u64 {
        derive_seed(self.base_seed(number), &[self.round(number) as u64 + 1])
    }

    /// The random seed of the players of game `number`; no two games share it.
    #[must_use]
    pub fn seed(&self, number: u32) -> u64 {
        derive_seed(self.base_seed(number), &[self.round(number) as u64 + 1, u64::from(number)])
    }

    /// Which player, by index, has `side` in game `number`; of `random`'s side that of the next one.
    #[must_use]
    pub fn player_of(&self, side: usize, number: u32) -> usize {
        let seat = side - usize::from(self.chance.is_some_and(|chance| chance < side));
        (seat + (number as usize - 1) % self.cycle()) % self.players.len()
    }

    /// The player of `side` in game `number`.
    #[must_use]
    pub fn player(&self, side: usize, number: u32) -> &Player {
        if self.chance == Some(side) {
            return &Player::Random;
        }
        &self.players[self.player_of(side, number)]
    }

    /// The command lines of the programs among the players.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.players.iter().filter_map(Player::command)
    }

    /// The name of the game with this number in its record.
    #[must_use]
    pub fn game_name(&self, number: u32) -> String {
        format!("{} {number}", self.start(number).event())
    }

    /// The extension of a game's record.
    #[must_use]
    pub const fn extension(&self) -> &'static str {
        match self.domain {
            Domain::Go => "sgf",
            Domain::Chess => "pgn",
            Domain::Gdl => "json",
        }
    }
}

impl Start {
    /// The name of its games: the scene's name and the number of its position, without the path of its file.
    #[must_use]
    pub fn event(&self) -> &str {
        let tail = self.id.split_once('#').map(|(_, name)| name);
        tail.unwrap_or_else(|| self.id.rsplit('/').next().unwrap_or(&self.id))
    }

    /// The role `random`.
    fn chance(&self) -> Option<usize> {
        if let From::Gdl(rules) = &self.from { rules.game.program.chance() } else { None }
    }

    /// The identity of a start.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let from = match &self.from {
            From::Go(opening) => opening.fingerprint(),
            From::Chess(game) => format!("{} {:?}", game.fen(), game.moves()),
            From::Gdl(rules) => format!("{:08x}", rules.signature),
        };
        format!("{} {:?} {} {} {from}", self.id, self.seed, self.max_moves, self.random_moves)
    }
}

fn unlike(case: &Case, what: &str) -> Diagnostic {
    case.fault("task:", format!("the scenes of one self-play run have the same {what}"))
        .help("put this scene into a file of its own")
}

fn check_players(case: &Case, scene: &Scene, players: &[Player], sides: usize) -> Result<(), Diagnostic> {
    let domain = scene.domain();
    if let Some(stranger) = players.iter().find(|p| !p.fits(domain)) {
        return Err(case
            .fault("players:", format!("the player `{}` does not play this game", stranger.name()))
            .help(format!("its players are {}", Player::choices(domain))));
    }
    if players.iter().any(|p| matches!(p, Player::Search { nodes: None, depth: None, .. })) {
        return Err(case
            .fault("players:", "a player has no limit")
            .help("give it `nodes` or `depth`, as in `Search(nodes: 5000)`"));
    }
    let is_none = |level: &i32| !PLAYING_LEVELS.contains(level);
    let level = |player: &Player| if let Player::Level(level) = player { Some(*level) } else { None };
    if let Some(level) = players.iter().find_map(|player| level(player).filter(is_none)) {
        let (least, most) = (*PLAYING_LEVELS.start(), *PLAYING_LEVELS.end());
        return Err(case
            .fault(&format!("Level({level})"), format!("there is no level {level}"))
            .help(format!("levels are from {least} to {most}, and 10 is the default of `tengen gtp`")));
    }
    if let Some(fault) = players.iter().find_map(Player::clock_fault) {
        return Err(case.fault("players:", "a player has no such clock").help(fault));
    }
    if players.len() > 1 && players.len() != sides {
        return Err(case
            .fault("players:", format!("there are {} players for {sides} sides", players.len()))
            .help("name one player for all sides, or one a side"));
    }
    Ok(())
}
