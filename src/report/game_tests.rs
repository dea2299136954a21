//! Tests of the page of a game: the figures, and the sentences about the result.

use super::*;

/// A pass of this player with White's lead before and after it.
fn step(number: usize, color: Color, lead: [f32; 2], is_alone: bool) -> Step {
    let (sentences, deaths) = (Vec::new(), Vec::new());
    let loss = is_alone.then(|| mistakes::fall(color, lead[0], lead[1]).max(0.0));
    Step { node: number, number, color, at: Vertex::PASS, lead, is_alone, loss, sentences, deaths }
}

fn report(steps: Vec<Step>) -> GameReport {
    GameReport {
        name: "a".into(),
        heading: Heading::default(),
        size: 9,
        moves: steps.last().map_or(1, |step| step.number),
        steps,
        lost: Vec::new(),
        moments: Vec::new(),
        end: None,
        stopped: None,
    }
}

#[test]
fn mistakes_are_counted_only_where_each_move_was_judged() {
    let alone = |number, color, lead| step(number, color, lead, true);
    let counted = [alone(2, Color::White, [4.0, 1.0]), alone(3, Color::Black, [1.0, 0.5])];
    assert_eq!(report(counted.clone().into()).worst(), Some((2, 3.0)));
    let page = report(counted.into()).page();
    assert!(page.contains("<tr><th>White</th><td>1</td><td>1</td><td>0</td><td>0</td><td>3.0</td></tr>"));
    let jumped = [step(20, Color::White, [4.0, 1.0], false), alone(21, Color::Black, [1.0, 2.0])];
    for steps in [Vec::new(), jumped.into()] {
        let report = report(steps);
        assert_eq!(report.worst(), None);
        let page = report.page();
        assert!(page.contains("Not counted") && !page.contains("<th>mean</th>"), "{page}");
        assert!(!page.contains("-0.0"), "{page}");
    }
    let one_side = report(vec![alone(2, Color::White, [4.0, 1.0])]).page();
    assert!(one_side.contains("<tr><th>Black</th><td>0</td><td>0</td><td>0</td><td>0</td><td>–</td></tr>"));
}
