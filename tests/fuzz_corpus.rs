//! Runs every fuzz target over its committed corpus, over mutations of the corpus, and over random bytes. No target may
//! panic.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
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

/// Sessions take longer than parsers, and analyses longer than other sessions.
fn rounds(name: &str) -> u32 {
    match name {
        "analysis_session" | "viewer_session" => 8,
        "go_board" => 20,
        name if name.ends_with("_session") || name == "explore" => 40,
        _ => 300,
    }
}

/// Processor seconds of this process, all threads together; the clock's where the system does not tell.
fn processor_seconds(begun: Instant) -> f64 {
    // `proc_pid_stat(5)`: fields 14 and 15, counted after the name in brackets, in hundredths of a second.
    let told = fs::read_to_string("/proc/self/stat").ok().and_then(|stat| {
        let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
        let user: u64 = fields.next()?.parse().ok()?;
        let system: u64 = fields.next()?.parse().ok()?;
        Some((user + system) as f64 / 100.0)
    });
    told.unwrap_or_else(|| begun.elapsed().as_secs_f64())
}

/// Ends the process when one input takes more than a minute of the processor, or ten of the clock.
fn watch(inputs: Arc<AtomicU64>, begun: Instant) {
    std::thread::spawn(move || {
        let (mut seen, mut since) = (0, (processor_seconds(begun), Instant::now()));
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let now = inputs.load(Relaxed);
            if now != seen {
                (seen, since) = (now, (processor_seconds(begun), Instant::now()));
            } else if processor_seconds(begun) - since.0 > 60.0 || since.1.elapsed().as_secs() > 600 {
                std::process::abort();
            }
        }
    });
}

/// Writes down the input at work by one call: its length in a line of ten characters, then its bytes. What an input before
/// left behind it stays.
fn keep(at_work: &mut fs::File, data: &[u8]) {
    let mut line = format!("{:>9}\n", data.len()).into_bytes();
    line.extend(data);
    at_work.seek(SeekFrom::Start(0)).and_then(|_| at_work.write_all(&line)).unwrap();
}

/// What `fuzz/hours` runs: one target for some processor seconds, the input that is being tried kept in a file.
#[test]
#[ignore = "fuzz/hours runs it, with FUZZ_TARGET, FUZZ_SECONDS and FUZZ_SEED"]
fn a_target_for_some_time() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let Some((name, target)) = TARGETS.into_iter().find(|(name, _)| *name == variable("FUZZ_TARGET")) else {
        panic!("FUZZ_TARGET is none of {:?}", TARGETS.map(|(name, _)| name));
    };
    let seconds: f64 = variable("FUZZ_SECONDS").parse().unwrap_or(10.0);
    let mut random = SplitMix64::new(variable("FUZZ_SEED").parse().unwrap_or(1));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    // A disk would be waited for at every input.
    let current = match std::env::var_os("FUZZ_CURRENT") {
        Some(folder) => folder.into(),
        None => root.join("current"),
    };
    fs::create_dir_all(&current).unwrap();
    let mut seeds: Vec<Vec<u8>> = fs::read_dir(root.join("corpus").join(name))
        .unwrap()
        .map(|file| fs::read(file.unwrap().path()).unwrap())
        .collect();
    seeds.sort();
    let mut at_work = fs::File::create(current.join(name)).unwrap();
    let begun = Instant::now();
    let inputs = Arc::new(AtomicU64::new(0));
    watch(Arc::clone(&inputs), begun);
    let mut slowest = Duration::ZERO;
    while processor_seconds(begun) < seconds {
        // The clock of the processor is read once in a few inputs: a parser takes microseconds.
        for _ in 0..if name.ends_with("_session") || matches!(name, "explore" | "go_board") { 1 } else { 20 }
        {
            let mut data = seeds[random.below(seeds.len() as u32) as usize].clone();
            for _ in 0..=random.below(3) {
                data = mutated(&data, &mut random);
            }
            keep(&mut at_work, &data);
            let began = Instant::now();
            target(&data);
            slowest = slowest.max(began.elapsed());
            inputs.fetch_add(1, Relaxed);
            // Inputs far from the corpus lead further; a few are kept for this run.
            if random.below(1000) == 0 && seeds.len() < 500 && data.len() < 1 << 16 {
                seeds.push(data);
            }
        }
    }
    let runs = inputs.load(Relaxed);
    let sum = format!("{runs}\t{:.1}\t{:.3}\n", processor_seconds(begun), slowest.as_secs_f64());
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
