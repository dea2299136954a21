//! Turns records into tables. A record is one nested JSON object for each position. A table has flat columns with
//! types, and numbers join the tables.
//!
//! [`TABLES`] is the only list of tables and columns. Rows, files, the data frames of Python and the page
//! `docs/tables.md` all follow this list. An absent field of a record becomes a null.
//!
//! # Modules
//! Each module imports only modules above it. A test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | `definition` | the types of tables and columns |
//! | `schema_go` | the large tables of Go: points, strings, dragons, moves |
//! | `schema_go_lists` | the other tables of Go |
//! | `schema` | all tables |
//! | `fill` | turns records into rows |
//! | `parquet` | turns rows into Parquet files |
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
//! The cells take memory: 16 bytes for each number. Callers that write files should take the rows out regularly
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
