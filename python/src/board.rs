//! Go boards on which Python code can play.

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tengen_go::board::{Board as Stones, Color, KoRule, MAX_SIZE, Rules, SuicideRule, Vertex};

/// A board of Go under its rules; see `tengen.boards.GoEnv`. Vertices are numbered row by row from the top left, a pass is
/// the number after the last.
#[pyclass(module = "tengen._tengen")]
pub(crate) struct Board {
    stones: Stones,
    superko: bool,
    suicide: bool,
    /// What was played, for copies in other processes: whether by Black, and where.
    moves: Vec<(bool, usize)>,
}

fn color(black: bool) -> Color {
    if black { Color::Black } else { Color::White }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (size, *, superko, suicide))]
    fn new(size: usize, superko: bool, suicide: bool) -> PyResult<Self> {
        if !(1..=MAX_SIZE).contains(&size) {
            return Err(PyValueError::new_err(format!("size must be from 1 to {MAX_SIZE}, not {size}")));
        }
        let ko = if superko { KoRule::PositionalSuperko } else { KoRule::Simple };
        let rule = if suicide { SuicideRule::MultiStone } else { SuicideRule::Forbidden };
        Ok(Self {
            stones: Stones::with_rules(size, Rules { ko, suicide: rule }),
            superko,
            suicide,
            moves: Vec::new(),
        })
    }

    /// Plays at a vertex, or passes.
    fn play(&mut self, black: bool, at: usize) -> PyResult<()> {
        let board = &mut self.stones;
        let (size, color) = (board.size(), color(black));
        let vertices = size * size;
        if at > vertices {
            return Err(PyValueError::new_err(format!(
                "vertices are numbered to {vertices}, a pass included"
            )));
        }
        let vertex = if at == vertices { Vertex::PASS } else { Vertex::from_index(at, size) };
        board.play(color, vertex).map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.moves.push((black, at));
        Ok(())
    }

    /// An independent copy.
    fn __copy__(&self) -> Self {
        Self { stones: self.stones.clone(), moves: self.moves.clone(), ..*self }
    }

    /// An independent copy.
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    /// Pickles as the moves played, which are played again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("tengen._tengen")?.getattr("board_of")?;
        let given = (self.stones.size(), self.superko, self.suicide, self.moves.clone());
        Ok((restore, given.into_pyobject(py)?))
    }

    /// Which vertices a player may play at, and whether he may pass, which he always may.
    fn legal<'py>(&self, py: Python<'py>, black: bool) -> Bound<'py, PyArray1<bool>> {
        let (board, color) = (&self.stones, color(black));
        let points = board.vertices().map(|v| board.is_legal(color, v));
        PyArray1::from_vec(py, points.chain([true]).collect())
    }

    /// 1 for Black, -1 for White, 0, a vertex each.
    fn position<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let board = &self.stones;
        let stone = |v| match board.color_at(v) {
            Some(Color::Black) => 1,
            Some(Color::White) => -1,
            None => 0,
        };
        PyArray1::from_vec(py, board.vertices().map(stone).collect())
    }

    /// White's points less Black's by area, all stones alive.
    fn white_lead(&self, komi: f32) -> f32 {
        self.stones.area_lead(komi)
    }
}

/// A board that was pickled: its rules, and the moves played on it.
#[pyfunction]
pub(crate) fn board_of(
    size: usize,
    superko: bool,
    suicide: bool,
    moves: Vec<(bool, usize)>,
) -> PyResult<Board> {
    let mut board = Board::new(size, superko, suicide)?;
    moves.into_iter().try_for_each(|(black, at)| board.play(black, at))?;
    Ok(board)
}
