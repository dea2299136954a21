//! Tests that `tengen run`, `tengen show` and `tengen gtp` agree about worms, dragons, regions, moves and the score.
//! The order of the questions must not matter. Single questions that read further must refine the answers.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{answers, files_below, repository, scratch, stdout, tengen, write};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Color, Rules};

/// How many positions are asked about, and how many of them `show` is.
const POSITIONS: usize = 60;
const SHOWN: usize = 6;

/// The folder of the suites' games, or `TENGEN_SHARED`'s; skips with a message where there is none.
fn games() -> Option<PathBuf> {
    let shared =
        std::env::var_os("TENGEN_SHARED").map_or_else(|| repository().join("../shared"), PathBuf::from);
    let folder = shared.join("suites/go/games");
    if !folder.is_dir() {
        eprintln!("skipped: no {} (set TENGEN_SHARED)", folder.display());
        return None;
    }
    Some(folder)
}

/// A position: the record, the moves played, the board's size and who is to move.
struct Place {
    path: String,
    moves: usize,
    size: usize,
    to_move: Color,
}

/// Games of every size, cut at a quarter to all of their moves.
fn places() -> Option<Vec<Place>> {
    let folder = games()?;
    let mut places = Vec::new();
    for path in files_below(&folder, "sgf") {
        let Ok(tree) = std::fs::read(&path).map_err(drop).and_then(|text| sgf::parse(&text).map_err(drop))
        else {
            continue;
        };
        let line = tree.line(&[]);
        let Ok(whole) = sgf::load(&tree, &line, Until::End, Rules::default()) else { continue };
        // Small boards are many times as fast.
        let wanted = whole.moves >= 30 && (whole.board.size() < 19 || places.len() % 4 == 0);
        let moves = whole.moves * (1 + places.len() % 4) / 4;
        let Ok(game) = sgf::load(&tree, &line, Until::Move(moves + 1), Rules::default()) else { continue };
        if wanted && game.moves == moves {
            let (size, to_move) = (game.board.size(), game.to_move);
            places.push(Place { path: path.display().to_string(), moves, size, to_move });
        }
        if places.len() == POSITIONS {
            break;
        }
    }
    Some(places)
}

/// The records of all places.
fn records(test: &str, places: &[Place]) -> Vec<Value> {
    let mut scenes = String::from("(version: 1, scenes: [\n");
    for (i, place) in places.iter().enumerate() {
        let _ = writeln!(
            scenes,
            "(name: \"{i}\", game: Go(sgf: {:?}, move: {}), task: Analyse(columns: [Regions])),",
            place.path, place.moves
        );
    }
    scenes.push_str("])\n");
    let folder = scratch(test);
    write(&folder, "all.ron", &scenes);
    let output = tengen(&folder, &["run", "all.ron", "--format", "json", "--no-progress"]);
    let lines = stdout(&output);
    lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record")["result"].take())
        .collect()
}

/// The questions of a place that are asked over GTP, and which of a record's fields answers them.
fn questions(place: &Place, record: &Value) -> Vec<(String, String)> {
    let side = place.to_move.to_string().to_lowercase();
    let mut asked = Vec::new();
    let text = |value: &Value| value.as_str().unwrap_or("PASS").to_owned();
    for worm in record["worms"].as_array().expect("worms") {
        // GNU Go's numbers in the data of worms.
        let code = |of: &Value| match of["code"].as_u64() {
            Some(1) => 5,
            Some(2) => 4,
            Some(3) => 1,
            _ => 0,
        };
        let of = |what: &str| format!("{} {}", code(&worm[what]), text(&worm[what]["move"]));
        asked.push((
            format!("worm_data {}", text(&worm["origin"])),
            format!("size {} attack {} defense {}", worm["size"], of("attack"), of("defend")),
        ));
    }
    for dragon in record["dragons"].as_array().expect("dragons") {
        let status = text(&dragon["status"]).to_lowercase();
        let points = dragon["vital_points"]
            .as_array()
            .map_or_else(String::new, |points| points.iter().map(|p| format!(" {}", text(p))).collect());
        asked.push((format!("dragon_status {}", text(&dragon["origin"])), format!("{status}{points}")));
    }
    let regions: Vec<String> =
        record["regions"].as_array().expect("regions").iter().map(ToString::to_string).collect();
    asked.push((format!("initial_influence {side} influence_regions"), regions.join(" ")));
    let moves: Vec<String> = record["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|m| format!("{} {:.2}", text(&m["move"]), m["value"].as_f64().expect("a value")))
        .collect();
    asked.push((format!("top_moves_{side}"), moves.join(" ")));
    // The judge's, where it judges the position; else what the influence says.
    let judged = |what: &str| record["judge"][what].as_f64().map(|lead| -lead);
    let of = |what: &str| record["territory"][what].as_f64().expect("a lead");
    let turn = [judged("lead"), judged("lead_if_pass")];
    let [white, black] = if side == "white" { turn } else { [turn[1], turn[0]] };
    let lead = turn[0].unwrap_or_else(|| of("white_lead"));
    asked.push((
        "estimate_score".into(),
        format!(
            "{}+{:.1} (upper bound: {:.1}, lower: {:.1})",
            if lead > 0.0 { 'W' } else { 'B' },
            lead.abs(),
            white.unwrap_or_else(|| of("if_white_moves")),
            black.unwrap_or_else(|| of("if_black_moves"))
        ),
    ));
    asked
}

/// An answer over GTP in the words of [`questions`].
fn normal(question: &str, answer: &str) -> String {
    if question.starts_with("worm_data") {
        let field: BTreeMap<&str, &str> = answer.lines().filter_map(|line| line.split_once(' ')).collect();
        let of = |name: &str| field.get(name).map_or("", |value| value.trim());
        return format!(
            "size {} attack {} {} defense {} {}",
            of("size"),
            of("attack_code"),
            of("attack_point"),
            of("defense_code"),
            of("defense_point")
        );
    }
    answer.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two answers are the same, word for word. A record rounds a number before it is rounded to GTP's digits, so that the
/// last of them may differ by one.
fn same(said: &str, expected: &str) -> bool {
    let number = |word: &str| {
        let digits = word.trim_matches(|c: char| !c.is_ascii_digit() && c != '-');
        digits.split_once('.').and_then(|(whole, part)| format!("{whole}{part}").parse::<i64>().ok())
    };
    let alike =
        |a: &str, b: &str| a == b || number(a).zip(number(b)).is_some_and(|(a, b)| a.abs_diff(b) <= 1);
    let (said, expected): (Vec<_>, Vec<_>) = (said.split(' ').collect(), expected.split(' ').collect());
    said.len() == expected.len() && said.iter().zip(expected).all(|(a, b)| alike(a, b))
}

/// The answers of one GTP session that is asked all of it.
fn gtp(lines: &str) -> Vec<String> {
    let text = answers(&repository(), &["gtp", "--level", "0", "--effort", "normal"], lines);
    text.trim_end().split("\n\n").map(|answer| answer.trim_start_matches(['=', ' ']).to_owned()).collect()
}

#[test]
fn records_and_gtp_say_the_same_of_a_position_in_any_order_of_questions() {
    let Some(places) = places() else { return };
    assert_eq!(places.len(), POSITIONS);
    let records = records("one_answer_gtp", &places);
    let mut lines = String::new();
    let mut expected = Vec::new();
    for (number, (place, record)) in places.iter().zip(&records).enumerate() {
        let _ = writeln!(lines, "loadsgf {} {}", place.path, place.moves + 1);
        expected.push((place.path.clone(), None));
        let mut asked = questions(place, record);
        // Some order, another for each position; some questions twice.
        let mut random = tengen_core::SplitMix64::new(number as u64);
        for i in (1..asked.len()).rev() {
            asked.swap(i, random.below(i as u32 + 1) as usize);
        }
        asked.extend_from_within(..asked.len().min(3));
        for (question, answer) in asked {
            let _ = writeln!(lines, "{question}");
            expected.push((question, Some(answer)));
        }
    }
    let answers = gtp(&lines);
    assert_eq!(answers.len(), expected.len());
    let mut place = String::new();
    for ((question, expected), answer) in expected.iter().zip(&answers) {
        match expected {
            None => place.clone_from(question),
            Some(expected) => {
                let said = normal(question, answer);
                assert!(same(&said, expected), "{place}: {question}\n{said}\n{expected}");
            }
        }
    }
}

#[test]
fn show_draws_what_records_say() {
    let Some(places) = places() else { return };
    let shown: Vec<Place> = places.into_iter().step_by(POSITIONS / SHOWN).collect();
    let records = records("one_answer_show", &shown);
    for (place, record) in shown.iter().zip(&records) {
        let show = |layer: &str| {
            let after = place.moves.to_string();
            let arguments = ["show", &place.path, "--move", &after, "--layer", layer];
            stdout(&tengen(&repository(), &arguments))
        };
        let text = |value: &Value| value.as_str().unwrap_or("PASS").to_owned();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let dragons = words(&show("dragons"));
        for dragon in record["dragons"].as_array().expect("dragons") {
            let moves = |line: &Value| {
                let moves: Vec<String> = line.as_array().expect("a line").iter().map(text).collect();
                if moves.is_empty() { "PASS".to_owned() } else { moves.join(" ") }
            };
            let points = dragon["main_lines"].as_array().map_or_else(String::new, |lines| {
                format!(" (attacked at {}, defended at {})", moves(&lines[0]), moves(&lines[1]))
            });
            let color = text(&dragon["color"]).to_lowercase();
            let line = format!("{} {color} {}{points} by", text(&dragon["origin"]), text(&dragon["status"]));
            assert!(dragons.contains(&line), "{}: {line} in {dragons}", place.path);
        }
        let moves = words(&show("moves"));
        for (i, m) in record["moves"].as_array().expect("moves").iter().enumerate() {
            let value = m["value"].as_f64().expect("a value");
            let line = format!("{} {} {value:.2}", i + 1, text(&m["move"]));
            assert!(moves.contains(&line), "{}: {line} in {moves}", place.path);
        }
        let lead = record["territory"]["white_lead"].as_f64().expect("a lead");
        let line = format!("{}+{:.1} (upper bound", if lead > 0.0 { 'W' } else { 'B' }, lead.abs());
        assert!(show("regions").contains(&line), "{}: {line}", place.path);
        assert_eq!(record["size"], place.size);
    }
}

/// How many positions deep questions are asked of, and about how many dragons of each.
const ASKED: (usize, usize) = (6, 2);

/// An answer of life-and-death reading: whether it works, whether it is certain, and its text without that.
fn owl(answer: &str) -> (bool, bool, &str) {
    let text = answer.trim_end_matches(" uncertain");
    (!text.starts_with('0'), text == answer, text)
}

/// What a status may not be after these answers to `owl_attack` and `owl_defend`. A certain answer holds. A dragon
/// that cannot be killed is alive. One that can be killed is critical if it can be saved, otherwise dead. Where the
/// attack is not certain, one that can be saved is not dead, and one that can't be is. Only life that needs no answer
/// is surer.
fn contradicts(attack: &str, defence: &str, status: &str) -> bool {
    let ((killed, killed_surely, _), (saved, saved_surely, _)) = (owl(attack), owl(defence));
    match (killed_surely, saved_surely) {
        (true, _) if !killed => status != "alive",
        (true, true) => status != if saved { "critical" } else { "dead" },
        (true, false) => status == "alive",
        (false, true) => (status == "dead") == saved,
        (false, false) => false,
    }
}

/// Deep questions about some dragons of a position, those first whose status is read; in some order, some twice. Each comes
/// with what it says of the dragon: its first stone and whether it is an attack.
fn deep_questions(record: &Value, seed: u64) -> Vec<(String, Option<(String, bool)>)> {
    let mut dragons: Vec<&Value> = record["dragons"].as_array().expect("dragons").iter().collect();
    dragons
        .sort_by_key(|dragon| ["LifeAndDeath", "Odds", "Semeai"].iter().all(|rule| dragon["rule"] != *rule));
    let origin = |dragon: &Value| dragon["origin"].as_str().expect("a vertex").to_owned();
    let mut asked = Vec::new();
    for dragon in dragons.iter().take(ASKED.1) {
        let at = origin(dragon);
        asked.push((format!("owl_attack {at}"), Some((at.clone(), true))));
        asked.push((format!("owl_defend {at}"), Some((at, false))));
    }
    let hostile = dragons.iter().skip(1).find(|dragon| dragon["color"] != dragons[0]["color"]);
    asked.extend(
        hostile.map(|dragon| (format!("analyze_semeai {} {}", origin(dragons[0]), origin(dragon)), None)),
    );
    let mut random = tengen_core::SplitMix64::new(seed);
    for i in (1..asked.len()).rev() {
        asked.swap(i, random.below(i as u32 + 1) as usize);
    }
    asked.extend_from_within(..asked.len().min(2));
    asked
}

#[test]
fn what_deep_questions_find_is_what_later_ones_say() {
    let Some(places) = places() else { return };
    let small = places.into_iter().filter(|place| place.size < 19);
    let places: Vec<Place> = small.step_by(POSITIONS / ASKED.0 / 2).take(ASKED.0).collect();
    let records = records("one_answer_deep", &places);
    let mut refined = 0;
    for (number, (place, record)) in places.iter().zip(&records).enumerate() {
        let asked = deep_questions(record, number as u64);
        let mut lines = format!("report_uncertainty on\nloadsgf {} {}\n", place.path, place.moves + 1);
        let mut dragons: BTreeMap<&str, [Option<&str>; 2]> = BTreeMap::new();
        for (question, about) in &asked {
            let _ = writeln!(lines, "{question}");
            if let Some((at, _)) = about {
                dragons.insert(at, [None; 2]);
            }
        }
        for at in dragons.keys() {
            let _ = writeln!(lines, "dragon_data {at}\ndragon_status {at}\nfinal_status {at}");
        }
        lines.push_str("final_status_list dead\n");
        let answers = gtp(&lines);
        let (deep, after) = answers[2..].split_at(asked.len());
        for ((question, about), answer) in asked.iter().zip(deep) {
            if let Some((at, attack)) = about {
                let known = dragons.entry(at).or_default()[usize::from(!attack)].replace(answer);
                assert!(known.is_none_or(|known| known == answer), "{}: {question} asked twice", place.path);
            }
        }
        let (of_dragons, dead) = after.split_at(3 * dragons.len());
        for ((at, answers), said) in dragons.iter().zip(of_dragons.chunks(3)) {
            let [Some(attack), Some(defence)] = answers else { panic!("both are asked") };
            let data: BTreeMap<&str, &str> =
                said[0].lines().filter_map(|line| line.split_once(' ')).collect();
            let of = |key: &str| data.get(key).map_or("", |value| value.trim());
            let (status, rule) = (of("status"), of("rule"));
            let what = format!("{} {at}: {attack}, {defence}: {status} by {rule}, {}", place.path, said[2]);
            assert_eq!(said[1].split(' ').next(), Some(status), "{what}");
            if rule == "Unconditional" {
                continue;
            }
            assert!(!contradicts(attack, defence, status), "{what}");
            if owl(attack).1 && status != "critical" {
                assert_eq!(said[2] == "dead", status == "dead", "{what}");
                let listed = dead[0].split_whitespace().any(|stone| stone == *at);
                assert_eq!(listed, status == "dead", "{what}");
            }
            if of("asked") == "1" && rule == "LifeAndDeath" {
                refined += 1;
                for (answer, key) in [(attack, "owl_attack"), (defence, "owl_defense")] {
                    let (works, certain, text) = owl(answer);
                    let point = if works { of(&format!("{key}_point")) } else { "" };
                    let known = format!("{} {point}", of(&format!("{key}_code")));
                    assert!(!certain || known.trim() == text, "{what}: {key} {known}");
                }
            }
        }
    }
    assert!(refined >= 3, "{refined} dragons are what the questions said");
}
