//! Tests of reading, checking and formatting rulesheets.

use super::*;

const GOOD: &str =
    "(role r) (init a) (<= (legal r go) (true a)) (<= (next b) (true a)) (<= terminal (true b))
(<= (goal r 100) (true b))\n";

#[test]
fn a_good_rulesheet_has_no_faults() {
    assert_eq!(read(GOOD).1, []);
}

#[test]
fn each_fault_is_found_at_its_place() {
    let cases = [
        ("(<= (p ?x) (not (q ?x)))\n(q 1)", "2:5", "the variable `?x` is not bound"),
        ("(<= (p ?x) (q ?x) (distinct ?x ?y))\n(q 1)", "2:19", "the variable `?y` is not bound"),
        ("(p ?x)", "2:1", "the fact has the variable `?x`"),
        ("(<= p (not q)) (<= q p)", "2:12", "`q` depends on its own negation"),
        ("(p 1) (p 1 2)", "2:7", "`p` has 2 arguments here and 1 before"),
        ("(<= (true x) (p 1))", "2:5", "`true` must not be the head"),
        ("(<= (p ?x) (next ?x))", "2:12", "`next` must not stand in the body"),
        ("(role a b)", "2:1", "`role` takes one argument, not 2"),
        ("(<= (init a) (true b))", "2:14", "`init` must not depend on the state"),
        ("(p 1", "2:1", "this parenthesis is never closed"),
        ("(p 1))", "2:6", "this closing parenthesis opens nowhere"),
        ("(=> a b)", "2:1", "`=>` is not a keyword of GDL"),
        ("(<= (p ?x) (sees r ?x))", "2:12", "`sees` must not stand in the body"),
        ("(<= (legal r b) (not (does r a)))", "2:22", "`legal` must not depend on a move"),
        ("(<= (p ?x) (undefined ?x))", "2:12", "`undefined` stands in a body and nothing defines it"),
        ("(goal r 200)", "2:1", "the goal value `200` is not a number from 0 to 100"),
        ("()", "2:1", "this is not a rule or a fact: the list is empty"),
        ("(p \"x\")", "2:4", "`\"x\"` is not a word"),
    ];
    for (line, place, message) in cases {
        let text = format!("{}{line}", GOOD.replace('\n', " ") + "\n");
        let found: Vec<String> = read(&text).1.iter().map(|e| e.diagnostic(&text).to_string()).collect();
        assert!(
            found.iter().any(|d| d.starts_with(&format!("{place}: ")) && d.contains(message)),
            "{line}: wanted {place} {message}, found {found:#?}"
        );
    }
}

#[test]
fn several_faults_are_reported_at_once() {
    let (_, errors) = read("(role) (<= (p ?x) (q ?x) (next ?y)) (true x)");
    assert_eq!(errors.len(), 3, "{errors:?}");
}

#[test]
fn a_missing_parenthesis_does_not_swallow_the_next_rule() {
    let (sheet, errors) = read("(role r)\n(<= (legal r a) (true b)\n(<= terminal (true b))\n");
    assert_eq!(errors.len(), 1);
    assert_eq!(sheet.rules.len(), 2);
}

#[test]
fn a_variable_bound_in_every_branch_of_an_or_is_safe() {
    let text = format!("{GOOD} (<= (p ?x) (or (q ?x) (and (s ?x) (distinct ?x 1)))) (q 1) (s 1)");
    assert_eq!(read(&text).1, []);
}

#[test]
fn rules_of_one_relation_are_told_apart_by_their_constants() {
    let text = format!("{GOOD} (<= (goal ?p 0) (role ?p) (not (goal ?p 100)))");
    assert_eq!(read(&text).1, []);
}

#[test]
fn a_rulesheet_is_written_in_one_style_with_its_comments_in_their_places() {
    let text = "; head\r\n(role R)   ; same line\n\n\n(num 1)(num 2)\n(<= (p ?x)\n ; inside\n (q ?x) ; behind\n (or (not (q 1))
        (distinct ?x (f 2))) ; last\n)\n(<= terminal   (q\n1))\n(q (f)) ;end";
    let wanted =
        "; head\n(role r) ; same line\n\n(num 1)\n(num 2)\n(<= (p ?x)\n    ; inside\n    (q ?x) ; behind
    (or (not (q 1)) (distinct ?x (f 2))) ; last\n)\n(<= terminal (q 1))\n(q (f)) ;end\n";
    let once = print::format(text).unwrap();
    assert_eq!(once, wanted);
    assert_eq!(print::format(&once).unwrap(), once);
}

#[test]
fn long_lists_are_broken_and_odd_comments_stay() {
    let long: String = (0..30).map(|n| format!(" (cell {n} {n})")).collect();
    let texts = [
        format!("(<= terminal (or{long}))"),
        format!("(p{long})"),
        "(; first\n<= ; second\n terminal\n\n ; third\n (p 1) ; fourth\n ; fifth\n)".into(),
        "(<= (p ?x) (q ?x (; c\n f 1)))".into(),
        "; only".into(),
        "\n\n".into(),
        String::new(),
    ];
    for text in texts {
        let once = print::format(&text).unwrap();
        assert_eq!(print::format(&once).unwrap(), once, "{text}");
        let words = |text: &str| {
            sexp::read(text).0.iter().map(|item| format!("{:?}", item_words(item))).collect::<Vec<_>>()
        };
        assert_eq!(words(&once), words(&text));
        assert_eq!(once.matches(';').count(), text.matches(';').count());
    }
    assert!(print::format("(p 1").is_err());
}

/// A list without places.
fn item_words(item: &sexp::Sexp) -> Vec<String> {
    match item {
        sexp::Sexp::Word(word, _) => vec![word.clone()],
        sexp::Sexp::List(parts, _) => {
            let inner = parts.iter().flat_map(item_words);
            std::iter::once("(".to_owned()).chain(inner).chain([")".to_owned()]).collect()
        }
    }
}

#[test]
fn deep_nesting_and_odd_bytes_are_errors_and_never_panics() {
    for text in
        ["(".repeat(100_000), ")".repeat(1000), "\u{0}\u{1}((\u{7f}".into(), "(p ä)".into(), "?".into()]
    {
        let _ = read(&text);
    }
    assert!(read(&"(".repeat(100_000)).1.iter().any(|e| e.fault == Fault::TooDeep));
}
