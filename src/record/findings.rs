//! The findings about a Go position, copied out of the World. Layers, facts and reports can use them while the World
//! analyses the next position.

use crate::record::go::record_of;
use crate::scene::position::GoInput;
use bevy_ecs::prelude::Component;
use serde_json::Value;
use tengen_core::Diagnostic;
use tengen_go::board::{Color, IllegalMove, Vertex};
use tengen_go::dragons::claims::Claim;
use tengen_go::dragons::plugin::{LifeClaims, RaceClaims};
use tengen_go::dragons::{CaveMap, DragonMap, EyeMap, Threats};
use tengen_go::influence::after_move::{self, MoveInfluence};
use tengen_go::influence::{FirstInfluence, SecondInfluence, StoneStatuses};
use tengen_go::judge::Judgement;
use tengen_go::moves::{Candidate, MoveList};
use tengen_go::patterns::PatternDatabases;
use tengen_go::publish::{CutPoint, Distance, EscapeValue, EyeNeighbors};
use tengen_go::spread::InfluenceMap;
use tengen_go::tactics::TacticsMap;
use tengen_go::world::Position;
use tengen_go::worms::WormMap;
use tengen_go::{AnalyseSystems, GoEngine};

/// The published maps of one analysis; `None` for a stage that was not asked for.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The position.
    pub position: Position,
    /// Moves played to get there.
    pub moves_played: usize,
    /// Strings and cavities.
    pub worms: Option<WormMap>,
    /// The judge's opinion.
    pub judgement: Option<Judgement>,
    /// The readings of strings.
    pub tactics: Option<TacticsMap>,
    /// Influence with dragons unknown.
    pub first: Option<FirstInfluence>,
    /// Dragons.
    pub dragons: Option<DragonMap>,
    /// Caves.
    pub caves: Option<CaveMap>,
    /// Eye spaces.
    pub eyes: Option<EyeMap>,
    /// Distances of the vertices, in vertex order.
    pub distances: Option<Vec<Distance>>,
    /// What the vertices are worth to a dragon that runs, in vertex order.
    pub escape_values: Option<Vec<EscapeValue>>,
    /// Where strings can be cut, in vertex order.
    pub cut_points: Option<Vec<CutPoint>>,
    /// Neighbours of the vertices in their eye spaces, in vertex order.
    pub eye_neighbors: Option<Vec<EyeNeighbors>>,
    /// Two moves in a row that kill or save dragons, if they were read.
    pub threats: Option<Threats>,
    /// Influence with dragons known.
    pub second: Option<SecondInfluence>,
    /// Candidate moves.
    pub moves: Option<MoveList>,
    /// The result as a record of `run --format json` has it, with all candidates.
    pub record: Value,
    claims: Vec<Vec<Claim>>,
    statuses: Option<StoneStatuses>,
    databases: Option<PatternDatabases>,
}

/// The kind of a position's map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Map {
    /// Dragons not known yet, this player moving first everywhere.
    First(Color),
    /// Dragons known, this player moving first everywhere.
    Second(Color),
    /// After this move; then its opponent moves first everywhere.
    After(Color, Vertex),
    /// After this move and the mover's follow-up.
    FollowUp(Color, Vertex),
}

impl Findings {
    /// Analyses a position on slot 0 up to a stage and copies out the findings.
    #[must_use]
    pub fn analyse(engine: &mut GoEngine, input: &GoInput, last: AnalyseSystems) -> Self {
        engine.put(0, input.position.clone());
        engine.analyse(last);
        Self::take(engine, input)
    }

    /// The same, if the judge had no fault.
    ///
    /// # Errors
    /// The judge's fault.
    pub fn analyse_judged(
        engine: &mut GoEngine,
        input: &GoInput,
        last: AnalyseSystems,
    ) -> Result<Self, Diagnostic> {
        let found = Self::analyse(engine, input, last);
        match engine.judge_fault(0) {
            Some(fault) => Err(Diagnostic::error(fault.message.clone()).help(fault.help.clone())),
            None => Ok(found),
        }
    }

    /// Copies out the findings of the last analysis about slot 0, which holds this position.
    #[must_use]
    pub fn take(engine: &GoEngine, input: &GoInput) -> Self {
        use AnalyseSystems as S;
        Self {
            position: input.position.clone(),
            moves_played: input.moves,
            worms: engine.result(0, S::Worms).cloned(),
            judgement: engine.result(0, S::Judge).cloned(),
            tactics: engine.result(0, S::Tactics).cloned(),
            first: engine.result(0, S::FirstInfluence).cloned(),
            dragons: engine.result(0, S::Dragons).cloned(),
            caves: engine.result(0, S::Dragons).cloned(),
            eyes: engine.result(0, S::Dragons).cloned(),
            distances: column(engine),
            escape_values: engine.result::<FirstInfluence>(0, S::FirstInfluence).and_then(|_| column(engine)),
            cut_points: engine.result::<DragonMap>(0, S::Dragons).and_then(|_| column(engine)),
            eye_neighbors: engine.result::<DragonMap>(0, S::Dragons).and_then(|_| column(engine)),
            threats: engine.component(0).cloned(),
            second: engine.result(0, S::SecondInfluence).cloned(),
            moves: engine.result(0, S::MoveEvaluation).cloned(),
            record: record_of(engine, 0, input),
            claims: claims(engine),
            statuses: engine.result(0, S::Dragons).cloned(),
            databases: engine.world().get_resource().cloned(),
        }
    }

    /// Lines of the board.
    #[must_use]
    pub fn size(&self) -> usize {
        self.position.board.size()
    }

    /// The claims of readings about the dragon at a vertex, in the order in which they were made.
    pub fn claims(&self, at: Vertex) -> impl Iterator<Item = &Claim> {
        let dragons = self.dragons.iter().flat_map(|map| &map.dragons);
        let number = self.dragons.as_ref().and_then(|map| map.at(at)).and_then(|of| {
            dragons.enumerate().find(|(_, dragon)| dragon.origin == of.origin).map(|(number, _)| number)
        });
        number.and_then(|number| self.claims.get(number)).into_iter().flatten()
    }

    /// A map of the position itself.
    #[must_use]
    pub fn map(&self, which: Map) -> Option<&InfluenceMap> {
        match which {
            Map::First(color) => self.first.as_ref().map(|f| &f.maps[color.index()]),
            Map::Second(color) => self.second.as_ref().map(|s| &s.maps[color.index()]),
            Map::After(..) | Map::FollowUp(..) => None,
        }
    }

    /// The map before a move, its opponent moving first everywhere, and the maps after it.
    #[must_use]
    pub fn after(
        &self,
        color: Color,
        at: Vertex,
    ) -> Option<(&InfluenceMap, Result<MoveInfluence, IllegalMove>)> {
        let before = self.map(Map::Second(color.other()))?;
        let status = &self.statuses.as_ref()?.0[color.other().index()];
        let databases = self.databases.as_ref()?;
        Some((before, after_move::of_move(&self.position.board, color, at, status, databases)))
    }

    /// Candidates of positive value, best first, ties in vertex order.
    #[must_use]
    pub fn ranked(&self) -> Vec<&Candidate> {
        let candidates = self.moves.iter().flat_map(|list| &list.candidates);
        let mut ranked: Vec<&Candidate> = candidates.filter(|c| c.value > 0.0).collect();
        ranked.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.vertex.cmp(&b.vertex)));
        ranked
    }

    /// White's lead: the judge's with the side to move, or without a judge the score by influence.
    #[must_use]
    pub fn white_lead(&self) -> Option<f32> {
        let judged = self.judgement.as_ref().and_then(|judgement| judgement.lead(self.position.to_move));
        if let Some(lead) = judged {
            return Some(-lead);
        }
        self.record.pointer("/territory/white_lead")?.as_f64().map(|lead| lead as f32)
    }
}

/// A column of the points of slot 0.
fn column<T: Component + Copy>(engine: &GoEngine) -> Option<Vec<T>> {
    Some(engine.column::<T>(0)?.into_iter().copied().collect())
}

/// The claims of readings, by the number of the dragon.
fn claims(engine: &GoEngine) -> Vec<Vec<Claim>> {
    use AnalyseSystems::Dragons;
    let life = engine.result::<LifeClaims>(0, Dragons).map(|c| &c.0);
    let races = engine.result::<RaceClaims>(0, Dragons).map(|c| &c.0);
    let lists = [life, races];
    let most = lists.iter().flatten().map(|list| list.len()).max().unwrap_or(0);
    let of = |number: usize| {
        lists.iter().flatten().filter_map(|list| list.get(number)).flatten().cloned().collect()
    };
    (0..most).map(of).collect()
}
