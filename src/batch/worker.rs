//! Runs one unit of cases on one thread, with the code of the case's game. A panic affects only the case that panics.

use super::outcome::{error, finish_within, panic_fault};
use super::settings::{Settings, Timing};
use super::supported::supported;
use super::{chess, gdl, go, selfplay};
use crate::limits::Watch;
use crate::panics::panic_message;
use crate::record::{Finding, Record};
use crate::scene::{Case, Domain, Task};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use tengen_core::{Diagnostic, Parallelism};

/// One thread's engines, made when first needed.
pub(super) struct Worker {
    settings: Settings,
    parallelism: Parallelism,
    go: Option<go::GoWorker>,
}

impl Worker {
    pub(super) fn new(settings: &Settings, parallelism: Parallelism) -> Self {
        Self { settings: settings.clone(), parallelism, go: None }
    }

    /// Runs a unit, as long as its watch lets it; a panic costs only the case that panics.
    pub(super) fn run_unit(&mut self, cases: &[Case], watch: &Watch) -> Vec<(Record, Timing)> {
        let start = Instant::now();
        let records = match catch_unwind(AssertUnwindSafe(|| self.run_cases(cases, watch))) {
            Ok(records) => records,
            Err(cause) => {
                // Its World may be half written.
                self.go = None;
                if let [case] = cases {
                    vec![error(case, &panic_fault(panic_message(&*cause)))]
                } else {
                    let alone = |case| self.run_unit(std::slice::from_ref(case), watch);
                    return cases.iter().flat_map(alone).collect();
                }
            }
        };
        let batch = cases.len();
        let timing = Timing { took: start.elapsed() / u32::try_from(batch).unwrap_or(1).max(1), batch };
        records.into_iter().map(|r| (r, timing)).collect()
    }

    fn run_cases(&mut self, cases: &[Case], watch: &Watch) -> Vec<Record> {
        let settings = &self.settings;
        if let [case] = cases
            && let Err(fault) = supported(case)
        {
            return vec![error(case, &fault)];
        }
        let each = |run: &dyn Fn(&Case) -> Result<Finding, Diagnostic>| {
            cases.iter().map(|case| finish_within(case, run(case), watch, settings)).collect()
        };
        if matches!(cases[0].scene.as_ref().map(|s| &s.task), Some(Task::SelfPlay { .. })) {
            return each(&|case| selfplay::run(case, settings));
        }
        match cases[0].domain() {
            Some(Domain::Go) => {
                let parallelism = self.parallelism;
                let go = self.go.get_or_insert_with(|| go::GoWorker::new(settings, parallelism));
                let found = go.run(cases, watch);
                cases
                    .iter()
                    .zip(found)
                    .map(|(case, found)| finish_within(case, found, watch, settings))
                    .collect()
            }
            Some(Domain::Chess) => each(&|case| chess::run(case, settings, watch)),
            Some(Domain::Gdl) => each(&|case| gdl::run(case, settings, watch)),
            None => Vec::new(),
        }
    }
}
