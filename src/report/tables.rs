//! Writes records as table files, one file for each table. The files have temporary names until all are complete.

use crate::files::{FolderLock, record_lines};
use anyhow::{Context as _, ensure};
use clap::ValueEnum;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use tengen_core::safe_cell;
#[cfg(feature = "parquet")]
use tengen_tables::parquet;
use tengen_tables::{Column, Frame, TABLES, Table, Tables};

/// The format of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Parquet: typed columns, compressed, with the schema's version (needs the build feature `parquet`)
    Parquet,
    /// Text, a header and a line a row; nothing stands for a null, "" for an empty text
    Csv,
}

impl Format {
    /// The default: the best format that this build can write.
    pub const DEFAULT: Self = if cfg!(feature = "parquet") { Self::Parquet } else { Self::Csv };

    const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Csv => "csv",
        }
    }

    /// Whether this build can write it.
    ///
    /// # Errors
    /// If the build cannot write the format. The message says how to build one that can.
    pub fn available(self) -> anyhow::Result<()> {
        ensure!(
            self == Self::Csv || cfg!(feature = "parquet"),
            "this tengen was built without Parquet: cargo build --release --features parquet"
        );
        Ok(())
    }
}

/// The texts in cells of CSV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cells {
    /// Made safe for spreadsheets and terminals, see [`safe_cell`].
    #[default]
    Safe,
    /// As they are, for programs.
    Raw,
}

/// The number of rows at which a table's rows go to the files.
const ROWS: usize = 1 << 17;

/// Writes all tables of a file of records into a folder; returns the number of records. `cells` is for CSV: Parquet has
/// all texts as they are.
///
/// # Errors
/// If a line is not a record; if the folder holds tables already and `replace` is not set; if it cannot be written.
pub fn export(
    records: &Path,
    folder: &Path,
    format: Format,
    cells: Cells,
    replace: bool,
) -> anyhow::Result<usize> {
    format.available()?;
    let shown = records.display();
    let file = File::open(records).with_context(|| format!("can't read {shown}"))?;
    fs::create_dir_all(folder).with_context(|| format!("can't make the folder {}", folder.display()))?;
    let _lock = FolderLock::take_for_now(folder)?;
    let path = |table: &Table| folder.join(format!("{}.{}", table.name, format.extension()));
    if let Some(there) = TABLES.iter().map(path).find(|path| path.exists() && !replace) {
        anyhow::bail!("{} is there already: --force writes it anew, or name another folder", there.display());
    }
    let mut files: Vec<TableFile> = TABLES
        .iter()
        .map(|table| TableFile::new(path(table), table, format, cells))
        .collect::<anyhow::Result<_>>()?;
    let mut tables = Tables::default();
    for (index, line) in record_lines(BufReader::new(file)).enumerate() {
        let place = || format!("{shown}:{}: this is no record", index + 1);
        tables.add(&serde_json::from_str(&line.with_context(place)?).with_context(place)?);
        if tables.longest() >= ROWS {
            write(&mut files, &tables.take())?;
        }
    }
    write(&mut files, &tables.take())?;
    let whole: Vec<(PathBuf, PathBuf)> =
        files.into_iter().map(TableFile::finish).collect::<anyhow::Result<_>>()?;
    for (part, path) in whole {
        fs::rename(&part, &path).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(tables.records())
}

fn write(files: &mut [TableFile], frames: &[Frame]) -> anyhow::Result<()> {
    files.iter_mut().zip(frames).try_for_each(|(file, frame)| {
        file.write(frame).with_context(|| format!("can't write {}", file.path.display()))
    })
}

/// The file of a table while it is written; removed if it does not get whole.
struct TableFile {
    path: PathBuf,
    part: PathBuf,
    sink: Option<Sink>,
}

enum Sink {
    Csv(BufWriter<File>, Cells),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::Writer<BufWriter<File>>>),
}

impl TableFile {
    fn new(path: PathBuf, table: &Table, format: Format, cells: Cells) -> anyhow::Result<Self> {
        let mut part = path.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let context = || format!("can't write {}", part.display());
        let mut out = BufWriter::new(File::create(&part).with_context(context)?);
        let sink = match format {
            Format::Csv => {
                let names: Vec<&str> = table.fields.iter().map(|field| field.name).collect();
                writeln!(out, "{}", names.join(",")).with_context(context)?;
                Sink::Csv(out, cells)
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let more = [("tengen.version", env!("CARGO_PKG_VERSION"))];
                Sink::Parquet(Box::new(parquet::Writer::new(out, table, &more).with_context(context)?))
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => anyhow::bail!("this tengen was built without Parquet"),
        };
        Ok(Self { path, part, sink: Some(sink) })
    }

    fn write(&mut self, frame: &Frame) -> anyhow::Result<()> {
        match &mut self.sink {
            Some(Sink::Csv(out, cells)) => csv(out, frame, *cells)?,
            #[cfg(feature = "parquet")]
            Some(Sink::Parquet(writer)) => writer.write(frame)?,
            None => {}
        }
        Ok(())
    }

    /// Synchronises the file to the disk. Returns its present and its final name.
    fn finish(mut self) -> anyhow::Result<(PathBuf, PathBuf)> {
        let end = |sink| -> anyhow::Result<BufWriter<File>> {
            Ok(match sink {
                Sink::Csv(out, _) => out,
                #[cfg(feature = "parquet")]
                Sink::Parquet(writer) => writer.finish()?,
            })
        };
        let context = || format!("can't write {}", self.path.display());
        if let Some(sink) = self.sink.take() {
            let file = end(sink).with_context(context)?.into_inner().map_err(io::IntoInnerError::into_error);
            file.and_then(|file| file.sync_data()).with_context(context)?;
        }
        Ok((std::mem::take(&mut self.part), std::mem::take(&mut self.path)))
    }
}

impl Drop for TableFile {
    fn drop(&mut self) {
        if !self.part.as_os_str().is_empty() {
            // There is nobody to tell.
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// Rows as lines (RFC 4180).
fn csv(out: &mut impl Write, frame: &Frame, texts: Cells) -> io::Result<()> {
    for row in 0..frame.rows() {
        for (index, column) in frame.columns.iter().enumerate() {
            if index > 0 {
                out.write_all(b",")?;
            }
            match column {
                Column::Int(cells) => cells[row].map_or(Ok(()), |n| write!(out, "{n}"))?,
                Column::Float(cells) => cells[row].map_or(Ok(()), |x| write!(out, "{x}"))?,
                Column::Bool(cells) => cells[row].map_or(Ok(()), |b| write!(out, "{b}"))?,
                Column::Text(cells) => {
                    cells[row].as_ref().map_or(Ok(()), |text| csv_text(out, text, texts))?;
                }
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn csv_text(out: &mut impl Write, text: &str, cells: Cells) -> io::Result<()> {
    let text = match cells {
        Cells::Safe => safe_cell(text),
        Cells::Raw => text.into(),
    };
    if text.is_empty() || text.contains([',', '"', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}
