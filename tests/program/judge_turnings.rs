//! Tests that the embedded judge gives the same answer in all eight symmetries and with exchanged colours, to the last
//! printed digit. Records, GTP and the analysis protocol must agree. The short test uses positions of the games in
//! `scenes`. The test `two_hundred_positions` uses positions of the games of the test suites. The following command
//! runs it: `cargo nextest run --release --test program --run-ignored all judge_turnings`.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{answers, files_below, repository, scratch, stdout, tengen, write};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Color, Rules, Vertex};
use tengen_go::patterns::matcher::Orientation;

/// Points White gets; they change sides with the colours.
const KOMI: f32 = 7.5;

/// A position as the moves that lead to it.
struct Place {
    size: usize,
    moves: Vec<(Color, Vertex)>,
}

/// One of the sixteen images of a position.
struct Image {
    size: usize,
    turning: Orientation,
    is_swapped: bool,
    moves: Vec<(Color, Vertex)>,
}

impl Image {
    fn komi(&self) -> f32 {
        if self.is_swapped { -KOMI } else { KOMI }
    }

    /// Where a vertex of the position goes.
    fn turn(turning: Orientation, v: Vertex, size: usize) -> Vertex {
        if v == Vertex::PASS {
            return v;
        }
        // Twice the way from the middle.
        let from_middle = |x: usize| (2 * x + 1) as i8 - size as i8;
        let back = |x: i8| ((x + size as i8 - 1) / 2) as usize;
        let (row, col) = turning.turn((from_middle(v.row(size)), from_middle(v.col(size))));
        Vertex::new(back(row), back(col), size)
    }

    /// Numbers of the vertices of the image as those of the position.
    fn back<T: Clone>(&self, numbers: &[T]) -> Vec<T> {
        let vertices = (0..self.size * self.size).map(|i| Vertex::from_index(i, self.size));
        vertices.map(|v| numbers[Self::turn(self.turning, v, self.size).index(self.size)].clone()).collect()
    }
}

fn images(places: &[Place]) -> Vec<Image> {
    let each = places.iter().flat_map(|place| (0..16u8).map(move |i| (place, i)));
    each.map(|(place, i)| {
        let (turning, is_swapped) = (Orientation(i % 8), i >= 8);
        let image = |&(color, v): &(Color, Vertex)| {
            (if is_swapped { color.other() } else { color }, Image::turn(turning, v, place.size))
        };
        Image { size: place.size, turning, is_swapped, moves: place.moves.iter().map(image).collect() }
    })
    .collect()
}

/// Positions of games without set-up stones, each game at another share of its moves.
fn places(folder: &Path, most: usize) -> Vec<Place> {
    let mut places = Vec::new();
    for path in files_below(folder, "sgf") {
        let Some(tree) = std::fs::read(&path).ok().and_then(|text| sgf::parse(&text).ok()) else { continue };
        let Ok(game) = sgf::load(&tree, &tree.line(&[]), Until::End, Rules::default()) else { continue };
        let moves: Vec<_> = game.board.moves().collect();
        let alternate = moves.iter().enumerate().all(|(i, m)| (m.0 == Color::Black) == (i % 2 == 0));
        let stones = game.board.vertices().filter(|&v| game.board.color_at(v).is_some()).count();
        let taken = game.board.captured(Color::Black) + game.board.captured(Color::White);
        let passes = moves.iter().filter(|m| m.1 == Vertex::PASS).count();
        let is_whole = stones + taken as usize + passes == moves.len();
        if moves.len() < 20 || !alternate || !is_whole || !(7..=25).contains(&game.board.size()) {
            continue;
        }
        let share = 1 + places.len() % 5;
        let moves = moves[..moves.len() * share / 5].to_vec();
        places.push(Place { size: game.board.size(), moves });
        if places.len() == most {
            break;
        }
    }
    places
}

/// What one front end says of an image, as of the position itself.
#[derive(Debug, PartialEq)]
struct Said {
    owner: Vec<f64>,
    likelihood: Vec<f64>,
    pass: f64,
    lead: f64,
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// `owner` and `lead` are Black's in the image.
fn said(image: &Image, owner: &[f64], likelihood: &[f64], pass: f64, lead: f64) -> Said {
    let of_black = |x: f64| if image.is_swapped { 0.0 - x } else { x + 0.0 };
    let owner = image.back(owner).into_iter().map(of_black).collect();
    Said { owner, likelihood: image.back(likelihood), pass, lead: of_black(lead) }
}

fn by_records(folder: &Path, images: &[Image]) -> Vec<Said> {
    let mut scenes = String::from("(version: 1, scenes: [\n");
    for (i, image) in images.iter().enumerate() {
        let mut game = format!("(;GM[1]SZ[{}]KM[{}]", image.size, image.komi());
        for &(color, v) in &image.moves {
            let letter = |x: usize| char::from(b'a' + x as u8);
            let side = if color == Color::Black { 'B' } else { 'W' };
            let _ = match v {
                Vertex::PASS => write!(game, ";{side}[]"),
                _ => write!(game, ";{side}[{}{}]", letter(v.col(image.size)), letter(v.row(image.size))),
            };
        }
        write(folder, &format!("{i}.sgf"), &(game + ")"));
        let _ = writeln!(
            scenes,
            "(name: \"{i}\", game: Go(sgf: \"{i}.sgf\"), task: Analyse(last: Judge, columns: [Judge])),"
        );
    }
    scenes.push_str("])\n");
    write(folder, "all.ron", &scenes);
    let output = tengen(folder, &["run", "all.ron", "--format", "json", "--no-progress"]);
    let text = stdout(&output);
    let records: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    assert_eq!(records.len(), images.len(), "{}", String::from_utf8_lossy(&output.stderr));
    let of = |(image, record): (&Image, &Value)| {
        let result = &record["result"];
        let judged = &result["judged"];
        let number = |x: &Value| x.as_f64().expect("a number");
        said(
            image,
            &numbers(&judged["owner"]),
            &numbers(&judged["likelihood"]),
            number(&judged["pass"]),
            number(&result["judge"]["lead"]),
        )
    };
    images.iter().zip(&records).map(of).collect()
}

fn by_gtp(images: &[Image]) -> Vec<Said> {
    let mut input = String::new();
    for image in images {
        let _ = writeln!(input, "boardsize {}\nclear_board\nkomi {}", image.size, image.komi());
        for &(color, v) in &image.moves {
            let _ = writeln!(input, "play {color} {}", v.to_gtp(image.size));
        }
        let _ = writeln!(input, "kata-raw-nn 0");
    }
    let text = answers(&repository(), &["gtp", "--chinese-rules"], input);
    let looks: Vec<&str> = text.split("\n\n").filter(|answer| answer.contains("symmetry")).collect();
    assert_eq!(looks.len(), images.len(), "{text}");
    let of = |(image, look): (&Image, &&str)| {
        let after = |name: &str| {
            let start = look.find(name).expect("a name") + name.len();
            // `NAN` is a move that is not legal.
            let number = |word: &str| if word == "NAN" { Some(-1.0) } else { word.parse::<f64>().ok() };
            look[start..].split_whitespace().map_while(number).collect::<Vec<_>>()
        };
        let white: Vec<f64> = after("whiteOwnership");
        let owner: Vec<f64> = white.iter().map(|x| -x).collect();
        said(image, &owner, &after("policy\n"), after("policyPass")[0], -after("whiteLead")[0])
    };
    images.iter().zip(&looks).map(of).collect()
}

fn by_analysis(images: &[Image]) -> Vec<Said> {
    let mut input = String::new();
    for (i, image) in images.iter().enumerate() {
        let moves: Vec<Value> = image
            .moves
            .iter()
            .map(|&(color, v)| json!([if color == Color::Black { "B" } else { "W" }, v.to_gtp(image.size)]))
            .collect();
        let first = image.moves.first().map_or(Color::Black, |m| m.0);
        let query = json!({
            "id": i.to_string(), "moves": moves, "rules": "chinese", "komi": image.komi(),
            "boardXSize": image.size, "boardYSize": image.size, "maxVisits": 1,
            "initialPlayer": if first == Color::Black { "B" } else { "W" },
            "includeOwnership": true, "includePolicy": true,
            "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"},
        });
        let _ = writeln!(input, "{query}");
    }
    let text = answers(&repository(), &["analyse"], input);
    let mut found: Vec<Option<Value>> = vec![None; images.len()];
    for line in text.lines() {
        let answer: Value = serde_json::from_str(line).expect("an answer");
        let id = answer["id"].as_str().and_then(|id| id.parse::<usize>().ok()).expect("an id");
        found[id] = Some(answer);
    }
    let of = |(image, answer): (&Image, &Option<Value>)| {
        let answer = answer.as_ref().expect("an answer");
        let (mut policy, owner) = (numbers(&answer["policy"]), numbers(&answer["ownership"]));
        let pass = policy.pop().expect("a pass");
        let lead = answer["rootInfo"]["scoreLead"].as_f64().expect("a lead");
        said(image, &owner, &policy, pass, lead)
    };
    images.iter().zip(&found).map(of).collect()
}

/// Asks all front ends about all images.
fn sixteen_images_agree(folder: &Path, places: &[Place]) {
    let images = images(places);
    let front_ends = [
        ("record", by_records(folder, &images)),
        ("GTP", by_gtp(&images)),
        ("analysis", by_analysis(&images)),
    ];
    for (name, said) in front_ends {
        let of_board = said.iter().filter(|said| said.owner.iter().any(|x| x.abs() > 0.1)).count();
        assert_eq!(of_board, said.len(), "{name}: every position has owners");
        for (place, all) in said.chunks(16).enumerate() {
            for (image, said) in all.iter().enumerate() {
                assert_eq!(said, &all[0], "{name}: position {place}, image {image}");
            }
        }
    }
}

#[test]
fn turned_boards_and_exchanged_colours_change_nothing_in_any_front_end() {
    let places = places(&repository().join("scenes/go/games"), 4);
    assert!(places.len() >= 3, "games without set-up stones");
    sixteen_images_agree(&scratch("judge_turnings"), &places);
}

#[test]
#[ignore = "asks 200 positions in 16 images of three front ends; see the head of this file"]
fn two_hundred_positions() {
    let shared =
        std::env::var_os("TENGEN_SHARED").map_or_else(|| repository().join("../shared"), PathBuf::from);
    let games = shared.join("suites/go");
    if !games.is_dir() {
        eprintln!("skipped: no {} (set TENGEN_SHARED)", games.display());
        return;
    }
    let places = places(&games, 200);
    assert_eq!(places.len(), 200);
    sixteen_images_agree(&scratch("judge_turnings_200"), &places);
}
