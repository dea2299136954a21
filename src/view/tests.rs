//! Tests of the viewer's pages for Go, chess, rulesheets, batches and profiles.

use super::analysis_cache::AnalysisCache;
use super::request::{Reply, Request};
use super::site::{Root, Site};
use std::path::PathBuf;
use tengen_go::Level;

fn site(root: Root) -> Site {
    Site::new(root, AnalysisCache::new(None, Level::default()), None)
}

fn rules(name: &str) -> Site {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("resources/gdl").join(name);
    site(Root::Rules(std::sync::Arc::new(
        super::table::Table::open(&path, &mut || false).expect("a good rulesheet"),
    )))
}

fn chess(fen: &str) -> Site {
    site(Root::Chess(super::opened_games::OpenedGames::of_text(fen).expect("a position")))
}

fn games() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes/go/games")
}

fn ask(site: &Site, page: &str, query: &str) -> Reply {
    site.answer(&Request::new(page, query, None))
}

#[test]
fn a_folder_lists_its_records_and_opens_no_other_file() {
    let site = site(Root::Folder(games()));
    let index = ask(&site, "", "");
    assert!(index.body.contains("9x9-1.sgf") && index.status == 200);
    for outside in ["../../../Cargo.toml", "/etc/passwd", "..%2F..%2Fseed/worms.ron", "all.ron", ""] {
        let reply = ask(&site, "game", &format!("file={outside}"));
        assert_eq!(reply.status, 400, "{outside}");
        assert!(!reply.body.contains("[package]") && !reply.body.contains("root:"), "{outside}");
    }
}

#[test]
fn a_page_shows_the_board_its_layers_and_the_facts_of_a_vertex() {
    let site = site(Root::Record(games().join("9x9-1.sgf")));
    let page = ask(&site, "game", "layer=dragons&node=20");
    assert_eq!(page.status, 200, "{}", page.body);
    for piece in ["<svg", "data-v=\"E5\"", "data-key=\"d\"", "id=\"slider\"", "critical"] {
        assert!(page.body.contains(piece), "{piece}");
    }
    let facts = ask(&site, "facts", "node=20&at=E5");
    assert!(facts.body.contains("data-at=\"E5\"") && facts.body.contains("Influence and territory"));
}

#[test]
fn bad_questions_get_an_answer_that_says_what_is_wrong() {
    let site = site(Root::Record(games().join("9x9-1.sgf")));
    for (page, query, says) in [
        ("game", "node=99999", "no node"),
        ("game", "node=x", "no node"),
        ("game", "layer=<script>", "no layer"),
        ("game", "try=BZ99", "no move to try"),
        ("game", "patterns=7", "no patterns 7"),
        ("game", "patterns=x", "no patterns x"),
        ("facts", "at=Z9", "no such vertex"),
        ("game", "node=0&map=after&move=Z1", "no legal move"),
        ("nothing", "", "no page"),
        ("records", "", "no folder"),
    ] {
        let reply = ask(&site, page, query);
        assert!(reply.status >= 400 && reply.body.contains(says), "{page} {query}: {}", reply.body);
        assert!(!reply.body.contains("<script>"), "{query}");
    }
}

#[test]
fn fields_of_a_form_are_decoded() {
    let request = Request::new("tune", "a=1%20b&c", Some("text=x%3Dy%0A+z&bad=%zz%2"));
    assert_eq!(request.get("a"), "1 b");
    assert_eq!(request.get("text"), "x=y\n z");
    assert_eq!(request.get("bad"), "%zz%2");
}

#[test]
fn a_game_by_rulesheet_is_played_by_click_and_our_player_answers() {
    let site = rules("noughts.kif");
    let first = ask(&site, "", "");
    assert_eq!(first.status, 200, "{}", first.body);
    for piece in ["(put 1 1)", "noughts: 9 legal moves", "crosses: 1 legal move<", "<svg", "(turn noughts)"] {
        assert!(first.body.contains(piece), "{piece}");
    }
    let chosen = ask(&site, "play", "pick=4.");
    assert_eq!((chosen.status, chosen.location.as_deref()), (303, Some("play?moves=4.0")));
    let answered = ask(&site, "play", "pick=4.&ours=1&visits=50");
    let to = answered.location.expect("on to the next page");
    let (page, query) = to.split_once('?').expect("a query");
    let after = ask(&site, page, query);
    assert!(after.body.contains("2 of 2 moves"), "noughts, then ours: {to}");
    assert!(after.body.contains("noughts: 7 legal moves"));
    let thought = ask(&site, "play", "moves=4.0&ask=1&visits=50");
    assert!(thought.body.contains("UCT after 50 visits"), "{}", thought.body);
}

#[test]
fn the_net_is_lit_and_a_move_runs_through_it_under_each_scheme() {
    let site = rules("noughts.kif");
    let net = ask(&site, "net", "");
    assert_eq!(net.status, 200, "{}", net.body);
    assert!(net.body.contains("class=\"net\"") && net.body.contains("id=\"levels\""));
    for scheme in tengen_propnet::propagate::NAMES {
        let page = ask(&site, "net", &format!("pick=4.&scheme={scheme}&step=1"));
        assert_eq!(page.status, 200, "{}", page.body);
        assert!(
            page.body.contains("data-step=\"1\"") && page.body.contains("What the move flips"),
            "{scheme}"
        );
    }
    let folded = ask(&site, "net", "rule=all").body;
    assert!(folded.contains("26 rules") && folded.contains("9 legal (9 of 18)"), "{folded}");
    let one = ask(&site, "net", "rule=4&zoom=200").body;
    assert!(one.contains("the 29 parts of the rule in line 9") && one.contains("200 %"), "{one}");
    assert_eq!(ask(&site, "net", "rule=99").status, 400);
    let rules = ask(&site, "rules", "");
    assert!(rules.body.contains("derives") && rules.body.contains("(legal noughts (put 1 1))"));
}

#[test]
fn a_position_of_chess_is_shown_searched_and_compared_under_all_schemes() {
    let site = chess("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let board = ask(&site, "", "");
    assert_eq!(board.status, 200, "{}", board.body);
    assert!(board.body.contains("data-v=\"d1\"") && board.body.contains("Key stack: 1 position back"));
    let lines = ask(&site, "chess-lines", "nodes=2000");
    assert!(lines.body.contains("mate in 1") && lines.body.contains("data-done"), "{}", lines.body);
    let moved = ask(&site, "chess", "from=d1&sq=d8");
    assert_eq!(moved.location.as_deref(), Some("chess?game=0&at=0&try=d1d8"));
    let mated = ask(&site, "chess", "try=d1d8");
    assert!(mated.body.contains("is over: mate"));
    let schemes = ask(&site, "schemes", "depth=2");
    for scheme in tengen_chess::repetition::Scheme::ALL {
        assert!(schemes.body.contains(&format!("data-scheme=\"{}\"", scheme.name())), "{}", scheme.name());
    }
    let tree = ask(&site, "tree", "depth=2");
    assert!(tree.body.contains("data-line=\"d1d8\"") && tree.body.contains("for the side to move"));
}

#[test]
fn the_score_of_a_repetition_leads_to_the_position_it_rests_on() {
    // Behind in material, Black to move can only repeat: the position after two plies stood before.
    let site = chess("7k/8/8/8/8/8/5q2/7K w - - 0 1");
    let stack = ask(&site, "chess", "try=h1h2");
    assert_eq!(stack.status, 400, "h2 is attacked: {}", stack.body);
    let site = chess("7k/8/6KQ/8/8/8/8/8 b - - 4 1");
    let bad = ask(&site, "chess", "try=h8h1");
    assert!(bad.status == 400 && bad.body.contains("h8h1"), "{}", bad.body);
    let site = chess("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1");
    let again = ask(&site, "chess", "try=d3c3,d5c5,c3d3,c5d5,d3c3,d5c5,c3d3,c5d5");
    assert!(again.body.contains("may be claimed a draw: third occurrence"), "{}", again.body);
    assert!(again.body.contains("Key stack: 9 positions") && again.body.contains("4 back, 8 back"));
}

#[test]
fn bad_questions_about_rules_and_chess_say_what_is_wrong() {
    let (rules, chess) = (rules("noughts.kif"), chess("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1"));
    for (site, page, query, says) in [
        (&rules, "play", "moves=99.0", "no legal move number 99"),
        (&rules, "play", "moves=x", "no joint move"),
        (&rules, "play", "moves=0", "a move for each of 2 roles"),
        (&rules, "play", "pick=77.", "no legal move to choose"),
        (&rules, "play", "player=gnu", "no player"),
        (&rules, "net", "pick=0.&scheme=<script>", "no scheme"),
        (&rules, "net", "part=999999", "no part"),
        (&rules, "chess", "", "no game of chess"),
        (&chess, "play", "", "no rulesheet"),
        (&chess, "chess", "game=7", "no game 8"),
        (&chess, "chess", "scheme=<script>", "script"),
        (&chess, "chess", "at=x", "no number"),
    ] {
        let reply = ask(site, page, query);
        assert!(reply.status == 400 && reply.body.contains(says), "{page} {query}: {}", reply.body);
        assert!(!reply.body.contains("<script>"), "{query}");
    }
}

/// The scenes of a file of the repository.
fn scenes(name: &str) -> Site {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
    let cases = crate::scene::cases::of_files(&[path], 1, &crate::scene::plain_files::PlainFiles::default());
    site(Root::Scenes(super::scenes::Scenes::new(cases)))
}

#[test]
fn scenes_of_chess_and_of_rulesheets_open_the_page_of_their_own_game() {
    let site = scenes("chess/games.ron");
    let index = ask(&site, "", "");
    assert!(index.body.contains("href=\"chess?game=0\"") && !index.body.contains("game?file="));
    let board = ask(&site, "chess", "game=0");
    assert!(board.status == 200 && board.body.contains("Morphy") && board.body.contains("Key stack"));
    assert!(board.body.contains("id=\"slider\""), "the moves of the scene are stepped through");
    let site = scenes("gdl/games.ron");
    let index = ask(&site, "", "").body;
    let at = index.find("noughts and crosses, the winning reply").expect("it is listed");
    let to = index[..at].rfind("play?case=").map(|n| &index[n..at]).expect("a link before it");
    let query = to.trim_start_matches("play?").split('"').next().expect("an address");
    let on = ask(&site, "play", query).location.expect("on to the position");
    let page = ask(&site, "play", on.trim_start_matches("play?"));
    assert!(page.body.contains("4 of 4 moves") && page.body.contains("5 legal moves"), "{on}");
    assert!(page.body.contains("sheet="), "links keep the rulesheet");
    for (query, says) in [("sheet=99", "no rulesheet"), ("case=99", "no rulesheet"), ("", "no rulesheet")] {
        let reply = ask(&site, "play", query);
        assert!(reply.status == 400 && reply.body.contains(says), "{query}: {}", reply.body);
    }
}

#[test]
fn a_line_is_stepped_through_and_where_there_is_none_it_is_told() {
    let empty = site(Root::Empty(9));
    let page = ask(&empty, "game", "try=BE5&rest=WC3,BC4&layer=stones").body;
    assert!(page.contains("id=\"steps\"") && page.contains("try=BE5%2CWC3&amp;rest=BC4"));
    assert!(
        page.contains("href=\"game?rest=BE5%2CWC3%2CBC4&amp;layer=stones\"")
            || page.contains("href=\"game?rest=BE5%2CWC3%2CBC4\""),
        "back to before it"
    );
    assert!(page.contains("data-key=\".\"") && page.contains("data-key=\",\""));
    let not = ask(&empty, "line", "try=BE5&at=E5&first=attack");
    assert!(not.status == 400 && not.body.contains("not critical"), "{}", not.body);
    let none = ask(&empty, "line", "at=E5&first=attack");
    assert!(none.status == 400 && none.body.contains("no stone"), "{}", none.body);
}

#[test]
fn two_settings_stand_side_by_side_and_differ_only_where_they_do() {
    let site = site(Root::Record(games().join("9x9-2.sgf")));
    let same = ask(&site, "compare", "node=20&other_effort=normal");
    assert_eq!(same.status, 200, "{}", same.body);
    assert!(same.body.contains("id=\"one\"") && same.body.contains("id=\"other\""));
    assert!(!same.body.contains("<tr class=\"on\">"), "one setting does not differ from itself");
    let other = ask(&site, "compare", "node=20&other_effort=quick&layer=dragons");
    assert!(other.status == 200 && other.body.contains("effort quick, patterns as started"));
    for query in ["one_effort=<i>", "other_patterns=9", "one_patterns=x"] {
        let bad = ask(&site, "compare", query);
        assert!(
            bad.status == 400 && !bad.body.contains("<i>\u{60}") && !bad.body.contains("\u{60}<i>"),
            "{query}: {}",
            bad.body
        );
    }
}

#[test]
fn the_graphs_grow_until_every_move_has_its_loss() {
    let site = site(Root::Record(games().join("9x9-1.sgf")));
    let mut body = String::new();
    for _ in 0..200 {
        body = ask(&site, "lead", "layer=stones").body;
        if body.contains("data-done") {
            break;
        }
    }
    assert!(body.contains("data-done") && body.contains("id=\"losses\"") && body.contains("<title>move "));
}

#[test]
fn a_trace_is_shown_as_bars_and_a_timeline_and_a_window_of_it_alone() {
    let path = std::env::temp_dir().join(format!("tengen-trace-{}.json", std::process::id()));
    let event = |name: &str, thread: u32, from: u32, took: u32| {
        format!(
            "{{\"ph\":\"X\",\"cat\":\"system\",\"name\":\"{name}\",\"tid\":{thread},\"ts\":{from},\"dur\":{took}}}"
        )
    };
    let events =
        [event("a::run", 0, 0, 1000), event("b::inner", 0, 100, 300), event("c::<other>", 1, 600, 400)];
    std::fs::write(&path, format!("[{}]", events.join(","))).expect("a file");
    let site = site(Root::Trace(super::profile::open(&path).expect("a trace")));
    let all = ask(&site, "", "").body;
    for piece in
        ["3 spans of 3 in 1.00 ms of 1.00 ms", "class=\"timeline\"", ">thread 1</text>", "c::&lt;other&gt;"]
    {
        assert!(all.contains(piece), "{piece}: {all}");
    }
    // Own times: 700 of `run`, 300 of `inner`, 400 of the other.
    for own in ["<td>a::run</td><td>700.0 µs</td>", "<td>b::inner</td><td>300.0 µs</td>", "50.0 %"] {
        assert!(all.contains(own), "{own}: {all}");
    }
    let part = ask(&site, "profile", "from=0.0005&to=0.0007").body;
    assert!(part.contains("2 spans of 3 in 200.0 µs"), "{part}");
    assert!(part.contains("<td>a::run</td><td>200.0 µs</td>") && !part.contains("b::inner"), "{part}");
    for (query, says) in
        [("from=x", "no time in seconds"), ("to=nan", "no time in seconds"), ("to=inf", "no time")]
    {
        let reply = ask(&site, "profile", query);
        assert!(reply.status == 400 && reply.body.contains(says), "{query}: {}", reply.body);
    }
    for query in ["from=-5&to=-6", "from=9&to=1", "from=1e300", "to=1e-300"] {
        assert_eq!(ask(&site, "profile", query).status, 200, "{query}");
    }
    let found = ask(&site, "profile", "find=INNER&sort=calls").body;
    assert!(found.contains("<td>b::inner</td>") && !found.contains("<td>a::run</td>"), "{found}");
    let named = ask(&site, "profile", "sort=name").body;
    let order = ["a::run", "b::inner", "c::&lt;other"].map(|name| named.find(&format!("<td>{name}")));
    assert!(order.is_sorted() && order[0].is_some(), "{order:?}");
    std::fs::write(&path, "[1").expect("a file");
    let fault = super::profile::open(&path).expect_err("it is torn").to_string();
    assert!(fault.contains("is no trace") && fault.contains("--trace FILE"), "{fault}");
    std::fs::remove_file(&path).expect("it is there");
}

/// A page of records that are dropped in.
fn dropped(site: &Site, text: &str) -> Reply {
    let escaped: String = text.bytes().map(|b| format!("%{b:02x}")).collect();
    site.answer(&Request::new("drop", "", Some(&format!("name=a.sgf&bytes={escaped}"))))
}

#[test]
fn a_record_dropped_in_shows_players_marks_comment_and_variations_and_is_saved_with_what_was_tried() {
    let site = site(Root::Empty(19));
    let text = "(;GM[1]SZ[9]PB[Ann <i>]PW[Ben]BR[3k]RE[W+R]KM[6.5]RU[Japanese];B[ee]C[<b>so</b>]TR[ee]LB[cc:A][gg:toolong]CR[aa:bb]\
                (;W[cc])(;W[gc];B[gg]))";
    let to = dropped(&site, text).location.expect("on to its page");
    assert_eq!(to, "game?file=drop-1");
    let first = ask(&site, "game", "file=drop-1").body;
    for piece in
        ["Ann &lt;i&gt;", "3k", "White wins by resignation", ">komi</abbr> 6.5", "move 0,", "class=\"tree\""]
    {
        assert!(first.contains(piece), "{piece}");
    }
    let page = ask(&site, "game", "file=drop-1&node=1").body;
    for piece in ["&lt;b&gt;so&lt;/b&gt;", ">too</text>", ">A</text>"] {
        assert!(page.contains(piece), "{piece}");
    }
    assert!(!page.contains("<b>so</b>"));
    let saved = ask(&site, "save", "file=drop-1&node=1&try=WC3");
    assert!(saved.body.contains("(;W[cc]") && saved.body.contains("(;W[cg]"), "{}", saved.body);
    assert_eq!(
        ask(&site, "save", "file=drop-1&node=1&try=WG7").body.matches("W[gc]").count(),
        1,
        "it is there already"
    );
    let bad = dropped(&site, "(;GM[1]SZ[9];B[aa");
    assert!(bad.status == 400 && bad.body.contains("a.sgf"), "{}", bad.body);
    assert_eq!(ask(&site, "game", "file=drop-9").status, 400);
}

#[test]
fn a_game_against_the_engine_is_answered_move_by_move_and_counted_after_two_passes() {
    let site = site(Root::Empty(9));
    let begun = ask(&site, "new", "size=5&vs=w&level=0").location.expect("on to the board");
    assert!(begun.contains("file=new-5-0-6.5") && begun.contains("try=B"), "{begun}");
    let new = "file=new-5-0-6.5&vs=b&level=0";
    let answered = ask(&site, "answer", &format!("{new}&at=C3")).location.expect("on");
    assert!(answered.contains("try=BC3%2CW"), "{answered}");
    let again = ask(&site, "answer", &format!("{new}&try=BC3,WC2&at=C2")).location.expect("on");
    assert!(
        again.contains("refused=C2") && again.contains("try=BC3%2CWC2"),
        "an illegal move loses no game: {again}"
    );
    let page = ask(&site, "game", &again["game?".len()..]).body;
    assert!(page.contains("may not play at C2") && page.contains("data-follow=\"answer?"), "{page}");
    let over = ask(&site, "game", &format!("{new}&try=BC3,WPASS,BPASS")).body;
    assert!(over.contains("id=\"count\"") && over.contains("Black wins by"), "{over}");
    for query in ["size=99&vs=b", "size=9&handicap=x", "size=5&handicap=9"] {
        assert_eq!(ask(&site, "new", query).status, 400, "{query}");
    }
}

#[test]
fn a_folder_is_searched_and_sorted_and_mistakes_are_known_of_games_looked_at() {
    let site = site(Root::Folder(games()));
    let found = ask(&site, "folder", "find=13x13").body;
    assert!(found.contains("13x13-1.sgf") && !found.contains("9x9-1.sgf"));
    assert!(ask(&site, "folder", "find=%3Cscript%3E").body.contains("&lt;script&gt;"));
    let moves = ask(&site, "folder", "sort=moves").body;
    assert!(moves.find("13x13-1.sgf") < moves.find("9x9-2.sgf"), "the longest first");
    assert!(ask(&site, "thumb", "file=9x9-1.sgf").body.starts_with("<svg"));
    assert_eq!(ask(&site, "thumb", "file=..%2F..%2FCargo.toml").status, 400);
    for _ in 0..400 {
        if ask(&site, "mistake", "").body.contains("data-done") {
            break;
        }
    }
    let sorted = ask(&site, "folder", "sort=mistake").body;
    assert!(sorted.contains("class=\"mistake\"") && !sorted.contains("not looked at"));
}

#[test]
fn concepts_are_pages_and_their_links_stay_inside() {
    let site = site(Root::Empty(9));
    let help = ask(&site, "concept", "").body;
    assert!(help.matches("concept?name=").count() >= 16);
    for name in ["territory", "dragon", "judge", "net"] {
        let page = ask(&site, "concept", &format!("name={name}"));
        assert!(page.status == 200 && page.body.contains("<h1>") && !page.body.contains("]("), "{name}");
    }
    assert_eq!(ask(&site, "concept", "name=..%2Fx").status, 400);
}

#[test]
fn terms_are_explained_once_and_texts_around_them_are_escaped() {
    let told = super::html::explained("komi <b> 6.5, komi, critical");
    assert_eq!(told.matches("<abbr").count(), 2, "{told}");
    assert!(told.contains("&lt;b&gt;") && told.contains(">komi</abbr> &lt;b"));
}

#[test]
fn why_tells_the_causes_of_a_move_with_their_lines_and_what_cannot_be_played_says_so() {
    let site = site(Root::Record(games().join("13x13-1.sgf")));
    let page = ask(&site, "game", "node=79").body;
    assert!(page.contains("Black played N10.") && page.contains("at=N10&amp;why=1#facts"), "{page}");
    let asked = ask(&site, "game", "node=78&at=N10&why=1").body;
    assert!(
        asked.contains("id=\"why\" open") && asked.contains("data-href=\"why?node=78&amp;at=N10\""),
        "{asked}"
    );
    let causes = ask(&site, "why", "node=71&at=K6").body;
    for piece in ["White K6 loses", "against a pass", "against E12", "Show the line", "rest=WE12%2CBK6"] {
        assert!(causes.contains(piece), "{piece}: {causes}");
    }
    // The line that is to come stands on the board by numbers.
    let line = ask(&site, "game", "node=71&rest=WE12%2CBK6").body;
    assert!(line.contains(">1</text>"), "{line}");
    let whole = ask(&site, "why", "node=71&at=K6&whole=1").body;
    assert!(whole.contains("<title>Why?</title>"), "{whole}");
    for (query, says) in [("node=78&at=C7", "can&#39;t be played"), ("node=78", "no such vertex")] {
        let reply = ask(&site, "why", query);
        assert!(reply.body.contains(says), "{query}: {}", reply.body);
    }
}

/// The folder of a batch whose records are these.
fn batch(name: &str, records: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tengen-batch-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let line = |(n, (id, status)): (usize, &(&str, &str))| {
        format!("{{\"id\":\"{id}\",\"status\":\"{status}\",\"result\":{{\"n\":{n}}}}}\n")
    };
    let time = |(n, (id, _)): (usize, &(&str, &str))| format!("{{\"id\":\"{id}\",\"seconds\":{n}}}\n");
    let lines: String = records.iter().enumerate().map(line).collect();
    let times: String = records.iter().enumerate().map(time).collect();
    std::fs::write(folder.join("records.jsonl"), lines).expect("a file");
    std::fs::write(folder.join("timings.jsonl"), times).expect("a file");
    folder
}

#[test]
fn a_batch_is_sorted_and_tells_the_share_of_each_scene_that_failed() {
    let records = [
        ("a.ron#x/g.sgf@1", "ok"),
        ("a.ron#x/g.sgf@2", "failed"),
        ("a.ron#x/g.sgf@3", "error"),
        ("a.ron#x/g.sgf@4", "ok"),
        ("b.ron#y", "ok"),
    ];
    let folder = batch("shares", &records);
    let site = site(Root::Out(folder.clone()));
    let page = ask(&site, "", "").body;
    assert!(page.contains("<td>4</td><td>2</td>") && page.contains("50 %"), "{page}");
    assert!(!page.contains(">b.ron#y</a>"), "a scene of one record has no share: {page}");
    let place = |body: &str, id: &str| body.find(&format!("data-id=\"{id}\""));
    let ids = ["a.ron#x/g.sgf@1", "b.ron#y"];
    let by_time = ask(&site, "records", "sort=time").body;
    assert!(place(&by_time, ids[1]) < place(&by_time, ids[0]), "{by_time}");
    let by_name = ask(&site, "records", "sort=name").body;
    assert!(place(&by_name, ids[0]) < place(&by_name, ids[1]), "{by_name}");
    let result = ask(&site, "result", "id=a.ron%23x/g.sgf@3").body;
    assert!(result.contains("<th>n</th><td>2</td>"), "{result}");
    assert_eq!(ask(&site, "result", "id=nobody").status, 400);
    std::fs::remove_dir_all(&folder).expect("it was there");
}

#[test]
fn a_repetition_is_drawn_as_two_boards_with_an_arrow() {
    let site = chess("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1");
    let lines = ask(&site, "chess-lines", "try=d3c3,d5c5,c3d3,c5d5").body;
    assert!(lines.contains("id=\"again\"") && lines.matches("class=\"board\"").count() >= 2, "{lines}");
    let quiet = ask(&chess("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), "chess-lines", "").body;
    assert!(!quiet.contains("id=\"again\""), "{quiet}");
}
