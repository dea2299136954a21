//! Tests the UCI front end with python-chess as the GUI. Without python-chess, the test prints a message and passes.

use crate::common::{python_with, repository};
use std::process::Command;

#[test]
fn python_chess_plays_analyses_and_ponders_with_the_engine() {
    let Some(python) = python_with("chess.engine") else { return };
    let output = Command::new(python)
        .arg(repository().join("tests/drivers/uci.py"))
        .args([env!("CARGO_BIN_EXE_tengen"), "uci"])
        .output()
        .expect("Python was found above");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.trim() == "ok", "{said}\n{complaint}");
}
