//! The UCI front end driven by python-chess, as a GUI would. Without it the test says so and passes.

use std::io::Write;
use std::path::Path;
use std::process::Command;

#[test]
fn python_chess_plays_analyses_and_ponders_with_the_engine() {
    let found = Command::new("python3").args(["-c", "import chess.engine"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        // If stderr is gone, nobody reads it.
        let _ = writeln!(std::io::stderr(), "skipped: python3 with the package `chess` is not installed");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drivers/uci.py");
    let output = Command::new("python3")
        .arg(script)
        .args([env!("CARGO_BIN_EXE_tengen"), "uci"])
        .output()
        .expect("python3 was found above");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.trim() == "ok", "{said}\n{complaint}");
}
