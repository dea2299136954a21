//! The page of a profile: the cost of each system as bars, and a timeline of the threads. The file is the Chrome trace
//! that `tengen profile PATH --trace FILE` writes. The page adds up rows as `tengen profile` does.

use super::html::{encode, link, page as whole};
use super::request::{Reply, Request};
use super::site::{Root, Site};
use crate::files;
use crate::number_text::counted;
use anyhow::Context as _;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;
use tengen_core::profiler::trace::{self, Trace};
use tengen_core::profiler::{Profile, Span};
use tengen_render::timeline::{Bar, draw};
use tengen_render::{Ink, escape};

/// Bytes of a trace at most: some 300,000 spans.
const LARGEST: u64 = 64 << 20;
/// Rows of the table.
const ROWS: usize = 60;
/// Lanes of the timeline.
const LANES: usize = 80;
/// Spans narrower than this part of the window are drawn together with their neighbours.
const NARROW: f64 = 1e-3;
/// The shortest window.
const SHORTEST: f64 = 1e-6;
/// The colours of the rows that cost most; the others are grey.
const INKS: [Ink; 6] = [Ink::Black, Ink::White, Ink::Good, Ink::Danger, Ink::Note, Ink::Unsure];

/// Reads a trace.
///
/// # Errors
/// If it cannot be read or is not a trace.
pub fn open(path: &Path) -> anyhow::Result<Trace> {
    let shown = path.display();
    let bytes =
        files::bytes_up_to(path, LARGEST).map_err(anyhow::Error::msg).with_context(|| shown.to_string())?;
    let trace = trace::read(&bytes).map_err(|why| {
        anyhow::anyhow!("{shown} is no trace: {why}; `tengen profile PATH --trace FILE` writes one")
    })?;
    anyhow::ensure!(!trace.spans.is_empty(), "{shown} holds no spans");
    Ok(trace)
}

/// The shown window, in seconds from the beginning.
#[derive(Clone, Copy, Debug)]
struct Window {
    from: f64,
    to: f64,
    /// The whole trace's length.
    whole: f64,
}

impl Window {
    fn read(trace: &Trace, request: &Request) -> Result<Self, String> {
        let whole = trace.spans.iter().map(|s| end(trace, s)).fold(SHORTEST, f64::max);
        let number = |name: &str, none: f64| match request.get(name) {
            "" => Ok(none),
            text => text
                .parse::<f64>()
                .ok()
                .filter(|s| s.is_finite())
                .ok_or_else(|| format!("`{text}` is no time in seconds for {name}")),
        };
        let from = number("from", 0.0)?.clamp(0.0, whole - SHORTEST);
        let to = number("to", whole)?.clamp(from + SHORTEST, whole.max(from + SHORTEST));
        Ok(Self { from, to, whole })
    }

    fn length(&self) -> f64 {
        self.to - self.from
    }

    /// The address of another window.
    fn address(&self, from: f64, to: f64) -> String {
        let from = from.clamp(0.0, self.whole);
        format!("profile?from={from:.7}&to={:.7}", to.clamp(from, self.whole))
    }

    /// The place of a time in the window.
    fn place(&self, at: f64) -> f64 {
        (at - self.from) / self.length()
    }
}

fn begin(trace: &Trace, span: &Span) -> f64 {
    span.start.saturating_duration_since(trace.origin).as_secs_f64()
}

fn end(trace: &Trace, span: &Span) -> f64 {
    begin(trace, span) + span.took.as_secs_f64()
}

/// The page.
pub(super) fn page(site: &Site, request: &Request) -> Reply {
    let Root::Trace(trace) = &site.root else { return Reply::fault("no trace was opened") };
    let window = match Window::read(trace, request) {
        Ok(window) => window,
        Err(fault) => return Reply::fault(&fault),
    };
    let spans = inside(trace, &window);
    let profile = Profile::of(&trace.names, &spans);
    let ranked: Vec<&str> = profile.rows.iter().map(|row| row.name.as_str()).collect();
    let ink = |name: &str| {
        let rank = ranked.iter().position(|known| *known == name);
        rank.and_then(|rank| INKS.get(rank)).copied().unwrap_or(Ink::Gone)
    };
    let (lanes, bars, left_out) = timeline(trace, &window, &spans, &ink);
    let times: Vec<(f64, String)> = (0..5)
        .map(|n| {
            let part = f64::from(n) / 5.0;
            (part, time(window.length().mul_add(part, window.from)))
        })
        .collect();
    let more =
        if left_out > 0 { format!("<p>{left_out} more lanes are not drawn.</p>") } else { String::new() };
    let body = format!(
        "{}<p id=\"counts\">{} of {} in {} of {}</p><figure class=\"wide\">{}<figcaption>one lane a thread, below it what is called from there; \
         a click shows that span alone</figcaption></figure>{more}{}",
        navigation(&window),
        counted("span", spans.len()),
        trace.spans.len(),
        time(window.length()),
        time(window.whole),
        draw("Timeline", &lanes, &bars, &times),
        rows(&profile, &window, request, &ink),
    );
    Reply::html(whole("Profile", &body))
}

/// The spans of the window, cut at its ends.
fn inside(trace: &Trace, window: &Window) -> Vec<Span> {
    let cut = |span: &Span| {
        let (from, to) = (begin(trace, span).max(window.from), end(trace, span).min(window.to));
        let start = trace.origin + Duration::from_secs_f64(from);
        (from <= to).then(|| Span { start, took: Duration::from_secs_f64(to - from), ..*span })
    };
    trace.spans.iter().filter_map(cut).collect()
}

/// The links to earlier and later spans, and to shorter and longer ones.
fn navigation(window: &Window) -> String {
    let (length, middle) = (window.length(), (window.from + window.to) / 2.0);
    let to = |id: &str, text: &str, from: f64, to: f64| {
        format!("<a id=\"{id}\" href=\"{}\">{text}</a>", escape(&window.address(from, to)))
    };
    [
        "<nav id=\"way\">".to_owned(),
        to("first", "all", 0.0, window.whole),
        to("back", "◀ earlier", window.from - length / 2.0, window.to - length / 2.0),
        to("forth", "later ▶", window.from + length / 2.0, window.to + length / 2.0),
        to("up", "▲ twice the time", middle - length, middle + length),
        to("down", "▼ half the time", middle - length / 4.0, middle + length / 4.0),
        "</nav>".to_owned(),
    ]
    .concat()
}

/// The lanes' names, their bars, and the number of omitted lanes.
fn timeline(
    trace: &Trace,
    window: &Window,
    spans: &[Span],
    ink: &dyn Fn(&str) -> Ink,
) -> (Vec<String>, Vec<Bar>, usize) {
    let mut order: Vec<&Span> = spans.iter().collect();
    order.sort_by_key(|s| (s.thread, s.start, std::cmp::Reverse(s.took)));
    // Per thread and depth the bars; of narrow ones together, how many.
    let mut found: BTreeMap<(u32, usize), Vec<(Bar, usize)>> = BTreeMap::new();
    let mut open: Vec<&Span> = Vec::new();
    for span in order {
        while open.last().is_some_and(|o| o.thread != span.thread || o.start + o.took <= span.start) {
            open.pop();
        }
        let lane = found.entry((span.thread, open.len())).or_default();
        open.push(span);
        let (begin, end) = (begin(trace, span), end(trace, span));
        let (from, to) = (window.place(begin), window.place(end));
        let name = trace.names.get(span.row as usize).map_or("", String::as_str);
        if to - from < NARROW
            && let Some((last, many)) = lane.last_mut()
            && *many > 0
            && from - last.to < NARROW
        {
            *many += 1;
            last.to = last.to.max(to);
            last.title = counted("short call", *many);
            last.ink = Ink::Gone;
            last.href = window.address(
                window.length().mul_add(last.from, window.from),
                window.length().mul_add(last.to, window.from),
            );
            continue;
        }
        let bar = Bar {
            lane: 0,
            from,
            to,
            ink: ink(name),
            text: short(name).into(),
            title: format!("{name}: {}", time(span.took.as_secs_f64())),
            href: window.address(begin, end),
        };
        lane.push((bar, usize::from(to - from < NARROW)));
    }
    let left_out = found.len().saturating_sub(LANES);
    let (mut lanes, mut bars) = (Vec::new(), Vec::new());
    for (n, ((thread, depth), lane)) in found.into_iter().take(LANES).enumerate() {
        lanes.push(if depth == 0 { format!("thread {thread}") } else { String::new() });
        bars.extend(lane.into_iter().map(|(bar, _)| Bar { lane: n, ..bar }));
    }
    (lanes, bars, left_out)
}

/// A path's last name.
fn short(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// The own cost of each row in the window.
fn rows(profile: &Profile, window: &Window, request: &Request, ink: &dyn Fn(&str) -> Ink) -> String {
    let (find, sort) = (request.get("find"), request.get("sort"));
    let wanted = find.to_lowercase();
    let mut shown: Vec<_> =
        profile.rows.iter().filter(|row| row.name.to_lowercase().contains(&wanted)).collect();
    match sort {
        "name" => shown.sort_by(|a, b| a.name.cmp(&b.name)),
        "calls" => shown.sort_by_key(|row| std::cmp::Reverse(row.calls)),
        "median" => shown.sort_by_key(|row| std::cmp::Reverse(row.median)),
        "slowest" => shown.sort_by_key(|row| std::cmp::Reverse(row.p99)),
        "allocations" => shown.sort_by_key(|row| std::cmp::Reverse(row.allocations)),
        // As the profile has them: by own time.
        _ => {}
    }
    let here = window.address(window.from, window.to);
    let head = |name: &str, words: &str| {
        let order = match (name == sort, name) {
            (false, _) => "none",
            (true, "name") => "ascending",
            (true, _) => "descending",
        };
        let to = format!("{here}&find={}&sort={name}", encode(find));
        format!("<th scope=\"col\" aria-sort=\"{order}\">{}</th>", link(&to, words, ""))
    };
    let total = profile.total().as_secs_f64().max(f64::MIN_POSITIVE);
    let mut out = format!(
        "<form action=\"profile\" class=\"pick\" role=\"search\"><label>Find a system <input name=\"find\" value=\"{}\"></label>\
         <input type=\"hidden\" name=\"from\" value=\"{}\"><input type=\"hidden\" name=\"to\" value=\"{}\">\
         <input type=\"hidden\" name=\"sort\" value=\"{}\"><button>Find</button></form>\
         <table id=\"rows\"><thead><tr><th></th>{}{}<th></th>{}{}{}{}</tr></thead><tbody>",
        escape(find),
        window.from,
        window.to,
        escape(sort),
        head("name", "system, job or step"),
        head("", "own time"),
        head("calls", "calls"),
        head("median", "median"),
        head("slowest", "99 % within"),
        head("allocations", "allocations"),
    );
    for row in shown.iter().take(ROWS) {
        let own = row.total.as_secs_f64();
        let _ = write!(
            out,
            "<tr><td><svg width=\"14\" height=\"14\"><rect width=\"14\" height=\"14\" fill=\"{}\"/></svg></td><td>{}</td><td>{}</td>\
             <td><meter max=\"1\" value=\"{:.4}\"></meter> {:.1} %</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            ink(&row.name).paper(),
            escape(&row.name),
            time(own),
            own / total,
            100.0 * own / total,
            row.calls,
            time(row.median.as_secs_f64()),
            time(row.p99.as_secs_f64()),
            row.allocations,
        );
    }
    out += "</tbody></table>";
    let more = shown.len().saturating_sub(ROWS);
    if more > 0 {
        let _ = write!(out, "<p>and {}</p>", counted("more row", more));
    }
    out + &format!("<p>{}</p>", link("./", "the whole trace", "all"))
}

/// A time with a unit that fits it.
pub(super) fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}
