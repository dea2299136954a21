//! The analyses of the viewer: one World, and a cache of the findings about the last requested positions.

use crate::record::findings::Findings;
use crate::scene::position::GoInput;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use tengen_go::board::{Color, Vertex};
use tengen_go::finished::StatusFinder;
use tengen_go::judge::{JudgeInForce, Judgement};
use tengen_go::patterns::PatternDatabases;
use tengen_go::reasons::{Explanation, Reasoner};
use tengen_go::score::FinalStatus;
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems, Effort, GoEngine, Level};

/// Positions whose findings are kept: about 0.3 MB each on 19 lines.
const KEPT: usize = 400;
/// Explanations that are kept.
const EXPLAINED: usize = 500;
/// Leads that are kept.
const LEADS: usize = 200_000;
/// Databases kept that were tried out; the oldest give way.
const TRIED: usize = 50;

/// The settings of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setting {
    /// The effort.
    pub level: Level,
    /// The number of its pattern databases; 0 are those the cache began with.
    pub patterns: usize,
}

impl Setting {
    /// In words.
    #[must_use]
    pub fn text(self) -> String {
        match self.patterns {
            0 => format!("effort {}, patterns as started", self.level.name()),
            n => format!("effort {}, patterns of edit {n}", self.level.name()),
        }
    }
}

/// The key of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    situation: u64,
    size: usize,
    komi: u32,
    setting: Setting,
    moves: usize,
    last: Option<(Color, Vertex)>,
    captured: [u32; 2],
}

/// One World and the findings of the last positions.
pub struct AnalysisCache {
    engine: Mutex<(GoEngine, Setting)>,
    kept: Mutex<VecDeque<(Key, Arc<Findings>)>>,
    /// The effort, unless another level is requested.
    pub level: Level,
    judge: JudgeInForce,
    patterns: Mutex<BTreeMap<usize, PatternDatabases>>,
    leads: Mutex<HashMap<Key, f32>>,
    reasons: Mutex<(Reasoner, HashMap<MoveKey, Explained>)>,
}

/// A move of a position.
type MoveKey = (Key, Vertex);

/// Why a move is good or bad.
#[derive(Clone, Debug)]
pub struct Explained {
    /// Its gain or loss against a pass.
    pub over_pass: Explanation,
    /// Its gain or loss against the best move; `None` for the best move itself.
    pub under_best: Option<Explanation>,
}

impl AnalysisCache {
    /// A cache that matches with these databases, or with our own, and reads so far.
    #[must_use]
    pub fn new(patterns: Option<PatternDatabases>, level: Level) -> Self {
        let mut engine = GoEngine::new(1);
        engine.read_under(Effort::of(level));
        let databases = patterns.unwrap_or_default();
        engine.world_mut().insert_resource(databases.clone());
        Self {
            engine: Mutex::new((engine, Setting { level, patterns: 0 })),
            kept: Mutex::default(),
            level,
            judge: JudgeInForce::default(),
            patterns: Mutex::new(BTreeMap::from([(0, databases)])),
            leads: Mutex::default(),
            reasons: Mutex::default(),
        }
    }

    /// The same cache, with this judge.
    #[must_use]
    pub fn judged_by(mut self, judge: JudgeInForce) -> Self {
        let engine = self.engine.get_mut().unwrap_or_else(PoisonError::into_inner);
        engine.0.judge_by(judge.clone());
        Self { judge, ..self }
    }

    /// Adds databases to try out; the number to ask for them by. 0 are those the cache began with.
    pub fn add_patterns(&self, databases: PatternDatabases) -> usize {
        let mut patterns = self.patterns.lock().unwrap_or_else(PoisonError::into_inner);
        let number = patterns.last_key_value().map_or(0, |(last, _)| last + 1);
        patterns.insert(number, databases);
        if patterns.len() > TRIED {
            // 0 stays.
            let oldest = patterns.keys().nth(1).copied();
            oldest.map(|oldest| patterns.remove(&oldest));
        }
        number
    }

    /// Whether databases of that number are there.
    #[must_use]
    pub fn knows(&self, patterns: usize) -> bool {
        self.patterns.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&patterns)
    }

    /// The numbers of all databases there are.
    #[must_use]
    pub fn numbers(&self) -> Vec<usize> {
        self.patterns.lock().unwrap_or_else(PoisonError::into_inner).keys().copied().collect()
    }

    /// All that the pipeline finds about a position with these databases.
    #[must_use]
    pub fn findings(&self, input: &GoInput, patterns: usize) -> Arc<Findings> {
        self.findings_under(input, Setting { level: self.level, patterns })
    }

    fn key(input: &GoInput, setting: Setting) -> Key {
        let position = &input.position;
        Key {
            situation: position.board.situation_hash(position.to_move),
            size: position.board.size(),
            komi: position.komi.to_bits(),
            setting,
            moves: input.moves,
            last: position.board.last_move(),
            captured: Color::BOTH.map(|color| position.board.captured(color)),
        }
    }

    /// All findings of the pipeline about a position under a setting, from the store if they are there.
    #[must_use]
    pub fn findings_under(&self, input: &GoInput, setting: Setting) -> Arc<Findings> {
        let key = Self::key(input, setting);
        if let Some(found) = self.kept(key) {
            return found;
        }
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        // Someone else may have asked for the same while we waited.
        if let Some(found) = self.kept(key) {
            return found;
        }
        self.set(&mut engine, setting);
        let found = Arc::new(Findings::analyse(&mut engine.0, input, AnalyseSystems::MoveEvaluation));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back((key, found.clone()));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        found
    }

    /// Puts the engine under a setting.
    fn set(&self, engine: &mut (GoEngine, Setting), setting: Setting) {
        if engine.1 == setting {
            return;
        }
        let known = self.patterns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(databases) = known.get(&setting.patterns) {
            // A World of its own: what reading kept from move to move may rest on the setting.
            let mut fresh = GoEngine::new(1);
            fresh.read_under(Effort::of(setting.level));
            fresh.judge_by(self.judge.clone());
            fresh.world_mut().insert_resource(databases.clone());
            *engine = (fresh, setting);
        }
    }

    /// The final status of a position: who lives and who has won.
    #[must_use]
    pub fn final_status(&self, input: &GoInput, patterns: usize) -> FinalStatus {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        self.set(&mut engine, Setting { level: self.level, patterns });
        let Position { board, to_move, .. } = &input.position;
        StatusFinder::default().find(&engine.0, board, *to_move, 1)
    }

    /// Why a move is better or worse than a pass, and than the best one.
    ///
    /// # Errors
    /// If it can't be played, or nobody judges the position.
    pub fn explain(&self, input: &GoInput, patterns: usize, v: Vertex) -> Result<Explained, String> {
        let setting = Setting { level: self.level, patterns };
        let asked = (Self::key(input, setting), v);
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reasons = self.reasons.lock().unwrap_or_else(PoisonError::into_inner);
        let (reasoner, kept) = &mut *reasons;
        if let Some(known) = kept.get(&asked) {
            return Ok(known.clone());
        }
        self.set(&mut engine, setting);
        engine.0.put(0, input.position.clone());
        engine.0.analyse(AnalyseSystems::MoveEvaluation);
        let mut against = |other: Option<Vertex>| {
            let found = reasoner.explain(&engine.0, 0, &[v], other, 0).map_err(|fault| fault.to_string())?;
            Ok::<_, String>(found.why_not.into_iter().next())
        };
        let over_pass = against(Some(Vertex::PASS))?.ok_or("a pass is not held against itself")?;
        let found = Explained { over_pass, under_best: against(None)? };
        if kept.len() >= EXPLAINED {
            kept.clear();
        }
        kept.insert(asked, found.clone());
        Ok(found)
    }

    /// The judge in force.
    #[must_use]
    pub fn judge(&self) -> JudgeInForce {
        self.judge.clone()
    }

    /// White's lead in a position by the judge, which needs no further stage. Without a judge the whole analysis
    /// gives it.
    #[must_use]
    pub fn white_lead(&self, input: &GoInput, patterns: usize) -> Option<f32> {
        let key = Self::key(input, Setting { level: self.level, patterns });
        let known = self.leads.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        if known.is_some() {
            return known;
        }
        let judged = self.judged(input);
        let lead = judged.or_else(|| self.findings(input, patterns).white_lead())?;
        let mut leads = self.leads.lock().unwrap_or_else(PoisonError::into_inner);
        if leads.len() >= LEADS {
            leads.clear();
        }
        leads.insert(key, lead);
        Some(lead)
    }

    /// White's lead by the judge alone.
    fn judged(&self, input: &GoInput) -> Option<f32> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        engine.0.put(0, input.position.clone());
        engine.0.analyse(AnalyseSystems::Judge);
        let judgement: &Judgement = engine.0.result(0, AnalyseSystems::Judge)?;
        judgement.lead(input.position.to_move).map(|lead| -lead)
    }

    fn kept(&self, key: Key) -> Option<Arc<Findings>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().rev().find(|(k, _)| *k == key).map(|(_, found)| found.clone())
    }
}
