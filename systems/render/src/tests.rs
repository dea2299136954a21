//! Tests of pictures as SVG and as text.

use super::*;

/// Every element that is opened is closed, in order.
fn is_well_formed(xml: &str) -> bool {
    let mut open = Vec::new();
    for tag in xml.split('<').skip(1).map(|t| t.split('>').next().unwrap_or("")) {
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name.to_owned()) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or("").to_owned());
        }
    }
    open.is_empty()
}

#[test]
fn what_scrolls_sideways_has_a_shadow_where_it_is_cut() {
    let rule = |selector: &str| STYLE.lines().find(|line| line.starts_with(selector));
    let table = rule("table,.wide{").expect("the rule of what scrolls");
    // Covers move with the content, shadows stay at the edges.
    for (layer, side) in [("var(--under)", "local"), ("var(--edge)", "scroll")] {
        assert_eq!(table.matches(layer).count(), 2, "{table}");
        assert_eq!(table.matches(&format!("no-repeat {side}")).count(), 2, "{table}");
    }
    for (page, start) in [
        ("light", ":root{"),
        ("dark", "@media (prefers-color-scheme:dark){:root{"),
        ("print", "@media print{"),
    ] {
        assert!(rule(start).is_some_and(|line| line.contains("--edge:")), "no shadow is named for {page}");
    }
    assert!(
        rule(".wide>table{background:none}").is_some(),
        "a table in a part that scrolls has no shadow of its own"
    );
}

fn sheet(size: usize) -> Sheet {
    let mut sheet = Sheet::new(size, "A <test> & \"more\"", |i| match i % 3 {
        0 => Some(Side::Black),
        1 => Some(Side::White),
        _ => None,
    });
    for (i, cell) in sheet.cells.iter_mut().enumerate() {
        *cell = Cell { text: "<1>".into(), ink: Ink::Danger, fill: (i % 2) as f32, mark: Some(Mark::Cross) };
    }
    sheet.arrows.push(Arrow { from: 0, to: size * size - 1, ink: Ink::Note });
    sheet.outlines.push(Outline { corners: vec![0, size - 1], ink: Ink::Good });
    sheet.legend.push(Key::new(Ink::Danger, 0.0, "<1>", "a sign & its meaning"));
    sheet
}

#[test]
fn pictures_of_all_sizes_are_well_formed_and_escape_texts() {
    for size in [1, 2, 9, 19, 25] {
        let svg = svg::draw(&sheet(size));
        assert!(is_well_formed(&svg), "{size}: {svg}");
        assert!(!svg.contains("<1>") && !svg.contains("<test>"), "{size}");
        let board = svg::board(&sheet(size));
        assert!(is_well_formed(&board) && is_well_formed(&svg::thumbnail(&sheet(size))), "{size}");
        assert_eq!(board.matches("class=\"v\"").count(), size * size);
        assert!(svg.contains("a sign &amp; its meaning"));
    }
}

#[test]
fn a_terminal_shows_texts_before_stones() {
    let mut sheet = Sheet::new(2, "", |i| (i == 0).then_some(Side::Black));
    sheet.cells[3].text = "a".into();
    sheet.cells[3].ink = Ink::Good;
    sheet.lines.push("a B1".into());
    assert_eq!(text::draw(&sheet, false), "   A B\n 2 X . 2\n 1 . a 1\n   A B\na B1\n");
    assert!(text::draw(&sheet, true).contains("\u{1b}[32m a\u{1b}[0m"));
}

#[test]
fn a_terminal_tells_what_signs_mean_and_how_much_by_brightness() {
    let mut sheet = Sheet::new(2, "", |_| None);
    for (cell, fill) in [(0, 0.9), (1, 0.3), (2, 0.1)] {
        sheet.cells[cell] = Cell { ink: Ink::Black, fill, text: "1".into(), mark: None };
    }
    sheet.legend = vec![Key::new(Ink::Black, 0.9, "1", "Black's"), Key::new(Ink::White, 0.1, "", "little")];
    assert!(text::draw(&sheet, false).ends_with("   A B\n 1 = Black's\n"));
    let coloured = text::draw(&sheet, true);
    for sign in ["\u{1b}[1;36m 1", "\u{1b}[36m 1", "\u{1b}[2;36m 1", "\u{1b}[2;37m##\u{1b}[0m = little\n"] {
        assert!(coloured.contains(sign), "{sign:?} in {coloured}");
    }
}

#[test]
fn boards_of_chess_come_from_fen() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let board = chess::Board::of_fen("start", start).expect("a position");
    assert_eq!(board.pieces[chess::square("e1").expect("a square")], Some('K'));
    assert_eq!(board.pieces[chess::square("a8").expect("a square")], Some('r'));
    assert!(is_well_formed(&chess::draw(&board)));
    for bad in ["", "8/8", "9/8/8/8/8/8/8/8", "x7/8/8/8/8/8/8/8", "ppppppppp/8/8/8/8/8/8/8"] {
        assert!(chess::Board::of_fen("", bad).is_none(), "{bad}");
    }
}

#[test]
fn nets_and_graphs_are_well_formed() {
    let gate = |label: &str, level, inputs: &[usize]| net::Gate {
        label: label.into(),
        is_true: level == 0,
        level,
        inputs: inputs.iter().map(|&i| (i, i == 1)).collect(),
        ..net::Gate::default()
    };
    let gates = [gate("(true (cell 1 1 b))", 0, &[]), gate("not", 1, &[0]), gate("<or>", 2, &[0, 1])];
    assert!(is_well_formed(&net::draw("net", &gates, 100)));
    assert!(is_well_formed(&net::draw("nothing", &[], 50)));
    assert!(is_well_formed(&graph::draw(&[(0, 1.0), (7, -20.0)], 7, Some(3), "White leads", "Black leads")));
    assert!(is_well_formed(&graph::draw(&[], 0, None, "", "")));
    let loss = |after, points| graph::Loss { after, is_black: after % 2 == 1, points };
    let lost =
        graph::losses(&[loss(1, 3.0), loss(2, 0.0), loss(7, 20.0)], 7, None, "Black lost", "White lost");
    assert!(is_well_formed(&lost) && is_well_formed(&graph::losses(&[], 0, None, "", "")));
    assert_eq!(lost.matches("<title>move ").count(), 2, "a move that lost nothing has no bar");
}

#[test]
fn fields_of_any_names_are_well_formed_and_lead_where_they_should() {
    let field = |n: usize| grid::Field {
        cell: Cell { text: "<x>".repeat(n), mark: Some(Mark::Circle), ..Cell::default() },
        link: (n == 1).then(|| "play?a=1&b=2".into()),
        hint: "a & b".into(),
    };
    let grid = grid::Grid {
        title: "<board>".into(),
        columns: vec!["a".into(), "<b>".into()],
        rows: vec!["1".into()],
        fields: vec![field(1), field(9)],
        legend: vec![Key::new(Ink::Good, 0.5, "x", "a piece")],
    };
    let svg = grid::draw(&grid);
    assert!(is_well_formed(&svg), "{svg}");
    assert!(svg.contains("href=\"play?a=1&amp;b=2\"") && !svg.contains("<x>") && !svg.contains("<b>"));
    assert!(is_well_formed(&grid::draw(&grid::Grid::default())));
}

#[test]
fn a_timeline_is_well_formed_and_writes_into_bars_what_has_room() {
    let bar = |lane, from, to, text: &str| timeline::Bar {
        lane,
        from,
        to,
        text: text.into(),
        title: "<a> & b".into(),
        href: "profile?from=0&to=1".into(),
        ..timeline::Bar::default()
    };
    let bars = [bar(0, 0.0, 1.0, "wide<"), bar(1, 0.2, 0.2001, "narrow"), bar(1, -3.0, 0.05, "cut off here")];
    let lanes = ["thread 0 <".to_owned(), String::new()];
    let svg = timeline::draw("T & <t>", &lanes, &bars, &[(0.0, "0 s".into()), (0.5, "<1 s".into())]);
    assert!(is_well_formed(&svg), "{svg}");
    assert_eq!(svg.matches("<rect").count(), 1 + bars.len());
    assert!(svg.contains(">wide&lt;</text>") && !svg.contains("narrow") && !svg.contains("cut off here"));
}

#[test]
fn a_number_stands_on_blank_wood_and_elements_of_one_look_share_one() {
    let mut sheet = Sheet::new(19, "", |_| None);
    for cell in &mut sheet.cells {
        *cell = Cell { text: ".5".into(), ink: Ink::White, fill: 0.5, mark: None };
    }
    let svg = svg::board(&sheet);
    let (lines, blank) =
        (svg.find("stroke-width=\".8\"").expect("lines"), svg.find("stroke=\"url(#wood)\"").expect("wood"));
    assert!(lines < blank, "the blanks cover the lines");
    assert!(svg.len() < 60_000, "{} bytes", svg.len());
    let small = svg::thumbnail(&Sheet::new(19, "", |_| Some(Side::White)));
    assert!(small.len() < 14_000, "{} bytes", small.len());
}

#[test]
fn flags_of_a_graph_are_links_with_their_words() {
    let flag = graph::Flag { after: 2, value: 3.0, title: "a <loss>".into(), href: "#m2".into() };
    let svg = graph::flagged(&[(0, 1.0), (2, 3.0)], 4, Some(1), ["up", "down"], &[flag]);
    assert!(is_well_formed(&svg) && svg.contains("href=\"#m2\"") && svg.contains("a &lt;loss&gt;"));
}

#[test]
fn small_boards_and_boards_of_reports_have_their_stones_where_the_board_has_them() {
    let mut sheet = Sheet::new(9, "two stones", |index| match index {
        0 => Some(Side::Black),
        80 => Some(Side::White),
        _ => None,
    });
    sheet.last = Some(80);
    for picture in [svg::thumbnail(&sheet), svg::light(&sheet, "a")] {
        // One unit is the distance of two lines, and the first line is as far from the edge as on every board.
        assert!(picture.contains("transform=\"translate(30 30) scale(24)\""), "{picture}");
        assert!(picture.contains("M0 0h0") && picture.contains("M8 8h0"), "{picture}");
    }
}
