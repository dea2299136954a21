//! Makes the plan of self-play games from the cases that describe them.

use super::plan::Plan;
use super::start::{From, Settings, Start};
use super::{chess, gdl, go};
use crate::scene::{Case, Domain, Player, Scene, Sprt, Task};
use tengen_core::Diagnostic;
use tengen_go::moves::PLAYING_LEVELS;

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
