//! Tests the GTP front end with Sabaki's own client, the npm package `@sabaki/gtp`. Without this package, the test
//! prints a message and passes. `NODE_PATH` may name its folder.

use crate::common::{repository, skipped};
use std::process::Command;

#[test]
fn sabakis_client_synchronises_plays_and_analyses_with_the_engine() {
    let found = Command::new("node").args(["-e", "require('@sabaki/gtp')"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        return skipped("node with the package `@sabaki/gtp` is not installed");
    }
    let output = Command::new("node")
        .arg(repository().join("tests/drivers/sabaki.js"))
        .args([env!("CARGO_BIN_EXE_tengen"), "gtp", "--level", "1"])
        .output()
        .expect("node was found above");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.trim() == "ok", "{said}\n{complaint}");
}
