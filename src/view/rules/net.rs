//! The page of the net in a state: its levels and values, and the propagation of a move step by step under each scheme.
//! The page also shows the rules, and for each rule its part of the net.

use super::look::{Look, spelled_picks};
use crate::number_text::counted;
use crate::view::html::{link, page as whole};
use crate::view::request::{Reply, Request};
use crate::view::site::Site;
use crate::view::table::Joint;
use std::fmt::Write as _;
use std::sync::Arc;
use tengen_propnet::inspect::{Inspection, Kind, Part, Rule};
use tengen_propnet::propagate::watch::Visits;
use tengen_propnet::propagate::{Topology, added, by_name};
use tengen_render::escape;
use tengen_render::net::{Change, Gate, draw};

/// Parts that are drawn at once.
const DRAWN: usize = 240;
/// Levels of a net that is folded by rule.
const LONGEST: usize = 24;
/// Parts of a rule that are shown before the rest is unfolded.
const FIRST: usize = 3;
/// Parts that a list shows.
const LISTED: usize = 200;

/// The values of all parts, and the marks of a picture.
struct Shown {
    values: Vec<bool>,
    /// The values before, where a move runs.
    before: Option<Vec<bool>>,
    current: Option<usize>,
}

/// The page of the net.
pub(in crate::view) fn page(site: &Site, request: &Request) -> Reply {
    Look::read(site, request).and_then(|look| net(&look)).unwrap_or_else(|fault| Reply::fault(&fault))
}

fn net(look: &Look) -> Result<Reply, String> {
    let (topology, inspection, _) = parts(look)?;
    let facts = look.state.facts_in(topology.numbering).map_err(|e| e.to_string())?;
    let still = topology.evaluate(facts, &[]);
    let mut shown = Shown { values: inspection.values(&still), before: None, current: None };
    let mut told = String::new();
    if let Some(joint) = look.chosen() {
        let ids: Vec<u32> = joint.iter().zip(&look.legal).map(|(&place, legal)| legal[place].1).collect();
        told = running(look, topology, inspection, (&ids, &joint), &still, &mut shown)?;
    } else {
        told += &choices(look);
    }
    let focus = match look.part {
        Some(part) if part < inspection.parts.len() => Some(part),
        Some(part) => return Err(format!("the net has no part {part}")),
        None => None,
    };
    let pictured = match look.rule.as_str() {
        "" => picture(look, inspection, &shown, focus),
        "all" => rules_folded(look, &shown),
        text => {
            let rule = text.parse::<usize>().ok().and_then(|n| look.table.net.as_ref()?.1.get(n));
            let rule = rule.ok_or_else(|| format!("the rulesheet has no rule {text}"))?;
            of_rule(look, inspection, &shown, rule)
        }
    };
    let pictured = zoom_bar(look) + &pictured;
    let body = format!(
        "<nav>{}{}{}{}</nav><main><div class=\"boards\">{}{}</div><div class=\"panel\">{told}{}{}{}</div></main>\
         <div id=\"picture\" class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"The net\">{}</div>",
        link(&format!("play?{}", look.query(&[("pick", "")])), "the board", "board"),
        link(&format!("rules?{}", look.query(&[("pick", "")])), "the rules", "rules"),
        link(&format!("net?{}", keep(look, &[("part", "")])), "the whole net", "whole"),
        link(&format!("net?{}", keep(look, &[("part", ""), ("rule", "all")])), "folded by rule", "fold"),
        look.navigation("net"),
        levels(inspection, &shown),
        in_every_state(look),
        focus.map_or_else(String::new, |part| about(look, inspection, &shown, part)),
        find(look, inspection),
        pictured,
    );
    Ok(Reply::html(whole(&format!("The net of {}", look.title()), &body)))
}

/// What is proved of the net in every state.
fn in_every_state(look: &Look) -> String {
    let facts: String = look.table.facts().iter().map(|fact| format!("<li>{}</li>", escape(fact))).collect();
    if facts.is_empty() {
        return facts;
    }
    format!("<details class=\"facts\"><summary>What holds in every state</summary><ul>{facts}</ul></details>")
}

type Parts<'a> = (&'a Arc<Topology>, &'a Inspection, &'a [Rule]);

fn parts(look: &Look) -> Result<Parts<'_>, String> {
    match (&look.table.game.topology, &look.table.net) {
        (Ok(topology), Some((inspection, rules))) => Ok((topology, inspection, rules)),
        (Err(why), _) => Err(format!("the game has no net: {why}")),
        (Ok(_), None) => Err("the game has no net".into()),
    }
}

/// The query of a page of the net, which keeps the chosen and the selected part.
fn keep(look: &Look, changes: &[(&str, &str)]) -> String {
    let part = look.part.map_or_else(String::new, |p| p.to_string());
    let zoom = if look.zoom == 100 { String::new() } else { look.zoom.to_string() };
    let mut all = vec![("part", part.as_str()), ("scheme", look.scheme.as_str()), ("zoom", zoom.as_str())];
    all.retain(|(name, _)| !changes.iter().any(|c| c.0 == *name));
    all.extend_from_slice(changes);
    look.query(&all)
}

/// The legal moves of each role, to choose a move that runs through the net.
fn choices(look: &Look) -> String {
    let mut out = String::from("<h3>Let a move run through the net</h3>");
    if look.described.terminal {
        return out + "<p>The game is over: no role has a move.</p>";
    }
    for (role, name) in look.roles.iter().enumerate() {
        let _ = write!(out, "<details open><summary>{}</summary><nav class=\"choose\">", escape(name));
        for (place, (text, _)) in look.legal[role].iter().enumerate().take(LISTED) {
            let mut picks = look.picks.clone();
            picks[role] = Some(place);
            let class = if look.picks[role] == Some(place) { "move on" } else { "move" };
            out += &link(&format!("net?{}", keep(look, &[("pick", &spelled_picks(&picks))])), text, class);
        }
        out += "</nav></details>";
    }
    out
}

/// A move that runs: the work of each scheme, the steps of the chosen one, and the flipped parts.
fn running(
    look: &Look,
    topology: &Arc<Topology>,
    inspection: &Inspection,
    (ids, joint): (&[u32], &Joint),
    still: &[bool],
    shown: &mut Shown,
) -> Result<String, String> {
    let facts = look.state.facts_in(topology.numbering).map_err(|e| e.to_string())?;
    let scheme = if look.scheme.is_empty() { "differential" } else { look.scheme.as_str() };
    let names = added::names();
    if !names.contains(&scheme) {
        return Err(format!("there is no scheme `{scheme}`; there are {}", names.join(", ")));
    }
    let mut out = format!(
        "<h3>{} {}</h3><table id=\"schemes\"><tr><th>scheme</th><th>parts worked on</th><th>changes</th></tr>",
        escape(&text_of(look, joint)),
        link(&format!("net?{}", keep(look, &[("pick", "")])), "another move", "unpick"),
    );
    let mut of_scheme = Visits::default();
    let mut next = facts.clone();
    for name in added::names() {
        let mut propagator = by_name(name, topology).ok_or("a scheme of the list is missing")?;
        propagator.enter(facts);
        propagator.watch();
        propagator.advance(ids);
        propagator.terminal();
        for role in 0..look.roles.len() {
            propagator.legal(role);
        }
        let visits = propagator.visits();
        let class = if name == scheme { " class=\"on\"" } else { "" };
        let _ = write!(
            out,
            "<tr data-scheme=\"{name}\"{class}><td>{}</td><td>{}</td><td>{}</td></tr>",
            link(&format!("net?{}", keep(look, &[("scheme", name)])), name, "scheme"),
            visits.count,
            flips(&visits, still),
        );
        if name == scheme {
            next.clone_from(propagator.state());
            of_scheme = visits;
        }
    }
    out += "</table><p class=\"hint\">From the state, through the move, to the next state, with legal moves and the end asked \
            for. Backward propagation asks anew in each state: a part may be worked on again without a change.</p>";
    out += &steps(look, &of_scheme, inspection, still, shown);
    let (with, after) = (topology.evaluate(facts, ids), topology.evaluate(&next, &[]));
    out += &flipped(look, inspection, [still, &with, &after]);
    Ok(out)
}

/// A joint move of this state as people write it.
fn text_of(look: &Look, joint: &Joint) -> String {
    let moves = look.roles.iter().zip(joint).zip(&look.legal);
    let one = |((role, &place), legal): ((&String, &usize), &Vec<(String, u32)>)| {
        format!("{role} {}", legal.get(place).map_or("?", |m| m.0.as_str()))
    };
    moves.map(one).collect::<Vec<_>>().join(", ")
}

/// The number of visits that found another value than the part had.
fn flips(visits: &Visits, still: &[bool]) -> usize {
    let mut values = still.to_vec();
    visits.first.iter().filter(|v| std::mem::replace(&mut values[v.node], v.value) != v.value).count()
}

/// The steps of a scheme: where one stands, and the way on; the picture shows the values after that step.
fn steps(look: &Look, visits: &Visits, inspection: &Inspection, still: &[bool], shown: &mut Shown) -> String {
    let last = visits.first.len();
    let at = look.step.min(last);
    let mut values = still.to_vec();
    for visit in &visits.first[..at] {
        values[visit.node] = visit.value;
    }
    shown.before = Some(inspection.values(still));
    shown.values = inspection.values(&values);
    shown.current = at.checked_sub(1).map(|n| visits.first[n].node);
    let to = |step: usize| format!("net?{}", keep(look, &[("step", &step.to_string())]));
    let one = |step: Option<usize>, text: &str, class: &str| {
        step.map_or_else(String::new, |step| link(&to(step), text, class))
    };
    let now = shown.current.map_or_else(
        || "the state before the move".to_owned(),
        |part| format!("{} is {}", inspection.parts[part].label, shown.values[part]),
    );
    let cut =
        if visits.count > last { format!(", the first {last} of {}", visits.count) } else { String::new() };
    format!(
        "<p id=\"step\" data-step=\"{at}\">Step {at} of {last}{cut}: {}</p><nav id=\"steps\">{}{}{}{}</nav>",
        escape(&now),
        one(Some(0), "before", "step-first"),
        one(at.checked_sub(1), "a step back", "step-back"),
        one((at < last).then_some(at + 1), "a step on", "step-on"),
        one(Some(last), "to the end", "step-end"),
    )
}

/// The flipped parts: their values differ between the state, the state with the move, and the next state.
fn flipped(look: &Look, inspection: &Inspection, nodes: [&[bool]; 3]) -> String {
    let values = nodes.map(|n| inspection.values(n));
    let differs = |&n: &usize| values[0][n] != values[1][n] || values[0][n] != values[2][n];
    let changed: Vec<usize> = (0..inspection.parts.len()).filter(differs).collect();
    let word = |value: bool| if value { "true" } else { "false" };
    let mut out = format!(
        "<details id=\"flipped\"><summary>What the move flips: {} of {}</summary><table id=\"flips\"><tr><th>level</th><th>part</th><th>before</th>\
         <th>with the move</th><th>next state</th></tr>",
        changed.len(),
        counted("part", inspection.parts.len())
    );
    for &n in changed.iter().take(LISTED) {
        let part = &inspection.parts[n];
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            part.level,
            of_part(look, part, n),
            word(values[0][n]),
            word(values[1][n]),
            word(values[2][n])
        );
    }
    out += "</table>";
    if changed.len() > LISTED {
        let _ = write!(out, "<p>{} more.</p>", changed.len() - LISTED);
    }
    out + "</details>"
}

fn of_part(look: &Look, part: &Part, number: usize) -> String {
    let is_gate = matches!(part.kind, Kind::And | Kind::Or);
    let text = if is_gate { format!("{} {number}", part.label) } else { part.label.clone() };
    link(&format!("net?{}", keep(look, &[("part", &number.to_string())])), &text, "part")
}

/// The levels: the number of parts of each, and of true parts.
fn levels(inspection: &Inspection, shown: &Shown) -> String {
    let most = inspection.parts.iter().map(|p| p.level).max().unwrap_or(0);
    let mut counts = vec![[0_usize; 4]; most + 1];
    for (part, &value) in inspection.parts.iter().zip(&shown.values) {
        let is_gate = matches!(part.kind, Kind::And | Kind::Or);
        let count = &mut counts[part.level];
        count[usize::from(!is_gate) * 2] += 1;
        count[usize::from(!is_gate) * 2 + 1] += usize::from(value);
    }
    let mut out = String::from(
        "<details id=\"by-level\"><summary>Parts by level</summary><table id=\"levels\"><tr><th>level</th><th>gates</th><th>true</th><th>propositions</th>\
         <th>true</th></tr>",
    );
    for (level, count) in counts.iter().enumerate() {
        let cells: String = count.iter().map(|n| format!("<td>{n}</td>")).collect();
        let _ = write!(out, "<tr><td>{level}</td>{cells}</tr>");
    }
    out + "</table></details>"
}

/// A part: its value, its inputs, its readers, and the rules that concern it.
fn about(look: &Look, inspection: &Inspection, shown: &Shown, number: usize) -> String {
    let part = &inspection.parts[number];
    let value = |n: usize| if shown.values[n] { "true" } else { "false" };
    let mut out = format!(
        "<section id=\"part\"><h3>{} ({:?}, level {}) is {}</h3><p>reads: ",
        escape(&part.label),
        part.kind,
        part.level,
        value(number)
    );
    for &(read, inverse) in part.reads.iter().take(LISTED) {
        let not = if inverse { "not " } else { "" };
        let _ = write!(out, "{not}{} ({}) ", of_part(look, &inspection.parts[read], read), value(read));
    }
    out += "</p><p>read by: ";
    for &reader in inspection.read_by[number].iter().take(LISTED) {
        let _ = write!(out, "{} ({}) ", of_part(look, &inspection.parts[reader], reader), value(reader));
    }
    out += "</p><p>rules: ";
    for (n, rule) in look.table.net.iter().flat_map(|net| net.1.iter().enumerate()) {
        let how = match (rule.derives.contains(&number), rule.reads.contains(&number)) {
            (true, _) => "derived by",
            (_, true) => "read by",
            _ => continue,
        };
        let line = line_of(look, rule);
        let _ = write!(
            out,
            "{how} {} ",
            link(&format!("rules?{}#r{n}", look.query(&[])), &format!("line {line}"), "rule")
        );
    }
    let _ = write!(
        out,
        "</p>{}</section>",
        if matches!(part.kind, Kind::And | Kind::Or) {
            "<p class=\"hint\">The passes over the net share gates among rules, so a gate bears no rule's name: follow what reads it.</p>"
        } else {
            ""
        }
    );
    out
}

/// All named parts, to look at one.
fn find(look: &Look, inspection: &Inspection) -> String {
    let mut out = String::from("<details><summary>Propositions by name</summary><nav>");
    let is_named = |part: &&(usize, &Part)| !matches!(part.1.kind, Kind::And | Kind::Or | Kind::Constant);
    let all: Vec<(usize, &Part)> = inspection.parts.iter().enumerate().collect();
    let named: Vec<_> = all.iter().filter(is_named).collect();
    for (number, part) in named.iter().take(LISTED * 3) {
        out += &of_part(look, part, *number);
    }
    if named.len() > LISTED * 3 {
        let _ = write!(out, " and {} more", named.len() - LISTED * 3);
    }
    out + "</nav></details>"
}

/// The net, or the neighbourhood of the selected part if the net is too large to draw.
fn picture(look: &Look, inspection: &Inspection, shown: &Shown, focus: Option<usize>) -> String {
    let count = inspection.parts.len();
    let centre = focus.or(shown.current).or_else(|| inspection.named("terminal"));
    let drawn: Vec<usize> = match (focus, centre) {
        (None, _) if count <= DRAWN => (0..count).collect(),
        (_, Some(centre)) => inspection.around(centre, DRAWN),
        _ => (0..count.min(DRAWN)).collect(),
    };
    let of = if drawn.len() < count {
        format!("{} of {count} parts: what is nearest to the one looked at", drawn.len())
    } else {
        format!("all {count} parts")
    };
    parts_drawn(look, inspection, shown, &drawn, focus, &of)
}

/// Sizes of the picture in percent.
const ZOOMS: [usize; 6] = [50, 75, 100, 150, 200, 300];

/// The ways to a smaller and a larger picture.
fn zoom_bar(look: &Look) -> String {
    let to = |percent: Option<&usize>, words: &str, class: &str| {
        percent.map_or_else(String::new, |percent| {
            let changes =
                [("zoom", percent.to_string()), ("rule", look.rule.clone()), ("step", step_text(look))];
            let changes: Vec<(&str, &str)> =
                changes.iter().map(|(name, value)| (*name, value.as_str())).collect();
            link(&format!("net?{}", keep(look, &changes)), words, class)
        })
    };
    let smaller = ZOOMS.iter().rev().find(|&&zoom| zoom < look.zoom);
    let larger = ZOOMS.iter().find(|&&zoom| zoom > look.zoom);
    format!(
        "<nav id=\"zoom\" aria-label=\"Size of the picture\">{}{} <span class=\"soft\">{} %</span></nav>",
        to(smaller, "− smaller", "smaller"),
        to(larger, "+ larger", "larger"),
        look.zoom
    )
}

/// Parts as a picture; a click leads to one.
fn parts_drawn(
    look: &Look,
    inspection: &Inspection,
    shown: &Shown,
    drawn: &[usize],
    focus: Option<usize>,
    words: &str,
) -> String {
    let change = |n: usize| match shown.before.as_ref().map(|b| (b[n], shown.values[n])) {
        Some((false, true)) => Change::Rose,
        Some((true, false)) => Change::Fell,
        _ => Change::None,
    };
    let gates: Vec<Gate> = drawn
        .iter()
        .map(|&n| {
            let part = &inspection.parts[n];
            let place =
                |&(read, inverse): &(usize, bool)| drawn.binary_search(&read).ok().map(|i| (i, inverse));
            Gate {
                label: part.label.clone(),
                name: n.to_string(),
                is_true: shown.values[n],
                change: change(n),
                is_current: shown.current == Some(n) || focus == Some(n),
                level: part.level,
                inputs: part.reads.iter().filter_map(place).collect(),
            }
        })
        .collect();
    let follow = format!("net?{}&part=", keep(look, &[("part", ""), ("step", &step_text(look))]));
    format!(
        "<figure><div id=\"facts\" data-follow=\"{}\">{}</div><figcaption>{words}; click on one to look at it</figcaption></figure>",
        escape(&follow),
        draw("The net", &gates, look.zoom)
    )
}

/// A box for each rule, a wire to each rule that asks for its head. A click unfolds one.
fn rules_folded(look: &Look, shown: &Shown) -> String {
    let Some((_, rules)) = &look.table.net else { return String::new() };
    let mut levels = vec![0_usize; rules.len()];
    // Rules may ask for themselves in a circle: a level for each rule is enough.
    for _ in 0..rules.len().min(LONGEST) {
        for (n, rule) in rules.iter().enumerate() {
            for &user in rule.used_by.iter().filter(|&&user| user != n) {
                levels[user] = levels[user].max(levels[n] + 1).min(LONGEST);
            }
        }
    }
    let gate = |(n, rule): (usize, &Rule)| {
        let text = look.table.text.get(rule.span.clone()).unwrap_or_default();
        let head = text.trim_start_matches("(<=").trim_start().trim_start_matches('(');
        let head = head.split([' ', ')', '\n']).next().unwrap_or_default();
        let is_true = |list: &[usize]| list.iter().filter(|&&part| shown.values[part]).count();
        let count = if rule.derives.is_empty() {
            String::new()
        } else {
            format!(" ({} of {})", is_true(&rule.derives), rule.derives.len())
        };
        let users = rules.iter().enumerate().filter(|(from, other)| *from != n && other.used_by.contains(&n));
        Gate {
            label: format!("{} {head}{count}", line_of(look, rule)),
            name: n.to_string(),
            is_true: is_true(&rule.derives) > 0,
            level: levels[n],
            inputs: users.map(|(from, _)| (from, false)).collect(),
            ..Gate::default()
        }
    };
    let gates: Vec<Gate> = rules.iter().enumerate().map(gate).collect();
    let follow = format!("net?{}&rule=", keep(look, &[("part", "")]));
    format!(
        "<figure><div id=\"facts\" data-follow=\"{}\">{}</div><figcaption>{}, each with its line, its head and how many of the \
         parts that it derives are true; click on one to unfold it</figcaption></figure>",
        escape(&follow),
        draw("The net, folded by rule", &gates, look.zoom),
        counted("rule", rules.len())
    )
}

/// The parts of one rule: the derived outputs, and everything that they read.
fn of_rule(look: &Look, inspection: &Inspection, shown: &Shown, rule: &Rule) -> String {
    let mut drawn: Vec<usize> = rule.derives.iter().chain(&rule.reads).copied().take(DRAWN).collect();
    let mut next = 0;
    let is_derived: Vec<usize> = rule.derives.clone();
    while next < drawn.len() && drawn.len() < DRAWN {
        let part = drawn[next];
        next += 1;
        let is_gate = matches!(inspection.parts[part].kind, Kind::And | Kind::Or);
        if is_gate || is_derived.contains(&part) {
            for &(read, _) in &inspection.parts[part].reads {
                if !drawn.contains(&read) {
                    drawn.push(read);
                }
            }
        }
    }
    drawn.sort_unstable();
    drawn.dedup();
    let text = look.table.text.get(rule.span.clone()).unwrap_or_default();
    let words = format!("the {} of the rule in line {}", counted("part", drawn.len()), line_of(look, rule));
    format!("<pre>{}</pre>", escape(text)) + &parts_drawn(look, inspection, shown, &drawn, None, &words)
}

fn step_text(look: &Look) -> String {
    if look.step == usize::MAX { String::new() } else { look.step.to_string() }
}

fn line_of(look: &Look, rule: &Rule) -> usize {
    look.table.text[..rule.span.start.min(look.table.text.len())].matches('\n').count() + 1
}

/// The page of the rules: each with the parts of the net it derives and reads.
pub(in crate::view) fn rules_page(site: &Site, request: &Request) -> Reply {
    Look::read(site, request).map_or_else(
        |fault| Reply::fault(&fault),
        |look| {
            let body = rules(&look);
            Reply::html(whole(&format!("The rules of {}", look.title()), &body))
        },
    )
}

fn rules(look: &Look) -> String {
    let mut out = format!("<nav>{}", link(&format!("play?{}", look.query(&[])), "the board", "board"));
    let Ok((_, inspection, rules)) = parts(look) else {
        let text = escape(&look.table.text);
        return out + "</nav><p>This game has no net.</p><pre id=\"rules\">" + &text + "</pre>";
    };
    out += &link(&format!("net?{}", look.query(&[])), "the net", "net");
    out += "</nav><table id=\"rules\"><tr><th>line</th><th>rule</th><th>parts of the net</th></tr>";
    for (n, rule) in rules.iter().enumerate() {
        let text = look.table.text.get(rule.span.clone()).unwrap_or_default();
        let mut told = String::new();
        for (what, list) in [("derives", &rule.derives), ("reads", &rule.reads)] {
            if list.is_empty() {
                continue;
            }
            let shown = |from: usize, most: usize| {
                let parts = list.iter().skip(from).take(most);
                parts.map(|&p| of_part(look, &inspection.parts[p], p)).collect::<Vec<_>>().join(" ")
            };
            let _ = write!(told, "<p>{what} {}</p>", shown(0, FIRST));
            if list.len() > FIRST {
                let (rest, left) = (shown(FIRST, LISTED), list.len().saturating_sub(FIRST + LISTED));
                let left = if left > 0 { format!(" and {left} more") } else { String::new() };
                let _ = write!(
                    told,
                    "<details class=\"more\"><summary>{} more</summary><p>{rest}{left}</p></details>",
                    list.len() - FIRST
                );
            }
        }
        if rule.derives.is_empty() && rule.reads.is_empty() && !rule.used_by.is_empty() {
            let users: Vec<String> = rule
                .used_by
                .iter()
                .take(12)
                .map(|&user| {
                    link(&format!("#r{user}"), &format!("line {}", line_of(look, &rules[user])), "rule")
                })
                .collect();
            let _ = write!(told, "<p>asked for in {}</p>", users.join(" "));
        }
        let _ = write!(
            out,
            "<tr id=\"r{n}\"><td>{}</td><td><pre>{}</pre></td><td>{told}</td></tr>",
            line_of(look, rule),
            escape(text)
        );
    }
    out + "</table>"
}
