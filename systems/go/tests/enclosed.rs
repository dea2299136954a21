//! Tests that reading agrees with a plain search of all positions, on random enclosed problems of life and death.

#[path = "support/enclosed.rs"]
mod enclosed;

use enclosed::{Problem, Random, read, succeeds};
use tengen_go::owl::LifeReader;

#[test]
fn two_hundred_enclosed_problems_have_the_answers_of_a_plain_search() {
    let mut random = Random(7);
    let mut reader = LifeReader::default();
    let (mut made, mut answered) = (0, 0);
    let mut kinds = std::collections::BTreeSet::new();
    while made < 200 {
        let Some(problem) = Problem::random(&mut random) else { continue };
        let Some(truth) = problem.truth(20_000) else { continue };
        made += 1;
        kinds.insert(format!("{truth:?}"));
        if let Some(found) = read(&mut reader, &problem) {
            answered += 1;
            assert_eq!(found.map(succeeds), truth.map(succeeds), "attack and defence of\n{}", problem.board);
        }
    }
    assert!(answered >= 198, "{answered} of {made} answered");
    assert!(kinds.len() >= 4, "many kinds of answers: {kinds:?}");
}
