use super::desk::Desk;
use super::site::{Reply, Request, Root, Site};
use std::path::PathBuf;
use tengen_go::Level;

fn games() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes/go/games")
}

fn ask(site: &Site, page: &str, query: &str) -> Reply {
    site.answer(&Request::new(page, query, None))
}

#[test]
fn a_folder_lists_its_records_and_opens_no_other_file() {
    let site = Site { root: Root::Folder(games()), desk: Desk::new(None, Level::default()), patterns: None };
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
    let site = Site {
        root: Root::Record(games().join("9x9-1.sgf")),
        desk: Desk::new(None, Level::default()),
        patterns: None,
    };
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
    let site = Site {
        root: Root::Record(games().join("9x9-1.sgf")),
        desk: Desk::new(None, Level::default()),
        patterns: None,
    };
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
