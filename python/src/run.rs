//! Runs scenes, game records and positions in the Python process, as `tengen run` does.

use crate::tables::Table;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::{Path, PathBuf};
use tengen::batch::runner::STACK;
use tengen::batch::{Event, Settings, run};
use tengen::scene::cases::{ask_for_columns, of_files, of_text};
use tengen::scene::paths::scene_files;
use tengen::scene::plain_files::task;
use tengen::scene::{Case, PlainFiles};
use tengen_core::Stop;
use tengen_tables::Tables;

/// Records of a run: JSON texts, and the tables they make.
#[pyclass(frozen, module = "tengen._tengen")]
pub(crate) struct Records {
    lines: Vec<String>,
    tables: Vec<Py<Table>>,
}

impl Records {
    fn new(py: Python<'_>, lines: Vec<String>) -> PyResult<Self> {
        let mut tables = Tables::default();
        for (number, line) in lines.iter().enumerate() {
            let record = serde_json::from_str(line)
                .map_err(|error| PyValueError::new_err(format!("line {}: no record: {error}", number + 1)))?;
            tables.add(&record);
        }
        let tables = tables.take().into_iter().map(|frame| Py::new(py, Table::new(frame)?));
        Ok(Self { lines, tables: tables.collect::<PyResult<_>>()? })
    }
}

#[pymethods]
impl Records {
    /// The records, JSON each.
    #[getter]
    fn lines(&self) -> Vec<String> {
        self.lines.clone()
    }

    /// A table by its name.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Py<Table>> {
        let known = || self.tables.iter().map(|table| table.get().name()).collect::<Vec<_>>().join(", ");
        let found = self.tables.iter().find(|table| table.get().name() == name);
        found
            .map(|table| table.clone_ref(py))
            .ok_or_else(|| PyValueError::new_err(format!("no table {name:?}; there are {}", known())))
    }

    fn __len__(&self) -> usize {
        self.lines.len()
    }

    /// Pickles as the texts of the records.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("tengen._tengen")?.getattr("records_of_lines")?;
        Ok((restore, (self.lines.clone(),).into_pyobject(py)?))
    }

    /// Itself: records do not change.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Itself: records do not change.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// Records from their texts.
#[pyfunction]
pub(crate) fn records_of_lines(py: Python<'_>, lines: Vec<String>) -> PyResult<Records> {
    Records::new(py, lines)
}

/// Tables from a file of records.
#[pyfunction]
pub(crate) fn read_records(py: Python<'_>, path: PathBuf) -> PyResult<Records> {
    let text = py.detach(|| std::fs::read_to_string(&path));
    let text = text.map_err(|error| PyOSError::new_err(format!("can't read {}: {error}", path.display())))?;
    Records::new(py, text.lines().map(str::to_owned).collect())
}

/// Runs files (and globs), or a scene file's text; the records in the order of the cases.
#[pyfunction]
#[pyo3(signature = (paths, text, *, seed, jobs, every, after, task_text, effort, judge, columns, limit_nodes, strict))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of Python's")]
pub(crate) fn run_cases(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    text: Option<String>,
    seed: u64,
    jobs: usize,
    every: Option<usize>,
    after: Option<usize>,
    task_text: Option<String>,
    effort: Option<String>,
    judge: Option<String>,
    columns: bool,
    limit_nodes: Option<u64>,
    strict: bool,
) -> PyResult<Records> {
    let task = task_text.map(|text| task(&text)).transpose();
    let plain =
        PlainFiles { task: task.map_err(|fault| PyValueError::new_err(fault.to_string()))?, after, every };
    let effort = effort.map(|name| effort_of(&name)).transpose()?;
    let judge = judge.map(|name| tengen::judges::named(&name).map_err(PyValueError::new_err)).transpose()?;
    let settings = Settings { limit_nodes, effort, judge, strict, ..Settings::default() };
    let lines = py.detach(|| -> PyResult<Vec<String>> {
        let mut cases = match text {
            Some(text) => of_text(Path::new("scene"), text, seed),
            None => cases_of(&paths, seed, &plain),
        };
        if columns {
            ask_for_columns(&mut cases);
        }
        in_pool(&cases, &settings, jobs)
    })?;
    Records::new(py, lines)
}

fn effort_of(name: &str) -> PyResult<tengen_go::Level> {
    name.parse().map_err(|error| PyValueError::new_err(format!("{error}")))
}

/// The cases of files; a path that is of no use is a case with a fault.
fn cases_of(paths: &[PathBuf], seed: u64, plain: &PlainFiles) -> Vec<Case> {
    let (files, unusable) = scene_files(paths);
    let mut cases = of_files(&files, seed, plain);
    cases.extend(unusable.into_iter().map(|(path, reason)| {
        let name = path.display().to_string();
        let fault =
            tengen_core::Diagnostic::error(format!("can't use this path: {reason}")).in_file(name.clone());
        Case::faulty(name, fault)
    }));
    cases
}

/// Runs cases on this number of threads (0: all cores). Ctrl-C ends it within a second.
fn in_pool(cases: &[Case], settings: &Settings, jobs: usize) -> PyResult<Vec<String>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK).build();
    let pool =
        pool.map_err(|error| PyRuntimeError::new_err(format!("the threads could not be started: {error}")))?;
    let todo: Vec<usize> = (0..cases.len()).collect();
    let (mut lines, mut raised) = (Vec::with_capacity(cases.len()), None);
    let done = run(&pool, cases, &todo, settings, &Stop::NEVER, |event| {
        if let Event::Done { record, .. } = event {
            lines.push(record.line());
        }
        Python::attach(|py| py.check_signals()).map_err(|error| {
            raised = Some(error);
            anyhow::anyhow!("interrupted")
        })
    });
    match (raised, done) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(PyRuntimeError::new_err(format!("{error:#}"))),
        (None, Ok(())) => Ok(lines),
    }
}
