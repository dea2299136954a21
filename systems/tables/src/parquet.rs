//! Writes tables as Parquet files, compressed by Zstandard. It uses the low-level writer, so the program does not link
//! Arrow.

use crate::definition::{Kind, Table, VERSION};
use crate::fill::{Column, Frame};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io::Write;
use std::sync::Arc;

/// The metadata key of the tables' version.
pub const VERSION_KEY: &str = "tengen.schema";

/// A file of one table.
pub struct Writer<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> Writer<W> {
    /// Begins a file; `more` are further keys and values for its metadata.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(out: W, table: &Table, more: &[(&str, &str)]) -> Result<Self> {
        let pairs = std::iter::once(&(VERSION_KEY, VERSION)).chain(more);
        let metadata = pairs.map(|(key, value)| KeyValue::new((*key).to_owned(), (*value).to_owned()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
            .set_created_by(concat!("tengen ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(metadata.collect()));
        SerializedFileWriter::new(out, Arc::new(schema(table)?), Arc::new(properties.build())).map(Self)
    }

    /// Writes rows, as a row group of their own; nothing if there are none.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, frame: &Frame) -> Result<()> {
        if frame.rows() == 0 {
            return Ok(());
        }
        let mut group = self.0.next_row_group()?;
        for column in &frame.columns {
            let mut writer = group
                .next_column()?
                .ok_or_else(|| ParquetError::General("fewer columns than fields".into()))?;
            cells(writer.untyped(), column)?;
            writer.close()?;
        }
        group.close().map(drop)
    }

    /// Ends the file and returns its writer.
    ///
    /// # Errors
    /// If the end of the file cannot be written.
    pub fn finish(self) -> Result<W> {
        self.0.into_inner()
    }
}

fn schema(table: &Table) -> Result<Type> {
    let fields = table.fields.iter().map(|field| {
        let (physical, logical) = match field.kind {
            Kind::Int => (Physical::INT64, None),
            Kind::Float => (Physical::DOUBLE, None),
            Kind::Bool => (Physical::BOOLEAN, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        Type::primitive_type_builder(field.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    });
    Type::group_type_builder(table.name).with_fields(fields.collect::<Result<_>>()?).build()
}

fn cells(writer: &mut ColumnWriter<'_>, column: &Column) -> Result<()> {
    /// The values that are present, and their places.
    fn parts<T, U>(cells: &[Option<T>], value: impl Fn(&T) -> U) -> (Vec<U>, Vec<i16>) {
        let there = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
        (cells.iter().flatten().map(value).collect(), there)
    }
    match (writer, column) {
        (ColumnWriter::Int64ColumnWriter(writer), Column::Int(cells)) => {
            let (values, there) = parts(cells, |n| *n);
            writer.write_batch(&values, Some(&there), None)
        }
        (ColumnWriter::DoubleColumnWriter(writer), Column::Float(cells)) => {
            let (values, there) = parts(cells, |x| *x);
            writer.write_batch(&values, Some(&there), None)
        }
        (ColumnWriter::BoolColumnWriter(writer), Column::Bool(cells)) => {
            let (values, there) = parts(cells, |b| *b);
            writer.write_batch(&values, Some(&there), None)
        }
        (ColumnWriter::ByteArrayColumnWriter(writer), Column::Text(cells)) => {
            let (values, there) = parts(cells, |text| ByteArray::from(text.as_str()));
            writer.write_batch(&values, Some(&there), None)
        }
        _ => return Err(ParquetError::General("a column is not of its field's kind".into())),
    }
    .map(drop)
}
