//! Tests of life-and-death reading: textbook shapes, alternatives, and main lines.

use super::*;

const SIZE: usize = 13;

/// A black dragon whose eye space is `picture` (`.` empty, `O` a white stone) with its top left corner at this row
/// and column. It is walled in on all sides, and White is alive all around. Turned into one of eight orientations.
pub(super) fn walled_in(picture: &str, top: usize, left: usize, orientation: usize) -> (Board, Vec<Vertex>) {
    const OUTSIDE: u8 = 9;
    let mut rings = [[OUTSIDE; SIZE]; SIZE];
    let mut stones = [[false; SIZE]; SIZE];
    for (r, line) in picture.lines().enumerate() {
        for (c, kind) in line.bytes().enumerate().filter(|(_, kind)| *kind != b' ') {
            rings[top + r][left + c] = 0;
            stones[top + r][left + c] = kind == b'O';
        }
    }
    for ring in 1..=2 {
        for row in 0..SIZE {
            for col in 0..SIZE {
                let near = (row.saturating_sub(1)..=row + 1)
                    .flat_map(|r| (col.saturating_sub(1)..=col + 1).map(move |c| (r, c)))
                    .any(|(r, c)| r < SIZE && c < SIZE && rings[r][c] == ring - 1);
                if near && rings[row][col] == OUTSIDE {
                    rings[row][col] = ring;
                }
            }
        }
    }
    let mut board = Board::new(SIZE);
    for row in 0..SIZE {
        for col in 0..SIZE {
            let v = turned(row, col, orientation);
            match rings[row][col] {
                1 => board.place(Color::Black, v).expect("empty"),
                2 => board.place(Color::White, v).expect("empty"),
                0 if stones[row][col] => board.place(Color::White, v).expect("empty"),
                _ => {}
            }
        }
    }
    let goal = board.vertices().filter(|&v| board.color_at(v) == Some(Color::Black)).collect();
    (board, goal)
}

fn turned(row: usize, col: usize, orientation: usize) -> Vertex {
    let (row, col) = if orientation & 1 == 0 { (row, col) } else { (col, row) };
    let flip = |x: usize, bit: usize| if orientation & bit == 0 { x } else { SIZE - 1 - x };
    Vertex::new(flip(row, 2), flip(col, 4), SIZE)
}

/// Per padded cell: White's stones in strings of more liberties than these.
pub(super) fn roomy(board: &Board, liberties: usize) -> Vec<bool> {
    let mut set = vec![false; board.padded_len()];
    for v in board.vertices().filter(|&v| board.color_at(v) == Some(Color::White)) {
        set[v.at()] = board.liberties(v) > liberties;
    }
    set
}

/// Codes of attack and defence, White's stones outside taken as alive.
fn codes(board: &Board, goal: &[Vertex]) -> (Code, Code) {
    let alive = roomy(board, 4);
    let dead = vec![false; board.padded_len()];
    let surroundings = Surroundings { alive: Some(&alive), dead: Some(&dead), contested: None };
    let mut question = LifeQuestion {
        board,
        goal,
        surroundings,
        node_limit: 8000,
        alternatives: false,
        thorough: false,
        trials: 0,
    };
    let mut reader = LifeReader::default();
    let (attack, defence) = reader.attack_and_defend(&question);
    assert!(attack.certain && defence.certain, "the search came to its end");
    question.thorough = true;
    let (slowly_attacked, slowly_defended) = reader.attack_and_defend(&question);
    let codes = (attack.code, defence.code);
    assert_eq!((slowly_attacked.code, slowly_defended.code), codes, "thorough reading agrees");
    codes
}

/// Eye space, its corner, the code of the attack, the code of the defence.
pub(super) const TEXTBOOK: &[(&str, usize, usize, Code, Code, &str)] = &[
    (".", 5, 5, Code::Win, Code::Fail, "one point"),
    ("..", 5, 5, Code::Win, Code::Fail, "two points"),
    ("...", 5, 5, Code::Win, Code::Win, "straight three"),
    ("..\n.", 5, 5, Code::Win, Code::Win, "bent three"),
    ("....", 5, 4, Code::Fail, Code::Win, "straight four"),
    ("..\n..", 5, 5, Code::Win, Code::Fail, "square four"),
    (" .\n...", 5, 5, Code::Win, Code::Win, "pyramid four"),
    ("..\n .\n .", 5, 5, Code::Fail, Code::Win, "bent four"),
    (" ..\n..", 5, 5, Code::Fail, Code::Win, "zigzag four"),
    ("..\n...", 5, 5, Code::Win, Code::Win, "bulky five"),
    (" .\n...\n .", 5, 5, Code::Win, Code::Win, "crossed five"),
    (".....", 5, 4, Code::Fail, Code::Win, "straight five"),
    (" ..\n...\n .", 5, 5, Code::Win, Code::Win, "rabbity six"),
    ("...\n...", 5, 5, Code::Fail, Code::Win, "rectangular six"),
    (". .", 5, 5, Code::Fail, Code::Win, "two eyes"),
    (".O.", 5, 5, Code::Win, Code::Fail, "straight three with its centre taken"),
    ("...", 0, 5, Code::Win, Code::Win, "straight three on the edge"),
    ("....", 0, 4, Code::Fail, Code::Win, "straight four on the edge"),
];

#[test]
fn walled_in_shapes_have_their_textbook_status_in_all_orientations() {
    for &(picture, top, left, attack, defence, name) in TEXTBOOK {
        for orientation in 0..8 {
            let (board, goal) = walled_in(picture, top, left, orientation);
            assert_eq!(codes(&board, &goal), (attack, defence), "{name}, orientation {orientation}");
        }
    }
}

/// A quick question about these stones; no stone of the board is known to live, none to be dead.
fn in_the_open<'a>(board: &'a Board, goal: &'a [Vertex], dead: &'a [bool]) -> LifeQuestion<'a> {
    LifeQuestion {
        board,
        goal,
        surroundings: Surroundings { alive: None, dead: Some(dead), contested: None },
        node_limit: 4000,
        alternatives: false,
        thorough: false,
        trials: 0,
    }
}

#[test]
fn a_vital_point_serves_both_sides() {
    let (board, goal) = walled_in("...", 5, 5, 0);
    let dead = vec![false; board.padded_len()];
    let (attack, defence) = LifeReader::default().attack_and_defend(&in_the_open(&board, &goal, &dead));
    assert_eq!(
        (attack.line.start(), defence.line.start()),
        (Vertex::new(5, 6, SIZE), Vertex::new(5, 6, SIZE))
    );
}

#[test]
fn a_main_line_can_be_played_and_ends_where_reading_says_the_same() {
    let mut longest = 0;
    for &(picture, top, left, attack, defence, name) in TEXTBOOK {
        let (board, goal) = walled_in(picture, top, left, 0);
        let question = LifeQuestion { node_limit: 2000, ..thorough_question(&board, &goal) };
        let found = LifeReader::default().attack_and_defend(&LifeQuestion { thorough: false, ..question });
        for (read, first, code) in [(found.0, Color::White, attack), (found.1, Color::Black, defence)] {
            if code != Code::Win {
                continue;
            }
            let (mut after, mut to_move) = (board.clone(), first);
            for &v in &*read.line {
                after.play(to_move, v).unwrap_or_else(|_| panic!("{name}: {:?} is legal", read.line));
                to_move = to_move.other();
            }
            longest = longest.max(read.line.len());
            let left: Vec<Vertex> = goal.iter().copied().filter(|&v| !after.is_empty(v)).collect();
            let killed = left.is_empty() || codes(&after, &left) == (Code::Win, Code::Fail);
            let lives = !left.is_empty() && codes(&after, &left).0 == Code::Fail;
            assert!(if first == Color::White { killed } else { lives }, "{name}: {:?}", read.line);
        }
    }
    assert!(longest >= 3, "some lines go on: {longest}");
}

/// A picture in the corner, `X` black and `O` white or the other way round.
fn board_of(picture: &str, swapped: bool) -> Board {
    let mut board = Board::new(SIZE);
    for (row, line) in picture.lines().enumerate() {
        for (col, kind) in line.bytes().enumerate().filter(|(_, kind)| *kind != b'.') {
            let color = if (kind == b'X') == swapped { Color::White } else { Color::Black };
            board.place(color, Vertex::new(row, col, SIZE)).expect("empty");
        }
    }
    board
}

/// A diagram's codes for the black dragon; white stones with more than four liberties count as alive. For White's
/// dragon the colours are swapped.
fn codes_of(picture: &str) -> (Code, Code) {
    codes_read(picture, false)
}

/// The same, read thoroughly or not.
fn codes_read(picture: &str, thorough: bool) -> (Code, Code) {
    let mut found = Vec::new();
    for swapped in [false, true] {
        let board = board_of(picture, swapped);
        let own = if swapped { Color::White } else { Color::Black };
        let goal: Vec<Vertex> = board.vertices().filter(|&v| board.color_at(v) == Some(own)).collect();
        let alive: Vec<bool> = (0..board.padded_len())
            .map(|i| {
                board.color_at(Vertex(i as u16)) == Some(own.other()) && board.liberties(Vertex(i as u16)) > 4
            })
            .collect();
        let surroundings = Surroundings { alive: Some(&alive), dead: None, contested: None };
        let question = LifeQuestion {
            board: &board,
            goal: &goal,
            surroundings,
            node_limit: 20_000,
            alternatives: false,
            thorough,
            trials: 0,
        };
        let (attack, defence) = LifeReader::default().attack_and_defend(&question);
        assert!(attack.certain && defence.certain, "the search came to its end\n{picture}");
        found.push((attack.code, defence.code));
    }
    assert_eq!(found[0], found[1], "the same for both colours\n{picture}");
    found[0]
}

#[test]
fn corner_shapes_have_their_textbook_status() {
    use Code::{Fail, Win};
    let cases = [
        ("two eyes in the corner", ".X.XO\nXXXXO\nOOOOO", Fail, Win),
        ("eight points in the corner", "..XO\n..XO\n..XO\n..XO\nXXXO\nOOOO", Fail, Win),
        ("a straight four along the edge of the corner", "....XO\nXXXXXO\nOOOOOO", Fail, Win),
        ("a straight three in the corner", "...XO\nXXXXO\nOOOOO", Win, Win),
        (
            "a rectangular six in the corner without outside liberties",
            "..XO\n..XO\n..XO\nXXXO\nOOOO",
            Win,
            Win,
        ),
        ("a square four in the corner", "..XO\n..XO\nXXXO\nOOOO", Win, Fail),
        ("two eyes that one cut parts", ".XX.XX.XO\nXXXOXXXXO\nOOOOOOOOO", Win, Win),
        ("two eyes that one move can't part", ".XX.XX.XO\nXXX.XXXXO\nOOOOOOOOO", Fail, Win),
        (
            "an eye whose wall the attacker leaves no liberty but the eye",
            "..XXO\nO.XXO\nXX.XO\nXOXXO\nOOOOO",
            Win,
            Win,
        ),
        (
            "five stones that are taken in the corner, and their vital point after that",
            "OOXXO\nOOXXO\nOX.XO\n.OXXO\nOOOOO",
            Win,
            Fail,
        ),
    ];
    for (name, picture, attack, defence) in cases {
        assert_eq!(codes_of(picture), (attack, defence), "{name}\n{picture}");
    }
}

#[test]
fn an_eye_whose_wall_can_be_taken_in_a_ko_is_no_certain_eye() {
    // White throws in between the two eyes and takes the lower one's stone.
    let picture = ".X.XO\nX.XXO\nOXOOO\nOOO..\nOOO..";
    let (attack, _) = codes_of(picture);
    assert_ne!(attack, Code::Fail, "{picture}");
    // With a liberty more there Black connects in time.
    let picture = ".X.XO\nX.XXO\nOXOOO\nO.O..\nOOO..";
    let (attack, _) = codes_read(picture, true);
    assert_eq!(attack, Code::Fail, "{picture}");
}

#[test]
fn a_question_for_alternatives_names_the_best_ranked_move_of_those_that_work() {
    let (board, goal) = walled_in("...\n...", 5, 5, 0);
    let dead = vec![false; board.padded_len()];
    let plain = in_the_open(&board, &goal, &dead);
    let asked = LifeQuestion { alternatives: true, ..plain.clone() };
    let mut reader = LifeReader::default();
    let (with, without) = (reader.read(&asked, None, false), reader.read(&plain, None, false));
    assert_eq!(with.code, without.code);
    assert!(reader.does(&plain, with.line.start(), false).code.works());
}

#[test]
fn a_first_move_that_takes_the_dragon_kills_it() {
    let mut board = Board::new(SIZE);
    let stone = Vertex::new(0, 0, SIZE);
    board.place(Color::Black, stone).expect("empty");
    board.place(Color::White, Vertex::new(0, 1, SIZE)).expect("empty");
    let goal = [stone];
    let question = LifeQuestion {
        board: &board,
        goal: &goal,
        surroundings: Surroundings::default(),
        node_limit: 100,
        alternatives: false,
        thorough: false,
        trials: 0,
    };
    let taken = LifeReader::default().does(&question, Vertex::new(1, 0, SIZE), true);
    assert_eq!((taken.code, taken.certain), (Code::Win, true));
}

/// The codes for the dragon `X` in a diagram: `f` are living stones of its colour, `O` the attacker's, alive with more
/// than four liberties.
fn codes_beside_friends(picture: &str) -> (Code, Code) {
    let mut board = Board::new(SIZE);
    let (mut goal, mut friends) = (Vec::new(), Vec::new());
    for (row, line) in picture.lines().enumerate() {
        for (col, kind) in line.bytes().enumerate().filter(|(_, kind)| *kind != b'.') {
            let v = Vertex::new(row, col, SIZE);
            board.place(if kind == b'O' { Color::White } else { Color::Black }, v).expect("empty");
            match kind {
                b'X' => goal.push(v),
                b'f' => friends.push(v),
                _ => {}
            }
        }
    }
    let mut alive = vec![false; board.padded_len()];
    for v in board.vertices() {
        alive[v.at()] =
            friends.contains(&v) || board.color_at(v) == Some(Color::White) && board.liberties(v) > 4;
    }
    let surroundings = Surroundings { alive: Some(&alive), dead: None, contested: None };
    let question = LifeQuestion {
        board: &board,
        goal: &goal,
        surroundings,
        node_limit: 20_000,
        alternatives: false,
        thorough: true,
        trials: 0,
    };
    let (attack, defence) = LifeReader::default().attack_and_defend(&question);
    (attack.code, defence.code)
}

#[test]
fn living_friends_behind_the_attacker_help_if_he_can_be_taken() {
    use Code::Win;
    let cases = [
        ("a race that the first move decides", "....f\nOXXOf\nOOOOf\nfffff", (Win, Win)),
        (
            "a stone that can't be saved parts it from friends",
            "..XXXO....\nXXXOO.f...\nOOO..Of...\n...OOOf...",
            (Win, Win),
        ),
    ];
    for (name, picture, codes) in cases {
        assert_eq!(codes_beside_friends(picture), codes, "{name}\n{picture}");
    }
}

/// The question of GTP about a dragon with unknown surroundings.
pub(super) fn thorough_question<'a>(board: &'a Board, goal: &'a [Vertex]) -> LifeQuestion<'a> {
    let surroundings = Surroundings::default();
    LifeQuestion {
        board,
        goal,
        surroundings,
        node_limit: 8000,
        alternatives: true,
        thorough: true,
        trials: 0,
    }
}

#[test]
fn of_several_moves_that_save_the_dragon_one_that_would_kill_it_is_named() {
    for orientation in 0..8 {
        let (board, goal) = walled_in(" ..\n...\n .", 5, 5, orientation);
        let question = thorough_question(&board, &goal);
        let mut reader = LifeReader::default();
        let (found, _) = reader.defend_and_attack(&question);
        assert_eq!(found.code, Code::Win);
        assert!(reader.does(&question, found.line.start(), true).code.works(), "orientation {orientation}");
    }
}

#[test]
fn a_defence_that_was_cut_off_is_named_by_the_first_killing_move_that_saves() {
    let (board, goal) = walled_in("...", 5, 5, 0);
    let question = thorough_question(&board, &goal);
    let [end, middle] = [5, 6].map(|col| Vertex::new(5, col, SIZE));
    let elsewhere = Vertex::new(12, 12, SIZE);
    let cut_off =
        LifeReading { code: Code::Win, line: Line::from(elsewhere), certain: false, ..LifeReading::NONE };
    for (attacks, found, named) in [
        (&[end, middle][..], cut_off, middle),
        (&[end], cut_off, elsewhere),
        (&[], cut_off, elsewhere),
        (&[middle], LifeReading { certain: true, ..cut_off }, elsewhere),
    ] {
        let mut defence = found;
        LifeReader::default().guess_defence(&question, attacks, &mut defence);
        assert_eq!((defence.code, defence.line.start()), (Code::Win, named), "{attacks:?} {}", found.certain);
    }
}

#[test]
fn the_vital_point_is_shared_by_what_every_reading_finds_if_there_is_such_a_point() {
    let v = |n: usize| Vertex::new(0, n, SIZE);
    let moves = |all: &[usize], firm: usize| GoodMoves {
        all: all.iter().map(|&n| v(n)).collect(),
        firm,
        judged: Vec::new(),
    };
    let cases = [
        ("one that both have first", moves(&[1, 2], 2), moves(&[1, 3], 2), Some(1)),
        ("the best sum of ranks", moves(&[1, 2, 3], 3), moves(&[3, 2, 4], 3), Some(2)),
        ("a firm one before a better one that isn't", moves(&[1, 2], 2), moves(&[3, 2, 1], 2), Some(2)),
        ("one that isn't firm before none", moves(&[1, 2], 1), moves(&[3, 2], 1), Some(2)),
        ("none", moves(&[1, 2], 2), moves(&[3], 1), None),
        ("nothing at all", moves(&[], 0), moves(&[3], 1), None),
    ];
    for (name, attacks, defences, expected) in cases {
        assert_eq!(vital_point(&attacks, &defences), expected.map(v), "{name}");
    }
}

#[test]
fn of_two_prospects_the_attacker_stops_only_one() {
    // Whether nothing is left to try with the attacker, and with the defender to move.
    let cases = [
        ("two stones that could be taken", ".O.\n.X.\nOXX\n...", [false, false]),
        ("one of them is out of danger", ".O..\n.X.O\nOXXO\nOOOO", [true, false]),
        ("both are", "OO.O\n.X.O\nOXXO\nOOOO", [true, true]),
    ];
    for (name, picture, nothing) in cases {
        for swapped in [false, true] {
            let mut board = board_of(picture, swapped);
            let color = if swapped { Color::White } else { Color::Black };
            let goal: Vec<Vertex> = board.vertices().filter(|&v| board.color_at(v) == Some(color)).collect();
            let arena = Arena::new(&board, color, &goal, &Surroundings::default());
            let mut judge = Judge::new(EyeLimits::default());
            judge.careful = true;
            for (first, want) in [(color.other(), nothing[0]), (color, nothing[1])] {
                judge.judge(&mut board, &arena, first, 0);
                let found = judge.nothing_to_gain(&board, &arena, first != color, false);
                assert_eq!(found, want, "{name}, {first:?} first\n{picture}");
            }
        }
    }
}

#[test]
fn moves_known_to_be_good_for_the_other_side_change_no_answer_that_came_to_its_end() {
    let cases = ["...", "....", "..\n..", " .\n...", "..\n...", " ..\n...\n .", ".O."];
    for picture in cases {
        for orientation in 0..8 {
            let (board, goal) = walled_in(picture, 5, 5, orientation);
            let question = LifeQuestion {
                board: &board,
                goal: &goal,
                surroundings: Surroundings::default(),
                node_limit: 8000,
                alternatives: true,
                thorough: true,
                trials: 0,
            };
            let everywhere: Vec<Vertex> = board.vertices().filter(|&v| board.is_empty(v)).collect();
            let mut reader = LifeReader::default();
            let plain = reader.read(&question, None, false);
            let against = reader.defend_against(&question, &everywhere);
            assert!(plain.certain && against.certain);
            assert_eq!(plain.code, against.code, "{picture}, orientation {orientation}");
        }
    }
}

#[test]
fn running_moves_are_steps_towards_the_open_with_nothing_between() {
    // Each picture stands in the middle of an empty board, `*` on the vertices in question, with the answer for all of them.
    let cases = [
        ("a diagonal step", "....\n..*.\n.X..\n....", true),
        ("a diagonal step between two stones", "....\n.O*.\n.XO.\n....", false),
        ("a jump", "....\nX.*.\n....", true),
        ("a jump over a stone", "....\nXO*.\n....", false),
        ("a knight's move", "....\n..*.\nX...\n....", true),
        ("a knight's move with the enemy between", "....\n.O*.\nX...\n....", false),
        ("next to the stone: an extension", "....\nX*..\n....", false),
        ("three away", "....\nX..*\n....", false),
        ("short of room", ".OO.\nX.*O\n.OO.", false),
    ];
    for (name, picture, want) in cases {
        let mut board = Board::new(SIZE);
        let mut asked = Vec::new();
        for (row, line) in picture.lines().enumerate() {
            for (col, kind) in line.bytes().enumerate() {
                let v = Vertex::new(row + 5, col + 5, SIZE);
                match kind {
                    b'X' => board.place(Color::Black, v).expect("empty"),
                    b'O' => board.place(Color::White, v).expect("empty"),
                    b'*' => asked.push(v),
                    _ => {}
                }
            }
        }
        let goal: Vec<Vertex> =
            board.vertices().filter(|&v| board.color_at(v) == Some(Color::Black)).collect();
        let arena = Arena::new(&board, Color::Black, &goal, &Surroundings::default());
        let mut judge = Judge::new(EyeLimits::default());
        judge.judge(&mut board.clone(), &arena, Color::Black, 0);
        let found = super::moves::running_moves(&board, &arena, &judge, Color::Black);
        for v in asked {
            assert_eq!(found.contains(&v), want, "{name}\n{picture}");
        }
    }
}

#[test]
fn a_friend_with_an_eye_of_its_own_is_worth_joining() {
    // Black's goal are the stones next to the first row's left end; where he may join the rest for two eyes.
    let cases = [
        ("an eye on either side", ".X.XX.XO\nXXOXXXXO\nOOOOOOOO", 2, 1),
        ("the friend has none", ".X.XXOOO\nXXOXXO..\nOOOOOO..", 2, 0),
        ("the way is closed", ".XOXX.XO\nXXOXXXXO\nOOOOOOOO", 2, 0),
    ];
    for (name, picture, columns, want) in cases {
        for swapped in [false, true] {
            let mut board = board_of(picture, swapped);
            let color = if swapped { Color::White } else { Color::Black };
            let left = |v: &Vertex| board.color_at(*v) == Some(color) && v.col(SIZE) < columns;
            let goal: Vec<Vertex> = board.vertices().filter(left).collect();
            let arena = Arena::new(&board, color, &goal, &Surroundings::default());
            let mut judge = Judge::new(EyeLimits::default());
            judge.judge(&mut board, &arena, color.other(), 0);
            assert_eq!(judge.joins.len(), want, "{name}\n{picture}");
        }
    }
}

/// A corner whose attack by [`ALONE`] does, though in the company of others another move seems to do as well.
const CORNER: [&str; 9] = [
    ". . . . . . . . .",
    ". . . . . . . O .",
    ". . . . . . O O .",
    ". . . . O O O X .",
    ". . . . O . X . .",
    ". . . . O O O X .",
    ". . . . . O . X X",
    ". . . . . O . X O",
    ". . . . . O . X .",
];

#[test]
fn the_move_that_is_named_reaches_as_much_when_it_is_asked_about_alone() {
    let board = Board::from_diagram(&CORNER.join("\n")).expect("a diagram").0;
    let goal: Vec<Vertex> = board.vertices().filter(|&v| board.color_at(v) == Some(Color::Black)).collect();
    let alive = roomy(&board, 3);
    let dead = vec![false; board.padded_len()];
    let surroundings = Surroundings { alive: Some(&alive), dead: Some(&dead), contested: None };
    let question = LifeQuestion { surroundings, trials: 300, ..thorough_question(&board, &goal) };
    let mut reader = LifeReader::default();
    let (attack, defence) = reader.attack_and_defend(&question);
    let vital = reader.defend_and_attack(&question);
    for (found, by_attacker) in [(attack, true), (defence, false), (vital.0, false)] {
        assert_eq!((found.code, found.basis), (Code::Win, Basis::Proof));
        let point = found.line.start();
        let alone = reader.does(&question, point, by_attacker);
        assert_eq!(alone.code, found.code, "{}", point.to_gtp(board.size()));
    }
}
