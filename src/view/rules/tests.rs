//! Tests of the viewer's pages of rulesheets: a watched rulesheet, and the reasons why moves are legal or not.

use crate::view::analysis_cache::AnalysisCache;
use crate::view::request::{Reply, Request};
use crate::view::site::{Root, Site};
use crate::view::table::Table;
use crate::view::watched::Watched;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tengen_go::Level;

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tengen-watch-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder.join("game.kif")
}

fn site(root: Root) -> Site {
    Site::new(root, AnalysisCache::new(None, Level::default()), None)
}

fn watched(path: &Path) -> Site {
    site(Root::Watched(Watched::open(path)))
}

fn ask(site: &Site, page: &str, query: &str) -> Reply {
    site.answer(&Request::new(page, query, None))
}

/// A heap of which one player takes, whose sizes of a take are given.
fn heap(takes: &str) -> String {
    format!(
        "(role you) (init (left 5)) (init (goes on)) {takes} (minus 5 1 4) (minus 5 2 3) (minus 4 1 3) (minus 4 2 2)
(minus 3 1 2) (minus 3 2 1) (minus 2 1 1) (minus 2 2 0) (minus 1 1 0) (minus 5 3 2) (minus 3 3 0) (minus 4 3 1)
(<= (legal you (take ?n)) (may ?n) (true (left ?h)) (minus ?h ?n ?r))
(<= (next (left ?r)) (does you (take ?n)) (true (left ?h)) (minus ?h ?n ?r))
(<= terminal (true (left 0)))
(goal you 100)
"
    )
    .replace("(init (goes on))", "")
}

#[test]
fn moves_stay_as_far_as_they_are_legal_when_the_rules_are_saved_anew() {
    let path = scratch("kept");
    fs::write(&path, heap("(may 1) (may 2)")).expect("a file");
    let site = watched(&path);
    assert_eq!(ask(&site, "changes", "").body, "1\n");
    // Take 2, then 1: places in the lists of legal moves.
    let page = ask(&site, "play", "moves=1,0&v=1");
    assert!(page.body.contains("data-version=\"1\"") && page.body.contains("(left 2)"), "{}", page.body);
    // A move more at the front of the list: the same moves have other places.
    fs::write(&path, heap("(may 0) (may 1) (may 2) (minus 5 0 5) (minus 3 0 3)")).expect("a file");
    assert_eq!(ask(&site, "changes", "").body, "2\n");
    let page = ask(&site, "play", "moves=1,0&v=1");
    assert!(
        page.body.contains("(left 2)")
            && (page.body.contains("moves=2,1") || page.body.contains("moves=2%2C1")),
        "{}",
        page.body
    );
    assert!(!page.body.contains("moves are kept"));
    // No take of one any more.
    fs::write(&path, heap("(may 2) (may 3)")).expect("a file");
    assert_eq!(ask(&site, "changes", "").body, "3\n");
    let page = ask(&site, "play", "moves=2,1&v=2");
    assert!(page.body.contains("1 of 2 moves are kept") && page.body.contains("(left 3)"), "{}", page.body);
    // The same bytes are no new version.
    fs::write(&path, heap("(may 2) (may 3)")).expect("a file");
    assert_eq!(ask(&site, "changes", "").body, "3\n");
    drop(fs::remove_dir_all(path.parent().expect("a folder")));
}

#[test]
fn a_state_without_a_board_is_a_list_of_its_facts() {
    let path = scratch("facts");
    fs::write(&path, heap("(may 1) (may 2)")).expect("a file");
    let site = watched(&path);
    for (query, fact) in [("", "(left 5)"), ("moves=1&v=1", "(left 3)")] {
        let page = ask(&site, "play", query).body;
        let list =
            format!("<h3>1 fact</h3><ul class=\"plain\" id=\"stands\"><li><code>{fact}</code></li></ul>");
        assert!(page.contains(&list), "{page}");
    }
    drop(fs::remove_dir_all(path.parent().expect("a folder")));
}

#[test]
fn half_written_rules_leave_the_last_good_ones_and_say_what_is_wrong() {
    let path = scratch("half");
    fs::write(&path, "(role you").expect("a file");
    let site = watched(&path);
    let page = ask(&site, "", "");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("gdl-unclosed") && page.body.contains("data-version=\"1\""), "{}", page.body);
    let good = heap("(may 1) (may 2)");
    fs::write(&path, &good).expect("a file");
    assert_eq!(ask(&site, "changes", "").body, "2\n");
    assert!(ask(&site, "", "").body.contains("The rulesheet has no errors"));
    for (bytes, says) in [
        (good.as_bytes()[..good.len() - 20].to_vec(), "gdl-"),
        ([good.as_bytes(), b"; caf\xe9"].concat(), "gdl-encoding"),
        (good.replace("(minus ?h ?n ?r))", "(minsu ?h ?n ?r))").into_bytes(), "the nearest is `minus`"),
    ] {
        fs::write(&path, &bytes).expect("a file");
        ask(&site, "changes", "");
        let page = ask(&site, "play", "moves=1&v=2");
        assert!(page.status == 200 && page.body.contains(says), "{says}: {}", page.body);
    }
    fs::remove_file(&path).expect("it was there");
    ask(&site, "changes", "");
    assert!(ask(&site, "play", "moves=1&v=2").body.contains("there is no such file"));
    let utf16: Vec<u8> = [0xfeff].into_iter().chain(good.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    fs::write(&path, utf16).expect("a file");
    ask(&site, "changes", "");
    assert!(ask(&site, "play", "moves=1&v=2").body.contains("The rulesheet has no errors"));
    drop(fs::remove_dir_all(path.parent().expect("a folder")));
}

#[test]
fn a_page_says_why_a_move_is_legal_or_is_not() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("resources/gdl/noughts.kif");
    let table = Table::open(&path, &mut || false).expect("a good rulesheet");
    let site = site(Root::Rules(Arc::new(table)));
    let page = ask(&site, "play", "moves=0.0");
    assert!(
        page.body.contains("Not legal here: why?") && page.body.contains("title=\"Why is "),
        "{}",
        page.body
    );
    let role = |page: &Reply| {
        let at = page.body.find("data-role=\"").expect("a role") + "data-role=\"".len();
        page.body[at..].split('"').next().unwrap_or_default().to_owned()
    };
    let role = role(&page);
    let why = ask(&site, "play", &format!("moves=0.0&why={role}~(put+1+1)"));
    assert!(why.body.contains("id=\"reasons\"") && why.body.contains("is not legal"), "{}", why.body);
    assert!(why.body.contains("The rule in <span class=\"rule\""), "{}", why.body);
    for bad in ["nobody~(put+1+1)", &format!("{role}~(((")] {
        assert_eq!(ask(&site, "play", &format!("why={bad}")).status, 400, "{bad}");
    }
    assert_eq!(ask(&site, "play", "why=x").status, 200);
    assert_eq!(ask(&site, "changes", "").status, 404, "it is not watched");
}

#[test]
fn a_file_cut_anywhere_has_a_page() {
    let path = scratch("cut");
    let whole = include_str!("../../../scenes/gdl2/kuhnPoker.kif");
    fs::write(&path, whole).expect("a file");
    let site = watched(&path);
    for end in (0..whole.len()).step_by(17).chain([whole.len()]) {
        fs::write(&path, &whole[..end]).expect("a file");
        assert_eq!(ask(&site, "changes", "").status, 200, "{end}");
        let page = ask(&site, "play", "moves=0.0.0&v=1");
        assert!(page.status == 200 && page.body.contains("id=\"watch\""), "{end}: {}", page.body);
    }
    drop(fs::remove_dir_all(path.parent().expect("a folder")));
}

#[test]
fn the_role_random_moves_by_itself_and_percepts_are_told() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes/gdl2/montyHall.kif");
    let table = Table::open(&path, &mut || false).expect("a good rulesheet");
    let site = site(Root::Rules(Arc::new(table)));
    let first = ask(&site, "play", "pick=0.");
    let to = first.location.expect("random has moved");
    let place = |text: &str| -> Vec<String> {
        let moves = text.split("moves=").nth(1).unwrap_or_default().split('&').next().unwrap_or_default();
        moves.replace("%2C", ",").split(',').map(str::to_owned).collect()
    };
    let line = place(&to);
    // The candidate only waits while random opens a door, so that goes by itself, too.
    assert_eq!(line.len(), 2, "{to}");
    assert_eq!(ask(&site, "play", "pick=0.").location, Some(to), "the same move again");
    let page = ask(&site, "play", &format!("moves={}", line.join(",")));
    assert!(page.body.contains("candidate sees (opened ") && !page.body.contains("sees!"), "{}", page.body);
    assert!(!ask(&site, "play", "").body.contains("random moves"), "the candidate chooses as well");
    assert!(ask(&site, "play", "why=candidate~(choose+1)").body.contains("is legal"));
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes/gdl2/kuhnPoker.kif");
    let table = Table::open(&path, &mut || false).expect("a good rulesheet");
    let site = self::site(Root::Rules(Arc::new(table)));
    assert!(ask(&site, "play", "").body.contains("random moves"), "random deals alone");
    assert!(ask(&site, "play", "go=1").location.is_some_and(|to| to.contains("moves=0.0.")));
}
