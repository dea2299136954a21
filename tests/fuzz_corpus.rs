//! Every fuzz target over its committed corpus, mutations of it, and noise: none may panic.

use std::fs;
use std::path::Path;
use tengen::fuzzing::TARGETS;
use tengen_core::SplitMix64;

/// Changes a few bytes, cuts a piece out, repeats a piece, or cuts the end off.
fn mutated(seed: &[u8], random: &mut SplitMix64) -> Vec<u8> {
    let mut data = seed.to_vec();
    for _ in 0..=random.below(4) {
        let len = u32::try_from(data.len()).expect("corpus files are small");
        if len == 0 {
            break;
        }
        let at = random.below(len) as usize;
        let end = at + random.below(len - u32::try_from(at).expect("below len")) as usize;
        match random.below(5) {
            0 => data[at] = random.next_u64() as u8,
            1 => data[at] = b"()[];\"?.,XO09az-\\\n "[random.below(19) as usize],
            2 => drop(data.drain(at..end)),
            3 => {
                let piece = data[at..end].to_vec();
                data.splice(at..at, piece);
            }
            _ => data.truncate(at),
        }
    }
    data
}

#[test]
fn no_parser_panics_on_its_corpus_mutations_or_noise() {
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
        let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|f| f.unwrap().path()).collect();
        files.sort();
        assert!(!files.is_empty(), "{name} has no corpus");
        let mut random = SplitMix64::new(1);
        for file in files {
            let seed = fs::read(&file).unwrap();
            target(&seed);
            for _ in 0..300 {
                target(&mutated(&seed, &mut random));
            }
        }
        for _ in 0..100 {
            let noise: Vec<u8> = (0..random.below(200)).map(|_| random.next_u64() as u8).collect();
            target(&noise);
        }
    }
}
