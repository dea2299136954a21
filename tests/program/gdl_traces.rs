//! Replays recorded playouts of the open rulesheets with every propagator. The test needs `../shared`.
//!
//! By default it replays every eighth game, with a net of limited size. With the environment variable
//! `TENGEN_ALL_TRACES` it replays all games. The prover replays games without a net. This takes long; use `--release`.

use serde_json::{Value, json};
use std::io::Write as _;
use std::path::PathBuf;
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::machine::{Description, StateMachine};
use tengen_propnet::propagate::NAMES;

fn shared() -> Option<PathBuf> {
    let path = std::env::var_os("TENGEN_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")), PathBuf::from);
    path.is_dir().then_some(path)
}

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[test]
fn every_trace_replays_byte_for_byte_with_every_propagator() {
    let Some(shared) = shared() else {
        say("skipped: no ../shared");
        return;
    };
    let mut names: Vec<String> = std::fs::read_dir(shared.join("golden/gdl/traces"))
        .unwrap()
        .filter_map(|e| e.unwrap().path().file_stem().map(|s| s.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    let all = std::env::var_os("TENGEN_ALL_TRACES").is_some();
    if !all {
        names = names.into_iter().step_by(8).collect();
    }
    // A limit of work, not of time, so that the test does the same everywhere.
    let words = if all { 500_000_000 } else { 2_000_000 };
    let mut replayed = 0;
    for name in names {
        let text = std::fs::read(shared.join(format!("suites/gdl/{name}.kif"))).unwrap();
        let trace = std::fs::read(shared.join(format!("golden/gdl/traces/{name}.json"))).unwrap();
        let trace: Value = serde_json::from_slice(&trace).unwrap();
        let limits = LoadLimits { ground: tengen_propnet::ground::Limits { words, ..Default::default() } };
        let game = Game::load(&String::from_utf8_lossy(&text), limits, &mut || false).unwrap();
        if let Err(why) = &game.topology {
            say(&format!("{name}: {why}"));
            if all {
                replay(&name, game.machine("prover").unwrap().as_mut(), &trace);
            }
            continue;
        }
        for propagator in NAMES {
            replay(&format!("{name} with {propagator}"), game.machine(propagator).unwrap().as_mut(), &trace);
        }
        replayed += 1;
    }
    assert!(replayed > 0, "no game had a net");
}

fn replay(name: &str, machine: &mut dyn StateMachine, trace: &Value) {
    assert_eq!(trace["roles"], json!(machine.roles()), "{name}");
    for playout in trace["playouts"].as_array().unwrap() {
        let mut state = machine.initial();
        for (n, expected) in playout["states"].as_array().unwrap().iter().enumerate() {
            machine.enter(&state).unwrap();
            let found = machine.describe(&state).unwrap();
            compare(&format!("{name}, state {n}"), expected, &found);
            if let Some(moves) = expected["move"].as_array() {
                let texts: Vec<String> = moves.iter().map(|m| m.as_str().unwrap().to_owned()).collect();
                let joint = machine.joint_move(&texts).unwrap();
                state = machine.successor(&joint).unwrap();
            }
        }
    }
}

fn compare(place: &str, expected: &Value, found: &Description) {
    assert_eq!(expected["terminal"], json!(found.terminal), "{place}");
    assert_list(place, &expected["true"], &found.facts);
    if let Some(lists) = expected["legal"].as_array() {
        assert_eq!(lists.len(), found.legal.len(), "{place}");
        lists.iter().zip(&found.legal).for_each(|(e, f)| assert_list(place, e, f));
    }
    for (e, f) in expected["goals"].as_array().into_iter().flatten().zip(&found.goals) {
        // Where the rules do not give exactly one value, engines may answer anything.
        if let Some(value) = e.as_i64() {
            assert_eq!(*f, [value.to_string()], "{place}");
        }
    }
}

/// A list in full, or its length and digest.
fn assert_list(place: &str, expected: &Value, found: &[String]) {
    if expected.is_array() {
        assert_eq!(*expected, json!(found), "{place}");
    } else {
        assert_eq!(expected["n"], json!(found.len()), "{place}");
        assert_eq!(expected["sha256"], json!(sha256(found.join("\n").as_bytes())), "{place}");
    }
}

/// FIPS 180-4.
fn sha256(data: &[u8]) -> String {
    // The first 32 bits of the fractional parts of the roots of the first primes.
    let primes: Vec<u64> = (2..312_u64).filter(|n| (2..*n).all(|d| n % d != 0)).collect();
    let fraction = |p: u64, root: u32| {
        let (mut low, mut high) = (0_u128, 1_u128 << 40);
        let target = u128::from(p) << (32 * root);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if middle.pow(root) <= target { low = middle } else { high = middle }
        }
        low as u32
    };
    let k: Vec<u32> = primes[..64].iter().map(|&p| fraction(p, 3)).collect();
    let mut h: Vec<u32> = primes[..8].iter().map(|&p| fraction(p, 2)).collect();
    let mut padded = data.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((data.len() as u64 * 8).to_be_bytes());
    for chunk in padded.chunks(64) {
        let mut w: Vec<u32> = chunk.chunks(4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]])).collect();
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
        }
        let mut v = h.clone();
        for i in 0..64 {
            let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let ch = (v[4] & v[5]) ^ (!v[4] & v[6]);
            let t1 = v[7].wrapping_add(s1).wrapping_add(ch).wrapping_add(k[i]).wrapping_add(w[i]);
            let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            let t2 = s0.wrapping_add((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(t1);
            v[0] = t1.wrapping_add(t2);
        }
        h.iter_mut().zip(v).for_each(|(h, v)| *h = h.wrapping_add(v));
    }
    h.iter().map(|x| format!("{x:08x}")).collect()
}

#[test]
fn the_digest_is_that_of_the_standard() {
    assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
