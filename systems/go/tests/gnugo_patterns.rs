//! GNU Go's own databases load whole.
#![allow(clippy::print_stdout, reason = "a test that compares shows the figures")]

mod support;

use tengen_core::Severity;
use tengen_go::patterns::{Matcher, parse};

#[test]
fn gnugos_databases_load_without_an_unknown_construct() {
    let Some(shared) = support::shared() else { return };
    for (file, patterns) in [("influence.db", 50), ("barriers.db", 218), ("conn.db", 35)] {
        let text =
            std::fs::read_to_string(shared.join("suites/go/gnugo-patterns").join(file)).expect("a file");
        let (database, faults) = parse(file, &text);
        let errors: Vec<String> =
            faults.iter().filter(|f| f.severity == Severity::Error).map(ToString::to_string).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        assert_eq!(database.patterns.len(), patterns);
        let matcher = Matcher::new(database);
        println!("{file}: {:?} variants and probes, {} warnings", matcher.totals(), faults.len());
    }
}
