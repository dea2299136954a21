//! Expectations of Go scenes: the stage of the analysis that an expectation needs, its vertices, and its comparison
//! with the findings.

mod dragons;
mod final_status;
mod moves;
mod strings;
mod territory;

use super::Differences;
use crate::record::Checked;
use crate::record::go::Analysed;
use crate::scene::position::GoInput;
use crate::scene::{Case, Expect, Task};
use tengen_core::Diagnostic;
use tengen_go::AnalyseSystems;
use tengen_go::board::Vertex;

/// How a scene writes that there is no vertex.
const NONE: &str = "none";

/// One expectation of a case whose task is an analysis of Go.
#[derive(Clone, Copy, Debug)]
pub struct GoExpectation<'a> {
    /// The case it belongs to.
    pub case: &'a Case,
    /// The expected value.
    pub expect: &'a Expect,
}

impl GoExpectation<'_> {
    /// Checks it against the findings.
    ///
    /// # Errors
    /// If it names something that does not exist, or has no meaning for the analysis.
    pub fn check(&self, analysed: &Analysed) -> Result<Checked, Diagnostic> {
        self.stage_is_reached()?;
        let mut differences = Differences::default();
        self.compare(analysed, &mut differences)?;
        Ok(differences.of(self.expect))
    }

    /// Checks, without an analysis, that the scene's analysis has the expected data, and that the named vertices
    /// exist.
    ///
    /// # Errors
    /// The finding that the analysis would lack, or the invalid vertex.
    pub fn check_names(&self, input: &GoInput) -> Result<(), Diagnostic> {
        self.stage_is_reached()?;
        if let Expect::Liberties { order, .. } = self.expect
            && !(1..=4).contains(order)
        {
            return Err(self.no_such_order(*order));
        }
        self.vertices().into_iter().try_for_each(|name| self.vertex(input, name).map(|_| ()))
    }

    /// The stage that finds the expected value; `None` if an analysis does not find it.
    #[must_use]
    pub const fn stage(&self) -> Option<AnalyseSystems> {
        use AnalyseSystems as S;
        Some(match self.expect {
            Expect::Distance { .. } => S::Read,
            Expect::Worm { attack: None, defend: None, lunch: None, cutstone2: None, .. }
            | Expect::Liberties { .. } => S::Worms,
            Expect::Worm { .. } => S::Tactics,
            Expect::Influence { .. }
            | Expect::Permeability { .. }
            | Expect::Pattern { .. }
            | Expect::Field { .. }
            | Expect::Territory { .. }
            | Expect::Score { mate: None, .. } => S::FirstInfluence,
            Expect::MoveInfluence { .. } => S::SecondInfluence,
            Expect::Dragon { .. } | Expect::HalfEye { .. } | Expect::FinalStatus { .. } => S::Dragons,
            Expect::BestMove(_) | Expect::Move { .. } => S::MoveEvaluation,
            _ => return None,
        })
    }

    /// The vertices it names, as the scene spells them.
    #[must_use]
    pub fn vertices(&self) -> Vec<&String> {
        match self.expect {
            Expect::Worm { at, lunch, .. } => lunch.iter().filter(|name| *name != NONE).chain([at]).collect(),
            Expect::Distance { at, .. } | Expect::Influence { at, .. } => vec![at],
            Expect::Move { at, .. }
            | Expect::Permeability { at, .. }
            | Expect::MoveInfluence { at, .. }
            | Expect::HalfEye { at, .. } => vec![at],
            Expect::Pattern { at, .. } => at.iter().collect(),
            Expect::Liberties { of, are, .. } => are.iter().chain([of]).collect(),
            Expect::Dragon { at, with, apart, origin, border, lunch, .. } => {
                let named = [origin, border, lunch].into_iter().flatten().filter(|name| *name != NONE);
                with.iter().chain(apart).chain(named).chain([at]).collect()
            }
            Expect::Territory { at, .. } => at.iter().collect(),
            Expect::FinalStatus { dead, seki } => dead.iter().chain(seki).collect(),
            _ => Vec::new(),
        }
    }

    /// Compares it with the findings.
    fn compare(&self, analysed: &Analysed, differences: &mut Differences) -> Result<(), Diagnostic> {
        match self.expect {
            Expect::Worm { .. } => self.compare_worm(analysed, differences),
            Expect::Liberties { .. } => self.compare_liberties(analysed, differences),
            Expect::Distance { .. } => self.compare_distance(analysed, differences),
            Expect::BestMove(_) | Expect::Move { .. } => self.compare_moves(analysed, differences),
            Expect::Dragon { .. } | Expect::HalfEye { .. } => self.compare_dragon(analysed, differences),
            Expect::FinalStatus { .. } => self.compare_final_status(analysed, differences),
            Expect::Influence { .. }
            | Expect::Permeability { .. }
            | Expect::Pattern { .. }
            | Expect::MoveInfluence { .. }
            | Expect::Field { .. }
            | Expect::Territory { .. }
            | Expect::Score { .. } => self.compare_territory(analysed, differences),
            _ => Err(self.meaningless()),
        }
    }

    /// Whether the scene's analysis has the data of the expectation.
    fn stage_is_reached(&self) -> Result<(), Diagnostic> {
        let Some(Task::Analyse { last, .. }) = self.case.scene.as_ref().map(|s| &s.task) else {
            return Ok(());
        };
        if matches!(self.expect, Expect::Column { .. }) {
            return Ok(());
        }
        let fault = match self.stage() {
            None => self.meaningless(),
            Some(needed) if needed > *last => self.missing(&format!("{needed:?}")),
            Some(_) => return Ok(()),
        };
        // Its place is that of the expectation itself.
        let debug = format!("{:?}", self.expect);
        let name: String = debug.chars().take_while(char::is_ascii_alphabetic).collect();
        Err(Diagnostic { at: self.case.fault(&format!("{name}("), "").at, ..fault })
    }

    /// The vertex a scene names.
    fn vertex(&self, input: &GoInput, name: &str) -> Result<Vertex, Diagnostic> {
        input.vertex(name).filter(|v| *v != Vertex::PASS).ok_or_else(|| {
            self.case
                .fault(name, format!("`{name}` is no vertex of this board"))
                .help("a vertex is spelled like `D4`, without the letter I, or is a letter of the diagram")
        })
    }

    /// Whether the vertex that a scene names, if it names one, and the vertex found are of the same thing.
    fn is_same(
        &self,
        analysed: &Analysed,
        wanted: Option<&String>,
        found: Option<Vertex>,
        same: impl Fn(Vertex, Vertex) -> bool,
    ) -> Result<bool, Diagnostic> {
        Ok(match wanted {
            None => true,
            Some(name) if name == NONE => found.is_none(),
            Some(name) => {
                let named = self.vertex(analysed.input, name)?;
                found.is_some_and(|found| same(named, found))
            }
        })
    }

    /// The fault that the stage it needs was not asked for.
    fn missing(&self, needed: &str) -> Diagnostic {
        self.case
            .fault("expect:", format!("this expectation needs the stage {needed}"))
            .help(format!("write `task: Analyse(last: {needed})`, a later stage, or `Analyse()` for all"))
    }

    /// The fault that it is of another game or task.
    fn meaningless(&self) -> Diagnostic {
        self.case
            .fault("expect:", "this expectation means nothing for this task")
            .help("see scenes/README.md for the expectations of each task")
    }

    /// The fault of an order that liberties do not have.
    fn no_such_order(&self, order: usize) -> Diagnostic {
        self.case.fault("Liberties(", format!("there are no liberties of order {order}")).help("1 to 4")
    }
}
