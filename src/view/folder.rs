//! The page of a folder of game records: a table with players, result, moves, the biggest mistake and a small board.
//! The table can be searched and sorted. It shows the mistakes of games that were viewed. A click analyses all games.

use super::go;
use super::html::{self, encode, short};
use super::request::{Reply, Request};
use super::site::{LISTED, Mistake, Root, Site, listing};
use crate::number_text::counted;
use crate::report::board::stones;
use crate::report::heading::Heading;
use crate::scene::GameRecord;
use crate::scene::position;
use std::fmt::Write as _;
use tengen_go::board::sgf::Until;
use tengen_render::{escape, svg};

/// Rows of a page.
const ROWS: usize = 60;

/// A game of the table.
struct Row {
    file: String,
    heading: Heading,
    size: String,
    moves: usize,
    mistake: Option<Option<Mistake>>,
    fault: String,
}

/// The columns that can be sorted by: the name in an address, the words.
const COLUMNS: [(&str, &str); 6] = [
    ("file", "Game"),
    ("players", "Players"),
    ("result", "Result"),
    ("size", "Size"),
    ("moves", "Moves"),
    ("mistake", "Biggest mistake"),
];

/// The page.
pub(super) fn page(site: &Site, request: &Request) -> Reply {
    let Root::Folder(folder) = &site.root else {
        return Reply::fault("no folder of game records was opened");
    };
    let names = listing(folder);
    let (find, sort, from) =
        (request.get("find"), request.get("sort"), request.get("from").parse().unwrap_or(0));
    let mut rows: Vec<Row> =
        names.iter().map(|name| row(site, name)).filter(|row| is_wanted(row, find)).collect();
    sorted(&mut rows, sort);
    let known = names.iter().filter(|name| site.mistake(name).is_some()).count();
    let more = if names.len() == LISTED { ", the first ones; open a folder below for others" } else { "" };
    let mut body = format!(
        "<p id=\"records\">{} game records{more}{}</p>{}",
        names.len(),
        if find.is_empty() { String::new() } else { format!("; {} found", rows.len()) },
        tools(&names, known, find, sort)
    );
    body += &table(&rows, from, find, sort);
    Reply::html(html::page(&short(&folder.display().to_string(), 80), &body))
}

/// Looks on for the biggest mistake of a game; the page asks until all are known.
pub(super) fn mistake(site: &Site) -> Reply {
    let Root::Folder(folder) = &site.root else {
        return Reply::text(400, "no folder of game records was opened");
    };
    let names = listing(folder);
    let next = names.iter().find(|name| site.mistake(name).is_none());
    if let Some(name) = next
        && go::biggest_mistake(site, name).is_err()
    {
        // A record that can't be read has no mistakes to find.
        site.note_mistake(name, None);
    }
    let known = names.iter().filter(|name| site.mistake(name).is_some()).count();
    let worst = names.iter().filter_map(|name| Some((name, site.mistake(name)??)));
    let worst = worst.max_by(|a, b| a.1.points.total_cmp(&b.1.points));
    let told = worst.map_or_else(String::new, |(name, mistake)| {
        format!(" So far the biggest: {}", mistake_link(name, &mistake, &format!("{}, ", short(name, 50))))
    });
    let done = if known == names.len() { " data-done=\"1\"" } else { "" };
    let again = html::link("folder?sort=mistake", "Sort by mistake", "main");
    Reply::html(format!(
        "<p{done} role=\"status\">{known} of {} looked at.{told}</p><nav>{again}</nav>",
        counted("game", names.len())
    ))
}

fn mistake_link(file: &str, mistake: &Mistake, before: &str) -> String {
    let side = if mistake.is_black { "Black" } else { "White" };
    let to = format!("game?file={}&node={}&layer=moves", encode(file), mistake.node);
    let words = format!("{before}move {}, {side}: {:.1} points", mistake.number, mistake.points);
    html::link(&to, &words, "mistake")
}

fn row(site: &Site, name: &str) -> Row {
    let mistake = site.mistake(name);
    let file = name.to_owned();
    match site.record(name) {
        Ok(Some(record)) => Row {
            file,
            heading: Heading::of(&record),
            size: short(record.tree.nodes.first().and_then(|n| n.get("SZ")).unwrap_or("19"), 5),
            moves: record.moves(&record.tree.line(&[])),
            mistake,
            fault: String::new(),
        },
        Ok(None) => Row {
            file,
            heading: Heading::default(),
            size: String::new(),
            moves: 0,
            mistake,
            fault: String::new(),
        },
        Err(fault) => Row {
            file,
            heading: Heading::default(),
            size: String::new(),
            moves: 0,
            mistake,
            fault: short(fault.lines().next().unwrap_or_default(), 120),
        },
    }
}

fn is_wanted(row: &Row, find: &str) -> bool {
    let find = find.to_lowercase();
    let texts = [
        &row.file,
        &row.heading.black,
        &row.heading.white,
        &row.heading.result,
        &row.heading.date,
        &row.heading.name,
    ];
    find.is_empty() || texts.iter().any(|text| text.to_lowercase().contains(&find))
}

fn sorted(rows: &mut [Row], sort: &str) {
    let points = |row: &Row| row.mistake.flatten().map_or(-1.0, |m| m.points);
    match sort {
        "players" => rows
            .sort_by(|a, b| (&a.heading.black, &a.heading.white).cmp(&(&b.heading.black, &b.heading.white))),
        "result" => rows.sort_by(|a, b| a.heading.result.cmp(&b.heading.result)),
        "size" => rows.sort_by_key(|row| row.size.parse::<usize>().unwrap_or(0)),
        "moves" => rows.sort_by_key(|row| std::cmp::Reverse(row.moves)),
        "mistake" => rows.sort_by(|a, b| points(b).total_cmp(&points(a))),
        _ => {}
    }
}

fn tools(names: &[String], known: usize, find: &str, sort: &str) -> String {
    let hunt = if known == names.len() {
        String::new()
    } else {
        format!(
            "<details class=\"card\" id=\"hunt\"><summary>Find the biggest mistakes of all games</summary>\
             <div class=\"growing\" data-when=\"hunt\" data-href=\"mistake\" data-wait=\"20\"><p>{known} of {} looked at.</p></div></details>",
            counted("game", names.len())
        )
    };
    format!(
        "<form action=\"folder\" class=\"pick\" role=\"search\"><label>Find a player, a date, a file \
         <input name=\"find\" value=\"{}\"></label><input type=\"hidden\" name=\"sort\" value=\"{}\"><button>Search</button></form>{hunt}",
        escape(find),
        escape(sort)
    )
}

fn table(rows: &[Row], from: usize, find: &str, sort: &str) -> String {
    let to =
        |sort: &str, from: usize| format!("folder?find={}&sort={}&from={from}", encode(find), encode(sort));
    let mut out = String::from("<div class=\"wide\"><table class=\"games\"><thead><tr><th></th>");
    for (name, words) in COLUMNS {
        let is_on = name == sort || sort.is_empty() && name == "file";
        let order = if is_on {
            if name == "moves" || name == "mistake" { "descending" } else { "ascending" }
        } else {
            "none"
        };
        let _ = write!(
            out,
            "<th scope=\"col\" aria-sort=\"{order}\">{}</th>",
            html::link(&to(name, 0), words, "")
        );
    }
    out += "<th scope=\"col\">Date</th></tr></thead><tbody>";
    for row in rows.iter().skip(from).take(ROWS) {
        out += &line(row);
    }
    out += "</tbody></table></div><nav>";
    if from > 0 {
        out += &html::link(&to(sort, from.saturating_sub(ROWS)), "◀ the games before", "");
    }
    if rows.len() > from + ROWS {
        out += &html::link(&to(sort, from + ROWS), "more games ▶", "");
    }
    out + "</nav>"
}

fn line(row: &Row) -> String {
    let to = format!("game?file={}", encode(&row.file));
    let board = format!(
        "<img src=\"thumb?file={}\" width=\"58\" height=\"58\" loading=\"lazy\" alt=\"\">",
        escape(&encode(&row.file))
    );
    let players = if row.heading.black.is_empty() && row.heading.white.is_empty() {
        short(&row.heading.name, 40)
    } else {
        format!("{} – {}", short(&row.heading.black, 24), short(&row.heading.white, 24))
    };
    let mistake = match &row.mistake {
        Some(Some(mistake)) => mistake_link(&row.file, mistake, ""),
        Some(None) => "none".into(),
        None => {
            "<span class=\"soft\" title=\"open the game, or look through all games\">not looked at</span>"
                .into()
        }
    };
    let fault = if row.fault.is_empty() {
        String::new()
    } else {
        format!("<p class=\"fault\">{}</p>", escape(&row.fault))
    };
    format!(
        "<tr><td><a href=\"{0}\" tabindex=\"-1\" aria-hidden=\"true\">{board}</a></td><td>{1}{fault}</td><td>{2}</td><td>{3}</td>\
         <td class=\"num\" data-word=\"lines\">{4}</td><td class=\"num\" data-word=\"moves\">{5}</td>\
         <td data-before=\"biggest mistake: \">{mistake}</td><td class=\"date\">{6}</td></tr>",
        escape(&to),
        html::link(&to, &short(&row.file, 80), "record"),
        escape(&players),
        escape(&short(&row.heading.result_words(), 40)),
        escape(&row.size),
        row.moves,
        escape(&short(&row.heading.date, 24)),
    )
}

/// The last position of a game as a small board.
pub(super) fn thumb(site: &Site, request: &Request) -> Reply {
    let last = |record: GameRecord| position::of_line(&record, &record.tree.line(&[]), Until::End).ok();
    let input = site.record(request.get("file")).ok().flatten().and_then(last);
    match input {
        Some(input) => {
            let board = svg::thumbnail(&stones(&input.position.board, "The last position"));
            Reply { kind: "image/svg+xml", ..Reply::html(board) }
        }
        None => Reply::text(400, "there is no position to draw"),
    }
}
