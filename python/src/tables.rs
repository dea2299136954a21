//! Passes tables to Python as Arrow data. The C data interface of Arrow shares the columns without a copy.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList, PyTuple};
use std::collections::HashMap;
use std::sync::Arc;
use tengen_tables::{Column, Frame, Kind, VERSION};

/// A table; see `tengen.tables`.
#[pyclass(frozen, module = "tengen.tables")]
pub(crate) struct Table {
    frame: Frame,
    batch: RecordBatch,
}

impl Table {
    pub(crate) fn new(frame: Frame) -> PyResult<Self> {
        let fields: Vec<Field> = frame
            .table
            .fields
            .iter()
            .map(|field| {
                let kind = match field.kind {
                    Kind::Int => DataType::Int64,
                    Kind::Float => DataType::Float64,
                    Kind::Bool => DataType::Boolean,
                    Kind::Text => DataType::Utf8,
                };
                Field::new(field.name, kind, true)
            })
            .collect();
        let version = HashMap::from([("tengen.schema".to_owned(), VERSION.to_owned())]);
        let schema = Arc::new(Schema::new(fields).with_metadata(version));
        let columns = frame.columns.iter().map(array).collect();
        let batch = RecordBatch::try_new(schema, columns);
        Ok(Self { batch: batch.map_err(|error| PyRuntimeError::new_err(error.to_string()))?, frame })
    }

    pub(crate) fn name(&self) -> &'static str {
        self.frame.table.name
    }

    fn schema(&self) -> SchemaRef {
        self.batch.schema()
    }

    fn of(&self, name: &str) -> PyResult<&Column> {
        self.frame.column(name).ok_or_else(|| {
            PyValueError::new_err(format!(
                "{} has no column {name:?}; there are {}",
                self.name(),
                self.columns().join(", ")
            ))
        })
    }
}

/// A table that was pickled: its name and the cells of its columns.
#[pyfunction]
pub(crate) fn table_of(name: &str, cells: Vec<Bound<'_, PyAny>>) -> PyResult<Table> {
    let wrong = || PyValueError::new_err(format!("these are no cells of a table {name:?}"));
    let table = tengen_tables::TABLES.iter().find(|table| table.name == name).ok_or_else(wrong)?;
    let column = |(field, cells): (&tengen_tables::Field, &Bound<'_, PyAny>)| -> PyResult<Column> {
        Ok(match field.kind {
            Kind::Int => Column::Int(cells.extract()?),
            Kind::Float => Column::Float(cells.extract()?),
            Kind::Bool => Column::Bool(cells.extract()?),
            Kind::Text => Column::Text(cells.extract()?),
        })
    };
    let columns = table.fields.iter().zip(&cells).map(column).collect::<PyResult<_>>()?;
    Table::new(Frame::of_columns(name, columns).ok_or_else(wrong)?)
}

fn array(column: &Column) -> ArrayRef {
    match column {
        Column::Int(cells) => Arc::new(Int64Array::from(cells.clone())),
        Column::Float(cells) => Arc::new(Float64Array::from(cells.clone())),
        Column::Bool(cells) => Arc::new(BooleanArray::from(cells.clone())),
        Column::Text(cells) => Arc::new(cells.iter().map(Option::as_deref).collect::<StringArray>()),
    }
}

#[pymethods]
impl Table {
    /// The table's name.
    #[getter(name)]
    fn py_name(&self) -> &'static str {
        self.name()
    }

    /// What a row is.
    #[getter]
    fn description(&self) -> &'static str {
        self.frame.table.doc
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&'static str> {
        self.frame.table.fields.iter().map(|field| field.name).collect()
    }

    fn __len__(&self) -> usize {
        self.frame.rows()
    }

    /// The rows as a stream of the Arrow C data interface; the schema is always the table's own.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer answer with its own schema.
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// A column of numbers as a NumPy array of float64: NaN where there is none; booleans are 0 and 1.
    fn numbers<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let values: Vec<f64> = match self.of(name)? {
            Column::Int(cells) => cells.iter().map(|cell| cell.map_or(f64::NAN, |n| n as f64)).collect(),
            Column::Float(cells) => cells.iter().map(|cell| cell.unwrap_or(f64::NAN)).collect(),
            Column::Bool(cells) => {
                cells.iter().map(|cell| cell.map_or(f64::NAN, |b| f64::from(u8::from(b)))).collect()
            }
            Column::Text(_) => return Err(PyTypeError::new_err(format!("the column {name:?} is text"))),
        };
        Ok(values.into_pyarray(py))
    }

    /// A column of texts, None where there is none.
    fn texts(&self, name: &str) -> PyResult<Vec<Option<String>>> {
        match self.of(name)? {
            Column::Text(cells) => Ok(cells.clone()),
            _ => Err(PyTypeError::new_err(format!("the column {name:?} is no text"))),
        }
    }

    /// The cells of a column as Python has them, None where there is none.
    fn cells<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        match self.of(name)? {
            Column::Int(cells) => PyList::new(py, cells),
            Column::Float(cells) => PyList::new(py, cells),
            Column::Bool(cells) => PyList::new(py, cells),
            Column::Text(cells) => PyList::new(py, cells),
        }
    }

    /// The rows as named tuples, so that `pandas.DataFrame(table)` takes a table that has rows.
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tengen.tables")?.getattr("_rows")?.call1((slf,))
    }

    /// Pickles with its cells.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let cells =
            self.columns().into_iter().map(|name| self.cells(py, name)).collect::<PyResult<Vec<_>>>()?;
        let restore = py.import("tengen._tengen")?.getattr("table_of")?;
        Ok((restore, (self.name(), cells).into_pyobject(py)?))
    }

    /// Itself: a table does not change.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Itself: a table does not change.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!(
            "<tengen.tables.Table {:?}, {} rows x {} columns>",
            self.name(),
            self.frame.rows(),
            self.columns().len()
        )
    }
}
