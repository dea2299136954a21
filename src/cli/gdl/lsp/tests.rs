//! Tests of the language server: protocol errors, damaged texts, and formatting of a range.

use super::*;
use lsp_types::{Position, Range};

const NOUGHTS: &str = include_str!("../../../../resources/gdl/noughts.kif");

fn request(id: i32, method: &str, params: Value) -> Incoming {
    Incoming::Message(Request::new(id.into(), method.into(), params).into())
}

fn notification(method: &str, params: Value) -> Incoming {
    Incoming::Message(Notification { method: method.into(), params }.into())
}

/// The server's replies to these messages, all of which wait at the start.
fn said(messages: Vec<Incoming>) -> Vec<Value> {
    let (sender, events) = channel();
    messages.into_iter().for_each(|m| sender.send(Event::Incoming(m)).unwrap());
    sender.send(Event::End).unwrap();
    let mut said = Vec::new();
    Server::new(sender)
        .serve(&events, &mut |message| {
            said.push(serde_json::to_value(message).unwrap());
            Ok(())
        })
        .unwrap();
    said
}

fn opened(text: &str) -> Incoming {
    let document = json!({"uri": "file:///a.kif", "languageId": "gdl", "version": 1, "text": text});
    notification("textDocument/didOpen", json!({"textDocument": document}))
}

#[test]
fn early_late_cancelled_and_unknown_questions_get_the_errors_of_the_protocol() {
    let place = json!({"textDocument": {"uri": "file:///a.kif"}, "position": {"line": 0, "character": 2}});
    let found = said(vec![
        request(1, "textDocument/hover", place.clone()),
        request(2, "initialize", json!({})),
        opened("(role a)"),
        request(3, "textDocument/hover", place.clone()),
        request(4, "textDocument/hover", json!({"textDocument": 7})),
        request(5, "textDocument/inlayHint", json!(null)),
        Incoming::Broken("not a message".into()),
        request(6, "textDocument/hover", place.clone()),
        request(7, "initialize", json!({})),
        notification("textDocument/didChange", json!({"nonsense": true})),
        notification("$/cancelRequest", json!({"id": 3})),
        request(8, "shutdown", json!(null)),
        request(9, "textDocument/hover", place),
        notification("exit", json!(null)),
    ]);
    let answers: Vec<(i64, i64)> = found
        .iter()
        .filter_map(|m| Some((m["id"].as_i64()?, m["error"]["code"].as_i64().unwrap_or(0))))
        .collect();
    let wanted = [
        (1, -32002),
        (2, 0),
        (3, -32800),
        (4, -32602),
        (5, -32601),
        (6, 0),
        (7, -32600),
        (8, 0),
        (9, -32600),
    ];
    assert_eq!(answers, wanted);
}

#[test]
fn a_text_cut_at_any_byte_is_answered() {
    for end in (0..=NOUGHTS.len()).filter(|&n| NOUGHTS.is_char_boundary(n)).step_by(3) {
        let mut document = Document::new(NOUGHTS[..end].into(), 1);
        let at = document.position(end);
        let _ = answers::diagnostics(&mut document, &[]);
        let _ = answers::hover(&mut document, at);
        let _ = answers::definitions(&mut document, at);
        let _ = answers::references(&mut document, at, true);
        let _ = answers::rename(&mut document, at, "other");
        let _ = answers::symbols(&mut document);
        let _ = answers::completions(&mut document, at);
        let _ = answers::format(&document, None);
        let _ = answers::format(&document, Some(Range::new(Position::new(0, 0), at)));
    }
}

#[test]
fn odd_texts_are_answered() {
    let texts = [
        "(p 1)\n".repeat((10 << 20) / 6),
        "\u{0}\u{feff}(p \u{1f600} ä)\u{1a}".into(),
        "(".repeat(100_000),
        ")".repeat(1000),
        "\r\r\n\n;".into(),
    ];
    for text in texts {
        let found = said(vec![
            request(1, "initialize", json!({})),
            opened(&text),
            request(
                2,
                "textDocument/hover",
                json!({"textDocument": {"uri": "file:///a.kif"}, "position": {"line": 0, "character": 1}}),
            ),
            request(
                3,
                "textDocument/formatting",
                json!({"textDocument": {"uri": "file:///a.kif"}, "options": {"tabSize": 4, "insertSpaces": true}}),
            ),
        ]);
        let ids: Vec<i64> = found.iter().filter_map(|m| m["id"].as_i64()).collect();
        assert_eq!(ids, [1, 2, 3]);
        let published = found.iter().find(|m| m["method"] == "textDocument/publishDiagnostics");
        assert!(published.is_some_and(|m| !m["params"]["diagnostics"].as_array().unwrap().is_empty()));
    }
}

#[test]
fn a_range_is_formatted_where_it_holds_whole_rules() {
    let document = Document::new("(role   a)\n(p   1)\n(<= (q ?x)\n (p   ?x))\n".into(), 1);
    let range = |a: u32, b: u32| Some(Range::new(Position::new(a, 0), Position::new(b, 0)));
    let edits = answers::format(&document, range(1, 2));
    assert_eq!(edits.iter().map(|e| e.new_text.as_str()).collect::<Vec<_>>(), ["(p 1)\n"]);
    assert_eq!(answers::format(&document, range(2, 3)), []);
    assert_eq!(answers::format(&document, None)[0].new_text, "(role a)\n(p 1)\n(<= (q ?x) (p ?x))\n");
}
