//! The results of a case: a record, findings, and checked expectations. A record is one line of JSON, and has the same
//! bytes for the same scenes and random seed.

pub mod expectation;
pub mod findings;
pub mod go;

use crate::limits::{CaseLimits, Reached};
use crate::number_text::counted;
use crate::scene::{Domain, Origin};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;
use tengen_core::{Diagnostic, escaped_json};

/// The schema every record names.
pub const SCHEMA: &str = "tengen.record/1";

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It ran, and all its expectations hold.
    Ok,
    /// It ran, and an expectation does not hold.
    Failed,
    /// It could not be run: `result.error` says why.
    Error,
    /// A limit of the run ended it: `result.limit` says which.
    Limit,
}

/// One expectation, checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// The expectation, as a scene would write it.
    pub expect: String,
    /// Whether it holds.
    pub ok: bool,
    /// The actual findings, one sentence for each difference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<String>,
}

/// The result of one case. The order of the fields is the order of the keys.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The case's id.
    pub id: String,
    /// Its domain; `null` for a scene file that could not be read.
    pub domain: Option<Domain>,
    /// Its task; `null` likewise.
    pub task: Option<&'static str>,
    /// Which game or position of which file it is; left out where the scene itself describes the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<Origin>,
    /// How it ended.
    pub status: Status,
    /// Its expectations.
    pub expect: Vec<Checked>,
    /// The warnings: inputs that were read or played otherwise than written. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Diagnostic>,
    /// The findings: the domain's part.
    pub result: Value,
    /// A hash of `result`'s bytes: changes when behaviour does.
    pub signature: u32,
    /// The findings in a few words, for the table. Not part of the record.
    #[serde(skip)]
    pub summary: String,
}

/// The findings of a domain in one case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// The part of the record that is the domain's own.
    pub result: Value,
    /// The expectations, in their order.
    pub expect: Vec<Checked>,
    /// A few words for the table.
    pub summary: String,
    /// The warnings of the domain.
    pub warnings: Vec<Diagnostic>,
}

impl Record {
    /// The record of a case that ran.
    #[must_use]
    pub fn found(id: &str, domain: Domain, task: &'static str, finding: Finding) -> Self {
        let ok = finding.expect.iter().all(|e| e.ok);
        Self {
            schema: SCHEMA,
            id: id.into(),
            domain: Some(domain),
            task: Some(task),
            game: None,
            status: if ok { Status::Ok } else { Status::Failed },
            expect: finding.expect,
            warnings: finding.warnings,
            signature: signature(finding.result.to_string().as_bytes()),
            result: finding.result,
            summary: finding.summary,
        }
    }

    /// The record of a case that could not be run.
    #[must_use]
    pub fn error(id: &str, domain: Option<Domain>, task: Option<&'static str>, fault: &Diagnostic) -> Self {
        let result = json!({ "error": fault });
        Self {
            schema: SCHEMA,
            id: id.into(),
            domain,
            task,
            game: None,
            status: Status::Error,
            expect: Vec::new(),
            warnings: Vec::new(),
            signature: signature(result.to_string().as_bytes()),
            result,
            summary: fault.to_string(),
        }
    }

    /// The record of a case that a limit ended, with the findings so far. Its expectations are not looked at.
    #[must_use]
    pub fn limited(
        id: &str,
        domain: Option<Domain>,
        task: Option<&'static str>,
        limit: Reached,
        limits: &CaseLimits,
        found: Finding,
    ) -> Self {
        let (most, words) = match limit {
            Reached::Seconds => {
                let seconds = limits.time.unwrap_or_default().as_secs_f64();
                (rounded(seconds), format!("stopped after {seconds} s"))
            }
            Reached::Memory => {
                let mib = limits.memory.unwrap_or_default() >> 20;
                (json!(mib), format!("stopped at {mib} MiB"))
            }
            Reached::Nodes => {
                let nodes = limits.nodes.unwrap_or_default();
                (json!(nodes), format!("stopped after {}", counted("node", nodes as usize)))
            }
        };
        let deterministic = limit == Reached::Nodes;
        let mut result = json!({ "limit": { "what": limit, "is": most, "deterministic": deterministic } });
        if let (Some(own), Value::Object(found)) = (result.as_object_mut(), found.result) {
            own.extend(found);
        }
        Self {
            schema: SCHEMA,
            id: id.into(),
            domain,
            task,
            game: None,
            status: Status::Limit,
            expect: Vec::new(),
            warnings: found.warnings,
            signature: signature(result.to_string().as_bytes()),
            result,
            summary: words,
        }
    }

    /// The record as one line, without its end. Nothing in it steers a terminal.
    #[must_use]
    pub fn line(&self) -> String {
        let json = serde_json::to_string(self).expect("a record has only string keys");
        let safe = match escaped_json(&json) {
            Cow::Borrowed(_) => None,
            Cow::Owned(safe) => Some(safe),
        };
        safe.unwrap_or(json)
    }
}

/// 32-bit FNV-1a (Fowler, Noll, Vo), for signatures.
#[must_use]
pub fn signature(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &b| (hash ^ u32::from(b)).wrapping_mul(0x0100_0193))
}

/// A float as records write it: four digits after the point, no negative zero, no NaN.
#[must_use]
pub fn rounded(x: impl Into<f64>) -> Value {
    let x = (x.into() * 1e4).round() / 1e4;
    if x.is_finite() { json!(if x == 0.0 { 0.0 } else { x }) } else { Value::Null }
}
