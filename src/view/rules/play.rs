//! The page on which a game is played: the state, the legal moves of each role to click, and the answer of Tengen's
//! player.

use super::board::grid;
use super::look::{Look, spelled_picks};
use super::reasons;
use crate::number_text::counted;
use crate::view::html::{folded, legend, link, page as whole};
use crate::view::request::{Reply, Request};
use crate::view::site::{Root, Site};
use crate::view::table::{Joint, Table, legal, spelled};
use crate::view::watched::page_of_faults;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tengen_core::{Budget, Parallelism, SplitMix64, Stop, derive_seed};
use tengen_propnet::information;
use tengen_propnet::machine::State;
use tengen_propnet::players::{GamePlayer, Kind, uct};
use tengen_render::{Mark, escape};

/// Legal moves of a role, or facts of a state, that are listed.
const LISTED: usize = 400;
/// The time limit of one answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// Joint moves that our player and moves without a choice make by themselves after a click.
const BY_ITSELF: usize = 20;

/// The page, or the way to the one after the moves that were chosen.
pub(in crate::view) fn page(site: &Site, request: &Request) -> Reply {
    let case = Some(request.get("case")).filter(|case| !case.is_empty());
    let to = match (&site.root, case) {
        (Root::Scenes(scenes), Some(case)) => Some(scenes.at_rules(case)),
        (Root::Games(games), Some(case)) => Some(games.at_rules(case)),
        _ => None,
    };
    if let Some(to) = to {
        return to.map_or_else(|fault| Reply::fault(&fault), |to| Reply::see(&to));
    }
    let answered = Look::read(site, request).and_then(|mut look| {
        if (request.get("go") == "1" || look.picks.iter().any(Option::is_some))
            && let Some(line) = after_choice(&mut look)?
        {
            let to = format!("play?{}", look.query(&[("moves", &spelled(&line)), ("at", ""), ("pick", "")]));
            return Ok(Reply::see(&to));
        }
        let title = look.title();
        let head = site.watched().map(|watched| watched.panel(&look.query(&[]), look.kept));
        let why = reasons::panel(&look, request.get("why"))?;
        let body = body(&mut look, &(head.unwrap_or_default() + &why))?;
        Ok(Reply::html(whole(&title, &body)))
    });
    if let (Err(_), Some(watched)) = (&answered, site.watched())
        && watched.table().is_err()
    {
        return page_of_faults(watched);
    }
    answered.unwrap_or_else(|fault| Reply::fault(&fault))
}

/// The line after the joint move that is chosen, if it is whole once our player has chosen too.
fn after_choice(look: &mut Look) -> Result<Option<Vec<Joint>>, String> {
    if look.described.terminal {
        return Ok(None);
    }
    let mut joint = Vec::new();
    let until = Instant::now() + PATIENCE;
    for role in 0..look.roles.len() {
        let legal: Vec<String> = look.legal[role].iter().map(|m| m.0.clone()).collect();
        joint.push(match (look.picks[role], legal.len()) {
            (Some(pick), _) => pick,
            (None, 1) => 0,
            (None, count) if look.table.game.program.chance() == Some(role) => {
                drawn(&look.line[..look.at], count)
            }
            (None, _) if look.ours.contains(&role) => {
                choice(&look.table, look.player.1, role, &look.state, look.visits, until, &legal)?
            }
            _ => return Ok(None),
        });
    }
    let mut line = look.line[..look.at].to_vec();
    line.push(joint);
    for _ in 0..BY_ITSELF {
        let state = look.table.walk(look.machine.as_mut(), &line)?;
        let Some(joint) = by_itself(look, &state, &line, until)? else { break };
        line.push(joint);
    }
    Ok(Some(line))
}

/// The joint move of a state in which only our player has a choice.
fn by_itself(
    look: &mut Look,
    state: &State,
    line: &[Joint],
    until: Instant,
) -> Result<Option<Joint>, String> {
    let chance = look.table.game.program.chance();
    if look.ours.is_empty() && chance.is_none()
        || look.machine.terminal().map_err(|e| e.to_string())?
        || Instant::now() > until
    {
        return Ok(None);
    }
    let mut lists = Vec::new();
    for role in 0..look.roles.len() {
        let moves = legal(look.machine.as_mut(), role)?;
        if moves.len() != 1 && !look.ours.contains(&role) && chance != Some(role) {
            return Ok(None);
        }
        lists.push(moves.into_iter().map(|m| m.0).collect::<Vec<String>>());
    }
    let of = |(role, legal): (usize, &Vec<String>)| match legal.len() {
        1 => Ok(0),
        count if chance == Some(role) => Ok(drawn(line, count)),
        _ => choice(&look.table, look.player.1, role, state, look.visits, until, legal),
    };
    lists.iter().enumerate().map(of).collect::<Result<Joint, String>>().map(Some)
}

/// A move of the role `random` out of this many, the same whenever the same line is played.
fn drawn(line: &[Joint], count: usize) -> usize {
    let path: Vec<u64> =
        line.iter().flatten().map(|&place| place as u64).chain([line.len() as u64]).collect();
    SplitMix64::new(derive_seed(1, &path)).below(u32::try_from(count).unwrap_or(u32::MAX).max(1)) as usize
}

/// The choice of our player.
fn choice(
    table: &Table,
    kind: Kind,
    role: usize,
    state: &State,
    visits: u64,
    until: Instant,
    legal: &[String],
) -> Result<usize, String> {
    let game = table.game.clone();
    let mut player = GamePlayer::new(game, kind, role, 1, Parallelism::Shards).map_err(|e| e.to_string())?;
    let choice = player.choose(state, &budget(visits, until)).map_err(|e| e.to_string())?;
    let place = legal.iter().position(|text| *text == choice.text);
    place.ok_or_else(|| format!("our player chose `{}`, which is not legal", choice.text))
}

fn budget(visits: u64, until: Instant) -> Budget {
    let stop = Stop::when(move || Instant::now() >= until);
    Budget { visits: Some(visits), nodes: Some(visits.saturating_mul(100)), stop, ..Budget::default() }
}

/// The page below its title; `head` comes before the moves.
fn body(look: &mut Look, head: &str) -> Result<String, String> {
    let thoughts = if look.asks { thoughts(look)? } else { String::new() };
    let picture = picture(look);
    let figure = picture.map_or_else(
        || list_of_facts(&look.described.facts),
        |grid| {
            let board = tengen_render::grid::board(&grid);
            format!(
                "<div class=\"wood\" title=\"{}\">{board}</div>{}",
                escape(&grid.title),
                legend(&grid.legend)
            )
        },
    );
    let mut roles = String::new();
    for role in 0..look.roles.len() {
        roles += &moves_of(look, role);
    }
    let facts: Vec<String> = look.described.facts.iter().map(|f| escape(f)).collect();
    let state = format!(
        "{}<h3>State: {}</h3><pre id=\"state\">{}</pre>",
        goals(look),
        counted("fact", facts.len()),
        facts.join("\n")
    );
    Ok(format!(
        "<main class=\"game\"><section class=\"stage\" aria-label=\"Board\">{figure}{}</section>\
         <section class=\"panel\" aria-label=\"Position\">{head}{}{roles}{thoughts}{}{}</section></main>",
        look.navigation("play"),
        standing(look),
        tools(look),
        folded("All fields", &state),
    ))
}

/// The state of a game whose facts make no board: its facts, one for each line.
fn list_of_facts(facts: &[String]) -> String {
    let line = |fact: &String| format!("<li><code>{}</code></li>", escape(fact));
    let lines: String = facts.iter().take(LISTED).map(line).collect();
    let more = match facts.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("<p>{more} more stand under “All fields”.</p>"),
    };
    format!(
        "<h3>{}</h3><ul class=\"plain\" id=\"stands\">{lines}</ul>{more}\
         <p class=\"hint\">They make no board of fields.</p>",
        if facts.is_empty() { "No fact holds".to_owned() } else { counted("fact", facts.len()) }
    )
}

/// The end with its goals, the last move, and whose turn it is.
fn standing(look: &Look) -> String {
    let mut out = String::new();
    let told = |(role, goals): (&String, &Vec<String>)| {
        let goals = if goals.is_empty() { "none".to_owned() } else { goals.join(", ") };
        format!("{} {}", escape(role), escape(&goals))
    };
    let goals: Vec<String> = look.roles.iter().zip(&look.described.goals).map(told).collect();
    let goals = goals.join(" · ");
    let choosing: Vec<&str> = look
        .roles
        .iter()
        .zip(&look.legal)
        .filter(|(_, all)| all.len() > 1)
        .map(|(role, _)| role.as_str())
        .collect();
    let turn = match &choosing[..] {
        _ if look.described.terminal => "The game is over.".to_owned(),
        [] => "No role has a choice.".to_owned(),
        [role] => format!("{role} to move."),
        all => format!("{} move at the same time.", all.join(", ")),
    };
    let _ = write!(out, "<p class=\"lead\" id=\"end\">{}</p>", escape(&turn));
    if let Some(last) = &look.last {
        let _ = write!(out, "<p id=\"last\">Last: {}</p>", escape(last));
    }
    for (role, seen) in look.roles.iter().zip(&look.percepts).filter(|(_, seen)| !seen.is_empty()) {
        let _ = write!(out, "<p class=\"percepts\">{} sees {}</p>", escape(role), escape(&seen.join(", ")));
    }
    out + "<p class=\"soft\">Goal here: " + &goals + "</p>"
}

/// The goal of each role in this state.
fn goals(look: &Look) -> String {
    let mut out = String::from("<table id=\"goals\"><tr><th>role</th><th>goal here</th></tr>");
    for (role, goals) in look.roles.iter().zip(&look.described.goals) {
        let goals = if goals.is_empty() { "none".to_owned() } else { goals.join(", ") };
        let _ = write!(out, "<tr><td>{}</td><td>{}</td></tr>", escape(role), escape(&goals));
    }
    out + "</table>"
}

/// Restart, take back, the net, the rules, and who plays.
fn tools(look: &Look) -> String {
    let mut out = String::from("<nav id=\"tools\">");
    out += &link(
        &format!("play?{}", look.query(&[("moves", ""), ("at", ""), ("pick", "")])),
        "Restart",
        "restart",
    );
    if look.at > 0 {
        let less = spelled(&look.line[..look.at - 1]);
        let to = format!("play?{}", look.query(&[("moves", &less), ("at", ""), ("pick", "")]));
        out += &link(&to, "Take back", "undo");
    }
    if look.picks.iter().any(Option::is_some) {
        out += &link(&format!("play?{}", look.query(&[("pick", "")])), "Choose anew", "unpick");
    }
    if !look.described.terminal {
        out += &link(&format!("play?{}", look.query(&[("ask", "1")])), "What does a search think?", "ask");
        let chance = look.table.game.program.chance().is_some_and(|chance| {
            let choosing = |(role, moves): (usize, &Vec<_>)| moves.len() > 1 && role != chance;
            look.legal[chance].len() > 1 && !look.legal.iter().enumerate().any(choosing)
        });
        if !look.ours.is_empty() || chance {
            let text = if look.ours.is_empty() { "random moves" } else { "Our player moves" };
            out += &link(&format!("play?{}", look.query(&[("go", "1")])), text, "go");
        }
    }
    if look.table.net.is_some() {
        out += &link(&format!("net?{}", look.query(&[])), "The net", "net");
    }
    out += &link(&format!("rules?{}", look.query(&[])), "The rules", "rules");
    out += "</nav><form id=\"who\" action=\"play\">";
    for (name, value) in
        [("sheet", look.sheet.clone()), ("moves", spelled(&look.line)), ("at", look.at.to_string())]
    {
        let _ = write!(out, "<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escape(&value));
    }
    out += "<label>our player takes <select name=\"ours\"><option value=\"\">no role</option>";
    for (role, name) in look.roles.iter().enumerate() {
        let on = if look.ours == [role] { " selected" } else { "" };
        let _ = write!(out, "<option value=\"{role}\"{on}>{}</option>", escape(name));
    }
    out += "</select></label> <label>plays by <select name=\"player\">";
    for (name, _) in Kind::NAMES {
        let on = if look.player.0 == name { " selected" } else { "" };
        let _ = write!(out, "<option{on}>{name}</option>");
    }
    let _ = write!(
        out,
        "</select></label> <label>visits <input name=\"visits\" size=\"6\" value=\"{}\"></label> <button>set</button></form>",
        look.visits
    );
    out
}

/// The legal moves of a role, each a link that chooses it.
fn moves_of(look: &Look, role: usize) -> String {
    let name = &look.roles[role];
    let all = &look.legal[role];
    let field = look.field.split_once('~');
    let is_shown = |text: &str| field.is_none_or(|(column, row)| names(text, column, row));
    let shown: Vec<(usize, &str)> =
        all.iter().enumerate().map(|(n, m)| (n, m.0.as_str())).filter(|(_, text)| is_shown(text)).collect();
    let mut out = format!(
        "<section class=\"role\" data-role=\"{0}\"><h3>{0}: {1}</h3>",
        escape(name),
        counted("legal move", all.len())
    );
    if field.is_some() && shown.len() < all.len() {
        let every = link(&format!("play?{}", look.query(&[])), "all", "every");
        let _ = write!(out, "<p class=\"hint\">those of the field clicked on; {every}</p>");
    }
    out += "<nav>";
    for &(place, text) in shown.iter().take(LISTED) {
        let mut picks = look.picks.clone();
        picks[role] = Some(place);
        let to = format!("play?{}", look.query(&[("pick", &spelled_picks(&picks))]));
        out += &link(&to, text, if look.picks[role] == Some(place) { "move on" } else { "move" });
        let why = reasons::address(look, role, text);
        let _ = write!(
            out,
            "<a class=\"why\" href=\"{}\" title=\"Why is {} legal?\">?</a>",
            escape(&why),
            escape(text)
        );
    }
    out += "</nav>";
    out += &reasons::others(look, role);
    if shown.len() > LISTED {
        let _ = write!(out, "<p>{} more are not listed; click on a field.</p>", shown.len() - LISTED);
    }
    out + "</section>"
}

/// Whether a move names a field: column and row one after the other.
fn names(text: &str, column: &str, row: &str) -> bool {
    let words: Vec<&str> = words(text).collect();
    words.windows(2).any(|w| w == [column, row])
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(['(', ')', ' ']).filter(|w| !w.is_empty())
}

/// The state after a line as a board of fields, or as text where its facts make none.
pub(in crate::view) fn board_after(site: &Site, line: &str) -> Result<String, String> {
    let fields = [("moves".to_owned(), line.to_owned())].into();
    let look = Look::read(site, &Request { fields, ..Request::default() })?;
    let text = || format!("<pre>{}</pre>", escape(&look.described.facts.join("\n")));
    Ok(picture(&look).map_or_else(text, |grid| tengen_render::grid::draw(&grid)))
}

/// The state as a board of fields. A field that one legal move names leads to that move; a field that several name
/// lists them.
fn picture(look: &Look) -> Option<tengen_render::grid::Grid> {
    let names_of = |topology: &tengen_propnet::propagate::Topology| {
        let names = &topology.net.names;
        let initial = names.initial.ones().map(|b| names.bases[b].clone()).collect::<Vec<_>>();
        let possible = names.bases.iter().filter(|fact| !information::is_percept(fact)).cloned().collect();
        (possible, initial)
    };
    let facts = &look.described.facts;
    let (possible, initial) = match &look.table.game.topology {
        Ok(topology) => names_of(topology),
        Err(_) => (facts.clone(), facts.clone()),
    };
    let choices: Vec<(usize, usize, &str)> = look
        .legal
        .iter()
        .enumerate()
        .filter(|(role, moves)| moves.len() > 1 && look.picks[*role].is_none())
        .flat_map(|(role, moves)| moves.iter().enumerate().map(move |(n, m)| (role, n, m.0.as_str())))
        .collect();
    let clicked = look.field.split_once('~');
    let to = |column: &str, row: &str| {
        let both = |text: &str| {
            names(text, column, row)
                && clicked.is_none_or(|(c, r)| (c, r) == (column, row) || names(text, c, r))
        };
        let mut here: Vec<_> = choices.iter().filter(|c| both(c.2)).collect();
        if here.is_empty() && clicked.is_none() {
            // A move may name a column alone.
            here = choices.iter().filter(|c| words(c.2).skip(1).eq([column])).collect();
        }
        match here[..] {
            [] => None,
            [&(role, place, _)] => {
                let mut picks = look.picks.clone();
                picks[role] = Some(place);
                Some(format!("play?{}", look.query(&[("pick", &spelled_picks(&picks))])))
            }
            _ => Some(format!("play?{}", look.query(&[("field", &format!("{column}~{row}"))]))),
        }
    };
    let mut grid = grid(&possible, &initial, facts, to)?;
    let mut any = false;
    for field in grid.fields.iter_mut().filter(|f| f.link.is_some()) {
        field.cell.mark = Some(Mark::Circle);
        any = true;
    }
    if any {
        let mut key =
            tengen_render::Key::new(tengen_render::Ink::Good, 0.0, "", "a legal move names it: click");
        key.sign.mark = Some(Mark::Circle);
        grid.legend.push(key);
    }
    Some(grid)
}

/// The results of a search with this many visits for the moves of each role.
fn thoughts(look: &mut Look) -> Result<String, String> {
    if look.described.terminal {
        return Ok(String::new());
    }
    let budget = budget(look.visits, Instant::now() + PATIENCE);
    let tree = uct::Uct::new(&look.table.game, &look.state, 1, budget).map_err(|e| e.to_string())?;
    let tree = uct::run(vec![tree], Parallelism::Shards).pop().ok_or("the search was lost")?;
    if let Some(failure) = tree.failure() {
        return Err(failure.to_string());
    }
    let mut out = format!("<h3>UCT after {}</h3>", counted("visit", tree.visits() as usize));
    if let Some(values) = tree.solved() {
        let values: Vec<String> = values.iter().map(|v| format!("{v:.0}")).collect();
        let _ = write!(out, "<p>Solved: goals {}.</p>", values.join(", "));
    }
    for role in (0..look.roles.len()).filter(|&r| look.legal[r].len() > 1) {
        let _ = write!(
            out,
            "<table class=\"thoughts\"><tr><th>{}</th><th>visits</th><th>expected goal</th></tr>",
            escape(&look.roles[role])
        );
        let mut lines = tree.lines(role);
        lines.sort_by_key(|line| std::cmp::Reverse(line.visits));
        for line in lines.iter().take(30) {
            let text = look.machine.move_text(role, line.id);
            let _ = write!(
                out,
                "<tr><td>{}</td><td>{}</td><td>{:.1}</td></tr>",
                escape(&text),
                line.visits,
                line.value
            );
        }
        out += "</table>";
    }
    Ok(out)
}

/// The number of the version, for the page that asks.
pub(in crate::view) fn changes(site: &Site) -> Reply {
    match site.watched() {
        Some(watched) => Reply::text(200, &watched.look().to_string()),
        None => Reply::text(404, "no rulesheet is watched"),
    }
}
