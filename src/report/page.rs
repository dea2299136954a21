//! Pages that a browser shows from a file without any download: pictures with their legends and measures.

use std::fmt::Write as _;
use tengen_render::{Sheet, escape, svg};

/// The additions of reports to the style of all pages.
const STYLE: &str = "body{max-width:66rem;margin:1rem auto;padding:0 .8rem}figure{margin:.6rem .6rem .6rem 0;display:inline-block;\
vertical-align:top;max-width:100%}figure.lead{display:block;margin-right:0}svg.board{width:22rem;max-width:100%;height:auto}\
svg.graph{width:100%;height:auto}.verdict{font-size:1.08rem;font-weight:600}.opening figure.end{margin:0}.opening figure.end svg{width:100%}\
summary h2,summary h3{display:inline;line-height:2}.moment{border-top:1px solid var(--line);padding:.2rem 0}.moment p{margin:.25rem 0}\
.moment figure{margin:0}ul{padding-left:1.2rem}.games td:first-child{min-width:8.5rem}.games td{white-space:nowrap}.games td.text{white-space:normal;min-width:11rem}\
@media(min-width:900px),print{.opening{display:grid;grid-template-columns:22rem minmax(0,1fr);gap:1.2rem}.moment .shown{display:grid;\
grid-template-columns:minmax(13rem,1fr) 22rem 22rem;gap:1rem}.moment svg.board{width:100%}}\
@media print{body{max-width:none;margin:0;padding:0;font-size:9.5pt}svg.board{width:58mm}.opening{grid-template-columns:62mm minmax(0,1fr);gap:5mm}\
.moment .shown{grid-template-columns:1fr 52mm 52mm;gap:4mm}figcaption{font-size:7.5pt}.moment .shown p{margin:1mm 0}summary{list-style:none}summary h2,summary h3{line-height:1.4}\
h2,h3,summary{break-after:avoid}h3{margin:1mm 0}.games{font-size:8pt}.games small{font-size:7pt}.games td,.games th{padding:.8mm 1.2mm}.games td:first-child,.games td.text{min-width:32mm}.games td.text:last-child{min-width:58mm}}";

/// On a telephone long parts are folded, on paper nothing is. Without a script everything is open.
const SCRIPT: &str = "<script>{const parts=[...document.querySelectorAll('details.part')];\
const target=()=>{const part=location.hash&&document.getElementById(location.hash.slice(1));if(part&&part.matches('details'))part.open=true};\
if(innerWidth<700)for(const part of parts)part.open=false;target();addEventListener('hashchange',target);\
addEventListener('beforeprint',()=>{for(const part of parts)part.open=true})}</script>";

/// A whole page with this title around a body of HTML.
#[must_use]
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><link rel=\"icon\" href=\"data:,\">\
         <title>{title}</title><style>{}{STYLE}</style></head><body><h1>{title}</h1>\n{body}{SCRIPT}</body></html>\n",
        tengen_render::STYLE
    )
}

/// A picture with its title and its lines.
#[must_use]
pub fn figure(sheet: &Sheet) -> String {
    let mut out = format!("<figure>{}<figcaption>{}</figcaption>", svg::draw(sheet), escape(&sheet.title));
    if !sheet.lines.is_empty() {
        let _ = write!(out, "<pre>{}</pre>", escape(&sheet.lines.join("\n")));
    }
    out + "</figure>\n"
}

/// A page of the sheets of a layer.
#[must_use]
pub fn of_sheets(title: &str, sheets: &[Sheet]) -> String {
    page(title, &sheets.iter().map(figure).collect::<String>())
}

/// A relative address of a file by its name: what an address gives another meaning is percent-encoded.
#[must_use]
pub fn link(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    name.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}
