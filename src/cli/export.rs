//! `tengen export`: writes the records of a run as tables for data frames.

use super::Outcome;
use crate::number_text::plural;
use crate::report::tables::{Cells, Format, export};
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use tengen_core::escaped_line;

/// The arguments of `tengen export`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder of a run (`tengen run --out DIR`), or a file of records
    #[arg(value_name = "DIR")]
    run: PathBuf,
    /// What kind of files; without it Parquet, or CSV where this tengen was built without that
    #[arg(long, value_enum, default_value_t = Format::DEFAULT)]
    format: Format,
    /// The folder for the tables; without it, `tables` beside the records
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write tables anew that are there already
    #[arg(long)]
    force: bool,
    /// Leave the texts of CSV as they are, for programs; a spreadsheet may take some for formulas
    #[arg(long)]
    raw_cells: bool,
}

/// Carries out `tengen export`.
///
/// # Errors
/// If a line is no record; if there are tables already; if they can't be written.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let records = if args.run.is_dir() { args.run.join("records.jsonl") } else { args.run };
    let out = args.out.unwrap_or_else(|| records.with_file_name("tables"));
    anyhow::ensure!(
        !args.raw_cells || args.format == Format::Csv,
        "--raw-cells is for --format csv: Parquet has all texts as they are"
    );
    let cells = if args.raw_cells { Cells::Raw } else { Cells::Safe };
    let count = export(&records, &out, args.format, cells, args.force)?;
    let told = format!("{count} {} as tables in {}", plural("record", count), out.display());
    writeln!(io::stdout(), "{}", escaped_line(&told)).context("can't write to stdout")?;
    Ok(Outcome::Success)
}
