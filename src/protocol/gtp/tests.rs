//! Tests of the GTP front end: the spelling of answers, and the behaviour of commands.

use super::*;
use tengen_go::board::{Board, Color, Vertex};

/// Sends lines to a new session and returns the answers as they go over the wire, without the empty lines.
fn talk(lines: &str) -> Vec<String> {
    let mut session = Session::default();
    session.set_level(0);
    let mut out = Vec::new();
    serve(&mut session, lines.as_bytes(), &mut out).expect("a vector takes everything");
    let text = String::from_utf8(out).expect("answers are text");
    text.trim_end().split("\n\n").map(str::to_owned).collect()
}

/// Requests and answers as GNU Go 3.8 gives them, one game from top to bottom.
const LIKE_GNU_GO: &[(&str, &str)] = &[
    ("boardsize", "? boardsize not an integer"),
    ("boardsize 30", "? unacceptable size"),
    ("boardsize 9", "= "),
    ("foo", "? unknown command"),
    ("17 foo", "?17 unknown command"),
    ("komi x", "? komi not a float"),
    ("komi 0", "= "),
    ("get_komi", "=  0.0"),
    ("play black", "? invalid color or coordinate"),
    ("play black Z3", "? invalid color or coordinate"),
    ("play red C3", "? invalid color or coordinate"),
    ("5 play black C3", "=5 "),
    ("play black C3", "? illegal move"),
    ("black D4", "= "),
    ("undo", "= "),
    ("undo", "= "),
    ("undo", "? cannot undo"),
    ("fixed_handicap", "? handicap not an integer"),
    ("fixed_handicap 1", "? invalid handicap"),
    ("fixed_handicap 10", "? invalid handicap"),
    ("fixed_handicap 4", "= C7 G7 C3 G3"),
    ("fixed_handicap 4", "? board not empty"),
    ("gg-undo 18446744073709551615", "? cannot undo"),
    ("time_settings 10 nan 1", "? not three integers"),
    ("time_left b nan 3", "? time and stones not two integers"),
    ("time_left b inf 3", "? time and stones not two integers"),
    ("undo", "? cannot undo"),
    ("clear_board", "= "),
    ("place_free_handicap 1", "? invalid handicap"),
    ("set_free_handicap A1", "? invalid handicap"),
    ("set_free_handicap A1 B2", "= "),
    ("set_free_handicap A1 B2", "? board not empty"),
    ("clear_board", "= "),
    ("loadsgf", "? missing filename"),
    ("loadsgf /nonexist", "? cannot open or parse '/nonexist'"),
    ("color Z1", "? invalid coordinate"),
    ("color A1", "= empty"),
    ("list_stones", "? invalid color"),
    ("countlib", "? invalid coordinate"),
    ("countlib A1", "? vertex must not be empty"),
    ("worm_data Z9", "? invalid coordinate"),
    ("owl_data A1 black", "? vertex must not be empty"),
    ("worm_stones A1", "? worm_stones called on an empty vertex"),
    ("worm_stones red", "? invalid coordinate"),
    ("worm_cutstone", "? invalid coordinate"),
    ("worm_cutstone A1", "? vertex must not be empty"),
    ("accuratelib black A1", "= A2 B1"),
    ("is_legal black", "? invalid color or coordinate"),
    ("is_legal black A1", "= 1"),
    ("is_legal black pass", "= 1"),
    ("captures black", "= 0"),
    ("last_move", "? no previous move known"),
    ("play white pass", "= "),
    ("last_move", "= white PASS"),
    ("move_history", "= white PASS"),
    ("trymove black A1", "= "),
    ("genmove black", "? genmove cannot be called when stackp > 0"),
    ("popgo", "= "),
    ("popgo", "? Stack empty."),
    ("level x", "? level not an integer"),
    ("gg-undo 100", "? cannot undo"),
    ("time_settings 1 2", "? not three integers"),
    ("time_left red 1 2", "? invalid color"),
    ("time_left black 5", "? time and stones not two integers"),
    ("final_status", "? invalid coordinate"),
    ("final_status_list", "? missing status"),
    ("final_status_list foo", "? invalid status"),
    ("echo a b", "= a b"),
    ("query_boardsize", "= 9"),
    ("known_command", "= false"),
    ("known_command play", "= true"),
    ("restricted_genmove", "? invalid color"),
    ("restricted_genmove black", "? no allowed vertex"),
    ("move_reasons", "? invalid coordinate"),
    ("does_surround A1 B2", "? vertex must not be empty"),
    ("owl_threaten_attack A1", "? vertex must not be empty"),
    ("owl_substantial Z9", "? invalid coordinate"),
    ("aa_confirm_safety black", "? invalid color or coordinate"),
    ("analyze_semeai_after_move black", "? invalid color or coordinate"),
];

#[test]
fn answers_are_spelled_as_gnu_go_spells_them() {
    let lines: Vec<&str> = LIKE_GNU_GO.iter().map(|(request, _)| *request).collect();
    // An answer's lines end without blanks worth keeping, but for the one after the sign.
    let answers = talk(&(lines.join("\n") + "\nquit\n"));
    assert_eq!(answers.len(), lines.len() + 1);
    for ((request, expected), answer) in LIKE_GNU_GO.iter().zip(&answers) {
        assert_eq!(answer.trim_end(), expected.trim_end(), "{request}");
    }
}

#[test]
fn levels_go_from_0_to_100() {
    let answers = talk("level 0\nlevel 100\nlevel 101\nlevel -1\nquit\n");
    let refused = "? level not from 0 to 100";
    assert_eq!(
        answers[..4].iter().map(|answer| answer.trim_end()).collect::<Vec<_>>(),
        ["=", "=", refused, refused]
    );
}

/// A black stone on an empty board, as GNU Go 3.8 lists it.
const WORM: &str = "= C3:
origin               C3
color                black
size                 1
effective_size       13.75
liberties            4
liberties2           8
liberties3           8
liberties4           9
attack_code          0
attack_point         PASS
defense_code         0
defense_point        PASS
lunch                PASS
cutstone             0
cutstone2            0
genus                0
inessential          0
invincible           0
unconditional_status unknown";

#[test]
fn a_worm_is_listed_as_gnu_go_lists_it() {
    let answers = talk(
        "boardsize 9\nplay black C3\nplay white A1\nworm_data C3\nworm_stones\nworm_stones black\nworm_cutstone C3\n\
         worm_data E5\nquit\n",
    );
    assert_eq!(answers[3], WORM);
    assert_eq!(answers[4], "= C3\nA1");
    assert_eq!(answers[5], "= C3");
    assert_eq!(answers[6], "=  0");
    assert!(answers[7].contains("color                empty"), "{}", answers[7]);
}

#[test]
fn comments_tabs_and_control_characters_are_cut() {
    assert_eq!(talk("# nothing\n\n\x07name # who?\n 3\tname\n"), ["= Tengen", "=3 Tengen"]);
}

#[test]
fn every_command_has_one_name() {
    let mut names: Vec<&str> = commands().map(|c| c.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn no_request_makes_the_front_end_panic() {
    let words =
        ["", "black", "A1", "white T19", "black A1 B2 C3", "-1", "99999999999999999999", "pass pass", "é"];
    // The sizes stay small, so that this stays quick.
    for size in [1, 5] {
        let mut lines = format!("boardsize {size}\nlevel 0\n");
        for name in commands()
            .map(|c| c.name)
            .filter(|n| !matches!(*n, "quit" | "echo_err" | "savesgf" | "printsgf" | "finish_sgftrace"))
        {
            for word in words {
                if name != "boardsize" {
                    lines.push_str(&format!("{name} {word}\nlevel 0\n"));
                }
            }
        }
        assert!(talk(&lines).iter().all(|answer| answer.starts_with(['=', '?'])), "size {size}");
    }
}

#[test]
fn a_new_score_is_the_final_score_as_an_estimate() {
    let moves = "boardsize 5\nkomi 0\nplay black C1\nplay black C2\nplay black C3\nplay black C4\nplay black C5\n\
                 play white D1\nplay white D2\nplay white D3\nplay white D4\nplay white D5\n";
    let answers = talk(&format!("{moves}final_score\nnew_score\nquit\n"));
    let said: Vec<&str> =
        answers.iter().map(|answer| answer.trim()).filter(|answer| answer.len() > 1).collect();
    assert_eq!(said[..2], ["= B+5.0", "= B+5.0 (upper bound: -5.0, lower: -5.0)"]);
}

#[test]
fn on_the_smallest_board_there_is_nothing_but_passing() {
    let answers = talk("boardsize 1\nreg_genmove black\nplay black A1\ngenmove white\nfinal_score\nquit\n");
    assert_eq!(answers[..4], ["= ", "= PASS", "? illegal move", "= PASS"]);
    assert!(answers[4].starts_with('='), "{}", answers[4]);
}

/// The maps of GNU Go's `initial_influence`, and the width of their numbers.
const INFLUENCE: [(&str, usize); 11] = [
    ("white_influence", 6),
    ("black_influence", 6),
    ("white_strength", 6),
    ("black_strength", 6),
    ("white_attenuation", 6),
    ("black_attenuation", 6),
    ("white_permeability", 6),
    ("black_permeability", 6),
    ("territory_value", 6),
    ("influence_regions", 2),
    ("non_territory", 2),
];

#[test]
fn influence_is_printed_as_gnu_go_prints_it() {
    let game = "boardsize 5\nplay black B2\nplay white D4\n";
    let kinds = ["initial_influence white", "move_influence white B4", "followup_influence white B4"];
    for kind in kinds {
        let requests: Vec<String> = INFLUENCE.iter().map(|(what, _)| format!("{kind} {what}")).collect();
        let answers = talk(&(game.to_owned() + &requests.join("\n") + "\nquit\n"));
        for ((what, width), answer) in INFLUENCE.iter().zip(&answers[3..]) {
            let rows: Vec<&str> = answer.strip_prefix("= ").expect("an answer").split('\n').collect();
            assert_eq!(rows.len(), 5, "{kind} {what}: {answer}");
            for row in rows {
                assert_eq!(row.len(), 5 * width + 4, "{kind} {what}: {row}");
                assert!(row.split_whitespace().all(|n| n.parse::<f32>().is_ok()), "{row}");
            }
        }
    }
}

#[test]
fn influence_knows_the_stones_that_give_it() {
    let answers = talk(
        "boardsize 5\nplay black B2\ninitial_influence white black_strength\n\
                        initial_influence white influence_regions\ninitial_influence white nonsense\n\
                        estimate_score\nquit\n",
    );
    let strengths: Vec<f32> =
        answers[2].trim_start_matches("= ").split_whitespace().filter_map(|n| n.parse().ok()).collect();
    assert!(strengths[16] > 50.0, "the stone is a source: {strengths:?}");
    assert!(answers[3].split_whitespace().any(|code| code == "-4"), "and a black stone: {}", answers[3]);
    assert!(answers[4].starts_with('?'), "{}", answers[4]);
    let score = answers[5].trim_start_matches("= ");
    assert!(score.starts_with(['B', 'W']) && score.contains("(upper bound: "), "{score}");
}

#[test]
fn a_dragon_is_judged_after_a_line_of_moves() {
    let lines = "boardsize 9\nplay black A1\nowl_data A1 white A2 B1\nowl_data A1 white A2 pass B1\nowl_data A1 white A1\n\
                 owl_data A1 white Z9\nowl_data A1 white A2 D\n";
    let answers = talk(lines);
    let heads: Vec<&str> = answers[2..].iter().map(|answer| answer.lines().next().unwrap_or("")).collect();
    assert!(heads[0].contains("eyes"), "{heads:?}");
    assert_eq!(heads[1], "= Dead, taken");
    assert_eq!(heads[2..], ["? illegal move", "? invalid coordinate", "? invalid coordinate"]);
}

#[test]
fn every_layer_is_drawn_for_gogui_and_what_is_wrong_is_told() {
    let menu = &talk("gogui-analyze_commands\n")[0];
    for layer in crate::report::board::Layer::ALL {
        assert!(menu.contains(&format!("tengen-layer {}", layer.name())), "{}", layer.name());
    }
    let answers = talk(
        "boardsize 9\nplay b E5\nplay w C3\ntengen-layer dragons\ntengen-layer territory b\n\
         tengen-layer influence b\ntengen-layer delta b G7\ntengen-layer nothing\ntengen-layer delta b E5\n",
    );
    for (answer, has) in
        answers[3..7].iter().zip(["LABEL", "COLOR #", "TEXT black", "TEXT Change of territory"])
    {
        assert!(answer.starts_with("= ") && answer.contains(has), "{answer}");
    }
    assert_eq!(answers[7..], ["? unknown layer", "? illegal move"]);
}

/// A scripted client of `kata-analyze`: what Sabaki and q5Go read of an answer.
#[test]
fn analysis_names_moves_with_lines_ownership_and_the_root() {
    let answers = talk(
        "boardsize 9\nplay b E5\nkata-analyze w interval 10 maxmoves 5 ownership true rootInfo true\n\
         7 lz-analyze w 10\nlz-analyze w avoid w E5 1\nkata-analyze w fly 7\nkata-set-rules chinese\n\
         kata-get-rules\nkata-set-rules chess\nkata-genmove_analyze w 10\n",
    );
    let kata = answers[2].strip_prefix("=\n").expect("the answer begins at once");
    let blocks: Vec<&str> = kata.split("info ").filter(|b| b.starts_with("move ")).collect();
    assert!(!blocks.is_empty() && blocks.len() <= 5);
    for block in &blocks {
        for key in ["move", "visits", "winrate", "scoreLead", "prior", "lcb", "order", "pv"] {
            assert!(block.split(' ').any(|w| w == key), "{key} in {block}");
        }
    }
    let owners = kata.split("ownership ").nth(1).expect("ownership").split_whitespace();
    let owners: Vec<f32> = owners.map(|x| x.parse().expect("a number")).collect();
    assert_eq!(owners.len(), 81);
    assert!(owners.iter().all(|x| (-1.0..=1.0).contains(x)));
    assert!(kata.contains("rootInfo visits"));
    assert!(answers[3].starts_with("=7\ninfo move "));
    let rate =
        answers[3].split(' ').skip_while(|w| *w != "winrate").nth(1).and_then(|w| w.parse::<u32>().ok());
    assert!(rate.is_some_and(|r| r <= 10000));
    assert!(answers[5].starts_with("? unknown key"));
    assert_eq!(answers[6], "= ");
    assert!(answers[7].contains("\"scoring\":\"AREA\""));
    assert_eq!(answers[8], "? unknown rules");
    assert!(answers[9].contains("\nplay "), "{}", answers[9]);
}

/// Lines that come one after another, each after a number of looks at whether one is there.
struct Slow {
    lines: std::vec::IntoIter<&'static str>,
    after: u32,
    looks: u32,
}

impl input::Lines for Slow {
    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        self.looks = 0;
        self.lines.next().map(|line| Ok(line.as_bytes().to_vec()))
    }

    fn is_waiting(&mut self) -> bool {
        self.looks += 1;
        self.looks > self.after
    }

    fn wait(&mut self, most: std::time::Duration) {
        std::thread::sleep(most);
    }
}

#[test]
fn analysis_goes_on_with_one_search_and_tells_lines_and_owners_of_moves() {
    let lines =
        vec!["boardsize 9", "play b E5", "kata-analyze w interval 5 maxmoves 2 movesOwnership true", "name"];
    let mut out = Vec::new();
    let mut slow = Slow { lines: lines.into_iter(), after: 600, looks: 0 };
    serve_lines(&mut Session::default(), &mut slow, &mut out).expect("a vector takes everything");
    let text = String::from_utf8(out).expect("answers are text");
    let told: Vec<&str> = text.lines().filter(|line| line.starts_with("info ")).collect();
    assert!(told.len() >= 2, "{text}");
    let visits = |line: &str| -> u32 {
        let mut words = line.split(' ').skip_while(|w| *w != "visits");
        words.nth(1).and_then(|n| n.parse().ok()).expect("visits")
    };
    assert!(told.windows(2).all(|pair| visits(pair[0]) <= visits(pair[1])), "{told:?}");
    for block in told.iter().flat_map(|line| line.split("info ").filter(|block| !block.is_empty())) {
        let (moves, owners) = block.split_once(" movesOwnership ").expect("owners of the move");
        assert_eq!(owners.split_whitespace().count(), 81);
        let line = moves.split_once(" pv ").expect("a line").1;
        assert_eq!(line.split(' ').next(), moves.split(' ').nth(1), "the line begins with its move");
    }
    let last = told.last().expect("a line");
    assert!(
        last.split_once(" pv ")
            .is_some_and(|(_, rest)| rest.split(' ').nth(1).is_some_and(|w| w != "movesOwnership"))
    );
}

#[test]
fn visits_of_a_search_are_those_that_were_asked_for_and_pondering_adds_to_them() {
    let mut session = Session::default();
    (session.visits, session.ponders) = (Some(30), true);
    session.begin(Board::new(9));
    assert_eq!(session.review(Color::Black).findings.playouts, 30);
    session.play(Color::Black, Vertex::from_gtp("E5", 9).expect("a vertex")).expect("a legal move");
    let mut asked = 0;
    session.ponder(&mut || {
        asked += 1;
        asked > 90
    });
    let pondered = session.review(Color::White).findings.playouts;
    assert!(pondered > 60, "{pondered} visits");
}

/// The list of GNU Go 3.8's commands, as its manual names them.
const GNU_GO: &str = "aa_confirm_safety accurate_approxlib accuratelib advance_random_seed all_legal all_move_values \
    analyze_eyegraph analyze_semeai analyze_semeai_after_move attack attack_either black block_off boardsize break_in \
    captures clear_board clear_cache color combination_attack combination_defend connect countlib cputime \
    decrease_depths defend defend_both disconnect does_attack does_defend does_surround dragon_data dragon_status \
    dragon_stones draw_search_area dump_stack echo echo_err estimate_score eval_eye experimental_score eye_data \
    final_score final_status final_status_list findlib finish_sgftrace fixed_handicap followup_influence genmove \
    genmove_black genmove_white get_connection_node_counter get_handicap get_komi get_life_node_counter \
    get_owl_node_counter get_random_seed get_reading_node_counter get_trymove_counter gg-undo gg_genmove half_eye_data \
    help increase_depths initial_influence invariant_hash invariant_hash_for_moves is_legal is_surrounded \
    kgs-genmove_cleanup known_command komi ladder_attack last_move level limit_search list_commands list_stones loadsgf \
    move_history move_influence move_probabilities move_reasons move_uncertainty name new_score orientation owl_attack \
    owl_connection_defends owl_defend owl_does_attack owl_does_defend owl_substantial owl_threaten_attack \
    owl_threaten_defense place_free_handicap play playwhite popgo printsgf protocol_version query_boardsize \
    query_orientation quit reg_genmove report_uncertainty reset_connection_node_counter reset_life_node_counter \
    reset_owl_node_counter reset_reading_node_counter reset_search_mask reset_trymove_counter restricted_genmove \
    same_dragon set_free_handicap set_random_seed set_search_diamond set_search_limit showboard start_sgftrace \
    surround_map tactical_analyze_semeai test_eyeshape time_left time_settings top_moves top_moves_black \
    top_moves_white tryko trymove tune_move_ordering unconditional_status undo version white worm_cutstone worm_data \
    worm_stones";

#[test]
fn every_command_of_gnu_gos_manual_is_known() {
    let known: Vec<&str> = commands().map(|c| c.name).collect();
    let missing: Vec<&str> = GNU_GO.split_whitespace().filter(|name| !known.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn an_eye_graph_has_its_value_and_its_vital_moves() {
    let answers =
        talk("analyze_eyegraph ...\nanalyze_eyegraph .\nanalyze_eyegraph a\nanalyze_eyegraph OO!%O.X%!...\n");
    assert_eq!(answers[0], "= 1122\n.*.");
    assert!(answers[1].starts_with("= 1111\n."), "{}", answers[1]);
    assert!(answers[2].starts_with("? bad eye shape"), "{}", answers[2]);
    assert!(answers[3].starts_with("= 0112\n"), "{}", answers[3]);
}

#[test]
fn moves_are_chosen_in_the_search_area_while_it_limits() {
    let answers = talk(
        "boardsize 9\nset_search_diamond A1\nreg_genmove black\nlimit_search 0\nreset_search_mask\nset_search_limit E5\n\
         limit_search 1\nreg_genmove black\ntune_move_ordering 3\nlimit_search x\n",
    );
    let near = answers[2].trim_start_matches("= ");
    let near = tengen_go::board::Vertex::from_gtp(near, 9).expect("a vertex");
    assert!(near == tengen_go::board::Vertex::PASS || near.col(9) + 8 - near.row(9) <= 4, "{}", answers[2]);
    assert!(["= E5", "= PASS"].contains(&answers[7].as_str()), "{}", answers[7]);
    assert!(answers[8].starts_with("? incorrect arguments") && answers[9].starts_with('?'), "{answers:?}");
}
