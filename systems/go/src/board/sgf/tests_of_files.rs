//! Tests of records from other programs: in all encodings, with the habits of those programs.

use super::*;
use crate::board::Rules;

/// The game of a record, its kinds of warnings, and the tree.
fn read(text: &[u8]) -> (Game, Vec<&'static str>, Tree) {
    let tree = parse(text).unwrap();
    let game = load(&tree, &tree.line(&[]), Until::End, Rules::default()).unwrap();
    let kinds = tree.warnings.iter().chain(&game.warnings).map(|w| w.kind).collect();
    (game, kinds, tree)
}

/// A record whose texts are in an encoding.
fn encoded(label: &str, text: &str) -> Vec<u8> {
    let (bytes, _, bad) = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text);
    assert!(!bad, "{label} has all letters of {text}");
    bytes.into_owned()
}

#[test]
fn a_charset_that_is_named_is_obeyed_whatever_its_second_bytes_are() {
    // 0x5C and 0x5D are second bytes of Shift_JIS, GBK and Big5 letters.
    let texts = [
        ("Shift_JIS", "表ゾ十"),
        ("GBK", "郳塢俓"),
        ("GB18030", "乗乚䶮"),
        ("Big5", "許功蓋"),
        ("EUC-KR", "바둑"),
        ("KOI8-R", "Чёрные"),
        ("windows-1251", "Белые"),
        ("windows-1250", "Černý ő"),
        ("windows-1254", "Işık"),
        ("ISO-8859-1", "José"),
        ("UTF-8", "表 Чё é"),
    ];
    for (label, name) in texts {
        let text = format!("(;SZ[9]CA[{label}]PB[{name}]C[{name}];B[ee]C[a\\]{name}];W[dd](;B[ff])(;B[gg]))");
        let (game, kinds, tree) = read(&encoded(label, &text));
        assert_eq!((game.moves, kinds), (3, Vec::new()), "{label}");
        assert_eq!((tree.nodes[0].get("PB"), tree.nodes[0].get("C")), (Some(name), Some(name)), "{label}");
        assert_eq!(tree.nodes[1].get("C"), Some(format!("a]{name}").as_str()), "{label}");
        // What is written back is UTF-8 and says so.
        let again = parse(write(&tree).as_bytes()).unwrap();
        assert_eq!((again.nodes[0].get("PB"), again.nodes[0].get("CA")), (Some(name), Some("UTF-8")));
        assert!(again.warnings.is_empty(), "{:?}", again.warnings);
    }
}

#[test]
fn a_charset_that_is_not_named_is_guessed() {
    let texts = [
        ("Shift_JIS", "黒の手がとても良い。表示する"),
        ("GB18030", "这一手棋下得很好，黑棋大优"),
        ("Big5", "這一手棋下得很好，黑棋成功許多"),
        ("EUC-KR", "흑의 이 수가 매우 좋았습니다"),
        ("windows-1251", "Белые играют здесь, и это хороший ход"),
        ("windows-1252", "Un très bon coup, joué par José"),
    ];
    for (label, comment) in texts {
        let text = format!("(;SZ[9]PB[x];B[ee]C[{comment}];W[dd]C[ok];B[ff];W[gg])");
        let (game, kinds, tree) = read(&encoded(label, &text));
        assert_eq!((game.moves, tree.nodes[1].get("C")), (4, Some(comment)), "{label}");
        assert_eq!(kinds, [kinds::CHARSET_GUESSED], "{label}");
    }
    // One letter is too little for a guess; that a reading swallows a move tells against it.
    let (game, ..) = read(b"(;SZ[9];B[ee]C[\x95\\];W[dd]C[ok];B[ff];W[gg])");
    assert_eq!(game.moves, 4);
    let (_, kinds, tree) = read("(;SZ[9]PB[José])".as_bytes());
    assert_eq!((kinds, tree.nodes[0].get("PB")), (vec![], Some("José")));
    assert!(write(&tree).contains("CA[UTF-8]"));
}

#[test]
fn the_charset_of_a_few_names_is_guessed() {
    let rows = [
        ("GBK", "古力", "丁伟"),
        ("GBK", "丁伟", "AlphaGo"),
        ("GBK", "华以刚", "AlphaGo"),
        ("GBK", "聂卫平", "马晓春"),
        ("Shift_JIS", "岩本薫", "安井知得"),
        ("Shift_JIS", "平田智也", "依田紀基"),
        ("Shift_JIS", "謝依旻", "河野臨"),
        ("Shift_JIS", "小林光一", "趙治勲"),
        ("EUC-KR", "이창호", "조훈현"),
        ("EUC-KR", "이세돌", "AlphaGo"),
        ("Big5", "許皓鋐", "AlphaGo"),
        ("Big5", "周平強", "AlphaGo"),
        ("Big5", "周俊勳", "林海峰"),
        ("windows-1251", "Иванов", "Петров"),
        ("windows-1251", "ИВАНОВ", "ПЕТРОВ"),
        ("KOI8-U", "Кузнецов", "Виноградов"),
        ("ISO-8859-5", "Иванов", "Петров"),
        ("windows-1253", "Νίκος", "Μαρία"),
        ("ISO-8859-1", "José", "Müller"),
        ("ISO-8859-1", "Gérard", "François"),
        ("ISO-8859-1", "Björn", "Ünlü"),
        ("windows-1252", "it’s “fine” – well", "José"),
    ];
    for (label, black, white) in rows {
        let text = format!("(;SZ[9]PB[{black}]PW[{white}];B[ee];W[dd];B[ff];W[gg])");
        let (game, kinds, tree) = read(&encoded(label, &text));
        let names = [tree.nodes[0].get("PB"), tree.nodes[0].get("PW")];
        assert_eq!((game.moves, names), (4, [Some(black), Some(white)]), "{label} {black} {white}");
        assert_eq!(kinds, [kinds::CHARSET_GUESSED], "{label} {black}");
    }
}

#[test]
fn a_text_that_is_valid_utf_8_is_utf_8_whatever_it_was_meant_to_be() {
    // The bytes of this name in GBK are valid UTF-8, letters that no name has. A `CA` says what is meant.
    let text = "(;SZ[9]PB[时越]PW[AlphaGo];B[ee];W[dd])";
    let (_, _, tree) = read(&encoded("GBK", text));
    assert_eq!(tree.nodes[0].get("PB"), Some("ʱԽ"));
    let named = text.replace("(;", "(;CA[GBK]");
    let (_, _, tree) = read(&encoded("GBK", &named));
    assert_eq!(tree.nodes[0].get("PB"), Some("时越"));
}

#[test]
fn a_letter_that_is_cut_off_does_not_take_the_bracket_with_it() {
    for label in ["GB18030", "GBK", "Shift_JIS", "Big5"] {
        for text in [
            "(;SZ[9]CA[#]C[a\x01];B[aa];W[bb])",
            "(;SZ[9]CA[#];B[aa];W[bb]C[a\x01])",
            "(;SZ[9]CA[#]C[\x01]PB[x];B[aa];W[bb])",
        ] {
            let text: Vec<u8> =
                text.replace('#', label).bytes().map(|b| if b == 1 { 0x81 } else { b }).collect();
            let (game, kinds, tree) = read(&text);
            assert_eq!((game.moves, kinds), (2, vec![kinds::LETTER_CUT]), "{label}");
            let texts = tree.nodes.iter().filter_map(|node| node.get("C"));
            assert!(texts.clone().all(|text| text.ends_with('\u{fffd}')) && texts.count() == 1);
        }
    }
    // A letter that is whole, in the middle of a text, stays one.
    let (game, kinds, tree) = read(b"(;GM[1]FF[4]SZ[9]CA[GB18030]C[\x81]\xb0\xa1];B[aa];W[bb])");
    assert_eq!((game.moves, kinds, tree.nodes[0].get("C")), (2, vec![], Some("乚啊")));
}

#[test]
fn a_charset_that_does_not_fit_is_a_warning_and_not_a_lost_move() {
    let text = "(;SZ[9]CA[Shift_JIS]C[黑棋好 Ё];B[ee];W[dd])";
    let (game, kinds, tree) = read(text.as_bytes());
    assert_eq!((game.moves, kinds), (2, vec![kinds::CHARSET_WRONG]));
    assert_eq!(tree.nodes[0].get("C"), Some("黑棋好 Ё"));
    let (game, kinds, _) = read(&encoded("GBK", "(;SZ[9]CA[UTF-8]C[这一手棋下得很好，黑棋大优];B[ee])"));
    assert_eq!((game.moves, kinds), (1, vec![kinds::CHARSET_WRONG]));
    let (game, kinds, _) = read("(;SZ[9]CA[klingon]C[é];B[ee])".as_bytes());
    assert_eq!((game.moves, kinds), (1, vec![kinds::CHARSET_UNKNOWN]));
    assert!(read(b"(;SZ[9]CA[klingon];B[ee])").1.is_empty());
}

#[test]
fn utf_16_is_read_by_its_mark_and_named_without_one() {
    let text = "(;GM[1]FF[4]SZ[9]KM[5.5]C[é表];B[ee];W[cc];B[gc])";
    let units: Vec<u16> = text.encode_utf16().collect();
    let bytes = |each: fn(u16) -> [u8; 2]| units.iter().flat_map(|&u| each(u)).collect::<Vec<u8>>();
    for (mark, body) in [([0xff, 0xfe], bytes(u16::to_le_bytes)), ([0xfe, 0xff], bytes(u16::to_be_bytes))] {
        let (game, kinds, tree) = read(&[&mark[..], &body].concat());
        assert_eq!((game.moves, game.komi, kinds), (3, 5.5, vec![]));
        assert_eq!(tree.nodes[0].get("C"), Some("é表"));
        assert_eq!(parse(&body), Err(SgfError::Utf16));
    }
    assert_eq!(read(format!("\u{feff}{text}").as_bytes()).0.moves, 3);
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let table = [
        ("KM[6,5]", 6.5, Some(kinds::NUMBER_COMMA)),
        ("KM[6.5]", 6.5, None),
        ("KM[375]", 7.5, Some(kinds::KOMI_HUNDREDTHS)),
        ("KM[325]", 6.5, Some(kinds::KOMI_HUNDREDTHS)),
        ("KM[50]", 0.5, Some(kinds::KOMI_HUNDREDTHS)),
        ("KM[550]", 5.5, Some(kinds::KOMI_HUNDREDTHS)),
        ("KM[650]", 6.5, Some(kinds::KOMI_HUNDREDTHS)),
        ("KM[750]", 7.5, Some(kinds::KOMI_HUNDREDTHS)),
        ("KM[700]", 7.0, Some(kinds::KOMI_HUNDREDTHS)),
        ("KM[-650]", -6.5, Some(kinds::KOMI_HUNDREDTHS)),
        ("KM[0]", 0.0, None),
        ("KM[-7]", -7.0, None),
        ("KM[81]", 81.0, None),
    ];
    for (komi, wanted, kind) in table {
        let (game, kinds, _) = read(format!("(;SZ[9]{komi};B[ee])").as_bytes());
        assert_eq!((game.komi, kinds.first().copied()), (wanted, kind), "{komi}");
    }
    assert!(parse(b"(;KM[1,2,3])").and_then(|t| load(&t, &[0], Until::End, Rules::default())).is_err());
}

#[test]
fn a_rectangle_is_one_whichever_corner_is_first() {
    let stones = |text: &str| read(text.as_bytes()).0.board.to_string();
    for name in ["AB", "AW"] {
        let wanted = stones(&format!("(;SZ[9]{name}[aa:cc][gi:ii])"));
        for other in ["[cc:aa][ii:gi]", "[ac:ca][ii:gi]", "[ca:ac][gi:ii]"] {
            assert_eq!(stones(&format!("(;SZ[9]{name}{other})")), wanted, "{name}{other}");
        }
    }
    assert_eq!(stones("(;SZ[9]AB[aa:cc];AE[cc:aa])"), stones("(;SZ[9])"));
}

#[test]
fn a_player_that_is_none_is_whoever_moves_first() {
    let text = b"(;GM[1]SZ[9]AB[cc][dd]AW[ee]PL[X];W[cd];B[dc])";
    let (game, kinds, tree) = read(text);
    assert_eq!((game.moves, kinds), (2, vec![kinds::PLAYER_UNKNOWN]));
    let before = load(&tree, &tree.line(&[]), Until::Move(1), Rules::default()).unwrap();
    assert_eq!(before.to_move, Color::White);
}

#[test]
fn a_stone_that_is_set_up_without_a_liberty_is_taken_off() {
    let (game, kinds, _) = read(b"(;SZ[9]KM[0]AB[aa][ee]AW[ab][ba][gg])");
    let corner = Vertex::new(0, 0, 9);
    assert_eq!((game.board.color_at(corner), kinds), (None, vec![kinds::NO_LIBERTY]));
    // In a later node too, and before a move of the same one.
    let (game, kinds, _) = read(b"(;SZ[9];B[ee];AB[aa]AW[ab][ba];W[gg]AB[ii]AW[hi][ih])");
    assert_eq!((game.board.color_at(corner), kinds.len()), (None, 2));
    // Stones that are set up one after the other and breathe in the end stay.
    let (game, kinds, _) = read(b"(;SZ[9]AB[aa]AW[ab][ba]AE[ab])");
    assert_eq!((game.board.color_at(corner), kinds.len()), (Some(Color::Black), 0));
}

#[test]
fn rules_that_allow_suicide_play_it() {
    for (rules, moves) in
        [("NZ", 2), ("GOE", 2), ("New Zealand", 2), ("Tromp-Taylor", 2), ("Japanese", 0), ("AGA", 0)]
    {
        let text = format!("(;GM[1]FF[4]SZ[9]RU[{rules}]AB[ba]AW[ab][bb][ca];B[aa];W[ee])");
        let game = read(text.as_bytes()).0;
        assert_eq!((game.moves, game.stopped.is_none()), (moves, moves == 2), "{rules}");
    }
}

#[test]
fn all_games_of_a_file_are_read() {
    let text = b"by mail:\n(;SZ[9]PB[one];B[aa];W[bb])\n(;SZ[13]CA[GBK]PB[\xc0\xee];B[cc])\n (\n;SZ[9]PB[three]AB[ee]) bye";
    let (trees, fault) = games(text);
    let names: Vec<_> = trees.iter().map(|tree| tree.nodes[0].get("PB").unwrap_or("")).collect();
    assert_eq!((names, fault), (vec!["one", "李", "three"], None));
    assert!(trees.iter().all(|tree| tree.warnings.is_empty()));
    assert_eq!(parse(text).unwrap().warnings[0].kind, kinds::MORE_GAMES);
    let (trees, fault) = games(b"(;SZ[9])(;SZ[9];B[aa");
    assert!(trees.len() == 1 && matches!(fault, Some(SgfError::Truncated { .. })));
    assert_eq!(games(b"no game"), (vec![], Some(SgfError::NoTree)));
}
