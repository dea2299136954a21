//! Finds the folder of the shared test suites. A test whose suite is missing prints a message and passes.

use std::path::PathBuf;

/// The text of a chess suite, or `None` with a message.
pub(crate) fn suite(name: &str) -> Option<String> {
    let root = std::env::var_os("TENGEN_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let path = root.join("suites/chess").join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        // The test harness shows this only on request, as intended for a skipped test.
        #[expect(clippy::print_stderr, reason = "says why a test did nothing")]
        {
            eprintln!("skipped: {} is missing", path.display());
        }
    }
    text
}

/// A JSON suite.
pub(crate) fn json_suite(name: &str) -> Option<serde_json::Value> {
    suite(name).map(|text| serde_json::from_str(&text).expect("the suite is JSON"))
}
