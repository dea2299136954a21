//! Turns records (JSON, one nested object for each position) into tables: flat, typed columns, joined by numbers.
//!
//! [`TABLES`] is the one list of tables and columns. It drives the filling of rows, the written files, Python's frames
//! and the page `docs/tables.md`. An absent field of a record is a null.
//!
//! # Modules
//! Each imports only those above it; a test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | `definition` | what a table and a column are made of |
//! | `schema_go` | the large tables of Go |
//! | `schema_go_lists` | the other tables of Go |
//! | `schema` | all tables |
//! | `fill` | records into rows |
//! | `parquet` | rows into Parquet files |
//!
//! ```
//! use tengen_tables::{Column, Tables};
//!
//! let record = r#"{"id": "a.sgf@3", "domain": "go", "task": "analyse", "status": "ok", "signature": 7,
//!     "result": {"size": 9, "dragons": [{"origin": "D4", "color": "Black", "size": 5, "status": "Alive"}]}}"#;
//! let mut tables = Tables::default();
//! tables.add(&serde_json::from_str(record)?);
//! let dragons = tables.get("dragons").expect("there is such a table");
//! assert_eq!(dragons.rows(), 1);
//! assert_eq!(dragons.column("size"), Some(&Column::Int(vec![Some(5)])));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # Cost
//! Memory: the cells, 16 bytes for each number. Callers that write files regularly take the rows out
//! ([`Tables::take`]).

mod definition;
mod fill;
#[cfg(feature = "parquet")]
pub mod parquet;
mod schema;
mod schema_go;
mod schema_go_lists;
#[cfg(test)]
mod tests;

pub use definition::{Field, From, Kind, Rows, Table, VERSION};
pub use fill::{Column, Frame, Tables};
pub use schema::{TABLES, markdown};
