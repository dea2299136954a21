//! Tests `tengen analyse` and live analysis over GTP with a client that was written only from KataGo's documentation.
//! Without Python, the test prints a message and passes.

use std::io::Write;
use std::path::Path;
use std::process::Command;

#[test]
fn a_client_of_katago_analyses_games_and_live_positions_with_the_engine() {
    let found = Command::new("python3").arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        // If stderr is gone, nobody reads it.
        let _ = writeln!(std::io::stderr(), "skipped: python3 is not installed");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drivers/katago.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_tengen"))
        .output()
        .expect("python3 was found above");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.trim() == "ok", "{said}\n{complaint}");
}
