//! Tests of SGF: reading, faults, charsets, and writing.

use super::*;
use crate::board::{Board, Rules};
use proptest::prelude::*;
use std::path::PathBuf;

fn loaded(text: &str, until: Until) -> Game {
    let tree = parse(text.as_bytes()).unwrap();
    load(&tree, &tree.line(&[]), until, Rules::default()).unwrap()
}

fn v(text: &str, size: usize) -> Vertex {
    Vertex::from_gtp(text, size).unwrap()
}

#[test]
fn the_main_line_is_played_to_the_move_asked_for() {
    let text = "(;GM[1]SZ[9]KM[6.5];B[cc];W[gg](;B[cg];W[gc])(;B[gc];W[]))";
    let cases = [
        (Until::End, 4, Color::Black),
        (Until::Move(1), 0, Color::Black),
        (Until::Move(3), 2, Color::Black),
        (Until::Move(4), 3, Color::White),
        (Until::Move(99), 4, Color::Black),
        (Until::Vertex(v("C3", 9)), 2, Color::Black),
    ];
    for (until, moves, to_move) in cases {
        let game = loaded(text, until);
        assert_eq!((game.moves, game.to_move, game.komi), (moves, to_move, 6.5), "{until:?}");
    }
    let tree = parse(text.as_bytes()).unwrap();
    let second = load(&tree, &tree.line(&[1]), Until::End, Rules::default()).unwrap();
    assert_eq!(second.board.last_move(), Some((Color::White, Vertex::PASS)));
    assert_eq!(second.board.color_at(v("G7", 9)), Some(Color::Black));
}

#[test]
fn handicap_stones_stand_before_whites_first_move() {
    let cases = [
        ("(;SZ[19]HA[2];W[cc])", Until::Move(1), "D4 Q16", Color::White),
        ("(;SZ[19]HA[2]AB[aa][bb];W[cc])", Until::Move(1), "A19 B18", Color::White),
        ("(;SZ[19]HA[3]PL[W])", Until::End, "D4 Q16 Q4", Color::White),
        ("(;SZ[19]HA[1];B[aa])", Until::End, "A19", Color::White),
        ("(;SZ[19]AB[aa:bb])", Until::End, "A19 B19 A18 B18", Color::Black),
        ("(;SZ[19]AB[aa]PL[W])", Until::End, "A19", Color::White),
    ];
    for (text, until, stones, to_move) in cases {
        let game = loaded(text, until);
        for name in stones.split(' ') {
            assert_eq!(game.board.color_at(v(name, 19)), Some(Color::Black), "{text} {name}");
        }
        let count = game.board.vertices().filter(|&u| !game.board.is_empty(u)).count();
        assert_eq!((count, game.to_move), (stones.split(' ').count(), to_move), "{text}");
    }
    assert_eq!(loaded("(;HA[2])", Until::End).komi, 0.5);
    assert_eq!(loaded("(;)", Until::End).komi, 5.5);
}

#[test]
fn a_move_onto_a_stone_ends_the_loading_there() {
    let game = loaded("(;SZ[9];B[aa];W[aa];B[bb])", Until::End);
    assert_eq!(game.moves, 1);
    assert!(game.stopped.is_some());
}

#[test]
fn an_il_mark_forbids_the_ko_capture() {
    let game = loaded("(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb]PL[B]IL[cb])", Until::End);
    assert!(!game.board.is_legal(Color::Black, v("C4", 5)));
    assert!(game.board.is_legal(Color::White, v("C4", 5)));
}

#[test]
fn broken_records_say_where_they_break() {
    let cases = [
        ("", "error: there is no game tree: no `(;`"),
        ("(;B[aa]\n;W[bb", "2:6: error: the record ends in the middle of a value (a `]` is missing)"),
        ("(;B[aa];W", "1:10: error: the record ends in the middle of a property"),
        ("(;B[aa];W)", "1:10: error: `)` can't stand here, `[` can"),
        ("(;\nB[aa]]", "2:6: error: `]` can't stand here, `;`, `(` or `)` can"),
        ("(;SZ[26])", "1:3: error: `SZ[26]` means nothing: a board has a size of 1 to 25"),
        ("(;SZ[9:13])", "1:3: error: `SZ[9:13]` means nothing: only square boards are known"),
        ("(;GM[2])", "1:3: error: `GM[2]` means nothing: 1 is the number of Go"),
        ("(;SZ[9];B[zz])", "1:9: error: `B[zz]` means nothing: it is no point of this board"),
    ];
    for (text, expected) in cases {
        let tree = parse(text.as_bytes());
        let error = tree.and_then(|t| load(&t, &t.line(&[]), Until::End, Rules::default()).map(|_| ()));
        let diagnostic = error.unwrap_err().diagnostic(text.as_bytes()).to_string();
        assert_eq!(diagnostic.lines().next().unwrap().trim_start(), expected, "{text:?}");
    }
}

#[test]
fn a_missing_last_bracket_is_forgiven_and_counted() {
    let tree = parse(b"(;B[aa](;W[bb]\n").unwrap();
    assert_eq!((tree.nodes.len(), tree.unclosed), (2, 2));
}

#[test]
fn a_written_tree_reads_back_the_same() {
    let text = "(;GM[1]SZ[9]C[a \\] b \\\\ c];B[cc](;W[gg];B[])(;W[aa](;B[ab])(;B[bb])))";
    let tree = parse(text.as_bytes()).unwrap();
    let again = parse(write(&tree).as_bytes()).unwrap();
    let bare = |t: &Tree| -> Vec<_> {
        t.nodes
            .iter()
            .map(|n| {
                (
                    n.parent,
                    n.properties.iter().map(|p| (p.name.clone(), p.values.clone())).collect::<Vec<_>>(),
                )
            })
            .collect()
    };
    assert_eq!(bare(&tree), bare(&again));
}

#[test]
fn a_record_of_a_game_loads_to_the_same_position() {
    let mut board = Board::new(9);
    board.place(Color::Black, v("C3", 9)).unwrap();
    for (i, name) in ["D4", "D3", "E3", "PASS", "C4"].into_iter().enumerate() {
        board.play(Color::BOTH[(i + 1) % 2], v(name, 9)).unwrap();
    }
    let tree = record(&board, &[("KM", "6.5".into())], |i| (i == 1).then(|| "second".into()));
    assert_eq!(tree.nodes[2].get("C"), Some("second"));
    let game = loaded(&write(&tree), Until::End);
    assert_eq!(game.board.to_string(), board.to_string());
    assert_eq!((game.moves, game.komi), (5, 6.5));
}

/// Every game record of the public suites, when they are here.
#[test]
fn every_record_of_the_suites_loads() {
    let shared = std::env::var_os("TENGEN_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let mut folders = vec![shared.join("suites/go/games")];
    let (mut count, mut broken) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "sgf") {
                let text = std::fs::read(&path).unwrap();
                count += 1;
                let game = parse(&text).and_then(|t| load(&t, &t.line(&[]), Until::End, Rules::default()));
                if let Err(error) = game {
                    broken.push(format!("{}: {}", path.display(), error.diagnostic(&text)));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{} of {count}:\n{}", broken.len(), broken.join("\n"));
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "[ -~\\n]{0,80}", cut in 0_usize..80) {
        let whole = format!("(;SZ[9]AB[aa][bb:cc]HA[2]KM[x];B[{text}];W[ee]C[{text}])");
        for text in [text.as_str(), &whole, &whole[..cut.min(whole.len())]] {
            if let Ok(tree) = parse(text.as_bytes()) {
                let _ = load(&tree, &tree.line(&[1, 0]), Until::End, Rules::default());
            }
        }
    }
}

#[test]
fn a_property_name_without_a_capital_is_refused_with_its_place() {
    let error = parse(b"(;SZ[9];white[ee])").unwrap_err();
    assert!(matches!(error, SgfError::Unexpected { found: 'w', offset: 8, .. }), "{error:?}");
}

#[test]
fn a_record_larger_than_any_game_is_refused_before_it_fills_the_memory() {
    use super::parse::{MAX_NODES, MAX_VALUES};
    let games = [
        (format!("({}", ";".repeat(MAX_NODES + 1)), "nodes"),
        (format!("{}(;", "(;".repeat(MAX_NODES)), "open variations"),
        (format!("(;{}", "(".repeat(MAX_NODES + 1)), "open variations"),
        (format!("(;C{}", "[]".repeat(MAX_VALUES + 1)), "property values"),
        (
            format!("(;{}", (0..1001).map(letters).map(|n| n + "[]").collect::<String>()),
            "properties of one node",
        ),
    ];
    for (text, wanted) in games {
        let error = parse(text.as_bytes()).expect_err("it is too large");
        assert!(matches!(error, SgfError::TooLarge { what, .. } if what == wanted), "{error}: {wanted}");
    }
}

/// A number in capitals: 0 is `A`.
fn letters(n: usize) -> String {
    let letter = char::from(b'A' + (n % 26) as u8);
    if n < 26 { letter.to_string() } else { format!("{}{letter}", letters(n / 26 - 1)) }
}
