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

/// Sessions take longer than parsers.
fn rounds(name: &str) -> u32 {
    if name.ends_with("_session") || name == "explore" { 40 } else { 300 }
}

/// What `fuzz/hours` runs: one target for some seconds, the input that is being tried kept in a file.
#[test]
#[ignore = "fuzz/hours runs it, with FUZZ_TARGET, FUZZ_SECONDS and FUZZ_SEED"]
fn a_target_for_some_time() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let Some((name, target)) = TARGETS.into_iter().find(|(name, _)| *name == variable("FUZZ_TARGET")) else {
        panic!("FUZZ_TARGET is none of {:?}", TARGETS.map(|(name, _)| name));
    };
    let seconds = variable("FUZZ_SECONDS").parse().unwrap_or(10);
    let mut random = SplitMix64::new(variable("FUZZ_SEED").parse().unwrap_or(1));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let current = root.join("current");
    fs::create_dir_all(&current).unwrap();
    let mut seeds: Vec<Vec<u8>> = fs::read_dir(root.join("corpus").join(name))
        .unwrap()
        .map(|file| fs::read(file.unwrap().path()).unwrap())
        .collect();
    seeds.sort();
    let end = std::time::Instant::now() + std::time::Duration::from_secs(seconds);
    let mut runs = 0_u64;
    let mut slowest = std::time::Duration::ZERO;
    while std::time::Instant::now() < end {
        let mut data = seeds[random.below(seeds.len() as u32) as usize].clone();
        for _ in 0..=random.below(3) {
            data = mutated(&data, &mut random);
        }
        fs::write(current.join(name), &data).unwrap();
        let begun = std::time::Instant::now();
        target(&data);
        slowest = slowest.max(begun.elapsed());
        runs += 1;
        // Inputs far from the corpus lead further; a few are kept for this run.
        if random.below(1000) == 0 && seeds.len() < 500 && data.len() < 1 << 16 {
            seeds.push(data);
        }
    }
    let sum = format!("{name} {runs} {:.3}\n", slowest.as_secs_f64());
    fs::write(current.join(format!("{name}.sum")), sum).unwrap();
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
            for _ in 0..rounds(name) {
                target(&mutated(&seed, &mut random));
            }
        }
        for _ in 0..100 {
            let noise: Vec<u8> = (0..random.below(200)).map(|_| random.next_u64() as u8).collect();
            target(&noise);
        }
    }
}
