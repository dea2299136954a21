//! Tests of the judgement of connections that the search leaves open.

use super::*;

#[test]
fn logarithms_are_straight_between_powers_of_two() {
    for (x, sixteenths) in [(0, 0), (1, 0), (2, 16), (3, 24), (4, 32), (5, 36), (1 << 30, 480)] {
        assert_eq!(octaves(x), sixteenths, "{x}");
    }
}

#[test]
fn each_kind_of_evidence_speaks_for_its_side() {
    let even =
        Evidence { numbers: Numbers { proof: 60, disproof: 60 }, moves: 8, most: 100, nodes: 200, common: 0 };
    let with = |change: fn(&mut Evidence)| {
        let mut other = even;
        change(&mut other);
        other.sum() - even.sum()
    };
    assert!(with(|e| e.numbers.proof = 200) < 0, "a join that is hard to prove");
    assert!(with(|e| e.numbers.disproof = 200) > 0, "a cut that is hard to prove");
    assert!(with(|e| e.moves = 16) > 0, "many moves to choose from");
    assert!(with(|e| e.most = 180) < 0, "one move of the cutter that stays the best");
    assert!(with(|e| e.common = 1) > 0, "a shared liberty");
    assert_eq!(with(|e| e.common = 3), with(|e| e.common = 2));
}

#[test]
fn only_strong_evidence_ends_a_search_early() {
    let with = |proof| Evidence {
        numbers: Numbers { proof, disproof: 60 },
        moves: 8,
        most: 50,
        nodes: 100,
        common: 0,
    };
    for (pn, cuts, clear) in [(10, false, true), (60, false, false), (120, true, false), (1000, true, true)] {
        let guess = Guess::Learned;
        assert_eq!((guess.cuts(&with(pn)), with(pn).is_clear()), (cuts, clear), "{pn}");
    }
}

#[test]
fn a_guess_by_ratio_compares_the_proof_numbers() {
    let guess = Guess::ProofRatio { near: (1, 1), wide: (2, 1) };
    let table = [(5, 3, 0, false), (21, 10, 0, true), (20, 10, 0, false), (5, 3, 1, true), (3, 3, 1, false)];
    for (pn, dn, common, cuts) in table {
        let evidence =
            Evidence { numbers: Numbers { proof: pn, disproof: dn }, moves: 1, most: 1, nodes: 1, common };
        assert_eq!(guess.cuts(&evidence), cuts, "{pn} {dn} {common}");
    }
}
